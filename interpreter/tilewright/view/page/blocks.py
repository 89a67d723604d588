"""The model of a page: blocks that are composed once and written in each form.

A block has no layout. A part that only some forms show has `where`: a flag for each form and
length. A writer gets the parts of its own form from `shown`, and needs no other condition.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Literal, NamedTuple, Protocol, TypeVar, assert_never

from tilewright.view.board.scene import Scene
from tilewright.view.results.comparison import TilePair, Verdict


class Length(Enum):
    """How much of a page is shown: a sheet of paper, what differs, or all there is."""

    BRIEF = auto()
    USUAL = auto()
    FULL = auto()


class Where(Flag):
    """The forms of a page, each in the lengths that it has."""

    TERMINAL_BRIEF = auto()
    TERMINAL_USUAL = auto()
    TERMINAL_FULL = auto()
    MARKDOWN_BRIEF = auto()
    MARKDOWN_USUAL = auto()
    MARKDOWN_FULL = auto()
    HTML = auto()
    STUDIO = auto()

    TERMINAL = TERMINAL_BRIEF | TERMINAL_USUAL | TERMINAL_FULL
    MARKDOWN = MARKDOWN_BRIEF | MARKDOWN_USUAL | MARKDOWN_FULL
    BRIEF = TERMINAL_BRIEF | MARKDOWN_BRIEF
    USUAL = TERMINAL_USUAL | MARKDOWN_USUAL
    FULL = TERMINAL_FULL | MARKDOWN_FULL
    TEXT = TERMINAL | MARKDOWN
    EVERYWHERE = TEXT | HTML | STUDIO


EVERYWHERE, NOWHERE = Where.EVERYWHERE, Where(0)


class Placed(Protocol):
    """A part of a page that some forms may lack."""

    @property
    def where(self) -> Where:
        """The forms that have it."""


_P = TypeVar("_P", bound=Placed)


def shown(parts: Iterable[_P], here: Where) -> list[_P]:
    """The parts that a form has."""
    return [part for part in parts if here in part.where]


# ------------------------------------------------------------------ lines


class Run(NamedTuple):
    """A piece of text, and whether its words are marked."""

    text: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a cell or beside a name; `kind` decides how a form sets it.

    A `step` has its number and its name, a `component` its number, its name and its facts.
    """

    kind: str
    runs: tuple[Run, ...]
    where: Where = EVERYWHERE
    language: str = ""

    @property
    def text(self) -> str:
        """The words alone."""
        return "".join(run.text for run in self.runs)


def line(kind: str, *texts: str, where: Where = EVERYWHERE) -> Line:
    """A line of runs without marks."""
    return Line(kind, tuple(map(Run, texts)), where)


def said(*lines: Line) -> tuple[Line, ...]:
    """The lines that have a text."""
    return tuple(each for each in lines if each.text)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a ruleset. `lead` stands before one that holds no more (`Not here`).

    `cited` are its sources as a text, `authority` is whose reading it is where not a rulebook's;
    `notes` say why it has no effect. `kind` is `says`, or `documented` for a difference that
    a rulebook describes.
    """

    kind: str
    id: str
    text: str
    language: str
    cited: str
    sources: tuple[str, ...]  # tags
    authority: str = ""
    lead: str = ""
    is_idle: bool = False
    notes: tuple[Line, ...] = ()
    where: Where = EVERYWHERE

    def plain(self, here: Where) -> str:
        """The whole text, for a form without styles."""
        notes = "; ".join(note.text for note in shown(self.notes, here))
        return f"{self.lead}{self.text} {self.cited}{f' ({notes})' if notes else ''}".strip()


@dataclass(frozen=True, slots=True)
class Carried:
    """The ids of the statements, rules and values of a topic on one side."""

    statements: tuple[str, ...]
    rules: tuple[str, ...]
    values: tuple[tuple[str, str], ...]


# ------------------------------------------------------------------ rows


@dataclass(frozen=True, slots=True)
class Part:
    """A part of what makes two sides equal."""

    value: Hashable
    where: Where = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Cell:
    """One side of a row. Sides with equal keys are one where they are below one another."""

    lines: tuple[Line | Statement, ...]
    key: tuple[Part, ...] = ()
    carried: Carried | None = None


@dataclass(frozen=True, slots=True)
class BoardEnd:
    """How a board ends on a side: its results in sentences.

    `says` is the sentence of its scenario, on the side where it passes; `points` are those of
    players where any differ, and whether these do.
    """

    side: int
    says: str
    results: tuple[str, ...]
    points: tuple[tuple[str, int, bool], ...]
    scene: Scene | None


@dataclass(frozen=True, slots=True)
class Played:
    """A draw or a choice in words, and what it is about: the tile, or the land around its place."""

    says: str
    scene: Scene | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A board on which two sides differ: what lies there, what is played, and both ends.

    `name` is what it shows, `home` the key of the row that shows it, `beside` are figures
    that are not on it; `is_one`: both ends look equal.
    """

    number: int
    name: str
    home: str
    says: str
    source: str
    setup: tuple[str, ...]
    beside: tuple[str, ...]
    play: tuple[Played, ...]
    ends: tuple[BoardEnd, ...]
    start: Scene | None
    is_one: bool
    where: Where = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Row:
    """A thing that is compared, with a cell for each side that has it.

    `key` is its name among all rows, `anchor` that in a page; `under` is a heading above it and
    the rows after it, `says` how it differs in words; `leads` are sentences about all sides.
    """

    key: str
    anchor: str
    verdict: Verdict
    sign: str
    name: str
    cells: tuple[Cell | None, ...]
    id: str = ""
    is_unnamed: bool = False
    is_idle: bool = False
    under: str = ""
    says: str = ""
    why: tuple[Line, ...] = ()
    leads: tuple[Statement, ...] = ()
    notes: tuple[Line, ...] = ()
    boards: tuple[Board, ...] = ()
    sides: tuple[int, int] = (0, 1)
    pairs: tuple[TilePair, ...] = ()
    where: Where = EVERYWHERE

    @property
    def first(self) -> Cell:
        """The cell of the first side that has one."""
        return next(cell for cell in self.cells if cell is not None)


