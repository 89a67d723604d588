"""The steps of several games side by side: what is inserted, moved or missing, who decides what.

A step does what its rules do, with the procedures they perform and the reactions to what they
announce; definitions are compared elsewhere, as rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tilewright.language.terms import Deed, Term, terms_within
from tilewright.linking.game import Game, LinkedAction, LinkedRule, LinkedStep
from tilewright.linking.labels import rule_label
from tilewright.model.comparison import (
    Decision,
    Reason,
    State,
    StepCell,
    StepRow,
    Verdict,
)
from tilewright.model.ruleset import Labels
from tilewright.model.severity import Severity
from tilewright.tools.compare_law import RuleView
from tilewright.tools.compare_names import Names

_PHASES = ("setup", "turn", "final")


@dataclass(frozen=True, slots=True)
class TurnSide:
    """A game as the comparison of turns needs it: `own` are the rulesets that are compared."""

    game: Game
    own: frozenset[str]
    names: Names
    views: Mapping[str, RuleView]


@dataclass(frozen=True, slots=True)
class _Step:
    cell: StepCell
    law: tuple[str, ...]


def compare_turns(sides: Sequence[TurnSide]) -> tuple[StepRow, ...]:
    """The rows of all phases, aligned by the order in which things happen."""
    rows: list[StepRow] = []
    for phase in _PHASES:
        steps = [_steps(side, phase) for side in sides]
        rows += _align(phase, steps)
    return tuple(rows)


# ------------------------------------------------------------------ one step


def _steps(side: TurnSide, phase: str) -> dict[str, _Step]:
    return {
        side.names.of("step", step.id): _step(side, step, number)
        for number, step in enumerate(side.game.phase(phase), 1)
    }


def _step(side: TurnSide, step: LinkedStep, number: int) -> _Step:
    walk = _Walk(side.game, step)
    for rule in step.rules:
        walk.rule(rule, {})
    for action in step.actions:
        walk.seen.setdefault(action.id, None)
        walk.deeds(action.deeds, {}, action.id)
    rules = [side.names.of("rule", id_) for id_ in walk.seen]
    views = [side.views[id_] for id_ in rules if id_ in side.views]
    own = tuple(view.id for view in views if view.cell.ruleset in side.own)
    declared = step.declaration
    cell = StepCell(
        step.id, declared.label, number, step.ruleset in side.own,
        tuple(dict.fromkeys(walk.decisions)), own,
    )  # fmt: skip
    # the values that rules use are part of what they do
    values = {name for view in views for name in view.values}
    used = sorted(
        f"{side.names.of('value', v)} = {side.game.values[v].declaration.value}" for v in values
    )
    return _Step(cell, (*sorted(view.says for view in views), *used))


class _Walk:
    """Follows the deeds of a step into what they perform and announce."""

    def __init__(self, game: Game, step: LinkedStep) -> None:
        self.game = game
        self.step = step
        self.seen: dict[str, None] = {}
        self.decisions: list[Decision] = []

    def rule(self, rule: LinkedRule, who: Mapping[str, str]) -> None:
        if rule.id in self.seen:
            return
        self.seen[rule.id] = None
        self.deeds(rule.deeds, who, rule.id)

    def deeds(self, deeds: Sequence[Deed], who: Mapping[str, str], rule: str) -> None:
        """`who` says of names of players whose they are: active, each or other."""
        here = dict(who)
        for deed in deeds:
            match deed.op:
                case "let":
                    here[str(deed.data)] = _who(deed.terms[0], here)
                case "for":
                    inner = {**here, str(deed.data): _whose(deed.terms[0])}
                    self.deeds(deed.blocks[0], inner, rule)
                    continue
                case "choose":
                    optional, variable, label = deed.choice
                    called = rule_label(self.game, rule)
                    what = called if called.texts else Labels((("en", label or variable),))
                    chooser = _who(deed.terms[1], here)
                    self.decisions.append(Decision(chooser, what, bool(optional), rule))
                case "offer":
                    chooser = _who(deed.terms[0], here)
                    self.decisions += [_offered(chooser, a) for a in self.step.actions]
                case "perform":
                    performed = self.game.procedures.get(str(deed.data))
                    if performed is not None:
                        names = [name for name, _ in performed.parameters]
                        given = [_who(term, here) for term in deed.terms]
                        self.rule(performed, dict(zip(names, given, strict=False)))
                case "announce":
                    for reaction in self.game.events[str(deed.data)].reactions:
                        self.rule(reaction, {})
            for block in deed.blocks:
                self.deeds(block, here, rule)


def _offered(chooser: str, action: LinkedAction) -> Decision:
    head = action.rule.head
    label = head.label if head.label.texts else Labels((("en", action.rule.name),))
    return Decision(chooser, label, True, action.id)


def _who(term: Term, who: Mapping[str, str]) -> str:
    if term.data == "active" and term.op in ("global", "memory"):
        return "active"
    return who.get(str(term.data), "other") if term.op == "local" else "other"


def _whose(source: Term) -> str:
    return "each" if source.type.base == "player" and not _is_active(source) else "other"


def _is_active(source: Term) -> bool:
    parts = terms_within(source)
    return source.op == "set" and all(p.op == "set" or p.data == "active" for p in parts)


# ------------------------------------------------------------------ alignment


def _align(phase: str, sides: Sequence[Mapping[str, _Step]]) -> list[StepRow]:
    """One row for each step; a step that is elsewhere on another side is marked as moved."""
    order = list(sides[0])
    kept = set(order)
    for steps in sides[1:]:
        theirs = list(steps)
        matcher = SequenceMatcher(a=list(order), b=theirs, autojunk=False)
        in_line = {
            theirs[b + i] for _, b, size in matcher.get_matching_blocks() for i in range(size)
        }
        kept &= in_line | (set(order) - set(theirs))
        order = _merged(order, theirs, in_line)
    rows = []
    for id_ in order:
        found = [steps.get(id_) for steps in sides]
        cells = tuple(None if step is None else step.cell for step in found)
        rows.append(StepRow(phase, cells, _verdict(found, id_ in kept)))
    return rows


def _merged(order: list[str], theirs: list[str], in_line: set[str]) -> list[str]:
    """Their steps among ours: a new one comes right after the step it follows there."""
    merged = list(order)
    place = 0
    for id_ in theirs:
        if id_ in in_line:
            place = merged.index(id_) + 1
        elif id_ not in merged:
            merged.insert(place, id_)
            place += 1
    return merged


def _verdict(found: Sequence[_Step | None], is_in_line: bool) -> Verdict:
    there = [step for step in found if step is not None]
    if len(there) < len(found):
        later_has_none = found[0] is not None
        if later_has_none:
            return Verdict(State.ONLY, Severity.BREAKING, (Reason("gone"),))
        return Verdict(State.ONLY, Severity.BEHAVIOUR, (Reason("new"),))
    reasons: list[Reason] = []
    if any(step.law != there[0].law for step in there):
        names = sorted({r for s in there for r in s.cell.rules if _alone(r, there)})
        reasons.append(Reason("rules", tuple(names)))
    if not is_in_line:
        return Verdict(State.MOVED, Severity.BEHAVIOUR, (Reason("order"), *reasons))
    if reasons:
        return Verdict(State.DIFFERS, Severity.BEHAVIOUR, tuple(reasons))
    if any(step.cell.label != there[0].cell.label for step in there):
        return Verdict(State.REWORDED, Severity.TEXT, (Reason("words"),))
    return Verdict(State.SAME)


def _alone(rule: str, there: Sequence[_Step]) -> bool:
    return any(rule not in step.cell.rules for step in there)
