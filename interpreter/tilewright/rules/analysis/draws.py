"""Finds draws from stacks that may be empty, and pieces that are put away twice.

The check walks through a body in the order of its text and keeps what its tests have shown of the
stacks: a number of pieces, or a piece that meets a condition. Each draw uses up one piece. A test
of the total of several stacks guards a draw from a definition that picks one of these stacks, if
each amendment tests its own stack, or that all others are empty, and one of them always applies
while only the default stack is empty. Other guards, such as one rule that fills a stack for another
rule, are not recognised.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import assert_never

from tilewright.language import builtins as p
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import NOWHERE, Span
from tilewright.language.types import IN_STACK
from tilewright.language.typing import typed_ast as t
from tilewright.rules.analysis.conditions import DENIED, FAR, FLIPPED, number_in
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule, bodies_of
from tilewright.rules.model.ruleset import Combine, Procedure

Stacks = frozenset[t.Key]
#: some stacks, and the condition that their counted pieces meet; () for any piece
What = tuple[Stacks, t.Key]
#: with more stacks that are counted together, no combination of empty ones is tried
MAX_STACKS_TOGETHER = 6
#: instead of a condition: the pieces are those of all these stacks together
TOTAL: t.Key = ("total",)
#: by local name: the pieces that its number counts, and the stacks with at least that number
Lets = Mapping[str, tuple[What | None, tuple[What, ...]]]

_NO_LETS: Lets = {}


class StackSizes:
    """Finds the facts about stacks in the terms of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        # cached by definition: definitions that call each other repeatedly would take too long
        self._stacks: dict[str, Stacks] = {}
        self._counted: dict[str, What | None] = {}
        self._shown: dict[str, list[tuple[What, int]]] = {}

    def range_of(self, number: t.Expression, lets: Lets) -> tuple[What | None, tuple[What, ...]]:
        """The facts about stacks in a number, for the local name that gets it."""
        return self.counted(number, lets), tuple(dict.fromkeys(self.within(number, lets)))

    def stacks(self, node: t.Expression) -> Stacks:
        """The possible stacks of an expression."""
        match node:
            case t.Value(id_):
                return self.stacks(self.game.values[id_].term)
            case t.Conditional(_, then, otherwise):
                return self.stacks(then) | self.stacks(otherwise)
            case t.DefinitionCall(id_, ()):
                return self._answered(id_)
        return frozenset({t.canonical_key(node)})

    def _answered(self, id_: str) -> Stacks:
        if id_ not in self._stacks:
            definition = self.game.definitions[id_]
            expressions = [definition.default, *(a.value for a in definition.amendments)]
            found = (self.stacks(each) for each in expressions if each is not None)
            self._stacks[id_] = frozenset[t.Key]().union(*found)
        return self._stacks[id_]

    def counted(self, number: t.Expression, lets: Lets) -> What | None:
        """The pieces that a number counts, if it counts only pieces of stacks."""
        match number:
            case t.Local(name) if name in lets:
                return lets[name][0]
            case t.BuiltinCall(p.COUNT, (of,)):
                return self._members(of)
            case t.Quantifier("count", variable, t.PiecesIn(stack), body):
                return self.stacks(stack), asked_of_each(body, variable)
            case t.Arithmetic("+", left, right):
                return _added((self.counted(left, lets), self.counted(right, lets)))
            case t.DefinitionCall(id_, ()):
                definition = self.game.definitions[id_]
                if definition.combine == Combine.SUM and definition.amendments:
                    if id_ not in self._counted:
                        values = (a.value for a in definition.amendments)
                        self._counted[id_] = _added(self.counted(v, _NO_LETS) for v in values)
                    return self._counted[id_]
        return None

    def _members(self, source: t.Expression) -> What | None:
        """The pieces of a set or a stack."""
        if source.type in IN_STACK:
            return self.stacks(source), ()
        match source:
            case t.PiecesIn(stack):
                return self.stacks(stack), ()
            case t.Quantifier("those", variable, t.PiecesIn(stack), body):
                return self.stacks(stack), asked_of_each(body, variable)
        return None

    def of_members(self, source: t.Expression) -> list[tuple[What, int]]:
        """The facts that follow when a set has a member."""
        found = self._members(source)
        return [] if found is None else [(found, 1)]

    def within(self, times: t.Expression, lets: Lets) -> list[What]:
        """The stacks that provably have one piece for each of `times` repetitions."""
        counted = self.counted(times, lets)
        if counted is not None and not isinstance(times, t.Arithmetic):
            return [counted]
        match times:
            case t.Local(name) if name in lets:
                return list(lets[name][1])
            case t.Arithmetic("-" | "div", left):
                return self.within(left, lets)
            case t.Arithmetic("+", left, right) | t.BuiltinCall(p.MIN, (left, right)):
                return [*self.within(left, lets), *self.within(right, lets)]
        return []

    def shown(self, test: t.Expression, holds: bool, lets: Lets) -> list[tuple[What, int]]:
        """The pieces that are certainly there when a test holds or (`holds` false) fails."""
        match test:
            case t.Not(value):
                return self.shown(value, not holds, lets)
            case t.And(parts) | t.Or(parts):
                if isinstance(test, t.And) is holds:
                    return [each for part in parts for each in self.shown(part, holds, lets)]
            case t.IsEmpty(source) | t.IsNothing(source) if not holds:
                if isinstance(source, t.BuiltinCall) and source.function in (p.FIRST, p.FIRST_OF):
                    source = source.arguments[0]
                return self.of_members(source)
            case t.Quantifier("any", variable, t.PiecesIn(stack), body) if holds:
                return [((self.stacks(stack), asked_of_each(body, variable)), 1)]
            case t.Comparison():
                return self._compared(test, holds, lets)
            case t.DefinitionCall(id_, ()) if holds:
                if id_ not in self._shown:
                    definition = self.game.definitions[id_]
                    amendments = definition.amendments if definition.combine == Combine.ALL else ()
                    values = [a.value for a in amendments if a.when is None]
                    found = (each for v in values for each in self.shown(v, True, _NO_LETS))
                    self._shown[id_] = list(dict.fromkeys(found))
                return self._shown[id_]
        return []

    def decided(self, test: t.Expression, filled: Stacks, empty: Stacks) -> bool | None:
        """Whether a test holds while some stacks have pieces and others none; None if unknown."""
        match test:
            case t.Not(value):
                found = self.decided(value, filled, empty)
                return None if found is None else not found
            case t.And(parts) | t.Or(parts):
                answers = {self.decided(part, filled, empty) for part in parts}
                strong = isinstance(test, t.Or)
                return strong if strong in answers else None if None in answers else not strong
        for holds in (True, False):
            match test:
                case t.Comparison(sign) if (sign if holds else DENIED[sign]) == "=":
                    continue
            match self.shown(test, holds, _NO_LETS):
                case [((stacks, ()), 1)] if len(stacks) == 1 and stacks <= filled | empty:
                    return (stacks <= filled) is holds
        return None

    def emptied(self, test: t.Expression) -> Stacks:
        """The stacks that are certainly empty when a test holds."""
        match test:
            case t.And(parts):
                return frozenset[t.Key]().union(*map(self.emptied, parts))
            case t.IsEmpty(source) if source.type in IN_STACK:
                return self.stacks(source)
        return frozenset()

    def _compared(self, test: t.Comparison, holds: bool, lets: Lets) -> list[tuple[What, int]]:
        one, other, sign = test.left, test.right, test.operator
        number = number_in(other)
        if number is None:
            one, number, sign = other, number_in(one), FLIPPED[sign]
        if number is None:
            return []
        sign = sign if holds else DENIED[sign]
        what = self.counted(one, lets)
        least = {">": number + 1, ">=": number, "=": number}.get(sign, 0)
        if sign == "!=" and number == 0:
            least = 1
        return [(what, least)] if what is not None and least > 0 else []


