"""The boards on which games differ, as blocks: composed once, for every form.

Each is shown once, with the row that it shows best, and referred to elsewhere. Their results in
words are in `witness.py`; the writers draw them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tilewright.language.locale.words import Words
from tilewright.rules.model.geometry import turned
from tilewright.rules.model.ruleset import Segment
from tilewright.view.board.glyphs import HIDDEN
from tilewright.view.board.scene import Scene
from tilewright.view.comparison.witness import ending_lines, source_line
from tilewright.view.page import blocks as b
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


@dataclass(frozen=True, slots=True)
class Scenes:
    """The start of a board (None where the game begins with setup), its end on each side, for each
    side the places, options and steps at the end in words, and what is played.
    """

    before: Scene | None = None
    sides: tuple[Scene | None, Scene | None] = (None, None)
    spoken: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {})
    play: tuple[b.Played, ...] = ()


Draw = Callable[[Witness], Scenes]


class Boards:
    """The boards of a comparison, numbered from 1, and by row."""

    def __init__(
        self,
        comparison: Comparison,
        found: Sequence[Witnesses],
        words: Words,
        draw: Draw | None = None,
    ) -> None:
        self.all: list[b.Board] = []
        self._of: dict[str, list[b.Board]] = {}
        rows = dict(keyed_rows(comparison)) if found else {}
        for group in found:
            sides = comparison.sides[group.left], comparison.sides[group.right]
            for place, witness in enumerate(group.witnesses):
                keys = [key for key, one in group.by_row.items() if one == place and key in rows]
                keys.sort(key=lambda key: _FIRST.index(type(rows[key])))
                number, places = len(self.all) + 1, (group.left, group.right)
                scenes = Scenes() if draw is None else draw(witness)
                made = compose_board(
                    witness, words, scenes, sides, places, number=number, home=(*keys, "")[0]
                )
                self.all.append(made)
                for key in keys:
                    self._of.setdefault(key, []).append(made)

    def of(self, key: str) -> tuple[b.Board, ...]:
        """The boards of a row, by its key: one for every pair of sides on which it shows."""
        return tuple(self._of.get(key, ()))


def compose_board(
    witness: Witness,
    words: Words,
    scenes: Scenes,
    sides: tuple[Side, Side] | None = None,
    places: tuple[int, int] = (0, 1),
    *,
    number: int = 0,
    home: str = "",
) -> b.Board:
    """The block of a witness of two `sides`, which have `places` among all."""
    one, other = witness.sides
    drawn = scenes.sides
    is_one = _is_one(*drawn)
    if is_one and not _ghosts(drawn[0]):  # then it shows what the other side alone offers
        drawn = drawn[1], drawn[1]
    says = (witness.says, "") if sides is None else _says_by_side(witness, sides)
    has_points = one.points != other.points
    ends = (
        b.BoardEnd(
            places[k],
            says[k],
            tuple(ending_lines(witness, k, words.language, scenes.spoken[k])),
            tuple((name, n, dict(mine.points).get(name) != dict(theirs.points).get(name))
                  for name, n in mine.points if has_points),
            drawn[k],
        )
        for k, (mine, theirs) in enumerate(((one, other), (other, one)))
    )  # fmt: skip
    return b.Board(
        number,
        ", ".join(key.replace(":", " ", 1) for key in witness.rows),
        home,
        witness.says,
        source_line(witness, words.language),
        (*witness.board, *(f"{name} {place}" for name, place in witness.figures)),
        tuple(f"{name}  {place}" for name, place in witness.figures if "/" not in place),
        scenes.play or tuple(map(b.Played, witness.lines)),
        tuple(ends),
        scenes.before,
        is_one,
    )


def _says_by_side(witness: Witness, sides: tuple[Side, Side]) -> tuple[str, str]:
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
