"""The type checker of effects: builds typed bodies from syntax trees.

`typecheck` checks the expressions in them.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.language import builtins as p
from tilewright.language.builtins import (
    ATTRIBUTES,
    DISPLACING,
    PASS,
    PUTTING,
    SHUFFLE,
    SPOKEN_VERB,
    TAKE,
    VerbDecl,
)
from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.source.text import Span
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.old_words import modern
from tilewright.language.types import (
    IN_STACK,
    NUMBER,
    TRUTH,
    UNKNOWN,
    Type,
    fits,
    in_words,
    parse_type,
)
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.desugar import UNNAMED, plain, with_displaced
from tilewright.language.typing.hints import instead, of_each
from tilewright.language.typing.scope import Scope, facts, path_node
from tilewright.language.typing.typecheck import ExpressionChecker

_ATTRIBUTES = frozenset(attribute.name for attribute in ATTRIBUTES)

#: verbs that do the same with items and stacks of items as with pieces and their stacks
_STACKING = (TAKE, *PUTTING, SHUFFLE)


class EffectChecker:
    """Checks the body of one rule. Actions may be offered in it only if `at_step`."""

    def __init__(self, expressions: ExpressionChecker, at_step: bool) -> None:
        self.expressions = expressions
        self.reporter: Reporter = expressions.reporter
        self.env = expressions.env
        self.at_step = at_step

    def body(self, effects: tuple[n.Effect, ...], scope: Scope) -> t.Body:
        """The typed form of a block; errors go to the reporter."""
        scope = scope if scope.text else replace(scope, text=effects)
        found: list[t.Effect] = []
        ended: n.Effect | None = None
        for effect in effects:
            if ended is not None:
                message = "this is never reached: the effect before it always stops"
                self.reporter.warning("TW419", message, effect.span)
                break
            typed, scope = self._effect(effect, scope)
            found.append(typed)
            if isinstance(effect, n.EndGame) or (
                isinstance(effect, n.Stop) and effect.test is None
            ):
                ended = effect
        return tuple(found)

    def _effect(self, written: n.Effect, scope: Scope) -> tuple[t.Effect, Scope]:
        if isinstance(written, n.DrawInto) and written.target:
            self.expressions.reject_shadowing(written.target, written.span, scope)
        effect = plain(written)
        check, span = self.expressions, effect.span
        match effect:
            case n.Let(name, value):
                term = check.expression(value, scope)
                inner = check.bind(name, term.type, span, scope)
                return t.Let(name, term, span), inner
            case n.Assign():
                return self._assign(effect, scope)
            case n.Add() | n.Drop():
                return self._change_set(effect, scope)
            case n.If():
                return self._if(effect, scope)
            case n.For(variable, source, body):
                over = check.iterable(source, scope)
                inner = check.bind(variable, over.type.one, span, self._after(body, scope))
                block = self.body(body, inner)
                return t.For(variable, over, block, span), self._after(body, scope)
            case n.Repeat(count, body):
                times = check.wanted(count, scope, NUMBER, "the number of repetitions")
                block = self.body(body, self._after(body, scope))
                return t.Repeat(times, block, span), self._after(body, scope)
            case n.Stop(test):
                if test is None:
                    return t.Stop(None, span), scope
                condition = check.condition(test, scope)
                return t.Stop(condition, span), scope.knowing(facts(test, False))
            case n.Choose():
                return self._choose(effect, scope)
            case n.Draw():
                return self._draw(effect, scope)
            case n.Offer(by):
                who = check.wanted(by, scope, Type("player"), "the player of `offer actions`")
                if not self.at_step:
                    message = "only a rule with `on: step ...` can offer actions"
                    self.reporter.error("TW416", message, span)
                return t.Offer(who, span), self._after((effect,), scope)
            case n.ProcedureCall() | n.Announce():
                return self._named(effect, scope)
            case n.EndGame(_, at_once):
                return t.EndGame(at_once, span), scope
            case n.Verb():
                return self._verb(effect, scope)
        raise AssertionError(f"`{type(effect).__name__}` is not a plain effect")

    # -------------------------------------------------------------- changing names

    def _kept(self, name: str, span: Span, scope: Scope) -> t.Memory | None:
        """The memory of one thing that `t.depth` names, or None; a wrong thing is reported."""
        head, _, last = name.rpartition(".")
        if not head or last not in self.env.kept or name in self.env.memory:
            return None
        found = self.expressions.expression(path_node(name, span), scope)
        if isinstance(found, t.Memory) and found.owner is not None:
            return replace(found, type=self.env.kept[last].type)
        if found.type != UNKNOWN:
            return None
        return t.Memory(last, UNKNOWN, span, t.Literal(0, UNKNOWN, span))

    def _target(self, name: str, span: Span, scope: Scope) -> tuple[t.Target, Type] | None:
        local = scope.local(name)
        if local is not None:
            return t.Target("local", name), local
        if name in self.env.memory:
            return t.Target("memory", name), self.env.memory[name]
        if name == "active":
            return t.Target("memory", name), Type("player")
        if name in self.env.values:
            message = f"`{name}` is a value of the rules and does not change during a game"
            self.reporter.error("TW412", message, span, hint="declare it under `memory:` instead")
        else:
            known = [*self.env.memory, *(name for name, _ in scope.locals), "active"]
            head = name.rpartition(".")[0]
            known += [f"{head}.{kept}" for kept in self.env.kept if head]
            near = did_you_mean(name, known)
            hint = "" if near else "name it first with `let`, or declare it under `memory:`"
            if "." in name and name.rpartition(".")[2] in _ATTRIBUTES:
                near, hint = "", "attributes cannot be set; verbs change them"
                if name.endswith(".points"):
                    hint = "points are given: `award 1 to p`, and `award -1 to p` takes one away"
            message = f"`{name}` cannot be set{near}"
            self.reporter.error("TW412", message, span, hint=hint, unknown=name)
        return None

    def _place(
        self, name: str, span: Span, scope: Scope
    ) -> tuple[t.Target, Type, t.Expression | None]:
        """The target of a name, its type, and the thing that it is kept for."""
        kept = self._kept(name, span, scope)
        if kept is not None:
            return t.Target("memory", kept.id), kept.type, kept.owner
        found = self._target(name, span, scope)
        return (*found, None) if found else (t.Target("memory", name), UNKNOWN, None)

    def _assign(self, effect: n.Assign, scope: Scope) -> tuple[t.Effect, Scope]:
        name, value, span = effect.target, effect.value, effect.span
        target, want, owner = self._place(name, span, scope)
        term = self.expressions.wanted(value, scope, want, f"`{name}`")
        scope = self._after((effect,), scope)
        if want.optional and not term.type.optional:
            scope = scope.knowing(frozenset({path_node(name)}))
        return t.Assign(target, term, span, owner), scope

    def _change_set(self, effect: n.Add | n.Drop, scope: Scope) -> tuple[t.Effect, Scope]:
        op = "add" if isinstance(effect, n.Add) else "drop"
        name, value, span = effect.target, effect.value, effect.span
        target, type_, owner = self._place(name, span, scope)
        if op == "add" and type_ == NUMBER and target.name != "active":
            term = self.expressions.wanted(value, scope, NUMBER, "the operand of `add`")
            after = self._after((effect,), scope)
            return t.Assign(target, term, span, owner, adds=True), after
        if type_ != UNKNOWN and not type_.many:
            message = f"`{op}` needs a set, but `{name}` is {in_words(type_)}"
            hint = f"write `add -1 to {name}`" if type_ == NUMBER else ""
            self.reporter.error("TW411", message, span, hint=hint)
            type_ = UNKNOWN
        want = type_.one if type_ != UNKNOWN else UNKNOWN
        term = self.expressions.wanted(value, scope, want, f"the operand of `{op}`")
        change = t.Add if isinstance(effect, n.Add) else t.Drop
        return change(target, term, span), self._after((effect,), scope)

    # -------------------------------------------------------------- blocks

    def _if(self, effect: n.If, scope: Scope) -> tuple[t.Effect, Scope]:
        test = self.expressions.condition(effect.test, scope)
        then = self.body(effect.then, scope.knowing(facts(effect.test, True)))
        otherwise = self.body(effect.otherwise, scope.knowing(facts(effect.test, False)))
        if effect.then and _leaves(effect.then[-1]):
            after = self._after(effect.otherwise, scope.knowing(facts(effect.test, False)))
        elif effect.otherwise and _leaves(effect.otherwise[-1]):
            after = self._after(effect.then, scope.knowing(facts(effect.test, True)))
        else:
            after = self._after(effect.then + effect.otherwise, scope)
        return t.If(test, then, otherwise, effect.span), after

    def _choose(self, effect: n.Choose, scope: Scope) -> tuple[t.Effect, Scope]:
        check = self.expressions
        source = check.iterable(effect.source, scope)
        by = check.wanted(effect.by, scope, Type("player"), "the player after `by`")
        label = " ".join(effect.label.split())  # options are written with single spaces
        is_named = effect.variable != UNNAMED
        inner = scope
        if is_named:
            inner = check.bind(effect.variable, source.type.one, effect.span, scope)
        elif label in ("", PASS):
            message = f'`may "{label}"` reads like no choice: a player passes with `{PASS}`'
            hint = "write the name of what the player may do"
            self.reporter.error("TW617", message, effect.span.to(effect.by.span), hint=hint)
        # nothing changes before the choice, so facts still hold
        body = self.body(effect.body, inner)
        otherwise = self.body(effect.otherwise, scope)
        choice = t.Choose(
            effect.optional, effect.variable, source, by, label, body, otherwise, effect.span
        )
        return choice, self._after(effect.body + effect.otherwise, scope)

    def _draw(self, effect: n.Draw, scope: Scope) -> tuple[t.Effect, Scope]:
        """The typed form of `draw`. A set may be empty: its member is then nothing."""
        check, span = self.expressions, effect.span
        stacks, times = tuple(map(str, IN_STACK)), None
        stack = self._one_of(effect.stack, stacks, "the stack after `from`", scope, or_set=True)
        if effect.times is not None:
            times = check.wanted(effect.times, scope, NUMBER, "the number after `times`")
        is_set, each = stack.type.many, IN_STACK.get(stack.type, UNKNOWN)
        piece = each
        if is_set:
            each = stack.type.one
            is_certain = effect.where is None and has_members(stack)
            piece = stack.type if times is not None else each if is_certain else each.maybe
        elif times is not None and stack.type != UNKNOWN:
            message = "`times` draws several members of a set, and this is a stack"
            hint = "write `into` and the stack that the pieces go to, or `repeat`"
            self.reporter.error("TW405", message, effect.stack.span, hint=hint)
        known_target = scope.local(effect.target) is not None or effect.target in self.env.memory
        if known_target:
            found = self._target(effect.target, span, scope)
            assert found is not None
            if not fits(piece, found[1]):
                message = (
                    f"`{effect.target}` is {in_words(found[1])} and cannot hold {in_words(piece)}"
                )
                self.reporter.error("TW405", message, span)
            after = self._after((effect,), scope)
            if not piece.optional:
                after = after.knowing(frozenset({path_node(effect.target)}))
            target = found[0]
        else:
            after = self._after((effect,), check.bind(effect.target, piece, span, scope))
            target = t.Target("local", effect.target)
        where = None
        if effect.where is not None:
            # in the condition the name means each piece of the stack in turn
            inner = scope.with_local(effect.target, each)
            where = check.wanted(effect.where, inner, TRUTH, "the condition of `draw`")
        if not is_set:
            return t.Draw(target, stack, where, span), after
        if where is not None:
            those = effect.stack.span.to(where.span)
            stack = t.Quantifier("those", effect.target, stack, where, stack.type, those)
        return t.DrawMembers(target, stack, times, span), after

    def _named(self, effect: n.ProcedureCall | n.Announce, scope: Scope) -> tuple[t.Effect, Scope]:
        arguments, span = effect.arguments, effect.span
        if isinstance(effect, n.ProcedureCall):
            name, known, word, code = effect.procedure, self.env.procedures, "procedure", "TW303"
        else:
            name, known, word, code = effect.event, self.env.events, "event", "TW304"
        signature = known.get(name)
        if signature is None:
            message = f"unknown {word} `{name}`{did_you_mean(name, known)}"
            is_verb = isinstance(effect, n.ProcedureCall) and name in SPOKEN_VERB
            hint = f"`{name}` is a verb and needs no brackets" if is_verb else ""
            self.reporter.error(code, message, span, hint=hint, unknown=name)
            given = tuple(self.expressions.expression(a, scope) for a in arguments)
        else:
            given = self.expressions.arguments(arguments, signature, name, span, scope)
        named = t.ProcedureCall if isinstance(effect, n.ProcedureCall) else t.Announce
        return named(name, given, span), self._after((effect,), scope)

    # -------------------------------------------------------------- verbs

    def _verb(self, effect: n.Verb, scope: Scope) -> tuple[t.Effect, Scope]:
        span = effect.span
        verb = SPOKEN_VERB.get(effect.verb)
        if verb is None:
            self._unknown_verb(effect)
            return t.Stop(None, span), scope
        about, about_items = self._operand(effect, verb, scope)
        arguments: list[t.Expression] = []
        target: t.Target | None = None
        given: dict[str, n.Expression] = {}
        allowed = {word: types for word, types, _ in verb.parts}
        for word, node in effect.parts:
            if word in given:
                self.reporter.error("TW410", f"`{word}` is given twice", node.span)
            given[word] = node
            if word not in allowed:
                shape = _shape(verb)
                message = f"`{verb.spoken}` does not go with `{word}`"
                self.reporter.error("TW410", message, node.span, hint=f"it is written `{shape}`")
        prepositions = []
        for word, types, required in verb.parts:
            if word not in given:
                if required:
                    shape = _shape(verb)
                    message = f"`{verb.spoken}` needs `{word} ...`"
                    self.reporter.error("TW410", message, span, hint=f"it is written `{shape}`")
                continue
            node = given[word]
            if types[0].startswith("target: "):
                target = self._verb_target(node, types[0].removeprefix("target: "), scope)
                continue
            if about_items:
                types = tuple("item stack" if type_ == "stack" else type_ for type_ in types)
            arguments.append(self._one_of(node, types, f"the operand of `{word}`", scope))
            prepositions.append(word)
        done = t.Verb(verb, about, tuple(arguments), tuple(prepositions), target, span)
        takes_places = verb in DISPLACING
        return with_displaced(done) if takes_places else done, self._after((effect,), scope)

    def _operand(self, effect: n.Verb, verb: VerbDecl, scope: Scope) -> tuple[t.Expression, bool]:
        """The operand of a verb, and whether it is an item or a stack of items.

        The verbs for stacks and pieces of stacks do the same with items, apart from `lay`.
        """
        what = f"the operand of `{verb.spoken}`"
        if verb not in _STACKING:
            wanted = parse_type(verb.operand)
            assert wanted is not None
            return self.expressions.wanted(effect.operand, scope, wanted, what), False
        forms = (verb.operand, "item" if verb.operand == "piece" else "item stack")
        found = self._one_of(effect.operand, forms, what, scope)
        return found, found.type.base.startswith("item")

    def _unknown_verb(self, effect: n.Verb) -> None:
        verb, span = effect.verb, effect.span
        instead = modern(effect)
        if instead:
            message = f"`{verb}` is an old word"
            self.reporter.error("TW420", message, span, hint=f"write `{instead}`")
            return
        hint = ""
        if verb in self.env.procedures:
            hint = f"a procedure is called with its arguments: `{verb}(...)`"
        guess = did_you_mean(verb, [*SPOKEN_VERB, *self.env.procedures])
        if not guess and not hint:
            hint = f"the verbs are {', '.join(SPOKEN_VERB)}"
        message = f"unknown verb `{verb}`{guess}"
        self.reporter.error("TW420", message, span, hint=hint, unknown=verb)

    def _one_of(
        self,
        node: n.Expression,
        types: tuple[str, ...],
        what: str,
        scope: Scope,
        *,
        or_set: bool = False,
    ) -> t.Expression:
        term = self.expressions.expression(node, scope)
        wanted = [want for text in types if (want := parse_type(text)) is not None]
        # a constant that is a set of stacks is an owned stack, and lacks its owner
        is_set = or_set and term.type.many and not isinstance(term, t.Constant)
        if is_set or any(fits(term.type, want) for want in wanted):
            return term
        for want in wanted:
            if term.type.optional and fits(term.type.one, want):
                return self.expressions.wanted(node, scope, want, what)
        sets = ["a set"] if or_set and not term.type.many else []
        words = " or ".join([*map(in_words, wanted), *sets])
        self.reporter.error(
            "TW405",
            f"{what} must be {words}, but this is {in_words(term.type)}",
            node.span,
            hint=instead(term) or of_each(node, term.type, wanted[0]),
        )
        return replace(term, type=UNKNOWN)

    def _verb_target(self, node: n.Expression, text: str, scope: Scope) -> t.Target | None:
        name = n.dotted_name(node)
        if name is None:
            self.reporter.error("TW412", "a name to be set is expected here", node.span)
            return None
        found = self._target(name, node.span, scope)
        wanted = parse_type(text)
        assert wanted is not None
        if found is not None and not fits(wanted, found[1]):
            message = f"`{name}` is {in_words(found[1])} and cannot hold {in_words(wanted)}"
            self.reporter.error("TW405", message, node.span)
        return None if found is None else found[0]

    def _after(self, effects: tuple[n.Effect, ...], scope: Scope) -> Scope:
        """The scope after some effects."""
        return scope.after(effects, self.env)


def has_members(source: t.Expression) -> bool:
    """Whether a set has a member in every match, by its form alone."""
    match source:
        case t.Global(p.PLAYERS | p.DIRECTIONS | p.HEADINGS) | t.BuiltinCall(p.PLAYERS_FROM):
            return True
        case t.BuiltinCall(p.RANGE, (t.Literal(int(first)), t.Literal(int(last)))):
            return first <= last
        case t.SetOf(members):
            return bool(members)
    return False


def _leaves(effect: n.Effect) -> bool:
    return isinstance(effect, n.EndGame) or (isinstance(effect, n.Stop) and effect.test is None)


def _shape(verb: VerbDecl) -> str:
    words = []
    for word, types, required in verb.parts:
        text = f"{word} {types[0].removeprefix('target: ').upper()}"
        words.append(text if required else f"[{text}]")
    return verb.written(verb.operand.upper(), *words)
