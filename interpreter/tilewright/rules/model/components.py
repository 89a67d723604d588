"""Components and tiles: the content of components.yaml and tiles.yaml."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from tilewright.language.source.identity import KeepsResults
from tilewright.language.source.text import OWNER, Span
from tilewright.language.source.yaml.nodes import YMap
from tilewright.rules.model.references import Combine, Labels, Reference


class Completion(StrEnum):
    """When a feature of a kind is complete."""

    CLOSED = "closed"
    SURROUNDED = "surrounded"
    FLANKED = "flanked"
    NEVER = "never"


class Reach(StrEnum):
    """Which part of a tile's edge a segment of a kind takes."""

    SIDE = "side"
    CENTRE = "centre"
    HALVES = "halves"
    INSIDE = "inside"


# `with_`, here and below: rulesets or roles that must be in the game, too.


@dataclass(frozen=True, slots=True)
class AttributeDecl:
    """A number printed on segments of a kind; `combine` joins the numbers of a feature."""

    id: str
    combine: Combine
    label: Labels
    symbol: str  # name of a glyph of the renderer, or ""
    span: Span
    is_landmark: bool = False  # drawn large, as a part of the land


@dataclass(frozen=True, slots=True)
class FeatureKind(KeepsResults):
    """A kind of feature, with its attributes and the condition of its completion.

    `colour` and `finished` are those of its ground while it is open and once it is complete. An
    empty text, and a `width` of 0, depend on its reach.
    """

    id: str
    label: Labels
    reach: Reach
    completes: Completion
    attributes: tuple[AttributeDecl, ...]
    colour: str
    outline: str
    glyph: str
    from_symbol: str  # tiles with this symbol carry a segment of this kind, or ""
    span: Span
    finished: str = ""
    edge: str = ""  # its line inside a tile: wall, hedge, bank, none
    fill: str = ""  # the things on its ground: houses, trees, waves, none
    width: int = 0  # of a way, where a tile has 100
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """An attribute that a ruleset adds to a kind of feature which may be another ruleset's."""

    on: str
    attribute: AttributeDecl
    entry: YMap | None = field(default=None, compare=False, repr=False)

    @property
    def id(self) -> str:
        """The id of the attribute."""
        return self.attribute.id

    @property
    def span(self) -> Span:
        """The place of the attribute."""
        return self.attribute.span


#: of a symbol that is only printed
NO_COVER = ("", "")


@dataclass(frozen=True, slots=True)
class SymbolDecl(KeepsResults):
    """A mark printed on a tile or on a segment of it."""

    id: str
    label: Labels
    glyph: str
    colour: str
    span: Span
    with_: tuple[Reference, ...] = ()
    is_landmark: bool = False  # drawn large, as a part of the land
    #: what it lies over when it covers a tile: the edge at both of its ends, and what this edge is
    #: from then on
    covers: tuple[str, str] = NO_COVER
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FigureKind(KeepsResults):
    """A kind of figure. `count` is per player, or the total for a figure without an owner.

    `in_all` names the value with the total number for all players, or is "" when it is not
    limited. `like` names a figure whose roles it may take as well, or is ""; `roles` names single
    roles that it may take.
    """

    id: str
    label: Labels
    owned: bool
    count: int
    in_all: str
    like: str
    traits: tuple[str, ...]
    carries: tuple[str, ...]  # facing, companion
    glyph: str
    colour: str
    span: Span
    with_: tuple[Reference, ...] = ()
    roles: tuple[str, ...] = ()
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Role(KeepsResults):
    """The role of some figure kinds on features of a kind, with its labels."""

    id: str
    label: Labels
    figures: tuple[str, ...]
    on: str
    posture: str  # `standing` or `lying`
    statements: tuple[str, ...]
    span: Span
    with_: tuple[Reference, ...] = ()
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TokenDecl(KeepsResults):
    """A kind of token: identical and counted, from one common supply."""

    id: str
    label: Labels
    count: int
    traits: tuple[str, ...]
    glyph: str
    colour: str
    span: Span
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ItemDecl(KeepsResults):
    """A kind of component that lies in stacks and is drawn: a card, a chip, a side of a die."""

    id: str
    label: Labels
    count: int
    stack: str
    numbers: tuple[tuple[str, int], ...]
    glyph: str
    colour: str
    span: Span
    with_: tuple[Reference, ...] = ()
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class StackDecl(KeepsResults):
    """A named pile of pieces or of items.

    `holds` is `tiles` for the stack that all tiles start in, and `items` for stacks of items.

    Every player has a copy of an `owned` stack. A draw from an `in_order` stack takes the piece
    that has been in it longest; otherwise the draw is random.
    """

    id: str
    label: Labels
    holds: str
    hidden: bool
    owned: bool
    in_order: bool
    span: Span
    with_: tuple[Reference, ...] = ()
    entry: YMap | None = field(default=None, compare=False, repr=False)


