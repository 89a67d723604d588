"""Options as data: each with its text and its parts.

Texts and parts are built when they are read, so counting the options is cheap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from tilewright.faces.api.errors import NotOfferedError
from tilewright.language.types import Type
from tilewright.play.board.board import xy_of
from tilewright.play.match import Match
from tilewright.play.notation import (
    PASS,
    figure_id,
    numbered_option_text,
    option_value,
    place_on_board,
    seat_name,
    value_text,
)
from tilewright.rules.model.geometry import SIDES

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Option:
    """One option. A part that does not apply is None.

    `index` is its number among the options, from zero. `verb` is the act (`lay`, `pass`).
    `rotation` counts clockwise quarter turns of the printed piece, and `face` is 1 where a piece of
    two sides lies turned over. `segment` is the id of the segment on its tile, in `cell`. `target`
    is the text of any other choice: a player, a feature, a stack.
    """

    index: int
    text: str
    verb: str
    cell: Cell | None = None
    rotation: int | None = None
    face: int | None = None
    piece: str | None = None
    segment: str | None = None
    figure: str | None = None
    token: str | None = None
    item: str | None = None
    number: int | None = None
    target: str | None = None

    @property
    def is_pass(self) -> bool:
        """Whether it is to do nothing."""
        return self.verb == PASS

    def __str__(self) -> str:
        return self.text


class Options(Sequence[Option]):
    """The options of one decision; `in` accepts options and their texts.

    Raises NotOfferedError when it is read after the decision was made.
    """

    __slots__ = ("_at", "_match")

    def __init__(self, match: Match) -> None:
        self._match = match
        self._at = len(match.log)

    def _now(self) -> Match:
        if len(self._match.log) != self._at:
            raise NotOfferedError("these are the options of a decision that has been made")
        return self._match

    def __len__(self) -> int:
        match = self._now()
        return match.count if match.to_move >= 0 else 0

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Option, ...]: ...
    def __getitem__(self, index: int | slice) -> Option | tuple[Option, ...]:
        found = range(len(self))[index]
        if isinstance(found, range):
            return tuple(option_at(self._match, k) for k in found)
        return option_at(self._match, found)

    def __iter__(self) -> Iterator[Option]:
        return (option_at(self._match, k) for k in range(len(self)))

    def __contains__(self, option: object) -> bool:
        if isinstance(option, str):
            return " ".join(option.split()) in self.texts
        if isinstance(option, Option):
            return option.index < len(self) and self[option.index] == option
        return False

    @property
    def texts(self) -> tuple[str, ...]:
        """One line for each option; a pass, where there is one, is the last."""
        match = self._now()
        count = len(self)
        return tuple(numbered_option_text(match, k) for k in range(count))

    def __repr__(self) -> str:
        shown = ", ".join(self.texts[:8])
        more = len(self) - 8
        return f"<options: {shown}{f' and {more} more' if more > 0 else ''}>"


def option_at(match: Match, index: int) -> Option:
    """The option of a number, from zero. Raises IndexError for any other number."""
    text = numbered_option_text(match, index)
    if match.optional and index == match.count - 1:
        return Option(index, text, PASS)
    value = option_value(match, index)
    site = match.program.sites[match.decision_site]
    found: dict[str, Any] = {}
    for type_, part in site.parts(value):
        for name, what in _parts(match, type_, part):
            # where two parts have one name, the part that is chosen first keeps it, the other is
            # the target
            found["target" if name in found else name] = (
                value_text(match, type_, part, match.to_move) if name in found else what
            )
    return Option(index, text, site.verb(value), **found)


def _parts(match: Match, type_: Type, value: Any) -> Iterator[tuple[str, Any]]:
    """The parts of an option that a value of the rules fills, by name."""
    match type_.base:
        case "placement":
            cell, layout = value
            face, north = match.board.shapes.spelled(match.piece, layout)
            yield "piece", match.program.game.pieces[match.piece].id
            yield from (("cell", xy_of(cell)), ("rotation", SIDES.index(north)), ("face", face))
        case "print" | "segment" | "tile" | "cell":
            place = place_on_board(match, type_.base, value)
            assert place is not None
            yield "cell", xy_of(place[0])
            if place[1] is not None:
                yield "segment", place[1]
        case "figure":
            yield "figure", figure_id(match, value)
        case "piece":
            yield "piece", match.program.game.pieces[value].id
        case "item":
            yield "item", match.program.game.stacked[value].id
        case "token":
            yield "token", match.program.game.tokens[value].id
        case "number":
            yield "number", int(value)
        case "direction":
            yield "rotation", int(value)
        case "player":
            yield "target", seat_name(match, value)
        case _:
            yield "target", value_text(match, type_, value, match.to_move)
