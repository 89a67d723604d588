"""A board on which two games play differently, as frozen data, and the rows that it shows.

A witness begins with the same position in both games, goes on with the same draws and choices, and
ends at the first difference. Each side has its own ending and contains the witness as a scenario
that passes under its rules and fails under the other's. Views draw the boards from these scenarios;
this module does not know how a match runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tilewright.view.results.comparison import (
    Comparison,
    ComponentRow,
    RuleRow,
    StepRow,
    TileRow,
    TopicRow,
    ValueRow,
)

Row = TopicRow | StepRow | ComponentRow | TileRow | ValueRow | RuleRow
#: (name, number) or (name, text)
Numbers = tuple[tuple[str, int], ...]
Texts = tuple[tuple[str, str], ...]


class Origin(StrEnum):
    """The origin of a witness."""

    SCENARIO = "scenario"  # one that a ruleset keeps as proof, run under both
    SEARCH = "search"  # games played in step


class Kind(StrEnum):
    """The kind of a difference, the gravest first."""

    REFUSED = "refused"  # one of the games cannot be begun, or cannot go on
    POINTS = "points"
    PLACES = "places"  # figures
    TILES = "tiles"
    TOKENS = "tokens"
    END = "end"  # one game is over, or others have won
    DECISION = "decision"  # somebody else must choose, or at another step, or more is drawn
    OPTIONS = "options"
    STACKS = "stacks"
    VALUES = "values"  # the value of an expression that the scenario evaluates


@dataclass(frozen=True, slots=True)
class Gain:
    """Points that only this side gave. `reason` itemises them: `8 = tiles 6 + marks 2`."""

    player: str
    points: int
    reason: str
    feature: str
    rule: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Barred:
    """An option of the other side that this one does not offer: the rule ("" for none) and why."""

    option: str
    rule: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Ending:
    """The ending on one side. It lists only differences, and always the points and the next player.

    `scenario` is the witness as the text of a file, which passes under this side.
    """

    scenario: str
    points: Numbers = ()  # player, points
    gains: tuple[Gain, ...] = ()
    places: Texts = ()  # figure, where it is
    tiles: tuple[str, ...] = ()  # `piece cell north`, only here
    tokens: Numbers = ()
    stacks: Numbers = ()
    decides: str = ""  # the player to choose now; "" for nobody
    step: str = ""
    offered: tuple[str, ...] = ()  # options of this side alone
    barred: tuple[Barred, ...] = ()
    is_over: bool = False
    winners: tuple[str, ...] = ()  # once it is over
    refusal: str = ""  # why this side cannot begin or go on
    values: Texts = ()  # expression, its value


@dataclass(frozen=True, slots=True)
class Witness:
    """One board. `rows` are the keys of what it shows.

    `board` and `lines` use the words of the first side: tiles as they lie at the start,
    then draws (`draw PIECE`) and choices.
    """

    rows: tuple[str, ...]
    kind: Kind
    origin: Origin
    source: str  # `ruleset: scenario`, or the seed and the number of a game
    says: str  # the sentence of its scenario, or ""
    games: tuple[str, str]
    players: tuple[str, ...]
    board: tuple[str, ...]
    figures: Texts
    lines: tuple[str, ...]
    sides: tuple[Ending, Ending]
    turn: int = 1  # the number of the turn that begins on this board


class Stopped(StrEnum):
    """The reason why a search ended before it was complete."""

    NOT = ""  # it is complete
    TIME = "time limit"
    INTERRUPT = "interrupt"


@dataclass(frozen=True, slots=True)
class SearchEffort:
    """The effort of a search: scenarios run in both games, decisions compared in lockstep."""

    scenarios: int
    games: int
    decisions: int
    stopped: Stopped = Stopped.NOT


@dataclass(frozen=True, slots=True)
class Witnesses:
    """The witnesses of two sides of a comparison, by their numbers from 0.

    `by_row` has the number of a witness for each row that has one; `without` are the keys of rows
    that want one and have none. `parted` is how often a row made two games in lockstep part.
    """

    left: int
    right: int
    witnesses: tuple[Witness, ...]
    by_row: Mapping[str, int]
    without: tuple[str, ...]
    sought: SearchEffort
    parted: Mapping[str, int] = field(default_factory=dict)

    def of(self, row: str) -> Witness | None:
        """The witness of a row, or None."""
        number = self.by_row.get(row)
        return None if number is None else self.witnesses[number]


# ------------------------------------------------------------------ rows by key


def keyed_rows(comparison: Comparison) -> Iterator[tuple[str, Row]]:
    """Every row with a key of its own, which stays the same whatever else is compared."""
    for topic in comparison.topic_rows():
        yield f"topic:{topic.topic}", topic
    for step in comparison.turn:
        yield f"step:{step.phase}/{_id(step)}", step
    for part in comparison.components:
        yield f"part:{part.what}/{_id(part)}", part
    for tiles in comparison.tiles:
        yield f"tiles:{tiles.left}-{tiles.right}/{_change(tiles)}", tiles
    for value in comparison.values:
        yield f"{value.kind}:{value.id}", value
    for rule in comparison.rules:
        kind = next(cell.kind for cell in rule.cells if cell is not None)
        yield f"{kind}:{rule.id}", rule


def _id(row: StepRow | ComponentRow) -> str:
    return next(cell.id for cell in row.cells if cell is not None)


def _change(row: TileRow) -> str:
    marks = [
        *(f"-{mark.id}{'@' * bool(mark.on)}{mark.on}" for mark in row.lost),
        *(f"+{mark.id}{'@' * bool(mark.on)}{mark.on}" for mark in row.gained),
    ]
    if marks:
        return " ".join(marks)
    return "gone" if row.tiles and row.tiles[0].left else "new"
