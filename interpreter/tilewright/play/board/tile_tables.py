"""Precomputed tables of a linked game's pieces.

Every printed cell is turned into its distinct orientations, called shapes and numbered from 0. For
each shape the tables hold the demands of its edges on the cells beside it, the port of a neighbour
that each segment touches, and the numbers that a segment adds. A demand is one integer: two bits
for each side (north is the lowest), 0 for "anything", else the number of an edge plus one. When
cells can demand more than three edges, the three most frequent are encoded in this way and the
others add higher values; most cells are then found by one byte. Two edges fit when one is the other
seen from beyond, which is its own name unless its halves differ, or when one is `any`; then they do
not join. Only the cache of plans changes after building; plans that are used often become
functions. This module does not know boards, and it checks nothing: the pieces are sound.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tilewright.play.board.lay_codegen import LayCell, Pattern, Plan
from tilewright.play.encoding import AROUND, OFFSETS
from tilewright.rules.model.geometry import SIDES
from tilewright.rules.model.ruleset import (
    ANY_EDGE,
    Completion,
    FeatureKind,
    facing_edge,
)
from tilewright.rules.model.ruleset import TileFace as Face

BYTE = 256  #: demands that fit a byte are counted by table in one call
COMMON = 3  #: the number of edges that two bits a side can hold

#: how two numbers of one attribute are combined: (attribute, whether they add up)
Merge = tuple[int, bool]
#: the cells around that a feature waits for, by its completion rule
AWAITED = {Completion.SURROUNDED: AROUND, Completion.FLANKED: OFFSETS}


class ShapeSegment(NamedTuple):
    """A segment of a shape whose kind takes part in the game."""

    kind: int
    joins: tuple[tuple[int, int], ...]  # (side, port of the neighbour that it touches)
    values: tuple[tuple[int, int, bool], ...]  # (attribute, number, whether they add up), not zero
    borders: tuple[int, ...]
    waits: bool  # complete only when cells around are filled
    loose: int  # ends inside the tile that only a join closes


class Covers(NamedTuple):
    """Pieces and shapes under the covers of a game; all empty in a game without covers."""

    pieces: dict[tuple[int, int], tuple[int, ...]]  # by piece and symbol: each covered piece once
    #: by shape, symbol and side (0 from north to south, 1 across): the shape under this cover
    shapes: dict[tuple[int, int, int], int]
    bare: dict[int, int]  # by covered shape: the shape beneath


class Shapes:
    """The tables of one linked game. Rows are shapes unless a comment names another key."""

    #: the shape of tiles that lie face down, which no piece has; -1 where rules turn none over
    back = -1

    def __init__(
        self, kinds: Sequence[FeatureKind], edge_names: tuple[str, ...], demanded: int = 0
    ) -> None:
        self.kind_ids = tuple(kind.id for kind in kinds)
        self.attribute_ids: tuple[tuple[str, str], ...] = ()
        self.symbol_ids: tuple[str, ...] = ()
        self.piece_ids: tuple[str, ...] = ()
        self.edge_names = edge_names
        #: how many of the edges a cell may demand; the others are on enclosed pieces alone
        self.demanded = demanded
        self.narrow = demanded <= COMMON
        #: by edge: the edges that it fits, and of its three ports those at which a segment ends
        self.fits = tuple(_fitting(name, edge_names) for name in edge_names)
        #: by edge: the one that joins it, or a number beyond all edges when no piece has that
        self.facing = _facing(edge_names)
        self.edge_ends: tuple[tuple[int, ...], ...] = ()
        rare = max(len(edge_names) - COMMON, 0) + 1
        #: by side: what an edge (its number plus one) on that side adds to a demand
        self.adds = tuple(_added(side, len(edge_names), rare) for side in range(4))
        self.rare = tuple(BYTE * rare**side for side in range(5))
        # by kind
        self.closes = tuple(kind.completes is not Completion.NEVER for kind in kinds)
        self.awaited = tuple(AWAITED.get(kind.completes, ()) for kind in kinds)
        self.merges: tuple[tuple[Merge, ...], ...] = ()
        # by shape
        self.piece_of: tuple[int, ...] = ()
        self.face_of: tuple[Face, ...] = ()
        self.turn_of: tuple[int, ...] = ()
        self.enclosed: tuple[bool, ...] = ()
        self.pattern: tuple[int, ...] = ()
        self.demands: tuple[tuple[int, ...], ...] = ()
        self.segments: tuple[tuple[ShapeSegment, ...], ...] = ()
        self.segment_kind: tuple[tuple[int, ...], ...] = ()
        self.segment_names: tuple[tuple[str, ...], ...] = ()
        self.segment_symbols: tuple[tuple[int, ...], ...] = ()
        self.segment_sides: tuple[tuple[list[int], ...], ...] = ()
        self.segment_corners: tuple[tuple[list[int], ...], ...] = ()
        self.port_segment: tuple[tuple[int, ...], ...] = ()
        self.symbols: tuple[int, ...] = ()
        self.plans: tuple[dict[int, Plan], ...] = ()
        self.written: tuple[dict[int, tuple[LayCell, tuple[Any, ...]]], ...] = ()
        self.uses: dict[Pattern, list[int]] = {}
        self.met: dict[int, frozenset[int]] = {}  # by shape: the demands that it meets
        self.around: dict[int, tuple[int, ...]] = {}  # by shape: its pattern in digits
        # by piece and shape: the index of a tile in its piece, and how many tiles the piece has
        self.parts: dict[tuple[int, int], tuple[int, int]] = {}
        self.covers = Covers({}, {}, {})
        self.beneath: tuple[int, ...] = ()  # by piece: the one under its cover, else itself
        # by piece, then by layout
        self.layouts: tuple[tuple[tuple[tuple[tuple[int, int], int], ...], ...], ...] = ()
        self.footprints: tuple[tuple[tuple[tuple[int, int], ...], ...], ...] = ()
        self.layout_face: tuple[tuple[int, ...], ...] = ()
        self.layout_turn: tuple[tuple[int, ...], ...] = ()
        # by piece: (face, turn) -> layout and the shift of its first cell
        self.spellings: tuple[dict[tuple[int, int], tuple[int, int, int]], ...] = ()
        # by piece: demand -> layouts, and as many set bits (None: without a table, list instead)
        self.fitting: tuple[dict[int, tuple[int, ...]], ...] = ()
        self.tables: tuple[bytes | None, ...] = ()

    def meets(self, shape: int, demand: int) -> bool:
        """Whether the edges of this shape meet the demand of a cell."""
        demands = self.met.get(shape)
        if demands is None:
            demands = self.met[shape] = frozenset(self.demands_met(shape))
        return demand in demands

    def demands_met(self, shape: int) -> list[int]:
        """The demands that a shape meets: each side demands an edge that fits, or is free.

        No side is free for an enclosed piece.
        """
        sums = [0]
        free = () if self.enclosed[shape] else (0,)
        for adds, digit in zip(self.adds, self.digits(self.pattern[shape]), strict=True):
            fitting = [adds[edge + 1] for edge in self.fits[digit - 1] if edge < self.demanded]
            sums = [total + more for total in sums for more in (*free, *fitting)]
        return sums

    def digits(self, demand: int) -> tuple[int, ...]:
        """The demand on each side: 0 for anything, else the number of an edge plus one."""
        found = []
        for side in range(4):
            rare = demand % self.rare[side + 1] // self.rare[side]
            found.append(COMMON + rare if rare else demand >> 2 * side & COMMON)
        return tuple(found)

    def spelled(self, piece: int, layout: int) -> tuple[int, str]:
        """The visible face of a layout, and the side to which its printed north points."""
        return self.layout_face[piece][layout], SIDES[self.layout_turn[piece][layout]]

    def edges_of(self, shape: int) -> tuple[int, ...]:
        """The edge of a shape on each side: its number plus one."""
        edges = self.around.get(shape)
        if edges is None:
            edges = self.around[shape] = self.digits(self.pattern[shape])
        return edges

    def part_of(self, piece: int, shape: int) -> tuple[int, int]:
        """The index of a tile of this shape in its piece, and how many tiles the piece has.

        One that lies under a cover, or face down, counts as a piece of one tile.
        """
        part = self.parts.get((piece, shape))
        if part is None:
            # each cell of a piece has shapes of its own
            found = (
                (index, len(footprint))
                for footprint in self.footprints[piece]
                for index, (_, each) in enumerate(footprint)
                if each == shape
            )
            part = self.parts[piece, shape] = next(found, (0, 1))
        return part

    def layout_of(self, piece: int, face: int, north: str) -> tuple[int, int, int] | None:
        """The layout with this face and printed north, and the shift (x, y) to its first cell.

        None when the piece has no layout like this. The shift is (0, 0) unless two turns of a piece
        of several cells cover the same cells from different first cells.
        """
        if north not in SIDES:
            return None
        return self.spellings[piece].get((face, SIDES.index(north)))


def _added(side: int, edges: int, rare: int) -> tuple[int, ...]:
    """By edge, its number plus one: what it adds to a demand when it is on a side."""
    return tuple(
        digit * (COMMON + 1) ** side if digit <= COMMON else BYTE * (digit - COMMON) * rare**side
        for digit in range(edges + 1)
    )


def _fitting(name: str, names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(n for n, other in enumerate(names) if _fit(name, other))


def _facing(names: tuple[str, ...]) -> tuple[int, ...]:
    numbers = {name: number for number, name in enumerate(names)}
    return tuple(numbers.get(facing_edge(name), len(names)) for name in names)


def _fit(one: str, other: str) -> bool:
    return facing_edge(one) == other or ANY_EDGE in (one, other)
