"""What a condition says, as facts: the one domain in which all checks reason about conditions.

A fact says or denies something of one thing: of which kind it is, between which numbers it lies, or
the answer to a question of any other form. Two facts exclude each other when one says what the
other denies, when the same thing would be of two kinds, or when no number lies in both ranges. What
cannot be shown so is left open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tilewright.language import typed_ast as t
from tilewright.language.typed_ast import ComparisonOperator as Sign
from tilewright.model.ruleset import Role

Roles = Mapping[str, Role]
Kind = tuple[str, str]
#: by name: the place of a parameter, by which it is told
Places = Mapping[str, int]

#: the sign that says the same with both sides exchanged
FLIPPED: dict[Sign, Sign] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
#: the sign that says the opposite
DENIED: dict[Sign, Sign] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
#: farther than any number of a rule
FAR = 10**13


@dataclass(frozen=True, slots=True)
class Fact:
    """Something said or denied of a thing: its kind, the range of its number, or neither."""

    said: bool
    question: t.Key
    kind: Kind | None = None
    span: tuple[int, int] | None = None  # both ends included
    text: str = field(default="", compare=False)


def fact_of(condition: t.Expression, holds: bool, places: Places, text: str = "") -> Fact:
    """What a condition that is not joined of others says where it holds, or where it does not."""
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
    if sign in (">", ">="):  # told the other way round
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
    """The question of which kind a thing is, or which number."""
    return ("kind of", t.canonical_key(thing, places))


def number_in(expression: t.Expression) -> int | None:
    """The number that is written out; None where another thing stands."""
    found = expression.value if isinstance(expression, t.Literal) else None
    return None if isinstance(found, bool) else found


def _left_open(sign: Sign, number: int) -> tuple[int, int]:
    """The least and the greatest number of which an order with this one speaks."""
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


# ------------------------------------------------------------------ what facts say of each other


def are_apart(kind: Kind, other: Kind, roles: Roles) -> bool:
    """Whether nothing is both: two kinds never are, a figure may well be in two roles."""
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
    """Whether two facts about one question cannot both be true."""
    if one.span and other.span:
        if one.said and other.said:
            return _are_disjoint(one.span, other.span)
        return one.said != other.said and one.span == other.span
    if one.kind == other.kind:
        return one.said != other.said
    if not (one.said and other.said and one.kind and other.kind):
        return False
    return are_apart(one.kind, other.kind, roles)


def implies(one: Fact, other: Fact, roles: Roles) -> bool:
    """Whether a fact follows from another one about the same question."""
    if one.span and other.span:
        if not one.said:
            return not other.said and one.span == other.span
        if not other.said:
            return _are_disjoint(one.span, other.span)
        return other.span[0] <= one.span[0] and one.span[1] <= other.span[1]
    if one.kind == other.kind:
        return one.said == other.said
    if not one.said or other.said or not (one.kind and other.kind):
        return False
    return are_apart(one.kind, other.kind, roles)


def _are_disjoint(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(one[0], other[0]) > min(one[1], other[1])


def decided(asked: Fact, facts: Iterable[Fact], roles: Roles) -> bool | None:
    """Whether something is true where some facts are; None where they leave it open."""
    about = [fact for fact in facts if fact.question == asked.question]
    if asked.span is None:
        for fact in about:
            if implies(fact, asked, roles):
                return True
            if exclude(fact, asked, roles):
                return False
        return None
    spans = [fact.span for fact in about if fact.span is not None and fact.said]
    least = max((low for low, _ in spans), default=-FAR)
    most = min((high for _, high in spans), default=FAR)
    low, high = asked.span
    denied = any(fact.span == asked.span and not fact.said for fact in about)
    if denied or high < least or most < low:
        return not asked.said
    return asked.said if low <= least and most <= high else None
