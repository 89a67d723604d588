"""A page of a comparison, read as a browser without scripts would read it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser

from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.reports.comparison_page import page_of
from tilewright.view.results.comparison import Comparison

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
