"""The printed pieces of a game: faces, edges, segments and symbols, north up.

A cell is (x, y) with x growing east and y growing north. Sides are N, E, S and W. `turned` gives
the look of a cell after clockwise quarter turns, as `Option.rotation` counts them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tilewright.faces.api.options import Cell
from tilewright.rules.linking.game import Game
from tilewright.rules.model.geometry import HALVES, SIDES
from tilewright.rules.model.ruleset import TileFace


@dataclass(frozen=True, slots=True)
class PrintedSegment:
    """A part of a tile that figures may occupy.

    `at` are the sides that it reaches, or halves of sides, named clockwise (`NNW`, `NNE`, `ENE`).
    `borders` are the ids of the segments of the tile that it touches, `inside` is the id
    of the segment that surrounds it.
    """

    id: str
    kind: str
    at: tuple[str, ...]
    borders: tuple[str, ...]
    inside: str | None
    symbols: tuple[str, ...]
    numbers: dict[str, int]

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that it reaches, clockwise from north."""
        reached = {_side_of(place) for place in self.at}
        return tuple(side for side in SIDES if side in reached)


@dataclass(frozen=True, slots=True)
class PrintedTile:
    """One cell of a piece: `edges` are the names of its north, east, south and west edge."""

    cell: Cell
    edges: tuple[str, str, str, str]
    segments: tuple[PrintedSegment, ...]
    symbols: tuple[str, ...]

    def turned(self, rotation: int) -> PrintedTile:
        """The same tile after `rotation` clockwise quarter turns."""
        x, y = self.cell
        for _ in range(rotation % 4):
            x, y = y, -x
        north, east, south, west = (self.edges[(side - rotation) % 4] for side in range(4))
        segments = tuple(
            replace(segment, at=tuple(_turned(place, rotation) for place in segment.at))
            for segment in self.segments
        )
        return replace(self, cell=(x, y), edges=(north, east, south, west), segments=segments)

    def segment_at(self, side: str) -> PrintedSegment | None:
        """The segment in the middle of a side, or None where no segment reaches it."""
        found = [s for s in self.segments if side in s.at]
        return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: the unit that a player lays. A face is a tuple of tiles; most pieces have one face
    of one tile.
    """

    id: str
    count: int
    letter: str
    stack: str
    faces: tuple[tuple[PrintedTile, ...], ...]

    @property
    def tile(self) -> PrintedTile:
        """The first tile of the first face: the only one of most pieces."""
        return self.faces[0][0]


def pieces_of(game: Game) -> dict[str, Piece]:
    """The pieces of a linked game by their ids."""
    land = next(stack.id for stack in game.stacks if stack.holds == "tiles")
    return {
        kind.id: Piece(
            kind.id,
            kind.count,
            kind.letter,
            kind.stack or land,
            tuple(tuple(_tile(cell) for cell in face) for face in kind.faces),
        )
        for kind in game.pieces
    }


def _tile(face: TileFace) -> PrintedTile:
    segments = tuple(
        PrintedSegment(
            segment.id,
            segment.kind,
            segment.at,
            segment.borders,
            segment.inside or None,
            segment.symbols,
            dict(segment.attributes),
        )
        for segment in face.segments
    )
    return PrintedTile((face.x, face.y), face.edges, segments, face.symbols)


def _side_of(place: str) -> str:
    """The side of a side or of a half of one."""
    return place if place in SIDES else SIDES[HALVES.index(place) // 2]


def _turned(place: str, rotation: int) -> str:
    if place in SIDES:
        return SIDES[(SIDES.index(place) + rotation) % 4]
    return HALVES[(HALVES.index(place) + 2 * rotation) % 8]
