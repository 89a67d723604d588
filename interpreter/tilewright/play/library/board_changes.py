"""The part of the run-time library that changes what was laid: joins, kinds, covers, and tiles.

Each function checks what a rule asks for, and listeners of the match hear of the change.
"""

from __future__ import annotations

from tilewright.play.board.board import is_rim, xy_of
from tilewright.play.board.covering import cover, placements_beside, sides_for
from tilewright.play.board.joining import feature_at, join, part
from tilewright.play.board.recasting import is_recast, recast, recast_fault
from tilewright.play.board.relaying import (
    arranged,
    cells_swapped,
    face_up_ways,
    is_face_down,
    laid_face_down,
    lies,
    lifted,
    lost_places,
    partners,
    replaced,
    shows,
    swapped,
    turned_over,
    turned_ways,
    ways_in_place,
    whole_of,
)
from tilewright.play.faults import RuleError
from tilewright.play.library.sets import mask_of
from tilewright.play.limits import MAX_LIFTED
from tilewright.play.match import Match
from tilewright.play.off_board import not_loose
from tilewright.rules.model.geometry import cell_name


def link(m: Match, one: int, other: int, joins: int) -> None:
    """Join two segments, or part them when `joins` is 0.

    Raises RuleError when their kinds differ or wait for the cells around them, or were recast.
    """
    board = m.board
    for segment in (one, other):
        _must_lie(m, segment >> 5)
        face_up(m, segment)
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
    if not board.tiles[feature]:
        raise RuleError("a feature of lifted tiles cannot be recast")
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
    _must_lie(m, tile)
    if not cover(m.board, tile, symbol, side):
        name, cell = m.program.game.symbols[symbol].id, cell_name(*xy_of(m.board.tile_cell[tile]))
        raise RuleError(f"`{name}` cannot be laid over the tile at {cell}", name)
    if m.listeners:
        m.notify("cover", tile, symbol, side)


# ------------------------------------------------------------------ how tiles lie


def whole_piece(m: Match, tile: int) -> int:
    """The mask of the tiles of the piece that a tile was laid as part of."""
    return mask_of(whole_of(m.board, tile))


def turns(m: Match, tile: int) -> list[int]:
    """The sides to which the printed north of a tile could point where it lies."""
    return [*turned_ways(m.board, tile)]


def reveals(m: Match, tile: int) -> list[int]:
    """The sides to which the printed north of a tile could point that lies face down."""
    return [*face_up_ways(m.board, tile)]


def is_hidden(m: Match, tile: int) -> bool:
    """Whether a tile lies face down."""
    return is_face_down(m.board, tile)


def face_up(m: Match, segment: int) -> int:
    """A segment; raises RuleError where its tile has been laid face down."""
    if not shows(m.board, segment) and lies(m.board, segment >> 5):
        where = _cell(m, segment >> 5)
        raise RuleError(f"the tile at {where} lies face down: none of its segments can be used")
    return segment


def in_place(m: Match, piece: int, tile: int) -> list[int]:
    """The sides to which the printed north of a piece could point in the place of a tile."""
    return [*ways_in_place(m.board, piece, tile)]


def swaps(m: Match, tile: int) -> int:
    """The mask of the tiles with which a tile could change places."""
    return mask_of(partners(m.board, tile))


def lift(m: Match, tile: int) -> None:
    """Take the piece of a tile off the board; figures that are still on it go home."""
    _must_lie(m, tile)
    _may_leave(m)
    _send_home(m, tile)
    m.take_board(lifted(m.board, whole_of(m.board, tile), m.spot), m.board.tile_piece[tile])
    if m.listeners:
        m.notify("lift", tile)


def rotate(m: Match, tile: int, side: int) -> None:
    """Turn a tile so that its printed north points to a side; raises RuleError if it cannot."""
    _must_lie(m, tile)
    way = turned_ways(m.board, tile).get(side)
    if way is None:
        raise _cannot(m, tile, "be turned so")
    m.take_board(arranged(m.board, tile, way, m.spot))
    if m.listeners:
        m.notify("rotate", tile, side)


