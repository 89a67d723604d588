"""The drawings of a page: every tile is drawn once and used in each place.

A sheet hands out pictures that refer to its drawings, and prints the drawings at the end. The look
of a drawing is decided in `tile_svg` and `svg` alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape

from tilewright.rules.model.ruleset import FeatureKind, PieceKind, SymbolDecl, TileFace
from tilewright.view.board.curves import Point, number
from tilewright.view.board.page import Shades, with_properties
from tilewright.view.board.scene import Scene, TilePicture
from tilewright.view.board.svg import CLIP, COORDINATE, PAPER, board_group, turrets
from tilewright.view.board.tile_state import FAR, OPEN, TileState, settled
from tilewright.view.board.tile_svg import TILE_BOX, TILE_PLACE, tile_drawing

_FONT = re.compile(r' font-(?:family="[^"]*"|weight="normal")')
#: the width of a tile on a board, and in a picture of one step, in pixels
BOARD_TILE, STEP_TILE = 72, 44


@dataclass(frozen=True, slots=True)
class Look:
    """The data for drawing one side's tiles: declarations, and the tiles by id."""

    kinds: Mapping[str, FeatureKind]
    symbols: Mapping[str, SymbolDecl]
    pieces: Mapping[str, PieceKind]


class Sheet:
    """The drawings of one page, each there once."""

    def __init__(self) -> None:
        self._drawn: dict[str, str] = {}
        self._shapes: dict[str, str] = {}
        self._colours: dict[str, Shades] = {}

    def tile(
        self, face: TileFace, look: Look | Scene, turn: int = 0, state: TileState = OPEN
    ) -> str:
        """The name of the drawing of a face in a state."""
        # the colours of owners stay out of the drawing of the land
        land = self.land(tile_drawing(face, look.kinds, look.symbols, turn))
        drawn = settled(land, state)
        return self._drawn.setdefault(drawn, f"t{len(self._drawn)}")

    def piece(self, piece: PieceKind, look: Look, title: str, turn: int = 0) -> str:
        """A tile as a picture, the first face of one that has several cells or sides."""
        cells = []
        for cell in piece.faces[0]:
            x, y = cell.x, cell.y
            for _ in range(turn % 4):
                x, y = y, -x
            cells.append((x, -y, self.tile(cell, look, turn)))
        left, top = min(c[0] for c in cells), min(c[1] for c in cells)
        wide = max(c[0] for c in cells) - left + 1
        high = max(c[1] for c in cells) - top + 1
        body = "".join(
            f'<use href="#{name}" x="{100 * (x - left)}" y="{100 * (y - top)}" '
            'width="100" height="100"/>'
            for x, y, name in cells
        )
        if wide == high == 1:
            face = piece.faces[0][0]
            body += self.land(turrets(face, look.kinds, look.symbols, turn, size=FAR))
        shape = "tile" if wide == 1 else "tile wide"
        return (
            f'<svg class="{shape}" viewBox="0 0 {100 * wide} {100 * high}" role="img">'
            f"<title>{escape(title)}</title>{body}</svg>"
        )

    def board(self, scene: Scene, title: str, size: int = BOARD_TILE) -> str:
        """A board as a picture; `size` is the width of a tile in pixels."""
        wide, high, body = board_group(scene, self, size=size)
        # one style speaks for all texts of the page
        body = _FONT.sub("", body)
        # in a page the ground, and what is written on it, follow light and dark
        body = body.replace(f'fill="{PAPER}"', 'class="felt"').replace(
            f'fill="{COORDINATE}"', 'class="coordinate"'
        )
        scale = size / 100
        return (
            f'<svg class="board" viewBox="0 0 {number(wide)} {number(high)}" '
            f'width="{round(wide * scale)}" height="{round(high * scale)}" role="img">'
            f"<title>{escape(title)}</title>{body}</svg>"
        )

    def tile_on(self, scene: Scene, tile: TilePicture, size: float) -> str:
        """The face of a tile on a board, 100 by 100 units."""
        name = self.tile(tile.face, scene, tile.turn, tile.state)
        return f'<use href="#{name}" {TILE_PLACE}/>'

    def land(self, drawing: str) -> str:
        """A drawing in the colours of the land."""
        body, colours = with_properties(drawing)
        self._colours |= colours
        return body

    def shape(self, drawing: str, at: Point) -> str:
        """A drawing round (0, 0), moved to a point."""
        name = self._shapes.setdefault(drawing, f"f{len(self._shapes)}")
        return f'<use href="#{name}" x="{number(at[0])}" y="{number(at[1])}"/>'

    def drawings(self) -> tuple[str, dict[str, Shades]]:
        """The drawings that the pictures refer to, and the colours of their land.

        They come before the pictures in the page.
        """
        symbols = "".join(
            f'<symbol id="{name}" viewBox="{TILE_BOX}">{body}</symbol>'
            for body, name in self._drawn.items()
        )
        shapes = "".join(f'<g id="{name}">{body}</g>' for body, name in self._shapes.items())
        return (
            '<svg class="sheet" width="0" height="0" aria-hidden="true" focusable="false">'
            f"{CLIP}{symbols}<defs>{shapes}</defs></svg>",
            self._colours,
        )