def _added(parts: Iterable[What | None]) -> What | None:
    stacks: set[t.Key] = set()
    added = list(parts)
    for part in added:
        if part is None or part[1] not in ((), TOTAL):
            return None
        stacks |= part[0]
    return frozenset(stacks), TOTAL if len(stacks) > 1 else ()


def asked_of_each(condition: t.Expression, name: str) -> t.Key:
    """The key of a condition on each piece of a stack, independent of the variable's name."""
    return t.canonical_key(condition, {name: -1})


#: the number of pieces that are certainly there
_Guards = Mapping[What, int]


@dataclass(frozen=True, slots=True)
class PossibleFault:
    """A draw that may find no piece, or a piece that is put away although it is not loose.

    `name` is the name of the stack, if it has one, or of the piece; `wants` is true when the draw
    has a condition on the piece. `total` has the stacks that certainly have a piece together.
    """

    rule: LinkedRule | LinkedAction
    span: Span
    is_draw: bool
    name: str
    wants: bool = False
    stack: t.Expression | None = None  # from which a draw takes
    total: Stacks = frozenset()


@dataclass(frozen=True, slots=True)
class _State:
    """The facts known at one place of a body."""

    guards: _Guards
    lets: Lets
    away: frozenset[str]  # names whose pieces have been laid or put away

    def with_guards(self, more: Iterable[tuple[What, int]]) -> _State:
        """The state with more lower bounds on the sizes of stacks."""
        guards = dict(self.guards)
        for what, least in more:
            guards[what] = max(least, guards.get(what, 0))
        return replace(self, guards=guards)

    def without(self, stacks: Stacks | None, by: int | None = None) -> _State:
        """The state after `by` pieces (None: all) left these stacks (None: any stack)."""
        guards = {}
        for what, least in self.guards.items():
            if stacks is not None and what[0].isdisjoint(stacks):
                guards[what] = least
            elif by is not None and least > by:
                guards[what] = least - by
        return replace(self, guards=guards)

    def set_anew(self, name: str) -> _State:
        """The state after a local name gets another value."""
        lets = {other: term for other, term in self.lets.items() if other != name}
        guards = {w: n for w, n in self.guards.items() if not _speaks_of(w, name)}
        return _State(guards, lets, self.away - {name})

    def both(self, other: _State) -> _State:
        """The facts that hold on both of two branches."""
        guards = {w: min(n, other.guards[w]) for w, n in self.guards.items() if w in other.guards}
        lets = {k: v for k, v in self.lets.items() if other.lets.get(k) == v}
        return _State(guards, lets, self.away & other.away)


