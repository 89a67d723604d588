"""A comparison as one self-contained web page: readable without script, no other files.

The templates in `templates` lay the page out; this module and those beside it prepare the content.
The script only searches and filters.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from tilewright.locale.words import Words
from tilewright.model.ruleset import Labels
from tilewright.render.comparison import phrases
from tilewright.render.comparison.first_lines import first_lines
from tilewright.render.comparison.html_boards import BoardReference, Boards, Shown, Table
from tilewright.render.comparison.html_counts import Part, differing, parts_of, section_of
from tilewright.render.comparison.html_rows import Anchors, marked, marked_code
from tilewright.render.comparison.html_tiles import Look, Sheet
from tilewright.render.comparison.lapsed import RepeatedCell, without_repetitions
from tilewright.render.comparison.palette import COLOURS, style_sheet
from tilewright.render.comparison.summary import Count, count_topics, counts
from tilewright.render.comparison.witness import ending_lines, none_line, source_line
from tilewright.render.page.blocks import Answer, Run
from tilewright.results.comparison import (
    Comparison,
    ComponentRow,
    Documented,
    RuleCell,
    RuleRow,
    ShownStatement,
    Side,
    SourceTag,
    State,
    StepRow,
    TilePair,
    TileRow,
    TopicCell,
    TopicGroup,
    TopicRow,
    ValueRow,
    Verdict,
)
from tilewright.results.divergence import Row, Witness

#: how far a tile of the right side is turned to lie as its like on the left: quarter turns
Turns = Mapping[tuple[int, TilePair], int]
_R = TypeVar("_R", bound=Row)
#: how many sides have a colour of their own
_SIDES = sum(name.startswith("s") and name[1:].isdigit() for name in COLOURS)


def as_html(
    comparison: Comparison,
    looks: Sequence[Look],
    turns: Turns | None = None,
    *,
    boards: Sequence[Boards] = (),
    language: str = "en",
) -> str:
    """The page; `looks` are what each side's tiles are drawn from, `boards` show its rows."""
    page = Page(comparison, looks, turns or {}, boards, language)
    body = environment().get_template("body.html").render(p=page, c=comparison, w=page.words)
    drawings, colours = page.sheet.drawings()
    style, script = style_sheet(colours) + part_text("page.css"), part_text("page.js")
    return (
        environment()
        .get_template("page.html")
        .render(
            p=page,
            c=comparison,
            w=page.words,
            style=Markup(style),
            script=Markup(script),
            policy=policy(style, script),
            drawings=Markup(drawings),
            body=Markup(body),
        )
    )


