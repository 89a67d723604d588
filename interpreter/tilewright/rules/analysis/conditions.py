"""The abstract domain of conditions: facts, with which all checks reason.

A fact asserts or denies one thing: the kind of a value, the range of a number, or the truth of any
other condition. Two facts exclude each other when one asserts what the other denies, when one value
would have two kinds, or when their ranges have no common number. Every other case stays undecided:
the checks then assume that both facts may hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.typed_ast import ComparisonOperator as Sign
from tilewright.rules.model.ruleset import Role

Roles = Mapping[str, Role]
Kind = tuple[str, str]
#: by name: the index of a parameter, used in place of its name
Places = Mapping[str, int]

#: the equivalent operator when both sides are exchanged
FLIPPED: dict[Sign, Sign] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
#: the opposite operator
DENIED: dict[Sign, Sign] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
#: beyond any number of a rule
FAR = 10**13


@dataclass(frozen=True, slots=True)
class Fact:
    """An assertion or denial about a kind, the range of a number, or any other condition."""

    holds: bool
    subject: t.Key
    kind: Kind | None = None
    span: tuple[int, int] | None = None  # both ends included
    text: str = field(default="", compare=False)


def fact_of(condition: t.Expression, holds: bool, places: Places, text: str = "") -> Fact:
    """The fact of a condition without `and` and `or`, when it holds or (`holds` false) fails."""
    match condition:
        case t.IsKind(one, other):
            return _equal(one, other, holds, places, text)
        case t.Comparison(sign, one, other):
            return _compared(sign, one, other, holds, places, text)
    return Fact(holds, t.canonical_key(condition, places), text=text)


def _compared(
    sign: Sign, one: t.Expression, other: t.Expression, holds: bool, places: Places, text: str
) -> Fact:
    if number_in(other) is None and number_in(one) is not None:
        one, other, sign = other, one, FLIPPED[sign]
    number = number_in(other)
    if number is not None:
        sign = sign if holds else DENIED[sign]
        span = _left_open(sign, number)
        return Fact(sign != "!=", kind_of(one, places), None, span, text)
    if sign in ("=", "!="):
        return _equal(one, other, holds is (sign == "="), places, text)
    if sign in (">", ">="):  # with the sides exchanged
        one, other, sign = other, one, FLIPPED[sign]
    if sign == "<=":  # a <= b is not b < a
        one, other, holds = other, one, not holds
    both = (t.canonical_key(one, places), t.canonical_key(other, places))
    return Fact(holds, ("<", *both), text=text)


def _equal(one: t.Expression, other: t.Expression, holds: bool, places: Places, text: str) -> Fact:
    for thing, kind in ((one, other), (other, one)):
        match kind:
            case t.Constant(category, id_):
                return Fact(holds, kind_of(thing, places), (category, id_), text=text)
            case t.Literal(value):
                return Fact(holds, kind_of(thing, places), ("literal", str(value)), text=text)
    both = frozenset((t.canonical_key(one, places), t.canonical_key(other, places)))
    return Fact(holds, ("=", both), text=text)


def kind_of(thing: t.Expression, places: Places) -> t.Key:
    """The key of facts about the kind or number of a thing."""
    return ("kind of", t.canonical_key(thing, places))


def number_in(expression: t.Expression) -> int | None:
    """The value of a number literal; None for any other expression."""
    found = expression.value if isinstance(expression, t.Literal) else None
    return None if isinstance(found, bool) else found


def _left_open(sign: Sign, number: int) -> tuple[int, int]:
    """The range of numbers for which the comparison with this number is true."""
    match sign:
        case "<":
            return (-FAR, number - 1)
        case "<=":
            return (-FAR, number)
        case ">":
            return (number + 1, FAR)
        case ">=":
            return (number, FAR)
    return (number, number)


# ------------------------------------------------------------------ relations between facts


def are_disjoint_kinds(kind: Kind, other: Kind, roles: Roles) -> bool:
    """Whether nothing can be both: two kinds exclude each other, two roles of a figure need not."""
    if kind == other:
        return False
    one, two = (roles.get(id_) if category == "role" else None for category, id_ in (kind, other))
    if one is not None and two is not None:
        return one.on != two.on or not set(one.figures) & set(two.figures)
    if one is not None or two is not None:
        role, figure = (one, other[1]) if one is not None else (two, kind[1])
        return role is not None and figure not in role.figures
    return True


def exclude(one: Fact, other: Fact, roles: Roles) -> bool:
    """Whether two facts with the same key cannot both be true."""
    if one.span and other.span:
        if one.holds and other.holds:
            return _are_disjoint(one.span, other.span)
        return one.holds != other.holds and one.span == other.span
    if one.kind == other.kind:
        return one.holds != other.holds
    if not (one.holds and other.holds and one.kind and other.kind):
        return False
    return are_disjoint_kinds(one.kind, other.kind, roles)


def implies(one: Fact, other: Fact, roles: Roles) -> bool:
    """Whether `one` implies `other`, a fact with the same key."""
    if one.span and other.span:
        if not one.holds:
            return not other.holds and one.span == other.span
        if not other.holds:
            return _are_disjoint(one.span, other.span)
        return other.span[0] <= one.span[0] and one.span[1] <= other.span[1]
    if one.kind == other.kind:
        return one.holds == other.holds
    if not one.holds or other.holds or not (one.kind and other.kind):
        return False
    return are_disjoint_kinds(one.kind, other.kind, roles)


def _are_disjoint(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(one[0], other[0]) > min(one[1], other[1])


def decided(goal: Fact, facts: Iterable[Fact], roles: Roles) -> bool | None:
    """Whether a fact is true or false given other facts; None when they do not decide it."""
    about = [fact for fact in facts if fact.subject == goal.subject]
    if goal.span is None:
        for fact in about:
            if implies(fact, goal, roles):
                return True
            if exclude(fact, goal, roles):
                return False
        return None
    spans = [fact.span for fact in about if fact.span is not None and fact.holds]
    least = max((low for low, _ in spans), default=-FAR)
    most = min((high for _, high in spans), default=FAR)
    low, high = goal.span
    denied = any(fact.span == goal.span and not fact.holds for fact in about)
    if denied or high < least or most < low:
        return not goal.holds
    return goal.holds if low <= least and most <= high else None
