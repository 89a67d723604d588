"""Reports rules and steps whose order changes the result but is not declared.

`after` orders the rules at one step, the reactions on one event and the insertions at one place;
`after`, `before` and `order` order steps. Two rules without a declared order that do not commute
get one error with both places and the lines that order them. All remaining pairs commute.
Therefore every order that respects the declarations has the same result, and ids decide nothing.

Two rules commute when neither writes what the other reads or writes. Points are an exception: they
add up in any order. Tokens are not: a common supply may run out between two gifts. A choice may
depend on an earlier choice or draw, and the end of the game cuts off every later effect.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from tilewright.language.source.diagnostics import Conflict, Note, Reporter, all_of, one_of
from tilewright.rules.analysis.conditions import Situations
from tilewright.rules.analysis.conflicts import (
    MAX_CONFLICTS,
    Below,
    are_related,
    conflict_between,
    lower_first,
    marked_names,
)
from tilewright.rules.analysis.members import Box
from tilewright.rules.analysis.side_effects import (
    ADDED,
    CHANCE,
    CHOICE,
    END,
    END_AT_ONCE,
    POINTS,
    AccessSets,
    Part,
    SideEffects,
)
from tilewright.rules.linking.game import LinkedDefinition, LinkedEvent, LinkedRule, LinkedStep
from tilewright.rules.linking.toposort import closure
from tilewright.rules.model.ruleset import Moments, Procedure

_Placed = TypeVar("_Placed", LinkedRule, LinkedStep)


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


def _proposal(
    moments: Moments, others: Iterable[tuple[str, str]], is_beside_step: bool
) -> _Proposal | None:
    """The moments that would put a rule or step in order with all others at its place.

    `others` has the moments of those whose order with it matters, and their ids; `is_beside_step`
    if the other one of the pair is a step that the moments themselves name.
    """
    at: dict[str, list[str]] = {}
    for name, id_ in others:
        at.setdefault(name, []).append(id_)
    names = moments.names
    free = [name for name in names if name not in at]
    if (at.keys().isdisjoint(names) and not is_beside_step) or not free:
        return None
    stand = "; ".join(
        f"at `{name}` there is {all_of(ids)}" for name, ids in at.items() if name in names
    )
    which = f"the moments that settle it are {one_of(free)}"
    if len(free) == 1:
        which = f"only the moment `{free[0]}` settles it"
    return _Proposal(tuple(free), f"{which}; {stand}" if stand else which)


def _first_settled(
    pair: tuple[_Placed, _Placed],
    there: Sequence[_Placed],
    moments: Moments | None,
    why: Callable[[_Placed, _Placed], str],
    before: Mapping[str, Collection[str]],
) -> tuple[_Placed, _Placed, _Proposal] | None:
    """That one of a pair that a moment would put in order with all at its place, the other one, and
    the moments. The second one comes first. `before` has those that are declared to go before each
    one: where two are in order already, their moments do not count.
    """
    for each, beside in (pair[::-1], pair):
        if moments is None or _moment_of(each) or moments.rank(each.id) is not None:
            continue
        others = [
            (_moment_of(other), other)
            for other in there
            if other is not each
            and other.id not in before.get(each.id, ())
            and each.id not in before.get(other.id, ())
        ]
        taken = [(name, other.id) for name, other in others if name and why(other, each)]
        is_beside_step = moments.rank(beside.id) is not None
        found = _proposal(_within(each, moments), taken, is_beside_step)
        if found is not None:
            return each, beside, found
    return None


def _moment_of(each: LinkedRule | LinkedStep) -> str:
    return each.declaration.moment if isinstance(each, LinkedStep) else each.rule.head.moment


def _within(each: LinkedRule | LinkedStep, moments: Moments) -> Moments:
    """The moments between the steps that a step names itself; all of them for a rule."""
    if isinstance(each, LinkedRule):
        return moments
    after, before = ([n for n in map(moments.rank, ids) if n is not None]
                     for ids in (each.declaration.after, each.declaration.before))  # fmt: skip
    order = moments.order[max(after, default=0) : min(before, default=len(moments.order))]
    return replace(moments, order=order)


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
            if proposed & {first.id, second.id}:  # a moment that is proposed already settles it
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
            if not are_related(first.ruleset, second.ruleset, below):
                hint = f"in a house rule of your own, `with: [{first.ruleset}, {second.ruleset}]`"
                hint += f" and `order: [[{first.id}, {second.id}]]`"
            conflict = conflict_between(first, second, where, "after", Situations({}), below)
            settled = _first_settled((first, second), rules, moments, explainer.why, waits)
            if settled is not None:
                second, first, found = settled
                proposed.add(second.id)
                lines = f"- id: {second.id}\n  moment: {found.free[-1]}"
                conflict = Conflict(conflict.situation, f"write in `{second.ruleset}`", lines)
                hint = found.hint
            note = Note(first.rule.head.span, f"`{first.id}` is here")
            span = second.rule.head.span
            reporter.error("TW721", message, span, notes=(note,), hint=hint, conflict=conflict)


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
        found = [pair for pair in found if proposed.isdisjoint((pair[0].id, pair[1].id))]
        if not found:  # a moment that is proposed already settles them
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
        hint = ""
        settled = _first_settled((first, second), steps, moments, explainer.between, before)
        if settled is not None:
            second, first, proposal = settled
            proposed.add(second.id)
            lines = f"steps:\n  {second.id}: {{moment: {proposal.free[-1]}}}"
            conflict = Conflict(conflict.situation, f"write in `{second.ruleset}`", lines)
            hint = proposal.hint
        note = Note(first.declaration.span, f"step `{first.id}` is declared here")
        span = second.declaration.span
        reporter.error("TW765", message, span, notes=(note,), hint=hint, conflict=conflict)


def _conflict(
    found: Sequence[tuple[LinkedStep, LinkedStep, str]],
    place: Mapping[str, int],
    earlier: Mapping[str, Iterable[str]],
    below: Below,
) -> Conflict:
    """Lines that order a step with the steps of another ruleset that do not commute with it.

    They keep its present place. A step of the turn without a declared place goes before the step
    that changes the active player.
    """
    step, lower = found[0][1], found[0][0]
    there = place[step.id]
    others = sorted((first.id for first, _, _ in found), key=place.__getitem__)
    behind = [other for other in others if place[other] > there]
    ahead = [other for other in others if place[other] < there]
    both = dict.fromkeys((lower.ruleset, step.ruleset))
    situation = "every turn" if step.declaration.phase == "turn" else "every game"
    situation += ", in " + " with ".join(f"`{id_}`" for id_ in both)
    after = [*step.declaration.after, *ahead[-1:]]
    before = [*step.declaration.before, *behind[:1]]
    is_placed = earlier.get(step.id) or step.declaration.before
    if step.declaration.phase == "turn" and not is_placed and ahead:
        after, before = ahead[-2:-1], ahead[-1:]
    lines = f"steps:\n  {step.id}:\n"
    is_related = are_related(lower.ruleset, step.ruleset, below)
    absent = (*step.declaration.optional, *(() if is_related else others))
    lines += f"    after: [{marked_names(after, absent)}]\n" if after else ""
    lines += f"    before: [{marked_names(before, absent)}]" if before else ""
    return Conflict(situation, f"write in `{step.ruleset}`, or another place", lines.rstrip())


#: parts that two rules may both write in any order
_ADDS_UP = frozenset((POINTS, CHANCE))
_ENDS = frozenset((END, END_AT_ONCE))
_FLOW = frozenset((CHOICE, CHANCE))


def why_order_matters(
    first: AccessSets, second: AccessSets, names: tuple[str, str], everything: frozenset[Part]
) -> str:
    """The reason why the order of two rules matters, as the start of a sentence; "" if it does not.

    `everything` holds all figures, tokens and stacks of the game: a complete set is not listed.
    """
    one, other = names
    changes = with_memory(first.writes), with_memory(second.writes)
    added = {("memory", id_) for state, id_ in first.writes & second.writes if state == ADDED}
    added -= first.writes | second.writes
    both = (changes[0] & changes[1]) - added - _ADDS_UP - _FLOW - _ENDS
    if both:
        return f"`{one}` and `{other}` both change {_words(both, everything)}"
    for written, by, writer, reader in (
        (changes[0], second, one, other),
        (changes[1], first, other, one),
    ):
        read = written & by.reads
        if read:
            words = _words(read, everything, quoted=True)
            return f"`{writer}` changes {words}, which `{reader}` reads,"
    for mine, theirs, writer, reader in (
        (first, second, one, other),
        (second, first, other, one),
    ):
        ends = mine.writes & _ENDS
        if ends and theirs.writes - ends:
            rest = with_memory(theirs.writes) - _FLOW - _ENDS
            what = f"changes {_words(rest, everything)}" if rest else "may end it at once"
            what = "lets a player choose" if not rest and CHOICE in theirs.writes else what
            return f"`{writer}` may end the game, and `{reader}` {what}"
    if CHOICE in first.writes & second.writes:
        return f"`{one}` and `{other}` both let a player choose"
    for mine, theirs, writer, reader in (
        (first, second, one, other),
        (second, first, other, one),
    ):
        if CHANCE in mine.writes and CHOICE in theirs.writes:
            return f"`{writer}` draws pieces, and `{reader}` lets a player choose"
    return ""


def with_memory(parts: Iterable[Part]) -> set[Part]:
    """The parts that are written, with memory that is only added to like any other."""
    return {("memory", id_) if state == ADDED else (state, id_) for state, id_ in parts}


def _words(parts: Iterable[Part], everything: frozenset[Part], *, quoted: bool = False) -> str:
    """A list of parts of a match as text; memory is named by its id."""
    by_state: dict[str, list[str]] = {}
    for state, id_ in sorted(parts):
        by_state.setdefault(state, []).append(id_)
    found: list[str] = []
    for state, ids in by_state.items():
        if state == "memory":
            found += [f"`{id_}`" if quoted else id_ for id_ in ids]
        elif ids == [""] or {i for s, i in everything if s == state} <= {*ids}:
            found.append(state)
        else:
            found += [f"{_OF[state]} {id_}" for id_ in ids]
    return ", ".join(found)


_OF = {
    "figures": "figures of",
    "companions": "companions of",
    "tokens": "tokens of",
    "stacks": "stack",
}
