"""A rule told in words, made from its typed terms: for rules that no statement tells.

The words are half formal: names of locals and definitions, attributes and calls stand as the author
wrote them, and kinds, marks and figures are called by their labels. Verbs of the effect language
are words already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from tilewright.language.typed_ast import Deed, Term
from tilewright.language.types import TRUTH
from tilewright.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule
from tilewright.model import ruleset as m
from tilewright.render.locale import LANGUAGES, Words

_OPERATORS = {"<=": "≤", ">=": "≥", "*": "×"}
_OPPOSITE = {"<": "≥", ">": "≤", "<=": ">", ">=": "<", "=": "is not", "!=": "is"}
#: how tightly a text binds: a looser part stands in brackets
_LOOSE, _OR, _AND, _TEST, _SUM, _PRODUCT, _WORD = range(7)
#: constants of these sorts are things of which there are many
_KINDS = ("feature kind", "figure kind", "role")
_MANY = ("symbol", "token", "trait")

Text = tuple[str, int]


def rule_words(game: Game, rule: LinkedAmendment | LinkedRule | LinkedAction) -> m.Labels:
    """A rule in every language of pages."""
    return m.Labels(tuple((lang, RuleSpeaker(game, lang).rule(rule)) for lang in LANGUAGES))


def phrase(key: str, *names: object) -> m.Labels:
    """A phrase of the table in every language, around names or around other phrases."""
    return m.Labels(
        tuple(
            (lang, Words(lang, "rules")(key, *(_in(name, lang) for name in names)))
            for lang in LANGUAGES
        )
    )


def _in(name: object, language: str) -> object:
    return name.get(language) if isinstance(name, m.Labels) else name


class RuleSpeaker:
    """Tells the rules of one game in one language."""

    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        self.language = language
        self.say = Words(language, "rules")

    # -------------------------------------------------------------- rules

    def rule(self, rule: LinkedAmendment | LinkedRule | LinkedAction) -> str:
        """Where a rule stands, under which condition, and what it does."""
        match rule:
            case LinkedAmendment():
                return self._amendment(rule)
            case LinkedAction():
                return self._action(rule)
            case LinkedRule():
                return self._placed(rule)

    def _amendment(self, rule: LinkedAmendment) -> str:
        law, value = self.game.definitions[rule.rule.definition].law, rule.value
        key = law.value
        if law in (m.Law.SUM, m.Law.ITEMS) and value.op == "negative":
            key, value = ("less" if law == m.Law.SUM else "items less"), value.args[0]
        said = self.say(key, self.text(value))
        if rule.when is not None:
            said = self.say("when", said, self.text(rule.when))
        if rule.rule.head.over:
            said = self.say("over", said, ", ".join(rule.rule.head.over))
        return f"{rule.rule.definition}({', '.join(rule.rule.parameters)}): {said}"

    def _placed(self, rule: LinkedRule) -> str:
        done = self._when(rule.when, self.deeds(rule.deeds))
        names = ", ".join(name for name, _ in rule.parameters)
        match rule.rule:
            case m.StepRule(_, step, _):
                return self.say("step", self._step(step), done)
            case m.Reaction(_, event, _, _):
                return self.say("event", f"{event}({names})", done)
            case m.Procedure(_, declaration, _, _):
                return f"{declaration.id}({names}): {done}"

    def _action(self, rule: LinkedAction) -> str:
        name = rule.rule.head.label.get(self.language) or rule.rule.name
        said = self.say("action", self._step(rule.rule.step), name)
        offers = [self.say("offer", variable, self.text(term)) for variable, term in rule.offer]
        said = " ".join([said, ", ".join(offers)]).strip()
        if rule.where is not None:
            said = self.say("where", said, self.text(rule.where))
        return self._when(rule.when, f"{said}: {self.deeds(rule.deeds)}")

    def _when(self, when: Term | None, done: str) -> str:
        return done if when is None else self.say("if", self.text(when), done)

    def _step(self, id_: str) -> str:
        found = next((s.declaration.label for s in self.game.steps if s.id == id_), m.NO_LABEL)
        return found.get(self.language) or id_

    # -------------------------------------------------------------- terms

    def text(self, term: Term) -> str:
        """A term in words."""
        return self._said(term)[0]

    def _part(self, term: Term, place: int) -> str:
        text, binding = self._said(term)
        return f"({text})" if binding < place else text

    def _each(self, terms: Iterable[Term]) -> str:
        return ", ".join(self.text(term) for term in terms)

    def _said(self, term: Term) -> Text:
        match term.op:
            case "literal" if term.data is None:
                return self.say("nothing"), _WORD
            case "literal" if isinstance(term.data, bool):
                return self.say("true" if term.data else "false"), _WORD
            case "constant":
                return self._called(*term.pair), _WORD
            case "value":
                return self._value(str(term.data)), _WORD
            case "global":
                key = f"g {term.data}"
                return (self.say(key) if key in self.say else str(term.data)), _WORD
            case "attribute":
                return self._attribute(term)
            case "declared":
                number = self._labels.get(str(term.data), m.NO_LABEL).get(self.language)
                owner = self._part(term.args[0], _WORD)
                return self.say("on", number or str(term.data), owner), _WORD
            case "answer" | "function":
                return f"{term.data}({self._each(term.args)})", _WORD
            case "set":
                return f"{{{self._each(term.args)}}}", _WORD
            case "pieces":
                return self._said(term.args[0])
            case "negative":
                return f"-{self._part(term.args[0], _WORD)}", _PRODUCT
            case "arithmetic":
                here = _SUM if term.data in ("+", "-") else _PRODUCT
                left, right = self._part(term.args[0], here), self._part(term.args[1], here + 1)
                sign = _OPERATORS.get(str(term.data), str(term.data))
                return f"{left} {sign} {right}", here
            case "of":
                left, right = self._part(term.args[0], _WORD), self._part(term.args[1], _WORD)
                return self.say("of", left, right), _PRODUCT
            case "conditional":
                test, then, otherwise = (self._part(part, _OR) for part in term.args)
                return self.say("choice", then, test, otherwise), _LOOSE
            case "quantifier":
                kind, variable = term.pair
                source, body = self._part(term.args[0], _SUM), self.text(term.args[1])
                return self.say(f"q {kind}", variable, source, body), _LOOSE
            case "and" | "or":
                place = _AND if term.op == "and" else _OR
                parts = [self._part(part, place + 1) for part in term.args]
                return self.say(term.op).join(parts), place
            case "compare" | "in" | "has" | "is_kind" | "is_nothing" | "is_empty":
                return self._test(term, False)
            case "not":
                return self._denied(term.args[0])
        return str(term.data), _WORD

    def _attribute(self, term: Term) -> Text:
        owner, name = self._part(term.args[0], _WORD), str(term.data)
        if term.type == TRUTH and self.language == "en":
            return f"{owner} is {name}", _TEST
        return f"{owner}.{name}" if owner.isidentifier() else self.say("of", name, owner), _WORD

    def _denied(self, term: Term) -> Text:
        match term.op:
            case "compare" | "in" | "has" | "is_kind" | "is_nothing" | "is_empty":
                return self._test(term, True)
            case "not":
                return self._said(term.args[0])
            case "attribute" if self.language == "en":
                return f"{self._part(term.args[0], _WORD)} is not {term.data}", _TEST
        return self.say("not", self.text(term)), _TEST

    def _test(self, term: Term, negated: bool) -> Text:
        left = self._part(term.args[0], _SUM)
        right = self._part(term.args[1], _SUM) if len(term.args) > 1 else ""
        match term.op:
            case "compare" if term.data in ("=", "!="):
                is_same = (term.data == "=") is not negated
                return self.say("is" if is_same else "is not", left, right), _TEST
            case "compare":
                sign = str(term.data)
                sign = _OPPOSITE[sign] if negated else _OPERATORS.get(sign, sign)
                return f"{left} {sign} {right}", _TEST
            case "in":
                return self.say("not in" if negated else "in", left, right), _TEST
            case "has":
                return self.say("has not" if negated else "has", left, self._one(term)), _TEST
            case "is_kind":
                return self.say("is not" if negated else "is", left, self._one(term)), _TEST
            case "is_nothing":
                return self.say("nothing is not" if negated else "nothing is", left), _TEST
        return self.say("not empty" if negated else "empty", left), _TEST

    def _one(self, term: Term) -> str:
        """The right side of a test, in English with its article."""
        right = term.args[1]
        text = self.text(right)
        if right.op != "constant" or self.language != "en" or right.pair[0] == "trait":
            return text
        return f"{'an' if text[:1].lower() in 'aeiou' else 'a'} {text}"

    # -------------------------------------------------------------- names

    @cached_property
    def _labels(self) -> Mapping[str, m.Labels]:
        game = self.game
        found = {a.id: a.label for kind in game.features for a in kind.attributes}
        for things in (game.stacks, game.tokens, game.symbols, game.roles, game.features):
            found |= {thing.id: thing.label for thing in things}
        return found | {figure.id: figure.label for figure in game.figures}

    def _called(self, category: str, id_: str) -> str:
        if category == "direction":
            return self.say(f"d {id_}")
        label = self._labels.get(id_, m.NO_LABEL).get(self.language)
        return label or id_.replace("_", " ")

    def _value(self, id_: str) -> str:
        value = self.game.values.get(id_)
        return f"{value.declaration.value} ({id_})" if value is not None else id_

    # -------------------------------------------------------------- deeds

    def deeds(self, deeds: Sequence[Deed]) -> str:
        """What is done, in order."""
        return self.say("then").join(self._deed(deed) for deed in deeds)

    def _block(self, deeds: Sequence[Deed]) -> str:
        text = self.deeds(deeds)
        return f"({text})" if len(deeds) > 1 else text

    def _deed(self, deed: Deed) -> str:
        terms = deed.terms
        match deed.op:
            case "let":
                return self.say("let", deed.data, self.text(terms[0]))
            case "set_local" | "set_memory":
                return self.say("set", deed.data, self.text(terms[0]))
            case "add" | "drop":
                return self.say(deed.op, self.text(terms[0]), deed.pair[1])
            case "if":
                yes, no = deed.blocks
                said = self.say("if", self.text(terms[0]), self._block(yes))
                return self.say("else", said, self._block(no)) if no else said
            case "for":
                body = self._block(deed.blocks[0])
                return self.say("for", deed.data, self._part(terms[0], _SUM), body)
            case "repeat":
                return self.say("repeat", self.text(terms[0]), self._block(deed.blocks[0]))
            case "stop":
                return self.say("stop if", self.text(terms[0])) if terms else self.say("stop")
            case "choose":
                return self._choose(deed)
            case "draw":
                said = self.say("draw", deed.pair[1], self.text(terms[0]))
                return self.say("where", said, self.text(terms[1])) if terms[1:] else said
            case "offer":
                return self.say("offer actions", self.text(terms[0]))
            case "perform" | "announce":
                return self.say(deed.op, f"{deed.data}({self._each(terms)})")
            case "end_game":
                return self.say("end at once" if deed.data else "end")
        verb, prepositions, target = deed.verb
        parts = [f"{verb} {self.text(terms[0])}", *self._with(prepositions, terms[1:])]
        return " ".join([*parts, *([f"→ {target[1]}"] if target is not None else [])])

    def _choose(self, deed: Deed) -> str:
        is_optional, variable, _ = deed.choice
        source, by = (self._part(term, _SUM) for term in deed.terms)
        body, otherwise = deed.blocks
        key = "may choose" if is_optional else "choose"
        said = self.say(key, by, variable, source, self._block(body))
        return self.say("else", said, self._block(otherwise)) if otherwise else said

    def _with(self, prepositions: Sequence[str], terms: Sequence[Term]) -> Iterator[str]:
        for word, term in zip(prepositions, terms, strict=False):
            yield f"{word} {self.text(term)}"
