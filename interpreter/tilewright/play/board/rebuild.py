"""Rebuilds a board from its primary facts, and lists the facts derived from them.

Playing does not need this. A match that comes back from the native core rebuilds its board, and
tests compare the running totals of a board with those of a rebuilt one.
"""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.play.board.board import Board
from tilewright.play.board.covering import cover_as, lay_bare
from tilewright.play.board.joining import feature_at, join
from tilewright.play.board.recasting import recast
from tilewright.play.board.relaying import is_face_down
from tilewright.play.board.tile_tables import Shapes

#: instead of the layout of a piece that lies face down
FACE_DOWN = -1


def laid_pieces(board: Board) -> list[tuple[int, int, int]]:
    """The primary facts: (piece, layout, first cell) of each laid piece, in order.

    A covered tile is a piece of its own; `pieces_on` gives those beneath. The layout of a piece
    that lies face down is `FACE_DOWN`. Without pieces that were taken off.
    """
    found: list[tuple[int, int, int]] = []
    tile = 0
    while tile < len(board.tile_cell):
        if board.gone >> tile & 1:
            tile += 1
            continue
        piece, cell = board.shapes.piece_of[board.tile_shape[tile]], board.tile_cell[tile]
        if is_face_down(board, tile):
            found.append((board.tile_piece[tile], FACE_DOWN, cell))
            tile += 1
            continue
        for layout, footprint in enumerate(board.shapes.footprints[piece]):
            if all(
                tile + i < len(board.tile_cell)
                and board.tile_cell[tile + i] == cell + step
                and board.tile_shape[tile + i] == shape
                for i, (step, shape) in enumerate(footprint)
            ):
                found.append((piece, layout, cell))
                tile += len(footprint)
                break
        else:
            raise ValueError(f"tile {tile} is not part of a whole piece")
    return found


def pieces_on(board: Board) -> list[int]:
    """The pieces that were laid, in order, without covers."""
    return [board.shapes.beneath[piece] for piece, _, _ in laid_pieces(board)]


def rebuilt(
    shapes: Shapes,
    laid: Iterable[tuple[int, int, int]],
    figures: Iterable[tuple[int, int, int]] = (),
    links: Iterable[tuple[int, int]] = (),
    recasts: Iterable[tuple[int, int]] = (),
    covers: Iterable[tuple[int, int]] = (),
) -> Board:
    """A board rebuilt from primary facts; `figures` are (figure, tile, segment).

    Laying in the same order gives the same numbers to tiles, features and placements.
    """
    board = lay_all(Board(shapes), laid, covers)
    for one, other in links:
        join(board, one, other)
    for segment, kind in recasts:
        recast(board, feature_at(board, segment), kind)
    for figure, tile, segment in figures:
        board.figures[board.find(board.tile_features[tile][segment])] |= 1 << figure
    return board


def lay_all(
    board: Board, laid: Iterable[tuple[int, int, int]], covers: Iterable[tuple[int, int]]
) -> Board:
    """Lay pieces on an empty board in their order, and each cover when it was laid.

    Returns the board. Raises ValueError or IndexError for a piece that does not fit and for a cover
    that cannot lie on its tile.
    """
    shapes, to_come = board.shapes, list(covers)
    bare = {tile for tile, _ in to_come}
    shape_of: dict[int, int] = {}
    for piece, layout, cell in laid:
        tile = len(board.tile_shape)
        if tile in bare:
            shape_of[tile] = shapes.footprints[piece][layout][0][1]
            lay_bare(board, shape_of[tile], cell)
        else:
            board.lay(piece, layout, cell)
        while to_come and to_come[0][1] == len(board.tile_shape):
            cover_as(board, to_come[0][0], shape_of.get(to_come[0][0], -1))
            to_come.pop(0)
    if to_come:
        raise ValueError("a cover that was laid at no time")
    return board


def derived(board: Board) -> dict[str, object]:
    """All facts derived from the primary facts, with merged features resolved, to compare boards.

    Without the features that the last piece completed: the next turn clears them.
    """
    find = board.find
    return {
        "tile_at": dict(board.tile_at),
        "tile_features": [tuple(map(find, row)) for row in board.tile_features],
        "features": {
            root: (
                board.kind[root],
                board.open_ends[root],
                board.filled_around[root],
                board.tiles[root],
                board.figures[root],
                tuple(board.bordered(root)),
                tuple(numbers[root] for numbers in board.attributes),
            )
            for root in board.feature_roots()
        },
        "frontier": list(zip(board.cells, board.demand, strict=True)),
        "position": dict(board.frontier_index),
        "waiting": {cell: tuple(map(find, row)) for cell, row in board.waiting_at.items()},
    }
