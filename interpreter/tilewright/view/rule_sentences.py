"""A rule in words, made from its typed terms: for rules without a statement.

A rule with words of its own has these. Else definitions, functions and events have the words of
their declarations, things their labels, and locals the names of their types; no id is printed.
Announcements and the order of rules are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import assert_never

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS
from tilewright.language.builtins import FIRST_OF, RANGE, Function
from tilewright.language.locale.words import Words, languages
from tilewright.language.types import IN_STACK, TRUTH
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.desugar import UNNAMED
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule
from tilewright.rules.linking.inventory import labels_in
from tilewright.rules.linking.walk import AnyRule, expressions_of
from tilewright.rules.model import ruleset as m

_OPERATORS = {"<=": "≤", ">=": "≥", "*": "×"}
_OPPOSITE = {"<": "≥", ">": "≤", "<=": ">", ">=": "<", "=": "is not", "!=": "is"}
#: the precedence of a text: a looser part gets brackets
_LOOSE, _OR, _AND, _TEST, _SUM, _PRODUCT, _WORD = range(7)
#: functions that have words: the words, and the names of both arguments in them
_WORDS_OF_SETS = {
    RANGE: ("rule.range", ("first", "last")),
    FIRST_OF: ("rule.first_of", ("set", "count")),
}
#: constants of these kinds can have many instances
_KINDS = ("feature kind", "figure kind", "role")

Text = tuple[str, int]
#: the definitions of the language itself, whose words are the program's
_OF_THE_LANGUAGE = frozenset(name for name, *_ in BUILTIN_DEFINITIONS)
#: the longest name of a local that is an abbreviation
_SHORT = 2


def all_rule_words(game: Game) -> dict[str, m.Labels]:
    """Every rule of a game in every language of pages, by id."""
    speakers = [RuleSpeaker(game, language) for language in languages()]
    return {
        rule.rule.head.id: m.Labels(tuple((each.language, each.rule(rule)) for each in speakers))
        for rule in game.rules()
    }


def phrase(id_: str, **names: object) -> m.Labels:
    """A text in every language, around names or around other phrases."""
    return m.Labels(
        tuple(
            (lang, Words(lang)(id_, **{key: _in(name, lang) for key, name in names.items()}))
            for lang in languages()
        )
    )


def _in(name: object, language: str) -> object:
    return name.get(language) if isinstance(name, m.Labels) else name


class RuleSpeaker:
    """Writes the rules of one game in one language."""

    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        self.language = language
        self.say = Words(language)
        #: the locals of the rule that are not the only ones of their type
        self._names: frozenset[str] = frozenset()

    # -------------------------------------------------------------- rules

    def rule(self, rule: LinkedAmendment | LinkedRule | LinkedAction) -> str:
        """The place of a rule, its condition, and its effects."""
        head = rule.rule.head
        if head.says:
            return head.says
        self._names = _ambiguous(rule)
        sentence = self._rule(rule)
        label = "" if isinstance(rule, LinkedAction) else head.label.get(self.language)
        return f"{label}: {sentence}" if label else sentence

    def _rule(self, rule: LinkedAmendment | LinkedRule | LinkedAction) -> str:
        match rule:
            case LinkedAmendment():
                return self._amendment(rule)
            case LinkedAction():
                return self._action(rule)
            case LinkedRule():
                return self._placed(rule)

    def _amendment(self, rule: LinkedAmendment) -> str:
        combine, value = self.game.definitions[rule.rule.definition].combine, rule.value
        key = f"rule.combine.{combine.value}"
        if combine in (m.Combine.SUM, m.Combine.ITEMS) and isinstance(value, t.Negative):
            is_sum = combine == m.Combine.SUM
            key = "rule.combine.less" if is_sum else "rule.combine.items_less"
            value = value.value
        sentence = self.say(key, what=self.text(value))
        if rule.when is not None:
            sentence = self.say("rule.when", what=sentence, condition=self.text(rule.when))
        return f"{_capital(self._purpose(rule.rule.definition))}: {sentence}"

    def _placed(self, rule: LinkedRule) -> str:
        done = self._when(rule.when, self.body(rule.effects))
        match rule.rule:
            case m.StepRule(_, step, _):
                return self.say("rule.step", step=self._step(step), done=done)
            case m.Reaction(_, event, _, _):
                return self.say("rule.event", event=self._event(event), done=done)
            case m.Procedure(head, declaration, _, _):
                return done if head.label.texts else f"{_capital(id_words(declaration.id))}: {done}"

    def _action(self, rule: LinkedAction) -> str:
        name = rule.rule.head.label.get(self.language) or rule.rule.name
        sentence = self.say("rule.action", step=self._step(rule.rule.step), action=name)
        offers = [
            self.say("rule.offer", name=self._local(variable, term.type.base), set=self.text(term))
            for variable, term in rule.offer
        ]
        sentence = " ".join([sentence, ", ".join(offers)]).strip()
        if rule.where is not None:
            sentence = self.say("rule.where", what=sentence, condition=self.text(rule.where))
        return self._when(rule.when, f"{sentence}: {self.body(rule.effects)}")

    def _when(self, when: t.Expression | None, done: str) -> str:
        return done if when is None else self.say("rule.if", condition=self.text(when), done=done)

    def _step(self, id_: str) -> str:
        found = next((s.declaration.label for s in self.game.steps if s.id == id_), m.NO_LABEL)
        return found.get(self.language) or id_

    # -------------------------------------------------------------- expressions

    def failing(self, rule: AnyRule, part: t.Expression, wanted: bool) -> str:
        """A part of a rule that has not the wanted value: what is the case instead."""
        self._names = _ambiguous(rule)
        return self._denied(part)[0] if wanted else self.text(part)

    def text(self, term: t.Expression) -> str:
        """An expression in words."""
        return self._text_and_binding(term)[0]

    def _part(self, term: t.Expression, place: int) -> str:
        text, binding = self._text_and_binding(term)
        return f"({text})" if binding < place else text

    def _each(self, terms: Iterable[t.Expression]) -> str:
        return ", ".join(self.text(term) for term in terms)

    def _text_and_binding(self, node: t.Expression) -> Text:
        match node:
            case t.Literal(value):
                return self._literal(value), _WORD
            case t.Constant(category, id_):
                return self._called(category, id_), _WORD
            case t.Local(name) if name == UNNAMED:
                return self.say("rule.it"), _WORD
            case t.Memory(name, owner=owner) if owner is not None:
                if node.type == TRUTH:
                    claim, thing = self._remembered(name), self._part(owner, _WORD)
                    return self.say("rule.claim", claim=claim, thing=thing), _TEST
                return self._of_remembered(name, owner), _WORD
            case t.Local(name):
                return self._local(name, node.type.base, is_known=True), _WORD
            case t.Memory(name):
                return self._remembered(name), _TEST if node.type == TRUTH else _WORD
            case t.Value(id_):
                return self._value(id_), _WORD
            case t.Global(builtin):
                return self._global(builtin.name), _WORD
            case t.Attribute(_, attribute):
                name = attribute.name
                if node.type == TRUTH and self.language == "en":
                    return f"{self._part(node.owner, _WORD)} is {id_words(name)}", _TEST
                return self._of_thing(name, node.owner), _WORD
            case t.Printed(owner, id_):
                number, tile = self._labels.get(id_, m.NO_LABEL), self._part(owner, _WORD)
                return self.say("rule.on", mark=number.get(self.language) or id_, tile=tile), _WORD
            case t.DefinitionCall(name, arguments):
                return self._called_for(self._purpose(name), arguments)
            case t.BuiltinCall(function, arguments):
                return self._of_function(function, arguments)
            case t.SetOf(members):
                return f"{{{self._each(members)}}}", _WORD
            case t.PiecesIn(stack):
                return self._text_and_binding(stack)
            case t.Negative(value):
                return f"-{self._part(value, _WORD)}", _PRODUCT
            case t.Arithmetic(operator, left, right):
                here = _SUM if operator in ("+", "-") else _PRODUCT
                sign = _OPERATORS.get(operator, operator)
                return f"{self._part(left, here)} {sign} {self._part(right, here + 1)}", here
            case t.Restriction(whole, owner):
                part, of = self._part(whole, _WORD), self._part(owner, _WORD)
                return self.say("rule.of", part=part, whole=of), _PRODUCT
            case t.Conditional():
                return self._conditional(node), _LOOSE
            case t.Quantifier(kind, variable, source, body):
                over, what = self._part(source, _SUM), self.text(body)
                key, thing = f"rule.quantifier.{kind}", self._local(variable, source.type.base)
                return self.say(key, name=thing, set=over, what=what), _LOOSE
            case t.And(parts):
                return self._joined("rule.and", parts, _AND)
            case t.Or(parts):
                return self._joined("rule.or", parts, _OR)
            case t.Not(value):
                return self._denied(value)
            case _:
                return self._test(node, False)

    def _literal(self, value: int | bool | None) -> str:
        if value is None:
            return self.say("rule.nothing")
        if isinstance(value, bool):
            return self.say("rule.true" if value else "rule.false")
        return str(value)

    def _global(self, name: str) -> str:
        key = f"rule.global.{name}"
        return self.say(key) if key in self.say else name

    def _conditional(self, node: t.Conditional) -> str:
        return self.say(
            "rule.choice",
            then=self._part(node.then, _OR),
            condition=self._part(node.test, _OR),
            otherwise=self._part(node.otherwise, _OR),
        )

    def _of_thing(self, name: str, owner: t.Expression) -> str:
        key = f"rule.attribute.{name}"
        part = self.say(key) if key in self.say else id_words(name)
        return self.say("rule.of", part=part, whole=self._part(owner, _WORD))

    def _local(self, name: str, base: str, *, is_known: bool = False) -> str:
        """A local by what it is; by its own name too, where another one is the same."""
        key = f"rule.thing.{base}"
        thing = self.say(key) if key in self.say else id_words(base)
        if len(name) > _SHORT:
            return id_words(name)
        text = f"{thing} {name}" if name in self._names else thing
        return self.say("rule.the", thing=text) if is_known else text

    def _purpose(self, definition: str) -> str:
        if definition in _OF_THE_LANGUAGE:
            return self.say(f"rule.purpose.{definition}")
        says = self.game.definitions[definition].declaration.says
        return says.get(self.language) or id_words(definition)

    def _event(self, id_: str) -> str:
        if id_ in self._events:
            return self._events[id_].get(self.language) or id_words(id_)
        return self.say(f"rule.purpose.{id_}")

    @cached_property
    def _whether(self) -> tuple[str, ...]:
        """The beginnings of the purpose of a truth; an untranslated one is in English."""
        return tuple(words("rule.whether", what="") for words in (self.say, Words("en")))

    def _called_for(self, says: str, arguments: tuple[t.Expression, ...]) -> Text:
        """The purpose of a definition, a truth as the test that it is; with its arguments, where
        the words leave open which are meant."""
        is_truth = says.startswith(self._whether)
        text = next((says.removeprefix(w) for w in self._whether if says.startswith(w)), says)
        if any(isinstance(each, t.Local) and each.name in self._names for each in arguments):
            text = f"{text} ({self._each(arguments)})"
        return text, _TEST if is_truth else _PRODUCT

    def _of_function(self, function: Function, arguments: tuple[t.Expression, ...]) -> Text:
        if function in _WORDS_OF_SETS:
            key, names = _WORDS_OF_SETS[function]
            words = (self._part(part, _SUM) for part in arguments)
            return self.say(key, **dict(zip(names, words, strict=True))), _PRODUCT
        key = f"rule.function.{function.name}"
        if key not in self.say:
            return self._called_for(self.say(f"rule.purpose.{function.name}"), arguments)
        parts = [self._part(each, _PRODUCT) for each in arguments]
        return self.say(key, one=parts[0], other=parts[-1]), _PRODUCT

    @cached_property
    def _events(self) -> Mapping[str, m.Labels]:
        return {each.id: each.says for ruleset in self.game.rulesets for each in ruleset.events}

    def _joined(self, word: str, parts: Iterable[t.Expression], place: int) -> Text:
        return self.say(word).join(self._part(part, place + 1) for part in parts), place

    def _denied(self, node: t.Expression) -> Text:
        match node:
            case t.Not(value):
                return self._text_and_binding(value)
            case t.Attribute(owner, attribute) if self.language == "en":
                return f"{self._part(owner, _WORD)} is not {id_words(attribute.name)}", _TEST
            case (
                t.Comparison() | t.Membership() | t.Has() | t.IsKind() | t.IsNothing() | t.IsEmpty()
            ):
                return self._test(node, True)
        return self.say("rule.not", condition=self.text(node)), _TEST

    def _test(
        self,
        node: t.Comparison | t.Membership | t.Has | t.IsKind | t.IsNothing | t.IsEmpty,
        negated: bool,
    ) -> Text:
        left, *others = (self._part(part, _SUM) for part in t.children(node))
        match node:
            case t.Comparison("=" | "!=" as sign):
                is_same = (sign == "=") is not negated
                return self.say(
                    "rule.is" if is_same else "rule.is_not", one=left, other=others[0]
                ), _TEST
            case t.Comparison(sign):
                shown = _OPPOSITE[sign] if negated else _OPERATORS.get(sign, sign)
                return f"{left} {shown} {others[0]}", _TEST
            case t.Membership():
                return self.say(
                    "rule.not_in" if negated else "rule.in", one=left, set=others[0]
                ), _TEST
            case t.Has(_, mark):
                return self.say(
                    "rule.has_not" if negated else "rule.has", one=left, mark=self._one(mark)
                ), _TEST
            case t.IsKind(_, kind):
                return self.say(
                    "rule.is_not" if negated else "rule.is", one=left, other=self._one(kind)
                ), _TEST
            case t.IsNothing():
                return self.say(
                    "rule.nothing_is_not" if negated else "rule.nothing_is", one=left
                ), _TEST
            case t.IsEmpty(value) if isinstance(value, t.Memory) or value.type in IN_STACK:
                # one thing with a name of its own, which need not be in the plural
                return self.say(
                    "rule.named_not_empty" if negated else "rule.named_empty", set=left
                ), _TEST
            case t.IsEmpty():
                return self.say("rule.not_empty" if negated else "rule.empty", set=left), _TEST
            case _:
                assert_never(node)

    def _one(self, right: t.Expression) -> str:
        """The right side of a test, in English with its article."""
        text = self.text(right)
        is_thing = isinstance(right, t.Constant) and right.category != "trait"
        if not is_thing or self.language != "en":
            return text
        return f"{'an' if text[:1].lower() in 'aeiou' else 'a'} {text}"

    # -------------------------------------------------------------- names

    @cached_property
    def _labels(self) -> Mapping[str, m.Labels]:
        kinds = ("attribute", "stack", "token", "item", "symbol", "role", "kind", "figure")
        return labels_in(self.game, *kinds)

    def _called(self, category: str, id_: str) -> str:
        if category == "direction":
            return self.say(f"rule.direction.{id_}")
        label = self._labels.get(id_, m.NO_LABEL).get(self.language)
        return label or id_.replace("_", " ")

    def _value(self, id_: str) -> str:
        value = self.game.values.get(id_)
        return id_words(value.declaration.value) if value is not None else id_words(id_)

    def _remembered(self, name: str) -> str:
        """The label of memory; the words of its id, or of the name of a local, without one."""
        return self._memory.get(name, m.NO_LABEL).get(self.language) or id_words(name)

    def _of_remembered(self, name: str, owner: t.Expression) -> str:
        return self.say("rule.of", part=self._remembered(name), whole=self._part(owner, _WORD))

    @cached_property
    def _memory(self) -> Mapping[str, m.Labels]:
        return {each.declaration.id: each.declaration.label for each in self.game.memory}

    # -------------------------------------------------------------- effects

    def body(self, body: t.Body) -> str:
        """The effects, in order."""
        return self.say("rule.then").join(filter(None, map(self._effect, body)))

    def _block(self, body: t.Body) -> str:
        text = self.body(body)
        return f"({text})" if len(body) > 1 else text

    def _else(self, sentence: str, otherwise: t.Body) -> str:
        return (
            self.say("rule.else", done=sentence, otherwise=self._block(otherwise))
            if otherwise
            else sentence
        )

    def _effect(self, effect: t.Effect) -> str:
        match effect:
            case t.Let(name, value):
                local = self._local(name, value.type.base)
                return self.say("rule.let", name=local, value=self.text(value))
            case t.Assign():
                return self._assigned(effect)
            case t.Add(target, value):
                return self.say(
                    "rule.add", value=self.text(value), name=self._remembered(target.name)
                )
            case t.Drop(target, value):
                return self.say(
                    "rule.drop", value=self.text(value), name=self._remembered(target.name)
                )
            case t.If(test, then, otherwise):
                return self._else(
                    self.say("rule.if", condition=self.text(test), done=self._block(then)),
                    otherwise,
                )
            case t.For(variable, source, body):
                return self.say(
                    "rule.for",
                    name=self._local(variable, source.type.base),
                    set=self._part(source, _SUM),
                    done=self._block(body),
                )
            case t.Repeat(count, body):
                return self.say("rule.repeat", count=self.text(count), done=self._block(body))
            case t.Stop(test):
                return (
                    self.say("rule.stop")
                    if test is None
                    else self.say("rule.stop_if", condition=self.text(test))
                )
            case t.Choose():
                return self._decision(effect)
            case t.Draw() | t.DrawMembers():
                return self._draw(effect)
            case t.Offer(by):
                return self.say("rule.offer_actions", player=self.text(by))
            case t.ProcedureCall(procedure):
                return self.say("rule.perform", call=f"“{self._procedure(procedure)}”")
            case t.Announce():
                return ""
            case t.EndGame(at_once):
                return self.say("rule.end_at_once" if at_once else "rule.end")
            case t.Verb():
                return self._changed(effect)
            case _:
                assert_never(effect)

    def _changed(self, effect: t.Verb) -> str:
        verb, target = effect.verb, effect.target
        parts = {
            word: self.text(part)
            for word, part in zip(effect.prepositions, effect.arguments, strict=True)
        }
        said = self.say(f"rule.verb.{verb.name}", what=self.text(effect.operand), **parts)
        for word, _, is_required in verb.parts:
            if word in parts and not is_required:
                said = self.say(f"rule.verb_{word}", what=said, part=parts[word])
        return said if target is None else f"{said} → {self._remembered(target.name)}"

    def _assigned(self, effect: t.Assign) -> str:
        target, value, owner = effect.target, effect.value, effect.owner
        if isinstance(value, t.Literal) and isinstance(value.value, bool):
            what = self.text(t.Memory(target.name, TRUTH, effect.span, owner))
            return self.say("rule.set_true" if value.value else "rule.set_false", what=what)
        held = (
            self._remembered(target.name)
            if owner is None
            else self._of_remembered(target.name, owner)
        )
        key = "rule.increase" if effect.adds else "rule.set"
        return self.say(key, name=held, value=self.text(value))

    def _draw(self, effect: t.Draw | t.DrawMembers) -> str:
        match effect:
            case t.Draw(target, stack, where):
                key = "rule.draw" if target.name != UNNAMED else "rule.draw_one"
                said = self.say(key, name=self._remembered(target.name), stack=self.text(stack))
                if where is None:
                    return said
                return self.say("rule.where", what=said, condition=self.text(where))
            case t.DrawMembers(target, source, times):
                said = self.say(
                    "rule.draw", name=self._remembered(target.name), stack=self.text(source)
                )
                many = "" if times is None else self.text(times)
                return self.say("rule.draw_times", what=said, times=many) if many else said

    def _procedure(self, name: str) -> str:
        head = self.game.procedures[name].rule.head
        return head.label.get(self.language) or id_words(name)

    def _decision(self, effect: t.Choose) -> str:
        who, done = self._part(effect.by, _SUM), self._block(effect.body)
        if effect.variable == UNNAMED:
            sentence = self.say("rule.may", player=who, action=effect.label, done=done)
        else:
            key = "rule.may_choose" if effect.optional else "rule.choose"
            among = self._part(effect.source, _SUM)
            thing = self._local(effect.variable, effect.source.type.base)
            sentence = self.say(key, player=who, name=thing, set=among, done=done)
        return self._else(sentence, effect.otherwise)


def id_words(id_: str) -> str:
    """The words of an id, for what has no label or sentence."""
    return id_.replace("_", " ").replace(".", " ")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ambiguous(rule: AnyRule) -> frozenset[str]:
    """The locals of a rule that are not the only ones of their type."""
    names: dict[str, set[str]] = defaultdict(set)
    for each in expressions_of(rule):
        if isinstance(each, t.Local):
            names[each.type.base].add(each.name)
    return frozenset(name for found in names.values() if len(found) > 1 for name in found)
