"""The part of the run-time library that changes what was laid: joins, kinds and covers.

Each function checks what a rule asks for, and listeners of the match hear of the change.
"""

from __future__ import annotations

from tilewright.play.board.board import xy_of
from tilewright.play.board.covering import cover, placements_beside, sides_for
from tilewright.play.board.joining import feature_at, join, part
from tilewright.play.board.recasting import is_recast, recast, recast_fault
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.rules.model.geometry import cell_name


def link(m: Match, one: int, other: int, joins: int) -> None:
    """Join two segments, or part them when `joins` is 0.

    Raises RuleError when their kinds differ or wait for the cells around them, or were recast.
    """
    board = m.board
    if not joins:
        if part(board, one, other, m.spot) and m.listeners:
            m.notify("part", one, other)
        return
    kind, its_kind = (board.kind[feature_at(board, segment)] for segment in (one, other))
    if kind != its_kind or board.shapes.awaited[kind]:
        names = [board.shapes.kind_ids[each] for each in (kind, its_kind)]
        message = f"a `{names[0]}` cannot be joined to a `{names[1]}`"
        raise RuleError(message if kind != its_kind else f"a `{names[0]}` cannot be joined")
    if any(is_recast(board, feature_at(board, segment)) for segment in (one, other)):
        raise RuleError(f"a `{board.shapes.kind_ids[kind]}` that was recast cannot be joined")
    if join(board, one, other) and m.listeners:
        m.notify("join", one, other)


def become(m: Match, feature: int, kind: int) -> None:
    """Make a feature another kind.

    Raises RuleError when it has open ends, was joined, or waits for the cells around it.
    """
    board = m.board
    feature = board.find(feature)
    if board.kind[feature] == kind:
        return
    fault = recast_fault(board, feature, kind)
    if fault:
        raise RuleError(fault)
    recast(board, feature, kind)
    if m.listeners:
        m.notify("recast", feature, kind)


def covered(m: Match, piece: int, symbol: int) -> list[int]:
    """The pieces that a piece becomes under a cover, one for each way it may lie."""
    return list(m.board.shapes.covers.pieces.get((piece, symbol), ()))


def covers(m: Match, tile: int, symbol: int) -> list[int]:
    """The ways in which a cover can be laid over a tile: 0 from north to south, 1 across."""
    return sides_for(m.board, tile, symbol)


def beside_cover(m: Match, piece: int, lying: int) -> list[tuple[int, int]]:
    """The placements of a piece at the ends of a cover that every rule allows.

    `lying` is the direction of the cover + 4 * its symbol + 4096 * its tile.
    """
    tile, way = lying >> 12, lying & 4095
    return m.allowed(piece, placements_beside(m.board, piece, tile, way >> 2, way & 1))


def lay_cover(m: Match, tile: int, way: int) -> None:
    """Lay a cover over a tile; `way` is its direction + 4 * its symbol.

    Raises RuleError when it cannot lie there.
    """
    symbol, side = way >> 2, way & 1
    if not cover(m.board, tile, symbol, side):
        name, cell = m.program.game.symbols[symbol].id, cell_name(*xy_of(m.board.tile_cell[tile]))
        raise RuleError(f"`{name}` cannot be laid over the tile at {cell}", name)
    if m.listeners:
        m.notify("cover", tile, symbol, side)
