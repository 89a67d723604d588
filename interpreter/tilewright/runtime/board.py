"""Tiles on the table: laying, joining, and where a piece may go.

Only integers, lists, byte strings and dicts, and no walk over the board: features keep running
totals that grow as tiles join them. Two layers: what was laid where (`tile_*`, primary) and all
that follows from it (features, frontier), which `rebuild` makes anew from the first. Who owns a
figure, what is worth points and whose turn it is are other people's business; the mask of figures
on a feature is written by the caller and only carried along here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from tilewright.runtime.encoding import OFFSETS, STRIDE
from tilewright.runtime.lay_codegen import OFTEN, Plan
from tilewright.runtime.lay_plans import plan_of, write
from tilewright.runtime.tile_tables import Shapes

#: whether this module runs as Python; compiled it goes through a plan faster than a function could
IS_PLAIN = __file__.endswith(".py")

HALF = STRIDE // 2
ORIGIN = HALF * STRIDE + HALF

#: features that the lists beginning as zero are lengthened by
ROOM = 16

from_bytes = int.from_bytes

#: for 1, 2, 4 ... cells of one byte: (mask, bits, cells) of the lower half, of its lower half ...
HALVINGS = tuple(
    tuple(((1 << (8 << power)) - 1, 8 << power, 1 << power) for power in reversed(range(most)))
    for most in range(15)
)

Placement = tuple[int, int]  #: cell of the piece's first cell, layout


def cell_of(x: int, y: int) -> int:
    """The number of a cell. Boards reach less than 512 cells from the origin."""
    return (y + HALF) * STRIDE + x + HALF


def xy_of(cell: int) -> tuple[int, int]:
    """The place that a cell's number stands for."""
    y, x = divmod(cell, STRIDE)
    return x - HALF, y - HALF


