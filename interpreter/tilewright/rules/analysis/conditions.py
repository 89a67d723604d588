"""The abstract domain of conditions: facts, with which all checks reason.

A fact asserts or denies one thing: the kind of a value, the range of a number, or the truth of any
other condition. Two facts exclude each other when one asserts what the other denies, when one value
would have two kinds, or when their ranges have no common number. Every other case stays undecided:
the checks then assume that both facts may hold.

A condition is split into cases (a disjunctive normal form), and each case into facts. Two cases may
both hold unless their facts exclude each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from math import prod

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.syntax.unparse import print_expression
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.typed_ast import ComparisonOperator as Sign
from tilewright.rules.linking.elaborate.fallbacks import own_case
from tilewright.rules.linking.game import LinkedAmendment, LinkedRule
from tilewright.rules.model.ruleset import Combine, Role

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


#: a condition with more cases than this counts as one fact
_MAX_CASES = 64

#: the most facts of a case that are compared
_MAX_FACTS = 50
#: the most comparisons of facts; after these, nothing more is excluded
_MAX_LOOKS = 500_000
#: the most pairs of cases searched for a situation
_MAX_PAIRS = 500
#: the most situations found for two rules; the smallest of them is shown
_MAX_WEIGHED = 20


Case = tuple[Fact, ...]


_Linked = LinkedAmendment | LinkedRule


def are_disjoint(first: LinkedAmendment, second: LinkedAmendment, roles: Roles) -> bool:
    """Whether the two amendments provably never apply together."""
    return not Situations(roles).may_meet(first, second)


class Situations:
    """Compares the conditions of rules; the cases of each are computed once."""

    def __init__(self, roles: Roles) -> None:
        self.roles = roles
        self._known: dict[str, list[Case]] = {}
        self._joined: dict[tuple[str, str], Case] = {}
        self._left = _MAX_LOOKS

    def may_meet(self, first: _Linked, second: _Linked) -> bool:
        """Whether two rules may both hold."""
        theirs = self._cases(second)
        for one in self._cases(first):
            for other in theirs:
                self._left -= 1 + len(one) * len(other)
                if self._left < 0 or not self._excluded(one, other):
                    return True
        return False

    def smallest(self, first: _Linked, second: _Linked) -> tuple[str, ...]:
        """The smallest set of facts under which both hold, in the names of the first."""
        return tuple(fact.text for fact in self._smallest(first, second))

    def goes_first(self, first: _Linked, second: _Linked) -> bool:
        """Whether the condition of the first is provably the narrower one."""
        joined = set(self._smallest(first, second))
        ours = _shortest(self._cases(first))
        theirs = _shortest(self._cases(second))
        if joined in (ours, theirs):
            return joined != theirs
        return len(ours) > len(theirs)

    def _smallest(self, first: _Linked, second: _Linked) -> Case:
        pair = first.rule.head.id, second.rule.head.id
        if pair not in self._joined:
            self._joined[pair] = self._join(first, second)
        return self._joined[pair]

    def _join(self, first: _Linked, second: _Linked) -> Case:
        names = dict(zip(_names(second), _names(first), strict=False))
        theirs = [tuple(_renamed(fact, names) for fact in case) for case in self._cases(second)]
        pairs = islice(product(self._cases(first), theirs), _MAX_PAIRS)
        found = ((*one, *other) for one, other in pairs if not self._excluded(one, other))
        several = [_without_implied(case, self.roles) for case in islice(found, _MAX_WEIGHED)]
        return min(several, key=len, default=())

    def _excluded(self, one: Case, other: Case) -> bool:
        # runs for every pair of amendments of a definition: a plain loop is twice as fast
        for fact in one:
            for another in other:
                if fact.subject == another.subject and exclude(fact, another, self.roles):
                    return True
        return False

    def _cases(self, rule: _Linked) -> list[Case]:
        """The cases in which a rule applies, without cases that contradict themselves."""
        id_ = rule.rule.head.id
        if id_ not in self._known:
            found = (case[:_MAX_FACTS] for case in _cases_of(rule))
            possible = (case for case in found if not self._excluded(case, case))
            cases = (_without_implied(case, self.roles) for case in possible)
            self._known[id_] = list({frozenset(case): case for case in cases}.values())
        return self._known[id_]


def _shortest(cases: Sequence[Case]) -> set[Fact]:
    """The case with the fewest facts."""
    found: Case = min(cases, key=len, default=())
    return set(found)


def _names(rule: _Linked) -> list[str]:
    if isinstance(rule, LinkedAmendment):
        return list(rule.parameters)
    return [name for name, _ in rule.parameters]


def _renamed(fact: Fact, names: Mapping[str, str]) -> Fact:
    if not names or all(name == other for name, other in names.items()):
        return fact
    pattern = rf"(?<![\w.])({'|'.join(map(re.escape, names))})(?!\w)"
    return replace(fact, text=re.sub(pattern, lambda found: names[found[1]], fact.text))


def _cases_of(rule: _Linked) -> list[Case]:
    if rule.when is None:
        return [()]
    parameters = {name: place for place, name in enumerate(_names(rule))}
    return _Cases(parameters).of(rule.when, _condition_of(rule), holds=True)


def _condition_of(rule: _Linked) -> n.Expression | None:
    """The condition of a rule as written."""
    quiet = Reporter.discarding()
    if isinstance(rule, LinkedAmendment):
        case = own_case(rule.rule, rule.parameters, Combine.ONE, quiet)
        return None if case is None else case.when
    return None if rule.rule.head.when is None else parse_expression(rule.rule.head.when, quiet)


# ------------------------------------------------------------------ cases of conditions


@dataclass(frozen=True, slots=True)
class _Cases:
    parameters: Places

    def of(self, expression: t.Expression, node: n.Expression | None, *, holds: bool) -> list[Case]:
        """The cases in which a condition holds or, with `holds` false, fails."""
        nodes: Sequence[n.Expression | None]
        match expression, node:
            case t.Literal(bool() as value), _:
                return [()] if value is holds else []
            case t.Not(value), n.Not():
                return self.of(value, node.value, holds=not holds)
            case t.Not(value), _:  # `is not`, `not in`: one comparison as written
                return [(self._fact(value, node, not holds, as_written=holds),)]
            case ((t.And(parts) | t.Or(parts)), _):
                nodes = node.parts if isinstance(node, n.And | n.Or) else [None] * len(parts)
                cases = [self.of(p, x, holds=holds) for p, x in zip(parts, nodes, strict=True)]
                if isinstance(expression, t.And) is not holds:
                    return [case for part in cases for case in part]
                if prod(map(len, cases)) <= _MAX_CASES:
                    return [tuple(f for case in chosen for f in case) for chosen in product(*cases)]
        return [(self._fact(expression, node, holds, as_written=holds),)]

    def _fact(
        self, expression: t.Expression, node: n.Expression | None, holds: bool, *, as_written: bool
    ) -> Fact:
        return fact_of(expression, holds, self.parameters, _words(node, as_written))


def _words(node: n.Expression | None, as_written: bool) -> str:
    if node is None:
        return ""
    return print_expression(node if as_written else n.Not(node, node.span))


def _without_implied(case: Iterable[Fact], roles: Roles) -> Case:
    """A case without the facts that follow from its other facts."""
    found = list(dict.fromkeys(case))
    for fact in tuple(found):
        rest = (f for f in found if f is not fact and f.subject == fact.subject)
        if any(implies(other, fact, roles) for other in rest):
            found.remove(fact)
    return tuple(found)
