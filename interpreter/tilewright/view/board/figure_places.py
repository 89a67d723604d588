"""Where figures and tokens of a scene are drawn on their tiles, in units of 100 to a tile.

`svg` draws them there, and the studio sends the same places to its page.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

from tilewright.view.board.curves import CENTRE, Point, turn_point
from tilewright.view.board.scene import Scene, TilePicture
from tilewright.view.board.tile_layout import place_on, plan

#: where a figure that is on no part of its tile may stand, the best place first
_PLACES = (
    CENTRE,
    *((x, y) for y in (74.0, 62.0, 50.0, 36.0, 24.0) for x in (50.0, 73.0, 27.0, 82.0, 18.0)),
)
#: the room that a figure takes, and how far the next mark is from one that stands clear
_FIGURE_ROOM, _CLEAR = 12.0, 14.0
#: half the width of a token on a tile
TOKEN_ROOM = 11.0
#: a figure beside another stands so far aside and behind
_ASIDE, _BEHIND = 24.0, 12.0


def spot_place(segment: str | None, tile: TilePicture, scene: Scene) -> Point:
    """Where a figure on a segment of a tile stands; the middle where it is on none."""
    if segment is None:
        return CENTRE
    return place_on(tile.face, scene.kinds, scene.symbols, segment, tile.turn)


def figure_places(scene: Scene) -> list[Point]:
    """Where each figure of a scene stands on its tile, as that lies, in units of 100 to a tile.

    The first on a segment has the place that the segment keeps, each further one is aside of it
    and behind. A figure on the tile as a whole takes the freest place, counting buildings, marks
    and figures.
    """
    tiles = {(tile.x, tile.y): tile for tile in scene.tiles}
    groups: dict[tuple[int, int, str], int] = {}
    taken: dict[tuple[int, int], list[tuple[Point, float]]] = {}
    found: dict[int, Point] = {}
    # figures on a segment have a fixed place; figures on the tile take a free one
    for index in sorted(
        range(len(scene.figures)), key=lambda n: (scene.figures[n].segment is None, n)
    ):
        figure = scene.figures[index]
        cell = (figure.x, figure.y)
        tile = tiles.get(cell)
        if cell not in taken:
            taken[cell] = [] if tile is None else _marks(tile, scene)
        if tile is None or figure.segment is None:
            at = _free(taken[cell])
        else:
            before = groups.get((*cell, figure.segment), 0)
            groups[*cell, figure.segment] = before + 1
            at = _beside(spot_place(figure.segment, tile, scene), before)
        found[index] = at
        taken[cell].append((at, _FIGURE_ROOM))
    return [found[index] for index in range(len(scene.figures))]


def token_places(scene: Scene) -> list[Point]:
    """Where each kind of token lies on its tile, in units of 100 to a tile: on its segment, or at
    the freest place, counting buildings, marks, figures and earlier tokens.
    """
    tiles = {(tile.x, tile.y): tile for tile in scene.tiles}
    taken: dict[tuple[int, int], list[tuple[Point, float]]] = {}
    for tile in scene.tiles:
        taken[tile.x, tile.y] = _marks(tile, scene)
    for figure, at in zip(scene.figures, figure_places(scene), strict=True):
        taken.setdefault((figure.x, figure.y), []).append((at, _FIGURE_ROOM))
    found: list[Point] = []
    lying: list[tuple[int, int, str]] = []
    for token in scene.tokens:
        cell = (token.x, token.y)
        others = taken.setdefault(cell, [])
        if token.segment is not None and cell in tiles:
            lying.append((*cell, token.segment))
            place = spot_place(token.segment, tiles[cell], scene)
            place = _beside(place, lying.count((*cell, token.segment)))
        else:
            place = _free(others)
        others.append((place, TOKEN_ROOM))
        found.append(place)
    return found


def _marks(tile: TilePicture, scene: Scene) -> list[tuple[Point, float]]:
    """The places and radii of the marks of a tile, as it lies."""
    marks = plan(tile.face, scene.kinds, scene.symbols).marks
    return [(turn_point(mark.at, tile.turn), mark.room) for mark in marks]


def _beside(at: Point, before: int) -> Point:
    """The place of a figure beside some others of its segment: aside and behind."""
    if not before:
        return at
    pairs, is_right = divmod(before - 1, 2)[0] + 1, before % 2
    toward = 1 if at[0] < 50 else -1
    x = at[0] + toward * _ASIDE * (pairs if is_right else -pairs)
    return (min(max(x, 10.0), 90.0), max(at[1] - _BEHIND * pairs, 10.0))


def _free(taken: Sequence[tuple[Point, float]]) -> Point:
    """The freest place of a tile, those in its lower half first."""
    room = {at: min((dist(at, p) - r for p, r in taken), default=_CLEAR) for at in _PLACES}
    return next((at for at in _PLACES if room[at] >= _CLEAR), max(_PLACES, key=lambda at: room[at]))
