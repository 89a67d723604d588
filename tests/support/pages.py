"""A page of a comparison, read as a browser without scripts would read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser

from rich.console import Console

from tilewright.faces.cli.views.page import print_page
from tilewright.language.locale.words import Words
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.reports.comparison_page import pictures
from tilewright.tools.witness.storage import Painter
from tilewright.view.comparison import export
from tilewright.view.comparison.boards import Draw
from tilewright.view.comparison.compose import Composer
from tilewright.view.comparison.html import as_html
from tilewright.view.page.blocks import Length, Where
from tilewright.view.results.comparison import Comparison
from tilewright.view.results.divergence import Witnesses

#: tags without an end
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)

DRAGONS = ("c2/princess-and-dragon", "c3.1/dragon-and-fairy")
HOUSE = ("c2/base", "c2/base+house/no-farmers")


@cache
def library() -> Library:
    return Library()


@cache
def compared(*games: str) -> Comparison:
    return compare_texts(games, library())


@cache
def page(*games: str, language: str = "en") -> str:
    return page_of(compared(*games), library(), language=language)


def page_of(
    found: Comparison,
    library: Library,
    *,
    witnesses: Sequence[Witnesses] = (),
    language: str = "en",
) -> str:
    """The web page of a comparison that is there."""
    draw = Painter(library, language).boards
    made = Composer(found, Words(language), Where.HTML, witnesses, draw)
    return as_html(made, *pictures(found, library, language))


def as_markdown(
    found: Comparison,
    *,
    language: str = "en",
    length: Length = Length.USUAL,
    witnesses: Sequence[Witnesses] = (),
) -> str:
    """The Markdown page of a comparison that is there."""
    here = Where[f"MARKDOWN_{length.name}"]
    return export.as_markdown(Composer(found, Words(language), here, witnesses))


def print_comparison(
    found: Comparison,
    console: Console,
    *,
    language: str = "en",
    length: Length = Length.USUAL,
    witnesses: Sequence[Witnesses] = (),
    draw: Draw | None = None,
) -> None:
    """Print the page of a comparison that is there."""
    here = Where[f"TERMINAL_{length.name}"]
    made = Composer(found, Words(language), here, witnesses, draw)
    print_page(made.page(), console, made.words, made.names, here)


@dataclass(slots=True)
class Element:
    tag: str
    attributes: dict[str, str]
    parent: Element | None
    children: list[Element]
    text: str = ""

    def all(self, *tags: str) -> list[Element]:
        """This and what is in it, in the order of the page."""
        found = [self] if not tags or self.tag in tags else []
        return [*found, *(each for child in self.children for each in child.all(*tags))]

    def full_text(self) -> str:
        return self.text + "".join(child.full_text() for child in self.children)

    def above(self, name: str) -> str:
        """An attribute of this or of the nearest around it."""
        element: Element | None = self
        while element is not None:
            if name in element.attributes:
                return element.attributes[name]
            element = element.parent
        return ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {}, None, [])
        self.here = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {k: v or "" for k, v in attrs}, self.here, [])
        self.here.children.append(element)
        if tag not in _VOID:
            self.here = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.here.children.append(Element(tag, {k: v or "" for k, v in attrs}, self.here, []))

    def handle_endtag(self, tag: str) -> None:
        assert self.here.tag == tag, f"</{tag}> where </{self.here.tag}> is due, {self.getpos()}"
        assert self.here.parent is not None
        self.here = self.here.parent

    def handle_data(self, data: str) -> None:
        self.here.text += data


def read(text: str) -> Element:
    """The page as a tree; every element must be ended where it should."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.here is reader.root, f"<{reader.here.tag}> is never ended"
    return reader.root
