"""Nothing asks itself: no circle of definitions, none of procedures and events.

Together with loops over finite sets and counted repeats this makes every rule come to an end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tilewright.language.primitives import VERB
from tilewright.language.terms import Deed, Term, deeds_within, terms_of, terms_within
from tilewright.linking.game import LinkedDefinition, LinkedEvent, LinkedRule, LinkedStep
from tilewright.linking.order import circle
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Span


def check(
    definitions: Mapping[str, LinkedDefinition],
    procedures: Mapping[str, LinkedRule],
    events: Mapping[str, LinkedEvent],
    reporter: Reporter,
) -> None:
    """Report one circle of questions and one of procedures and events, if there are any."""
    asks = {
        id_: {str(t.data) for t in definition_terms(d) if t.op == "answer"}
        | _implied(definition_terms(d))
        for id_, d in definitions.items()
    }
    looped = circle(asks)
    if looped:
        first = definitions[looped[0]]
        span = first.amendments[0].rule.head.span if first.amendments else first.declaration.span
        names = " -> ".join(f"`{name}`" for name in (*looped, looped[0]))
        message = f"these definitions ask each other in a circle: {names}"
        hint = ""
        if len(looped) == 1:
            message = f"to answer `{looped[0]}`, `{looped[0]}` itself must be asked"
            hint = "say what it is made of, or ask a question that this one does not answer"
        reporter.error("TW719", message, _asker(first, {*looped}) or span, hint=hint)
    calls: dict[str, set[str]] = {}
    for id_, procedure in procedures.items():
        calls[f"do {id_}"] = _called(procedure.deeds)
    for id_, event in events.items():
        calls[f"announce {id_}"] = set().union(*(_called(r.deeds) for r in event.reactions))
    looped = circle(calls)
    if looped:
        word, name = looped[0].split(" ", 1)
        rule = procedures[name] if word == "do" else events[name].reactions[0]
        names = " -> ".join(f"`{step}`" for step in (*looped, looped[0]))
        message = f"these set each other off in a circle: {names}"
        if len(looped) == 1:
            message = f"`{looped[0]}` sets itself off"
        reporter.error("TW720", message, rule.rule.head.span, hint=_quietly(looped))


def _quietly(looped: Sequence[str]) -> str:
    """The verb to write where an event that verbs announce sets itself off."""
    for verb in VERB.values():
        if verb.announces and f"announce {verb.announces}" in looped:
            quiet = [v for v in VERB.values() if v.changes == verb.changes and not v.announces]
            same = next((v for v in quiet if not v.parts), None)
            if same is not None:
                loud = ", ".join(f"`{v.name}`" for v in VERB.values() if v.announces)
                return (
                    f"{loud} announce `{verb.announces}`;"
                    f" `{same.name} f` does not: nothing follows from it"
                )
    return ""


def _asker(definition: LinkedDefinition, asked: set[str]) -> Span | None:
    """The place in an answer at which one of some questions is asked by name."""
    for term in definition_terms(definition):
        if term.op == "answer" and term.data in asked:
            return term.span
    return None


def _implied(terms: list[Term]) -> set[str]:
    """What a question asks without naming it: `placements` and `playable` ask `may_lay`."""
    for term in terms:
        if term.op == "function" and term.data == "placements":
            return {"may_lay"}
        if term.op == "attribute" and term.data == "playable":
            return {"may_lay"}
    return set()


def _called(deeds: tuple[Deed, ...]) -> set[str]:
    found: set[str] = set()
    for deed in deeds_within(deeds):
        if deed.op == "perform":
            found.add(f"do {deed.data}")
        elif deed.op == "announce":
            found.add(f"announce {deed.data}")
        elif deed.op == "verb":
            verb = VERB[deed.verb[0]]
            if verb.announces:
                found.add(f"announce {verb.announces}")
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
