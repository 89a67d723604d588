"""Events of a match as data: one for every change, with ids and a text.

A listener receives every event, also hidden draws: it is not a player. Events come in the order in
which the rules make the changes; points are reported before they are added.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from tilewright.faces.api.options import Cell, Option, option_at
from tilewright.play.board.board import xy_of
from tilewright.play.board.relaying import seen_piece
from tilewright.play.match import Match
from tilewright.play.notation import (
    OTHER_FACE,
    figure_id,
    first_segment,
    seat_name,
    segment_text,
    spot_text,
    value_text,
)
from tilewright.rules.model.geometry import SIDES, cell_name
from tilewright.tools.explanation.score_log import Award, award_of


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a match. `turn` is the number of the turn, 0 in the setup."""

    turn: int
    _words: ClassVar[str]

    @property
    def text(self) -> str:
        """The event in a few words."""
        return self._words.format(self)


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """A player's turn begins."""

    player: str

    _words = "turn {0.turn}: {0.player}"


@dataclass(frozen=True, slots=True)
class FinalScoringBegan(Event):
    """The turns are over."""

    _words = "the final scoring begins"


@dataclass(frozen=True, slots=True)
class MatchEnded(Event):
    """The match is over."""

    _words = "the match is over"


@dataclass(frozen=True, slots=True)
class Chosen(Event):
    """A player has chosen an option; the events of its effects follow."""

    player: str
    step: str
    option: Option

    _words = "{0.player}: {0.option.text}"


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """Chance has given a piece out of a stack, or a member of a set; `stack` is then empty."""

    piece: str
    stack: str

    @property
    def text(self) -> str:
        """The event in a few words."""
        return f"{self.piece} is drawn" + (f" from {self.stack}" if self.stack else "")


@dataclass(frozen=True, slots=True)
class Stacked(Event):
    """A piece comes into a stack."""

    piece: str
    stack: str

    _words = "{0.piece} goes to {0.stack}"


