"""A comparison as one self-contained web page: readable without script, no other files.

`compose.py` makes its blocks; this module adds what only the page has: tiles, boards and links.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from tilewright.language.locale.words import capital
from tilewright.rules.model.ruleset import Labels
from tilewright.view.comparison import phrases
from tilewright.view.comparison.compose import Composer
from tilewright.view.comparison.witness import none_line
from tilewright.view.page.blocks import Answers, Board, BoardEnd, Played, Row
from tilewright.view.page.drawings import STEP_TILE, Look, Sheet
from tilewright.view.page.html import Writer, environment, part_text, policy, words_of
from tilewright.view.page.palette import style_sheet
from tilewright.view.results.comparison import (
    ComponentRow,
    RuleRow,
    Side,
    State,
    StepRow,
    TilePair,
    TileRow,
    TopicRow,
    ValueRow,
)
from tilewright.view.results.divergence import Row as Compared
from tilewright.view.results.divergence import keyed_rows

#: how far a tile of the right side is turned to lie as its like on the left: quarter turns
Turns = Mapping[tuple[int, TilePair], int]


def as_html(made: Composer, looks: Sequence[Look], turns: Turns) -> str:
    """The page; `looks` are what each side's tiles are drawn from."""
    page = Page(made, looks, turns)
    body = environment().get_template("body.html").render(p=page, c=made.c, w=page.words)
    drawings, colours = page.sheet.drawings()
    style, script = style_sheet(colours) + part_text("page.css"), part_text("page.js")
    return (
        environment()
        .get_template("page.html")
        .render(
            p=page,
            c=made.c,
            w=page.words,
            style=Markup(style),
            script=Markup(script),
            policy=policy(style, script),
            drawings=Markup(drawings),
            body=Markup(body),
        )
    )


