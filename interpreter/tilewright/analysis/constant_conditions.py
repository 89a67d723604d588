"""Conditions whose answer is known beforehand: parts that always hold, or never do.

What is known about one thing is whether a question about it was said or denied, its kind, and
between which numbers it lies. That is enough for slips; what cannot be decided so is left alone.
The same reasoning tells which of two answers to a question never gets a word in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilewright.analysis.intervals import DENIED, FAR, FLIPPED, left_open
from tilewright.analysis.overlap import are_apart, shape
from tilewright.language.typed_ast import Term, deeds_within
from tilewright.language.types import TRUTH
from tilewright.linking.game import (
    NEUTRAL,
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedRule,
)
from tilewright.model.ruleset import Law, Role

_Kind = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known: the answer to a question, and of which kind or number it speaks."""

    said: bool
    question: str
    kind: _Kind | None = None
    order: tuple[str, int] | None = None  # `>=` and 3: the thing in question is 3 or more


Facts = tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A part of a condition, and how it always comes out."""

    term: Term
    holds: bool


class Verdicts:
    """Decides conditions of one rule; `parameters` are told by their place, not by their name."""

    def __init__(self, roles: Mapping[str, Role], parameters: Iterable[str] = ()) -> None:
        self.roles = roles
        self.parameters = {name: place for place, name in enumerate(parameters)}

    # -------------------------------------------------------------- what a condition says

    def facts(self, term: Term | None, holds: bool = True) -> Facts:
        """What is known where a condition holds, or where it does not."""
        if term is None:
            return ()
        if term.op == "not":
            return self.facts(term.args[0], not holds)
        if (term.op == "and") if holds else (term.op == "or"):
            return tuple(fact for part in term.args for fact in self.facts(part, holds))
        if term.op in ("and", "or", "literal"):
            return ()
        return (self._fact(term, holds),)

    def _fact(self, term: Term, holds: bool) -> Fact:
        if term.op == "compare":
            one, other = term.args
            sign = str(term.data)
            number = _number(other)
            if number is None and _number(one) is not None:
                one, number, sign = other, _number(one), FLIPPED[sign]
            if number is not None:
                sign = sign if holds else DENIED[sign]
                return Fact(True, self._shape(one), None, (sign, number))
            if sign == "!=":
                return self._equal(one, other, not holds)
            if sign == "=":
                return self._equal(one, other, holds)
            if sign in (">", ">="):  # told the other way round
                one, other, sign = other, one, FLIPPED[sign]
            if sign == "<=":  # a <= b is not b < a
                one, other, holds = other, one, not holds
            return Fact(holds, f"{self._shape(one)} < {self._shape(other)}")
        if term.op == "is_kind":
            return self._equal(term.args[0], term.args[1], holds)
        return Fact(holds, self._shape(term))

    def _equal(self, one: Term, other: Term, holds: bool) -> Fact:
        if other.op == "constant":
            return Fact(holds, f"kind of {self._shape(one)}", other.pair)
        if one.op == "constant":
            return Fact(holds, f"kind of {self._shape(other)}", one.pair)
        both = sorted((self._shape(one), self._shape(other)))
        return Fact(holds, " = ".join(both))

    def _shape(self, term: Term) -> str:
        return shape(term, self.parameters)

    # -------------------------------------------------------------- how it comes out

    def verdict(self, term: Term, facts: Facts = ()) -> bool | None:
        """How a condition always comes out where some facts are known; None when it depends."""
        match term.op:
            case "literal":
                return term.data if isinstance(term.data, bool) else None
            case "not":
                found = self.verdict(term.args[0], facts)
                return None if found is None else not found
            case "and" | "or":
                return self._joined(term, facts, term.op == "and")
            case "compare" if term.data in ("=", "!=", "<=", ">=", "<", ">"):
                one, other = term.args
                if self._shape(one) == self._shape(other):
                    return term.data in ("=", "<=", ">=")
                first, second = _number(one), _number(other)
                if first is not None and second is not None:
                    return _in_order((str(term.data), second), [("=", first)])
        return self._by_facts(self._fact(term, True), facts)

    def _joined(self, term: Term, facts: Facts, is_and: bool) -> bool | None:
        """Parts joined by `and` (or by `or`), each looked at where those before it hold (fail)."""
        open_parts = False
        for part in term.args:
            found = self.verdict(part, facts)
            if found is (not is_and):
                return found
            open_parts = open_parts or found is None
            facts = (*facts, *self.facts(part, is_and))
        return None if open_parts else is_and

    def _by_facts(self, asked: Fact, facts: Facts) -> bool | None:
        if asked.order is not None:
            return _in_order(asked.order, [f.order for f in facts if f.question == asked.question])
        for fact in facts:
            if fact.question != asked.question:
                continue
            if fact.kind == asked.kind:
                return fact.said == asked.said
            is_both = fact.said and fact.kind is not None and asked.kind is not None
            if is_both and are_apart(fact.kind, asked.kind, self.roles):  # type: ignore[arg-type]
                return not asked.said
        return None

    # -------------------------------------------------------------- all parts of a text

    def known(self, term: Term, facts: Facts = ()) -> Iterator[Known]:
        """The largest parts of a text that are conditions and always come out the same."""
        if term.type == TRUTH:
            found = self.verdict(term, facts)
            if found is not None:
                yield Known(term, found)
                return
        if term.op in ("and", "or"):
            for part in term.args:
                yield from self.known(part, facts)
                facts = (*facts, *self.facts(part, term.op == "and"))
        elif term.op == "conditional":
            test, then, otherwise = term.args
            yield from self.known(test, facts)
            yield from self._value(then, (*facts, *self.facts(test)))
            yield from self._value(otherwise, (*facts, *self.facts(test, False)))
        else:
            for part in term.args:
                yield from self._value(part, facts)

    def _value(self, term: Term, facts: Facts) -> Iterator[Known]:
        """The same for a text that may well be a plain `true` or `false`."""
        if term.op != "literal":
            yield from self.known(term, facts)


def _number(term: Term) -> int | None:
    found = term.data if term.op == "literal" else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _in_order(asked: tuple[str, int], said: Sequence[tuple[str, int] | None]) -> bool | None:
    """Whether a number that lies within what is said is in the order that is asked about."""
    orders = [each for each in said if each is not None]
    spans = [left_open(sign, number) for sign, number in orders]
    least = max((low for low, _ in spans), default=-FAR)
    most = min((high for _, high in spans), default=FAR)
    sign, number = asked
    if sign in ("=", "!="):
        if not least <= number <= most or ("!=", number) in orders:
            return sign == "!="
        return sign == "=" if least == most else None
    low, high = left_open(sign, number)
    if low <= least and most <= high:
        return True
    return False if high < least or most < low else None


# ------------------------------------------------------------------ rules


def known_parts(
    rule: LinkedAmendment | LinkedRule | LinkedAction, roles: Mapping[str, Role]
) -> list[Known]:
    """The conditions of a rule, and parts of them, that always come out the same."""
    verdicts = Verdicts(roles)
    found: list[Known] = []
    known = verdicts.facts(rule.when)
    if rule.when is not None:
        found += verdicts.known(rule.when)
    if isinstance(rule, LinkedAmendment):
        if rule.value.op != "literal":
            found += verdicts.known(rule.value, known)
        return found
    if isinstance(rule, LinkedAction):
        for _, source in rule.offer:
            found += verdicts.known(source)
        if rule.where is not None:
            found += verdicts.known(rule.where, known)
    for deed in deeds_within(rule.deeds):
        for number, term in enumerate(deed.terms):
            # what a rule has done changes what is true: only the text itself counts here
            is_condition = deed.op in ("if", "stop") or (deed.op == "draw" and number == 1)
            if is_condition or term.op != "literal":
                found += verdicts.known(term)
    return found


def shadowed(
    definition: LinkedDefinition, roles: Mapping[str, Role]
) -> Iterator[tuple[LinkedAmendment, LinkedAmendment]]:
    """Answers that never count, each with one of its ruleset that always goes over it."""
    if definition.law != Law.ONE:
        return
    for below in definition.amendments:
        facts = Verdicts(roles, below.parameters).facts(below.when)
        for above in definition.amendments:
            one, other = above.rule.head, below.rule.head
            if above.ruleset != below.ruleset or other.id not in one.over:
                continue
            company = {mention.id for mention in other.with_}
            is_always_there = set(one.option) <= set(other.option)
            if not is_always_there or not {mention.id for mention in one.with_} <= company:
                continue
            verdicts = Verdicts(roles, above.parameters)
            if above.when is None or verdicts.verdict(above.when, facts) is True:
                yield below, above
                break


def says_nothing(amendment: LinkedAmendment, law: Law) -> bool:
    """Whether an answer makes no difference whenever it is given."""
    value = amendment.value
    if law == Law.UNION:
        return value.op == "set" and not value.args
    return value.op == "literal" and law in NEUTRAL and value.data == NEUTRAL[law]
