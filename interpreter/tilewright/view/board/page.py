"""Drawings in pages that have a ground of their own: boards without paper, and sheets of symbols.

The colours of the land and of the coordinates become custom properties of the page, so one drawing
serves light and dark pages. Shadows, which are half transparent, stay as they are; figures and
tokens keep their colours, and on a sheet figures with an owner are drawn in `currentColor`. A sheet
has one symbol for each of a tile's turns; the parts that turn with it are drawn once.
"""

from __future__ import annotations

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
from tilewright.view.board.svg import (
    CLIP,
    COORDINATE,
    FIGURE,
    LYING,
    NOBODY,
    NOBODYS,
    PAPER,
    SHADOWS,
    board_group,
    facing_mark,
    scene_document,
    silhouette,
    token_drawing,
)
from tilewright.view.board.tile_svg import flat_group, tile_group, upright_group

#: a colour of a drawing; the one of a shadow has two more digits
_COLOUR = re.compile(r'"#([0-9a-f]{6})"')


def with_properties(drawing: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """A drawing with a custom property for each colour, and the light and dark colour of each
    property.
    """
    colours = {
        f"--tw-{found}": (f"#{found}", darkened(f"#{found}"))
        for found in sorted(set(_COLOUR.findall(drawing)))
    }
    return _COLOUR.sub(r'"var(--tw-\1)"', drawing), colours


@lru_cache(4096)
def darkened(colour: str) -> str:
    """A colour for a dark page: in OKLCH with L' = 0.10 + 0.64 L and C' = 0.82 C, the same hue.

    The conversion is that of Björn Ottosson, "A perceptual color space for image processing"
    (2020).
    """
    light, a, b = _oklab(colour)
    return _hexadecimal(0.10 + 0.64 * light, 0.82 * a, 0.82 * b)


def _oklab(colour: str) -> tuple[float, float, float]:
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


# ------------------------------------------------------------------ sheets


TURNS = range(4)


@dataclass(frozen=True, slots=True)
class BoardSheet:
    """Drawings in one picture; `faces` has the names of the four turns of each face, `figures` the
    names of each kind, standing, lying and the mark of one that looks to the north, `tokens` the
    name of each kind of token or item, `colours` the properties, light and dark.
    """

    svg: str
    faces: tuple[tuple[str, ...], ...]
    figures: tuple[tuple[str, str, str], ...]
    tokens: tuple[str, ...]
    colours: Mapping[str, tuple[str, str]]


def board_sheet(
    faces: Sequence[TileFace],
    figures: Iterable[FigureKind],
    tokens: Sequence[TokenDecl | ItemDecl],
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    prefix: str,
) -> BoardSheet:
    """The drawings of some faces and kinds of figure, token and item; `prefix` begins all names."""
    body: list[str] = []
    names: list[tuple[str, ...]] = []
    drawn: dict[tuple[str, ...], str] = {}
    for face in faces:
        flat = flat_group(face, kinds, symbols)
        uprights = [upright_group(face, kinds, symbols, turn) for turn in TURNS]
        key = (flat, *uprights)
        if key not in drawn:
            drawn[key] = f"{prefix}-t{len(drawn)}"
            body.append(_tile(drawn[key], flat, uprights))
        names.append(tuple(f"{drawn[key]}-{turn}" for turn in TURNS))
    text = "".join(body)
    text, colours = with_properties(text)
    people, called = [], []
    for n, kind in enumerate(figures):
        name = f"{prefix}-f{n}"
        people += [
            _figure(kind, name, 0.0),
            _figure(kind, f"{name}-lying", LYING),
            _round_zero(f"{name}-facing", facing_mark(_size(kind), _colour(kind))),
        ]
        called.append((name, f"{name}-lying", f"{name}-facing"))
    people += [
        _round_zero(f"{prefix}-k{n}", token_drawing(token, (0.0, 0.0)))
        for n, token in enumerate(tokens)
    ]
    clip = CLIP.replace("tw-tile", f"{prefix}-tile")
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">'
        f"{clip}{text}{''.join(people)}</svg>"
    )
    return BoardSheet(
        svg,
        tuple(names),
        tuple(called),
        tuple(f"{prefix}-k{n}" for n in range(len(tokens))),
        colours,
    )


def _tile(name: str, flat: str, uprights: Sequence[str]) -> str:
    """A tile: what turns with it, and a symbol for each turn."""
    prefix = name.rpartition("-")[0]
    text = f'<defs><g id="{name}">{flat}</g></defs>'
    for turn, upright in enumerate(uprights):
        turned = f' transform="rotate({90 * turn} 50 50)"' if turn else ""
        text += (
            f'<symbol id="{name}-{turn}" viewBox="0 0 100 100">'
            f'<g clip-path="url(#{prefix}-tile)"><use href="#{name}"{turned}/>{upright}</g>'
            "</symbol>"
        )
    return text


def _figure(kind: FigureKind, name: str, turn: float) -> str:
    """A kind of figure round (0, 0), in the units of a tile."""
    wide, high, down = SHADOWS[turn > 0]
    shadow = f'<ellipse cy="{down}" rx="{wide}" ry="{high}" fill="#00000038"/>'
    drawing = silhouette(kind.glyph, (0.0, 0.0), _size(kind), _colour(kind), turn)
    return _round_zero(name, shadow + drawing)


def _size(kind: FigureKind) -> float:
    return FIGURE if kind.owned else FIGURE * NOBODYS


def _colour(kind: FigureKind) -> str:
    return "currentColor" if kind.owned else kind.colour or NOBODY


def _round_zero(name: str, drawing: str) -> str:
    return f'<symbol id="{name}" viewBox="-50 -50 100 100">{drawing}</symbol>'
