"""Builds the tables of a linked game's pieces: every printed cell, turned into its orientations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from tilewright.language.source.text import NOWHERE
from tilewright.play.board.tile_tables import AWAITED, BYTE, Shapes, ShapeSegment
from tilewright.play.encoding import STRIDE
from tilewright.rules.model.geometry import facing_port
from tilewright.rules.model.geometry import turned as turned_port
from tilewright.rules.model.ruleset import (
    ANY_EDGE,
    Combine,
    FeatureKind,
    PieceKind,
    Reach,
    Segment,
    edge_halves,
)
from tilewright.rules.model.ruleset import TileFace as Face

#: a tile that lies face down: nothing is on it, and its edges fit every other one
BACK = Face(0, 0, (ANY_EDGE, ANY_EDGE, ANY_EDGE, ANY_EDGE), (), (), "", NOWHERE)
NO_PIECE = -1


def build_shapes(
    pieces: Sequence[PieceKind],
    kinds: Sequence[FeatureKind],
    live: frozenset[str],
    attributes: Sequence[tuple[str, str, Combine]],
    symbols: Sequence[str],
    relays: bool = False,
    turns_over: bool = False,
) -> Shapes:
    """The tables for these pieces; `relays` if tiles may leave the board, `turns_over` if they may
    lie face down.

    `live` are the kinds that take part; segments of other kinds keep only their edges.
    `attributes` are (kind, attribute, law) and `symbols` the symbols that rules use; both are
    numbered in the given order. Raises when edges of one name have different kinds.
    """
    cells = [cell for piece in pieces for face in piece.faces for cell in face]
    backs = [BACK] if turns_over else []
    shown = Counter(
        edge for piece in pieces for f in piece.faces for c in f for edge in c.edges * piece.count
    )
    shown.update(edge for back in backs for edge in back.edges)
    # a cell beside an enclosed piece is not empty, unless tiles may leave the board, so nothing
    # demands the edges of these alone
    met = {
        e for p in pieces if relays or not p.enclosed for f in p.faces for c in f for e in c.edges
    }.union(*(back.edges for back in backs))
    names = sorted(shown, key=lambda edge: (edge not in met, -shown[edge], edge))
    shapes = Shapes(kinds, tuple(names), len(met))
    shapes.piece_ids = tuple(piece.id for piece in pieces)
    shapes.attribute_ids = tuple((kind, name) for kind, name, _ in attributes)
    shapes.symbol_ids = tuple(symbols)
    combines = [
        (owner, (i, combine is Combine.SUM)) for i, (owner, _, combine) in enumerate(attributes)
    ]
    shapes.merges = tuple(
        tuple(merge for owner, merge in combines if owner == kind.id) for kind in kinds
    )
    turner = _Turner(shapes, kinds, live, attributes, _split_edges(cells))
    for piece in pieces:
        turner.add(piece)
    for back in backs:
        shapes.back = len(turner.rows)
        turner.rows.append((NO_PIECE, back, 0))
    turner.finish()
    _cover(shapes, pieces, symbols)
    return shapes


def _cover(shapes: Shapes, pieces: Sequence[PieceKind], symbols: Sequence[str]) -> None:
    """Fill the tables of covers from the pieces that are others under a cover."""
    number_of = {piece.id: number for number, piece in enumerate(pieces)}
    covers = shapes.covers
    beneath = list(range(len(pieces)))
    known: dict[tuple[int, int], list[frozenset[object]]] = {}
    for number, piece in enumerate(pieces):
        cover = piece.cover
        if cover is None:
            continue
        under, symbol = number_of[cover.piece], symbols.index(cover.symbol)
        beneath[number] = under
        looks = frozenset(_look(piece.faces[0][0], turn) for turn in range(4))
        same = known.setdefault((under, symbol), [])
        if looks not in same:  # on some pieces both ways are the same but for a turn
            same.append(looks)
            found = covers.pieces.get((under, symbol), ())
            covers.pieces[under, symbol] = (*found, number)
        for turn in range(4):
            bare, shape = (
                shapes.footprints[each][shapes.spellings[each][0, turn][0]][0][1]
                for each in (under, number)
            )
            side = (cover.side + turn) % 2
            if shapes.turn_of[bare] == turn:
                covers.shapes[bare, symbol, side] = shape
            covers.bare[shape] = bare
    shapes.beneath = tuple(beneath)


def _split_edges(cells: Sequence[Face]) -> frozenset[str]:
    """Edges whose two halves may belong to different segments: each half must join by itself."""
    split: set[str] = set()
    shown: dict[str, tuple[str, ...]] = {}
    for cell in cells:
        owner = {port: segment for segment in cell.segments for port in segment.ports}
        for side, edge in enumerate(cell.edges):
            first, centre, second = (owner.get(3 * side + part) for part in range(3))
            here = tuple(part.kind if part else "" for part in (first, centre, second))
            one, other = edge_halves(edge)
            if shown.setdefault(edge, here) != here or (one == other) != (here[0] == here[2]):
                # INVARIANT: edges that join have the same kinds; joining never compares kinds
                raise ValueError(f"edges named `{edge}` show different kinds")
            if first and first is not second:
                split.add(edge)
    return frozenset(split)


def _turned_cell(x: int, y: int, turn: int) -> tuple[int, int]:
    for _ in range(turn):
        x, y = y, -x
    return x, y


def _ports(segment: Segment, turn: int) -> tuple[int, ...]:
    return _turned_ports(segment.ports, turn)


def _corners(ports: Collection[int]) -> list[int]:
    """The headings of the corners between two of these ports."""
    between = ((3 * side + 2, (3 * side + 3) % 12) for side in range(4))
    return [2 * side + 1 for side, pair in enumerate(between) if all(p in ports for p in pair)]


@lru_cache(maxsize=4096)
def _turned_ports(ports: tuple[int, ...], turn: int) -> tuple[int, ...]:
    return tuple(sorted(turned_port(port, turn) for port in ports))


def _look(face: Face, turn: int) -> tuple[object, ...]:
    """A key that is equal for equal orientations of a cell; it ignores names."""
    named = {segment.id: segment for segment in face.segments}

    def place(name: str) -> tuple[str, tuple[int, ...]]:
        return named[name].kind, _ports(named[name], turn)

    return (
        face.turned_arrows(turn),
        tuple(face.edges[(side - turn) % 4] for side in range(4)),
        tuple(
            sorted(
                (
                    *place(segment.id),
                    tuple(sorted(segment.attributes)),
                    tuple(sorted(segment.symbols)),
                    tuple(sorted(place(name) for name in segment.borders)),
                    (place(segment.inside),) if segment.inside else (),
                    segment.loose,
                )
                for segment in face.segments
            )
        ),
    )


class _Turner:
    """Builds the tables while it turns the pieces; not used afterwards."""

    def __init__(
        self,
        shapes: Shapes,
        kinds: Sequence[FeatureKind],
        live: frozenset[str],
        attributes: Sequence[tuple[str, str, Combine]],
        split: frozenset[str],
    ) -> None:
        self.shapes = shapes
        self.kinds = kinds
        self.live = live
        self.kind_number = {kind.id: number for number, kind in enumerate(kinds)}
        self.edge_number = {name: number for number, name in enumerate(shapes.edge_names)}
        self.symbol_number = {name: number for number, name in enumerate(shapes.symbol_ids)}
        self.attribute = {
            (kind, name): (number, combine)
            for number, (kind, name, combine) in enumerate(attributes)
        }
        self.split = split
        # one row for each shape: piece, face, turn
        self.rows: list[tuple[int, Face, int]] = []
        self.enclosed: list[bool] = []  # by piece

    def add(self, piece: PieceKind) -> None:
        """Turn one piece and add its shapes and layouts."""
        shapes = self.shapes
        number = len(shapes.layouts)
        self.enclosed.append(piece.enclosed)
        layouts: list[tuple[tuple[tuple[int, int], int], ...]] = []
        origin: list[tuple[int, int]] = []  # face and turn of each layout
        spelling: dict[tuple[int, int], tuple[int, int, int]] = {}
        for up, face in enumerate(piece.faces):
            seen: dict[object, tuple[int, tuple[int, int]]] = {}
            for turn in range(4):
                spots = [_turned_cell(c.x - face[0].x, c.y - face[0].y, turn) for c in face]
                low = min(x for x, _ in spots), min(y for _, y in spots)
                looks = [_look(cell, turn) for cell in face]
                whole = tuple(
                    sorted(
                        (x - low[0], y - low[1], look, tuple(sorted(cell.symbols)))
                        for (x, y), look, cell in zip(spots, looks, face, strict=True)
                    )
                )
                if whole in seen:
                    layout, before = seen[whole]
                    spelling[up, turn] = layout, low[0] - before[0], low[1] - before[1]
                    continue
                seen[whole] = len(layouts), low
                spelling[up, turn] = len(layouts), 0, 0
                origin.append((up, turn))
                # a shape for each cell: two with the same look may differ in their names
                shapes_here = range(len(self.rows), len(self.rows) + len(face))
                self.rows += [(number, cell, turn) for cell in face]
                layouts.append(tuple(zip(spots, shapes_here, strict=True)))
        shapes.layouts += (tuple(layouts),)
        shapes.layout_face += (tuple(up for up, _ in origin),)
        shapes.layout_turn += (tuple(turn for _, turn in origin),)
        shapes.spellings += (spelling,)

    def finish(self) -> None:
        """Fill the rows of the shapes and the look-ups by demand."""
        shapes = self.shapes
        shapes.piece_of = tuple(piece for piece, _, _ in self.rows)
        shapes.face_of = tuple(face for _, face, _ in self.rows)
        shapes.turn_of = tuple(turn for _, _, turn in self.rows)
        shapes.enclosed = tuple(
            piece != NO_PIECE and self.enclosed[piece] for piece, _, _ in self.rows
        )
        taking_part = [[s for s in face.segments if s.kind in self.live] for face in shapes.face_of]
        pairs = list(zip(self.rows, taking_part, strict=True))
        edges = [
            tuple(self.edge_number[face.edges[(side - turn) % 4]] for side in range(4))
            for _, face, turn in self.rows
        ]
        shapes.pattern = tuple(
            sum(adds[edge + 1] for edge, adds in zip(row, shapes.adds, strict=True))
            for row in edges
        )
        # the demand of each edge on the cell beyond it, where it is the opposite side
        shapes.demands = tuple(
            tuple(shapes.adds[side ^ 2][edge + 1] for side, edge in enumerate(row)) for row in edges
        )
        shapes.segments = tuple(
            tuple(self._segment(segment, face, turn, part) for segment in part)
            for (_, face, turn), part in pairs
        )
        shapes.edge_ends = _ends_of(shapes, edges)
        shapes.segment_kind = tuple(tuple(s.kind for s in row) for row in shapes.segments)
        shapes.segment_sides = tuple(
            tuple(sorted({port // 3 for port in _ports(s, turn)}) for s in part)
            for (_, _, turn), part in pairs
        )
        shapes.segment_corners = tuple(
            tuple(_corners(_ports(s, turn)) for s in part) for (_, _, turn), part in pairs
        )
        shapes.segment_names = tuple(tuple(s.id for s in part) for part in taking_part)
        shapes.segment_symbols = tuple(
            tuple(self._mask(s.symbols) for s in part) for part in taking_part
        )
        shapes.symbols = tuple(
            self._mask(face.symbols) | self._mask([m for s in face.segments for m in s.symbols])
            for face in shapes.face_of
        )
        shapes.port_segment = tuple(_port_map(part, turn) for (_, _, turn), part in pairs)
        shapes.plans = tuple({} for _ in self.rows)
        shapes.written = tuple({} for _ in self.rows)
        shapes.footprints = tuple(
            tuple(tuple((x + y * STRIDE, shape) for (x, y), shape in layout) for layout in layouts)
            for layouts in shapes.layouts
        )
        found = [self._fitting(layouts) for layouts in shapes.layouts]
        shapes.fitting = tuple(found)
        shapes.tables = tuple(
            _bits_by_demand(fits)
            if len(layouts) <= 8 and all(len(layout) == 1 for layout in layouts)
            else None
            for fits, layouts in zip(found, shapes.layouts, strict=True)
        )

    def _mask(self, names: Sequence[str]) -> int:
        return sum(1 << self.symbol_number[name] for name in set(names) & self.symbol_number.keys())

    def _segment(
        self, segment: Segment, face: Face, turn: int, part: list[Segment]
    ) -> ShapeSegment:
        kind = self.kinds[self.kind_number[segment.kind]]
        joins: list[tuple[int, int]] = []
        sides = {port // 3 for port in segment.ports}
        for side in sorted((side + turn) % 4 for side in sides):
            is_split = face.edges[(side - turn) % 4] in self.split
            if kind.reach is Reach.CENTRE or (kind.reach is Reach.SIDE and not is_split):
                joins.append((side, facing_port(3 * side + 1)))
                continue
            halves = [p for p in (3 * side, 3 * side + 2) if p in _ports(segment, turn)]
            taken = halves if is_split else halves[:1]
            joins += [(side, facing_port(port)) for port in taken]
        values: list[tuple[int, int, bool]] = []
        for name, number in segment.attributes:
            if number and (segment.kind, name) in self.attribute:
                index, combine = self.attribute[segment.kind, name]
                values.append(
                    (
                        index,
                        min(number, 1) if combine is Combine.ANY else number,
                        combine is Combine.SUM,
                    )
                )
        borders = tuple(i for i, other in enumerate(part) if other.id in segment.borders)
        waits = kind.completes in AWAITED
        return ShapeSegment(
            self.kind_number[segment.kind],
            tuple(joins),
            tuple(values),
            borders,
            waits,
            segment.loose,
        )

    def _fitting(
        self, layouts: tuple[tuple[tuple[tuple[int, int], int], ...], ...]
    ) -> dict[int, tuple[int, ...]]:
        """Map each demand to the layouts that fit, by the demands that each first cell meets."""
        fits: dict[int, tuple[int, ...]] = {}
        for number, layout in enumerate(layouts):
            if len(layout) > 1:
                return {}
            for demand in self.shapes.demands_met(layout[0][1]):
                fits[demand] = (*fits.get(demand, ()), number)
        return fits


def _ends_of(shapes: Shapes, edges: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """By edge: its ports, 0 to 2, at which a segment ends; equal on all shapes that show it."""
    found: list[set[int]] = [set() for _ in shapes.edge_names]
    for row, segments in zip(edges, shapes.segments, strict=True):
        for side, port in (join for segment in segments for join in segment.joins):
            found[row[side]].add(facing_port(port) % 3)
    return tuple(tuple(sorted(ports)) for ports in found)


def _bits_by_demand(fits: Mapping[int, Sequence[int]]) -> bytes:
    """For each demand that is one byte, as many set bits as layouts fit."""
    table = bytearray(BYTE)
    for demand, layouts in fits.items():
        if demand < BYTE:
            table[demand] = (1 << len(layouts)) - 1
    return bytes(table)


def _port_map(part: Sequence[Segment], turn: int) -> tuple[int, ...]:
    ports = [-1] * 12
    for index, segment in enumerate(part):
        for port in segment.ports:
            ports[turned_port(port, turn)] = index
    return tuple(ports)
