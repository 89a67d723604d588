"""A comparison as one web page that needs nothing else: no script to be read, no file beside it.

The page is laid out by the templates in `page_parts`; what stands in it is settled here and in the
modules beside this one. Script only finds and filters what is there.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import resources
from string import ascii_uppercase

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tilewright.model.comparison import Comparison, TilePair, TileRow, TopicCell, TopicGroup
from tilewright.model.ruleset import Labels
from tilewright.render import tables_told as told
from tilewright.render.page_colours import COLOURS, style_sheet
from tilewright.render.page_drawn import Look, Sheet
from tilewright.render.page_rows import Anchors, Bar, bars, marked, marked_code
from tilewright.render.page_words import page_words
from tilewright.render.tables_words import Words

#: how far a tile of the right side is turned to lie as its like on the left: quarter turns
Turns = Mapping[tuple[int, TilePair], int]
_SIDES = sum(name.startswith("s") and name[1:].isdigit() for name in COLOURS)


def as_html(
    comparison: Comparison,
    looks: Sequence[Look],
    turns: Turns | None = None,
    *,
    language: str = "en",
) -> str:
    """The page; `looks` are what each side's tiles are drawn from."""
    page = Page(comparison, looks, turns or {}, language)
    style, script = style_sheet() + _file("page.css"), _file("page.js")
    body = _environment().get_template("body.html").render(p=page, c=comparison, w=page.words)
    return (
        _environment()
        .get_template("page.html")
        .render(
            p=page,
            w=page.words,
            style=Markup(style),
            script=Markup(script),
            policy=_policy(style, script),
            drawings=Markup(page.sheet.drawings()),
            body=Markup(body),
        )
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("tilewright.render", "page_parts"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )


@cache
def _file(name: str) -> str:
    text = resources.files("tilewright.render").joinpath("page_parts", name).read_text("utf-8")
    return re.sub(r"(?m)^\s+", "", text)


def _policy(style: str, script: str) -> str:
    """What the page may load: its own style and script, and nothing else at all."""
    texts = {"style-src": style, "script-src": script}
    hashes = {
        name: b64encode(sha256(text.encode()).digest()).decode() for name, text in texts.items()
    }
    own = "; ".join(f"{name} 'sha256-{digest}'" for name, digest in hashes.items())
    return f"default-src 'none'; {own}; img-src data:; base-uri 'none'; form-action 'none'"


class Page:
    """What the templates ask for: words, names, anchors and pictures of one comparison."""

    def __init__(
        self, comparison: Comparison, looks: Sequence[Look], turns: Turns, language: str
    ) -> None:
        self.c = comparison
        self.words = Words(language)
        self.say = page_words(language)
        self.language = self.words.language
        self.names = told.side_names(comparison)
        self.letters = ascii_uppercase[: len(self.names)]
        self.labels = {named.id: named.label for named in comparison.labels}
        self.sheet = Sheet()
        self.anchors = Anchors(comparison)
        self.told = told
        self.marked = marked
        self.marked_code = marked_code
        self._looks, self._turns = looks, turns

    # -------------------------------------------------------------- names

    @property
    def title(self) -> str:
        names = [self.label(side.title) for side in self.c.sides]
        return f" {self.say('and')} ".join(dict.fromkeys(names))

    def label(self, label: Labels, otherwise: str = "") -> str:
        return label.get(self.language) or otherwise

    def colour(self, side: int) -> str:
        """The class of a side."""
        return f"s{side % _SIDES}"

    def language_of(self, label: Labels) -> str:
        """The language in which a label is there, for what falls back to English."""
        return self.language if dict(label.texts).get(self.language) else "en"

    def short(self, topic: str, group: TopicGroup) -> str:
        return told.short(topic, group).replace(".", " · ").replace("-", " ")

    def sentence(self, text: str) -> str:
        return text[:1].upper() + text[1:]

    def sides_with(self, cells: Sequence[object | None]) -> list[int]:
        return [i for i, cell in enumerate(cells) if cell is not None]

    # -------------------------------------------------------------- topics

    def parted(self) -> list[tuple[TopicGroup, list[object], list[object], list[object]]]:
        return [(group, *told.parted(group)) for group in self.c.topics]  # type: ignore[list-item]

    def leads(self, cells: Sequence[TopicCell | None]) -> list[object]:
        """Statements that say the difference itself: they stand above the sides."""
        said = [s for cell in cells if cell is not None for s in cell.statements]
        return list({s.id: s for s in said if s.carried == "compares"}.values())

    def bars(self) -> list[Bar]:
        return bars(self.c, self.words)

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