class Page(Writer):
    """The data of the templates: the blocks and pictures of one comparison."""

    def __init__(self, made: Composer, looks: Sequence[Look], turns: Turns) -> None:
        super().__init__(made.words, phrases.side_names(made.c), made.letters)
        self.c = made.c
        self.composer = made
        self.anchors = made.anchors
        self.sheet = Sheet()
        self.answers = [made.answers()]
        self.numbers = [each for each in made.summary().blocks if not isinstance(each, Answers)]
        self.turn, self.topics, self.components = made.turn(), made.topics(), made.components()
        self.tiles, self.values, self.rules = made.tiles(), made.values(), made.rules()
        self.sources = made.sources()
        self.headline = phrases.headline(made.c, made.words)
        self._looks, self._turns = looks, turns
        self._rows = dict(keyed_rows(made.c))

    # -------------------------------------------------------------- names

    @property
    def title(self) -> str:
        """The titles of all sides, each once."""
        names = [self.side_title(side) for side in range(len(self.c.sides))]
        return self.words.listed(list(dict.fromkeys(names)))

    def called(self, side: int) -> str:
        """The title of a side, with its name where titles are equal."""
        titles = [self.side_title(k) for k in range(len(self.c.sides))]
        title = titles[side]
        return f"{title} ({self.names[side]})" if titles.count(title) > 1 else title

    def side_title(self, side: int) -> str:
        """The title of a side, of a later one without what the first one's has too."""
        titles = [each.title.get(self.language).split(" + ") for each in self.c.sides]
        parts, *others = titles
        if not side:
            return " + ".join(parts)
        own = [part for part in others[side - 1] if part not in parts]
        return " + ".join(own or others[side - 1])

    def side_facts(self, side: Side) -> str:
        """Edition and year of a side, and its name where titles are equal."""
        facts = [phrases.editions(side, map(capital, side.editions), self.words)]
        facts += [", ".join(map(str, side.years))] if side.years else []
        titles = [self.side_title(k) for k in range(len(self.c.sides))]
        facts += [side.name] if len(set(titles)) < len(titles) else []
        return capital(" · ".join(filter(None, facts)))

    def language_of(self, label: Labels) -> str:
        """The language in which a label is there, for what falls back to English."""
        return self.language if dict(label.texts).get(self.language) else "en"

    def heading(self, key: str) -> str:
        """The heading of a section, without what explains it."""
        return self.words(f"comparison.heading.{key}").split(",")[0]

    def contents(self) -> list[tuple[str, str, int]]:
        """The sections there are: anchor, heading, how many rows are not the same."""
        sections = (self.turn, self.topics, self.tiles, self.components, self.values, self.rules,
                    self.sources)  # fmt: skip
        found = [] if self.c.is_part else [("summary", self.heading("summary"), 0)]
        for each in sections:
            if self.has_rows(each):
                found.append((each.key, self.heading(each.key), each.count))
        return found

    # -------------------------------------------------------------- pictures

    @property
    def changes(self) -> list[Row]:
        """Changes of several tiles, for the summary."""
        rows = [row for row in self.c.tiles if row.verdict.state is State.DIFFERS and row.count > 2]
        return [self.composer.tile_row(row) for row in rows]

    def tile(self, row: Row, pair: TilePair, *, is_left: bool) -> Markup:
        """A tile of a row of tiles; the right one lies as its like on the left does."""
        side, id_ = (row.sides[0], pair.left) if is_left else (row.sides[1], pair.right)
        piece = self._looks[side].pieces.get(id_) if side < len(self._looks) else None
        if piece is None:
            return Markup("")
        turn = 0 if is_left else self._turns.get((side, pair), 0)
        title = f"{self.names[side]}: {id_}"
        return Markup(self.sheet.piece(piece, self._looks[side], title, turn))

    # -------------------------------------------------------------- boards

    def shown_on_boards(self) -> list[str]:
        """For each pair of sides, how many of the rows that want a board have one."""
        found = self.composer.witnesses
        return [
            (f"{self.names[w.left]}, {self.names[w.right]}: " if len(found) > 1 else "")
            + self.words(
                "html.on_boards", shown=len(w.by_row), total=len(w.by_row) + len(w.without)
            )
            + ("" if not w.without else " " + capital(none_line(w, self.language)) + ".")
            for w in found
            if w.by_row or w.without
        ]

    def home(self, board: Board) -> tuple[str, str]:
        """The key and the name of the row that shows a board; others refer to it."""
        return board.home, self.row_name(self._rows[board.home])

    def row_name(self, row: Compared) -> str:
        """The name of a row in references from other rows."""
        made = self.composer
        match row:
            case TopicRow(topic=topic):
                names = made.topic_names
                return names.alone(topic) if names.has(topic) else words_of(names.here(topic))
            case StepRow():
                return made.step_name(row)
            case TileRow():
                return made.tile_row(row).name
            case ComponentRow():
                cell = next(cell for cell in row.cells if cell is not None)
                return cell.label.get(self.language) or cell.id
            case ValueRow() | RuleRow():
                return row.id

    def board(self, board: Board, end: BoardEnd | None = None) -> Markup:
        """A board at its start, or at the end on a side, with what lies there in words."""
        scene = board.start if end is None else end.scene
        title = f"{self.words('html.start')}: {'; '.join(board.setup)}"
        if end is not None:
            title = f"{self.words('html.board', game=self.names[end.side])} ({title})"
        return Markup("" if scene is None else self.sheet.board(scene, title))

    def step(self, played: Played) -> Markup:
        """A small picture of a draw or a choice, where it has one."""
        if played.scene is None:
            return Markup("")
        return Markup(self.sheet.board(played.scene, played.says, STEP_TILE))

    def results(self, end: BoardEnd) -> list[Markup]:
        """The results of a board on a side, with links to the rules."""
        return [self.linked(self.ticked(text)) for text in end.results]

    def linked(self, text: Markup) -> Markup:
        """A text with links where it ends in a rule that is on the page: `... (a.rule)`."""
        found = re.fullmatch(r"(.*)\(([\w.]+)\)", text, re.DOTALL)
        anchor = self.anchors.named("rule", found[2]) if found else ""
        if found is None or not anchor:
            return text
        link = Markup('<a href="#{}"><code>{}</code></a>').format(anchor, found[2])
        return Markup(found[1]) + link