Look = Literal[
    "answers", "steps", "texts", "short", "values", "code", "tiles", "times", "numbers", "changes"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with a column for each side. `head` names what the rows are, `caption` all of them.

    `look` is what their cells hold: answers in a few words, steps of a turn, texts, short things,
    values, code, tiles, texts of one time each, numbers, or changes of a text. `folded` is a title
    under which a form may fold the rows away; `is_split`: each row has one side alone; `listed` is
    a title over rows that are lines without columns.
    """

    look: Look
    rows: tuple[Row, ...]
    head: str = ""
    caption: str = ""
    folded: str = ""
    listed: str = ""
    is_split: bool = False
    where: Where = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Names:
    """Things without details under a title; many of those that `may_count` are only counted."""

    title: str
    names: tuple[str, ...]
    may_count: bool = True
    where: Where = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Notes:
    """Lines of text, each on its own."""

    lines: tuple[Line, ...]
    where: Where = EVERYWHERE


class Share(NamedTuple):
    """The number of rows of one kind: its sign and name over a column, and beside a number."""

    kind: str
    number: int
    sign: str
    title: str
    says: str


@dataclass(frozen=True, slots=True)
class Bar:
    """The rows of one part: how many differ, of how many, and the share of each kind."""

    key: str
    name: str
    differing: int
    total: int
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """How many rows of each part differ, and how."""

    bars: tuple[Bar, ...]
    where: Where = EVERYWHERE

    def table(self) -> tuple[list[Share], list[tuple[str, list[int]]]]:
        """The heads of the kinds that have rows, and for each part its name and its numbers."""
        kinds = zip(*(bar.shares for bar in self.bars), strict=True)
        columns = [shares for shares in kinds if any(share.number for share in shares)]
        rows = [
            (bar.name, [shares[place].number for shares in columns])
            for place, bar in enumerate(self.bars)
        ]
        return [shares[0] for shares in columns], rows


@dataclass(frozen=True, slots=True)
class Answer:
    """A line of the summary: what it is about, and a few words for each side that has some.

    `topic` is that of its row, or the id of a value or a rule.
    """

    topic: str
    heading: str
    aspect: str
    cells: tuple[Line | None, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """The lines of a summary, under headings."""

    groups: tuple[tuple[str, tuple[Answer, ...]], ...]
    where: Where = EVERYWHERE


@dataclass(frozen=True, slots=True)
class SideHead:
    """One of the sides. `letter` is what its cells are marked with, `options` are those chosen."""

    letter: str
    name: str
    title: str
    facts: tuple[Line, ...]
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """The compared things, under the title of the page."""

    title: str
    sides: tuple[SideHead, ...]
    where: Where = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Title:
    """The title of a page, with its games marked; `games` have a letter where there are several."""

    runs: tuple[Run, ...]
    games: tuple[tuple[str, str], ...] = ()
    where: Where = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing as SVG; texts have none."""

    svg: str
    where: Where = ~Where.TEXT


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences that follow one another, behind what they are about."""

    head: str
    lines: tuple[Line | Statement, ...]
    where: Where = EVERYWHERE


class TileCount(NamedTuple):
    """A tile: how many there are, its name, and its picture as SVG where the form has pictures."""

    number: int
    name: str
    picture: str


@dataclass(frozen=True, slots=True)
class Tiles:
    """The tiles of a box under a title."""

    title: str
    kinds: tuple[TileCount, ...]
    where: Where = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page under a heading, or a group in one; `is_topic`: its key is shown, too.

    `count` is how many of its rows differ, and `bar` how; `is_folded`: a form that can fold shows
    the heading alone at first. Forms of `bare` have the heading also where nothing follows.
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
    count: int = 0
    bar: Bar | None = None
    is_group: bool = False
    is_topic: bool = False
    is_folded: bool = False
    bare: Where = NOWHERE
    where: Where = EVERYWHERE


Block = (
    Title | Sides | Answers | Table | Names | Notes | Counted | Drawing | Board | Section
    | Paragraph | Tiles
)  # fmt: skip


def content(blocks: Iterable[Block], here: Where) -> list[Block]:
    """The blocks that have something to show in a form."""
    return [block for block in shown(blocks, here) if _has_content(block, here)]


def tables(blocks: Iterable[Block], here: Where) -> list[Table]:
    """The tables of a form, also those inside of groups and sections."""
    found: list[Table] = []
    for block in content(blocks, here):
        if isinstance(block, Table):
            found.append(block)
        elif isinstance(block, Section):
            found += tables(block.blocks, here)
    return found


def _has_content(block: Block, here: Where) -> bool:
    match block:
        case Table(rows=rows):
            return bool(shown(rows, here))
        case Notes(lines=lines) | Paragraph(lines=lines):
            return bool(shown(lines, here))
        case Section(blocks=blocks):
            return here in block.bare or bool(content(blocks, here))
        case Title() | Drawing() | Board():
            return True
        case Sides(sides=parts) | Answers(groups=parts) | Names(names=parts) | Counted(bars=parts):
            return bool(parts)
        case Tiles(kinds=kinds):
            return bool(kinds)
    assert_never(block)
