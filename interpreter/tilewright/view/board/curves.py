"""Curves on a printed tile: the walls of areas that own whole sides, and the ways between sides.

A tile is 100 by 100 units, x to the right and y down, printed north up. Every curve is a chain of
cubic pieces, so that it can be written as SVG and sampled into points by the same numbers. Which
segment wants which curve is decided in `tile_shapes`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, radians, sin

Point = tuple[float, float]
Cubic = tuple[Point, Point, Point, Point]
Chain = tuple[Cubic, ...]

CENTRE: Point = (50.0, 50.0)
CORNERS: tuple[Point, ...] = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
_MIDDLES: tuple[Point, ...] = ((50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0))
#: corners and middles of sides, clockwise: where halves of sides begin
_BORDER = tuple(p for pair in zip(CORNERS, _MIDDLES, strict=True) for p in pair)
WAY_WIDTH = 9.2
WALL_WIDTH = 7.0

#: a wall past one, two, three sides: its angle to the first of them and to the last, in degrees,
#: and the length of its handles; walls of areas on neighbouring sides meet in exact corners
_WALLS = {1: (33.0, 42.0), 2: (38.0, 46.0), 3: (47.0, 63.0)}
#: the same beside an area that takes more of the corner
_TIGHT = {**_WALLS, 3: (55.0, 52.0)}


def turn_point(point: Point, quarters: int) -> Point:
    """A point after `quarters` clockwise quarter turns of the tile about its centre."""
    x, y = point
    for _ in range(quarters % 4):
        x, y = 100.0 - y, x
    return (x, y)


def turn_chain(chain: Chain, quarters: int) -> Chain:
    """A chain after `quarters` clockwise quarter turns about the tile's centre."""
    return tuple(
        (
            turn_point(a, quarters),
            turn_point(b, quarters),
            turn_point(c, quarters),
            turn_point(d, quarters),
        )
        for a, b, c, d in chain
    )


def sample(chain: Chain, steps: int = 12) -> tuple[Point, ...]:
    """Points along a chain, its two ends included."""
    points: list[Point] = [chain[0][0]]
    for a, b, c, d in chain:
        for i in range(1, steps + 1):
            t = i / steps
            s = 1.0 - t
            w0, w1, w2, w3 = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
            points.append(
                (
                    w0 * a[0] + w1 * b[0] + w2 * c[0] + w3 * d[0],
                    w0 * a[1] + w1 * b[1] + w2 * c[1] + w3 * d[1],
                )
            )
    return tuple(points)


def number(value: float) -> str:
    """A coordinate as short text, the same on every computer."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def tenths(value: float) -> str:
    """A coordinate on a tile as short text, to a tenth of its units."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        return "0" if text == "-0.0" else text[:-2]
    return text


def curve_text(chain: Chain, *, moved: bool = True) -> str:
    """A chain as SVG path data; without the first move when it carries on from another piece."""
    text = [f"M{tenths(chain[0][0][0])} {tenths(chain[0][0][1])}"] if moved else []
    for _, b, c, d in chain:
        text.append("C" + " ".join(f"{tenths(x)} {tenths(y)}" for x, y in (b, c, d)))
    return "".join(text)


def line(start: Point, end: Point) -> Cubic:
    """A straight piece."""
    (ax, ay), (dx, dy) = start, end
    x, y = (dx - ax) / 3, (dy - ay) / 3
    return (start, (ax + x, ay + y), (dx - x, dy - y), end)


# ------------------------------------------------------------------ areas


@dataclass(frozen=True, slots=True)
class Shape:
    """A closed shape that takes whole sides: its outline, and the walls inside the tile."""

    outline: str
    walls: tuple[Chain, ...]
    polygon: tuple[Point, ...]


def _wall(first: int, count: int, *, is_tight: bool) -> Chain:
    """The wall that cuts off `count` sides, from side `first` on clockwise, from the rest."""
    angle, handle = (_TIGHT if is_tight else _WALLS)[count]
    along, inward = handle * cos(radians(angle)), handle * sin(radians(angle))
    last = count - 1
    before, end = turn_point((100.0 - along, inward), last), turn_point((100.0, 0.0), last)
    return turn_chain((((0.0, 0.0), (along, inward), before, end),), first)


