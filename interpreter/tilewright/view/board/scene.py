"""A scene as plain data: tiles in place, figures on them, open cells, a score strip.

Callers fill a `Scene` from a match, a scenario or one tile; the drawing modules beside this one
read it. Nothing here depends on a running match, and nothing is looked up: colours, glyphs and
labels are in the declarations of a ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.rules.model.ruleset import (
    FeatureKind,
    FigureKind,
    ItemDecl,
    SymbolDecl,
    TileFace,
    TokenDecl,
)
from tilewright.view.board.tile_state import OPEN, TileState


@dataclass(frozen=True, slots=True)
class TilePicture:
    """A tile's face on a cell, with its number of clockwise quarter turns."""

    face: TileFace
    turn: int
    x: int
    y: int
    piece: str = ""
    state: TileState = OPEN


@dataclass(frozen=True, slots=True)
class FigurePicture:
    """A figure on a cell: on a segment of its tile, or on the tile as a whole.

    `colour` and `owner`, a label, are empty for a figure that nobody owns; `facing` is a side of
    the board, 0 to 3 for north, east, south, west. `mark` is what pages of text show: a letter of
    the kind and one of the owner, each different from those of other kinds and owners.
    """

    kind: FigureKind
    colour: str
    x: int
    y: int
    segment: str | None = None
    posture: str = "standing"
    facing: int | None = None
    label: str = ""
    owner: str = ""
    mark: str = ""
    seat: int | None = None  # the owner's number, for the sign on the figure


@dataclass(frozen=True, slots=True)
class TokenPicture:
    """Some tokens of a kind on a cell: on a segment of its tile, or on the tile as a whole."""

    kind: TokenDecl
    count: int
    x: int
    y: int
    segment: str | None = None


@dataclass(frozen=True, slots=True)
class Highlight:
    """A cell to point at, usually one that is open, with a short caption."""

    x: int
    y: int
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on a tile that lies there, which somebody may choose: a segment, or the tile."""

    x: int
    y: int
    segment: str | None = None


@dataclass(frozen=True, slots=True)
class Focus:
    """The subject of one option: cells, places on tiles, and the letters of a figure to place."""

    cells: tuple[tuple[int, int], ...] = ()
    spots: tuple[Spot, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Recent:
    """A cell where something came on the board a moment ago, and the colour of the mover."""

    x: int
    y: int
    colour: str


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A player in the score strip; `store` are the tokens, and the items that everybody sees."""

    name: str
    colour: str
    points: int
    is_active: bool = False
    mark: str = ""
    store: tuple[tuple[TokenDecl | ItemDecl, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything one picture shows; the `focus` is marked in text alone."""

    tiles: tuple[TilePicture, ...]
    figures: tuple[FigurePicture, ...]
    kinds: Mapping[str, FeatureKind]
    symbols: Mapping[str, SymbolDecl]
    highlights: tuple[Highlight, ...] = ()
    title: str = ""
    scores: tuple[ScoreLine, ...] = ()
    language: str = "en"
    spots: tuple[Spot, ...] = ()
    recent: tuple[Recent, ...] = ()
    #: a tile that would be laid, drawn above the board
    ghost: TilePicture | None = None
    focus: Focus | None = None
    tokens: tuple[TokenPicture, ...] = ()
    #: pairs of segments that are one feature without touching
    joins: tuple[tuple[Spot, Spot], ...] = ()

    def cells(self) -> tuple[int, int, int, int]:
        """West, south, east and north end of the cells shown, each inclusive."""
        xs, ys = zip(*self.filled(), strict=True)
        return (min(xs), min(ys), max(xs), max(ys))

    def filled(self) -> list[tuple[int, int]]:
        """The cells with something on them; the origin of an empty board."""
        found = [(each.x, each.y) for each in self.tiles]
        found += [(each.x, each.y) for each in self.highlights]
        found += [(each.x, each.y) for each in self.figures]
        found += [(self.ghost.x, self.ghost.y)] if self.ghost else []
        return found or [(0, 0)]
