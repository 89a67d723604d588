"""Finds amendments that never change the combined value, from the ranges of their numbers.

Each number has a range: values are known, printed and counted numbers are not negative, and a
parameter has the range of the arguments of all calls. Two amendments are compared as sums of the
same parts. An amendment is reported only when the ranges prove it; every other one may matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tilewright.language import builtins as p
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.types import NUMBER
from tilewright.language.typing import typed_ast as t
from tilewright.rules.analysis.conditions import FAR
from tilewright.rules.linking.game import (
    Game,
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedRule,
    bodies_of,
)
from tilewright.rules.linking.walk import definition_expressions, expressions_of
from tilewright.rules.model.ruleset import Combine

_Range = tuple[int, int]
_Sum = dict[t.Key, tuple[int, _Range]]
_ANY: _Range = (-FAR, FAR)
#: attributes that are numbers, and the least value of each
_MIN = {"size": 1, "open_ends": 0, "surrounding": 0}
#: nested definition calls deeper than this are not followed
_MAX_DEEP = 12
#: a definition with more amendments than this is not checked in pairs
_MAX_ANSWERS = 200
#: the most comparisons of branches of `max`, `min` and `if` in two amendments
_MAX_LOOKS = 200
_IDEMPOTENT = (Combine.ALL, Combine.ANY, Combine.MIN, Combine.MAX, Combine.UNION)


@kept_by_identity
def _calls_in(rule: LinkedRule | LinkedAction) -> tuple[t.DefinitionCall, ...]:
    return tuple(each for each in expressions_of(rule) if isinstance(each, t.DefinitionCall))


@kept_by_identity
def _calls_of(definition: LinkedDefinition) -> tuple[t.DefinitionCall, ...]:
    expressions = definition_expressions(definition)
    return tuple(each for each in expressions if isinstance(each, t.DefinitionCall))


class Ranges:
    """Computes the ranges of the number terms of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[tuple[str, tuple[_Range, ...]], _Range] = {}
        self._given: dict[str, list[_Range]] | None = None
        self._depth = 0

    # -------------------------------------------------------------- one number

    def of(self, number: t.Expression, given: Mapping[str, _Range]) -> _Range:
        """The range of a number, with these ranges of local names."""
        if number.type != NUMBER:
            return _ANY
        match number:
            case t.Literal(value):
                return (value, value) if isinstance(value, int) else _ANY
            case t.Value(id_):
                return self.of(self.game.values[id_].term, {})
            case t.Local(name):
                return given.get(name, _ANY)
            case t.Negative(value):
                low, high = self.of(value, given)
                return (-high, -low)
            case t.Arithmetic(operator, left, right):
                return _reckoned(operator, self.of(left, given), self.of(right, given))
            case t.Conditional(_, then, otherwise):
                return _hull(self.of(then, given), self.of(otherwise, given))
            case t.Attribute(_, attribute) if attribute.name in _MIN:
                return (_MIN[attribute.name], FAR)
            case t.Printed() | t.BuiltinCall(p.COUNT | p.HOLDS) | t.Quantifier("count"):
                return (0, FAR)
            case t.BuiltinCall(p.MAX | p.MIN as function, arguments):
                (low, high), (other_low, other_high) = (self.of(arg, given) for arg in arguments)
                better = max if function == p.MAX else min
                return (better(low, other_low), better(high, other_high))
            case t.Quantifier("sum", _, _, body):
                low, high = self.of(body, given)
                return (0 if low >= 0 else -FAR, 0 if high <= 0 else FAR)
            case t.DefinitionCall(id_, arguments):
                return self._called(id_, tuple(self.of(arg, given) for arg in arguments))
        return _ANY

    def _called(self, id_: str, arguments: tuple[_Range, ...]) -> _Range:
        key = (id_, arguments)
        if key not in self._known:
            if self._depth >= _MAX_DEEP:
                return _ANY
            self._depth += 1
            self._known[key] = self._joined(self.game.definitions[id_], arguments)
            self._depth -= 1
        return self._known[key]

    def _joined(self, definition: LinkedDefinition, arguments: tuple[_Range, ...]) -> _Range:
        amendments = [
            (a.when is None, self.of(a.value, dict(zip(a.parameters, arguments, strict=True))))
            for a in definition.amendments
        ]
        names = (name for name, _ in definition.parameters)
        default: _Range = (0, 0)
        if definition.default is not None:
            default = self.of(definition.default, dict(zip(names, arguments, strict=True)))
        if definition.combine in (Combine.SUM, Combine.ITEMS):
            total: _Range = (0, 0)
            for always, found in amendments:
                total = _reckoned("+", total, found if always else _hull(found, (0, 0)))
            return total
        if definition.combine == Combine.CHAIN:
            return _ANY if amendments else arguments[-1]
        every = [found for _, found in amendments]
        if definition.combine not in (Combine.MIN, Combine.MAX) or not any(
            always for always, _ in amendments
        ):
            every.append(default)
        found = every[0]
        for each in every[1:]:
            found = _hull(found, each)
        return found

    # -------------------------------------------------------------- parameters

    def parameters(self, amendment: LinkedAmendment, definition: LinkedDefinition) -> list[_Range]:
        """The ranges of the parameters of a definition over all its calls."""
        if self._given is None:
            self._given = self._argument_ranges()
            for each in self.game.definitions.values():
                if each.combine == Combine.CHAIN and each.id in self._given:
                    self._given[each.id][-1] = _ANY  # another amendment may have changed it
        return self._given.get(definition.id, [_ANY] * len(amendment.parameters))

    def _argument_ranges(self) -> dict[str, list[_Range]]:
        found: dict[str, list[_Range]] = {}
        game = self.game
        calls = [each for definition in game.definitions.values() for each in _calls_of(definition)]
        bodies = bodies_of(game.steps, game.events.values(), game.procedures.values())
        for call in (*calls, *(each for rule in bodies for each in _calls_in(rule))):
            arguments = [self.of(arg, {}) for arg in call.arguments]
            before = found.get(call.definition, arguments)
            found[call.definition] = [
                _hull(one, other) for one, other in zip(before, arguments, strict=True)
            ]
        return found

    # -------------------------------------------------------------- two amendments

    def is_idle(self, amendment: LinkedAmendment, definition: LinkedDefinition) -> bool:
        """Whether an amendment never changes the value of a definition in this game."""
        combine = definition.combine
        given = self.parameters(amendment, definition)
        own = _AmendmentRanges(self, amendment, given)
        if combine in (Combine.SUM, Combine.ITEMS):
            return own.low(amendment.value) == (0, 0)
        if combine not in _IDEMPOTENT or len(definition.amendments) > _MAX_ANSWERS:
            return False
        number = definition.amendments.index(amendment)
        for place, other in enumerate(definition.amendments):
            if place == number:
                continue
            theirs = _AmendmentRanges(self, other, given)
            when = _key(amendment, amendment.when)
            holds_too = other.when is None or _key(other, other.when) == when
            same = _key(other, other.value) == _key(amendment, amendment.value)
            if place < number and holds_too and same:
                return True
            if combine in (Combine.MIN, Combine.MAX) and other.when is None:
                least, most = (other, amendment) if combine == Combine.MIN else (amendment, other)
                one, two = (theirs, own) if combine == Combine.MIN else (own, theirs)
                surely = _is_at_most(one, least.value, two, most.value)
                back = _is_at_most(two, most.value, one, least.value)
                if surely and (not back or place < number or amendment.when is not None):
                    return True
        return False


