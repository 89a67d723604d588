"""The laid tiles and their features, computed from the printed tiles at each call.

The slow half of the oracle: features and fits are those of the `recount`, listed as the language
lists them: in the order of the tiles, and of their segments. It shares no table and no index with
the real board; only which tile was laid where, and how turned, is taken over. A segment is (tile,
place among its segments); a feature is its first segment.
"""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import dataclass

from support import recount
from tilewright.play.board.board import xy_of
from tilewright.play.match import Match
from tilewright.rules.linking.game import Game
from tilewright.rules.model.geometry import STEPS, facing_port, turned
from tilewright.rules.model.ruleset import Completion, Reach, Segment, TileFace

Cell = tuple[int, int]
Seg = tuple[int, int]
#: a segment that a piece would bring: the cell, the piece, its turn, the place on the tile
Print = tuple[Cell, str, int, int]

#: clockwise from the north, in the order of the eight cells around
ROUND = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


@dataclass(frozen=True, slots=True)
class Laid:
    """One tile on the table."""

    piece: str
    face: TileFace
    turn: int
    cell: Cell


class Table:
    """Tiles in the order in which they were laid, and what follows from them."""

    def __init__(self, game: Game, match: Match) -> None:
        self.game = game
        self.kinds = {kind.id: kind for kind in game.features}
        self.shapes = match.program.shapes
        board = match.board
        self.tiles = [
            Laid(
                game.pieces[piece].id,
                self.shapes.face_of[shape],
                self.shapes.turn_of[shape],
                xy_of(cell),
            )
            for piece, shape, cell in zip(
                board.tile_piece, board.tile_shape, board.tile_cell, strict=True
            )
        ]
        self.split = self._split_edges()
        marks = {kind.from_symbol: kind.id for kind in game.features if kind.from_symbol}
        self.hand = recount.Table(recount.read_box(tuple(r.id for r in game.rulesets)), marks)
        for tile in self.tiles:
            self._lay_by_hand(tile)
        self._known: dict[Seg, list[Seg]] | None = None

    def _lay_by_hand(self, tile: Laid) -> None:
        self.hand.lay(tile.piece, tile.cell, recount.SIDES[tile.turn])

    # -------------------------------------------------------------- printed on tiles

    def printed(self, tile: int) -> list[Segment]:
        """The segments of a tile that take part."""
        return [s for s in self.tiles[tile].face.segments if s.kind in self.game.live]

    def segment(self, seg: Seg) -> Segment:
        return self.printed(seg[0])[seg[1]]

    def ports(self, seg: Seg) -> list[int]:
        return [turned(port, self.tiles[seg[0]].turn) for port in self.segment(seg).ports]

    def segments_of(self, tile: int) -> list[Seg]:
        return [(tile, i) for i in range(len(self.printed(tile)))]

    def symbols(self, face: TileFace) -> set[str]:
        return {*face.symbols, *(mark for s in face.segments for mark in s.symbols)}

    def piece_symbols(self, piece: str) -> set[str]:
        return {mark for face in self.faces(piece) for mark in self.symbols(face)}

    def faces(self, piece: str) -> list[TileFace]:
        """All that is printed on a piece: each cell of each face."""
        found = next(p for p in self.game.pieces if p.id == piece)
        return [face for cells in found.faces for face in cells]

    def prints(self, piece: str, cell: Cell, layout: int) -> list[Print]:
        """The segments that a piece of one cell would bring, none where it cannot lie so."""
        turns = self.shapes.layout_turn[[p.id for p in self.game.pieces].index(piece)]
        if layout >= len(turns):
            return []
        taking_part = [s for s in self.faces(piece)[0].segments if s.kind in self.game.live]
        return [(cell, piece, turns[layout], index) for index in range(len(taking_part))]

    def cells(self, piece: str, cell: Cell, layout: int) -> list[Cell]:
        """The cells that a piece of one cell would fill, none where it cannot lie so."""
        turns = self.shapes.layout_turn[[p.id for p in self.game.pieces].index(piece)]
        return [cell] if layout < len(turns) else []

    def turns_of(self, piece: str) -> list[int]:
        """The turns of a piece of one cell that look different."""
        return list(self.shapes.layout_turn[[p.id for p in self.game.pieces].index(piece)])

    def ways(self, piece: str, tile: int) -> list[int]:
        """How a piece of one cell could be turned in the place of a tile."""
        cell = self.tiles[tile].cell
        return [turn for turn in self.turns_of(piece) if self._matches({cell: (piece, turn)})]

    def swaps(self, tile: int) -> list[int]:
        """The other tiles with which a tile could change places."""
        one = self.tiles[tile]
        return [
            number
            for number, other in enumerate(self.tiles)
            if number != tile
            and self._matches(
                {one.cell: (other.piece, other.turn), other.cell: (one.piece, one.turn)}
            )
        ]

    def _matches(self, moved: dict[Cell, tuple[str, int]]) -> bool:
        """Whether the edges fit when these pieces lie in these cells."""
        tiles = dict(self.hand.tiles)
        for cell, (piece, turn) in moved.items():
            tiles |= self.hand.cells_of(piece, cell, recount.SIDES[turn])
        for cell in moved:
            for side in range(4):
                other = tiles.get(self.beside(cell, side))
                if other is not None:
                    beyond = recount.seen_from_beyond(other.edges[(side + 2) % 4])
                    edges = {beyond, tiles[cell].edges[side]}
                    if len(edges) > 1 and recount.ANY not in edges:
                        return False
        return True

    def turn(self, piece: str, layout: int) -> int:
        """The turn of a layout of a piece; north where it does not have the layout."""
        turns = self.shapes.layout_turn[[p.id for p in self.game.pieces].index(piece)]
        return turns[layout] if layout < len(turns) else 0

    def layout(self, piece: str, side: int) -> int:
        """The layout of a piece of one cell with its printed north to a side, or one that looks
        the same, by a half turn or by any.
        """
        turns = self.shapes.layout_turn[[p.id for p in self.game.pieces].index(piece)]
        same = (s for s in (side, (side + 2) % 4, (side + 1) % 4, (side + 3) % 4) if s in turns)
        return turns.index(next(same))

    def can_lie(self, piece: str, cell: Cell, layout: int) -> bool:
        """Whether a piece of one cell can lie in a cell, beside others or far away."""
        number = [p.id for p in self.game.pieces].index(piece)
        turns = self.shapes.layout_turn[number]
        if layout >= len(turns) or max(map(abs, cell)) >= 511:
            return False
        side = recount.SIDES[turns[layout]]
        return self.hand.fits(self.hand.cells_of(piece, cell, side), anywhere=True)

    def joined(self, piece: str, cell: Cell, layout: int) -> list[Seg]:
        """The features that a piece of one cell would become part of, none where it cannot lie."""
        found: list[Seg] = []
        for key in self.prints(piece, cell, layout):
            turn = key[2]
            if not self.hand.fits(self.hand.cells_of(piece, cell, recount.SIDES[turn])):
                return []
            for port in sorted(turned(port, turn) for port in self.printed_segment(key).ports):
                other = self.tile_at(self.beside(cell, port // 3))
                for seg in self.segments_of(other) if other is not None else ():
                    if facing_port(port) in self.ports(seg) and self.feature(seg) not in found:
                        found.append(self.feature(seg))
        return found

    def joins(self, piece: str, cell: Cell, layout: int, asked: Print) -> list[Seg]:
        """The features that one segment of a piece of one cell would make one."""
        brought = self.prints(piece, cell, layout)
        if asked not in brought or not self.joined(piece, cell, layout):
            return []
        found, groups = self.met(asked), [self.met(key) for key in brought]
        while any(found & group and not group <= found for group in groups):
            found |= next(group for group in groups if found & group and not group <= found)
        return sorted(found)

    def touching(self, seg: Seg) -> list[Seg]:
        """The segments of other tiles that a segment meets at the edges of its cell."""
        found: set[Seg] = set()
        for port in self.ports(seg):
            other = self.tile_at(self.beside(self.tiles[seg[0]].cell, port // 3))
            for near in self.segments_of(other) if other is not None else ():
                if facing_port(port) in self.ports(near):
                    found.add(near)
        return sorted(found)

    def met(self, key: Print) -> set[Seg]:
        """The features that a printed segment would meet at the edges of its cell."""
        found: set[Seg] = set()
        for port in (turned(port, key[2]) for port in self.printed_segment(key).ports):
            other = self.tile_at(self.beside(key[0], port // 3))
            for seg in self.segments_of(other) if other is not None else ():
                if facing_port(port) in self.ports(seg):
                    found.add(self.feature(seg))
        return found

    def completed_by(self, piece: str, cell: Cell, layout: int) -> list[Seg]:
        """The features that a piece of one cell would complete: it is laid, and they are tested."""
        if (cell, layout) not in self.placements(piece):
            return []
        then = copy(self)
        then.tiles, then.hand = [*self.tiles], deepcopy(self.hand)
        done = then.lay(piece, cell, layout)
        return [root for root in self.members() if then.feature(root) in done]

    def printed_segment(self, key: Print) -> Segment:
        taking_part = [s for s in self.faces(key[1])[0].segments if s.kind in self.game.live]
        return taking_part[key[3]]

    # -------------------------------------------------------------- cells

    def tile_at(self, cell: Cell) -> int | None:
        for tile, laid in enumerate(self.tiles):
            if laid.cell == cell:
                return tile
        return None

    def beside(self, cell: Cell, side: int) -> Cell:
        return cell[0] + STEPS[side][0], cell[1] + STEPS[side][1]

    def round(self, cell: Cell) -> list[Cell]:
        return [(cell[0] + x, cell[1] + y) for x, y in ROUND]

    def is_filled(self, cell: Cell) -> bool:
        return self.tile_at(cell) is not None

    # -------------------------------------------------------------- features

    def members(self) -> dict[Seg, list[Seg]]:
        """Every feature by its first segment, with all of its segments in order."""
        if self._known is not None:
            return self._known
        place = {
            (laid.cell, segment.id): (tile, index)
            for tile, laid in enumerate(self.tiles)
            for index, segment in enumerate(self.printed(tile))
        }
        rows = (
            sorted(place[part] for part in feature.parts)
            for feature in self.hand.features()
            if feature.kind in self.game.live
        )
        self._known = {row[0]: row for row in sorted(rows)}
        return self._known

    def feature(self, seg: Seg) -> Seg:
        """The feature a segment belongs to."""
        return next(root for root, segs in self.members().items() if seg in segs)

    def kind(self, seg: Seg) -> str:
        return self.segment(seg).kind

    def tiles_of(self, feature: Seg) -> list[int]:
        return sorted({tile for tile, _ in self.members()[feature]})

    def borders(self, feature: Seg) -> list[Seg]:
        found = set()
        for tile, index in self.members()[feature]:
            named = [s.id for s in self.printed(tile)]
            for other in self.printed(tile)[index].borders:
                if other in named:
                    found.add(self.feature((tile, named.index(other))))
        return sorted(found)

    def open_ends(self, feature: Seg) -> int:
        kind = self.kinds[self.kind(feature)]
        total = 0
        for seg in self.members()[feature]:
            laid = self.tiles[seg[0]]
            total += sum(not self.is_filled(cell) for cell in self.awaited(seg))
            ports = self.ports(seg)
            for side in sorted({port // 3 for port in ports}):
                if self.is_filled(self.beside(laid.cell, side)):
                    continue
                edge = laid.face.edges[(side - laid.turn) % 4]
                halves = sum(port in ports for port in (3 * side, 3 * side + 2))
                both = kind.reach is Reach.HALVES and edge in self.split
                total += halves if both else 1
        return total

    def surrounding(self, feature: Seg) -> int:
        segs = self.members()[feature]
        return sum(self.is_filled(near) for seg in segs for near in self.awaited(seg))

    def awaited(self, seg: Seg) -> list[Cell]:
        """The cells that have to be filled before a segment's feature is complete."""
        cell = self.tiles[seg[0]].cell
        match self.kinds[self.kind(seg)].completes:
            case Completion.SURROUNDED:
                return self.round(cell)
            case Completion.FLANKED:
                return [self.beside(cell, side) for side in range(4)]
        return []

    def is_complete(self, feature: Seg) -> bool:
        closes = self.kinds[self.kind(feature)].completes is not Completion.NEVER
        return closes and self.open_ends(feature) == 0

    def number(self, segs: list[Seg], attribute: str) -> int:
        return sum(dict(self.segment(seg).attributes).get(attribute, 0) for seg in segs)

    def _split_edges(self) -> set[str]:
        found = set()
        for piece in self.game.pieces:
            for cells in piece.faces:
                for face in cells:
                    owner = {port: s.id for s in face.segments for port in s.ports}
                    for side, edge in enumerate(face.edges):
                        if owner.get(3 * side) != owner.get(3 * side + 2):
                            found.add(edge)
        return found

    # -------------------------------------------------------------- laying

    def frontier(self) -> list[Cell]:
        """The empty cells beside tiles, in the order of the placements.

        The first cell that a tile opens takes the place of the cell it fills, the others follow at
        the end; where it opens none, the last cell moves in.
        """
        cells, filled = [(0, 0)], set[Cell]()
        for laid in self.tiles:
            place = cells.index(laid.cell)
            filled.add(laid.cell)
            near = [self.beside(laid.cell, side) for side in range(4)]
            opened = [cell for cell in near if cell not in filled and cell not in cells]
            if opened:
                cells[place] = opened[0]
                cells += opened[1:]
            else:
                last = cells.pop()
                if place < len(cells):
                    cells[place] = last
        return cells

    def placements(self, piece: str) -> list[tuple[Cell, int]]:
        """Every cell and layout of a piece of one cell where its edges fit."""
        number = [p.id for p in self.game.pieces].index(piece)
        return [
            (cell, layout)
            for cell in self.frontier()
            for layout, turn in enumerate(self.shapes.layout_turn[number])
            if self.hand.fits(self.hand.cells_of(piece, cell, recount.SIDES[turn]))
        ]

    def lay(self, piece: str, cell: Cell, layout: int) -> list[Seg]:
        """Lay a piece of one cell and return the features that it completes, its own first."""
        number = [p.id for p in self.game.pieces].index(piece)
        turn = self.shapes.layout_turn[number][layout]
        self.tiles.append(Laid(piece, self.game.pieces[number].faces[0][0], turn, cell))
        self._lay_by_hand(self.tiles[-1])
        self._known = None
        new = len(self.tiles) - 1
        around = [self.tile_at(near) for near in self.round(cell)]
        own = [self.feature(seg) for seg in self.segments_of(new)]
        waiting = [
            seg
            for tile in sorted(t for t in around if t is not None)
            for seg in self.segments_of(tile)
            if cell in self.awaited(seg)
        ]
        touched = dict.fromkeys([*own, *map(self.feature, waiting)])
        return [feature for feature in touched if self.is_complete(feature)]
