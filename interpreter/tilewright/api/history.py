"""The history of a match, move by move, computed by playing it again from its start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright.api.events import Awarded, Event, awarded, event_of
from tilewright.api.options import Option, option_at
from tilewright.runtime.faults import RuleError
from tilewright.runtime.match import Match
from tilewright.runtime.match_state import Listener
from tilewright.runtime.notation import seat_name
from tilewright.runtime.replay import fresh, replayed
from tilewright.tools.explanation.points import Justification, explained
from tilewright.tools.explanation.score_log import Ledger


@dataclass(frozen=True, slots=True)
class Move:
    """One choice: the player, the turn and step, the option chosen, and its events."""

    number: int
    turn: int
    step: str
    player: str
    option: Option
    events: tuple[Event, ...]

    @property
    def text(self) -> str:
        """The move in a line, as scenarios write it: `red: lay 1,0 S`."""
        return f"{self.player}: {self.option.text}"


@dataclass(frozen=True, slots=True)
class Basis:
    """A rule and its grounds: its statements with their sources, and its changes with their
    reasons.
    """

    rule: str
    ruleset: str
    says: str
    file: str
    line: int
    statements: tuple[str, ...]
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExplainedAward:
    """Points that a player got: `by` is the rule that gave them, `items` has one basis for each of
    the items of the award, in their order."""

    award: Awarded
    by: Basis
    items: tuple[Basis, ...]


def moves_of(match: Match) -> tuple[Move, ...]:
    """Every choice of a match, in order."""
    moves: list[Move] = []
    events: list[Event] = []

    def listen(there: Match, name: str, facts: tuple[Any, ...]) -> None:
        event = event_of(there, name, facts)
        if event is not None and name != "choice":
            events.append(event)

    again = _at_first_decision(match, listen)
    for entry in match.log[len(again.log) :]:
        if entry < 0:
            continue
        events.clear()
        number, turn, step = len(moves), again.turn, again.step
        player, option = seat_name(again, again.to_move), option_at(again, entry)
        is_done = _chosen(again, entry)
        moves.append(Move(number, turn, step, player, option, tuple(events)))
        if not is_done:
            break
    return tuple(moves)


def awards_of(match: Match) -> tuple[ExplainedAward, ...]:
    """Every award of a match, each item with what its rule rests on."""
    ledger = Ledger()
    again = _at_first_decision(match, ledger)
    found = []
    for entry in match.log[len(again.log) :]:
        if entry >= 0 and not _chosen(again, entry):
            break
    for award in ledger.awards:
        explanation = explained(match.program, award)
        items = tuple(_basis(item.grounds) for item in explanation.items)
        found.append(ExplainedAward(awarded(match, award), _basis(explanation.by), items))
    return tuple(found)


def _chosen(match: Match, number: int) -> bool:
    """Choose; False where a rule cannot go on, as it could not in the match itself."""
    try:
        match.choose_number(number)
    except RuleError:
        return False
    return True


def _at_first_decision(match: Match, listener: Listener) -> Match:
    """A match at its first decision whose draws follow the log from there."""
    again = replayed(fresh(match), match.log, 0)
    again.forced_draws = [entry for entry in match.log[len(again.log) :] if entry < 0]
    again.listeners = (listener,)
    return again


def _basis(grounds: Justification) -> Basis:
    return Basis(
        grounds.rule,
        grounds.ruleset,
        grounds.says,
        grounds.place.file,
        grounds.place.line,
        tuple(cited.text() for cited in grounds.statements),
        grounds.changes,
    )
