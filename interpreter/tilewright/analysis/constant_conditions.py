"""Conditions whose answer is known beforehand: parts that always hold, or never do.

What is known about one thing is whether a question about it was said or denied, its kind, and
between which numbers it lies. That is enough for slips; what cannot be decided so is left alone.
The same reasoning tells which of two answers to a question never gets a word in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilewright.analysis.intervals import DENIED, FAR, FLIPPED, left_open
from tilewright.analysis.overlap import are_apart
from tilewright.language import typed_ast as t
from tilewright.language.types import TRUTH
from tilewright.linking.game import NEUTRAL, LinkedAction, LinkedAmendment, LinkedDefinition
from tilewright.linking.walk import AnyRule, effects_of
from tilewright.model.ruleset import Law, Role

_Kind = tuple[str, str]
Order = tuple[t.ComparisonOperator, int]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known: the answer to a question, and of which kind or number it speaks."""

    said: bool
    question: t.Key
    kind: _Kind | None = None
    order: Order | None = None  # `>=` and 3: the thing in question is 3 or more


Facts = tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A part of a condition, and how it always comes out."""

    term: t.Expression
    holds: bool


class Verdicts:
    """Decides conditions of one rule; `parameters` are told by their place, not by their name."""

    def __init__(self, roles: Mapping[str, Role], parameters: Iterable[str] = ()) -> None:
        self.roles = roles
        self.parameters = {name: place for place, name in enumerate(parameters)}

    # -------------------------------------------------------------- what a condition says

    def facts(self, condition: t.Expression | None, holds: bool = True) -> Facts:
        """What is known where a condition holds, or where it does not."""
        match condition:
            case None | t.Literal():
                return ()
            case t.Not(value):
                return self.facts(value, not holds)
            case t.And(parts) | t.Or(parts):
                is_and = isinstance(condition, t.And)
                found = (self.facts(part, holds) for part in parts if is_and is holds)
                return tuple(fact for each in found for fact in each)
        return (self._fact(condition, holds),)

    def _fact(self, condition: t.Expression, holds: bool) -> Fact:
        match condition:
            case t.IsKind(one, other):
                return self._equal(one, other, holds)
            case t.Comparison(sign, one, other):
                return self._compared(sign, one, other, holds)
        return Fact(holds, self._key(condition))

    def _compared(
        self, sign: t.ComparisonOperator, one: t.Expression, other: t.Expression, holds: bool
    ) -> Fact:
        number = _number(other)
        if number is None and _number(one) is not None:
            one, number, sign = other, _number(one), FLIPPED[sign]
        if number is not None:
            sign = sign if holds else DENIED[sign]
            return Fact(True, self._key(one), None, (sign, number))
        if sign in ("=", "!="):
            return self._equal(one, other, holds is (sign == "="))
        if sign in (">", ">="):  # told the other way round
            one, other, sign = other, one, FLIPPED[sign]
        if sign == "<=":  # a <= b is not b < a
            one, other, holds = other, one, not holds
        return Fact(holds, ("<", self._key(one), self._key(other)))

    def _equal(self, one: t.Expression, other: t.Expression, holds: bool) -> Fact:
        for kind, thing in ((other, one), (one, other)):
            if isinstance(kind, t.Constant):
                return Fact(holds, ("kind of", self._key(thing)), (kind.category, kind.id))
        return Fact(holds, ("=", frozenset((self._key(one), self._key(other)))))

    def _key(self, expression: t.Expression) -> t.Key:
        return t.canonical_key(expression, self.parameters)

    # -------------------------------------------------------------- how it comes out

    def verdict(self, condition: t.Expression, facts: Facts = ()) -> bool | None:
        """How a condition always comes out where some facts are known; None when it depends."""
        match condition:
            case t.Literal(value):
                return value if isinstance(value, bool) else None
            case t.Not(value):
                found = self.verdict(value, facts)
                return None if found is None else not found
            case t.And() | t.Or():
                return self._joined(condition, facts)
            case t.Comparison(sign, one, other):
                if self._key(one) == self._key(other):
                    return sign in ("=", "<=", ">=")
                first, second = _number(one), _number(other)
                if first is not None and second is not None:
                    return _in_order((sign, second), [("=", first)])
        return self._by_facts(self._fact(condition, True), facts)

    def _joined(self, condition: t.And | t.Or, facts: Facts) -> bool | None:
        """Parts joined by `and` (or by `or`), each looked at where those before it hold (fail)."""
        is_and, open_parts = isinstance(condition, t.And), False
        for part in condition.parts:
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

    def known(self, text: t.Expression, facts: Facts = ()) -> Iterator[Known]:
        """The largest parts of a text that are conditions and always come out the same."""
        if text.type == TRUTH:
            found = self.verdict(text, facts)
            if found is not None:
                yield Known(text, found)
                return
        match text:
            case t.And(parts) | t.Or(parts):
                for part in parts:
                    yield from self.known(part, facts)
                    facts = (*facts, *self.facts(part, isinstance(text, t.And)))
            case t.Conditional(test, then, otherwise):
                yield from self.known(test, facts)
                yield from self.value(then, (*facts, *self.facts(test)))
                yield from self.value(otherwise, (*facts, *self.facts(test, False)))
            case _:
                for part in t.children(text):
                    yield from self.value(part, facts)

    def value(self, text: t.Expression, facts: Facts) -> Iterator[Known]:
        """The same for a text that may well be a plain `true` or `false`."""
        if not isinstance(text, t.Literal):
            yield from self.known(text, facts)


def _number(expression: t.Expression) -> int | None:
    found = expression.value if isinstance(expression, t.Literal) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _in_order(asked: Order, said: Sequence[Order | None]) -> bool | None:
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


def known_parts(rule: AnyRule, roles: Mapping[str, Role]) -> list[Known]:
    """The conditions of a rule, and parts of them, that always come out the same."""
    verdicts = Verdicts(roles)
    found: list[Known] = []
    known = verdicts.facts(rule.when)
    if rule.when is not None:
        found += verdicts.known(rule.when)
    if isinstance(rule, LinkedAmendment):
        return [*found, *verdicts.value(rule.value, known)]
    if isinstance(rule, LinkedAction):
        for _, source in rule.offer:
            found += verdicts.known(source)
        if rule.where is not None:
            found += verdicts.known(rule.where, known)
    for effect in effects_of(rule):
        # what a rule has done changes what is true: only the text itself counts here
        match effect:
            case t.If(test) | t.Stop(test) if test is not None:
                found += verdicts.known(test)
            case t.Draw(_, stack, where):
                found += verdicts.value(stack, ())
                found += [] if where is None else verdicts.known(where)
            case _:
                for part in t.children(effect):
                    found += verdicts.value(part, ())
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
    match amendment.value:
        case t.SetOf(members) if law == Law.UNION:
            return not members
        case t.Literal(value):
            return law in NEUTRAL and value == NEUTRAL[law]
    return False
