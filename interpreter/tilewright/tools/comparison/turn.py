"""The steps of several games side by side: what is inserted, moved or missing, who decides what.

A step does what its rules do, with the procedures they perform and the reactions to what they
announce; definitions are compared elsewhere, as rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilewright.language import builtins as p
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game, LinkedAction, LinkedRule, LinkedStep
from tilewright.rules.model.ruleset import NO_LABEL, Labels
from tilewright.tools.comparison.components import differ, missing, verdict_of
from tilewright.tools.comparison.sides import ComparedGame
from tilewright.view.results.comparison import (
    Decision,
    Reason,
    State,
    StepCell,
    StepRow,
    Verdict,
)
from tilewright.view.results.impact import Impact

_PHASES = ("setup", "turn", "final")


@dataclass(frozen=True, slots=True)
class _Step:
    cell: StepCell
    texts: Mapping[str, str]  # its rules and values as text, by id


def compare_turns(sides: Sequence[ComparedGame]) -> tuple[StepRow, ...]:
    """The rows of all phases, aligned by the order in which things happen."""
    rows: list[StepRow] = []
    shared = frozenset.intersection(*(frozenset(_rule_texts(side)) for side in sides))
    for phase in _PHASES:
        steps = [_steps(side, phase) for side in sides]
        rows += _align(phase, steps, shared)
    return tuple(rows)


def _rule_texts(side: ComparedGame) -> Iterator[str]:
    """The texts of a game's rules and values."""
    yield from (view.says for view in side.views.values())
    yield from (_value(side, id_) for id_ in side.values)


def _value(side: ComparedGame, id_: str) -> str:
    return f"{side.names.of('value', id_)} = {side.values[id_]}"


# ------------------------------------------------------------------ one step


def _steps(side: ComparedGame, phase: str) -> dict[str, _Step]:
    return {
        side.names.of("step", step.id): _step(side, step, number)
        for number, step in enumerate(side.game.phase(phase), 1)
    }


def _step(side: ComparedGame, step: LinkedStep, number: int) -> _Step:
    walk = _Walk(side.game, step)
    for rule in step.rules:
        walk.rule(rule, {})
    for action in step.actions:
        walk.seen.setdefault(action.id, None)
        walk.body(action.effects, {}, action.id)
    names = side.names
    rules = [names.of("rule", id_) for id_ in walk.seen]
    views = [side.views[id_] for id_ in rules if id_ in side.views]
    own = tuple(view.id for view in views if view.cell.ruleset in side.own_ids)
    declared = step.declaration
    cell = StepCell(
        step.id, declared.label, number, step.ruleset in side.own_ids,
        tuple(dict.fromkeys(walk.decisions)), own,
    )  # fmt: skip
    texts = {view.says: names.of("rule", view.id) for view in views}
    for id_ in {name for view in views for name in view.values}:
        texts[_value(side, id_)] = names.of("value", id_)
    return _Step(cell, texts)


class _Walk:
    """Follows the effects of a step into what they perform and announce."""

    def __init__(self, game: Game, step: LinkedStep) -> None:
        self.game = game
        self.step = step
        self.seen: dict[str, None] = {}
        self.decisions: list[Decision] = []

    def rule(self, rule: LinkedRule, who: Mapping[str, str]) -> None:
        if rule.id in self.seen:
            return
        self.seen[rule.id] = None
        self.body(rule.effects, who, rule.id)

    def body(self, body: t.Body, who: Mapping[str, str], rule: str) -> None:
        """`who` classifies player names: active, each or other."""
        here = dict(who)
        for effect in body:
            match effect:
                case t.Let(name, value):
                    here[name] = _who(value, here)
                case t.For(name, source, inside):
                    self.body(inside, {**here, name: _whose(source)}, rule)
                    continue
                case t.Choose(optional, variable, _, by, label):
                    called = self.game.labels.get(rule, NO_LABEL)
                    what = called if called.texts else Labels((("en", label or variable),))
                    self.decisions.append(Decision(_who(by, here), what, optional, rule))
                case t.Offer(by):
                    chooser = _who(by, here)
                    self.decisions += [_offered(chooser, a) for a in self.step.actions]
                case t.ProcedureCall(procedure, arguments) if procedure in self.game.procedures:
                    performed = self.game.procedures[procedure]
                    names = [name for name, _ in performed.parameters]
                    given = [_who(each, here) for each in arguments]
                    self.rule(performed, dict(zip(names, given, strict=False)))
                case t.Announce(event):
                    for reaction in self.game.events[event].reactions:
                        self.rule(reaction, {})
            for block in t.blocks(effect):
                self.body(block, here, rule)