# ------------------------------------------------------------------ tiles.yaml


@dataclass(frozen=True, slots=True)
class Segment:
    """A part printed on one tile. `ports` are numbers 0 to 11, clockwise from the left end of the
    north edge (see `tilewright.rules.model.geometry`)."""

    id: str
    kind: str
    at: tuple[str, ...]
    ports: tuple[int, ...]
    borders: tuple[str, ...]  # ids of segments of this tile that it touches
    ends: tuple[str, ...]  # things that end it inside the tile, for drawing
    attributes: tuple[tuple[str, int], ...]
    symbols: tuple[str, ...]
    inside: str  # id of the segment that encloses it, or ""
    span: Span
    loose: int = 0  # ends inside the tile that only `join` closes
    entry: YMap | None = field(default=None, compare=False, repr=False)


#: an edge that fits every other one; nothing is printed there, and what meets it ends
ANY_EDGE = "any"
#: between the two names of an edge whose halves show different kinds, clockwise
HALF_MARK = "/"
_OWNED_HALVES = re.compile(rf"(\w+(?:{OWNER})?)/?(.*)")


def edge_halves(edge: str) -> tuple[str, str]:
    """The kinds on the two halves of an edge, clockwise: twice the same unless it has two names."""
    first, _, second = edge.partition(HALF_MARK)
    if (found := _OWNED_HALVES.fullmatch(edge) if " of " in edge else None) is not None:
        first, second = found.groups()
    return first, second or first


def facing_edge(edge: str) -> str:
    """The edge that joins this one: its halves come the other way round."""
    first, second = edge_halves(edge)
    return edge if first == second else second + HALF_MARK + first


@dataclass(frozen=True, slots=True)
class TileFace(KeepsResults):
    """One cell of a piece, as printed, north up."""

    x: int
    y: int
    edges: tuple[str, str, str, str]  # names of kinds, `a/b` for two halves, or `ANY_EDGE`
    segments: tuple[Segment, ...]
    symbols: tuple[str, ...]
    crosses: str  # over, under: how its ways cross others; "" when they cross none
    span: Span
    #: symbols that point somewhere, with their headings, 0 to 7 clockwise from the north
    arrows: tuple[tuple[str, int], ...] = ()
    entry: YMap | None = field(default=None, compare=False, repr=False)

    @property
    def fits_everything(self) -> bool:
        """Whether each of its edges fits every other one."""
        return all(edge == ANY_EDGE for edge in self.edges)

    def turned_arrows(self, quarters: int) -> tuple[tuple[str, int], ...]:
        """The arrows after the tile is turned clockwise by `quarters` quarter turns."""
        return tuple((name, (heading + 2 * quarters) % 8) for name, heading in self.arrows)


@dataclass(frozen=True, slots=True)
class Cover(KeepsResults):
    """How a piece is covered: the piece beneath, the symbol that covers it, and the way it lies.

    `side` is 0 when it lies from north to south on the printed piece, and 1 from east to west.
    """

    piece: str
    symbol: str
    side: int


@dataclass(frozen=True, slots=True)
class PieceKind(KeepsResults):
    """The tiles laid in one go: usually one face of one cell.

    `faces` holds one tuple of cells for each side that may lie up (two for a two-sided piece).
    """

    id: str
    count: int
    faces: tuple[tuple[TileFace, ...], ...]
    stack: str
    letter: str
    when: tuple[tuple[str, str], ...]  # option values under which it is in the game
    note: str
    span: Span
    with_: tuple[Reference, ...] = ()
    enclosed: bool = False  # laid only where tiles lie on all four sides
    cover: Cover | None = None  # for a piece that is another one under a cover
    entry: YMap | None = field(default=None, compare=False, repr=False)
