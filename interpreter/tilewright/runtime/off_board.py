"""Loose pieces: taken out of a stack, and not yet laid or put into a stack.

A piece is in one place only. Only a loose one may be laid or put into a stack; for any other piece
the error names its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tilewright.linking.game import Game
from tilewright.runtime.board import Board, xy_of
from tilewright.runtime.rebuild import laid_pieces

#: by stack: the numbers of the pieces in it
Stacks = Sequence[Sequence[int]]


def not_loose(game: Game, board: Board, stacks: Stacks, piece: int, what: str) -> str:
    """A sentence that explains why a piece cannot be laid or put into a stack."""
    cells = [xy_of(cell) for cell, kind in zip(board.tile_cell, board.tile_piece, strict=True)
             if kind == piece]  # fmt: skip
    places = [f"on the board at {x},{y}" for x, y in cells[:1]]
    held = (stack.id for stack, held in zip(game.stacks, stacks, strict=True) if piece in held)
    places += [f"in `{id_}`" for id_ in held]
    where = " and ".join(places) or "nowhere"
    return (
        f"`{game.pieces[piece].id}` cannot {what}: nobody has drawn or taken it,"
        f" or it has been laid or put away since; it is {where}"
    )


def missing(game: Game, board: Board, stacks: Stacks) -> list[int]:
    """The pieces of the game that are in no stack and not on the board."""
    there = Counter(piece for held in stacks for piece in held)
    there.update(piece for piece, _, _ in laid_pieces(board))
    pieces = enumerate(game.pieces)
    return [number for number, kind in pieces for _ in range(kind.count - there[number])]