def _offered(chooser: str, action: LinkedAction) -> Decision:
    head = action.rule.head
    label = head.label if head.label.texts else Labels((("en", action.rule.name),))
    return Decision(chooser, label, True, action.id)


def _who(player: t.Expression, who: Mapping[str, str]) -> str:
    if _is_active(player):
        return "active"
    return who.get(player.name, "other") if isinstance(player, t.Local) else "other"


def _whose(source: t.Expression) -> str:
    is_only_active = isinstance(source, t.SetOf) and all(map(_is_active, source.members))
    return "each" if source.type.base == "player" and not is_only_active else "other"


def _is_active(player: t.Expression) -> bool:
    return isinstance(player, t.Global) and player.builtin == p.ACTIVE


# ------------------------------------------------------------------ alignment


def _align(
    phase: str, sides: Sequence[Mapping[str, _Step]], shared: frozenset[str]
) -> list[StepRow]:
    """One row for each step; of the steps that all sides have, as few as can be have moved."""
    order = list(sides[0])
    moved: set[str] = set()
    for steps in sides[1:]:
        theirs = list(steps)
        stay = in_line(order, theirs, {id_ for id_ in theirs if steps[id_].cell.is_own})
        moved |= set(order) & set(theirs) - stay
        order = _merged(order, theirs, stay)
    rows = []
    for id_ in order:
        found = [steps.get(id_) for steps in sides]
        cells = tuple(None if step is None else step.cell for step in found)
        rows.append(StepRow(phase, cells, _verdict(found, id_ in moved, shared)))
    return rows


def in_line(ours: Sequence[str], theirs: Sequence[str], own: Collection[str]) -> set[str]:
    """The most steps that come in the same order on both sides.

    Where it could be these or those, steps stay that do not belong to what is compared.
    """
    place = {id_: i for i, id_ in enumerate(ours)}
    shared = [id_ for id_ in theirs if id_ in place]
    # for each step the best line that ends with it: how many, how many of others, which
    best: list[tuple[int, int, tuple[str, ...]]] = []
    for i, id_ in enumerate(shared):
        before = [line for j, line in enumerate(best[:i]) if place[shared[j]] < place[id_]]
        count, others, line = max(before, key=lambda found: found[:2], default=(0, 0, ()))
        best.append((count + 1, others + (id_ not in own), (*line, id_)))
    return set(max(best, key=lambda found: found[:2], default=(0, 0, ()))[2])


def _merged(order: list[str], theirs: list[str], stay: set[str]) -> list[str]:
    """Their steps among ours: a new one comes right after the step it follows there."""
    merged = list(order)
    place = 0
    for id_ in theirs:
        if id_ in stay:
            place = merged.index(id_) + 1
        elif id_ not in merged:
            merged.insert(place, id_)
            place += 1
    return merged


def _verdict(found: Sequence[_Step | None], has_moved: bool, shared: frozenset[str]) -> Verdict:
    there = [step for step in found if step is not None]
    absent = missing(found, Impact.BREAKING)
    if absent is not None:
        return absent
    reasons: list[Reason] = []
    common = set.intersection(*(set(step.texts) for step in there))
    other = {says: name for s in there for says, name in s.texts.items() if says not in common}
    # parts of all games come and go with the rule that performs them
    names = {name for says, name in other.items() if says not in shared} or set(other.values())
    if names:
        reasons.append(Reason("rules", tuple(sorted(names))))
    if differ([_decided(step) for step in there]):
        reasons.append(Reason("decides"))
    if has_moved:
        return Verdict(State.MOVED, Impact.BEHAVIOUR, (Reason("order"), *reasons))
    if reasons:
        return Verdict(State.DIFFERS, Impact.BEHAVIOUR, tuple(reasons))
    cells = [step.cell for step in there]
    return verdict_of(
        None,
        ([cell.id for cell in cells], State.REWORDED, Impact.TEXT, "renamed"),
        ([cell.label for cell in cells], State.REWORDED, Impact.TEXT, "words"),
    )


def _decided(step: _Step) -> list[tuple[str, bool]]:
    return [(decision.who, decision.is_optional) for decision in step.cell.decisions]
