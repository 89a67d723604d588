"""Replay of a match from its log, up to any of its decisions.

The start and the log determine the whole match. A log has numbers, as `Match.log` has them
(choices from zero, draws as ~index), or lines, as match files have them. Nothing else is needed and
nothing else is believed: an entry that the rules do not lead to is a LogError.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.language.source.diagnostics import did_you_mean, quoted
from tilewright.play.fact_rows import numbers_of
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.match_state import Listener, PrescribedDraw
from tilewright.play.native.games import NativeGame
from tilewright.play.native.positions import left, show
from tilewright.play.new_match import begin
from tilewright.play.notation import (
    drawn_text,
    find_option,
    logged_option_text,
    option_texts,
    prescribed_draw,
    seat_name,
)

#: entries of a log: numbers or lines
Log = Sequence[int | str]

DRAW = "draw "
#: before the line of a draw that somebody prescribed, and that the seed does not give
STEERED = "steered "


class LogError(Exception):
    """A log that does not fit the rules: a choice that is not allowed, another draw.

    `cause` is the fault of a rule, where one could not be carried out.
    """

    def __init__(self, message: str, cause: RuleError | None = None) -> None:
        super().__init__(message)
        self.cause = cause


class LogTooLongError(LogError):
    """A log that takes longer than it may."""


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


class Script:
    """The log of a match in lines, one for each entry: a listener of the match from its start.

    `lines` are those of a match that goes on.
    """

    def __init__(self, lines: Sequence[str] = ()) -> None:
        self.lines = [*lines]

    def __call__(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        """Add the line of a choice or a draw."""
        if event == "choice":
            self.lines.append(_choice_line(match, logged_option_text(match, facts[1])))
        elif (drawn := drawn_text(match, event, facts)) is not None:
            is_steered = match.steered and match.steered[-1] == len(match.log) - 1
            self.lines.append(f"{STEERED if is_steered else ''}{DRAW}{drawn}")


def _choice_line(match: Match, option: str) -> str:
    return f"{seat_name(match, match.to_move)}: {option}"


def _draw_line(match: Match, piece: int) -> str:
    return f"{DRAW}{match.program.game.stacked[piece].id}"


def fresh(match: Match) -> Match:
    """A match with the start of this one, before its first step."""
    if match.set_up is not None:
        before: Match = match.set_up.before
        return before.fork()
    again = Match(match.program, len(match.players), match.seed)
    again.first_player = again.active = match.first_player
    return again


def replayed(
    start: Match,
    log: Log,
    upto: int | None = None,
    *,
    listeners: tuple[Listener, ...] = (),
    seconds: float | None = None,
    native: NativeGame | None = None,
) -> Match:
    """The match after a log, or at the first decision after `upto` entries of it.

    `start` is as `fresh` gives it, and is not changed. `seconds` limits the time of the processor.
    A `native` game plays in the core what is in lines and nobody listens to. Raises LogError when
    the rules do not lead along this log, LogTooLongError beyond the limit.
    """
    replay = _Replay(start, log, listeners, seconds)
    entries = len(log) if upto is None else upto
    if native is not None and replay.has_lines and not listeners:
        replay.play_in_core(native, entries)
    match = replay.go_to(entries)
    match.listeners = listeners
    return match


def replayed_again(
    match: Match, upto: int | None = None, *, listeners: tuple[Listener, ...] = ()
) -> Match:
    """A new match, played by the log of this one.

    Raises LogError for a match that is not what its start and its log come to.
    """
    again = replayed(fresh(match), match.log, upto, listeners=listeners)
    if upto is None and again.digest() != match.digest():
        raise LogError("the match did not begin at the beginning and cannot be played again")
    return again


def moments(start: Match, log: Log, *, listeners: tuple[Listener, ...] = ()) -> Iterator[Moment]:
    """Every decision of a log with its choice, in order, just before the choice is made."""
    replay = _Replay(start, log, listeners)
    match = replay.match
    while replay.seen < len(log):
        number = replay.next_choice()
        option = logged_option_text(match, number)
        yield Moment(replay.seen, match.to_move, decision_text(match), option, match, number)
        replay.choose(number)


def grouped(log: Log) -> list[list[int | str]]:
    """A log in groups: the draws of the setup, and then each choice with the draws after it."""
    groups: list[list[int | str]] = [[]]
    for entry in log:
        is_draw = entry < 0 if isinstance(entry, int) else entry.startswith((DRAW, STEERED + DRAW))
        if not is_draw:
            groups.append([])
        groups[-1].append(entry)
    return groups


def entry_text(log: Log, at: int) -> str:
    """An entry of a log for messages: its number, and its line if it has one."""
    entry = log[at]
    return f"entry {at + 1} of the log" + (f", {quoted(entry)}," if isinstance(entry, str) else "")


def option_of(match: Match, line: str, at: int) -> int:
    """The option that a line of a log names, the entry after `at` others.

    Raises LogError for one that is not offered.
    """
    wrong = f"{entry_text((*[''] * at, line), at)} is not allowed"
    if match.to_move < 0:
        raise LogError(f"{wrong}: the game is over")
    seat, _, option = line.partition(": ")
    who = seat_name(match, match.to_move)
    if seat != who:
        raise LogError(f"{wrong}: {who} has to choose at {match.step}")
    number = find_option(match, option)
    if number is None:
        texts = option_texts(match)
        near = did_you_mean(option, texts)
        raise LogError(f"{wrong}: it is not among the {len(texts)} options of {who}{near}")
    return number


def prescribed(match: Match, log: Log) -> list[PrescribedDraw] | None:
    """The draws of a log for a match: all of numbers, of lines only the steered ones."""
    found = list[PrescribedDraw]()
    for at, entry in enumerate(log):
        if isinstance(entry, int):
            found += [entry] if entry < 0 else []
        elif entry.startswith(STEERED + DRAW):
            piece = prescribed_draw(match.program, entry.removeprefix(STEERED + DRAW))
            if piece is None:
                raise LogError(f"{entry_text(log, at)} names a piece that the game does not have")
            found.append(piece)
        elif entry.startswith(DRAW):
            found.append(None)
    return found if any(piece is not None for piece in found) else None


def script_of(match: Match) -> list[str]:
    """The log of a match in lines. Raises LogError for a match that cannot be played again."""
    script = Script()
    replayed_again(match, listeners=(script,))
    return script.lines


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
    replay = _Replay(fresh(match), match.log, ())
    again = replay.match
    while replay.seen < len(match.log):
        if player is None or again.to_move == player:
            found = replay.seen
        replay.choose(replay.next_choice())
    if again.digest() != match.digest():
        raise LogError("the match did not begin at the beginning and cannot be played again")
    return None if found is None else replayed_again(match, found)


class _Replay:
    """A match that is being replayed from a log."""

    def __init__(
        self,
        start: Match,
        log: Log,
        listeners: tuple[Listener, ...],
        seconds: float | None = None,
    ) -> None:
        self.log = log
        self.seen = 0  # entries that were replayed and agreed with the log
        self.until = None if seconds is None else time.process_time() + seconds
        self.match = match = start.fork()
        self.has_lines = bool(log) and isinstance(log[0], str)
        self.played: Sequence[int | str] = match.log
        if self.has_lines:
            script = Script()
            self.played, listeners = script.lines, (script, *listeners)
        match.listeners = listeners
        match.forced_draws = prescribed(match, log)
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
            if self.played[at] != log[at]:
                found = f", which is `{self.played[at]}`" if self.has_lines else ""
                raise LogError(f"{entry_text(log, at)} is not what happens there{found}")
        if len(match.log) > len(log):
            raise LogError("the log ends where the rules go on")
        self.seen = len(match.log)
        self.check_time(self.seen)

    def check_time(self, seen: int) -> None:
        """Raise LogTooLongError beyond the limit, after so many entries."""
        if self.until is not None and time.process_time() > self.until:
            many = f"{seen} of {len(self.log)} entries"
            raise LogTooLongError(f"the log takes too long to be played: stopped after {many}")

    def next_choice(self) -> int:
        """The next choice of the log, which must be an option."""
        match, at = self.match, self.seen
        if match.to_move < 0:
            raise LogError(f"the game is over after {at} of {len(self.log)} entries of the log")
        choice = self.log[at]
        if isinstance(choice, str):
            return option_of(match, choice, at)
        if not 0 <= choice < match.count:
            expected = f"expected a choice below {match.count}, found {choice}"
            raise LogError(f"{entry_text(self.log, at)}: {expected}")
        return choice

    def choose(self, number: int) -> None:
        """Take an option."""
        self.guard(lambda: self.match.choose_number(number))

    def play_in_core(self, native: NativeGame, entries: int) -> None:
        """Play in the native core until the log has a number of entries.

        The match stays as it was where the core cannot: a draw is prescribed, a rule cannot be
        carried out, or the rules do not lead along the log. Python finds the words for it.
        """
        # the text of a member that was drawn depends on the board then
        if self.match.forced_draws or self.match.to_move < 0 or self.match.program.drawn_types:
            return
        core, seen, log = native.entered(self.match), self.seen, self.log
        shown, first = self.match.fork(), self.seen
        draws = 0
        while seen < entries:
            shown = show(core, shown)
            option = " ".join(str(log[seen]).partition(": ")[2].split())
            number = find_option(shown, option) if shown.to_move >= 0 else None
            if number is None or not core.choose(number):
                return
            drawn = numbers_of(core.drawn(draws))
            draws += len(drawn)
            lines = [_choice_line(shown, option), *(_draw_line(shown, piece) for piece in drawn)]
            if [*log[seen : seen + len(lines)]] != lines:
                return
            seen += len(lines)
            self.check_time(seen)
        if seen > first:
            self.match, self.seen = left(core, self.match), seen

    def go_to(self, entries: int) -> Match:
        """Play until the log has a number of entries; later draws are random."""
        while self.seen < entries:
            self.choose(self.next_choice())
        self.match.forced_draws = None
        return self.match