class _AmendmentRanges:
    """The terms of one amendment, with its parameters by index."""

    def __init__(self, ranges: Ranges, amendment: LinkedAmendment, given: list[_Range]) -> None:
        self.ranges = ranges
        self.places = {name: place for place, name in enumerate(amendment.parameters)}
        self.given = dict(zip(amendment.parameters, given, strict=True))

    def low(self, number: t.Expression) -> _Range:
        """The range of a number."""
        return _summed(self.parts(number))

    def parts(self, number: t.Expression, times: int = 1) -> _Sum:
        """A number as a sum: for each part its factor and its range; () is the constant part."""
        fixed = self.ranges.of(number, self.given)
        if fixed[0] == fixed[1]:
            return {(): (times, fixed)} if fixed[0] else {}
        match number:
            case t.Negative(value):
                return self.parts(value, -times)
            case t.Arithmetic("+" | "-" as sign, left, right):
                more = self.parts(right, times if sign == "+" else -times)
                return _plus(self.parts(left, times), more)
            case t.Arithmetic("*", left, right):
                for one, other in ((left, right), (right, left)):
                    low, high = self.ranges.of(one, self.given)
                    if low == high:
                        return self.parts(other, times * low) if low else {}
        return {t.canonical_key(number, self.places): (times, fixed)}


