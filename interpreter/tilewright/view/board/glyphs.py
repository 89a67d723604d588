"""A small library of pictures, named by their shape, each drawn in a box of 24 by 24 round (0, 0).

A ruleset chooses among these names for what it prints on tiles and for its figures. `A` stands for
the main colour, `B` for the dark line and `C` for the light one. A name that is not here is drawn
as a disc, so an unknown glyph is plain and never an error. `lookout-with-crest` is one of them with
another on a plate before it, to keep things of one look apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.view.board.curves import number

_LINE = 'stroke="B" stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round"'
_THIN = 'fill="none" stroke="B" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round"'
_FAIR = 'fill="none" stroke="C" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"'

#: a line on paper alone (see `tile_state`)
_OUTLINE = 'stroke="none~111111" stroke-width=".8"'
_STONE = 'fill="#d9d2c2~ffffff" stroke="#6b6252~111111" stroke-width=".9"'


def _shape(d: str, colour: str = "A") -> str:
    return f'<path d="{d}" fill="{colour}" {_LINE}/>'


def _disc(x: float, y: float, r: float, colour: str = "A") -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{colour}" {_LINE}/>'


def _thin(d: str) -> str:
    return f'<path d="{d}" {_THIN}/>'


def _fair(d: str) -> str:
    return f'<path d="{d}" {_FAIR}/>'


_FLAME = "M0-11C3-6 8-3 7.4 3.4C7 8-2 13-6.4 6.4C-8.6 2-5.6-1-4.4-3.6C-3.2-1.8-2.6-1-1.4-.6"
_FLAME += "C-2.4-4.4-1.6-8 0-11Z"
_FIRE = "M-3.2-1.4C-6.4-5-2.2-7-2.4-11C1-9.4 1.2-7.4 1.8-6.4C2.4-7 2.4-7.6 2.6-8.6"
_FIRE += "C5.6-5.8 5-3.2 3.2-1.4Q0 1-3.2-1.4Z"
_WAVES = "M-9.6-2.6C-6-7-3.6-7 0-2.6S6 1.8 9.6-2.6M-9.6 4.4C-6 0-3.6 0 0 4.4S6 8.8 9.6 4.4"


@dataclass(frozen=True, slots=True)
class Piece:
    """A figure or a building on a board: one outline, which must differ from all others when it is
    small, lines inside it that only support it, and the place of its owner's sign.

    The outline may have several parts that overlap. The foot is at y = 10.4.
    """

    outline: str
    inside: str = ""
    sign: tuple[float, float] = (0.0, 6.0)
    scale: float = 1.0


def _flat(d: str, colour: str) -> str:
    return f'<path d="{d}" fill="{colour}"/>'


def _dark(d: str) -> str:
    return _flat(d, "B")


def _pale(d: str, width: float = 1.6) -> str:
    return f'<path d="{d}" fill="none" stroke="C" stroke-width="{number(width)}"/>'


def _part(d: str, colour: str) -> str:
    return f'<path d="{d}" fill="{colour}" stroke="B" stroke-width=".9" stroke-linejoin="round"/>'


def _round(x: float, y: float, r: float) -> str:
    """A circle as a path."""
    return f"M{number(x - r)} {number(y)}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0Z"


def _mirrored(d: str) -> str:
    """A path of absolute moves, curves and lines, with its mirror image."""
    return d + re.sub(
        r"(-?[\d.]+) (-?[\d.]+)", lambda pair: f"{number(-float(pair[1]))} {pair[2]}", d
    )


_UPPER_WING = "M-1.2 -2.2C-3.4 -9 -9 -11.4 -12 -9.6C-12.8 -4.6 -8.8 0 -1.2 -.4Z"
_LOWER_WING = "M-1.2 .2C-7 -.6 -10.8 2.2 -9.8 6.2C-6.4 8.4 -2.4 5 -1 1.8Z"
_GOWN = "M-1.6-2.4H1.6C2.4 2.4 4.2 7.4 5.4 10.4H-5.4C-4.2 7.4-2.4 2.4-1.6-2.4Z"
_STAR = "M9.6 2.2L10.5 4.2L12.6 4.4L11 5.8L11.5 7.9L9.6 6.8L7.7 7.9L8.2 5.8L6.6 4.4L8.7 4.2Z"
_CREATURE_WING = "M-2.6 1.8L-1.4-10.4L1.6-6.2L4.4-11.4L6-6L10.4-9.4L9.6-3L12-2.2L5.4 3.4Z"
_CREATURE = "M-11.8-5.2L-9.6-8.6L-8.4-7.6L-7-9.4L-4.6-7.2C-2.8-5.4-3.2-3.2-4.2-1.6"
_CREATURE += "C-1.4-2.2 2.4-1.4 5 .6C7.6 2.4 8.4 4.4 8 6.2C9.6 6 10.2 4.8 9.8 3.2L12.4 5"
_CREATURE += "C12.6 8.4 10.4 10.4 7 10.4H-6.2C-9.6 10.4-10.6 7-8.8 4.4C-7.6 2.4-7.2.4-7.6-1.8"
_CREATURE += "L-11.2-2.6Z"

#: the figures and turrets of a board; other glyphs may be figures, too
PIECES: dict[str, Piece] = {
    "person": Piece(
        "M0-10.6A4.7 4.7 0 0 1 3.2-2.5C4.2 2.4 6.6 6.6 7.6 10.4H-7.6C-6.6 6.6-4.2 2.4-3.2-2.5"
        "A4.7 4.7 0 0 1 0-10.6Z",
        sign=(0, 5.6),
    ),
    "large-person": Piece(
        "M0-11.6A5.3 5.3 0 0 1 4.4-3.3C8.4-2.8 10.2-1.2 10.5 2.4L11.8 10.4H-11.8L-10.5 2.4"
        "C-10.2-1.2-8.4-2.8-4.4-3.3A5.3 5.3 0 0 1 0-11.6Z",
        _pale("M-10.3 3.4H10.3", 2),
        (0, 7.2),
        1.16,
    ),
    "robed-person": Piece(
        "M-3.6-11.8C-.6-9.4 1-7 1.2-4.6L.4-1.8C2.4 2.2 3.6 6.4 3.8 10.4H-11C-10.8 6.4-9.6 2.2-7.6"
        "-1.8L-8.4-4.6C-8.2-7-6.6-9.4-3.6-11.8ZM-1 1.8L7.6.6V3.4L0 4.8ZM7-11H9.6V10.4H7Z"
        "M4.6-7.8H12V-5.4H4.6Z",
        _dark("M-4.3-8.6H-2.9V-7H-1.3V-5.6H-2.9V-3.2H-4.3V-5.6H-5.9V-7H-4.3Z"),
        (-3.6, 6.4),
    ),
    "sashed-person": Piece(
        "M-3.8-11.6H3.8V-7H9V-4.2H-9V-7H-3.8ZM-3-5H3V-3C7-1.8 8.6 1.6 8.2 5C7.8 8.2 5.8 10.4 3.8"
        " 10.4H-3.8C-5.8 10.4-7.8 8.2-8.2 5C-8.6 1.6-7-1.8-3-3Z",
        _pale("M-6.6-.4L5.6 8.8", 2.2),
        (-3.6, 6.2),
    ),
    "cart": Piece(
        f"M-11.8 4.4C-12.8-7.8-7-9 0-9S12.8-7.8 11.8 4.4Z{_round(-6.2, 6.4, 4)}"
        + _round(6.2, 6.4, 4),
        _dark("M-11.8 1.6H11.8V3H-11.8Z")
        + f'<path d="{_round(-6.2, 6.4, 1.7)}{_round(6.2, 6.4, 1.7)}" fill="C"/>',
        (0, -3.8),
    ),
    "hall": Piece(
        "M-11.6 10.4V.4H-12.6V-1.4L-4.8-8.8L3-1.4V.4H2V10.4ZM4.4 10.4V-6A3.8 3.8 0 0 1 12-6V10.4Z",
        _pale("M4.6-3.4H11.8M-10.6 1H1", 1.3),
        (-4.8, 6),
    ),
    "tool-person": Piece(
        "M-11.4-4.2H-10.2A5 5.4 0 0 1-.2-4.2H1V-2.2H-1.6C-1.8-1.2-2.2-.4-2.8.2C-.6 3.4.4 7 .6 10.4"
        "H-11.4C-11.2 7-9.8 3.4-7.6.2C-8.2-.4-8.6-1.2-8.8-2.2H-11.4ZM-2.4 2.6L6 1V3.8L-1.4 5.6Z"
        "M5.4-8H8.2V10.4H5.4ZM2.2-11.6H11.8V-5H2.2Z",
        _pale("M-8.8-3.2H-1.6", 1.2),
        (-5.3, 6.4),
    ),
    "animal": Piece(
        "M-8.4-4.4C-5-6.8 1.8-7 4.8-4.8L6-8L8.2-4.8C9.6-4.2 10.2-3 10.4-1.6H12V2.6H10"
        "C9.4 4.4 8.2 5.4 7.2 5.8V10.4H3.6V6.6H-4V10.4H-7.6V5.4C-9.6 4.2-10.4 1.6-10.2-1"
        "L-11.2-1.4C-13-2.4-12.8-5.6-10.6-6L-10-4.6C-11.2-4.4-11-3.2-10-2.8C-9.6-3.4-9-4-8.4-4.4Z",
        _dark(_round(7.4, -1.6, 0.9)),
        (-0.6, 0.4),
        1.18,
    ),
    "ghost": Piece(
        "M-7.6 10.4V-3A7.6 8.4 0 0 1 7.6-3V10.4L5.1 7.4L2.5 10.4L0 7.4L-2.5 10.4L-5.1 7.4Z",
        _dark(
            "M-4.4-3.4a1.5 2 0 1 0 3 0a1.5 2 0 1 0-3 0ZM1.4-3.4a1.5 2 0 1 0 3 0a1.5 2 0 1 0-3 0Z"
        ),
        (0, 3.2),
    ),
    "staff-person": Piece(
        "M-10.2 10.4V-6.4C-10.2-13.2-1.2-13.2-1.4-6.2H-4C-4-9.8-7.4-9.8-7.4-6.4V10.4Z"
        "M-1.8-5H-.4C-.4-10 7.2-10 7.2-5H9.6V-2.8H6.4C6.2-1.6 5.6-.6 5 .2C7.8 3.2 9.2 7 9.6 10.4"
        "H-2.8C-2.4 7-1 3.2 1.8.2C1.2-.6.6-1.6.4-2.8H-1.8ZM1.4 3.2L-8 1V-1.6L2.4.6Z",
        sign=(3.4, 6.6),
    ),
    "top-hat-person": Piece(
        "M-3.8-12H3.8V-6.6H6.6V-4.4H4.2C7.2-3 8.8-.8 8.6 1.4C8.2 5 4 6 2.4 7L4 10.4H-4L-2.4 7"
        "C-4 6-8.2 5-8.6 1.4C-8.8-.8-7.2-3-4.2-4.4H-6.6V-6.6H-3.8Z",
        _pale("M-5.6 4.8H5.6M-3.6-8H3.6", 1.3),
        (0, 0.4),
    ),
    "hatted-person": Piece(
        "M0-12.6L3.8-6.2H11.8V-2.6H3.2C3-1.4 2.6-.6 2.2 0C4.4 3.4 6 7 6.8 10.4H-6.8"
        "C-6 7-4.4 3.4-2.2 0C-2.6-.6-3-1.4-3.2-2.6H-11.8V-6.2H-3.8Z",
        sign=(0, 5.8),
    ),
    "crowned-person": Piece(
        "M-4.8-12L-2.2-9.4L0-12.4L2.2-9.4L4.8-12V-5.8C4.6-4.4 3.6-3.4 2.4-2.8L1.8-.6"
        "C7-.2 10.4 4.4 11 10.4H-11C-10.4 4.4-7-.2-1.8-.6L-2.4-2.8C-3.6-3.4-4.6-4.4-4.8-5.8Z",
        _part("M-4.8-12L-2.2-9.4L0-12.4L2.2-9.4L4.8-12V-7.4H-4.8Z", "#f4c542"),
    ),
    "winged-beast": Piece(
        _CREATURE + _CREATURE_WING,
        _part(_CREATURE_WING, "#d9607a")
        + '<path d="M-6.4 3.4C-7.4 5.6-7.4 7.6-6 8.8" fill="none" stroke="#f2c9a0" '
        + 'stroke-width="1.8" stroke-linecap="round"/>'
        + f'<path d="{_round(-7.4, -6, 1)}" fill="C"/>',
        scale=1.12,
    ),
    "winged-person": Piece(
        _mirrored(_UPPER_WING) + _mirrored(_LOWER_WING) + _GOWN + _round(0, -5, 3.2) + _STAR,
        _part(_mirrored(_UPPER_WING) + _mirrored(_LOWER_WING), "#cfe4ff")
        + _part(_GOWN, "A")
        + _part(_round(0, -5, 3), "#f2c9a0")
        + _part(_STAR, "#f4c542"),
        scale=1.08,
    ),
    "fort": Piece(
        "M-12 10.4V-9.4H-9.8V-7.2H-8.2V-9.4H-6V-7.2H-4.4V-1.4H-2.2V.6H2.2V-1.4H4.4V-7.2H6V-9.4H8.2"
        "V-7.2H9.8V-9.4H12V10.4Z",
        _dark("M-2.6 10.4V6A2.6 2.8 0 0 1 2.6 6V10.4Z") + _pale("M-10-2.8H-6.4M6.4-2.8H10", 1.4),
    ),
    "drum": Piece(
        "M-7.4 10.4V-4.6H-8.8V-10.8H-5.2V-8.4H-2V-10.8H2V-8.4H5.2V-10.8H8.8V-4.6H7.4V10.4Z",
        _dark("M-2.2 10.4V6.2A2.2 2.4 0 0 1 2.2 6.2V10.4Z")
        + _pale("M-7.4-3.6H7.4M-7.4 1.2H7.4", 1.3),
    ),
}
#: the signs of owners, in the order of seats, in a box of 6 by 6, for readers who see no colours
SIGNS: tuple[str, ...] = (
    "M0-3L3.2 2.6H-3.2Z",
    "M-2.6-2.6H2.6V2.6H-2.6Z",
    "M0-3.5L3.5 0L0 3.5L-3.5 0Z",
    _round(0, 0, 2.8),
    "M-1-3.2H1V-1H3.2V1H1V3.2H-1V1H-3.2V-1H-1Z",
    "M-3.2-2.6H3.2V-.7H-3.2ZM-3.2.7H3.2V2.6H-3.2Z",
    "M-3.2-1.4L0-3.4L3.2-1.4V1.4L0-.6L-3.2 1.4Z",
    "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0ZM-1.3 0a1.3 1.3 0 1 1 2.6 0a1.3 1.3 0 1 1-2.6 0Z",
    "M-2.9-1.5L-1.5-2.9L0-1.4L1.5-2.9L2.9-1.5L1.4 0L2.9 1.5L1.5 2.9L0 1.4L-1.5 2.9L-2.9"
    " 1.5L-1.4 0Z",
)

#: the dashes of lines of owners, in the order of seats: each begins and ends with half a gap, and
#: its length divides 48
DASHES: tuple[str, ...] = (
    "0 2 8 2", "0 2 12 2", "0 1.5 9 3 1 1.5", "0 1.5 3 1.5", "1 0", "0 4 4 4", "0 4 16 4",
    "0 1 2 3 5 1", "0 3 6 3 9 3",
)  # fmt: skip


def sign_ink(colour: str) -> str:
    """The colour of a sign on a colour: pale or dark, whichever is better seen."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#ffffff" if 0.3 * red + 0.59 * green + 0.11 * blue < 125 else "#1d1a16"


