"""The things on the ground of a tile: houses, trees, plots, walls.

All are upright however the tile is turned, with light from the north-west, so they are drawn once
for each turn, at points of the tile as that lies. Things of one colour are one path. Houses are on
a lattice that is the same on every tile: one astride a side is drawn half by either tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import cos, hypot, radians, sin
from zlib import crc32

from tilewright.view.board.curves import WALL_WIDTH, Point, tenths, turn_point

# colours on the screen and on paper, where the land is white and grey in black lines
INK, SHADOW = "#3b3226", "#3b3226~none"
PLASTER, WINDOW = "#fbf4e2~ffffff", "#6b5a42~111111"
#: of a roof in the sun and in the shade: of an open feature, of a finished one
OPEN_ROOF = ("#cbb48a~ffffff", "#a8905f~d2d2d2")
ROOF = ("#be4724~555555", "#8c321b~3a3a3a")
STONE, STONE_EDGE = "#d9d2c2~ffffff", "#6b6252~111111"
CROWN, CROWN_SHADE = "#6f9a4c~ffffff", "#557f3b~b4b4b4"
BUSH, BUSH_SHADE = "#6f9a4c~ffffff", "#557f3b~111111"
PLOTS, FURROW = ("#d3d48c~none", "#c7d384~none", "#a9c673~none"), "#b3bb68~none"
#: an outline that is there on paper alone
LINE = ' stroke="none~111111"'
#: on paper: lines, finished ground, open ground, water, small plants
BLACK, GREY, WHITE, WATER, TUFT = "111111", "d2d2d2", "ffffff", "d9d9d9", "777777"

#: columns and rows of the lattice of houses, and the width and height of a house: fine, far
_LATTICE = {False: (4, 6, 17.5, 13.4), True: (3, 4, 25.0, 20.0)}
#: the tip of a turret's roof, and how much larger turrets and their flags are far away
PEAK, FAR_BASTION, FAR_FLAG = -18.7, 1.25, 1.8
#: of a hundred houses: those in an open feature; from here on they are trees in a finished one
_SOON, _TREES = 55, 90
#: houses leave so much room to a wall, and to a tile's corners along its sides
_FROM_WALL, _FROM_CORNER = 9.5, 18.0


def path(d: str | Iterable[str], fill: str, more: str = "") -> str:
    """A filled path, or nothing without a line."""
    d = d if isinstance(d, str) else "".join(d)
    return f'<path d="{d}" fill="{fill}"{more}/>' if d else ""


def stroke(d: str, colour: str, width: float | str, more: str = "") -> str:
    """A line of a width, or nothing."""
    wide = width if isinstance(width, str) else tenths(width)
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{wide}"{more}/>' if d else ""


def only(when: str, drawing: str) -> str:
    """A drawing that is there while all of some conditions hold (see `tile_state`)."""
    return f'<g data-if="{when}">{drawing}</g>' if drawing else ""


def scatter(seed: int, count: int) -> list[Point]:
    """Points spread over the tile, the same for the same seed."""
    return [
        (
            100 * ((seed % 997) / 997 + i * 0.7548776662) % 100,
            100 * ((seed % 769) / 769 + i * 0.5698402910) % 100,
        )
        for i in range(1, count + 1)
    ]


def circle(x: float, y: float, r: float, squeezed: float = 1.0) -> str:
    """A circle, or an ellipse, as a path."""
    wide, high = tenths(r), tenths(r * squeezed)
    return f"M{tenths(x - r)} {tenths(y)}a{wide} {high} 0 1 0 {tenths(2 * r)} 0" + (
        f"a{wide} {high} 0 1 0 {tenths(-2 * r)} 0"
    )


class Houses:
    """Some houses and trees, gathered by colour."""

    def __init__(self) -> None:
        self.shades: list[str] = []
        self.fronts: list[str] = []
        self.near: list[str] = []
        self.far: list[str] = []
        self.windows: list[str] = []
        self.panes: list[str] = []
        self.chimneys: list[str] = []
        self.crowns: list[str] = []
        self.lit: list[str] = []

    def house(self, x: float, y: float, wide: float, high: float, *, is_gable: bool) -> None:
        """A house round a point; `panes` and `chimneys` are seen near by."""
        foot = y + high / 2
        if is_gable:
            half, eaves, top = 0.31 * wide, y + 0.06 * high, y - 0.4 * high
            band, out = 0.26 * high, 0.08 * wide
            self.fronts.append(
                f"M{tenths(x - half)} {tenths(foot)}V{tenths(eaves)}L{tenths(x)} {tenths(top)}"
                f"L{tenths(x + half)} {tenths(eaves)}V{tenths(foot)}Z"
            )
            for paths, sign in ((self.near, -1), (self.far, 1)):
                paths.append(
                    f"M{tenths(x)} {tenths(top - 0.14 * high)}v{tenths(band)}"
                    f"L{tenths(x + sign * (half + out))} {tenths(eaves + 0.1 * high)}"
                    f"v{tenths(-0.2 * high)}Z"
                )
            self.windows.append(
                f"M{tenths(x - 0.08 * wide)} {tenths(foot)}v{tenths(-0.26 * high)}"
                f"h{tenths(0.16 * wide)}v{tenths(0.26 * high)}z"
            )
        else:
            half, eaves = wide / 2, foot - 0.36 * high
            self.fronts.append(
                f"M{tenths(x - half + 0.8)} {tenths(eaves)}h{tenths(wide - 1.6)}"
                f"V{tenths(foot)}h{tenths(1.6 - wide)}z"
            )
            self.near.append(
                f"M{tenths(x - half)} {tenths(eaves + 0.6)}l{tenths(0.12 * wide)} "
                f"{tenths(-0.5 * high)}h{tenths(0.76 * wide)}L{tenths(x + half)} "
                f"{tenths(eaves + 0.6)}z"
            )
            self.far.append(
                f"M{tenths(x - 0.38 * wide)} {tenths(eaves + 0.7 - 0.5 * high)}"
                f"l{tenths(0.05 * wide)} {tenths(-0.14 * high)}h{tenths(0.66 * wide)}"
                f"l{tenths(0.05 * wide)} {tenths(0.14 * high)}z"
            )
            for at in (-0.24, 0.12):
                left, top = x + at * wide, foot - 0.26 * high
                self.windows.append(
                    f"M{tenths(left)} {tenths(top)}h{tenths(0.11 * wide)}"
                    f"v{tenths(0.16 * high)}h{tenths(-0.11 * wide)}z"
                )
                self.panes.append(
                    f"M{tenths(left + 0.055 * wide)} {tenths(top)}v{tenths(0.16 * high)}"
                    f"M{tenths(left)} {tenths(top + 0.08 * high)}h{tenths(0.11 * wide)}"
                )
            self.chimneys.append(
                f"M{tenths(x + 0.2 * wide)} {tenths(y - 0.2 * high)}v{tenths(-0.34 * high)}"
                f"h{tenths(0.1 * wide)}v{tenths(0.34 * high)}z"
            )
        self.shades.append(
            f"M{tenths(x + half)} {tenths(foot)}v{tenths(-0.36 * high)}h3v{tenths(0.36 * high)}z"
        )

    def tree(self, x: float, y: float, r: float) -> None:
        """A tree round a point."""
        self.shades.append(circle(x + 0.4 * r, y + 0.75 * r, r, 0.45))
        self.crowns.append(circle(x, y, r))
        self.lit.append(circle(x - 0.22 * r, y - 0.22 * r, 0.7 * r))

    def drawn(self, near: str, far: str) -> str:
        """Everything, with roofs of these colours."""
        return (
            path(self.shades, SHADOW, ' opacity=".2"')
            + path(self.crowns, CROWN_SHADE, LINE)
            + path(self.lit, CROWN)
            + path(self.fronts, PLASTER, LINE)
            + path(self.near, near, LINE)
            + path(self.far, far, LINE)
        )


def houses(
    seed: int,
    is_inside: Callable[[Point], bool],
    walls: Sequence[Point],
    clear: Sequence[tuple[Point, float]],
    name: str,
    *,
    is_wood: bool,
) -> str:
    """The houses, or trees, of an area, fine and far, open and finished.

    `is_inside` is of points of the tile as it lies; nothing is near `walls` or in `clear`.
    """
    text = ""
    for is_far, (columns, rows, wide, high) in _LATTICE.items():
        soon, late = Houses(), Houses()
        for n in range(columns * rows):
            row, column = divmod(n, columns)
            x = (column + 0.5 + row % 2 / 2) * 100 / columns
            for at in (0.0, 100.0) if x > 99 else (x,):
                y = (row + 0.5) * 100 / rows
                number = crc32(f"{x % 100:.0f} {y:.0f} {is_far}".encode())
                if x > 99:
                    edge = abs(at - 0.5)
                    is_free = _FROM_CORNER <= y <= 100 - _FROM_CORNER and all(
                        is_inside((edge, y + dy)) for dy in (-high / 2, 0, high / 2)
                    )
                else:
                    own = crc32(f"{seed} {n}".encode())
                    at, y = at + own % 33 / 10 - 1.6, y + own // 64 % 21 / 10 - 1
                    reach = min(0.45 * wide, 8.0)
                    is_free = (
                        all(is_inside((at + dx, y)) for dx in (-reach, 0, reach))
                        and all(hypot(at - p[0], y - p[1]) >= _FROM_WALL for p in walls)
                        and all(hypot(at - p[0], y - p[1]) >= r + 7 for p, r in clear)
                    )
                if not is_free:
                    continue
                kind = number % 100
                found = soon if kind < _SOON else late
                if is_wood or kind >= _TREES:
                    found.tree(at, y, 0.34 * high if not is_wood else 0.42 * high)
                else:
                    found.house(at, y, wide, high, is_gable=number // 128 % 100 < 38)
        near, far = (
            f"{{{name}?{one}|{other}}}" for one, other in zip(OPEN_ROOF, ROOF, strict=True)
        )
        level = "far" if is_far else "!far"
        text += only(level, soon.drawn(near, far))
        windows = "" if is_far else path([*soon.windows, *late.windows], WINDOW)
        text += only(f"{level} {name}", late.drawn(*ROOF) + windows)
        if not is_far:
            panes = stroke("".join([*soon.panes, *late.panes]), PLASTER, 0.4)
            stacks = path([*soon.chimneys, *late.chimneys][::2], ROOF[1], LINE)
            text += only(f"near {name}", panes + stacks)
    return text


def wall(d: str) -> str:
    """A stone wall along a line, seen from above and from the south."""
    thick, walk = (f"{{far?{w}|{tenths(1.25 * w)}}}" for w in (WALL_WIDTH, WALL_WIDTH - 2))
    return (
        stroke(d, SHADOW, thick, ' opacity=".2" transform="translate(1.6 3.4)"')
        + stroke(d, STONE_EDGE, thick, ' transform="translate(0 2.2)"')
        + stroke(d, STONE_EDGE, thick)
        + stroke(d, STONE, walk)
        + only("!far", stroke(d, STONE_EDGE, 5, ' opacity=".55" stroke-dasharray="1.1 3.6"'))
    )


def hedge(d: str, colour: str = BUSH) -> str:
    """A row of bushes along a line."""
    return "".join(
        stroke(d, tint, width, ' stroke-linecap="round" stroke-dasharray=".1 6.5"')
        for tint, width in ((BUSH_SHADE, 8.0), (colour, 5.2))
    )


def gate(at: Point) -> str:
    """A gate in a wall."""
    x, y = at
    return (
        f'<path d="M{tenths(x - 7)} {tenths(y - 8)}h14v15h-14z" fill="{STONE}" '
        f'stroke="{STONE_EDGE}" stroke-width="1.6"/>'
        + path(
            f"M{tenths(x - 4)} {tenths(y + 7)}v-6a4 4.6 0 0 1 8 0v6z", INK,
        )
    )  # fmt: skip


def bastion(x: float, y: float, *, is_finished: bool, scale: float) -> str:
    """A round turret where walls meet, on the board's own layer."""
    r, high = 6.4 * scale, 5.0 * scale
    wide, squeezed = tenths(r), tenths(0.5 * r)
    top = y - 1.5 * scale - high
    text = path(circle(x + 3, y + 3, r + 1, 0.6), SHADOW, ' opacity=".2"')
    text += (
        f'<path d="M{tenths(x - r)} {tenths(top)}V{tenths(y)}a{wide} {squeezed} 0 0 0 '
        f'{tenths(2 * r)} 0V{tenths(top)}z" fill="{STONE}" stroke="{STONE_EDGE}" '
        'stroke-width="1.1"/>'
    )
    text += path(
        f"M{tenths(x + 0.2 * r)} {tenths(top)}V{tenths(y + 0.48 * r)}Q{tenths(x + r)} "
        f"{tenths(y + 0.4 * r)} {tenths(x + r)} {tenths(y)}V{tenths(top)}z",
        STONE_EDGE, ' opacity=".45"',
    )  # fmt: skip
    if not is_finished:
        return text + (
            f'<ellipse cx="{tenths(x)}" cy="{tenths(top)}" rx="{wide}" ry="{squeezed}" '
            f'fill="{STONE}" stroke="{STONE_EDGE}" stroke-width="1.1"/>'
            f'<ellipse cx="{tenths(x)}" cy="{tenths(top)}" rx="{tenths(0.6 * r)}" '
            f'ry="{tenths(0.28 * r)}" fill="{STONE_EDGE}"/>'
        )
    out, peak = r + 1.2, y + PEAK * scale
    return (
        text
        + path(
            f"M{tenths(x - out)} {tenths(top + 1)}L{tenths(x)} {tenths(peak)}L{tenths(x + out)} "
            f"{tenths(top + 1)}Q{tenths(x)} {tenths(top + 0.7 * r)} {tenths(x - out)} "
            f"{tenths(top + 1)}z",
            ROOF[0],
        )
        + path(
            f"M{tenths(x + 0.2 * r)} {tenths(top + 0.38 * r)}L{tenths(x)} {tenths(peak)}"
            f"L{tenths(x + out)} {tenths(top + 1)}z",
            ROOF[1],
        )
    )


