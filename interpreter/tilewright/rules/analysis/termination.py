"""Checks that rules end: no cycle of definitions, and no cycle of procedures and events.

Loops run over finite sets and repeats are counted, therefore every rule without a cycle ends. The
depth of calls is limited too, because each call takes memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tilewright.language.builtins import VERB
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import Span
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import (
    LinkedAmendment,
    LinkedDefinition,
    LinkedEvent,
    LinkedRule,
)
from tilewright.rules.linking.toposort import bottom_up, circle
from tilewright.rules.linking.walk import (
    called,
    called_definition,
    callee_of,
    definition_expressions,
    roots_of,
)
from tilewright.rules.model.ruleset import Combine


def check(
    definitions: Mapping[str, LinkedDefinition],
    procedures: Mapping[str, LinkedRule],
    events: Mapping[str, LinkedEvent],
    reporter: Reporter,
) -> None:
    """Report one cycle of definitions and one of procedures and events, if there are any."""
    asks = {id_: _evaluated(definition) for id_, definition in definitions.items()}
    looped = circle(asks)
    if looped:
        first = definitions[looped[0]]
        span = first.amendments[0].rule.head.span if first.amendments else first.declaration.span
        names = " -> ".join(f"`{name}`" for name in (*looped, looped[0]))
        message = f"these definitions call each other in a cycle: {names}"
        hint = ""
        if len(looped) == 1:
            message = f"the definition `{looped[0]}` is defined by itself"
            hint = "give it a value of its own, or call a definition that does not call this one"
            if first.combine == Combine.ONE:
                hint += "; an amendment falls back with `if ... then ... else "
                hint += f"{first.id}({', '.join(name for name, _ in first.parameters)})`"
        reporter.error("TW719", message, _call_of(first, {*looped}) or span, hint=hint)
    calls: dict[str, Iterable[str]] = {}
    for id_, procedure in procedures.items():
        calls[f"procedure {id_}"] = called(procedure)
    for id_, event in events.items():
        calls[f"event {id_}"] = _called_on(event)
    looped = circle(calls)
    if looped:
        category, name = looped[0].split(" ", 1)
        rules = (procedures[name],) if category == "procedure" else events[name].reactions
        steps = [_as_written(step) for step in looped]
        names = " -> ".join(f"`{step}`" for step in (*steps, steps[0]))
        message = f"these call each other in a cycle: {names}"
        if len(looped) == 1:
            message = f"`{steps[0]}` calls itself"
        place = _starting(rules, looped[1 % len(looped)]) or rules[0].rule.head.place
        reporter.error("TW720", message, place, hint=_quietly(steps))
    if not reporter.has_errors:
        _check_depth(definitions, procedures, events, reporter)


#: the most nested calls and loops over sets; each takes a frame
MAX_DEPTH = 200


def _check_depth(
    definitions: Mapping[str, LinkedDefinition],
    procedures: Mapping[str, LinkedRule],
    events: Mapping[str, LinkedEvent],
    reporter: Reporter,
) -> None:
    """Report the deepest chain of calls, if it is too deep to run."""
    calls: dict[str, Mapping[str, int]] = {}
    spans: dict[str, Span] = {}
    for id_, definition in definitions.items():
        calls[f"definition {id_}"] = _deepest(definition)
        spans[f"definition {id_}"] = definition.declaration.span
    for id_, procedure in procedures.items():
        calls[f"procedure {id_}"] = _depths_in(procedure)
        spans[f"procedure {id_}"] = procedure.rule.head.span
    for id_, event in events.items():
        found: dict[str, int] = {}
        for reaction in event.reactions:
            for name, loops in _depths_in(reaction).items():
                found[name] = max(loops, found.get(name, 0))
            spans[f"event {id_}"] = reaction.rule.head.span
        calls[f"event {id_}"] = found
    depth: dict[str, int] = {}
    onward: dict[str, str] = {}
    for name in bottom_up(calls):
        below = [(depth.get(n, 0) + loops, n) for n, loops in sorted(calls[name].items())]
        most, onward[name] = max(below, default=(0, ""))
        depth[name] = 1 + most
    top = max(depth, key=lambda name: (depth[name], name), default="")
    if not top or depth[top] <= MAX_DEPTH:
        return
    chain = [top]
    while onward.get(chain[-1]):
        chain.append(onward[chain[-1]])
    names = [f"`{name.split(' ', 1)[1]}`" for name in chain]
    shown = " -> ".join((*names[:3], "...", names[-1]))
    message = (
        f"calls lie {depth[top]} deep inside one another: {shown}; at most {MAX_DEPTH} are allowed"
    )
    reporter.error("TW760", message, spans[top])


def _as_written(callee: str) -> str:
    """The effect that calls a procedure or announces an event, without brackets."""
    return callee.removeprefix("procedure ").replace("event ", "announce ", 1)


def _depths(roots: Iterable[t.Expression]) -> dict[str, int]:
    """The definitions that expressions call, each with the number of loops around the call."""
    found: dict[str, int] = {}
    waiting = [(root, 0) for root in roots]
    while waiting:
        here, loops = waiting.pop()
        callee = called_definition(here)
        if callee:
            found[f"definition {callee}"] = max(loops, found.get(f"definition {callee}", 0))
        inner = loops + isinstance(here, t.Quantifier)
        waiting += [(part, inner) for part in t.children(here)]
    return found


@kept_by_identity
def _deepest(definition: LinkedDefinition) -> Mapping[str, int]:
    """Like `_depths`, for the default and all amendments of a definition."""
    found = {} if definition.default is None else _depths((definition.default,))
    for amendment in definition.amendments:
        for name, loops in _depths_of(amendment).items():
            found[name] = max(loops, found.get(name, 0))
    return found


@kept_by_identity
def _depths_of(amendment: LinkedAmendment) -> Mapping[str, int]:
    return _depths(roots_of(amendment))


@kept_by_identity
def _evaluated(definition: LinkedDefinition) -> tuple[str, ...]:
    """The definitions that a definition evaluates itself, by id."""
    return tuple(
        sorted(set(filter(None, map(called_definition, definition_expressions(definition)))))
    )


@kept_by_identity
def _called_on(event: LinkedEvent) -> frozenset[str]:
    """The procedures and events that the reactions on an event use."""
    return frozenset().union(*map(called, event.reactions))


@kept_by_identity
def _depths_in(rule: LinkedRule) -> Mapping[str, int]:
    """Like `_depths`, for all definitions, procedures and events that a rule calls."""
    return {**_depths(roots_of(rule)), **dict.fromkeys(called(rule), 0)}


def _quietly(looped: Sequence[str]) -> str:
    """The verb to write when an event that verbs announce calls itself."""
    for verb in VERB.values():
        if verb.announces and f"announce {verb.announces}" in looped:
            verbs = [v for v in VERB.values() if v.changes == verb.changes]
            loud = [f"`{v.spoken}`" for v in verbs if v.announces]
            quiet = next(v for v in verbs if v.spoken.endswith("quietly"))
            parts = [f"{word} {types[0][0]}" for word, types, needed in quiet.parts if needed]
            return (
                f"{', '.join(loud)} announce{'s' * (len(loud) == 1)} `{verb.announces}`;"
                f" `{quiet.written(quiet.operand[0], *parts)}` does not: nothing follows from it"
            )
    return ""


def _call_of(definition: LinkedDefinition, callee: set[str]) -> Span | None:
    """The place in a definition that calls one of these definitions by name."""
    for each in definition_expressions(definition):
        if isinstance(each, t.DefinitionCall) and each.definition in callee:
            return each.span
    return None


def _starting(rules: Iterable[LinkedRule], callee: str) -> Span | None:
    """The place in one of these rules that starts a procedure or an event."""
    for rule in rules:
        for effect in t.walk_effects(rule.effects):
            if callee_of(effect) == callee:
                return effect.span
    return None