def _still(piece: Piece) -> str:
    """A piece as a glyph: an ink line round its whole outline."""
    return (
        f'<path d="{piece.outline}" fill="B" stroke="B" stroke-width="2" stroke-linejoin="round"/>'
        f'<path d="{piece.outline}" fill="A"/>{piece.inside}'
    )


GLYPHS: dict[str, str] = {
    **{name: _still(piece) for name, piece in PIECES.items()},
    "disc": _disc(0, 0, 7.5),
    "square": _shape("M-7-7H7V7H-7Z"),
    "diamond": _shape("M0-9L8 0L0 9L-8 0Z"),
    "ring": '<circle r="6.5" fill="none" stroke="A" stroke-width="3.6"/>',
    "star": _shape("M0-10L2.7-3.6L9.6-3.1L4.3 1.4L6 8.1L0 4.5L-6 8.1L-4.3 1.4L-9.6-3.1L-2.7-3.6Z"),
    "flower": "".join(
        f'<ellipse rx="3.5" ry="4.9" cx="0" cy="-5.4" transform="rotate({turn})" fill="A" {_LINE}/>'
        for turn in (0, 72, 144, 216, 288)
    )
    + _disc(0, 0, 3.1, "#f4d35e"),
    "leaf": _shape("M-8 8C-10-2-3-9 8-9C9 2 3 9-8 8Z") + _thin("M-8 8L4-4"),
    "tree": _shape("M-1.6 4H1.6V10.5H-1.6Z", "B") + _disc(0, -2.6, 7.6),
    "flame": _shape(_FLAME) + _fair("M-1.6 7.4C-3 4.6-.4 3.4.6 1.2C2.6 3.6 3 6-.2 7.8"),
    "peak": _shape("M-11 9L-2.6-7.5L1 -2L3.4-5L11 9Z") + _fair("M-4.8-2.8L-2.4-1L-.6-3.6"),
    "mound": _shape("M-11.4 9C-10-1-5-6.4 0-6.4S10-1 11.4 9Z")
    + _fair("M-7.6 6.6C-6 1.4-3.4-2 0-3M1.6 6.6C2.6 4 4 2.4 6 1.6"),
    "grapes": _thin("M0-5V-10M0-7.6C3-11 7-10.4 8-8.6")
    + "".join(
        _disc(x, y, 3) for x, y in ((-5, -3), (0, -3), (5, -3), (-2.5, 1.6), (2.5, 1.6), (0, 6.4))
    ),
    "burning-peak": _shape("M-11 10L-4.2-2.4Q0 .8 4.2-2.4L11 10Z", "#6b5a52~d2d2d2")
    + _shape(_FIRE)
    + _shape("M-1.4.2Q0 1 1.6.1L3 6.4L1.2 5L-.4 9L-1.6 4.4L-3 5.6Z"),
    "spiral": '<path d="M.4.6C-1.6 1.6-3.4-.6-2.2-2.8C-.6-5.4 4-4.6 5-.8C6.2 3.8 1.6 7.6-2.8 6.4'
    'C-8 5-9.6-1.4-6.8-5.8C-4.6-9.2-.4-10.4 3.4-9.4" fill="none" stroke="A" stroke-width="3"'
    ' stroke-linecap="round"/>',
    "crown": _shape("M-9.5-6L-4.6-1.2L0-9L4.6-1.2L9.5-6L7.6 6.6H-7.6Z") + _fair("M-6 3.6H6"),
    "crest": '<path d="M-8-9.4H8V-1C8 5 4.6 8.6 0 10.6C-4.6 8.6-8 5-8-1Z" fill="A" '
    'stroke="#fffdf4" stroke-width="5" stroke-linejoin="round"/>'
    '<path d="M-8-9.4H8V-1C8 5 4.6 8.6 0 10.6C-4.6 8.6-8 5-8-1Z" fill="A" stroke="#1d1a16" '
    'stroke-width="1.9" stroke-linejoin="round"/>'
    '<path d="M-7 2.6L0-3.4L7 2.6V-1.8L0-7.4L-7-1.8Z" fill="#f4c542"/>',
    "beds": '<path d="M-12-11.4H12V11.4H-12Z" fill="#557f3b~777777"/>'
    '<path d="M-10.2-9.6H10.2V9.6H-10.2Z" fill="#d3d48c~ffffff"/>'
    '<path d="M-9-8.6H-1.4V-1.2H-9ZM1.4-8.6H9V-1.2H1.4ZM-9 1.2H-1.4V8.6H-9ZM1.4 1.2H9V8.6H1.4Z" '
    'fill="#6f9a4c~ffffff"/>'
    + "".join(
        _flat("".join(_round(x + dx, y + dy, 1) for x in (-7.2, 3.2) for y in (-6.6, 3.2)), colour)
        for dx, dy, colour in (
            (0, 0, "#d8433a"),
            (4, 0, "#f4c542"),
            (2, 1.8, "#fbf4e2~ffffff"),
            (0, 3.6, "#f4c542"),
            (4, 3.6, "#d8433a"),
        )
    )
    + f'<path d="{_round(0, 0, 3)}" fill="#7fbcd6~d9d9d9" stroke="#fbf4e2~ffffff" '
    'stroke-width="1.2"/>',
    "house-with-cross": '<path d="M-2.4 9.4V-1.4H11.6V9.4Z" fill="#fbf4e2~ffffff" '
    f"{_OUTLINE}/>"
    '<path d="M-3-.8L-.4-6.2H10L12.4-.8Z" fill="#be4724~555555"/>'
    '<path d="M-3.2-.8H12.4V.3H-3.2Z" fill="#8c321b~3a3a3a"/>'
    '<path d="M-10.4 9.4V-3.6L-6.2-9.4L-2-3.6V9.4Z" fill="#fbf4e2~ffffff" '
    f"{_OUTLINE}/>"
    '<path d="M-2-3.6V9.4H-1.2V-2.8Z" fill="#3b3226" opacity=".25"/>'
    '<path d="M-11.6-2.8L-6.2-11L-.8-2.8L-2.4-2.2L-6.2-7.6L-10-2.2Z" fill="#be4724~555555"/>'
    '<path d="M-6.9-10.4V-12.2H-8.4V-13.4H-6.9V-15H-5.5V-13.4H-4V-12.2H-5.5V-10.4Z" '
    'fill="#3b3226"/>'
    '<path d="M-7.9 9.4V6.2A1.7 2 0 0 1-4.5 6.2V9.4Z" fill="#3b3226"/>'
    f'<path d="{_round(-6.2, -1.6, 1.4)}" fill="#7fbcd6~d9d9d9"/>'
    '<path d="M1 6.6V3.8A1 1.1 0 0 1 3 3.8V6.6ZM4.8 6.6V3.8A1 1.1 0 0 1 6.8 3.8V6.6ZM8.6 6.6V3.8'
    'A1 1.1 0 0 1 10.6 3.8V6.6Z" fill="#6b5a42~111111"/>',
    "arches": f'<path d="M-12-8.4H12V-4.6H-12Z" {_STONE}/>'
    '<path d="M-10.6-4.6H10.6V9.4H7.6V1.6A2.4 2.8 0 0 0 2.8 1.6V9.4H-2.8V1.6A2.4 2.8 0 0 0-7.6 1.6'
    f'V9.4H-10.6Z" {_STONE} stroke-linejoin="round"/>'
    '<path d="M-12-8.4L-9-11H9L12-8.4Z" fill="#8d8677~999999"/>',
    "chest": _shape("M-9.6-1.6C-9.6-8-6-8.6 0-8.6S9.6-8 9.6-1.6Z")
    + _shape("M-9.6-1.6H9.6V8H-9.6Z")
    + _shape("M-2.2-3H2.2V2.6H-2.2Z", "C"),
    "coins": _disc(-4, 3.6, 5) + _disc(4.4, 3.6, 5) + _disc(0.2, -4, 5) + _fair("M.2-6V-2"),
    "house": _shape("M-6.6-1.4V8H6.6V-1.4", "C") + _shape("M-9-.6L0-9L9-.6Z") + _thin("M0 8V3.4"),
    "stall": _shape("M-8-1V9H8V-1", "C")
    + _shape("M-10.4-.6L-7.4-8.4H7.4L10.4-.6Q6.9 3.4 3.5-.6Q0 3.4-3.5-.6Q-6.9 3.4-10.4-.6Z")
    + _fair("M-3.5-.6L-2.5-8.4M3.5-.6L2.5-8.4")
    + _thin("M-8 5.2H8"),
    "lookout": _shape("M-9.6 10.4L-8-2.6H-1.4L.2 10.4", "C")
    + _thin("M-8.4 5.6L-1.6-.6M-1 5.6L-7.8-.6M-9.2 7.6H-.2")
    + _shape("M-10.6-2.2V-6.4H1.2V-2.2Z")
    + _shape("M-11.8-6L-4.7-12L2.4-6Z"),
    "arch": _shape("M-9.6 9V-2C-9.6-12 9.6-12 9.6-2V9H4.6V-1C4.6-5.6-4.6-5.6-4.6-1V9Z"),
    "wheel": _disc(0, 0, 8.4, "C") + _thin("M0-8.4V8.4M-8.4 0H8.4M-6-6L6 6M-6 6L6-6"),
    "barrel": _shape("M-6-9H6C8.8-3 8.8 3 6 9H-6C-8.8 3-8.8-3-6-9Z")
    + _fair("M-7.4-4H7.4M-7.4 4H7.4"),
    "sheaf": _shape("M-2 10C-2 4-8-2-8.6-9C-4-8-2-4 0-10C2-4 4-8 8.6-9C8 -2 2 4 2 10Z")
    + _fair("M-3.6 2.6H3.6"),
    "bolt": _shape("M-9.6-6C-4-9 4-3 9.6-6V6C4 9-4 3-9.6 6Z") + _fair("M-6-1.6C-2-3 2 .6 6-1"),
    "bird": _shape("M-10-4C-6 0-3 0 0-3C0-8 5-9 6.4-6L10-4L6.6-2.4C7 5 2 8 -2 8C-7 8-10 3-10-4Z")
    + _thin("M-1 8V11M2.4 7.4V11"),
    "wave": f'<path d="{_WAVES}" fill="none" stroke="A" stroke-width="2.8"'
    ' stroke-linecap="round"/>',
    "arrow": _shape("M0-9L7.6 1H3V9H-3V1H-7.6Z"),
}