def shape(sides: frozenset[int], split_corners: frozenset[int], *, is_tight: bool = False) -> Shape:
    """The shape of an area that owns these sides.

    `split_corners` are corners (0 to 3, clockwise from the north-west) that it reaches although it
    owns neither side there, because it keeps two lands apart. Others are on the tile of a tight
    one.
    """
    if len(sides) == 4:
        return Shape("M0 0L100 0L100 100L0 100Z", (), CORNERS)

    def cut(first: int, count: int) -> tuple[int, Chain]:
        if count == 2 and (first + 1) % 4 in split_corners:
            count = 1
        return count, _wall(first, count, is_tight=is_tight)

    return _outline(CORNERS, sides, cut)


def shared_shape(halves: frozenset[int]) -> Shape:
    """The shape of an area that owns these halves of sides (0 to 7, clockwise from the north-west),
    not all of them, and shares a side with another area.
    """

    def cut(first: int, count: int) -> tuple[int, Chain]:
        begin, end = _BORDER[first], _BORDER[(first + count) % 8]
        return count, ((begin, _inward(begin), _inward(end), end),)

    return _outline(_BORDER, halves, cut)


def _outline(
    border: tuple[Point, ...],
    owned: frozenset[int],
    cut: Callable[[int, int], tuple[int, Chain]],
) -> Shape:
    """Once around the tile: along what is owned, and by a wall past what is not.

    Piece i of the border goes from `border[i]` to the next point. `cut` gets the first piece of a
    gap and its length; it gives how many pieces of the gap it passes, and the wall.
    """
    around = len(border)
    start = next(i for i in range(around) if i in owned and (i - 1) % around not in owned)
    text = [f"M{tenths(border[start][0])} {tenths(border[start][1])}"]
    walls: list[Chain] = []
    polygon: list[Point] = [border[start]]
    step = 0
    while step < around:
        first, count = (start + step) % around, 1
        if first in owned:
            end = border[(first + 1) % around]
            text.append(f"L{tenths(end[0])} {tenths(end[1])}")
            polygon.append(end)
        else:
            while (first + count) % around not in owned:
                count += 1
            count, wall = cut(first, count)
            walls.append(wall)
            text.append(curve_text(wall, moved=False))
            polygon.extend(sample(wall)[1:])
        step += count
    return Shape("".join(text) + "Z", tuple(walls), tuple(polygon))


def _inward(point: Point) -> Point:
    return ((point[0] + CENTRE[0]) / 2, (point[1] + CENTRE[1]) / 2)


# ------------------------------------------------------------------ ways


def way_between(first: int, second: int, *, wavy: bool) -> Chain:
    """From the centre of one side to the centre of another, square to both."""
    apart = (second - first) % 4
    if apart == 3:
        return way_between(second, first, wavy=wavy)
    if apart == 1:
        arc: Chain = (((50.0, 0.0), (50.0, 29.0), (71.0, 50.0), (100.0, 50.0)),)
        return turn_chain(arc, first)
    swing = 5.0 if wavy else 0.0
    if wavy:
        across: Chain = (
            ((50.0, 0.0), (50.0, 14.0), (50.0 + swing, 18.0), (50.0 + swing / 2, 36.0)),
            ((50.0 + swing / 2, 36.0), (50.0, 50.0), (50.0, 50.0), (50.0 - swing / 2, 64.0)),
            ((50.0 - swing / 2, 64.0), (50.0 - swing, 82.0), (50.0, 86.0), (50.0, 100.0)),
        )
    else:
        across = (line((50.0, 0.0), (50.0, 100.0)),)
    return turn_chain(across, first)


def way_to(side: int, end: Point) -> Chain:
    """From the centre of a side to a point inside the tile."""
    start = turn_point((50.0, 0.0), side)
    inward = turn_point((50.0, 28.0), side)
    middle = ((inward[0] + 2 * end[0]) / 3, (inward[1] + 2 * end[1]) / 3)
    return ((start, inward, middle, end),)