def flag(x: float, y: float, colour: str, scale: float, *, is_second: bool) -> str:
    """A swallow-tailed flag whose pole begins at a point; the second one is to the left."""
    top, way = y - 9 * scale, -scale if is_second else scale
    return stroke(f"M{tenths(x)} {tenths(y + 1)}V{tenths(top)}", INK, 1.1 * scale) + (
        f'<path d="M{tenths(x)} {tenths(top)}h{tenths(8.5 * way)}l{tenths(-2.4 * way)} '
        f'{tenths(2.6 * scale)}l{tenths(2.4 * way)} {tenths(2.6 * scale)}h{tenths(-8.5 * way)}z" '
        f'fill="{colour}" stroke="#fffdf4" stroke-width="1.1" stroke-linejoin="round"/>'
    )


def clearings(seed: int, free: Callable[[Point], float]) -> list[tuple[Point, float]]:
    """Points as printed for what grows on open ground, with their room: three large, some small;
    `free` is the room round a point.
    """
    points = {at: free(at) for at in scatter(seed, 70)}
    points = {at: room for at, room in points.items() if room > 0}
    found: list[tuple[Point, float]] = []
    while points and len(found) < 7:
        best = max(points, key=lambda at: round(points[at], 1))
        size = min(points[best], 15.0 if len(found) < 3 else 3.0)
        found.append((best, points[best]))
        points = {
            at: min(room, hypot(at[0] - best[0], at[1] - best[1]) - size)
            for at, room in points.items()
        }
        points = {at: room for at, room in points.items() if room > 3}
    return found