def swap(m: Match, one: int, other: int) -> None:
    """Let two tiles change places; raises RuleError if one does not fit."""
    for tile in (one, other):
        _must_lie(m, tile)
    cells = cells_swapped(m.board, one, other)
    if not cells:
        raise _cannot(m, one, f"change places with the one at {_cell(m, other)}")
    m.take_board(swapped(m.board, cells, m.spot))
    if m.listeners:
        m.notify("swap", one, other)


def replace(m: Match, tile: int, how: int) -> None:
    """Lay a loose piece in the place of a tile; `how` is the side of its north + 4 * the piece."""
    _must_lie(m, tile)
    piece, side = how >> 2, how & 3
    held, board = m.board.shapes.beneath[piece], m.board
    if held not in m.loose:
        raise not_loose(m.program.game, board, m.stacks, piece, "be laid")
    way = ways_in_place(board, piece, tile).get(side)
    if way is None:
        raise _cannot(m, tile, f"be replaced with `{m.program.game.pieces[piece].id}`")
    _may_leave(m)
    _send_home(m, tile)
    m.take_board(replaced(board, tile, held, way, m.spot), board.tile_piece[tile], held)
    if m.listeners:
        m.notify("replace", tile, len(board.tile_cell))


def hide(m: Match, tile: int) -> None:
    """Turn a tile over, so that it lies face down; figures that are still on it go home.

    Raises RuleError for a tile of a piece of several cells.
    """
    _must_lie(m, tile)
    _must_be_single(m, m.board.tile_piece[tile])
    if is_face_down(m.board, tile):
        return
    _send_home(m, tile)
    m.take_board(turned_over(m.board, tile, m.spot))
    if m.listeners:
        m.notify("hide", tile)


def reveal(m: Match, tile: int, side: int) -> None:
    """Turn a tile that lies face down over; raises RuleError where it does not fit so."""
    _must_lie(m, tile)
    way = face_up_ways(m.board, tile).get(side)
    if way is None:
        raise _cannot(m, tile, "be revealed so")
    m.take_board(arranged(m.board, tile, way, m.spot))
    if m.listeners:
        m.notify("reveal", tile, side)


def conceal(m: Match, piece: int, cell: int) -> None:
    """Lay a loose piece of one cell face down; raises RuleError where the cell is not empty."""
    held, board = m.board.shapes.beneath[piece], m.board
    if held not in m.loose:
        raise not_loose(m.program.game, board, m.stacks, piece, "be laid")
    _must_be_single(m, held)
    if cell in board.tile_at or is_rim(cell):
        raise RuleError(f"no tile can be laid at {cell_name(*xy_of(cell))}: the cell is not free")
    m.take_board(laid_face_down(board, held, cell, m.spot), laid=held)
    if m.listeners:
        m.notify("conceal", len(board.tile_cell))


def _must_lie(m: Match, tile: int) -> None:
    if not lies(m.board, tile):
        name = m.program.game.pieces[m.board.tile_piece[tile]].id
        raise RuleError(f"`{name}` does not lie on the board any more", name)


def _must_be_single(m: Match, piece: int) -> None:
    if any(len(footprint) > 1 for footprint in m.board.shapes.footprints[piece]):
        name = m.program.game.pieces[piece].id
        raise RuleError(f"`{name}` has several cells, so it cannot lie face down", name)


def _may_leave(m: Match) -> None:
    if m.board.gone.bit_count() >= MAX_LIFTED:
        raise RuleError(f"more than {MAX_LIFTED} tiles have been lifted")


def _send_home(m: Match, tile: int) -> None:
    """Send home the figures that are still on the piece of a tile, which loses its place."""
    for figure in lost_places(m.spot, whole_of(m.board, tile)):
        m.send_home(figure)
        m.release_attached(figure)


def _cell(m: Match, tile: int) -> str:
    return cell_name(*xy_of(m.board.tile_cell[tile]))


def _cannot(m: Match, tile: int, what: str) -> RuleError:
    name = m.program.game.pieces[m.board.tile_piece[tile]].id
    return RuleError(f"`{name}` at {_cell(m, tile)} cannot {what}: it does not fit", name)