_UNKNOWN = _State({}, {}, frozenset())


def _speaks_of(what: What, name: str) -> bool:
    return any(_mentions(key, ("Local", "Memory"), name) for key in (*what[0], what[1]))


def _mentions(key: t.Key, kinds: Collection[str], name: str = "") -> bool:
    """Whether a key contains a node of these kinds, and with this name if one is given."""
    if key and key[0] in kinds and name in ("", key[1]):
        return True
    return any(isinstance(part, tuple) and _mentions(part, kinds, name) for part in key)


def loose_ends(game: Game) -> tuple[PossibleFault, ...]:
    """The draws of a game that may find no piece, and the pieces that are put away twice."""
    walk = _Walk(game)
    for _ in range(2):  # the second pass knows the state in which procedures are called
        walk.found.clear()
        calls, walk.calls = walk.calls, {}
        for rule in walk.bodies:
            walk.rule(rule, calls)
    return tuple(walk.found)


def amendments_behind(
    fault: PossibleFault, game: Game
) -> Iterator[tuple[LinkedAmendment, t.Expression | None]]:
    """The amendments that give the stack of a draw without a test of it, each with None.

    An amendment that leaves the draw to an empty default stack has that stack beside it.
    """
    if fault.stack is not None:
        stocks = StackSizes(game)
        untested = [*_untested(fault.stack, stocks, game, fault.total)]
        yield from ((each, None) for each in untested)
        for each, default in _leaving(fault.stack, stocks, game, fault.total):
            if each not in untested:
                yield each, default


