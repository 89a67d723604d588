"""The order of rules and steps by the moments of their place: neither names the other.

A step or rule at a moment goes behind all those at earlier moments of its place. One that names no
moment is ordered by nothing here. Where authors order two of them directly, that order counts.
"""

from __future__ import annotations

from tilewright.language.builtin_rules import BUILTIN_EVENTS
from tilewright.language.source.diagnostics import Reporter, all_of, did_you_mean
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.rule_order import place_of, with_order
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import PHASES

#: the places that may have moments, by the kinds of places of rules
_KINDS = {"at step": "step", "on": "event", "an amendment of": "definition"}


def place_of_moments(rule: m.Rule) -> str:
    """The place of a rule as `moments` names it; empty for a rule that has none."""
    kind, name = place_of(rule)
    return f"{_KINDS[kind]} {name}" if kind in _KINDS else ""


def settle_moments(gathered: Gathered, selection: Selection, reporter: Reporter) -> None:
    """Fill in `behind` of every rule, and report moments and places that do not exist."""
    _check_places(gathered, selection, reporter)
    there: dict[str, list[tuple[int, str]]] = {}
    for id_, rule in gathered.rules.items():
        place = place_of_moments(rule)
        rank = rank_of(rule.head, place, gathered, reporter) if rule.head.moment else None
        if rank is not None:
            there.setdefault(place, []).append((rank, id_))
    earlier = {
        id_: [one for before, one in ranked if before < rank]
        for ranked in there.values()
        for rank, id_ in ranked
    }
    for id_, rule in gathered.rules.items():
        head = rule.head
        first = (one for one in earlier.get(id_, ()) if id_ not in gathered.rules[one].head.after)
        behind = tuple(sorted({*head.after, *first}))
        gathered.rules[id_] = with_order(rule, behind=behind)


def rank_of(
    declared: m.StepDecl | m.RuleHead, place: str, gathered: Gathered, reporter: Reporter
) -> int | None:
    """The number of the moment that a step or rule names; an unknown one is reported."""
    moments = gathered.moments.get(place)
    known = [id_ for id_, each in gathered.moments.items() if declared.moment in each.names]
    hint = f"`{declared.moment}` is a moment of {all_of(known)}" if known else ""
    if moments is None:
        message = f"`{place}` has no moments" if place else "moments do not order this rule"
        reporter.error("TW770", message, m.place_in(declared, "moment"), hint=hint)
        return None
    if declared.moment not in moments.names:
        message = f"`{place}` has no moment `{declared.moment}`"
        message += did_you_mean(declared.moment, moments.names)
        own = f"its moments are {all_of(moments.names)}"
        hint = f"{own}; {hint}" if hint else own
        reporter.error("TW770", message, m.place_in(declared, "moment"), hint=hint)
        return None
    return moments.rank(declared.moment)


def _check_places(gathered: Gathered, selection: Selection, reporter: Reporter) -> None:
    declared = {s.id: s for r in selection.rulesets for s in (r.entire or r).steps}
    steps = (f"step {step}" for step in gathered.steps)
    built_in = (event for event, *_ in BUILTIN_EVENTS)
    events = (f"event {id_}" for id_ in (*built_in, *gathered.events))
    definitions = gathered.definitions.values()
    chains = (f"definition {d.id}" for d in definitions if d.combine == m.Combine.CHAIN)
    known = {*PHASES, *steps, *events, *chains}
    for moments in gathered.moments.values():
        if moments.id not in known:
            message = f"moments of an unknown place `{moments.id}`"
            reporter.error("TW770", message + did_you_mean(moments.id, known), moments.span)
        for each in moments.order:
            if not isinstance(each, m.Moment):
                step = declared.get(each.id)
                if moments.id not in PHASES:
                    message = f"a step is among the moments of a phase, not of `{moments.id}`"
                    reporter.error("TW770", message, each.span)
                elif step is None:
                    message = f"unknown step `{each.id}`{did_you_mean(each.id, declared)}"
                    reporter.error("TW712", message, each.span)
                elif step.phase != moments.id:
                    message = f"`{step.id}` is a step of the {step.phase} phase"
                    reporter.error("TW713", message, each.span)