class Board:
    """What lies on the table. Tiles and features are numbered from 0 as they appear.

    `open_ends` is what keeps a feature from being complete: ends that meet no tile yet and, for
    kinds that wait for cells around, those that are empty. Numbers of features that have been
    merged stay in use as names: ask `find` for the feature they belong to now. There are as many
    features as `parent` is long; `around`, `figures`, `borders` and attributes have zeros to spare.
    """

    __slots__ = (
        "around",
        "asked",
        "attributes",
        "borders",
        "cells",
        "completed",
        "counted",
        "demand",
        "figures",
        "hot",
        "kind",
        "listed",
        "open_ends",
        "parent",
        "position",
        "reach",
        "rooted",
        "rooted_tiles",
        "shapes",
        "strewn",
        "strewn_tiles",
        "tile_at",
        "tile_cell",
        "tile_features",
        "tile_piece",
        "tile_shape",
        "tiles",
        "total",
        "waiting",
    )

    def __init__(self, shapes: Shapes, like: Board | None = None) -> None:
        self.shapes = shapes
        if like is not None:
            self._go_on_from(like)
            self._gather()
            return
        self.tile_at: dict[int, int] = {}
        self.tile_cell: list[int] = []
        self.tile_shape: list[int] = []
        self.tile_piece: list[int] = []
        self.tile_features: list[tuple[int, ...]] = []
        self.parent: list[int] = []
        self.kind: list[int] = []
        self.open_ends: list[int] = []
        self.around: list[int] = []
        self.tiles: list[int] = []
        self.figures: list[int] = []
        self.borders: list[int] = []
        self.attributes: list[list[int]] = [[] for _ in shapes.attribute_ids]
        # the frontier: open cells, what each demands, and where it stands in the two lists
        self.cells: list[int] = [ORIGIN]
        self.demand: bytearray | list[int] = bytearray(1) if shapes.narrow else [0]
        self.position: dict[int, int] = {ORIGIN: 0}
        self.waiting: dict[int, tuple[int, ...]] = {}
        self.completed: list[int] = []
        # of so many tiles: how far they reach from the middle, north, east, south, west
        self.reach = (0, 0, 0, 0, 0)
        # the latest answer of `count`, good until the next tile is laid
        self.asked = -1
        self.total = 0
        self.counted = 0
        self.listed: list[Placement] = []
        # the latest answers of `roots` and of `all_segments`, good for so many tiles
        self.rooted: list[int] = []
        self.rooted_tiles = 0
        self.strewn: list[int] = []
        self.strewn_tiles = 0
        self._gather()

    def _gather(self) -> None:
        """The lists that laying touches, for one look instead of fifteen; none is ever replaced."""
        self.hot = (
            self.tile_at,
            self.tile_cell,
            self.tile_shape,
            self.tile_piece,
            self.tile_features,
            self.shapes.port_segment,
            self.parent,
            self.kind,
            self.open_ends,
            self.tiles,
            self.figures,
            self.borders,
            self.cells,
            self.demand,
            self.position,
            self.waiting,
        )

    # ---------------------------------------------------------------- laying

    def lay(self, piece: int, layout: int, cell: int) -> int:
        """Lay a piece with its first cell here; the tiles it adds, as a mask.

        Raises when edges do not fit. `completed` then holds what this piece has completed.
        """
        self.asked = -1
        footprint = self.shapes.footprints[piece][layout]
        if len(footprint) == 1:
            return self._lay_cell(piece, footprint[0][1], cell)
        laid = 0
        completed: list[int] = []
        for step, shape in footprint:
            laid |= self._lay_cell(piece, shape, cell + step)
            completed += self.completed
        self.completed = []
        self.complete(completed)
        return laid

    def _lay_cell(self, piece: int, shape: int, here: int) -> int:
        place = self.position.pop(here, -1)
        asked = self.demand[place] if place >= 0 else self._off_frontier(here)
        shapes = self.shapes
        written = shapes.written[shape].get(asked)
        if written is not None:
            lay_cell, numbers = written
            return lay_cell(self, numbers, piece, here, place)
        plan = shapes.plans[shape].get(asked) or self._planned(shape, asked, here, place)
        empty, blank, growths, fresh, bordering, joins, more, closing, uses = plan
        uses[0] += 1
        if IS_PLAIN and uses[0] > OFTEN:
            write(shapes, shape, asked)
        (
            tile_at,
            tile_cell,
            tile_shape,
            tile_piece,
            tile_features,
            port_segment,
            parent,
            kind,
            open_ends,
            tiles,
            figures,
            borders,
            cells,
            demand,
            position,
            waiting,
        ) = self.hot

        # the frontier: the first cell that becomes open takes the place of this one
        for offset, wanted in empty:
            beside = here + offset
            if beside in position:
                demand[position[beside]] += wanted
            elif place >= 0:
                cells[place] = beside
                demand[place] = wanted
                position[beside] = place
                place = -1
            else:
                position[beside] = len(cells)
                cells.append(beside)
                demand.append(wanted)
        if place >= 0:
            last = cells.pop()
            moved = demand.pop()
            if last != here:
                cells[place] = last
                demand[place] = moved
                position[last] = place

        # the segments join what they touch, or begin features
        tile = len(tile_shape)
        bit = 1 << tile
        mine = [*blank]
        for index, change, offset, port, others, values in growths:
            other = tile_at[here + offset]
            root = tile_features[other][port_segment[tile_shape[other]][port]]
            while root != parent[root]:
                root = parent[root]
            for offset, port in others:
                other = tile_at[here + offset]
                joined = tile_features[other][port_segment[tile_shape[other]][port]]
                while joined != parent[joined]:
                    joined = parent[joined]
                if joined != root:
                    if joined < root:  # the older one stays: same on every machine
                        root, joined = joined, root
                    self.merge(root, joined)
            if values:
                self.add(root, values)
            open_ends[root] += change
            tiles[root] |= bit
            mine[index] = root
        if fresh:
            root = len(parent)
            for index, kind_number, ends in fresh:
                mine[index] = root
                parent.append(root)
                kind.append(kind_number)
                open_ends.append(ends)
                tiles.append(bit)
                root += 1
            while root > len(figures):
                self.make_room()
        for index, across in bordering:
            root = mine[index]
            if joins:
                while root != parent[root]:
                    root = parent[root]
            borders[root] |= 1 << mine[across]
        tile_at[here] = tile
        tile_shape.append(shape)
        tile_cell.append(here)
        tile_piece.append(piece)
        tile_features.append(tuple(mine))
        if more:
            brought, waits = more
            for attribute, index, number in brought:
                self.attributes[attribute][mine[index]] = number
            for index in waits:
                self.wait(mine[index], here)
        told = self.fill(here) if here in waiting else ()
        self.completed = completed = []
        for index in closing:
            root = mine[index]
            while root != parent[root]:
                root = parent[root]
            if not open_ends[root] and root not in completed:
                completed.append(root)
        if told:
            self.complete(told)
        return bit

    def complete(self, features: Iterable[int]) -> None:
        """Note those of some features that are complete."""
        for root in map(self.find, features):
            if root not in self.completed and self.is_complete(root):
                self.completed.append(root)

    def make_room(self) -> None:
        """Lengthen the lists whose rows begin as zero, by many at a time."""
        zeros = [0] * ROOM
        for numbers in (self.around, self.figures, self.borders, *self.attributes):
            numbers += zeros

    def _off_frontier(self, here: int) -> int:
        """What a cell demands that touches no tile."""
        if here in self.tile_at:
            raise ValueError("that cell is not empty")
        if not self.tile_at:
            self.cells.clear()
            self.demand.clear()
            self.position.clear()
        return 0

    def _planned(self, shape: int, asked: int, here: int, place: int) -> Plan:
        try:
            return plan_of(self.shapes, shape, asked)
        except ValueError:
            if place >= 0:
                self.position[here] = place
            raise

    def add(self, root: int, values: tuple[tuple[int, int, bool], ...]) -> None:
        for attribute, number, adds in values:
            numbers = self.attributes[attribute]
            numbers[root] = numbers[root] + number if adds else max(numbers[root], number)

    def merge(self, root: int, joined: int) -> None:
        self.parent[joined] = root
        self.open_ends[root] += self.open_ends[joined]
        self.around[root] += self.around[joined]
        self.tiles[root] |= self.tiles[joined]
        self.figures[root] |= self.figures[joined]
        self.borders[root] |= self.borders[joined]
        for index, adds in self.shapes.merges[self.kind[root]]:
            numbers = self.attributes[index]
            if adds:
                numbers[root] += numbers[joined]
            elif numbers[joined] > numbers[root]:
                numbers[root] = numbers[joined]

    def wait(self, feature: int, here: int) -> None:
        """Count the cells around; the empty ones tell the feature when they are filled."""
        feature = self.find(feature)
        waiting = self.waiting
        tile_at = self.tile_at
        filled = 0
        awaited = self.shapes.awaited[self.kind[feature]]
        for offset in awaited:
            cell = here + offset
            if cell in tile_at:
                filled += 1
            else:
                waiting[cell] = (*waiting[cell], feature) if cell in waiting else (feature,)
        self.around[feature] += filled
        self.open_ends[feature] += len(awaited) - filled

    def fill(self, here: int) -> tuple[int, ...]:
        told = tuple(map(self.find, self.waiting.pop(here)))
        for root in told:
            self.around[root] += 1
            self.open_ends[root] -= 1
        return told

    # ---------------------------------------------------------------- asking

    def find(self, feature: int) -> int:
        """The feature that this one is part of now."""
        parent = self.parent
        # no path compression: trees stay flat without it, and so asking writes nothing
        while feature != parent[feature]:
            feature = parent[feature]
        return feature

    def roots(self) -> list[int]:
        """What each feature that ever was is part of now, for whoever asks of many."""
        if self.rooted_tiles != len(self.tile_shape):
            roots: list[int] = []
            for feature, parent in enumerate(self.parent):  # a younger one joins an older one
                roots.append(feature if parent == feature else roots[parent])
            self.rooted = roots
            self.rooted_tiles = len(self.tile_shape)
        return self.rooted

    def all_segments(self) -> list[int]:
        """Every segment on the board, by tile; a list for looking at."""
        rows = self.tile_features
        if self.strewn_tiles < len(rows):
            starts = range(self.strewn_tiles << 5, len(rows) << 5, 32)
            ends = [
                start + len(row)
                for start, row in zip(starts, rows[self.strewn_tiles :], strict=True)
            ]
            self.strewn = [*self.strewn, *chain.from_iterable(map(range, starts, ends))]
            self.strewn_tiles = len(rows)
        return self.strewn

    def feature_roots(self) -> list[int]:
        """All features on the board, oldest first."""
        return [feature for feature, parent in enumerate(self.parent) if feature == parent]

    def is_complete(self, feature: int) -> bool:
        """Whether nothing is open any more, for a kind that can be completed."""
        root = self.find(feature)
        return not self.open_ends[root] and self.shapes.closes[self.kind[root]]

    def bordered(self, feature: int) -> list[int]:
        """The features that segments of this one border, oldest first."""
        parent = self.parent
        mask = self.borders[self.find(feature)]
        found: set[int] = set()
        while mask:
            other = mask.bit_length() - 1
            mask ^= 1 << other
            while other != parent[other]:
                other = parent[other]
            found.add(other)
        return sorted(found)

    def neighbours(self, cell: int) -> list[int]:
        """The cells beside this one that hold a tile: north, east, south, west."""
        tile_at = self.tile_at
        return [cell + offset for offset in OFFSETS if cell + offset in tile_at]

    def line(self, cell: int, side: int) -> list[int]:
        """The cells straight ahead that hold a tile, up to the first gap."""
        offset = OFFSETS[side]
        found: list[int] = []
        cell += offset
        while cell in self.tile_at:
            found.append(cell)
            cell += offset
        return found

    def measured(self) -> tuple[int, int, int, int, int]:
        """`reach` with the tiles that have been laid since it was asked for."""
        known, north, east, south, west = self.reach
        for x, y in map(xy_of, self.tile_cell[known:]):
            north, east, south, west = max(north, y), max(east, x), max(south, -y), max(west, -x)
        self.reach = (len(self.tile_cell), north, east, south, west)
        return self.reach

    # ---------------------------------------------------------------- options

    def count(self, piece: int) -> int:
        """In how many ways a piece may be laid, by its edges alone."""
        if piece == self.asked:
            return self.total
        table = self.shapes.tables[piece]
        if table is None:
            self.listed = list(self._listing(piece))
            self.total = len(self.listed)
        else:
            demand = self.demand
            # a byte for each open cell, with as many set bits as layouts fit there
            if isinstance(demand, bytearray):
                self.counted = from_bytes(demand.translate(table), "little")
            else:
                self.counted = from_bytes(self._byte_for_each(demand, piece, table), "little")
            self.total = self.counted.bit_count()
        self.asked = piece
        return self.total

    def _byte_for_each(self, demand: list[int], piece: int, table: bytes) -> bytes:
        try:
            return bytes(demand).translate(table)
        except ValueError:  # some cell demands an edge that is not told by a byte
            fitting = self.shapes.fitting[piece]
            return bytes((1 << len(fitting.get(asked, ()))) - 1 for asked in demand)

    def fits(self, piece: int) -> bool:
        """Whether a piece may be laid anywhere, by its edges alone."""
        return self.count(piece) > 0

    def locate(self, piece: int, k: int) -> Placement:
        """The k-th placement of a piece, in the order of `placements`, without listing them."""
        if piece != self.asked:
            self.count(piece)
        if not 0 <= k < self.total:
            raise IndexError(k)
        shapes = self.shapes
        if shapes.tables[piece] is None:
            return self.listed[k]
        cells = self.cells
        bits = self.counted
        place = 0
        for mask, width, many in HALVINGS[(len(cells) - 1).bit_length()]:
            low = bits & mask
            held = low.bit_count()
            if k < held:
                bits = low
            else:
                k -= held
                bits >>= width
                place += many
        return cells[place], shapes.fitting[piece][self.demand[place]][k]

    def placements(self, piece: int) -> list[Placement]:
        """Every way to lay a piece, by its edges alone; the order is the same on every machine."""
        if self.shapes.tables[piece] is None:
            self.count(piece)
            return self.listed.copy()
        fitting = self.shapes.fitting[piece]
        return [
            (cell, layout)
            for cell, asked in zip(self.cells, self.demand, strict=True)
            if asked in fitting
            for layout in fitting[asked]
        ]

    def accepts(self, piece: int, layout: int, cell: int) -> bool:
        """Whether a piece may be laid just so: its cells empty, next to a tile, edges as demanded.

        On an empty board only the origin is offered, so only it is accepted.
        """
        if not self.tile_at and cell != ORIGIN:
            return False
        beside = False
        for step, shape in self.shapes.footprints[piece][layout]:
            here = cell + step
            if here in self.tile_at:
                return False
            if here in self.position:
                beside = True
                if not self.shapes.meets(shape, self.demand[self.position[here]]):
                    return False
        return beside

    def _listing(self, piece: int) -> Iterator[Placement]:
        """Placements of a piece of several cells: each once, at its first cell in the frontier."""
        footprints = self.shapes.footprints[piece]
        seen: set[Placement] = set()
        for open_cell in self.cells:
            for layout, footprint in enumerate(footprints):
                for step, _ in footprint if self.tile_at else footprint[:1]:
                    option = (open_cell - step, layout)
                    if option not in seen and self.accepts(piece, layout, option[0]):
                        seen.add(option)
                        yield option

    # ---------------------------------------------------------------- copying

    def copy(self) -> Board:
        """A board of its own that goes on from here; the tables are shared."""
        return Board(self.shapes, self)

    def _go_on_from(self, like: Board) -> None:
        self.tile_at = like.tile_at.copy()
        self.tile_cell = like.tile_cell[:]
        self.tile_shape = like.tile_shape[:]
        self.tile_piece = like.tile_piece[:]
        self.tile_features = like.tile_features[:]
        self.parent = like.parent[:]
        self.kind = like.kind[:]
        self.open_ends = like.open_ends[:]
        self.around = like.around[:]
        self.tiles = like.tiles[:]
        self.figures = like.figures[:]
        self.borders = like.borders[:]
        self.attributes = [numbers[:] for numbers in like.attributes]
        self.cells = like.cells[:]
        self.demand = like.demand[:]
        self.position = like.position.copy()
        self.waiting = like.waiting.copy()
        self.completed = like.completed[:]
        # answers are replaced, never changed, so both may hold the same one
        self.reach = like.reach
        self.asked = like.asked
        self.total = like.total
        self.counted = like.counted
        self.listed = like.listed
        self.rooted = like.rooted
        self.rooted_tiles = like.rooted_tiles
        self.strewn = like.strewn
        self.strewn_tiles = like.strewn_tiles
