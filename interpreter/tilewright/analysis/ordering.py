"""Reports rules and steps whose order changes the result but is not declared.

`after` orders the rules at one step, the reactions on one event and the insertions at one place;
`after`, `before` and `order` order steps. Two rules without a declared order that do not commute
get one error with both places and the lines that order them. All remaining pairs commute.
Therefore every order that respects the declarations has the same result, and ids decide nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tilewright.analysis.conflicts import (
    MAX_CONFLICTS,
    Below,
    are_related,
    conflict_between,
    lower_first,
)
from tilewright.analysis.interference import why_order_matters, with_memory
from tilewright.analysis.members import Box
from tilewright.analysis.overlap import Situations
from tilewright.analysis.side_effects import Part, SideEffects
from tilewright.linking.game import (
    LinkedDefinition,
    LinkedEvent,
    LinkedRule,
    LinkedStep,
)
from tilewright.linking.toposort import closure
from tilewright.model.ruleset import Moments, Procedure
from tilewright.source.diagnostics import Conflict, Note, Reporter, all_of, one_of


class OrderExplainer:
    """Explains why the order of two rules of one game matters."""

    def __init__(self, side_effects: SideEffects, box: Box) -> None:
        self._side_effects = side_effects
        self._situations = Situations(box.roles)
        self._everything: frozenset[Part] = frozenset(
            (state, id_)
            for state, things in (
                ("figures", box.figures),
                ("companions", box.figures),
                ("tokens", box.tokens),
                ("stacks", box.stacks),
            )
            for id_ in things
        )

    def why(self, first: LinkedRule, second: LinkedRule) -> str:
        """The reason why the order of two rules matters, as text; empty when it does not."""
        side_effects = self._side_effects
        one, other = side_effects.of(first), side_effects.of(second)
        reason = why_order_matters(one, other, (first.id, second.id), self._everything)
        if not reason or first.when is None or second.when is None:
            return reason
        read_by_other = with_memory(one.writes) & side_effects.reads_of(second.when)
        if read_by_other or with_memory(other.writes) & side_effects.reads_of(first.when):
            return reason
        # never both: their conditions exclude each other, and neither rule can change that
        return reason if self._situations.may_meet(first, second) else ""

    def between(self, first: LinkedStep, second: LinkedStep) -> str:
        """The reason why the order of the rules at two steps matters; empty when it does not."""
        for rule in first.rules:
            for other in second.rules:
                reason = self.why(rule, other)
                if reason:
                    return reason
        return ""


def check_order(
    steps: Sequence[LinkedStep],
    earlier: Mapping[str, Iterable[str]],
    moments: Mapping[str, Moments],
    definitions: Mapping[str, LinkedDefinition],
    events: Mapping[str, LinkedEvent],
    procedures: Mapping[str, LinkedRule],
    box: Box,
    below: Below,
    reporter: Reporter,
) -> None:
    """Report rules and steps that do not commute and have no declared order.

    `earlier` has for each step the steps that are declared to come before it, `moments` those of
    each place that has some.
    """
    explainer = OrderExplainer(SideEffects(steps, definitions, events, procedures, box), box)
    for step in steps:
        known = moments.get(f"step {step.id}")
        _unordered(step.rules, f"at step `{step.id}`", known, explainer, below, reporter)
    for event in events.values():
        known = moments.get(f"event {event.id}")
        _unordered(event.reactions, f"on `{event.id}`", known, explainer, below, reporter)
    inserted: dict[str, list[LinkedRule]] = {}
    for procedure in procedures.values():
        if isinstance(procedure.rule, Procedure) and procedure.rule.beside:
            inserted.setdefault(procedure.rule.beside, []).append(procedure)
    for beside, rules in inserted.items():
        side, rule = beside.split()
        _unordered(rules, f"{side} `{rule}`", None, explainer, below, reporter)
    before = closure(earlier)
    for phase in ("setup", "turn", "final"):
        here = [step for step in steps if step.declaration.phase == phase]
        known = moments.get(phase)
        _unordered_steps(here, earlier, before, known, explainer, below, reporter)


class _Proposal(NamedTuple):
    """The moments that a rule or step without one could name."""

    free: tuple[str, ...]
    hint: str


def _proposal(moments: Moments, others: Iterable[tuple[str, str]]) -> _Proposal | None:
    """The moments that would put a rule or step in order with all others at its place.

    `others` has the moments of those whose order with it matters, and their ids.
    """
    at: dict[str, list[str]] = {}
    for name, id_ in others:
        at.setdefault(name, []).append(id_)
    names = moments.names
    free = [name for name in names if name not in at]
    if at.keys().isdisjoint(names) or not free:
        return None
    stand = "; ".join(
        f"at `{name}` there is {all_of(ids)}" for name, ids in at.items() if name in names
    )
    which = f"the moments that settle it are {one_of(free)}"
    if len(free) == 1:
        which = f"only the moment `{free[0]}` settles it"
    return _Proposal(tuple(free), f"{which}; {stand}")


# ------------------------------------------------------------------ rules


def _unordered(
    rules: Sequence[LinkedRule],
    where: str,
    moments: Moments | None,
    explainer: OrderExplainer,
    below: Below,
    reporter: Reporter,
) -> None:
    if len(rules) < 2:
        return
    waits = closure({rule.id: rule.rule.head.behind for rule in rules})
    count = 0
    proposed: set[str] = set()
    for i, rule in enumerate(rules):
        for other in rules[i + 1 :]:
            first, second = lower_first(rule, other, below)
            if first.id in waits[second.id] or second.id in waits[first.id]:
                continue
            reason = explainer.why(first, second)
            if not reason:
                continue
            if proposed & {first.id, second.id}:
                continue
            count += 1
            if count > MAX_CONFLICTS:
                message = (
                    f"there are more than {MAX_CONFLICTS} pairs of rules {where} without an order"
                )
                reporter.error("TW721", message, second.rule.head.span, hint="order those first")
                return
            message = f"{reason} {where}, and no order is declared"
            hint = (
                f"write `after: [{first.id}]` on `{second.id}`; for the other way round,"
                f" `order: [[{second.id}, {first.id}]]` in a file of rules"
            )
            hint = hint if are_related(first.ruleset, second.ruleset, below) else ""
            conflict = conflict_between(first, second, where, "after", Situations({}), below)
            reported, other_rule = second, first
            for each, beside in ((second, first), (first, second)):
                found = _for_rule(each, rules, moments, explainer)
                if found is not None:
                    proposed.add(each.id)
                    lines = f"- id: {each.id}\n  moment: {found.free[-1]}"
                    where_to = f"write in `{each.ruleset}`"
                    conflict = Conflict(conflict.situation, where_to, lines)
                    hint, reported, other_rule = found.hint, each, beside
                    break
            note = Note(other_rule.rule.head.span, f"`{other_rule.id}` is here")
            span = reported.rule.head.span
            reporter.error("TW721", message, span, notes=(note,), hint=hint, conflict=conflict)


def _for_rule(
    rule: LinkedRule,
    rules: Sequence[LinkedRule],
    moments: Moments | None,
    explainer: OrderExplainer,
) -> _Proposal | None:
    if moments is None or rule.rule.head.moment:
        return None
    others = ((each.rule.head.moment, each) for each in rules if each is not rule)
    taken = [(name, each.id) for name, each in others if name and explainer.why(each, rule)]
    return _proposal(moments, taken)


# ------------------------------------------------------------------ steps


def _unordered_steps(
    steps: Sequence[LinkedStep],
    earlier: Mapping[str, Iterable[str]],
    before: Mapping[str, Collection[str]],
    moments: Moments | None,
    explainer: OrderExplainer,
    below: Below,
    reporter: Reporter,
) -> None:
    """Report each step once for every ruleset whose steps may come before or after it.

    `before` has the steps before each one by `earlier`, directly or through others.
    """
    place = {step.id: number for number, step in enumerate(steps)}
    conflicts: dict[tuple[str, str], list[tuple[LinkedStep, LinkedStep, str]]] = {}
    for i, step in enumerate(steps):
        for other in steps[i + 1 :]:
            if step.id in before.get(other.id, ()) or other.id in before.get(step.id, ()):
                continue
            reason = explainer.between(step, other)
            if reason:
                first, second = lower_first(step, other, below)
                key = (second.id, first.ruleset)
                conflicts.setdefault(key, []).append((first, second, reason))
    number = 0
    proposed: set[str] = set()
    for found in conflicts.values():
        found = [each for each in found if proposed.isdisjoint((each[0].id, each[1].id))]
        if not found:
            continue
        # of several steps, report the nearest
        first, second, reason = min(
            found, key=lambda pair: abs(place[pair[0].id] - place[pair[1].id])
        )
        span = second.declaration.span
        if number == MAX_CONFLICTS:
            message = f"there are more than {MAX_CONFLICTS} pairs of steps without an order"
            reporter.error("TW765", message, span, hint="order those first")
            return
        number += 1
        message = f"{reason.rstrip(',')}, and no order of the steps"
        message += f" `{first.id}` and `{second.id}` is declared"
        conflict = _conflict(found, place, earlier, below)
        hint, reported, other = "", second, first
        for each, beside in ((second, first), (first, second)):
            proposal = _for_step(each, steps, moments, explainer)
            if proposal is not None:
                proposed.add(each.id)
                lines = f"steps:\n  {each.id}: {{moment: {proposal.free[-1]}}}"
                conflict = Conflict(conflict.situation, f"write in `{each.ruleset}`", lines)
                hint, reported, other = proposal.hint, each, beside
                break
        note = Note(other.declaration.span, f"step `{other.id}` is declared here")
        span = reported.declaration.span
        reporter.error("TW765", message, span, notes=(note,), hint=hint, conflict=conflict)


def _for_step(
    step: LinkedStep,
    steps: Sequence[LinkedStep],
    moments: Moments | None,
    explainer: OrderExplainer,
) -> _Proposal | None:
    if moments is None or step.declaration.moment:
        return None
    taken = []
    for each in steps:
        name = each.declaration.moment
        if each is not step and name and explainer.between(each, step):
            taken.append((name, each.id))
    # between the steps that it names itself
    known = step.declaration
    least = max((moments.rank(id_) or 0 for id_ in known.after), default=0)
    most = min((moments.rank(id_) or len(moments.order) for id_ in known.before), default=10**6)
    fitting = tuple(each for n, each in enumerate(moments.order) if least <= n <= most)
    return _proposal(replace(moments, order=fitting), taken)


def _conflict(
    found: Sequence[tuple[LinkedStep, LinkedStep, str]],
    place: Mapping[str, int],
    earlier: Mapping[str, Iterable[str]],
    below: Below,
) -> Conflict:
    """Lines that order a step with the steps of another ruleset that do not commute with it.

    They keep its present place. A step without a declared place goes before the step that changes
    the active player.
    """
    step, lower = found[0][1], found[0][0]
    there = place[step.id]
    others = sorted((first.id for first, _, _ in found), key=place.__getitem__)
    behind = [other for other in others if place[other] > there]
    ahead = [other for other in others if place[other] < there]
    both = dict.fromkeys((lower.ruleset, step.ruleset))
    situation = "every turn" if step.declaration.phase == "turn" else "every game"
    situation += ", in " + " with ".join(f"`{id_}`" for id_ in both)
    if not are_related(lower.ruleset, step.ruleset, below):
        chains = [f"  - [{ahead[-1]}, {step.id}]"] if ahead else []
        chains += [f"  - [{step.id}, {behind[0]}]"] if behind else []
        where = f"write into a file of `{step.ruleset}`, or of a house rule of your own"
        key_line = f"with: [{lower.ruleset}, {step.ruleset}]"
        lines = "\n".join((key_line, "order:", *chains))
        return Conflict(situation, where, f"{lines}  # the first goes first")
    after = [*step.declaration.after, *ahead[-1:]]
    before = [*step.declaration.before, *behind[:1]]
    if not earlier.get(step.id) and not step.declaration.before and ahead:
        after, before = ahead[-2:-1], ahead[-1:]
    lines = f"steps:\n  {step.id}:\n"
    lines += f"    after: [{', '.join(dict.fromkeys(after))}]\n" if after else ""
    lines += f"    before: [{', '.join(dict.fromkeys(before))}]" if before else ""
    return Conflict(situation, f"write in `{step.ruleset}`, or another place", lines.rstrip())
