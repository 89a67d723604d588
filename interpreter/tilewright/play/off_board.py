"""Pieces in stacks and loose pieces: why a piece cannot be drawn, laid or put into a stack.

A piece is in one place only. It is loose after it is taken out of a stack, until it is laid or put
into a stack. The errors name the place of the piece.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.play.board.board import Board, xy_of
from tilewright.play.faults import RuleError
from tilewright.rules.linking.game import Game

#: by stack: the numbers of the pieces in it
Stacks = Sequence[Sequence[int]]


def not_loose(game: Game, board: Board, stacks: Stacks, piece: int, what: str) -> RuleError:
    """The error for a piece that is laid or put into a stack and is not loose."""
    cells = [xy_of(board.tile_cell[tile]) for tile in board.lying()
             if board.tile_piece[tile] == piece]  # fmt: skip
    places = [f"on the board at {x},{y}" for x, y in cells[:1]]
    held = (stack.id for stack, held in zip(game.stacks, stacks, strict=True) if piece in held)
    places += [f"in `{id_}`" for id_ in held]
    where = " and ".join(places) or "nowhere"
    name = game.stacked[piece].id
    message = (
        f"`{name}` cannot {what}: nobody has drawn or taken it, or it has been laid or put away"
    )
    return RuleError(f"{message} since; it is {where}", name)


def empty_stack(game: Game, stack: int) -> RuleError:
    """The error for a draw from an empty stack."""
    name = game.stacks[stack].id
    return RuleError(f"nothing can be drawn from `{name}`: it is empty", name)


def not_in_stack(game: Game, stacks: Stacks, piece: int, stack: int) -> RuleError:
    """The error for a piece that cannot come from a stack: it is elsewhere, or does not match."""
    name, wanted = game.stacks[stack].id, game.stacked[piece].id
    if piece in stacks[stack]:
        message = f"`{wanted}` is to come from `{name}` and does not meet the condition"
    else:
        message = f"`{wanted}` is to come from `{name}` and is not there"
    holding = [
        f"{held.count(piece)} in `{game.stacks[number].id}`"
        for number, held in enumerate(stacks)
        if number != stack and piece in held
    ]
    more = f"; elsewhere: {', '.join(holding)}" if holding else ""
    return RuleError(message + more, name)
