"""Blocks as HTML: one self-contained page, readable without script, that needs no other files.

The macros of `templates/blocks.html` lay the blocks out; this module prepares their data.
The script of a page only searches and filters.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from importlib import resources
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from tilewright.language.locale.words import Words, capital
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import Where, content, shown
from tilewright.view.page.marks import marked, marked_code
from tilewright.view.page.palette import COLOURS

#: how many sides have a colour of their own
_SIDES = sum(name.startswith("s") and name[1:].isdigit() for name in COLOURS)


@cache
def environment() -> Environment:
    """The template environment; everything is escaped."""
    return Environment(
        loader=PackageLoader("tilewright.view", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )


@cache
def part_text(name: str) -> str:
    """A file of `templates`, without what is there for its readers only."""
    text = resources.files("tilewright.view").joinpath("templates", name).read_text("utf-8")
    return re.sub(r"(?m)^\s+", "", text)


def policy(style: str, script: str) -> str:
    """The content security policy of the page: its own style and script, and nothing else."""
    texts = {"style-src": style, "script-src": script}
    hashes = {
        name: b64encode(sha256(text.encode()).digest()).decode() for name, text in texts.items()
    }
    own = "; ".join(f"{name} 'sha256-{digest}'" for name, digest in hashes.items())
    return f"default-src 'none'; {own}; img-src data:; base-uri 'none'; form-action 'none'"


class Writer:
    """The data of the macros: parts of blocks, names of sides, marked differences.

    `names` are those of the sides, `letters` what their cells are marked with.
    """

    def __init__(self, words: Words, names: Sequence[str], letters: Sequence[str]) -> None:
        self.words = words
        self.language = words.language
        self.names = names
        self.letters = letters
        self.sentence = capital

    def called(self, side: int) -> str:
        """How people call a side."""
        return self.names[side]

    def kind(self, block: b.Block) -> str:
        """The name of the macro of a block."""
        return type(block).__name__.lower()

    def content(self, blocks: Iterable[b.Block]) -> list[b.Block]:
        """The blocks that the page has."""
        return content(blocks, Where.HTML)

    def shown(self, parts: Iterable[b.Placed]) -> list[b.Placed]:
        """The parts of a block that the page has."""
        return shown(parts, Where.HTML)

    def under(self, table: b.Table) -> list[tuple[str, list[b.Row]]]:
        """The rows of a table by the heading above them."""
        rows = shown(table.rows, Where.HTML)
        return [(under, list(found)) for under, found in groupby(rows, key=lambda row: row.under)]

    def drawing(self, block: b.Drawing) -> Markup:
        """A drawing as it is."""
        return Markup(block.svg)

    def has_rows(self, section: b.Section) -> bool:
        """Whether a section has rows or sources, and not only notes on them."""
        return any(
            not isinstance(block, b.Notes) or block.lines[0].kind == "cited"
            for block in self.content(section.blocks)
        )

    def colour(self, side: int) -> str:
        """The class of a side."""
        return f"s{side % _SIDES}"

    def breakable(self, id_: str) -> Markup:
        """An id that may be broken between its words."""
        return Markup("_<wbr>").join(id_.split("_"))

    def readable(self, row: b.Row) -> str:
        """The name of a row; an id in its place as words."""
        return words_of(row.name) if row.is_unnamed else row.name

    def ticked(self, text: str) -> Markup:
        """A text of the program, with backticks as code."""
        parts = text.split("`")
        codes = (Markup("<code>{}</code>").format(part) if i % 2 else escape(part)
                 for i, part in enumerate(parts))  # fmt: skip
        return Markup("").join(codes)

    # -------------------------------------------------------------- lines of cells

    def lines(self, cell: b.Cell | None, *kinds: str) -> list[b.Line | b.Statement]:
        """The lines of a cell that are of these kinds."""
        found = shown(cell.lines, Where.HTML) if cell is not None else []
        return [line for line in found if line.kind in kinds]

    def marked_sentences(self, row: b.Row) -> list[list[b.Run] | None]:
        """One sentence a side, with what differs marked; None where a side has several."""
        texts = []
        for cell in row.cells:
            said = self.lines(cell, "says", "like")
            texts.append(said[0].text if len(said) == 1 and said[0].kind == "says" else "")
        return [runs if text else None for text, runs in zip(texts, marked(texts), strict=True)]

    def marked_code(self, row: b.Row, kind: str) -> list[list[b.Run]]:
        """The lines of a kind on each side, with what differs marked."""
        return marked_code(
            ["".join(line.text for line in self.lines(cell, kind)) for cell in row.cells]
        )


def words_of(id_: str) -> str:
    """An id as words, for what has no name."""
    return id_.replace(".", " · ").replace("-", " ").replace("_", " ")


def report_html(
    blocks: Sequence[b.Block], letters: Sequence[str], words: Words, *, style: str = ""
) -> str:
    """Blocks as a web page of one column, with a title; `letters` mark the columns of tables.

    `style` follows the style of all reports.
    """
    (title,) = (block for block in blocks if isinstance(block, b.Title))
    return (
        environment()
        .get_template("report.html")
        .render(
            p=Writer(words, [name for _, name in title.games], letters),
            blocks=blocks,
            title="".join(run.text for run in title.runs),
            style=Markup(part_text("report.css") + style),
        )
    ) + "\n"