def _plus(one: _Sum, other: _Sum) -> _Sum:
    found = dict(one)
    for part, (times, interval) in other.items():
        if part == () and part in found:
            before, (number, _) = found[part]
            total = before * number + times * interval[0]
            found[part] = (1, (total, total))
        elif part in found:
            found[part] = (found[part][0] + times, interval)
        else:
            found[part] = (times, interval)
    return found


def _summed(parts: _Sum) -> _Range:
    total: _Range = (0, 0)
    for times, interval in parts.values():
        total = _reckoned("+", total, _reckoned("*", (times, times), interval))
    return total


def _is_at_most(
    one: _AmendmentRanges, least: t.Expression, other: _AmendmentRanges, most: t.Expression
) -> bool:
    """Whether a number is never above another one."""
    return _Looks(one, other).at_most(least, most)


@dataclass(slots=True)
class _Looks:
    """Compares two numbers by the branches of their `max`, `min` and `if`."""

    one: _AmendmentRanges
    other: _AmendmentRanges
    left: int = _MAX_LOOKS

    def at_most(self, least: t.Expression, most: t.Expression) -> bool:
        """Whether a number is at most another one on every board."""
        self.left -= 1
        if self.left < 0:
            return False
        difference = _plus(self.other.parts(most), self.one.parts(least, -1))
        if _summed(difference)[0] >= 0:
            return True
        sides, every = _sides(least, is_least=True)
        if sides and _all_or_any(every, (self.at_most(side, most) for side in sides)):
            return True
        sides, every = _sides(most, is_least=False)
        return bool(sides) and _all_or_any(every, (self.at_most(least, side) for side in sides))


def _sides(number: t.Expression, *, is_least: bool) -> tuple[tuple[t.Expression, ...], bool]:
    """The branches of a number, and whether all of them must pass or one is enough."""
    match number:
        case t.Conditional(_, then, otherwise):
            return (then, otherwise), True
        case t.BuiltinCall(p.MAX | p.MIN as function, arguments):
            return arguments, (function == p.MAX) == is_least
    return (), True


def _all_or_any(every: bool, found: Iterator[bool]) -> bool:
    return all(found) if every else any(found)


def _key(amendment: LinkedAmendment, part: t.Expression | None) -> t.Key:
    places = {name: place for place, name in enumerate(amendment.parameters)}
    return () if part is None else t.canonical_key(part, places)


def _hull(one: _Range, other: _Range) -> _Range:
    return (min(one[0], other[0]), max(one[1], other[1]))


def _reckoned(sign: str, one: _Range, other: _Range) -> _Range:
    """The range of an operation on two ranges; ends beyond `FAR` stay there."""
    (low, high), (first, last) = one, other
    if sign == "+":
        ends = [low + first, high + last]
    elif sign == "-":
        ends = [low - last, high - first]
    elif sign == "*":
        ends = [a * b for a in one for b in other]
    elif sign == "div" and first == last > 0:
        ends = [low // first, high // first]
    elif sign == "mod" and first == last > 0:
        ends = [0, first - 1]
    else:
        return _ANY
    found = (max(-FAR, min(ends)), min(FAR, max(ends)))
    # an unknown end stays unknown after any addition
    if sign in ("+", "-", "div"):
        is_open_low = (
            low <= -FAR or (sign == "+" and first <= -FAR) or (sign == "-" and last >= FAR)
        )
        is_open_high = (
            high >= FAR or (sign == "+" and last >= FAR) or (sign == "-" and first <= -FAR)
        )
        found = (-FAR if is_open_low else found[0], FAR if is_open_high else found[1])
    return found