#: the glyph of a mark that identifies printings only and is not shown in pictures
HIDDEN = "none"

#: one character for each glyph where there is only text
CHARACTERS: dict[str, str] = {
    "crest": "◆",
    "flower": "✿",
    "burning-peak": "▲",
    "peak": "▲",
    "mound": "∩",
    "grapes": "⁂",
    "flame": "▲",
    "spiral": "◎",
    "ring": "○",
    "crown": "♛",
    "crowned-person": "♛",
    "winged-beast": "§",
    "winged-person": "¥",
    "chest": "■",
    "house": "⌂",
    "stall": "¤",
    "house-with-cross": "†",
    "beds": "✿",
    "star": "★",
    "wave": "≈",
}


def initial(label: str) -> str:
    """The letter that stands for a label where a glyph has no room or no drawing."""
    return next((letter.upper() for letter in label if letter.isalnum()), "?")


def distinct_letters(labels: Sequence[str]) -> list[str]:
    """A capital letter of each label that no earlier label has; a digit where none is left."""
    found: list[str] = []
    for label in labels:
        letters = [letter.upper() for letter in label if letter.isalnum()]
        own = next((letter for letter in [*letters, *"123456789"] if letter not in found), "?")
        found.append(own)
    return found


#: joins the names of two pictures
WITH = "-with-"
#: where the plate before a glyph is, its radius, and the size of what is on it
_PLATE, _PLATE_ROOM, _ON_PLATE = (4.6, 3.2), 7.2, 0.44


