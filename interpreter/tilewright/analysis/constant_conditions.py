"""Conditions whose answer is known beforehand: parts that always hold, or never do.

What facts say of one thing (`conditions.py`) is enough for slips; what cannot be decided so is left
alone. The same reasoning tells which of two answers to a question never gets a word in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tilewright.analysis.conditions import Fact, decided, fact_of, kind_of, number_in
from tilewright.language import typed_ast as t
from tilewright.language.types import TRUTH
from tilewright.linking.game import NEUTRAL, LinkedAction, LinkedAmendment, LinkedDefinition
from tilewright.linking.walk import AnyRule, effects_of
from tilewright.model.ruleset import Law, Role

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
        self.places = {name: place for place, name in enumerate(parameters)}

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
        return (fact_of(condition, holds, self.places),)

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
                question = kind_of(one, self.places)
                if question == kind_of(other, self.places):
                    return sign in ("=", "<=", ">=")
                number = number_in(one)
                if number is not None and number_in(other) is not None:
                    facts = (Fact(True, question, None, (number, number)),)
        return decided(fact_of(condition, True, self.places), facts, self.roles)

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
