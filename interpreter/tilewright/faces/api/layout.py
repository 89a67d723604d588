"""Matches that begin in the middle: a situation on the table, and what chance gives next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tilewright.faces.api.errors import RulesetError
from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity, did_you_mean
from tilewright.language.source.text import NOWHERE
from tilewright.play.match import Match
from tilewright.play.notation import prescribed_draw
from tilewright.play.program import Program
from tilewright.rules.model.ruleset import Line, Scenario
from tilewright.rules.reading.files.scenarios import MAX_TURNS


@dataclass(frozen=True, slots=True)
class Layout:
    """A situation, in the notation of scenarios (docs/reference/scenarios.md).

    `board` has lines such as `PIECE 0,0 N`; with any, the setup of the game is left out. `figures`
    are places by seat and kind, `tokens` numbers by seat and kind, `stacks` the pieces of a stack
    in any order, `memory` expressions. `active` is the player whose turn it is, else the first;
    `turn` is the number of that turn, which needs a board to be more than 1.
    """

    board: Sequence[str] = ()
    figures: Mapping[str, str] | None = None
    points: Mapping[str, int] | None = None
    tokens: Mapping[str, int] | None = None
    stacks: Mapping[str, Sequence[str]] | None = None
    memory: Mapping[str, str] | None = None
    active: str = ""
    turn: int = 1


def laid_out(
    program: Program, players: int, seed: int | str, layout: Layout, draws: Sequence[str]
) -> Match:
    """A match that begins with a layout and these draws; later draws are random.

    Raises RulesetError for an impossible layout, ValueError for an unsupported number of players or
    for an impossible turn.
    """
    refused = program.game.refusal(players)
    if refused:
        raise ValueError(refused)
    # slow to import, and few matches begin in the middle
    from tilewright.tools.scenarios.inspection import check_names
    from tilewright.tools.scenarios.runner import played_out

    if not 1 <= layout.turn <= MAX_TURNS:
        raise ValueError(f"expected a turn from 1 to {MAX_TURNS}, found {layout.turn}")
    scenario = Scenario(
        id=str(seed),
        says="",
        options=program.game.options,
        players=tuple(program.game.seat_name(player) for player in range(players)),
        active=layout.active,
        turn=layout.turn,
        board=tuple(layout.board),
        figures=tuple((layout.figures or {}).items()),
        points=tuple((layout.points or {}).items()),
        tokens=tuple((layout.tokens or {}).items()),
        stacks=tuple((name, tuple(pieces)) for name, pieces in (layout.stacks or {}).items()),
        memory=tuple((layout.memory or {}).items()),
        lines=tuple(Line("draw", piece, None, NOWHERE) for piece in draws),
    )
    reporter = Reporter()
    is_known = check_names(scenario, program.game, reporter)
    found = played_out(scenario, program, reporter) if is_known else None
    if found is None or reporter.has_errors:
        raise RulesetError(reporter.diagnostics)
    found.listeners = ()
    return found


def drawing(program: Program, draws: Sequence[str]) -> Callable[[Match], None] | None:
    """Fixes the first draws of a new match, if there are any."""
    return (lambda match: force_draws(match, draws)) if draws else None


def force_draws(match: Match, pieces: Sequence[str]) -> None:
    """Fix the next draws to these pieces, after those fixed before.

    Raises RulesetError for a piece that the game does not have.
    """
    numbers = match.program.piece_number
    for piece in pieces:
        if (drawn := prescribed_draw(match.program, piece)) is None:
            message = f"unknown piece `{piece}`{did_you_mean(piece, numbers)}"
            raise RulesetError([Diagnostic("TW803", Severity.ERROR, message, NOWHERE)])
        match.forced_draws = [*(match.forced_draws or ()), drawn]
