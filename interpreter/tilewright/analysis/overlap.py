"""Two conditions at once: whether they can both hold, and a smallest situation in which they do.

A condition is taken apart into facts: what it says of something for certain, in one of the cases
that it lets through. Two facts exclude each other when one says what the other denies, when both
say of what kind the same thing is and the kinds differ, or when no number lies in both their
ranges. What cannot be shown to be excluded this way may hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from math import prod

from tilewright.analysis.intervals import DENIED, FLIPPED, left_open
from tilewright.language import ast as n
from tilewright.language import typed_ast as t
from tilewright.language.parser import parse_expression
from tilewright.language.unparse import print_expression
from tilewright.linking.game import LinkedAmendment, LinkedRule
from tilewright.model.ruleset import Role
from tilewright.source.diagnostics import Reporter

Roles = Mapping[str, Role]
_Kind = tuple[str, str]

#: a condition with more cases than this is taken as one fact
_MAX_CASES = 64

#: facts of a case that are looked at
_MAX_FACTS = 50
#: after so many looks at pairs of facts nothing more is shown to be excluded
_MAX_LOOKS = 500_000
#: pairs of cases among which a situation is looked for
_MAX_PAIRS = 500
#: situations in which two rules meet, of which the smallest is shown
_MAX_WEIGHED = 20


@dataclass(frozen=True, slots=True)
class Fact:
    """Something said or denied: the question, its kind or the range of its number, the words."""

    said: bool
    question: t.Key
    kind: _Kind | None
    span: tuple[int, int] | None  # the numbers that are possible, both ends included
    text: str


Case = tuple[Fact, ...]


_Linked = LinkedAmendment | LinkedRule


def are_disjoint(first: LinkedAmendment, second: LinkedAmendment, roles: Roles) -> bool:
    """Whether it can be shown that the two never hold at once."""
    return not Situations(roles).may_meet(first, second)


class Situations:
    """Answers about the conditions of some rules; each is taken apart once."""

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
        """The fewest facts under which both hold, in the names of the first."""
        return tuple(fact.text for fact in self._smallest(first, second))

    def goes_first(self, first: _Linked, second: _Linked) -> bool:
        """Whether the condition of the first is the narrower one, as far as can be told."""
        joined = _said(self._smallest(first, second))
        ours = _said(min(self._cases(first), key=len, default=()))
        theirs = _said(min(self._cases(second), key=len, default=()))
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
        # asked for every two answers to a question: a plain loop is twice as fast
        for fact in one:
            for another in other:
                if fact.question == another.question and _exclude(fact, another, self.roles):
                    return True
        return False

    def _cases(self, rule: _Linked) -> list[Case]:
        """The cases in which a rule holds, those left out that contradict themselves."""
        id_ = rule.rule.head.id
        if id_ not in self._known:
            found = (case[:_MAX_FACTS] for case in _cases_of(rule))
            possible = (case for case in found if not self._excluded(case, case))
            told = (_without_implied(case, self.roles) for case in possible)
            self._known[id_] = list({frozenset(_said(case)): case for case in told}.values())
        return self._known[id_]


def _said(case: Case) -> set[tuple[object, ...]]:
    return {(fact.said, fact.question, fact.kind, fact.span) for fact in case}


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
    if rule.when is None or rule.rule.head.when is None:
        return [()]
    node = parse_expression(rule.rule.head.when, Reporter.discarding())
    parameters = {name: place for place, name in enumerate(_names(rule))}
    return _Cases(parameters).of(rule.when, node, said=True)


# ------------------------------------------------------------------ taking conditions apart


@dataclass(frozen=True, slots=True)
class _Cases:
    parameters: Mapping[str, int]

    def of(self, expression: t.Expression, node: n.Expression | None, *, said: bool) -> list[Case]:
        """The cases in which a condition holds, or, with `said` false, does not."""
        nodes: Sequence[n.Expression | None]
        match expression, node:
            case t.Not(value), n.Not():
                return self.of(value, node.value, said=not said)
            case t.Not(value), _:  # `is not`, `not in`: one comparison as written
                return [(self._fact(value, node, not said, as_written=said),)]
            case ((t.And(parts) | t.Or(parts)), _):
                nodes = node.parts if isinstance(node, n.And | n.Or) else [None] * len(parts)
                cases = [self.of(p, x, said=said) for p, x in zip(parts, nodes, strict=True)]
                if isinstance(expression, t.And) is not said:
                    return [case for part in cases for case in part]
                if prod(map(len, cases)) <= _MAX_CASES:
                    return [tuple(f for case in chosen for f in case) for chosen in product(*cases)]
        return [(self._fact(expression, node, said, as_written=said),)]

    def _fact(
        self, expression: t.Expression, node: n.Expression | None, said: bool, *, as_written: bool
    ) -> Fact:
        text = _words(node, as_written)
        match expression:
            case t.IsKind(thing, kind) | t.Comparison("=", thing, kind):
                if isinstance(kind, t.Constant):
                    return Fact(said, self._kind_of(thing), (kind.category, kind.id), None, text)
                if isinstance(kind, t.Literal):
                    named, span = ("literal", str(kind.value)), None
                    if said and isinstance(kind.value, int) and not isinstance(kind.value, bool):
                        span = (kind.value, kind.value)
                    return Fact(said, self._kind_of(thing), named, span, text)
            case t.Comparison(sign, left, right) if sign != "!=":
                if isinstance(left, t.Literal):
                    left, right, sign = right, left, FLIPPED[sign]
                if isinstance(right, t.Literal) and isinstance(right.value, int):
                    span = left_open(sign if said else DENIED[sign], right.value)
                    # a denied comparison is a comparison
                    return Fact(True, self._kind_of(left), None, span, text)
        return Fact(said, t.canonical_key(expression, self.parameters), None, None, text)

    def _kind_of(self, thing: t.Expression) -> t.Key:
        return ("kind of", t.canonical_key(thing, self.parameters))


def _words(node: n.Expression | None, as_written: bool) -> str:
    if node is None:
        return ""
    return print_expression(node if as_written else n.Not(node, node.span))


# ------------------------------------------------------------------ what facts say of each other


def _exclude(one: Fact, other: Fact, roles: Roles) -> bool:
    if one.question != other.question:
        return False
    if one.span and other.span:
        return max(one.span[0], other.span[0]) > min(one.span[1], other.span[1])
    if one.kind == other.kind and one.said != other.said and not (one.span or other.span):
        return True
    if not (one.said and other.said and one.kind and other.kind):
        return one.kind == other.kind and one.kind is not None and one.said != other.said
    return are_apart(one.kind, other.kind, roles)


def are_apart(kind: _Kind, other: _Kind, roles: Roles) -> bool:
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


def _without_implied(case: Iterable[Fact], roles: Roles) -> Case:
    """A case without what follows from the rest of it."""
    found = list({(f.said, f.question, f.kind, f.span): f for f in case}.values())
    for fact in tuple(found):
        if any(_implies(other, fact, roles) for other in found if other is not fact):
            found.remove(fact)
    return tuple(found)


def _implies(one: Fact, other: Fact, roles: Roles) -> bool:
    if one.question != other.question or not one.said:
        return False
    if one.span and other.span:
        return other.span[0] <= one.span[0] and one.span[1] <= other.span[1]
    if one.kind and other.kind and not other.said:
        return are_apart(one.kind, other.kind, roles)
    return False
