"""Checks that every range `a..b` of a game has a bound that is known before play.

A range is a list of numbers. Loops and choices must stay small on every board, so the ends of a
range may use literals, values, counts within `min` and `max`, and arithmetic on these.
Nothing is computed here that depends on a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from tilewright.analysis.conditions import FAR
from tilewright.language import builtins as p
from tilewright.language import typed_ast as t
from tilewright.linking.game import LinkedAction, LinkedDefinition, LinkedRule, LinkedValue
from tilewright.linking.identity import kept_by_identity
from tilewright.linking.walk import definition_expressions, expressions_of
from tilewright.source.diagnostics import Reporter

#: the most numbers that a range may hold
MAX_RANGE = 1_000

Interval = tuple[int, int]
_UNKNOWN: Interval = (-FAR, FAR)


def check_ranges(
    rules: Iterable[LinkedRule | LinkedAction],
    definitions: Iterable[LinkedDefinition],
    values: Mapping[str, LinkedValue],
    reporter: Reporter,
) -> None:
    """Report every range that may hold more than `MAX_RANGE` numbers (TW421)."""
    nodes = [node for definition in definitions for node in _ranges_of(definition)]
    nodes += [node for rule in rules for node in _ranges_in(rule)]
    for node in nodes:
        first, last = (interval(end, values) for end in node.arguments)
        if last[1] - first[0] < MAX_RANGE:
            continue
        is_open = first[0] == -FAR or last[1] == FAR
        message = "this range has no bound that is known before play"
        if not is_open:
            message = f"this range may hold more than {MAX_RANGE} numbers"
        hint = "limit its end, for example `1..min(n, 10)`" if last[1] == FAR else ""
        reporter.error("TW421", message, node.span, hint=hint)


@kept_by_identity
def _ranges_in(rule: LinkedRule | LinkedAction) -> tuple[t.BuiltinCall, ...]:
    return tuple(filter(_is_range, expressions_of(rule)))


@kept_by_identity
def _ranges_of(definition: LinkedDefinition) -> tuple[t.BuiltinCall, ...]:
    return tuple(filter(_is_range, definition_expressions(definition)))


def _is_range(node: t.Expression) -> TypeGuard[t.BuiltinCall]:
    return isinstance(node, t.BuiltinCall) and node.function == p.RANGE


def interval(node: t.Expression, values: Mapping[str, LinkedValue]) -> Interval:
    """The least and the greatest number that an expression may give; `FAR` where unknown."""
    match node:
        case t.Literal(number):
            return int(number or 0), int(number or 0)
        case t.Value(id_):
            return interval(values[id_].term, values)
        case t.Negative(value):
            least, most = interval(value, values)
            return -most, -least
        case t.Conditional(_, then, otherwise):
            return _around([interval(then, values), interval(otherwise, values)])
        case t.Arithmetic(operator, left, right):
            return _calculated(operator, interval(left, values), interval(right, values))
        case t.BuiltinCall(p.MIN | p.MAX as function, arguments):
            sides = [interval(argument, values) for argument in arguments]
            pick = min if function == p.MIN else max
            return pick(least for least, _ in sides), pick(most for _, most in sides)
        case t.BuiltinCall(p.COUNT) | t.Quantifier("count"):
            return 0, FAR
    return _UNKNOWN


def _around(sides: list[Interval]) -> Interval:
    return min(least for least, _ in sides), max(most for _, most in sides)


def _calculated(operator: str, left: Interval, right: Interval) -> Interval:
    if operator in "+-":
        if operator == "-":
            right = -right[1], -right[0]
        least = -FAR if -FAR in (left[0], right[0]) else left[0] + right[0]
        most = FAR if FAR in (left[1], right[1]) else left[1] + right[1]
        return max(least, -FAR), min(most, FAR)
    if operator == "*":
        found = [a * b for a in left for b in right]
        return max(min(found), -FAR), min(max(found), FAR)
    if FAR in (*map(abs, left), *map(abs, right)):
        return _UNKNOWN
    size = max(
        map(abs, left)
    )  # a quotient is at most as far from zero; a remainder is below its divisor
    return -max(size, *map(abs, right)), max(size, *map(abs, right))
