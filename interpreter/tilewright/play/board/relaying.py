"""Changes how laid tiles lie: the board is laid again from its tiles, in the order of their age.

A tile keeps its number while it lies, wherever and however it is turned; one that is taken off
keeps it too, and is `gone`: no cell holds it and no feature covers it. The tiles that lie make the
features that they would make if nothing else had ever been laid. A feature keeps the number that
one of its segments had; a part that has none gets the next one. So figures stay on the segments
that they are on, and a number that a rule holds means what is left of its feature.

A tile that lies face down has a shape of its own, the back: without segments, with edges that fit
every other one. Its number and its piece stay; features that lead to it end there.

Of joins and recasts those stay that are still possible, and a cover counts as laid with its tile.
Nothing here is fast: a game without these changes never comes here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from tilewright.play.board.board import Board
from tilewright.play.board.board_state import Placement
from tilewright.play.board.covering import cover_as
from tilewright.play.board.joining import feature_at, join
from tilewright.play.board.lay_plans import made_anyway
from tilewright.play.board.recasting import recast, recast_fault
from tilewright.play.board.tile_tables import Shapes
from tilewright.play.encoding import OFFSETS

#: how a piece lies: the cell and the shape of each of its tiles
Way = tuple[Placement, ...]
#: the label of a segment that was on no board before
NEW = -1


def lies(board: Board, tile: int) -> bool:
    """Whether a tile is on the board."""
    return not board.gone >> tile & 1


def is_face_down(board: Board, tile: int) -> bool:
    """Whether a tile lies face down, or did so when it was taken off."""
    return board.tile_shape[tile] == board.shapes.back


def seen_piece(board: Board, tile: int) -> int | None:
    """The piece of a tile; None for one that lies face down, which nobody sees."""
    return None if is_face_down(board, tile) else board.tile_piece[tile]


def shows(board: Board, segment: int) -> bool:
    """Whether a segment is on the board, face up."""
    tile, index = segment >> 5, segment & 31
    return lies(board, tile) and index < len(board.shapes.segments[board.tile_shape[tile]])


def pieces_face_down(board: Board) -> list[int]:
    """The pieces of the tiles that lie face down, oldest first."""
    if board.shapes.back not in board.tile_shape:
        return []
    return [board.tile_piece[tile] for tile in board.lying() if is_face_down(board, tile)]


def whole_of(board: Board, tile: int) -> range:
    """The tiles of the piece that a tile was laid as part of; they have numbers in a row."""
    index, many = board.shapes.part_of(board.tile_piece[tile], board.tile_shape[tile])
    return range(tile - index, tile - index + many)


def numbers(board: Board) -> list[int]:
    """The primary facts of a board on which laid tiles were changed, without those of all boards.

    How many tiles are gone and which, how many numbers of features are in use, and the labels of
    all segments; nothing for any other board.
    """
    if not board.relaid:
        return []
    gone = [tile for tile in range(len(board.tile_cell)) if not lies(board, tile)]
    return [len(gone), *gone, len(board.parent), *chain.from_iterable(labels(board))]


def take_numbers(board: Board, facts: Sequence[int]) -> None:
    """Take these facts for the tiles of a board that has nothing else."""
    many, rest = facts[0], iter(facts[1:])
    board.gone = sum(1 << tile for tile in islice(rest, many))
    board.parent[:] = range(next(rest))
    segments = board.shapes.segments
    board.tile_features[:] = [
        tuple(islice(rest, len(segments[shape]))) for shape in board.tile_shape
    ]


def labels(board: Board) -> list[tuple[int, ...]]:
    """By tile: the number of a feature that began with each segment, or that it belongs to now.

    These have the meaning of `tile_features`, in one form. A tile that is gone keeps its own.
    """
    begun: set[int] = set()
    found = []
    for tile, row in enumerate(board.tile_features):
        mine = row
        if lies(board, tile):
            mine = tuple(each if each not in begun else board.find(each) for each in row)
            begun.update(row)
        found.append(mine)
    return found


# ------------------------------------------------------------------ places that fit


def turned_ways(board: Board, tile: int) -> dict[int, Way]:
    """By side of the printed north: how the piece of a tile could lie in its cells.

    None for turns that look the same, nor for a tile that lies face down.
    """
    tiles, shapes = whole_of(board, tile), board.shapes
    piece = shapes.piece_of[board.tile_shape[tile]]
    if piece < 0 or not lies(board, tile):
        return {}
    lying = [(board.tile_cell[each], board.tile_shape[each]) for each in tiles]
    for face in range(shapes.layout_face[piece][-1] + 1):
        ways = _ways(shapes, piece, face, [cell for cell, _ in lying])
        if any(sorted(way) == sorted(lying) for way in ways.values()):
            return _fitting(board, ways)
    return {}


def ways_in_place(board: Board, piece: int, tile: int) -> dict[int, Way]:
    """By side of the printed north: how a piece could lie in the cells of the piece of a tile."""
    if not lies(board, tile):
        return {}
    cells = [board.tile_cell[each] for each in whole_of(board, tile)]
    return _fitting(board, _ways(board.shapes, piece, 0, cells))


def face_up_ways(board: Board, tile: int) -> dict[int, Way]:
    """By side of the printed north: how a tile that lies face down could lie face up."""
    is_down = lies(board, tile) and is_face_down(board, tile)
    return ways_in_place(board, board.tile_piece[tile], tile) if is_down else {}


def cells_swapped(board: Board, one: int, other: int) -> dict[int, int]:
    """By tile: the cells of two pieces that change places; empty where one of them does not fit."""
    if not lies(board, one) or not lies(board, other):
        return {}
    pair = [whole_of(board, each) for each in (one, other)]
    if len(pair[0]) != len(pair[1]):
        return {}
    mine, theirs = ([board.tile_cell[each] for each in tiles] for tiles in pair)
    step = min(theirs) - min(mine)
    if sorted(cell + step for cell in mine) != sorted(theirs):
        return {}
    moved = {tile: board.tile_cell[tile] + step for tile in pair[0]}
    moved |= {tile: board.tile_cell[tile] - step for tile in pair[1]}
    instead = {cell: board.tile_shape[tile] for tile, cell in moved.items()}
    fits = all(_meets(board, shape, cell, instead) for cell, shape in instead.items())
    return moved if fits else {}


def partners(board: Board, tile: int) -> Iterator[int]:
    """The tiles with which a tile could change places, oldest first."""
    if not lies(board, tile):
        return
    whole, cell = whole_of(board, tile), board.tile_cell[tile]
    beside = {cell + step for step in OFFSETS}
    #: by shape of a tile that lies apart from this one: whether it fits in the place of this one
    fits: dict[int, bool] = {}
    for other in board.lying():
        if other in whole:
            continue
        if len(whole) == 1 and board.tile_cell[other] not in beside:
            shape = board.tile_shape[other]
            if shape not in fits:
                fits[shape] = _meets(board, shape, cell, {})
            if not fits[shape]:
                continue
        if cells_swapped(board, tile, other):
            yield other


def _ways(shapes: Shapes, piece: int, face: int, cells: Sequence[int]) -> dict[int, Way]:
    """By side of the printed north: how a face of a piece fills just these cells, each once."""
    found = {}
    rows = (shapes.layout_face[piece], shapes.layout_turn[piece], shapes.footprints[piece])
    for up, turn, footprint in zip(*rows, strict=True):
        first = min(cells) - min(step for step, _ in footprint)
        way = tuple((first + step, shape) for step, shape in footprint)
        if up == face and sorted(cell for cell, _ in way) == sorted(cells):
            found[turn] = way
    return found


def _fitting(board: Board, ways: Mapping[int, Way]) -> dict[int, Way]:
    return {
        turn: way
        for turn, way in ways.items()
        if all(_meets(board, shape, cell, dict(way)) for cell, shape in way)
    }


def _meets(board: Board, shape: int, cell: int, instead: Mapping[int, int]) -> bool:
    """Whether a shape fits what lies around a cell; `instead` has shapes in place of tiles."""
    shapes = board.shapes
    edges = shapes.edges_of(shape)
    for side, step in enumerate(OFFSETS):
        tile = board.tile_at.get(cell + step)
        if tile is None:
            if shapes.enclosed[shape]:
                return False
            continue
        beyond = instead.get(cell + step, board.tile_shape[tile])
        facing = shapes.edges_of(beyond)[side ^ 2]
        if facing - 1 not in shapes.fits[edges[side] - 1]:
            return False
    return True


# ------------------------------------------------------------------ changes


def lifted(board: Board, tiles: Iterable[int], spots: Sequence[int]) -> Board:
    """The board without these tiles, on which no figure is."""
    plan = board.copy()
    for tile in tiles:
        plan.gone |= 1 << tile
    return _changed(board, plan, spots)


def arranged(board: Board, tile: int, way: Way, spots: Sequence[int]) -> Board:
    """The board on which the piece of a tile lies in another way."""
    plan = board.copy()
    for each, (cell, shape) in zip(whole_of(board, tile), way, strict=True):
        plan.tile_cell[each], plan.tile_shape[each] = cell, shape
    return _changed(board, plan, spots)


def swapped(board: Board, cells: Mapping[int, int], spots: Sequence[int]) -> Board:
    """The board on which tiles lie in these cells, of pieces that have changed places."""
    plan = board.copy()
    for tile, cell in cells.items():
        plan.tile_cell[tile] = cell
    return _changed(board, plan, spots)


def replaced(board: Board, tile: int, piece: int, way: Way, spots: Sequence[int]) -> Board:
    """The board on which a new piece lies in the place of one, on which no figure is."""
    plan = board.copy()
    for each in whole_of(board, tile):
        plan.gone |= 1 << each
    return _changed(board, _with(plan, piece, way), spots)


def turned_over(board: Board, tile: int, spots: Sequence[int]) -> Board:
    """The board on which a tile lies face down; no figure is on it."""
    plan = board.copy()
    plan.tile_shape[tile] = board.shapes.back
    return _changed(board, plan, spots)


def laid_face_down(board: Board, piece: int, cell: int, spots: Sequence[int]) -> Board:
    """The board with one tile more, which lies face down in an empty cell."""
    way = ((cell, board.shapes.back),)
    return _changed(board, _with(board.copy(), piece, way), spots)


def _with(plan: Board, piece: int, way: Way) -> Board:
    for cell, shape in way:
        plan.tile_cell.append(cell)
        plan.tile_shape.append(shape)
        plan.tile_piece.append(piece)
    return plan


def _changed(before: Board, plan: Board, spots: Sequence[int]) -> Board:
    """The board of the tiles of a plan, with the features that the change completed."""
    plan.links = tuple(pair for pair in plan.links if all(shows(plan, segment) for segment in pair))
    plan.recasts = tuple(each for each in plan.recasts if shows(plan, each[0]))
    plan.covers = ()
    plan.tile_features = labels(before)
    after = laid_again(plan, spots)
    was_complete = {
        segment for segment in _segments(before) if before.is_complete(feature_at(before, segment))
    }
    found = [after.find(each) for each in before.completed]
    for segment in _segments(after):
        if segment not in was_complete:
            found.append(feature_at(after, segment))
    after.complete(sorted(found[len(before.completed) :]))
    fresh, after.completed = after.completed, []
    after.complete((*found[: len(before.completed)], *fresh))
    return after


def laid_again(facts: Board, spots: Sequence[int]) -> Board:
    """A board with the tiles, joins, recasts, covers and numbers of features of another one.

    Of the other board only these facts are read, `tile_features` and how many features there are.
    Raises ValueError or IndexError for tiles that do not fit.
    """
    board, shapes, numbered = Board(facts.shapes), facts.shapes, labels(facts)
    board.gone, board.relaid = facts.gone, True
    bare = {tile for tile, _ in facts.covers}
    to_come = list(facts.covers)
    rows = zip(facts.tile_cell, facts.tile_shape, facts.tile_piece, strict=True)
    for tile, (cell, shape, piece) in enumerate(rows):
        if not lies(board, tile):
            board.tile_cell.append(cell)
            board.tile_shape.append(shape)
            board.tile_piece.append(piece)
            board.tile_features.append(numbered[tile])
        else:
            _lay(board, piece, shapes.covers.bare[shape] if tile in bare else shape, cell)
        while to_come and to_come[0][1] == tile + 1:
            covered = to_come.pop(0)[0]
            cover_as(board, covered, facts.tile_shape[covered])
    for one, other in facts.links:
        join(board, one, other)
    _number(board, numbered, len(facts.parent))
    for segment, kind in facts.recasts:
        if not recast_fault(board, feature_at(board, segment), kind):
            recast(board, feature_at(board, segment), kind)
    for figure, spot in enumerate(spots):
        if spot >= 0 and spot & 31:
            board.figures[feature_at(board, spot - 1)] |= 1 << figure
    board.completed = []
    return board


def _lay(board: Board, piece: int, shape: int, cell: int) -> None:
    """Lay a tile, also an enclosed one beside which a tile is missing by now."""
    place = board.frontier_index.get(cell, -1)
    demand = board.demand[place] if place >= 0 else 0
    plans = board.shapes.plans[shape]
    if demand in plans or board.shapes.meets(shape, demand) or not board.shapes.enclosed[shape]:
        board.lay_cell(piece, shape, cell)
        return
    plans[demand] = made_anyway(board.shapes, shape, demand)
    board.lay_cell(piece, shape, cell)
    del plans[demand]


def _segments(board: Board) -> Iterator[int]:
    """The segments of the tiles that lie, in ascending order."""
    for tile, row in enumerate(board.tile_features):
        if lies(board, tile):
            yield from range(tile << 5, (tile << 5) + len(row))


def _number(board: Board, labels: Sequence[Sequence[int]], many: int) -> None:
    """Give the features of a board the numbers that their segments had; `many` were in use."""
    label_of = {
        segment: labels[segment >> 5][segment & 31]
        for segment in _segments(board)
        if segment >> 5 < len(labels) and segment & 31 < len(labels[segment >> 5])
    }
    # a feature begins with the first of the segments that have its number
    own: dict[int, list[int]] = {root: [] for root in board.feature_roots()}
    root_of = {segment: feature_at(board, segment) for segment in _segments(board)}
    began: dict[int, int] = {}
    for segment, label in label_of.items():
        if label not in began:
            began[label] = root_of[segment]
            own[root_of[segment]].append(label)
    number_of: dict[int, int] = {}
    for root, numbers in own.items():
        number_of[root] = min(numbers, default=many)
        many += not numbers
    parent, kind, ends = list(range(many)), [0] * many, [1] * many
    filled, tiles, borders = [0] * many, [0] * many, [0] * many
    attributes = [[0] * many for _ in board.attributes]
    for root, number in number_of.items():
        for label in own[root]:
            parent[label], kind[label] = number, board.kind[root]
        kind[number], ends[number] = board.kind[root], board.open_ends[root]
        filled[number], tiles[number] = board.filled_around[root], board.tiles[root]
        for mine, totals in zip(attributes, board.attributes, strict=True):
            mine[number] = totals[root]
    for cell, waiting in board.waiting_at.items():
        board.waiting_at[cell] = tuple(number_of[board.find(each)] for each in waiting)
    rows: dict[int, list[int]] = {}
    for segment, root in root_of.items():
        label = label_of.get(segment, NEW)
        is_own = began.get(label) == root
        rows.setdefault(segment >> 5, []).append(label if is_own else number_of[root])
    for tile, row in rows.items():
        board.tile_features[tile] = tuple(row)
        for index, printed in enumerate(board.shapes.segments[board.tile_shape[tile]]):
            for across in printed.borders:
                borders[parent[row[index]]] |= 1 << row[across]
    for old, new in (
        *((board.parent, parent), (board.kind, kind), (board.open_ends, ends)),
        *((board.filled_around, filled), (board.tiles, tiles), (board.borders, borders)),
        *zip(board.attributes, attributes, strict=True),
    ):
        old[:] = new
    board.figures[:] = [0] * many
    board.roots_cache_tiles = board.counted_piece = -1
    board.segments_cache, board.segments_cache_tiles = [], 0


def lost_places(spots: Sequence[int], tiles: Collection[int]) -> list[int]:
    """The figures that are on one of these tiles."""
    return [figure for figure, spot in enumerate(spots) if spot >= 0 and spot >> 5 in tiles]
