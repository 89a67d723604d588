"""A small library of pictures, named by their shape, each drawn in a box of 24 by 24 round (0, 0).

A ruleset chooses among these names for what it prints on tiles and for its figures. `A` stands for
the main colour, `B` for the dark line and `C` for the light one. A name that is not here is drawn
as a disc, so an unknown glyph is plain and never an error.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.view.board.curves import number

_LINE = 'stroke="B" stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round"'
_THIN = 'fill="none" stroke="B" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round"'
_FAIR = 'fill="none" stroke="C" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"'


def _shape(d: str, colour: str = "A") -> str:
    return f'<path d="{d}" fill="{colour}" {_LINE}/>'


def _disc(x: float, y: float, r: float, colour: str = "A") -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{colour}" {_LINE}/>'


def _thin(d: str) -> str:
    return f'<path d="{d}" {_THIN}/>'


def _fair(d: str) -> str:
    return f'<path d="{d}" {_FAIR}/>'


_BODY = "M-2.6-2C-5-1.5-8.6-.6-8.8 1.6C-8.9 3.4-6 3.3-4.2 2.9C-4.6 5.4-6.6 8.6-6.9 11H6.9"
_BODY += "C6.6 8.6 4.6 5.4 4.2 2.9C6 3.3 8.9 3.4 8.8 1.6C8.6-.6 5-1.5 2.6-2Z"
_WING = "M-1.6-2.6C-4-8.6-8.4-10-11.8-8.4C-10.6-6-11-3-11.8 1.6C-9.8-.2-8.2 0-7.2 2.6"
_WING += "C-5.8.8-4 1-1.6 4Z"
_BEAST = "M0-4.6C3.6-4 4.4.4 3.2 4C2.4 6.6 2 8.6 3.8 9.4C5.6 10 6.6 8.6 6.4 6.8L4.8 6.8L7.6 3.4"
_BEAST += "L10.2 7L8.6 7C8.8 10.8 5.6 12.4 2.4 11.8C-2.6 10.8-3.4 6-3.6 2.6C-3.8-1-2.6-4.2 0-4.6Z"
_HEAD = "M-4-11.6L-1.8-9.6H1.8L4-11.6L3.6-6.6L1.6-2.8H-1.6L-3.6-6.6Z"

_VEIL = "M-1.6-.6C-4-6.5-8.4-8.6-11.4-7.6C-11.6-3.6-9.4-.2-6.2 1C-9 2-9.6 4.4-8.4 6.6"
_VEIL += "C-5 6.6-2.6 4-1.6 1.6Z"
_FLAME = "M0-11C3-6 8-3 7.4 3.4C7 8-2 13-6.4 6.4C-8.6 2-5.6-1-4.4-3.6C-3.2-1.8-2.6-1-1.4-.6"
_FLAME += "C-2.4-4.4-1.6-8 0-11Z"
_FIRE = "M-3.2-1.4C-6.4-5-2.2-7-2.4-11C1-9.4 1.2-7.4 1.8-6.4C2.4-7 2.4-7.6 2.6-8.6"
_FIRE += "C5.6-5.8 5-3.2 3.2-1.4Q0 1-3.2-1.4Z"
_ANIMAL = "M-9-3C-6-6 3-6 5-4L6-6.4L8-4.4C10.4-4 11.4-1.6 11 .4L8.4 1.2C8 3 7 3.8 6 4.2V8.4"
_ANIMAL += "H3V5H-4V8.4H-7V4C-9.4 2.6-10-.8-9-3Z"
_WAVES = "M-9.6-2.6C-6-7-3.6-7 0-2.6S6 1.8 9.6-2.6M-9.6 4.4C-6 0-3.6 0 0 4.4S6 8.8 9.6 4.4"

GLYPHS: dict[str, str] = {
    "disc": _disc(0, 0, 7.5),
    "square": _shape("M-7-7H7V7H-7Z"),
    "diamond": _shape("M0-9L8 0L0 9L-8 0Z"),
    "ring": '<circle r="6.5" fill="none" stroke="A" stroke-width="3.6"/>',
    "star": _shape("M0-10L2.7-3.6L9.6-3.1L4.3 1.4L6 8.1L0 4.5L-6 8.1L-4.3 1.4L-9.6-3.1L-2.7-3.6Z"),
    "crest": _shape("M-8-9C-5-8-2-8.6 0-10C2-8.6 5-8 8-9C8.6-1 7 6 0 10.5C-7 6-8.6-1-8-9Z")
    + _fair("M0-7V7.4M-5.8-1.6H5.8"),
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
    "burning-peak": _shape("M-11 10L-4.2-2.4Q0 .8 4.2-2.4L11 10Z", "#6b5a52")
    + _shape(_FIRE)
    + _shape("M-1.4.2Q0 1 1.6.1L3 6.4L1.2 5L-.4 9L-1.6 4.4L-3 5.6Z"),
    "spiral": '<path d="M.4.6C-1.6 1.6-3.4-.6-2.2-2.8C-.6-5.4 4-4.6 5-.8C6.2 3.8 1.6 7.6-2.8 6.4'
    'C-8 5-9.6-1.4-6.8-5.8C-4.6-9.2-.4-10.4 3.4-9.4" fill="none" stroke="A" stroke-width="3"'
    ' stroke-linecap="round"/>',
    "crown": _shape("M-9.5-6L-4.6-1.2L0-9L4.6-1.2L9.5-6L7.6 6.6H-7.6Z") + _fair("M-6 3.6H6"),
    "crowned-person": _shape(_BODY)
    + _disc(0, -5.2, 3.9)
    + _shape("M-4.4-7.8L-4.8-12.4L-2-10.4L0-13.4L2-10.4L4.8-12.4L4.4-7.8Z", "#f4d35e"),
    "winged-beast": _shape(_WING)
    + f'<g transform="scale(-1 1)">{_shape(_WING)}</g>'
    + _shape(_BEAST)
    + _shape(_HEAD)
    + '<circle cx="-1.5" cy="-6.8" r=".8" fill="C"/><circle cx="1.5" cy="-6.8" r=".8" fill="C"/>',
    "winged-person": _shape(_VEIL, "C")
    + f'<g transform="scale(-1 1)">{_shape(_VEIL, "C")}</g>'
    + _shape("M-2.4-3C-3.4 1-4.6 6-5.6 11H5.6C4.6 6 3.4 1 2.4-3Z")
    + _disc(0, -6, 3.5),
    "person": _shape(_BODY) + _disc(0, -5.6, 4.5),
    "large-person": f'<g transform="scale(1.22)">{_shape(_BODY) + _disc(0, -5.6, 4.5)}</g>',
    "robed-person": _shape("M-3-2C-5 2-7.4 7-8.4 11H8.4C7.4 7 5 2 3-2Z")
    + _shape("M0-12L4.4-6.4L3.4-2H-3.4L-4.4-6.4Z")
    + _fair("M0-1V8M-2.6 2H2.6"),
    "hatted-person": _shape(_BODY)
    + _disc(0, -5, 4)
    + _shape("M-7.6-6.6H7.6L4.4-8.4L3.6-11.4H-3.6L-4.4-8.4Z"),
    "sashed-person": _shape(_BODY)
    + _disc(0, -5.6, 4.5)
    + _fair("M-3.8-.2C-3.2 3.4-1.6 5 0 5C1.6 5 3.2 3.4 3.8-.2")
    + _disc(0, 5.6, 1.9, "#f4d35e"),
    "staff-person": _shape(_BODY)
    + _disc(0, -5.6, 4.5)
    + '<path d="M7.4 11V-6C7.4-11.4 13-10.6 12-6.4" fill="none" stroke="B" stroke-width="2"/>',
    "animal": _shape(_ANIMAL),
    "chest": _shape("M-9.6-1.6C-9.6-8-6-8.6 0-8.6S9.6-8 9.6-1.6Z")
    + _shape("M-9.6-1.6H9.6V8H-9.6Z")
    + _shape("M-2.2-3H2.2V2.6H-2.2Z", "C"),
    "coins": _disc(-4, 3.6, 5) + _disc(4.4, 3.6, 5) + _disc(0.2, -4, 5) + _fair("M.2-6V-2"),
    "house": _shape("M-6.6-1.4V8H6.6V-1.4", "C") + _shape("M-9-.6L0-9L9-.6Z") + _thin("M0 8V3.4"),
    "house-with-cross": _shape("M-11.4 9.6V-.2L-4-4.6L3 -.2V9.6Z", "C")
    + _shape("M-12.4.6L-4.4-5.6L3.4.6Z")
    + _shape("M2.4 9.6V-3L6.4-6.6L10.4-3V9.6Z", "C")
    + _shape("M1.2-2.4L6.4-8.2L11.6-2.4Z")
    + _thin("M6.4-8.2V-12.4M4.4-10.8H8.4")
    + _shape("M-6.2 9.6V5.6C-6.2 3.4-2.4 3.4-2.4 5.6V9.6Z", "B")
    + _thin("M6.4.4V3.2"),
    "hall": _shape("M-10 9V-2L-6.4-7L0-10L6.4-7L10-2V9Z")
    + _shape("M-4.4 9V.6H4.4V9Z", "C")
    + _thin("M-4.4 9L4.4 .6M-4.4 .6L4.4 9"),
    "fort": _shape("M-9 9V-7H-5.4V-4H-1.8V-7H1.8V-4H5.4V-7H9V9Z") + _fair("M0 9V3"),
    "stall": _shape("M-8-1V9H8V-1", "C")
    + _shape("M-10.4-.6L-7.4-8.4H7.4L10.4-.6Q6.9 3.4 3.5-.6Q0 3.4-3.5-.6Q-6.9 3.4-10.4-.6Z")
    + _fair("M-3.5-.6L-2.5-8.4M3.5-.6L2.5-8.4")
    + _thin("M-8 5.2H8"),
    "arch": _shape("M-9.6 9V-2C-9.6-12 9.6-12 9.6-2V9H4.6V-1C4.6-5.6-4.6-5.6-4.6-1V9Z"),
    "wheel": _disc(0, 0, 8.4, "C") + _thin("M0-8.4V8.4M-8.4 0H8.4M-6-6L6 6M-6 6L6-6"),
    "cart": _shape("M-9.4-2C-9.4-10.6 9.4-10.6 9.4-2Z", "C")
    + _thin("M-3.4-8V-2M3.4-8V-2")
    + _shape("M-11-2H11L9 5H-9Z")
    + _disc(-5.4, 6.6, 3.6, "C")
    + _disc(5.4, 6.6, 3.6, "C"),
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
    body = GLYPHS.get(name, GLYPHS["disc"])
    for mark, ink in (("A", colour), ("B", dark), ("C", light)):
        body = body.replace(f'"{mark}"', f'"{ink}"')
    rotate = f" rotate({number(turn)})" if turn else ""
    x, y = at
    place = f"translate({number(x)} {number(y)}){rotate} scale({number(size / 24)})"
    return f'<g transform="{place}">{body}</g>'
