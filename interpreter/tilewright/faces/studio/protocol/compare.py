"""Messages of comparisons: the answer first, topics and boards on request, and histories."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from tilewright.faces.studio.protocol.common import Labelled, TopicRow

RowState = Literal["same", "beside", "reworded", "differs", "moved", "only"]


class Run(TypedDict):
    """A part of a sentence; `key` are its important words."""

    text: str
    key: NotRequired[bool]


class Sentence(TypedDict):
    """A sentence in runs, and its language where it is not that of the page."""

    runs: list[Run]
    language: NotRequired[str]


class GamesRequest(TypedDict):
    """Two games or more, each as rulesets joined by `+`, with `?option=value`."""

    games: list[str]


class SideHead(TypedDict):
    """A side: its game, its title, and its edition and years in words."""

    game: str
    title: str
    note: str


class EditRun(TypedDict):
    """A part of an edited text."""

    text: str
    change: Literal["kept", "struck", "inserted"]


class Edit(TypedDict):
    """The text of the first of two sides, and how it is edited to become that of the second."""

    printed: str
    runs: list[EditRun]
    language: NotRequired[str]


class AnswerLine(TypedDict):
    """A line of the answer: what it is about, and a sentence for each side that has one.

    `row` is the key for a board, `group` that of its group of topics. `edit` is there for two
    sides, where one has a text of its own."""

    row: str
    group: str
    aspect: str
    cells: list[Sentence | None]
    edit: NotRequired[Edit]


class AnswerGroup(TypedDict):
    """Lines under one heading."""

    heading: str
    lines: list[AnswerLine]


class TileChange(TypedDict):
    """One kind of change of tiles: in words, with up to four pairs of pictures (SVG).

    `side` is the number of the side that is held against the first one."""

    side: int
    text: str
    count: int
    pairs: list[list[str]]


class TurnCell(TypedDict):
    """A step of the turn on one side, with the decisions that are made in it."""

    label: str
    notes: list[str]


class TurnRow(TypedDict):
    """A step on all sides; `phase` is the label of its part of the game, `why` the reason of a
    difference in words. Where there are many, `more` says how many further ones `rest` has."""

    phase: str
    state: RowState
    cells: list[TurnCell | None]
    why: str
    more: str
    rest: str


class TopicCounts(TypedDict):
    """How many topics of a group differ, are on one side only (by side), and are equal."""

    differ: int
    only: list[int]
    alike: int


class GroupHead(Labelled):
    """A group of topics, closed."""

    counts: TopicCounts


class AuthorRow(TypedDict):
    """A value, an option or a rule that differs, with its text on each side."""

    kind: str
    id: str
    label: str
    cells: list[str | None]


class Rest(TypedDict):
    """The number of equal things on all sides."""

    topics: int
    steps: int
    tiles: int


class Answer(TypedDict):
    """A comparison: heads of the sides, the answer, tiles, the turn, groups, what authors want."""

    sides: list[SideHead]
    lines: list[AnswerGroup]
    count: int
    tiles: list[TileChange]
    turn: list[TurnRow]
    groups: list[GroupHead]
    authors: list[AuthorRow]
    rest: Rest


class GroupRequest(GamesRequest):
    """One group of topics of a comparison."""

    group: str


class ToldStatement(TypedDict):
    """A statement on a side: `lead` is `Not here` or the like, `note` why it has no effect."""

    id: str
    sentence: Sentence
    lead: str
    note: str
    sources: list[str]


class CellOfTopic(TypedDict):
    """A side of a topic: statements, differences without a statement, and rules."""

    statements: list[ToldStatement]
    details: list[str]
    carried: str


class RowOfTopic(TypedDict):
    """A topic on all sides; `reasons` are the causes of the difference in words."""

    row: str
    topic: str
    label: str
    state: RowState
    idle: bool
    reasons: str
    differences: list[str]
    cells: list[CellOfTopic | None]


class GroupRows(TypedDict):
    """The rows of a group."""

    group: str
    label: str
    rows: list[RowOfTopic]


class BoardSide(TypedDict):
    """How a board ends on a side: a picture (SVG), and the result in sentences."""

    picture: str
    results: list[str]
    says: str


class PlayedStep(TypedDict):
    """A draw or a choice in words, and a small picture of it, or ""."""

    says: str
    picture: str


class EvidenceBoard(TypedDict):
    """A board on which two games differ: the start, the play, and both ends."""

    start: str
    play: list[PlayedStep]
    sides: list[BoardSide]
    source: str


class BoardList(TypedDict):
    """The boards of two games; `rows` has the number of one for each row that has a board.

    `colours` are custom properties that the pictures use, with their values in light and dark mode,
    and on paper and under strong contrast. `none` is the extent of the search for the others; it is
    empty while that goes on."""

    boards: list[EvidenceBoard]
    rows: dict[str, int]
    colours: dict[str, list[str]]
    none: str


class HistoryRequest(TypedDict):
    """A topic, or the first parts of the names of several."""

    topic: str


class ChapterLine(TypedDict):
    """A sentence of a chapter; `kind` is its subject."""

    kind: str
    text: str


class HistoryChapter(TypedDict):
    """The sentences of one ruleset, and the reasons of differences from the one before."""

    ruleset: str
    title: str
    edition: str
    year: int | None
    before: str
    differs: str
    lines: list[ChapterLine]


class HistoryOfTopic(TypedDict):
    """A topic through the printed editions, and the house rules that touch it."""

    topic: str
    label: str
    printed: list[HistoryChapter]
    house: list[HistoryChapter]


class Histories(TypedDict):
    """The histories of some topics, with the publications that they cite."""

    topics: list[HistoryOfTopic]
    sources: list[str]


class TopicList(TypedDict):
    """All topics that some ruleset speaks of."""

    topics: list[TopicRow]
