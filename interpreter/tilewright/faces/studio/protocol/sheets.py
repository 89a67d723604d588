"""Messages of drawings: pieces, figures, tokens and seats of a game, and pictures of a match."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from tilewright.faces.studio.protocol.common import Labelled, Name
from tilewright.faces.studio.protocol.matches import MatchName


class SheetRequest(TypedDict):
    """The drawings of a game, or those of some of its pieces."""

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
    """A cell of a face: steps to the east and to the north of the first one, and the names of its
    drawings for no, one, two and three clockwise quarter turns."""

    x: int
    y: int
    drawings: list[str]
    spots: list[SheetSpot]
    words: str


class SheetPiece(TypedDict):
    """A piece: for each face its cells."""

    label: str
    count: int
    faces: list[list[SheetCell]]


class SheetFigure(TypedDict):
    """The names of the drawings of a kind of figure. Those of owned figures use `currentColor` for
    the colour of their owner; `colour` is that of a kind without owner. `facing` is the mark of a
    figure that looks to the north."""

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
    """A seat: its label and its colour."""

    colour: str


class Sheet(TypedDict):
    """Everything that is needed to draw boards of a game.

    `svg` is one picture with `symbol` elements: tiles have the view box 0 0 100 100, all others
    -50 -50 100 100, in the same units. `colours` are custom properties that the tiles use, with
    their values in light and in dark mode."""

    game: str
    hash: str
    svg: str
    pieces: dict[str, SheetPiece]
    figures: dict[str, SheetFigure]
    tokens: dict[str, SheetToken]
    items: dict[str, SheetItem]
    seats: list[SheetSeat]
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
