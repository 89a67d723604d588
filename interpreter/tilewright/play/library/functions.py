"""The run-time library: small pure functions on a match that compiled rules call.

Nothing here changes a match, except that `spend` counts steps and `keep` writes memory; the
changes of laid tiles are in `board_changes`. Sets of figures and of tiles are bit masks, all other
sets are lists in a fixed order. A segment is the number 32 * tile + index of the segment in the
tile's shape. The spot of a figure is negative off the board (`IN_SUPPLY`, in front of a player,
beside a stack); on the board it is 32 * tile + segment index + 1, or 32 * tile when the figure is
on the tile itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, compress

from tilewright.play.board.board import xy_of
from tilewright.play.board.joining import feature_at, linked, stretch, touching
from tilewright.play.board.relaying import shows
from tilewright.play.encoding import AROUND, BESIDE_STACK, HALF, IN_FRONT_OF, OFFSETS, STRIDE
from tilewright.play.faults import RuleError
from tilewright.play.library.sets import MAX_BITS, bits, distinct, mask_of
from tilewright.play.match import Match
from tilewright.rules.model.geometry import AROUND_STEPS

#: up to this number of segments, checking each one is cheaper than checking all features
SMALL_SET = 60

#: the joined ones among the lists of `segments_with`; 0 are the sides, in the native core
JOINED, TOUCHING = 1, 4


# ------------------------------------------------------------------ figures


def tile_of(m: Match, figure: int) -> int | None:
    """The tile that a figure is on, or None off the board."""
    spot = m.spot[figure]
    return spot >> 5 if spot >= 0 else None


def cell_of(m: Match, figure: int) -> int | None:
    """The cell of the tile that a figure is on, or None off the board."""
    spot = m.spot[figure]
    return m.board.tile_cell[spot >> 5] if spot >= 0 else None


def segment_of(m: Match, figure: int) -> int | None:
    """The segment that a figure is on, or None."""
    spot = m.spot[figure]
    return spot - 1 if spot >= 0 and spot & 31 else None


def feature_of_figure(m: Match, figure: int) -> int | None:
    """The feature that a figure is on, or None."""
    spot = m.spot[figure]
    return feature_of(m, spot - 1) if spot >= 0 and spot & 31 else None


def holder_of(m: Match, figure: int) -> int | None:
    """The player who has a figure in front of them, or None."""
    spot = m.spot[figure]
    return IN_FRONT_OF - spot if BESIDE_STACK < spot <= IN_FRONT_OF else None


def stack_beside(m: Match, figure: int) -> int | None:
    """The stack that a figure is beside, or None."""
    spot = m.spot[figure]
    return BESIDE_STACK - spot if spot <= BESIDE_STACK else None


def ready(m: Match, player: int) -> int:
    """The mask of one figure of each kind in a supply; figures of a kind are equivalent."""
    supply = m.in_supply & m.of_player[player]
    found = 0
    for kind in m.kinds_owned:
        here = supply & kind
        found |= here & -here
    return found


def ready_list(m: Match, player: int) -> list[int]:
    """The members of `ready`, lowest first."""
    supply = m.in_supply & m.of_player[player]
    known = m.ready_cache.get(supply)
    if known is None:
        if len(m.ready_cache) > MAX_BITS:
            m.ready_cache.clear()
        known = m.ready_cache[supply] = list(bits(ready(m, player)))
    return known


def is_in_role(m: Match, figure: int, role: int) -> bool:
    """Whether the figure is on a segment in this role."""
    spot = m.spot[figure]
    if spot < 0 or not spot & 31:
        return False
    kinds, feature_kind = m.program.role_of[role]
    return m.figure_kind[figure] in kinds and segment_kind(m, spot - 1) == feature_kind


def of_role(m: Match, figures: int, role: int) -> int:
    """The figures of a mask that are in this role."""
    return mask_of(f for f in bits(figures) if is_in_role(m, f, role))


def equal_if_present(left: object, right: object) -> bool:
    """Whether the two are equal and not None."""
    return left is not None and left == right


# ------------------------------------------------------------------ tiles and segments


def feature_of(m: Match, segment: int) -> int:
    """The feature that a segment belongs to."""
    board = m.board
    feature = board.tile_features[segment >> 5][segment & 31]
    parent = board.parent
    while feature != parent[feature]:
        feature = parent[feature]
    return feature


def with_features(m: Match, found: Sequence[int]) -> list[tuple[int, int, int]]:
    """(segment, feature, kind of feature) for each of the segments, in their order."""
    board = m.board
    rows, kind = board.tile_features, board.kind
    described: list[tuple[int, int, int]] = []
    if len(found) < SMALL_SET:
        parent = board.parent
        for segment in found:
            feature = rows[segment >> 5][segment & 31]
            while feature != parent[feature]:
                feature = parent[feature]
            described.append((segment, feature, kind[feature]))
    else:
        roots = board.roots()
        for segment in found:
            feature = roots[rows[segment >> 5][segment & 31]]
            described.append((segment, feature, kind[feature]))
    return described


def is_complete_at(m: Match, segment: int) -> bool:
    """Whether the feature of a segment is complete."""
    board = m.board
    feature = board.tile_features[segment >> 5][segment & 31]
    parent = board.parent
    while feature != parent[feature]:
        feature = parent[feature]
    return not board.open_ends[feature] and board.shapes.closes[board.kind[feature]]


def current_root(m: Match, feature: int | None) -> int | None:
    """The feature that this one belongs to now; None for None."""
    return None if feature is None else m.board.find(feature)


def current_roots(m: Match, features: Iterable[int]) -> list[int]:
    """The features that these belong to now, each once."""
    return distinct(map(m.board.find, features))


def lying_tile(m: Match, tile: int | None) -> int | None:
    """A tile, or None when it has been lifted."""
    return None if tile is None or m.board.gone >> tile & 1 else tile


def lying_segment(m: Match, segment: int | None) -> int | None:
    """A segment, or None when its tile has been lifted or laid face down."""
    return segment if segment is not None and shows(m.board, segment) else None


def lying_segments(m: Match, found: list[int]) -> list[int]:
    """The segments whose tiles have not been lifted or laid face down."""
    return [segment for segment in found if shows(m.board, segment)]


def segment_kind(m: Match, segment: int) -> int:
    """The number of the kind of a segment's feature."""
    board = m.board
    if board.recasts:
        return board.kind[feature_at(board, segment)]
    return board.shapes.segment_kind[board.tile_shape[segment >> 5]][segment & 31]


