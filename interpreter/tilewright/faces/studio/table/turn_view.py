"""The steps of a turn for a page: which are done, which is now, and which had nothing to do."""

from __future__ import annotations

from collections.abc import Collection

from tilewright.faces.studio.protocol.table import Step, StepStatus
from tilewright.faces.studio.table.match_tree import MatchTree
from tilewright.language.locale.words import Words
from tilewright.play.match import Match
from tilewright.play.match_state import TURN


def steps_of(tree: MatchTree, language: str) -> list[Step]:
    """The steps of the phase, in their order, as far as the turn has come."""
    match = tree.match
    name = "setup" if match.phase < TURN else "turn" if match.phase == TURN else "final"
    steps = [step.declaration for step in match.program.game.phase(name)]
    order = [step.id for step in steps]
    at = order.index(match.step) if match.step in order else len(order)
    busy = _busy(tree, match)
    if busy is None:  # the turn began before the match was begun here
        busy = order
    found: list[Step] = []
    for number, step in enumerate(steps):
        status: StepStatus = "coming"
        if number == at:
            status = "now"
        elif number < at:
            status = "done" if step.id in busy else "skipped"
        why = Words(language)("studio.table_nothing") if status == "skipped" else ""
        label = step.label.get(language) or step.id
        found.append({"id": step.id, "label": label, "status": status, "why": why})
    return found


def _busy(tree: MatchTree, match: Match) -> Collection[str] | None:
    """The steps of this turn in which somebody chose or something happened; None where its begin
    is not known.
    """
    found: set[str] = set()
    for node in reversed(tree.path()):
        began = [n for n, event in enumerate(node.heard) if event["kind"] == "turn"]
        found.update(node.steps)
        if node.turn == match.turn:
            found.add(node.step)
        if began or node.turn != match.turn:
            return found
    return None
