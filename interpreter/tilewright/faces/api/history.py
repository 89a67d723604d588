"""The history of a match, move by move, computed by playing it again from its start."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tilewright.faces.api.events import Awarded, Event, awarded, event_of
from tilewright.faces.api.options import Option, option_at
from tilewright.language.locale.words import ENGLISH
from tilewright.play.match import Match
from tilewright.play.notation import seat_name
from tilewright.play.replay import LogError, fresh, moments
from tilewright.tools.explanation.score_log import Justification, Ledger, explained


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
    moves: list[tuple[int, str, str, Option]] = []
    events: list[list[Event]] = [[]]  # those of the setup, and then of each choice

    def listen(there: Match, name: str, facts: tuple[Any, ...]) -> None:
        event = event_of(there, name, facts)
        if event is not None and name != "choice":
            events[-1].append(event)

    with suppress(LogError):  # a rule cannot go on, as it could not in the match itself
        for moment in moments(fresh(match), match.log, listeners=(listen,)):
            there, option = moment.match, option_at(moment.match, moment.number)
            moves.append((there.turn, there.step, seat_name(there, moment.player), option))
            events.append([])
    after = zip(moves, events[1:], strict=True)
    return tuple(Move(n, *move, tuple(heard)) for n, (move, heard) in enumerate(after))


def awards_of(match: Match) -> tuple[ExplainedAward, ...]:
    """Every award of a match, each item with what its rule rests on."""
    ledger = Ledger()
    with suppress(LogError):
        for _ in moments(fresh(match), match.log, listeners=(ledger,)):
            pass
    found = []
    for award in ledger.awards:
        explanation = explained(match.program, award, ENGLISH)
        items = tuple(_basis(item.grounds) for item in explanation.items)
        found.append(ExplainedAward(awarded(match, award), _basis(explanation.by), items))
    return tuple(found)


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