def _leaving(
    stack: t.Expression, stocks: StackSizes, game: Game, total: Stacks
) -> Iterator[tuple[LinkedAmendment, t.Expression]]:
    """The amendments that do not always give their filled stack while the default one is empty."""
    for node in t.walk(stack):
        if not isinstance(node, t.DefinitionCall):
            continue
        definition = game.definitions[node.definition]
        default = definition.default
        first = frozenset[t.Key]() if default is None else stocks.stacks(default)
        others = [*(total - first)]
        if default is None or len(first) != 1 or not 0 < len(others) <= MAX_STACKS_TOGETHER:
            continue
        found: dict[str, LinkedAmendment] = {}
        for chosen in product((False, True), repeat=len(others)):
            filled = frozenset(
                key for key, is_filled in zip(others, chosen, strict=True) if is_filled
            )
            applies = [
                each.when is None or stocks.decided(each.when, filled, total - filled)
                for each in definition.amendments
            ]
            if filled and True not in applies:
                for each in definition.amendments:
                    if stocks.stacks(each.value) <= filled:
                        found[each.rule.head.id] = each
        yield from ((each, default) for each in found.values())


def _untested(
    stack: t.Expression, stocks: StackSizes, game: Game, total: Stacks = frozenset()
) -> Iterator[LinkedAmendment]:
    """The amendments that give a stack without a test that it has a piece.

    Where stacks have a piece in `total`, a test that all others of them are empty is one.
    """
    for node in t.walk(stack):
        if isinstance(node, t.DefinitionCall):
            for amendment in game.definitions[node.definition].amendments:
                stacks, when = stocks.stacks(amendment.value), amendment.when
                shown = [] if when is None else stocks.shown(when, True, {})
                rest = total - (stocks.emptied(when) if total and when is not None else frozenset())
                if rest != stacks and not any(
                    held == stacks and least > 0 for (held, _), least in shown
                ):
                    yield amendment


def amends_a_stack(game: Game, files: Collection[str]) -> bool:
    """Whether a rule in these files amends a definition that gives a stack."""
    return any(
        amendment.rule.head.span.file in files
        for definition in game.definitions.values()
        if definition.type in IN_STACK
        for amendment in definition.amendments
    )


@kept_by_identity
def files_with_draws(rule: LinkedRule | LinkedAction) -> frozenset[str]:
    """The files of the effects of a rule that `loose_ends` may report."""
    return frozenset(
        effect.span.file
        for effect in t.walk_effects(rule.effects)
        if isinstance(effect, t.Draw)
        or (isinstance(effect, t.Verb) and effect.verb in (*p.PUTTING, p.LAY))
    )