def segment_symbols(m: Match, segment: int) -> int:
    """The mask of the symbols printed on a segment."""
    board = m.board
    return board.shapes.segment_symbols[board.tile_shape[segment >> 5]][segment & 31]


def segment_number(m: Match, segment: int, attribute: int) -> int:
    """The number printed on a segment for an attribute; 0 when none is printed."""
    board = m.board
    plan = board.shapes.segments[board.tile_shape[segment >> 5]][segment & 31]
    return next((number for index, number, _ in plan.values if index == attribute), 0)


def segments_of_tile(m: Match, tile: int) -> list[int]:
    """The segments of a tile."""
    first = tile << 5
    return list(range(first, first + len(m.board.tile_features[tile])))


def segments(m: Match, tiles: int) -> list[int]:
    """The segments of a mask of tiles."""
    rows = m.board.tile_features
    if not tiles & (tiles - 1) and tiles:
        tile = tiles.bit_length() - 1
        return [*range(tile << 5, (tile << 5) + len(rows[tile]))]
    if tiles and tiles.bit_count() == len(rows):
        return m.board.all_segments()
    found: list[int] = []
    for tile in bits(tiles):
        found += range(tile << 5, (tile << 5) + len(rows[tile]))
    return found


def open_segments(m: Match, tiles: int) -> list[int]:
    """The segments of a mask of tiles whose features are not complete."""
    board = m.board
    rows, open_ends, kind = board.tile_features, board.open_ends, board.kind
    closes = board.shapes.closes
    if tiles.bit_count() < len(rows):
        return [s for s in segments(m, tiles) if not is_complete_at(m, s)]
    # computed once for every feature, then looked up for every segment
    is_open = [open_ends[root] or not closes[kind[root]] for root in board.roots()]
    open_flags = map(is_open.__getitem__, chain.from_iterable(rows))
    return list(compress(board.all_segments(), open_flags))


