"""Boards in a page that has a ground of its own: they have no paper, and follow light and dark.

The colours of the land and of the coordinates are custom properties of the page, so one picture
serves both modes. Figures and tokens keep their colours.
"""

from __future__ import annotations

from tilewright.view.board.curves import Point, number
from tilewright.view.board.dark import with_properties
from tilewright.view.board.scene import Scene, TilePicture
from tilewright.view.board.svg import COORDINATE, PAPER, board_group, scene_document
from tilewright.view.board.tile_svg import tile_group

#: the numbers beside a board, on light and on dark ground
COORDINATES = {"--tw-coordinate": ("#675f4c", "#a29883")}


class PageBoards:
    """Draws boards; `colours` has the properties of all of them, with light and dark values."""

    def __init__(self) -> None:
        self.colours: dict[str, tuple[str, str]] = dict(COORDINATES)

    def picture(self, scene: Scene, size: int) -> str:
        """A board as a picture; `size` is the width of a tile in pixels."""
        wide, high, body = board_group(scene, self)
        body = body.replace(f'fill="{PAPER}"', 'fill="none"', 1)
        body = body.replace(f'fill="{COORDINATE}"', 'fill="var(--tw-coordinate)"')
        return scene_document(scene, size, wide, high, body)

    def tile_on(self, scene: Scene, tile: TilePicture) -> str:
        """The face of a tile on a board, 100 by 100 units."""
        drawn = tile_group(tile.face, scene.kinds, scene.symbols, tile.turn)
        body, colours = with_properties(drawn)
        self.colours |= colours
        return f'<g clip-path="url(#tw-tile)">{body}</g>'

    def shape(self, drawing: str, at: Point) -> str:
        """A drawing round (0, 0), moved to a point."""
        return f'<g transform="translate({number(at[0])} {number(at[1])})">{drawing}</g>'