class _Walk:
    """Walks through the rules of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.stocks = StackSizes(game)
        self.bodies = bodies_of(game.steps, game.events.values(), game.procedures.values())
        self.found: list[PossibleFault] = []
        self.calls: dict[str, _Guards] = {}
        self._steps = {rule.id: step for step in game.steps for rule in step.rules}
        self._steps |= {action.id: step for step in game.steps for action in step.actions}
        self._at_first: dict[str, int] = {}
        tiles = next((stack.id for stack in game.stacks if stack.holds == "tiles"), "")
        for piece in game.stacked:
            stack = piece.stack or tiles
            self._at_first[stack] = self._at_first.get(stack, 0) + piece.count
        self._whole = self._always_whole()
        self._gone: dict[str, Stacks | None] = {}
        self._setup_takes = self._taken_at_setup()
        self._total = {
            stack: sum(takes[stack] for takes in self._setup_takes.values())
            for stack in self._at_first
        }

    def _always_whole(self) -> Stacks:
        """The stacks to which every drawn piece returns at once."""
        found = {self._key_of(id_) for id_, count in self._at_first.items() if count > 0}
        for rule in self.bodies:
            found -= self._lost(rule.effects)
        return frozenset(found)

    def _key_of(self, stack: str) -> t.Key:
        constant = self.game.environment.constants[stack]
        return t.canonical_key(t.Constant("stack", stack, constant.type, NOWHERE))

    def _lost(self, body: t.Body) -> Stacks:
        """The stacks from which a body takes pieces without putting them back at once."""
        found: Stacks = frozenset()
        for number, effect in enumerate(body):
            for block in t.blocks(effect):
                found |= self._lost(block)
            if not isinstance(effect, t.Draw) or not self._is_put_back(effect, body[number + 1 :]):
                found |= self._taken_by(effect)
        return found

    def _taken_by(self, effect: t.Effect) -> Stacks:
        """The stacks from which an effect takes pieces by itself."""
        stack = _taken_from(effect)
        return frozenset() if stack is None else self.stocks.stacks(stack)

    def _is_put_back(self, draw: t.Draw, then: t.Body) -> bool:
        stacks = self.stocks.stacks(draw.stack)
        for effect in then:
            match effect:
                case t.Verb(p.PUT | p.STACK, t.Local(name) | t.Memory(name), (target,)) if (
                    len(stacks) == 1
                    and name == draw.target.name
                    and self.stocks.stacks(target) == stacks
                ):
                    return True
                case t.Let():
                    continue
                case t.Verb() if not self._rules_set_off(effect):
                    continue
            return False
        return False

    def rule(self, rule: LinkedRule | LinkedAction, calls: Mapping[str, _Guards]) -> None:
        """Check the draws of a rule."""
        state = _UNKNOWN
        step = self._steps.get(rule.id)
        if step is not None and step.declaration.phase == "setup":
            state = state.with_guards(self._in_the_box(rule))
        if isinstance(rule, LinkedRule) and _called_as(rule) in calls:
            state = replace(state, guards=calls[_called_as(rule)])
        if rule.when is not None:
            state = state.with_guards(self.stocks.shown(rule.when, True, state.lets))
        if isinstance(rule, LinkedAction):
            for _, source in rule.offer:
                state = state.with_guards(self.stocks.of_members(source))
            if rule.where is not None:
                state = state.with_guards(self.stocks.shown(rule.where, True, state.lets))
        self._rule = rule
        self.body(rule.effects, state)

    def _taken_at_setup(self) -> dict[str, dict[str, int]]:
        """By setup rule and by stack: the largest number of pieces it takes."""
        found: dict[str, dict[str, int]] = {}
        for rule in self.bodies:
            step = self._steps.get(rule.id)
            if step is not None and step.declaration.phase == "setup":
                shapes = {stack: self._key_of(stack) for stack in self._at_first}
                found[rule.id] = {
                    s: _times_removed(rule.effects, shape) for s, shape in shapes.items()
                }
        return found

    def _in_the_box(self, rule: LinkedRule | LinkedAction) -> list[tuple[What, int]]:
        """The pieces certainly left for a setup rule, after all other setup rules took theirs."""
        found: list[tuple[What, int]] = []
        for stack, count in self._at_first.items():
            total = self._total.get(stack, 0) - self._setup_takes[rule.id][stack]
            if count > total:
                found.append(((frozenset({self._key_of(stack)}), ()), count - total))
        return found

    # -------------------------------------------------------------- effects

    def body(self, body: t.Body, state: _State) -> _State | None:
        """The state after a block; None when the block always stops."""
        for effect in body:
            after = self.effect(effect, state)
            if after is None:
                return None
            state = after
        return state

    def effect(self, effect: t.Effect, state: _State) -> _State | None:
        """The state after an effect; None when it always leaves."""
        match effect:
            case t.Let(name, value):
                range_ = self.stocks.range_of(value, state.lets)
                return replace(state.set_anew(name), lets={**state.lets, name: range_})
            case t.Assign(target) | t.Add(target) | t.Drop(target):
                return state.set_anew(target.name)
            case t.If(test, then, otherwise):
                yes = state.with_guards(self.stocks.shown(test, True, state.lets))
                no = state.with_guards(self.stocks.shown(test, False, state.lets))
                return _joined(self.body(then, yes), self.body(otherwise, no))
            case t.Stop(test) if test is not None:
                return state.with_guards(self.stocks.shown(test, False, state.lets))
            case t.Stop() | t.EndGame():
                return None
            case t.Repeat(_, body) if _is_once(effect):
                return self.body(body, state)
            case t.For() | t.Repeat():
                return self._loop(effect, state)
            case t.Choose(_, name, source, _, _, body, otherwise):
                chosen = state.set_anew(name).with_guards(self.stocks.of_members(source))
                return _joined(self.body(body, chosen), self.body(otherwise, state))
            case t.Draw():
                return self._draw(effect, state)
            case t.DrawMembers(target):
                return state.set_anew(target.name)
            case t.ProcedureCall(procedure):
                self._called(procedure, state)
                return self._others(state, self._set_off(effect))
            case t.Announce() | t.Offer():
                return self._others(state, self._set_off(effect))
            case t.Verb():
                return self._verb(effect, state)
            case _:
                assert_never(effect)

    def _loop(self, loop: t.For | t.Repeat, state: _State) -> _State:
        before = self._others(state, [self._removed(loop.body)])
        for inner in t.walk_effects(loop.body):
            if isinstance(inner, t.Assign):
                before = before.set_anew(inner.target.name)
        if isinstance(loop, t.Repeat):
            entered = before.with_guards(
                (what, 1) for what in self.stocks.within(loop.count, state.lets)
            )
        else:
            name, source = loop.variable, loop.source
            entered = before.set_anew(name).with_guards(self.stocks.of_members(source))
            if isinstance(source, t.PiecesIn):
                entered = replace(entered, away=entered.away | {name})
        self.body(loop.body, entered)
        return replace(before, away=state.away & before.away)

    def _draw(self, draw: t.Draw, state: _State) -> _State:
        name, stack, where = draw.target.name, draw.stack, draw.where
        wanted = () if where is None else asked_of_each(where, name)
        stacks = self.stocks.stacks(stack)
        guarded = any(
            least > 0
            and held == stacks
            and (not wanted or condition == wanted)
            # of several stacks together the one that is drawn from may be empty
            and (condition != TOTAL or not self._may_be_empty(stack, stacks))
            for (held, condition), least in state.guards.items()
        )
        if not guarded and (wanted or not stacks <= self._whole):
            id_ = stack.id if isinstance(stack, t.Constant) else ""
            wants = where is not None
            total = stacks if state.guards.get((stacks, TOTAL)) else frozenset()
            self.found.append(PossibleFault(self._rule, draw.span, True, id_, wants, stack, total))
        return state.without(stacks, 1).set_anew(name)

    def _may_be_empty(self, stack: t.Expression, total: Stacks) -> bool:
        """Whether a stack that amendments give may be empty while one in `total` has a piece."""
        return any(_untested(stack, self.stocks, self.game, total)) or any(
            _leaving(stack, self.stocks, self.game, total)
        )

    def _verb(self, effect: t.Verb, state: _State) -> _State:
        verb, operand = effect.verb, effect.operand
        name = ""
        match operand:
            case t.Local(name) | t.Memory(name, owner=None):
                pass
        if verb in (*p.PUTTING, p.LAY):
            if name and name in state.away:
                self.found.append(PossibleFault(self._rule, effect.span, False, name))
            if name:
                state = replace(state, away=state.away | {name})
        if verb in p.PUTTING:
            here: What = (self.stocks.stacks(effect.arguments[0]), ())
            if len(here[0]) == 1:
                state = state.with_guards([(here, state.guards.get(here, 0) + 1)])
        if verb == p.TAKE:
            state = replace(state.without(self._taken_by(effect), 1), away=state.away - {name})
        if verb == p.SHUFFLE:
            state = state.without(self._taken_by(effect))
        if verb == p.EXCHANGE:  # either may have had nothing
            state = state.without(None)
        if verb.announces:
            state = self._others(state, self._set_off(effect))
        return state if effect.target is None else state.set_anew(effect.target.name)

    # -------------------------------------------------------------- other rules

    def _others(self, state: _State, removed: Iterable[Stacks | None]) -> _State:
        """The state after an effect whose reactions may have taken pieces."""
        memories = self.game.environment.memory
        for stacks in removed:
            if stacks is None or stacks:
                state = state.without(stacks)
                state = replace(state, away=frozenset(n for n in state.away if n not in memories))
        return state

    def _called(self, procedure: str, state: _State) -> None:
        known = self.calls.get(procedure)
        if known is None:
            self.calls[procedure] = state.guards
        else:
            self.calls[procedure] = replace(_UNKNOWN, guards=known).both(state).guards

    def _set_off(self, effect: t.Effect) -> list[Stacks | None]:
        """For each rule that an effect may set off: the stacks it takes pieces from; None: any."""
        if isinstance(effect, t.Offer):
            return [None]
        return [self._gone_by(rule) for rule in self._rules_set_off(effect)]

    def _rules_set_off(self, effect: t.Effect) -> Sequence[LinkedRule]:
        game = self.game
        match effect:
            case t.ProcedureCall(procedure) if procedure in game.procedures:
                return (game.procedures[procedure],)
            case t.Announce(event) | t.Verb(p.VerbDecl(announces=event)) if event in game.events:
                return game.events[event].reactions
        return ()

    def _gone_by(self, rule: LinkedRule) -> Stacks | None:
        """The stacks that a rule may take pieces from; computed once and cached."""
        if rule.id not in self._gone:
            self._gone[rule.id] = self._removed(rule.effects)
        return self._gone[rule.id]

    def _removed(self, body: t.Body) -> Stacks | None:
        """The stacks that a body and everything it sets off may take pieces from; None for any."""
        found: Stacks = frozenset()
        others: list[LinkedRule] = []
        for effect in t.walk_effects(body):
            match effect:
                case t.Offer() | t.Verb(p.EXCHANGE):
                    return None
            found |= self._taken_by(effect)
            others += self._rules_set_off(effect)
        for other in others:
            more = self._gone_by(other)
            if more is None or any(_mentions(key, ("Local",)) for key in more):
                return None
            found |= more
        return found


def _joined(*ways: _State | None) -> _State | None:
    there = [way for way in ways if way is not None]
    if not there:
        return None
    return there[0] if len(there) == 1 else there[0].both(there[1])


def _called_as(rule: LinkedRule) -> str:
    return rule.rule.declaration.id if isinstance(rule.rule, Procedure) else ""


def _is_once(effect: t.Effect) -> bool:
    """Whether an effect is a `repeat 1` that runs through, as `draw from a into b` stands for."""
    match effect:
        case t.Repeat(t.Literal(1), body):
            return not any(isinstance(inner, t.Stop) for inner in t.walk_effects(body))
    return False


def _taken_from(effect: t.Effect) -> t.Expression | None:
    """The stack from which an effect takes pieces by itself."""
    match effect:
        case t.Draw(_, stack) | t.Verb(p.TAKE, _, (stack,)) | t.Verb(p.SHUFFLE, stack):
            return stack
    return None


def _times_removed(body: t.Body, stack: t.Key) -> int:
    """The largest number of pieces that a body takes from a stack."""
    found = 0
    for effect in body:
        inner = sum(_times_removed(block, stack) for block in t.blocks(effect))
        if isinstance(effect, t.For | t.Repeat) and inner and not _is_once(effect):
            return FAR
        found += inner
        taken = _taken_from(effect)
        if taken is not None and t.canonical_key(taken) == stack:
            if isinstance(effect, t.Verb) and effect.verb == p.SHUFFLE:
                return FAR
            found += 1
    return found