def is_glyph(name: str) -> bool:
    """Whether a name has a drawing."""
    return name in GLYPHS or all(half in GLYPHS for half in halves(name))


def halves(name: str) -> tuple[str, ...]:
    """The names of two pictures that a name joins, as in `crest-with-star`; otherwise the name."""
    base, _, other = name.partition(WITH)
    return (base, other) if base and other else (name,)


def _body(name: str) -> str:
    if name in GLYPHS or not is_glyph(name):
        return GLYPHS.get(name, GLYPHS["disc"])
    base, _, other = name.partition(WITH)
    x, y = _PLATE
    return (
        GLYPHS[base]
        + _disc(x, y, _PLATE_ROOM, "#fdf3dc")
        + f'<g transform="translate({number(x)} {number(y)}) scale({_ON_PLATE})">'
        + f"{GLYPHS[other]}</g>"
    )


def glyph(
    name: str,
    at: tuple[float, float],
    size: float,
    colour: str,
    *,
    dark: str = "#2b2620",
    light: str = "#fbf7ea",
    turn: float = 0.0,
) -> str:
    """A glyph drawn upright at a point, `size` wide and high."""
    body = _body(name)
    for mark, ink in (("A", colour), ("B", dark), ("C", light)):
        body = body.replace(f'"{mark}"', f'"{ink}"')
    rotate = f" rotate({number(turn)})" if turn else ""
    x, y = at
    place = f"translate({number(x)} {number(y)}){rotate} scale({number(size / 24)})"
    return f'<g transform="{place}">{body}</g>'
