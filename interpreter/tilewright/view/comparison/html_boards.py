"""The boards of a page: each is shown once, with the row that it shows best, and linked elsewhere.

Witnesses describe the results of boards; this module only draws and places them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tilewright.rules.model.geometry import turned
from tilewright.rules.model.ruleset import Segment
from tilewright.view.board.glyphs import HIDDEN
from tilewright.view.board.scene import Scene
from tilewright.view.page.drawings import Sheet
from tilewright.view.results.comparison import (
    Comparison,
    ComponentRow,
    RuleRow,
    Side,
    StepRow,
    TileRow,
    TopicRow,
    ValueRow,
)
from tilewright.view.results.divergence import Row, Witness, Witnesses, keyed_rows

#: with which row a board is shown that shows several
_FIRST: tuple[type[Row], ...] = (TopicRow, ValueRow, ComponentRow, StepRow, TileRow, RuleRow)
#: the boards of a witness: at the start, and at the end on both sides; None where there is none
Scenes = tuple[Scene | None, Scene | None, Scene | None]


@dataclass(frozen=True, slots=True)
class Boards:
    """Witnesses of two sides, with the boards of each, by its number."""

    witnesses: Witnesses
    scenes: Mapping[int, Scenes]
    spoken: Mapping[int, Mapping[str, str]]  # its options and steps in words


@dataclass(frozen=True, slots=True)
class Shown:
    """A board shown with a row."""

    anchor: str
    witness: Witness
    sides: tuple[int, int]
    start: Markup
    pictures: tuple[Markup, Markup]
    is_one_board: bool
    says: tuple[str, str]  # the text of a scenario, on the side where it passes
    spoken: Mapping[str, str]
    elsewhere: str = ""

    def differs(self, *names: str) -> bool:
        """Whether the endings differ in any of these."""
        one, other = self.witness.sides
        return any(getattr(one, name) != getattr(other, name) for name in names)

    def differs_in(self, side: int, name: str, key: str) -> bool:
        """Whether the endings differ in one thing."""
        mine, theirs = (dict(getattr(self.witness.sides[i], name)) for i in (side, 1 - side))
        return mine.get(key) != theirs.get(key)


@dataclass(frozen=True, slots=True)
class BoardReference:
    """A board shown with another row: its anchor, and the name of that row."""

    elsewhere: str
    name: str


class Table:
    """The boards of one page, by row."""

    def __init__(
        self,
        comparison: Comparison,
        boards: Sequence[Boards],
        sheet: Sheet,
        name: Callable[[Row], str],
        title: Callable[[int | None, Witness], str],
    ) -> None:
        self._sheet, self._name, self._title = sheet, name, title
        self._sides = comparison.sides
        self._found: dict[str, list[Shown | BoardReference]] = {}
        rows = dict(keyed_rows(comparison))
        for each in boards:
            self._put(each, rows)

    def of(self, key: str) -> list[Shown | BoardReference]:
        """The boards of a row, by its key."""
        return self._found.get(key, [])

    def _put(self, boards: Boards, rows: Mapping[str, Row]) -> None:
        found = boards.witnesses
        served: dict[int, list[str]] = {}
        for key, number in found.by_row.items():
            if key in rows:
                served.setdefault(number, []).append(key)
        for number, keys in served.items():
            keys.sort(key=lambda key: _FIRST.index(type(rows[key])))
            home, *others = keys
            row = rows[home]
            anchor = f"board-{found.left}-{found.right}-{number + 1}"
            shown = self._shown(boards, number, anchor)
            self._found.setdefault(home, []).append(shown)
            name = self._name(row)
            for key in others:
                self._found.setdefault(key, []).append(BoardReference(anchor, name))

    def _shown(self, boards: Boards, number: int, anchor: str) -> Shown:
        found = boards.witnesses
        witness, sides = found.witnesses[number], (found.left, found.right)
        start, *ends = boards.scenes.get(number, (None, None, None))
        first = self._picture(start, self._title(None, witness))
        is_one = _is_one(*ends)
        if is_one and not _ghosts(ends[0]):  # then it shows what the other side alone offers
            ends = [ends[1], ends[1]]
        one, other = (
            self._picture(scene, self._title(side, witness))
            for side, scene in zip(sides, ends, strict=True)
        )
        says = says_by_side(witness, (self._sides[sides[0]], self._sides[sides[1]]))
        spoken = boards.spoken[number]
        return Shown(anchor, witness, sides, first, (one, other), is_one, says, spoken)

    def _picture(self, scene: Scene | None, title: str) -> Markup:
        return Markup("" if scene is None else self._sheet.board(scene, title))


def says_by_side(witness: Witness, sides: tuple[Side, Side]) -> tuple[str, str]:
    """The sentence of a scenario, beside the side whose ruleset has it.

    Where both sides have that ruleset, it is true of the one that has nothing else.
    """
    home = witness.source.partition(":")[0]
    books = [set(side.own) | set(side.beneath) for side in sides]
    one, other = (home in book for book in books)
    if one and other:
        one, other = books[0] < books[1], books[1] < books[0]
    return (witness.says if one else "", witness.says if other else "")


def _is_one(one: Scene | None, other: Scene | None) -> bool:
    """Whether two boards look equal, independent of the names of tiles and segments, so that one
    picture can show the options of both.
    """
    if one is None or other is None or _looks(one) != _looks(other):
        return False
    return not (_ghosts(one) and _ghosts(other)) or _ghosts(one) == _ghosts(other)


def _ghosts(scene: Scene | None) -> tuple[object, ...]:
    """The drawn options."""
    return () if scene is None else (*scene.highlights, *scene.spots)


def _looks(scene: Scene) -> tuple[object, ...]:
    tiles = {
        (tile.x, tile.y): (
            sorted(name for name in tile.face.symbols if _is_seen(name, scene)),
            sorted(
                (part.kind, _ports(part, tile.turn), part.attributes, part.symbols)
                for part in tile.face.segments
            ),
        )
        for tile in scene.tiles
    }
    places = {
        (tile.x, tile.y, part.id): (part.kind, _ports(part, tile.turn))
        for tile in scene.tiles
        for part in tile.face.segments
    }
    figures = sorted(
        (f.x, f.y, f.kind.id, f.colour, f.posture, str(f.facing),
         str(places.get((f.x, f.y, f.segment or ""))))
        for f in scene.figures
    )  # fmt: skip
    return tiles, figures, scene.scores


def _is_seen(symbol: str, scene: Scene) -> bool:
    return symbol not in scene.symbols or scene.symbols[symbol].glyph != HIDDEN


def _ports(part: Segment, turn: int) -> list[int]:
    return sorted(turned(port, turn) for port in part.ports)