def features_of_tile(m: Match, tile: int) -> list[int]:
    """The features that a tile has a segment of, each once."""
    return distinct(map(m.board.find, m.board.tile_features[tile]))


def figures_on_tile(m: Match, tile: int) -> int:
    """The mask of figures on a tile or on one of its segments."""
    spot = m.spot
    found = 0
    for figure in bits(m.on_board):
        if spot[figure] >> 5 == tile:
            found |= 1 << figure
    return found


def figures_at(m: Match, cell: int) -> int:
    """The mask of figures on the tile in a cell; empty when the cell is empty."""
    tile = m.board.tile_at.get(cell)
    return 0 if tile is None else figures_on_tile(m, tile)


def segments_with(m: Match, segment: int, which: int) -> list[int]:
    """The segments that are joined with a segment, that it touches, or those of its stretch."""
    if which == TOUCHING:
        return sorted(set(touching(m.board, segment)))
    return linked(m.board, segment) if which == JOINED else stretch(m.board, segment)


def half_sides(m: Match, segment: int, first: int) -> list[int]:
    """The sides of whose three ports one is a segment's: the left one, 0, or the right one, 2."""
    ports = m.board.shapes.port_segment[m.board.tile_shape[segment >> 5]]
    return [side for side in range(4) if ports[3 * side + first] == segment & 31]


def open_cells(m: Match, feature: int) -> list[int]:
    """The empty cells beyond the sides at which segments of a feature end."""
    board, found = m.board, dict[int, None]()
    root, sides = board.find(feature), board.shapes.segment_sides
    for tile in bits(board.tiles[root]):
        cell, row = board.tile_cell[tile], board.tile_features[tile]
        for index, own in enumerate(row):
            if board.find(own) == root:
                beyond_sides = (
                    cell + OFFSETS[side] for side in sides[board.tile_shape[tile]][index]
                )
                found.update((c, None) for c in beyond_sides if c not in board.tile_at)
    return list(found)


def in_stack(m: Match, stack: int, number: int) -> int | None:
    """The piece that a stack in order gives as the draw of this number, from 1."""
    pieces = m.stacks[stack]
    return pieces[number - 1] if m.program.in_order[stack] and 0 < number <= len(pieces) else None


def stack_top(m: Match, stack: int) -> int | None:
    """The piece or item that a stack in order gives next."""
    return in_stack(m, stack, 1)


def figures_on_segment(m: Match, segment: int) -> int:
    """The mask of figures on a segment."""
    return mask_of(f for f in bits(m.on_board) if m.spot[f] == segment + 1)


def segments_of_kind(m: Match, found: list[int], kind: int) -> list[int]:
    """The segments whose feature kind is `kind`."""
    return [segment for segment in found if segment_kind(m, segment) == kind]


# ------------------------------------------------------------------ cells


def around(m: Match, cell: int) -> list[int]:
    """The cells among the eight around a cell that hold a tile."""
    tile_at = m.board.tile_at
    return [cell + step for step in AROUND if cell + step in tile_at]


def neighbour(m: Match, cell: int, side: int) -> int | None:
    """The cell beside a cell when it holds a tile, else None."""
    beside = cell + OFFSETS[side]
    return beside if beside in m.board.tile_at else None


def beyond(cell: int, side: int) -> int:
    """The cell beside a cell, with or without a tile; the board has no border."""
    return cell + OFFSETS[side] if ahead(cell, side) < HALF - 1 else cell


def cell_at(m: Match, cell: int, ray: int) -> int | None:
    """The cell at the end of a ray when it holds a tile; a ray is a heading + 8 * distance."""
    (x, y), (right, up), steps = xy_of(cell), AROUND_STEPS[ray & 7], ray >> 3
    if not 0 <= steps < 2 * HALF:
        return None
    x, y = x + right * steps, y + up * steps
    found = cell + AROUND[ray & 7] * steps
    return found if max(abs(x), abs(y)) < HALF and found in m.board.tile_at else None


