"""Starts matches. A setup without choices, chance or listeners runs once and is then copied."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.play.match import Match
from tilewright.play.match_state import Listener
from tilewright.play.program import Program
from tilewright.play.seating import streams_from


def start_match(
    program: Program,
    players: int = 2,
    seed: int | str = 0,
    *,
    first: int = 0,
    listeners: tuple[Listener, ...] = (),
    prepared: Callable[[Match], None] | None = None,
) -> Match:
    """A new match, set up and run to its first decision.

    `prepared` is called with the match before its first draw.

    Raises ValueError when the game does not allow this number of players.
    """
    game = program.game
    refused = game.refusal(players)
    if refused:
        raise ValueError(refused)
    fresh, is_set_up = _fresh(program, players, bool(listeners) or first != 0)
    match = fresh.fork()
    match.seed = seed
    match.streams = streams_from(program, seed)
    match.first_player = match.active = first
    match.listeners = listeners
    if prepared is not None:
        prepared(match)
    if is_set_up:
        match.run()
    else:
        begin(match)
    return match


def undealt(program: Program, players: int) -> Match:
    """A match as it is before its first draw, without a seed; the game allows these players."""
    return _fresh(program, players, False)[0].fork()


def _matches(program: Program) -> dict[tuple[int, bool], tuple[Match, bool]]:
    return {}


def _fresh(program: Program, players: int, whole: bool) -> tuple[Match, bool]:
    """A match to copy from, made once because copying is cheaper, and whether it is set up already.

    It is set up when nobody listens and the setup needs neither chance nor a choice.
    """
    known = program.cached(_matches)
    found = known.get((players, whole))
    if found is None:
        found = (Match(program, players, 0), False)
        if not whole:
            ready = found[0].fork()
            _set_up(ready)
            if not ready.log and not ready.frames and ready.to_move < 0 and not ready.ending:
                found = (ready, True)
        known[players, whole] = found
    return found


def _set_up(match: Match) -> None:
    """Run the setup up to its first choice."""
    match.start(0, [])
    match.program.units[0](match, match.frames[-1])


def reached_beforehand(program: Program, players: int) -> dict[str, int]:
    """How often each rule runs in a setup that is shared by all matches; empty when each match
    runs its own setup. The program must have probes; this resets their counts.
    """
    fresh, is_set_up = _fresh(program, players, whole=False)
    program.reached.clear()
    if is_set_up:
        _set_up(Match(program, players, fresh.seed))
    return dict(program.reached)


def begin(match: Match) -> None:
    """Run the setup, unless a position was laid out instead, and go on to the first decision."""
    if not match.board.tile_cell:
        match.start(0, [])
    match.run()
