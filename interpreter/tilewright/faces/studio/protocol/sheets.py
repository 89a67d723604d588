"""Messages of drawings: pieces, figures, tokens and seats of a game, and pictures of a match."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from tilewright.faces.studio.protocol.common import Labelled, Name
from tilewright.faces.studio.protocol.matches import MatchName


class SheetRequest(TypedDict):
    """The drawings of a game, with those of all of its pieces, or of some."""

    game: str
    match: NotRequired[Name]
    options: NotRequired[dict[str, str]]
    pieces: NotRequired[list[str]]


class SheetSpot(TypedDict):
    """The places of a figure on a segment, (u, v) from 0 to 1, for each of the four turns."""

    segment: str
    at: list[list[float]]
    label: str


class SheetCell(TypedDict):
    """A cell of a face: steps to the east and to the north of the first one, the names of its
    drawings for no, one, two and three clockwise quarter turns, and each corner of the tile (0 to
    3, clockwise from the north-west) at which a wall ends, with the number of the segment."""

    x: int
    y: int
    drawings: list[str]
    corners: list[list[int]]
    spots: list[SheetSpot]
    words: str


class SheetPiece(TypedDict):
    """A piece: for each face its cells."""

    label: str
    count: int
    faces: list[list[SheetCell]]


class SheetFigure(TypedDict):
    """The names of the drawings of a kind of figure. Those of owned figures use `currentColor` for
    the colour of their owner, `{sign}` and `{ink}` for his sign; `colour` is that of a kind without
    owner. `facing` is the mark of a figure that looks to the north."""

    label: str
    owned: bool
    colour: str
    standing: str
    lying: str
    facing: str


class SheetToken(TypedDict):
    """A token, and the name of its drawing."""

    label: str
    drawing: str


class SheetItem(SheetToken):
    """A kind of item, and the name of its drawing."""


class SheetSeat(Labelled):
    """A seat: its label, its colour, its sign: a path that differs from those of others, and its
    colour, and the dashes of its lines, which differ too."""

    colour: str
    sign: str
    ink: str
    dashes: str


class Sheet(TypedDict):
    """Everything that is needed to draw boards of a game.

    `svg` is one picture with `symbol` elements: tiles have a view box a little larger than their
    100 units, all others -50 -50 100 100, in the same units. A drawing has all of its states:
    `{3?a|b}` is `b` if segment number 3 is finished, `{far?a|b}` on a small tile, `near` is a
    large one, `{o3}` and `{p3}` are the colours of the owners of segment 3, `{d3}` and `{i3}` the
    dashes and the ink of the first; a group with `data-if="!far 3"` is there if all conditions
    hold, `k3` for a segment with an owner, `t3` for one in the tint `{t3}`. `bastion` is the turret
    at a corner where walls meet; all of them there are finished: `0`; its flags, in the colours
    `{o0}` and `{o1}`: `k0` and `k1`. `colours` are custom properties that the tiles use, with their
    values in light and in dark mode, and on paper and under strong contrast."""

    game: str
    hash: str
    svg: str
    pieces: dict[str, SheetPiece]
    figures: dict[str, SheetFigure]
    tokens: dict[str, SheetToken]
    items: dict[str, SheetItem]
    seats: list[SheetSeat]
    bastion: str
    colours: dict[str, list[str]]
    landmarks: list[str]


class Picture(MatchName):
    """A picture of the board."""

    form: NotRequired[Literal["svg", "png"]]
    size: NotRequired[int]


class PictureFile(TypedDict):
    """A picture: SVG as text, PNG in base64."""

    name: str
    form: Literal["svg", "png"]
    data: str