@dataclass(frozen=True, slots=True)
class Laid(Event):
    """A piece comes on the board; `rotation` and `face` are those of an `Option`."""

    piece: str
    cell: Cell
    rotation: int
    face: int

    @property
    def text(self) -> str:
        """The event in a few words."""
        where = f"{cell_name(*self.cell)} {SIDES[self.rotation]}"
        return f"{self.piece} {where}" + (f" {OTHER_FACE}" if self.face else "")


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A figure moves to a place: `2,-1/c1`, `2,-1`, `front of red`, `beside pile`.

    `beside` is the figure next to it, if any.
    """

    figure: str
    place: str
    beside: str | None = None

    @property
    def text(self) -> str:
        """The event in a few words."""
        with_ = f", beside {self.beside}" if self.beside else ""
        return f"{self.figure} to {self.place}{with_}"


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """A figure goes home to its owner, or off the board."""

    figure: str

    _words = "{0.figure} goes home"


@dataclass(frozen=True, slots=True)
class Faced(Event):
    """A figure looks in a direction: N, E, S or W."""

    figure: str
    direction: str

    _words = "{0.figure} faces {0.direction}"


@dataclass(frozen=True, slots=True)
class TokenGiven(Event):
    """A player gets a token out of the common supply."""

    token: str
    player: str

    _words = "{0.player} gets {0.token}"


@dataclass(frozen=True, slots=True)
class TokenSpent(Event):
    """A player puts a token back into the common supply."""

    token: str
    player: str

    _words = "{0.player} gives back {0.token}"


@dataclass(frozen=True, slots=True)
class Exchanged(Event):
    """Two players exchange all that they have. Their points change without an award."""

    players: tuple[str, str]

    _words = "{0.players[0]} and {0.players[1]} exchange all that they have"


@dataclass(frozen=True, slots=True)
class Covered(Event):
    """A cover, named by its symbol, is laid over the tile at `cell` from one side to the other."""

    cover: str
    cell: tuple[int, int]
    sides: tuple[str, str]

    _words = "{0.cover} over {0.cell[0]},{0.cell[1]} from {0.sides[0]} to {0.sides[1]}"


@dataclass(frozen=True, slots=True)
class Relaid(Event):
    """Laid tiles change: one is lifted, rotated, hidden, revealed or replaced by the second, two
    are swapped, or one is laid face down.

    `cells` are where the tiles of `pieces` lie now; a lifted one lay there. The piece of a tile
    that lies face down is empty.
    """

    how: str
    pieces: tuple[str, ...]
    cells: tuple[tuple[int, int], ...]

    @property
    def text(self) -> str:
        """The event in a few words."""
        places = (
            f"{n or 'a tile'} at {x},{y}" for n, (x, y) in zip(self.pieces, self.cells, strict=True)
        )
        return f"{self.how}: {', '.join(places)}"


@dataclass(frozen=True, slots=True)
class Joined(Event):
    """Two segments become one feature, without touching: `cell/name` each."""

    segments: tuple[str, str]

    _words = "{0.segments[0]} and {0.segments[1]} are joined"


@dataclass(frozen=True, slots=True)
class Parted(Event):
    """Two segments are joined no more: `cell/name` each."""

    segments: tuple[str, str]

    _words = "{0.segments[0]} and {0.segments[1]} are parted"


@dataclass(frozen=True, slots=True)
class Recast(Event):
    """A feature becomes another kind: its first segment as `cell/name`, and the kind."""

    segment: str
    kind: str

    _words = "{0.segment} becomes a {0.kind}"


@dataclass(frozen=True, slots=True)
class AwardItem:
    """One item of an award: its points and the rule that grants them.

    `name` is the word used in scenarios, `label` the text for people. `counted` has the numbers
    that the rule read, by their source text.
    """

    name: str
    label: str
    points: int
    rule: str
    counted: dict[str, int]


@dataclass(frozen=True, slots=True)
class Awarded(Event):
    """A player gets points: by which rule, at which step, for which feature, and what for."""

    player: str
    points: int
    rule: str
    step: str
    feature: str | None
    items: tuple[AwardItem, ...]

    @property
    def text(self) -> str:
        """The event in a few words."""
        shown = [item for item in self.items if item.points] or list(self.items[:1])
        what = " + ".join(f"{item.label} {item.points}" for item in shown)
        return f"{self.player} gets {self.points} = {what}"


def event_of(match: Match, name: str, facts: tuple[Any, ...]) -> Event | None:
    """A runtime notification as data; None for notifications that are only counted."""
    read = _READERS.get(name)
    return None if read is None else read(match, match.turn, *facts)


def awarded(match: Match, award: Award) -> Awarded:
    """An award of the ledger as an event."""
    items = tuple(
        AwardItem(item.name, item.called("en"), item.points, item.rule, dict(item.facts))
        for item in award.items
    )
    player = seat_name(match, award.player)
    feature = award.feature or None
    return Awarded(award.turn, player, award.points, award.rule, award.step, feature, items)


def _choice(m: Match, turn: int, player: int, index: int, _: Any) -> Event:
    return Chosen(turn, seat_name(m, player), m.step, option_at(m, index))


def _laid(m: Match, turn: int, piece: int, cell: int, layout: int) -> Event:
    face, north = m.board.shapes.spelled(piece, layout)
    return Laid(turn, _piece(m, piece), xy_of(cell), SIDES.index(north), face)


def _moved(m: Match, turn: int, figure: int, other: int | None = None) -> Event:
    beside = None if other is None else figure_id(m, other)
    return Moved(turn, figure_id(m, figure), spot_text(m, figure), beside)


def _award(
    m: Match, turn: int, points: int, player: int, feature: int | None, site: int, held: Any
) -> Event:
    return awarded(m, award_of(m, (points, player, feature, site, held)))


def _pair(m: Match, one: int, other: int) -> tuple[str, str]:
    return segment_text(m, one), segment_text(m, other)


def _piece(m: Match, piece: int) -> str:
    return m.program.game.stacked[piece].id


def _stack(m: Match, stack: int) -> str:
    return m.program.game.stacks[stack].id


def _token(m: Match, token: int) -> str:
    return m.program.game.tokens[token].id


def _covered(m: Match, turn: int, tile: int, symbol: int, side: int) -> Covered:
    name = m.program.game.symbols[symbol].id
    cell = xy_of(m.board.tile_cell[tile])
    return Covered(turn, name, cell, (SIDES[side], SIDES[side + 2]))


def _relaid(how: str, m: Match, turn: int, *facts: int) -> Relaid:
    tiles = facts[:2] if how in ("swap", "replace") else facts[:1]
    seen = (seen_piece(m.board, tile) for tile in tiles)
    pieces = tuple("" if piece is None else _piece(m, piece) for piece in seen)
    return Relaid(turn, how, pieces, tuple(xy_of(m.board.tile_cell[tile]) for tile in tiles))


_READERS: dict[str, Callable[..., Event]] = {
    "turn": lambda m, turn, player: TurnBegan(turn, seat_name(m, player)),
    "final": lambda m, turn: FinalScoringBegan(turn),
    "over": lambda m, turn: MatchEnded(turn),
    "choice": _choice,
    "draw": lambda m, turn, stack, piece: Drawn(turn, _piece(m, piece), _stack(m, stack)),
    "draw member": lambda m, turn, type_, member: Drawn(turn, value_text(m, type_, member), ""),
    "put": lambda m, turn, piece, stack: Stacked(turn, _piece(m, piece), _stack(m, stack)),
    "lay": _laid,
    "move": _moved,
    "home": lambda m, turn, figure: Returned(turn, figure_id(m, figure)),
    "hand": lambda m, turn, figure, _: _moved(m, turn, figure),
    "beside": lambda m, turn, figure, _: _moved(m, turn, figure),
    "attach": _moved,
    "face": lambda m, turn, figure, side: Faced(turn, figure_id(m, figure), SIDES[side]),
    "give": lambda m, turn, token, who: TokenGiven(turn, _token(m, token), seat_name(m, who)),
    "spend": lambda m, turn, token, who: TokenSpent(turn, _token(m, token), seat_name(m, who)),
    "exchange": lambda m, turn, one, other: Exchanged(
        turn, (seat_name(m, one), seat_name(m, other))
    ),
    "cover": _covered,
    "join": lambda m, turn, *pair: Joined(turn, _pair(m, *pair)),
    "part": lambda m, turn, *pair: Parted(turn, _pair(m, *pair)),
    "recast": lambda m, turn, feature, kind: Recast(
        turn, segment_text(m, first_segment(m, feature)), m.board.shapes.kind_ids[kind]
    ),
    **{
        how: partial(_relaid, how)
        for how in ("lift", "rotate", "swap", "replace", "hide", "reveal", "conceal")
    },
    "award": _award,
}
