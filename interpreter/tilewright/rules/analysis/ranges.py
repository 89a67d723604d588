"""Checks that every range `a..b` of a game has a bound that is known before play.

A range is a list of numbers. Loops must stay small on every board, so the ends of a range may use
literals, values, counts within `min` and `max`, and arithmetic on these. A choice from a range
lists nothing, so one known end is enough; `Match.ask_number` counts its numbers in play. Nothing is
computed here that depends on a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from tilewright.language import builtins as p
from tilewright.language.builtins import MAX_RANGE
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.typing import typed_ast as t
from tilewright.rules.analysis.conditions import FAR
from tilewright.rules.linking.game import LinkedAction, LinkedDefinition, LinkedRule, LinkedValue
from tilewright.rules.linking.walk import definition_expressions, effects_of, expressions_of

Interval = tuple[int, int]
_UNKNOWN: Interval = (-FAR, FAR)
_UNBOUNDED = "this range has no bound that is known before play"
_TOO_LONG = f"this range may hold more than {MAX_RANGE} numbers"


def check_ranges(
    rules: Iterable[LinkedRule | LinkedAction],
    definitions: Iterable[LinkedDefinition],
    values: Mapping[str, LinkedValue],
    reporter: Reporter,
) -> None:
    """Report every range that may hold more than `MAX_RANGE` numbers (TW421)."""
    for definition in definitions:
        for node in _ranges_of(definition):
            _check_listed(node, values, reporter)
    for rule in rules:
        chosen = _chosen_in(rule)
        for node in _ranges_in(rule):
            if any(node is each for each in chosen):
                _check_chosen(node, values, reporter)
            else:
                _check_listed(node, values, reporter)


def _check_listed(
    node: t.BuiltinCall, values: Mapping[str, LinkedValue], reporter: Reporter
) -> None:
    first, last = (interval(end, values) for end in node.arguments)
    if last[1] - first[0] < MAX_RANGE:
        return
    is_open = first[0] == -FAR or last[1] == FAR
    message = _UNBOUNDED if is_open else _TOO_LONG
    hint = "limit its end, for example `1..min(n, 10)`" if last[1] == FAR else ""
    reporter.error("TW421", message, node.span, hint=hint)


def _check_chosen(
    node: t.BuiltinCall, values: Mapping[str, LinkedValue], reporter: Reporter
) -> None:
    first, last = (interval(end, values) for end in node.arguments)
    known = first[0] != -FAR or last[1] != FAR
    if known and last[0] - first[1] < MAX_RANGE:
        return
    message = _TOO_LONG if known else _UNBOUNDED
    hint = "" if known else "limit one of its ends, for example `n..99`"
    reporter.error("TW421", message, node.span, hint=hint)


@kept_by_identity
def _chosen_in(rule: LinkedRule | LinkedAction) -> tuple[t.Expression, ...]:
    """The sets from which the players of a rule choose."""
    return tuple(each.source for each in effects_of(rule) if isinstance(each, t.Choose))


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
    if operator == "mod" and right[0] > 0 and right[1] < FAR:
        return 0, right[1] - 1
    if FAR in (*map(abs, left), *map(abs, right)):
        return _UNKNOWN
    size = max(
        map(abs, left)
    )  # a quotient is at most as far from zero; a remainder is below its divisor
    return -max(size, *map(abs, right)), max(size, *map(abs, right))