@cache
def environment() -> Environment:
    """The template environment; everything is escaped."""
    return Environment(
        loader=PackageLoader("tilewright.render", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )


@cache
def part_text(name: str) -> str:
    """A file of `templates`, without what is there for its readers only."""
    text = resources.files("tilewright.render").joinpath("templates", name).read_text("utf-8")
    return re.sub(r"(?m)^\s+", "", text)


def policy(style: str, script: str) -> str:
    """The content security policy of the page: its own style and script, and nothing else."""
    texts = {"style-src": style, "script-src": script}
    hashes = {
        name: b64encode(sha256(text.encode()).digest()).decode() for name, text in texts.items()
    }
    own = "; ".join(f"{name} 'sha256-{digest}'" for name, digest in hashes.items())
    return f"default-src 'none'; {own}; img-src data:; base-uri 'none'; form-action 'none'"


class Page:
    """The data of the templates: words, names, anchors and pictures of one comparison."""

    def __init__(
        self,
        comparison: Comparison,
        looks: Sequence[Look],
        turns: Turns,
        boards: Sequence[Boards],
        language: str,
    ) -> None:
        self.c = comparison
        self.words = Words(language)
        self.language = self.words.language
        self.names = phrases.side_names(comparison)
        self.short_names = phrases.short_names(comparison)
        self.topics = phrases.TopicNames(comparison, self.words)
        self.letters = phrases.letters(len(self.names))
        self.labels = {named.id: named.label for named in comparison.labels}
        self.sheet = Sheet()
        self.anchors = Anchors(comparison)
        self.phrases = phrases
        self.counts = counts(comparison)
        self.section_of, self.differing = section_of, differing
        self._looks, self._turns = looks, turns
        self._all_boards = boards
        self._boards = Table(comparison, boards, self)

    # -------------------------------------------------------------- names

    @property
    def title(self) -> str:
        """The titles of all sides, each once."""
        names = [self.side_title(side) for side in range(len(self.c.sides))]
        return self.words.listed(list(dict.fromkeys(names)))

    def side_title(self, side: int) -> str:
        """The title of a side, of a later one without what the first one's has too."""
        parts, *others = (self.label(each.title).split(" + ") for each in self.c.sides)
        if not side:
            return " + ".join(parts)
        own = [part for part in others[side - 1] if part not in parts]
        return " + ".join(own or others[side - 1])

    def label(self, label: Labels, otherwise: str = "") -> str:
        """A label in the language of the page."""
        return label.get(self.language) or otherwise

    def colour(self, side: int) -> str:
        """The class of a side."""
        return f"s{side % _SIDES}"

    def language_of(self, label: Labels) -> str:
        """The language in which a label is there, for what falls back to English."""
        return self.language if dict(label.texts).get(self.language) else "en"

    def sentence(self, text: str) -> str:
        """A text that begins with a capital letter."""
        return text[:1].upper() + text[1:]

    def breakable(self, id_: str) -> Markup:
        """An id that may be broken between its words."""
        return Markup("_<wbr>").join(id_.split("_"))

    def ticked(self, text: str) -> Markup:
        """A text of the program, with backticks as code."""
        parts = text.split("`")
        codes = (Markup("<code>{}</code>").format(part) if i % 2 else escape(part)
                 for i, part in enumerate(parts))  # fmt: skip
        return Markup("").join(codes)

    def heading(self, key: str) -> str:
        """The heading of a section, without what explains it."""
        return self.words(f"comparison.heading.{key}").split(",")[0]

    def sections(self) -> list[tuple[str, str, int]]:
        """The sections there are: anchor, heading, how many rows are not the same."""
        rows: dict[str, Sequence[Row]] = {
            "turn": self.c.turn,
            "topics": tuple(self.c.topic_rows()),
            "tiles": self.c.tiles,
            "components": self.c.components,
            "values": self.c.values,
            "rules": self.c.rules,
        }
        found = [] if self.c.is_part else [("summary", self.heading("summary"), 0)]
        for key, there in rows.items():
            if there:
                counted = self.differing_topics() if key == "topics" else there
                count = sum(not row.verdict.is_same for row in counted)
                found.append((key, self.heading(key), count))
        return [*found, *([("sources", self.heading("sources"), 0)] if self.sources() else [])]

    def sources(self) -> list[SourceTag]:
        """All publications that a side cites, by number."""
        found = {tag.tag: tag for side in self.c.sides for tag in side.sources}
        return [found[tag] for tag in sorted(found, key=int)]

    # -------------------------------------------------------------- topics

    def short(self, topic: str) -> str:
        """The name of a topic under the heading of its group."""
        here = self.topics.here(topic)
        return here if self.topics.has(topic) else _words_of(here)

    def whole(self, topic: str) -> str:
        """The name of a topic with its heading."""
        return self.topics.alone(topic) if self.topics.has(topic) else _words_of(topic)

    def parted(self) -> list[tuple[TopicGroup, list[TopicRow], list[TopicRow], list[TopicRow]]]:
        """Each group with its rows that differ, those of one side with an effect, and the rest."""
        return [(group, *phrases.parted(group)) for group in self.c.topics]

    def differing_topics(self) -> list[TopicRow]:
        """The topics with an effect on the board."""
        return [row for _, differ, alone, _ in self.parted() for row in differ + alone]

    def state_of(self, verdict: Verdict, cells: Sequence[object | None]) -> str:
        """How the cells of a row compare; for several sides, which have it."""
        if verdict.state is State.ONLY and len(cells) > 2:
            return phrases.where_only(cells, self.letters, self.words)
        return self.words(f"comparison.state.{verdict.state.value}")

    def idle_groups(self) -> list[tuple[str, str, list[tuple[TopicGroup, list[TopicRow]]]]]:
        """Groups without an effect on the board, and groups without a difference."""
        idle = [(group, rest) for group, differ, alone, rest in self.parted() if not differ + alone]
        same = [each for each in idle if self.is_same(each[1])]
        rest = [each for each in idle if not self.is_same(each[1])]
        parts = [
            ("rest", self.words("html.rest"), rest),
            ("same", self.words("html.everything_alike"), same),
        ]
        return [part for part in parts if part[2]]

    def spoken(self, statement: ShownStatement | Documented) -> tuple[str, str]:
        """The text of a statement with its language: the reader's own where available."""
        translated = dict(statement.translations).get(self.language)
        return (translated, self.language) if translated else (statement.says, "en")

    def leads(self, row: TopicRow) -> list[ShownStatement | Documented]:
        """The texts that describe the difference itself, shown above the sides."""
        cells = [cell for cell in row.cells if cell is not None]
        compared = [s for cell in cells for s in cell.statements if s.carried == "compares"]
        found: list[ShownStatement | Documented] = [*phrases.differences(row), *compared]
        return list({one.id: one for one in found}.values())

    def marked_says(self, row: TopicRow) -> list[list[Run] | None]:
        """One sentence a side, with what differs marked; none where a side has several."""
        texts = []
        for cell, like, _ in self.again(row):
            statements = [s for s in cell.statements if s.carried != "compares"] if cell else []
            statements = statements if like < 0 else []
            texts.append(self.spoken(statements[0])[0] if len(statements) == 1 else "")
        return [runs if text else None for text, runs in zip(texts, marked(texts), strict=True)]

    def again(self, row: TopicRow) -> list[tuple[TopicCell | None, int, str]]:
        """The cells of a row, each with the earlier side that has the same statements, or -1: then
        only new statements are in the cell, with a link to the earlier one.
        """
        found = without_repetitions(row.cells)
        return [
            (
                x.more,
                x.side,
                self.sentence(self.words(f"comparison.like.{x.key}", game=self.letters[x.side])),
            )
            if isinstance(x, RepeatedCell)
            else (x, -1, "")
            for x in found
        ]

    # -------------------------------------------------------------- in short

    def firsts(self) -> list[tuple[str, tuple[Answer, ...]]]:
        """The summary lines, under headings."""
        return first_lines(self.c, self.words)

    def side_facts(self, side: Side) -> str:
        """Edition and year of a side, and its name where titles are equal."""
        facts = [
            self.words("comparison.edition", editions=", ".join(map(self.sentence, side.editions)))
        ]
        facts += [", ".join(map(str, side.years))] if side.years else []
        titles = [self.side_title(k) for k in range(len(self.c.sides))]
        facts += [side.name] if len(set(titles)) < len(titles) else []
        return self.sentence(" · ".join(facts))

    def counted(self, group: TopicGroup) -> Count:
        """How many rows of a group differ, and how."""
        return count_topics(group.id, group.rows)

    def parts_of(self, count: Count) -> list[Part]:
        """The parts of a section that have rows."""
        return parts_of(count, self.letters, self.words)

    # -------------------------------------------------------------- other rows

    def phases(self) -> list[tuple[str, list[StepRow]]]:
        """The steps by phase."""
        found: dict[str, list[StepRow]] = {}
        for row in self.c.turn:
            found.setdefault(row.phase, []).append(row)
        return list(found.items())

    def phase(self, phase: str) -> str:
        """The heading of a phase."""
        return self.sentence(self.words(f"comparison.phase.{phase}"))

    def step_state(self, row: StepRow) -> str:
        """The sides that have a step, where not all do; the cells show differences in content."""
        if row.verdict.state is State.ONLY:
            return phrases.where_only(row.cells, self.letters, self.words)
        return (
            "" if row.verdict.is_same else self.words(f"comparison.state.{row.verdict.state.value}")
        )

    def step_name(self, row: StepRow) -> str:
        """The labels of a step on all sides, each once."""
        names = [self.label(cell.label, cell.id) for cell in row.cells if cell is not None]
        return " / ".join(dict.fromkeys(names))

    def is_same(self, rows: Sequence[Row]) -> bool:
        """Whether no row differs."""
        return all(row.verdict.is_same for row in rows)

    def halves(self, rows: Sequence[_R]) -> list[tuple[list[_R], bool]]:
        """Rows that differ, and those that are the same."""
        same = [row for row in rows if row.verdict.is_same]
        differ = [row for row in rows if not row.verdict.is_same]
        return [(part, part is same) for part in (differ, same) if part]

    def value_texts(self, row: ValueRow) -> list[str]:
        """The texts of a value, each once."""
        return phrases.value_texts(row)

    def place(self, cell: RuleCell) -> str:
        """The place of a rule, relative to its ruleset: a page goes to other people's computers."""
        _, found, rest = cell.file.rpartition(f"{cell.ruleset}/")
        return f"{found}{rest if found else cell.file.rpartition('/')[2]}:{cell.line}"

    def marked_rule(self, row: RuleRow) -> tuple[list[list[Run]], list[list[Run]]]:
        """The head and the body of a rule, with the differences marked."""
        hooks = [cell.hook if cell is not None else "" for cell in row.cells]
        texts = [cell.text if cell is not None else "" for cell in row.cells]
        return marked_code(hooks), marked_code(texts)

    # -------------------------------------------------------------- pictures

    def tile(self, row: TileRow, pair: TilePair, *, is_left: bool) -> Markup:
        """A tile of a row of tiles; the right one lies as its like on the left does."""
        side, id_ = (row.left, pair.left) if is_left else (row.right, pair.right)
        piece = self._looks[side].pieces.get(id_) if side < len(self._looks) else None
        if piece is None:
            return Markup("")
        turn = 0 if is_left else self._turns.get((row.right, pair), 0)
        title = f"{self.names[side]}: {id_}"
        return Markup(self.sheet.piece(piece, self._looks[side], title, turn))

    # -------------------------------------------------------------- boards

    def shown_on_boards(self) -> list[str]:
        """For each pair of sides, how many of the rows that want a board have one."""
        found = [each.witnesses for each in self._all_boards]
        return [
            (f"{self.names[w.left]}, {self.names[w.right]}: " if len(found) > 1 else "")
            + self.words(
                "html.on_boards", shown=len(w.by_row), total=len(w.by_row) + len(w.without)
            )
            + ("" if not w.without else " " + self.sentence(none_line(w, self.language)) + ".")
            for w in found
            if w.by_row or w.without
        ]

    def boards(self, row: Row) -> list[Shown | BoardReference]:
        """A board for every pair of sides on which a row shows, or where it is."""
        return self._boards.of(row)

    def row_name(self, row: Row) -> str:
        """The name of a row in references from other rows."""
        match row:
            case TopicRow():
                return self.whole(row.topic)
            case StepRow():
                return self.step_name(row)
            case TileRow():
                return phrases.tile_change(row, self.short_names, self.words, self.labels)
            case ComponentRow():
                labels = [self.label(cell.label, cell.id) for cell in row.cells if cell is not None]
                return labels[0]
            case ValueRow() | RuleRow():
                return row.id

    def board_title(self, side: int | None, witness: Witness) -> str:
        """A board in words, for whoever does not see it: at the end on a side, or at the start."""
        lie = [*witness.board, *(f"{name} {place}" for name, place in witness.figures)]
        text = f"{self.words('html.start')}: {'; '.join(lie)}"
        return (
            text if side is None else f"{self.words('html.board', game=self.names[side])} ({text})"
        )

    def ending_lines(self, found: Shown, side: int) -> list[Markup]:
        """The result of a witness on one of its two sides, with links to the rules."""
        lines = ending_lines(found.witness, side, self.language, found.spoken)
        return [self.linked(self.ticked(x)) for x in lines]

    def source_line(self, witness: Witness) -> str:
        """The origin of a board."""
        return self.sentence(source_line(witness, self.language))

    def linked(self, text: Markup) -> Markup:
        """A text with links where it ends in a rule that is on the page: `... (a.rule)`."""
        found = re.fullmatch(r"(.*)\(([\w.]+)\)", text, re.DOTALL)
        anchor = self.anchors.named("rule", found[2]) if found else ""
        if found is None or not anchor:
            return text
        link = Markup('<a href="#{}"><code>{}</code></a>').format(anchor, found[2])
        return Markup(found[1]) + link


def _words_of(topic: str) -> str:
    return topic.replace(".", " · ").replace("-", " ").replace("_", " ")
