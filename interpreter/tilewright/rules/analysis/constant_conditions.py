"""Finds conditions that are always true or always false, and amendments that never apply.

It reasons with the facts of `conditions.py`, which is enough for typical mistakes. Conditions that
facts cannot decide are not reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tilewright.language.types import TRUTH
from tilewright.language.typing import typed_ast as t
from tilewright.rules.analysis.conditions import Fact, decided, fact_of, kind_of, number_in
from tilewright.rules.linking.elaborate.fallbacks import NEVER
from tilewright.rules.linking.game import NEUTRAL, LinkedAction, LinkedAmendment, LinkedDefinition
from tilewright.rules.linking.walk import AnyRule, effects_of
from tilewright.rules.model.ruleset import Combine, Role

Facts = tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A part of a condition, and its constant value."""

    term: t.Expression
    holds: bool


class Verdicts:
    """Decides the conditions of one rule; `parameters` are known by index, not by name."""

    def __init__(self, roles: Mapping[str, Role], parameters: Iterable[str] = ()) -> None:
        self.roles = roles
        self.places = {name: place for place, name in enumerate(parameters)}

    # -------------------------------------------------------------- facts

    def facts(self, condition: t.Expression | None, holds: bool = True) -> Facts:
        """The facts that are known when a condition holds or (`holds` false) fails."""
        match condition:
            case None | t.Literal():
                return ()
            case t.Not(value):
                return self.facts(value, not holds)
            case t.And(parts) | t.Or(parts):
                is_and = isinstance(condition, t.And)
                found = (self.facts(part, holds) for part in parts if is_and is holds)
                return tuple(fact for each in found for fact in each)
        return (fact_of(condition, holds, self.places),)

    # -------------------------------------------------------------- verdicts

    def verdict(self, condition: t.Expression, facts: Facts = ()) -> bool | None:
        """The constant value of a condition under some facts; None when it is not constant."""
        match condition:
            case t.Literal(value):
                return value if isinstance(value, bool) else None
            case t.Not(value):
                found = self.verdict(value, facts)
                return None if found is None else not found
            case t.And() | t.Or():
                return self._joined(condition, facts)
            case t.Comparison(sign, one, other):
                subject = kind_of(one, self.places)
                if subject == kind_of(other, self.places):
                    return sign in ("=", "<=", ">=")
                number = number_in(one)
                if number is not None and number_in(other) is not None:
                    facts = (Fact(True, subject, None, (number, number)),)
        return decided(fact_of(condition, True, self.places), facts, self.roles)

    def _joined(self, condition: t.And | t.Or, facts: Facts) -> bool | None:
        """The parts of an `and` (or `or`), each with the facts of the parts before it."""
        is_and, open_parts = isinstance(condition, t.And), False
        for part in condition.parts:
            found = self.verdict(part, facts)
            if found is (not is_and):
                return found
            open_parts = open_parts or found is None
            facts = (*facts, *self.facts(part, is_and))
        return None if open_parts else is_and

    # -------------------------------------------------------------- all parts of an expression

    def known(self, text: t.Expression, facts: Facts = ()) -> Iterator[Known]:
        """The largest constant conditions inside an expression."""
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
        """Like `known`, for an expression that may itself be a plain `true` or `false`."""
        if not isinstance(text, t.Literal):
            yield from self.known(text, facts)


# ------------------------------------------------------------------ rules


def known_parts(rule: AnyRule, roles: Mapping[str, Role]) -> list[Known]:
    """The constant conditions of a rule and constant parts of its conditions."""
    verdicts = Verdicts(roles)
    found: list[Known] = []
    if rule.when is NEVER:
        return found  # it always falls back, which `is_neutral` reports
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
        # effects of a rule change the facts: decide without facts from earlier conditions
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
    """Amendments that never apply, each with one of its ruleset that always takes precedence."""
    if definition.combine != Combine.ONE:
        return
    for below in definition.amendments:
        facts = Verdicts(roles, below.parameters).facts(below.when)
        for above in definition.amendments:
            one, other = above.rule.head, below.rule.head
            if above.ruleset != below.ruleset or other.id not in one.over:
                continue
            required = {mention.id for mention in other.with_}
            is_always_there = set(one.option) <= set(other.option)
            if not is_always_there or not {mention.id for mention in one.with_} <= required:
                continue
            verdicts = Verdicts(roles, above.parameters)
            if above.when is None or verdicts.verdict(above.when, facts) is True:
                yield below, above
                break


def is_neutral(amendment: LinkedAmendment, combine: Combine) -> bool:
    """Whether an amendment always gives the neutral value of its `combine`, or falls back."""
    if amendment.when is NEVER:
        return True
    match amendment.value:
        case t.Local(name) if combine == Combine.CHAIN:
            return name == amendment.parameters[-1]
        case t.SetOf(members) if combine == Combine.UNION:
            return not members
        case t.Literal(value):
            return combine in NEUTRAL and value == NEUTRAL[combine]
    return False
