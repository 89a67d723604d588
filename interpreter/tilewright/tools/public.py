"""What everybody at the table can see of a match, as plain data.

Points, figures and tiles are open. What a face-down stack still holds, in which order chance would
give it, and the seed are not: a program that decides for a player may be given this and learns no
more.
"""

from __future__ import annotations

from typing import Any

from tilewright.model.geometry import SIDES
from tilewright.runtime.board import xy_of
from tilewright.runtime.match import Match
from tilewright.runtime.notation import (
    figure_name,
    option_texts,
    seat_name,
    spot_text,
    stacks_in_play,
)
from tilewright.runtime.rebuilt import laid_pieces


def public_view(match: Match) -> dict[str, Any]:
    """A match as a JSON object: board, figures, points, sizes of stacks, the decision at hand."""
    game = match.program.game
    seats = [seat_name(match, player) for player in match.players]
    return {
        "game": game.id,
        "turn": match.turn,
        "step": match.step,
        "active": seats[match.active],
        "decides": seats[match.asked] if match.asked >= 0 else None,
        "options": option_texts(match),
        "over": match.is_over,
        "winners": [seats[player] for player in match.winners()] if match.is_over else [],
        "players": [{"seat": seats[p], "points": match.points[p]} for p in match.players],
        "board": [_laid(match, *laid) for laid in laid_pieces(match.board)],
        "figures": [_figure(match, figure) for figure in range(len(match.spot))],
        "stacks": {game.stacks[n].id: _stack(match, n) for n in stacks_in_play(match)},
    }


def _laid(match: Match, piece: int, layout: int, cell: int) -> dict[str, Any]:
    face, north = match.board.shapes.spelled(piece, layout)
    return {
        "piece": match.program.game.pieces[piece].id,
        "cell": list(xy_of(cell)),
        "north": north,
        "face": face,
    }


def _figure(match: Match, figure: int) -> dict[str, Any]:
    found: dict[str, Any] = {
        "figure": figure_name(match, figure),
        "place": spot_text(match, figure),
    }
    facing, beside = match.facing[figure], match.beside[figure]
    if facing is not None:
        found["facing"] = SIDES[facing]
    if beside is not None:
        found["beside"] = figure_name(match, beside)
    return found


def _stack(match: Match, number: int) -> dict[str, Any]:
    stack = match.program.game.stacks[number]
    pieces = match.stacks[number]
    if stack.hidden or stack.holds:
        return {"count": len(pieces)}
    names = sorted(match.program.game.pieces[piece].id for piece in pieces)
    return {"count": len(pieces), "pieces": names}