def cell_away(cell: int, ray: int) -> int:
    """The cell at the end of a ray, with or without a tile; the cell itself for one off the table.

    The outermost cells of the table stay empty, because their neighbours are not on it.
    """
    (x, y), (right, up), steps = xy_of(cell), AROUND_STEPS[ray & 7], ray >> 3
    far = max(abs(x + right * steps), abs(y + up * steps))
    return cell + AROUND[ray & 7] * steps if steps >= 0 and far < HALF - 1 else cell


def within(m: Match, cell: int, ray: int) -> list[int]:
    """The cells on a ray that hold a tile, nearest first, without the one where it begins."""
    (x, y), (right, up), step = xy_of(cell), AROUND_STEPS[ray & 7], AROUND[ray & 7]
    steps = ray >> 3
    if right:  # there is nothing beyond the outermost tiles
        steps = min(steps, furthest(m, 1) - x if right > 0 else furthest(m, 3) + x)
    if up:
        steps = min(steps, furthest(m, 0) - y if up > 0 else furthest(m, 2) + y)
    tile_at = m.board.tile_at
    return [at for n in range(1, steps + 1) if (at := cell + n * step) in tile_at]


def tile_in(m: Match, cell: int) -> int:
    """The tile in a cell where a figure will be placed; raises RuleError when the cell is empty."""
    tile = m.board.tile_at.get(cell)
    if tile is None:
        raise RuleError("a figure can be moved only to a cell in which a tile lies")
    return tile


def has_free_side(m: Match, cell: int) -> bool:
    """Whether one of the four cells beside a cell is empty."""
    tile_at = m.board.tile_at
    return any(cell + step not in tile_at for step in OFFSETS)


def ahead(cell: int, side: int) -> int:
    """The distance of a cell from the middle in a direction; negative in the opposite direction."""
    x, y = xy_of(cell)
    return (y, x, -y, -x)[side]


def distance(cell: int) -> int:
    """How many steps over sides lead to a cell from the middle."""
    x, y = xy_of(cell)
    return abs(x) + abs(y)


def furthest(m: Match, side: int) -> int:
    """The largest distance of a tile from the middle in a direction."""
    board = m.board
    return (board.reach if board.reach[0] == len(board.tile_cell) else board.measured())[side + 1]


# ------------------------------------------------------------------ placements


def allowed(m: Match, piece: int) -> list[tuple[int, int]]:
    """The placements (cell, layout) where a piece fits and every rule allows it."""
    return m.allowed(piece)


def is_playable(m: Match, piece: int) -> bool:
    """Whether a piece has an allowed placement."""
    may_lay = m.program.may_lay
    if may_lay is None or not m.is_restricted(piece):
        return m.board.count(piece) > 0
    # places near the last tile are the most likely to be allowed
    return any(may_lay(m, piece, at) for at in reversed(m.board.placements(piece)))


def placement(m: Match, piece: int, cell: int, side: int) -> tuple[int, int]:
    """The placement of a piece that begins in a cell, with its printed north to a side."""
    layout, x, y = m.board.shapes.spellings[piece].get((0, side), (0, 0, 0))
    return cell + x + y * STRIDE, layout


def north_of(m: Match, piece: int, at: tuple[int, int]) -> int:
    """The side to which the printed north points; north when the piece does not have the layout."""
    turns, (_, layout) = m.board.shapes.layout_turn[piece], at
    return turns[layout] if layout < len(turns) else 0


def can_lie(m: Match, piece: int, at: tuple[int, int]) -> bool:
    """Whether a piece can be laid in a placement, by its edges alone."""
    cell, layout = at
    return m.board.can_lie(piece, layout, cell)


def cells(m: Match, piece: int, at: tuple[int, int]) -> list[int]:
    """The cells that a placement fills; empty when the piece does not have the layout."""
    cell, layout = at
    layouts = m.board.shapes.footprints[piece]
    return [cell + step for step, _ in layouts[layout]] if layout < len(layouts) else []
