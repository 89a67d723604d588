"""Replay of a match from its log, up to any of its decisions.

Rules, players, seed and log determine the whole match: choices are numbers from zero, draws the
negative numbers ~index. Only matches from the beginning can be replayed; a match that started from
a set-up position is detected by the end of its replay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tilewright.runtime.faults import RuleError
from tilewright.runtime.match import Match
from tilewright.runtime.match_state import Listener
from tilewright.runtime.new_match import begin
from tilewright.runtime.notation import option_texts, seat_name
from tilewright.runtime.program import Program
from tilewright.source.about import VERSION
from tilewright.source.diagnostics import Reporter
from tilewright.tools.persistence.saves import Save, resumed


class LogError(Exception):
    """A log that does not fit the rules: a choice that is not allowed, another draw.

    `cause` is the fault of a rule, where one could not be carried out.
    """

    def __init__(self, message: str, cause: RuleError | None = None) -> None:
        super().__init__(message)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision of a match and its choice.

    `match` is at the decision and continues with the replay: fork it to keep it. `at` is the length
    of the log before the choice.
    """

    at: int
    player: int
    decision: str
    option: str
    match: Match
    number: int  # of the option, from zero


def replayed(
    program: Program,
    players: int,
    seed: int | str,
    first: int,
    log: Sequence[int],
    upto: int | None = None,
    *,
    listeners: tuple[Listener, ...] = (),
) -> Match:
    """The match after a log, or at the first decision after `upto` entries of it.

    Raises LogError when the rules do not lead along this log, or the game is not for so many
    players.
    """
    replay = _Replay(program, players, seed, first, log, listeners)
    return replay.go_to(len(log) if upto is None else upto)


def replayed_again(match: Match, upto: int | None = None) -> Match:
    """A new match, played by the log of this one. Raises LogError."""
    players = len(match.players)
    return replayed(match.program, players, match.seed, match.first_player, match.log, upto)


def moments(
    program: Program,
    players: int,
    seed: int | str,
    first: int,
    log: Sequence[int],
    *,
    listeners: tuple[Listener, ...] = (),
) -> Iterator[Moment]:
    """Every decision of a log with its choice, in order, just before the choice is made."""
    replay = _Replay(program, players, seed, first, log, listeners)
    match = replay.match
    while replay.seen < len(log):
        number = replay.next_choice()
        option = option_texts(match)[number]
        yield Moment(replay.seen, match.to_move, decision_text(match), option, match, number)
        replay.choose()


def decision_text(match: Match) -> str:
    """The player who must choose, and the step: `red at lay_tile`."""
    if match.to_move < 0:
        return "the game is over" if match.is_over else "nobody has to choose"
    return f"{seat_name(match, match.to_move)} at {match.step}"


def undone(match: Match, player: int | None = None) -> Match | None:
    """The match at the latest decision that was made, or that a player made; None without one.

    Raises LogError for a match that cannot be played again.
    """
    found = None
    replay = _Replay(
        match.program, len(match.players), match.seed, match.first_player, match.log, ()
    )
    again = replay.match
    while replay.seen < len(match.log):
        if player is None or again.to_move == player:
            found = replay.seen
        replay.choose()
    if again.digest() != match.digest():
        raise LogError("the match did not begin at the beginning and cannot be played again")
    return None if found is None else replayed_again(match, found)


def proven(save: Save, program: Program, *, listeners: tuple[Listener, ...] = ()) -> Match:
    """The match of a save, played again, which ends at the position that was saved.

    Works for saves of other versions, and under changed rules as long as every choice is still
    offered and comes to the same. Raises LogError where it does not end there, or cannot be played
    again.
    """
    match = replayed(program, save.players, save.seed, save.first, save.log, listeners=listeners)
    if match.digest() != save.digest:
        raise LogError("the choices do not lead to the saved state")
    if save.version == VERSION:
        # the digest may be that of the choices, and other facts of the save not
        reporter = Reporter()
        if resumed(save, program, reporter) is None:
            raise LogError(reporter.diagnostics[0].message)
    return match


class _Replay:
    """A match that is being replayed from a log."""

    def __init__(
        self,
        program: Program,
        players: int,
        seed: int | str,
        first: int,
        log: Sequence[int],
        listeners: tuple[Listener, ...],
    ) -> None:
        game = program.game
        refused = game.refusal(players)
        if refused:
            raise LogError(refused)
        if not 0 <= first < players:
            raise LogError(f"unknown first player {first}")
        self.log = log
        self.seen = 0  # entries that were replayed and agreed with the log
        self.match = match = Match(program, players, seed)
        match.first_player = match.active = first
        match.listeners = listeners
        match.forced_draws = [entry for entry in log if entry < 0]
        self.guard(lambda: begin(match))

    def guard(self, going: Callable[[], None]) -> None:
        """Continue, and check whether the events agree with the log."""
        match, log = self.match, self.log
        try:
            going()
        except RuleError as fault:
            at = len(match.log) + 1
            raise LogError(f"at entry {at} of the log: {fault.message}", fault) from None
        for at in range(self.seen, min(len(match.log), len(log))):
            if match.log[at] != log[at]:
                raise LogError(f"entry {at + 1} of the log is not what happens there")
        if len(match.log) > len(log):
            raise LogError("the log ends where the rules go on")
        self.seen = len(match.log)

    def next_choice(self) -> int:
        """The next choice of the log, which must be an option."""
        match, at = self.match, self.seen
        if match.to_move < 0:
            raise LogError(f"the game is over after {at} of {len(self.log)} entries of the log")
        choice = self.log[at]
        if not 0 <= choice < match.count:
            raise LogError(
                f"entry {at + 1} of the log: expected a choice below {match.count}, found {choice}"
            )
        return choice

    def choose(self) -> None:
        choice = self.next_choice()
        self.guard(lambda: self.match.choose_number(choice))

    def go_to(self, entries: int) -> Match:
        """Play until the log has a number of entries; later draws are random."""
        while self.seen < entries:
            self.choose()
        self.match.forced_draws = None
        return self.match
