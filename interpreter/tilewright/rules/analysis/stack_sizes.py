"""The facts that tests and counts show about stacks: the number and kind of their pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tilewright.language import builtins as p
from tilewright.language.types import IN_STACK
from tilewright.language.typing import typed_ast as t
from tilewright.rules.analysis.conditions import DENIED, FLIPPED, number_in
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Combine

Stacks = frozenset[t.Key]
#: some stacks, and the condition that their counted pieces meet; () for any piece
What = tuple[Stacks, t.Key]
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
