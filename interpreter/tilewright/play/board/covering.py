"""Lays covers over tiles: a cover changes two opposite edges and brings a segment that joins them.

A tile that is laid under a cover is an ordinary piece with a print of its own. A tile that lies
already can be covered while nothing lies beyond the two edges, or something that fits them without
joining: so a cover that is laid later joins nothing at that moment, and only brings a feature.
`Board.covers` has the tiles that were covered after they were laid, and when; it is a primary fact,
because the number of a feature is that of its segment which appeared first.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.play.board.board import Board
from tilewright.play.board.board_state import Placement
from tilewright.play.board.tile_tables import Shapes
from tilewright.play.encoding import OFFSETS

#: the sides at both ends of a cover, by the first of them
ENDS = ((0, 2), (1, 3))


def sides_for(board: Board, tile: int, symbol: int) -> list[int]:
    """The ways in which a cover can be laid over a tile: 0 from north to south, 1 across."""
    return [side for side in (0, 1) if _covered(board, tile, symbol, side) >= 0]


def cover(board: Board, tile: int, symbol: int, side: int) -> bool:
    """Lay a cover over a tile; False when it cannot lie there in this way."""
    shape = _covered(board, tile, symbol, side)
    if shape >= 0:
        _cover(board, tile, shape, side)
    return shape >= 0


def cover_as(board: Board, tile: int, shape: int) -> None:
    """Cover a tile so that it has a shape; raises ValueError when it cannot."""
    bare = board.tile_shape[tile] if 0 <= tile < len(board.tile_shape) else -1
    for (before, symbol, side), after in board.shapes.covers.shapes.items():
        if before == bare and after == shape and cover(board, tile, symbol, side):
            return
    raise ValueError(f"tile {tile} cannot be covered so")


def lay_bare(board: Board, shape: int, cell: int) -> None:
    """Lay a tile that will be covered later: the piece beneath one of this shape."""
    bare = board.shapes.covers.bare[shape]
    board.counted_piece = -1
    board.lay_cell(board.shapes.piece_of[bare], bare, cell)


def _cover(board: Board, tile: int, shape: int, side: int) -> None:
    before, shapes = board.tile_shape[tile], board.shapes
    board.tile_shape[tile] = shape
    row = board.tile_features[tile]
    above = board.begin(shapes.segments[shape][len(row)].kind)
    board.tiles[above] = 1 << tile
    board.tile_features[tile] = (*row, above)
    for end in _open_ends(board, tile, side):
        place = board.frontier_index[board.tile_cell[tile] + OFFSETS[end]]
        board.demand[place] += shapes.demands[shape][end] - shapes.demands[before][end]
        for index, feature in enumerate(board.tile_features[tile]):
            board.open_ends[board.find(feature)] += _ends(shapes, shape, index, end)
            if index < len(row):
                board.open_ends[board.find(feature)] -= _ends(shapes, before, index, end)
    board.covers = (*board.covers, (tile, len(board.tile_shape)))
    board.roots_cache_tiles = board.counted_piece = -1
    board.segments_cache, board.segments_cache_tiles = [], 0
    candidates = [*board.completed, above]
    board.completed = []
    board.complete(candidates)


def placements_beside(
    board: Board, piece: int, tile: int, symbol: int, side: int
) -> list[Placement]:
    """The placements of a piece of one cell at an end of a cover, if it lay over a tile.

    None for a cover that cannot lie there, and for a piece of several cells.
    """
    shape = _covered(board, tile, symbol, side)
    if shape < 0:
        return []
    shapes, found = board.shapes, []
    before = board.tile_shape[tile]
    for end in _open_ends(board, tile, side):
        cell = board.tile_cell[tile] + OFFSETS[end]
        demanded = board.demand[board.frontier_index[cell]]
        demanded += shapes.demands[shape][end] - shapes.demands[before][end]
        found += [(cell, layout) for layout in shapes.fitting[piece].get(demanded, ())]
    return found


def _covered(board: Board, tile: int, symbol: int, side: int) -> int:
    """The shape that a tile would have under a cover; -1 when it cannot lie there."""
    shapes = board.shapes
    shape = shapes.covers.shapes.get((board.tile_shape[tile], symbol, side), -1)
    if shape < 0:
        return -1
    edges = shapes.digits(shapes.pattern[shape])
    for end in ENDS[side]:
        beyond = board.tile_at.get(board.tile_cell[tile] + OFFSETS[end])
        if beyond is not None:
            facing = shapes.digits(shapes.pattern[board.tile_shape[beyond]])[end ^ 2]
            if facing - 1 not in shapes.fits[edges[end] - 1]:
                return -1
    return shape


def _open_ends(board: Board, tile: int, side: int) -> Sequence[int]:
    """The sides of a tile at the ends of a cover where no tile lies beyond."""
    cell = board.tile_cell[tile]
    return [end for end in ENDS[side] if cell + OFFSETS[end] not in board.tile_at]


def _ends(shapes: Shapes, shape: int, index: int, side: int) -> int:
    """How many ends a segment has on a side."""
    return sum(joined == side for joined, _ in shapes.segments[shape][index].joins)
