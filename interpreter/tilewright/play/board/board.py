"""The board: it lays tiles, joins features and finds the places where a piece fits.

It uses only integers, lists, byte strings and dicts, and never walks over the board: features keep
running totals that grow as tiles join them. The laid tiles (`tile_*`) are the primary data.
Features and frontier follow from them, and `rebuild` can compute both again. This module knows no
owners, points or turns; the caller writes the mask of figures on a feature, and the board only
merges it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from tilewright.play.board.board_state import BoardState, Placement
from tilewright.play.board.lay_codegen import OFTEN, Plan
from tilewright.play.board.lay_plans import plan_of, write
from tilewright.play.encoding import HALF, OFFSETS, ORIGIN, STRIDE

#: number of features by which the lists of zeros grow
ROOM = 16

from_bytes = int.from_bytes

#: for 1, 2, 4 ... cells of one byte: (mask, bits, cells) of the lower half, of its lower half ...
HALVINGS = tuple(
    tuple(((1 << (8 << power)) - 1, 8 << power, 1 << power) for power in reversed(range(most)))
    for most in range(15)
)


def cell_of(x: int, y: int) -> int:
    """The number of the cell at (x, y). Boards reach less than 512 cells from the origin."""
    return (y + HALF) * STRIDE + x + HALF


def xy_of(cell: int) -> tuple[int, int]:
    """The coordinates (x, y) of a cell."""
    y, x = divmod(cell, STRIDE)
    return x - HALF, y - HALF


def is_rim(cell: int) -> bool:
    """Whether a cell is one of the outermost, or off the board: no tile can lie there."""
    y, x = divmod(cell, STRIDE)
    return not (0 < x < STRIDE - 1 and 0 < y < STRIDE - 1)


class Board(BoardState):
    """The laid tiles and their features, both numbered from 0 as they appear."""

    __slots__ = ()

    # ---------------------------------------------------------------- laying

    def lay(self, piece: int, layout: int, cell: int) -> int:
        """Lay a piece with its first cell at `cell` and return the added tiles as a mask.

        Afterwards `completed` holds what it completed. Raises ValueError when it does not fit.
        """
        self.counted_piece = -1
        footprint = self.shapes.footprints[piece][layout]
        piece = self.shapes.beneath[piece]
        if len(footprint) == 1:
            return self.lay_cell(piece, footprint[0][1], cell)
        laid, completed = 0, list[int]()
        for step, shape in footprint:
            laid |= self.lay_cell(piece, shape, cell + step)
            completed += self.completed
        self.completed = []
        self.complete(completed)
        return laid

    def lay_cell(self, piece: int, shape: int, here: int) -> int:
        """Lay one cell of a piece."""
        if is_rim(here):
            raise ValueError("that cell is at the edge of the table")
        place = self.frontier_index.pop(here, -1)
        demanded = self.demand[place] if place >= 0 else self._off_frontier(here)
        shapes = self.shapes
        written = shapes.written[shape].get(demanded)
        if written is not None:
            lay_cell, numbers = written
            return lay_cell(self, numbers, piece, here, place)
        plan = shapes.plans[shape].get(demanded) or self._planned(shape, demanded, here, place)
        empty, blank, growths, fresh, bordering, joins, more, closing, uses = plan
        uses[0] += 1
        if uses[0] > OFTEN:
            write(shapes, shape, demanded)
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
        ) = self.hot_lists

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
                    if joined < root:  # the older one stays: same on every computer
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
        cut: list[int] = []
        if more:
            new_values, waits, meeting = more
            for attribute, index, number in new_values:
                self.attributes[attribute][mine[index]] = number
            for index in waits:
                self.wait(mine[index], here)
            for offset, port in meeting:
                other = tile_at[here + offset]
                root = self.find(tile_features[other][port_segment[tile_shape[other]][port]])
                open_ends[root] -= 1
                cut.append(root)
        touched = self.fill(here) if here in waiting else ()
        self.completed = completed = []
        for index in closing:
            root = mine[index]
            while root != parent[root]:
                root = parent[root]
            if not open_ends[root] and root not in completed:
                completed.append(root)
        if cut or touched:
            self.complete((*cut, *touched))
        return bit

    def complete(self, features: Iterable[int]) -> None:
        """Add the complete ones of these features to `completed`."""
        for root in map(self.find, features):
            if root not in self.completed and self.is_complete(root):
                self.completed.append(root)

    def begin(self, kind: int) -> int:
        """Begin a feature without segments and return its number."""
        root = len(self.parent)
        self.parent.append(root)
        self.kind.append(kind)
        self.open_ends.append(0)
        self.tiles.append(0)
        if root == len(self.figures):
            self.make_room()
        return root

    def make_room(self) -> None:
        """Lengthen the lists of zeros, many rows at a time."""
        zeros = [0] * ROOM
        for numbers in (self.filled_around, self.figures, self.borders, *self.attributes):
            numbers += zeros

    def _off_frontier(self, here: int) -> int:
        """The demand of a cell that touches no tile."""
        if here in self.tile_at:
            raise ValueError("that cell is not empty")
        if not self.tile_at:
            self.cells.clear()
            self.demand.clear()
            self.frontier_index.clear()
        return 0

    def _planned(self, shape: int, demanded: int, here: int, place: int) -> Plan:
        try:
            return plan_of(self.shapes, shape, demanded)
        except ValueError:
            if place >= 0:
                self.frontier_index[here] = place
            raise

    def add(self, root: int, values: tuple[tuple[int, int, bool], ...]) -> None:
        """Add printed (attribute, number, whether it adds up) of a segment to a feature."""
        for attribute, number, adds in values:
            numbers = self.attributes[attribute]
            numbers[root] = numbers[root] + number if adds else max(numbers[root], number)

    def merge(self, root: int, joined: int) -> None:
        """Make feature `joined` part of feature `root` and combine their totals."""
        self.parent[joined] = root
        self.open_ends[root] += self.open_ends[joined]
        self.filled_around[root] += self.filled_around[joined]
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
        """Count the filled cells around `here` and register the feature with the empty ones."""
        feature = self.find(feature)
        waiting = self.waiting_at
        tile_at = self.tile_at
        filled = 0
        awaited = self.shapes.awaited[self.kind[feature]]
        for offset in awaited:
            cell = here + offset
            if cell in tile_at:
                filled += 1
            else:
                waiting[cell] = (*waiting[cell], feature) if cell in waiting else (feature,)
        self.filled_around[feature] += filled
        self.open_ends[feature] += len(awaited) - filled

    def fill(self, here: int) -> tuple[int, ...]:
        """Report a filled cell to the features that waited for it, and return these."""
        touched = tuple(map(self.find, self.waiting_at.pop(here)))
        for root in touched:
            self.filled_around[root] += 1
            self.open_ends[root] -= 1
        return touched

    # ---------------------------------------------------------------- reading

    def find(self, feature: int) -> int:
        """The feature that this one belongs to now."""
        parent = self.parent
        # no path compression: trees stay flat without it, and reading writes nothing
        while feature != parent[feature]:
            feature = parent[feature]
        return feature

    def roots(self) -> list[int]:
        """`find` for every feature number at once."""
        if self.roots_cache_tiles != len(self.tile_shape):
            roots: list[int] = []
            for feature, parent in enumerate(self.parent):  # a younger one joins an older one
                roots.append(feature if parent == feature else roots[parent])
            self.roots_cache = roots
            self.roots_cache_tiles = len(self.tile_shape)
        return self.roots_cache

    def all_segments(self) -> list[int]:
        """Every segment on the board, by tile. The list is shared: do not change it."""
        rows = self.tile_features
        if self.segments_cache_tiles < len(rows):
            starts = range(self.segments_cache_tiles << 5, len(rows) << 5, 32)
            ends = [
                start + len(row)
                for start, row in zip(starts, rows[self.segments_cache_tiles :], strict=True)
            ]
            self.segments_cache = [
                *self.segments_cache,
                *chain.from_iterable(map(range, starts, ends)),
            ]
            self.segments_cache_tiles = len(rows)
        return self.segments_cache

    def feature_roots(self) -> list[int]:
        """All features on the board, oldest first."""
        if self.relaid:  # some numbers are of features that are gone
            return [
                each for each, own in enumerate(self.parent) if each == own and self.tiles[each]
            ]
        return [feature for feature, parent in enumerate(self.parent) if feature == parent]

    def is_complete(self, feature: int) -> bool:
        """Whether the feature is of a kind that can be completed and has no open ends."""
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

    def lying(self) -> Iterator[int]:
        """The tiles that lie on the board, without those that were lifted, oldest first."""
        tiles = range(len(self.tile_cell))
        return (tile for tile in tiles if not self.gone >> tile & 1)

    def neighbours(self, cell: int) -> list[int]:
        """The cells beside this one that hold a tile: north, east, south, west."""
        tile_at = self.tile_at
        return [cell + offset for offset in OFFSETS if cell + offset in tile_at]

    def line(self, cell: int, side: int) -> list[int]:
        """The cells in a straight line from `cell` that hold a tile, up to the first gap."""
        offset = OFFSETS[side]
        found: list[int] = []
        cell += offset
        while cell in self.tile_at:
            found.append(cell)
            cell += offset
        return found

    def measured(self) -> tuple[int, int, int, int, int]:
        """`reach`, brought up to date with the tiles laid since the last call."""
        known, north, east, south, west = self.reach
        if self.gone:  # one that is gone was measured before, or as it lies no more
            cells: Iterable[int] = self.tile_at
            known = north = east = south = west = 0
        else:
            cells = self.tile_cell[known:]
        for x, y in map(xy_of, cells):
            north, east, south, west = max(north, y), max(east, x), max(south, -y), max(west, -x)
        self.reach = (len(self.tile_cell), north, east, south, west)
        return self.reach

    # ---------------------------------------------------------------- options

    def count(self, piece: int) -> int:
        """The number of placements of a piece, by its edges alone."""
        if piece == self.counted_piece:
            return self.total
        table = self.shapes.tables[piece]
        if table is None:
            self.listed = list(self._listing(piece))
            self.total = len(self.listed)
        else:
            demand = self.demand
            # one byte for each open cell, with one set bit for each layout that fits there
            if isinstance(demand, bytearray):
                self.counted = from_bytes(demand.translate(table), "little")
            else:
                self.counted = from_bytes(self._byte_for_each(demand, piece, table), "little")
            self.total = self.counted.bit_count()
        self.counted_piece = piece
        return self.total

    def _byte_for_each(self, demand: list[int], piece: int, table: bytes) -> bytes:
        try:
            return bytes(demand).translate(table)
        except ValueError:  # some cell demands an edge that a byte cannot hold
            fitting = self.shapes.fitting[piece]
            return bytes((1 << len(fitting.get(demanded, ()))) - 1 for demanded in demand)

    def fits(self, piece: int) -> bool:
        """Whether a piece may be laid anywhere, by its edges alone."""
        return self.count(piece) > 0

    def locate(self, piece: int, k: int) -> Placement:
        """The k-th placement of a piece, in the order of `placements`, without listing them."""
        if piece != self.counted_piece:
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
        """Every way to lay a piece, by its edges alone; the order is the same on every computer."""
        if self.shapes.tables[piece] is None:
            self.count(piece)
            return self.listed.copy()
        fitting = self.shapes.fitting[piece]
        return [
            (cell, layout)
            for cell, demanded in zip(self.cells, self.demand, strict=True)
            if demanded in fitting
            for layout in fitting[demanded]
        ]

    def accepts(self, piece: int, layout: int, cell: int) -> bool:
        """Whether a placement is legal: its cells are empty, next to a tile, and its edges fit.

        On an empty board only the origin is accepted.
        """
        if not self.tile_at and cell != ORIGIN:
            return False
        beside = False
        for step, shape in self.shapes.footprints[piece][layout]:
            here = cell + step
            if here in self.tile_at:
                return False
            if here in self.frontier_index:
                beside = True
                if not self.shapes.meets(shape, self.demand[self.frontier_index[here]]):
                    return False
        return beside

    def can_lie(self, piece: int, layout: int, cell: int) -> bool:
        """Whether `lay` takes a placement, which may be far from all tiles."""
        layouts = self.shapes.footprints[piece]
        if layout >= len(layouts):
            return False
        for step, shape in layouts[layout]:
            here = cell + step
            if here in self.tile_at or is_rim(here):
                return False
            place = self.frontier_index.get(here)
            demanded = 0 if place is None or not self.tile_at else self.demand[place]
            if not self.shapes.meets(shape, demanded):
                return False
        return True

    def _listing(self, piece: int) -> Iterator[Placement]:
        """List the placements of a piece of several cells: each once, at its first open cell."""
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
        """An independent copy of the board; only the tables are shared."""
        return Board(self.shapes, self)
