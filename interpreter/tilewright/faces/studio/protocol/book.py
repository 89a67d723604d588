"""Messages of the book: statements with their rules and scenarios, and scenarios step by step."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from tilewright.faces.studio.protocol.common import Labelled
from tilewright.faces.studio.protocol.table import BoardState


class BookRequest(TypedDict):
    """A ruleset."""

    id: str


class BookRule(TypedDict):
    """A rule as it is written, and in words."""

    id: str
    kind: str
    hook: str
    text: str
    says: str
    file: str
    line: int


class BookStatement(TypedDict):
    """A statement: where it is printed, whose reading it is, what carries it out and proves it.

    `language` is set where it is not the language of the page. `note` has the reason why no
    rule carries it out. `rules` and `scenarios` are ids."""

    id: str
    text: str
    language: NotRequired[str]
    authority: str
    sources: list[str]
    note: str
    rules: list[str]
    scenarios: list[str]


class BookTopic(Labelled):
    """The statements on one topic."""

    statements: list[BookStatement]


class BookGroup(Labelled):
    """Topics under one heading."""

    topics: list[BookTopic]


class BookScenario(TypedDict):
    """A scenario, for lists; `choices` are its lines that choose."""

    id: str
    says: str
    choices: int


class BookVariant(TypedDict):
    """A ruleset that builds on this one."""

    id: str
    title: str


class BookQuestion(TypedDict):
    """A question that a rulebook leaves open: an option with its readings, or why it is settled."""

    asks: str
    statement: str
    settled: str
    option: str
    readings: list[str]
    default: str


class BookTile(Labelled):
    """A tile of the ruleset: a picture (SVG), what is printed on it, and how many there are."""

    count: int
    picture: str


class BookTiles(TypedDict):
    """The tiles of a ruleset."""

    tiles: list[BookTile]


class BookQuestions(TypedDict):
    """The open questions of a ruleset."""

    questions: list[BookQuestion]


class RuleSheetRequest(TypedDict):
    """Rulesets that are joined by `+`."""

    game: str


class RuleSheetSentence(TypedDict):
    """A sentence of a sheet; `lead` is there where it no longer holds, `note` has the reason.

    `language` is set where it is not the language of the page."""

    text: str
    language: NotRequired[str]
    lead: str
    note: str


class RuleSheetParagraph(TypedDict):
    """Sentences behind what they are about."""

    head: str
    sentences: list[RuleSheetSentence]


class RuleSheetRow(TypedDict):
    """A line of a table."""

    name: str
    text: str


class RuleSheetPart(Labelled):
    """A part of a sheet under its heading; `inner` is a part of the one before it."""

    inner: bool
    paragraphs: list[RuleSheetParagraph]
    rows: list[RuleSheetRow]
    notes: list[str]


class RuleSheet(TypedDict):
    """The rules of a game in the order of a turn."""

    title: str
    parts: list[RuleSheetPart]


class Book(TypedDict):
    """A ruleset to be read. `house` are house rules and editions that build on it; `tiles` and
    `questions` are their numbers."""

    id: str
    title: str
    note: str
    groups: list[BookGroup]
    rules: list[BookRule]
    scenarios: list[BookScenario]
    tiles: int
    questions: int
    house: list[BookVariant]


class BookSearch(TypedDict):
    """Words to look for in the statements of some books, or of all."""

    words: str
    among: NotRequired[list[str]]


class BookHit(TypedDict):
    """A statement in which all words occur."""

    ruleset: str
    title: str
    topic: str
    label: str
    text: str


class BookHits(TypedDict):
    """The first hits, and how many there are."""

    hits: list[BookHit]
    count: int
    waiting: int


class ScenarioRequest(TypedDict):
    """A scenario of a ruleset."""

    ruleset: str
    id: str


class ExpectedItem(TypedDict):
    """An expectation: `kind` names its sentence in the words of the page, `names` fill it."""

    kind: str
    names: dict[str, str]


class ScenarioStep(TypedDict):
    """A choice with what is expected after it. `found` has the facts found instead.

    The first step is the position: it has neither a seat nor words."""

    seat: str
    colour: str
    words: str
    notation: str
    expected: list[ExpectedItem]
    found: list[str]
    ok: bool
    gains: list[str]
    board: BoardState
    points: dict[str, int]
    decides: str
    digest: str


class ScenarioPlay(TypedDict):
    """A scenario step by step. `fails` is what the game must be refused with.

    `game` and `options` are those of its drawings."""

    id: str
    ruleset: str
    says: str
    game: str
    options: dict[str, str]
    covers: list[str]
    statements: list[str]
    steps: list[ScenarioStep]
    ok: bool
    fails: str
    problems: list[str]
    digest: str


class NumbersRequest(TypedDict):
    """A house rule or any game."""

    game: str


class NumberRow(TypedDict):
    """A named value: what it is, and what it was before the changes of the game's own ruleset."""

    id: str
    says: str
    value: str
    before: str
    ruleset: str


class NumberRows(TypedDict):
    """The named values of a game, the changed ones first."""

    values: list[NumberRow]
