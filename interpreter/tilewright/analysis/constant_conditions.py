"""Conditions whose answer is known beforehand: parts that always hold, or never do.

What facts say of one thing (`conditions.py`) is enough for slips; what cannot be decided so is left
alone. The same reasoning tells which of two answers to a question never gets a word in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tilewright.analysis.conditions import Fact, decided, fact_of, number_in, shape
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
        self.places = {name: place for place, name in enumerate(parameters)}

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
        return (fact_of(term, holds, self.places),)

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
                if shape(one, self.places) == shape(other, self.places):
                    return term.data in ("=", "<=", ">=")
                number = number_in(one)
                if number is not None and number_in(other) is not None:
                    question = "kind of " + shape(one, self.places)
                    facts = (Fact(True, question, None, (number, number)),)
        return decided(fact_of(term, True, self.places), facts, self.roles)

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