def meadow(seed: int, clear: Sequence[tuple[Point, float]], turn: int, tuft: str) -> str:
    """Plots, trees and tufts on open ground, at the clearings of a tile."""
    text, trees = "", Houses()
    blades = []
    for n, (best, size) in enumerate(clear):
        x, y = turn_point(best, turn)
        if n > 2:
            blades.append(f"M{tenths(x - 1.8)} {tenths(y - 2.4)}l1.8 2.4l0-3.2m0 3.2l1.8-2.4")
            continue
        number = crc32(f"{seed} {n}".encode())
        if size > 14.5 and number % 3:
            angle = (-18, -8, 10, 20)[number // 8 % 4]
            strips = "".join(
                path(f"M-14 {tenths(-8 + 5.2 * i)}h28v5.2h-28z", colour)
                for i, colour in enumerate(PLOTS)
            )
            lines = "".join(f"M-13 {tenths(-6.4 + 3.2 * i)}h26" for i in range(5))
            furrows = stroke(lines, FURROW, 0.9)
            place = f"translate({tenths(x)} {tenths(y)}) rotate({angle})"
            text += f'<g transform="{place}">{strips}{furrows}</g>'
        elif size > 8:
            for i in range(1 + number // 16 % 3):
                way = radians(120 * i + number % 90)
                trees.tree(x + 4.6 * cos(way), y + 3.4 * sin(way), 4.6 - 0.6 * i)
    tufts = stroke("".join(blades), tuft, 1, ' stroke-linecap="round"')
    return text + trees.drawn(*ROOF) + only("!far", tufts)
