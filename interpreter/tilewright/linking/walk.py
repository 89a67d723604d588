"""Everything that the parts of a game ask, do and announce: one walk for all who look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tilewright.language.builtins import VERB
from tilewright.language.dependencies import implied_by
from tilewright.language.typed_ast import Deed, Term, deeds_within, terms_of, terms_within
from tilewright.linking.game import Deeds, LinkedDefinition, LinkedEvent, LinkedRule, LinkedStep


def asked_by(term: Term) -> str:
    """The definition that a term asks, also without naming it; empty where it asks none."""
    return str(term.data) if term.op == "answer" else implied_by(term)


def asked_in(terms: Iterable[Term]) -> set[str]:
    """The definitions that some terms ask, as `ask` and their ids; parts are not looked into."""
    return {f"ask {asked}" for term in terms if (asked := asked_by(term))}


def called_in(rule: LinkedRule) -> set[str]:
    """All that a rule asks, does or tells, as `ask`, `do` or `tell` and an id."""
    terms = terms_of(rule.deeds) + (terms_within(rule.when) if rule.when is not None else [])
    return asked_in(terms) | called(rule.deeds)


def called(deeds: tuple[Deed, ...]) -> set[str]:
    """What some effects do or tell, as `do` or `tell` and an id."""
    found: set[str] = set()
    for deed in deeds_within(deeds):
        if deed.op == "perform":
            found.add(f"do {deed.data}")
        elif deed.op == "announce":
            found.add(f"tell {deed.data}")
        elif deed.op == "verb":
            verb = VERB[deed.verb[0]]
            if verb.announces:
                found.add(f"tell {verb.announces}")
    return found


def definition_terms(definition: LinkedDefinition) -> list[Term]:
    """Every term of a definition and its amendments."""
    found: list[Term] = []
    if definition.otherwise is not None:
        found += terms_within(definition.otherwise)
    for amendment in definition.amendments:
        if amendment.when is not None:
            found += terms_within(amendment.when)
        found += terms_within(amendment.value)
    return found


def all_terms(
    steps: Sequence[LinkedStep],
    definitions: Mapping[str, LinkedDefinition],
    events: Mapping[str, LinkedEvent],
    procedures: Mapping[str, LinkedRule],
) -> Iterator[Term]:
    """Every term of a game."""
    for definition in definitions.values():
        yield from definition_terms(definition)
    rules = [*procedures.values(), *(r for e in events.values() for r in e.reactions)]
    for step in steps:
        rules += step.rules
        for action in step.actions:
            for _, source in action.offer:
                yield from terms_within(source)
            for term in (action.when, action.where):
                if term is not None:
                    yield from terms_within(term)
            yield from terms_of(action.deeds)
    for rule in rules:
        if rule.when is not None:
            yield from terms_within(rule.when)
        yield from terms_of(rule.deeds)


def bodies_of(
    steps: Iterable[LinkedStep],
    events: Iterable[LinkedEvent],
    procedures: Iterable[LinkedRule],
) -> list[Deeds]:
    """The deeds of every rule of a game."""
    bodies = [p.deeds for p in procedures]
    bodies += [r.deeds for e in events for r in e.reactions]
    for step in steps:
        bodies += [r.deeds for r in step.rules]
        bodies += [a.deeds for a in step.actions]
    return bodies
