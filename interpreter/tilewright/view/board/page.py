"""Drawings in pages that have a ground of their own: boards without paper, and sheets of symbols.

The colours of the land and of the coordinates become custom properties of the page, so one drawing
serves light and dark pages, and paper. Shadows, which are half transparent, stay as they are;
figures and tokens keep their colours, and on a sheet figures with an owner are drawn in
`currentColor`. A sheet has one symbol for each of a tile's turns, with all of its states (see
`tile_state`).
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tilewright.rules.model.ruleset import (
    FeatureKind,
    FigureKind,
    ItemDecl,
    SymbolDecl,
    TileFace,
    TokenDecl,
)
from tilewright.view.board.curves import Point, number
from tilewright.view.board.scene import Scene, TilePicture
from tilewright.view.board.scenery import FAR_BASTION, FAR_FLAG, PEAK, bastion, flag, only
from tilewright.view.board.svg import (
    COORDINATE,
    NOBODY,
    PAPER,
    bastions_of,
    board_group,
    facing_mark,
    figure_size,
    scene_document,
    silhouette,
    token_drawing,
)
from tilewright.view.board.tile_layout import plan
from tilewright.view.board.tile_state import level, on_screen, settled
from tilewright.view.board.tile_svg import TILE_BOX, tile_drawing

#: a colour in light mode, in dark mode, and on paper or under strong contrast
Shades = tuple[str, str, str]

#: a colour of a drawing, alone or as one of two; the one of a shadow has two more digits
_COLOUR = re.compile(r'(?<=["?|])(?:#([0-9a-f]{6})|none(?=~))(?:~(\w+))?(?=["|}])')


def with_properties(drawing: str) -> tuple[str, dict[str, Shades]]:
    """A drawing with a custom property for each colour, and the colours of each property."""
    colours: dict[str, Shades] = {}

    def named(found: re.Match[str]) -> str:
        screen, printed = found.groups()
        name = "--tw-" + "-".join(filter(None, (screen or "none", printed)))
        light = f"#{screen}" if screen else "none"
        dark = darkened(light) if screen else "none"
        paper = "none" if printed == "none" else f"#{printed}" if printed else light
        colours[name] = (light, dark, paper)
        return f"var({name})"

    return _COLOUR.sub(named, drawing), dict(sorted(colours.items()))


def named_colours(drawing: str) -> str:
    """A drawing for the studio's page, which reads the colours out of the names of the properties:
    `--tw-b7cf82-ffffff` is #b7cf82, and #ffffff on paper and under strong contrast.
    """
    return with_properties(drawing)[0]


#: on dark ground edges are darker, so that walls and ways keep their contrast, and windows are lit
_DARK = {
    "#6b6252": "#302b22",
    "#d9d2c2": "#a09a8c",
    "#86724d": "#3a2f20",
    "#2f6d8c": "#12394b",
    "#6b5a42": "#ffcf6b",
}


@lru_cache(4096)
def darkened(colour: str) -> str:
    """A colour for a dark page: in OKLCH with L' = 0.09 + 0.62 L and C' = 0.80 C, the same hue."""
    light, a, b = oklab(colour)
    return _DARK.get(colour) or _hexadecimal(0.09 + 0.62 * light, 0.80 * a, 0.80 * b)


def oklab(colour: str) -> tuple[float, float, float]:
    """The lightness (0 to 1), green to red and blue to yellow of a colour `#rrggbb`.

    The conversion is that of Björn Ottosson, "A perceptual color space for image processing"
    (2020).
    """
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    one = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    two = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    three = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * one + 0.7936177850 * two - 0.0040720468 * three,
        1.9779984951 * one - 2.4285922050 * two + 0.4505937099 * three,
        0.0259040371 * one + 0.7827717662 * two - 0.8086757660 * three,
    )


def _hexadecimal(light: float, a: float, b: float) -> str:
    one = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    two = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    three = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    parts = (
        4.0767416621 * one - 3.3077115913 * two + 0.2309699292 * three,
        -1.2684380046 * one + 2.6097574011 * two - 0.3413193965 * three,
        -0.0041960863 * one - 0.7034186147 * two + 1.7076147010 * three,
    )
    return "#" + "".join(f"{round(255 * _gamma(min(max(x, 0.0), 1.0))):02x}" for x in parts)


def _linear(x: float) -> float:
    return x / 12.92 if x <= 0.04045 else float(((x + 0.055) / 1.055) ** 2.4)


def _gamma(x: float) -> float:
    return 12.92 * x if x <= 0.0031308 else float(1.055 * x ** (1 / 2.4) - 0.055)


# ------------------------------------------------------------------ boards


#: the numbers beside a board, on light and on dark ground
COORDINATES: dict[str, Shades] = {"--tw-coordinate": ("#675f4c", "#a29883", "#222222")}


class PageBoards:
    """Draws boards; `colours` has the properties of all of them."""

    def __init__(self) -> None:
        self.colours: dict[str, Shades] = dict(COORDINATES)

    def picture(self, scene: Scene, size: int) -> str:
        """A board as a picture; `size` is the width of a tile in pixels."""
        wide, high, body = board_group(scene, self, size=size)
        body = body.replace(f'fill="{PAPER}"', 'fill="none"', 1)
        body = body.replace(f'fill="{COORDINATE}"', 'fill="var(--tw-coordinate)"')
        return scene_document(scene, size, wide, high, body)

    def tile_on(self, scene: Scene, tile: TilePicture, size: float) -> str:
        """The face of a tile on a board, 100 by 100 units."""
        drawn = self.land(tile_drawing(tile.face, scene.kinds, scene.symbols, tile.turn))
        # the colours of owners stay out of the drawing of the land
        drawn = settled(drawn, tile.state, level(size))
        return f'<g clip-path="url(#tw-tile)">{drawn}</g>'

    def land(self, drawing: str) -> str:
        """A drawing in the colours of the land."""
        body, colours = with_properties(drawing)
        self.colours |= colours
        return body

    def shape(self, drawing: str, at: Point) -> str:
        """A drawing round (0, 0), moved to a point."""
        return f'<g transform="translate({number(at[0])} {number(at[1])})">{drawing}</g>'


# ------------------------------------------------------------------ sheets


TURNS = range(4)


@dataclass(frozen=True, slots=True)
class BoardSheet:
    """Drawings in one picture; `faces` has the names of the four turns of each face, `corners` the
    corners of each (0 to 3, clockwise from the north-west, north up) where a wall of a segment
    ends, with the number of the segment; `figures` has the names of each kind, standing, lying and
    the mark of one that looks to the north, `tokens` the name of each kind of token or item,
    `bastion` the name of the turrets there, in all of their states: `0` where all features are
    finished, `k0` and `k1` with a flag in the colour `{o0}` or `{o1}`; `colours` the properties.
    """

    svg: str
    faces: tuple[tuple[str, ...], ...]
    corners: tuple[tuple[tuple[int, int], ...], ...]
    figures: tuple[tuple[str, str, str], ...]
    tokens: tuple[str, ...]
    bastion: str
    colours: Mapping[str, Shades]


def board_sheet(
    faces: Sequence[TileFace],
    figures: Iterable[FigureKind],
    tokens: Sequence[TokenDecl | ItemDecl],
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    prefix: str,
) -> BoardSheet:
    """The drawings of some faces and kinds of figure, token and item; `prefix` begins all names.
    Sheets of the same kinds have the same names for the same drawings.

    Drawings are in all of their states, and figures of owners have the places `{ink}` and `{sign}`.
    """
    body: list[str] = []
    names: list[tuple[str, ...]] = []
    drawn: dict[str, str] = {}
    for face in faces:
        for turn in TURNS:
            drawing = tile_drawing(face, kinds, symbols, turn)
            if drawing not in drawn:
                digest = hashlib.blake2b(drawing.encode(), digest_size=6).hexdigest()
                drawn[drawing] = f"{prefix}-{digest}"
                body.append(_symbol(drawn[drawing], TILE_BOX, drawing))
        names.append(tuple(drawn[tile_drawing(face, kinds, symbols, turn)] for turn in TURNS))
    turrets = (bastion(0, 0, is_finished=done, scale=1.0) for done in (False, True))
    text, colours = with_properties("".join(body))
    turret, more = with_properties("".join(map(only, ("!0", "0"), turrets)))
    for n in (0, 1):
        for level_, scale in (("!far", 1.0), ("far", FAR_FLAG / FAR_BASTION)):
            waving = flag(0, PEAK, f"{{o{n}}}", scale, is_second=n > 0)
            turret += only(f"{level_} k{n}", waving)
    people, called = [_around_zero(f"{prefix}-b", turret)], []
    for n, kind in enumerate(figures):
        name, colour = f"{prefix}-f{n}", "currentColor" if kind.owned else kind.colour or NOBODY
        sign = "{sign}" if kind.owned else ""
        people += [
            _around_zero(
                each, silhouette(kind.glyph, figure_size(kind), colour, is_lying=lies, sign=sign)
            )
            for each, lies in ((name, False), (f"{name}-lying", True))
        ]
        people.append(_around_zero(f"{name}-facing", facing_mark(figure_size(kind), colour)))
        called.append((name, f"{name}-lying", f"{name}-facing"))
    people += [
        _around_zero(f"{prefix}-k{n}", token_drawing(token, (0.0, 0.0)))
        for n, token in enumerate(tokens)
    ]
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">'
        f"{text}{on_screen(''.join(people))}</svg>"
    )
    return BoardSheet(
        svg,
        tuple(names),
        tuple(_corners(face, kinds, symbols) for face in faces),
        tuple(called),
        tuple(f"{prefix}-k{n}" for n in range(len(tokens))),
        f"{prefix}-b",
        colours | more,
    )


def _corners(
    face: TileFace, kinds: Mapping[str, FeatureKind], symbols: Mapping[str, SymbolDecl]
) -> tuple[tuple[int, int], ...]:
    numbers = {part.id: number for number, part in enumerate(face.segments)}
    found = bastions_of(plan(face, kinds, symbols), kinds)
    return tuple((corner, numbers[name]) for corner, name in found)


def _symbol(name: str, box: str, drawing: str) -> str:
    return f'<symbol id="{name}" viewBox="{box}">{drawing}</symbol>'


def _around_zero(name: str, drawing: str) -> str:
    return _symbol(name, "-50 -50 100 100", drawing)
