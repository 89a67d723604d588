"""A gallery of comparisons: its pages, and the first one with the first line of each summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tilewright.language.locale.words import Words
from tilewright.rules.model.ruleset import Labels
from tilewright.view.page.html import environment, part_text, policy
from tilewright.view.page.markdown import plain, table
from tilewright.view.page.palette import style_sheet


@dataclass(frozen=True, slots=True)
class Pair:
    """Games to compare; `about` is their common subject or base."""

    games: tuple[str, ...]
    titles: tuple[Labels, ...]
    about: Labels
    is_house: bool

    @property
    def name(self) -> str:
        """A name for its page: the last ruleset of each game, of a house rule itself."""
        last = [game.split("+")[-1].replace("/", "-") for game in self.games]
        return last[-1] if self.is_house else "--".join(last)


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """A page of the gallery with its index entry; `problem` is the reason when there is none."""

    pair: Pair
    file: str
    size: int
    sentences: tuple[str, ...]
    topics: int
    rules: int
    problem: str = ""


def titled(page: GalleryPage, language: str) -> str:
    """The titles of a page's sides: a house rule, or editions, with the folder where titles are
    equal.
    """
    titles = [title.get(language) for title in page.pair.titles]
    if page.pair.is_house:
        return titles[-1]
    if len(set(titles)) < len(titles):
        names = [game.split("/")[0] for game in page.pair.games]
        titles = [f"{title} ({name})" for title, name in zip(titles, names, strict=True)]
    return " · ".join(titles)


def grouped(pages: Sequence[GalleryPage], language: str) -> dict[str, list[GalleryPage]]:
    """House rules by their base."""
    found: dict[str, list[GalleryPage]] = {}
    for each in pages:
        if each.pair.is_house:
            found.setdefault(each.pair.about.get(language), []).append(each)
    return found


def index_markdown(pages: Sequence[GalleryPage], language: str = "en") -> str:
    """The index as Markdown: editions first, then house rules by their base."""
    words = Words(language)
    out = [
        f"# {words('comparison.gallery')}",
        "",
        words.plural("comparison.gallery_says", len(pages)),
        "",
    ]
    head = (
        "",
        words("comparison.heading.summary"),
        words("comparison.count.topics"),
        words("comparison.count.rules"),
    )
    editions = [_row(each, language) for each in pages if not each.pair.is_house]
    out += [f"## {words('comparison.editions')}", "", *table(head, editions)] if editions else []
    houses = grouped(pages, language)
    out += [f"## {words('comparison.house')}", ""] if houses else []
    for title, rows in houses.items():
        out += [f"### {title}", "", *table(head, [_row(each, language) for each in rows])]
    return "\n".join(out).rstrip() + "\n"


def index_html(pages: Sequence[GalleryPage], language: str = "en") -> str:
    """The index as a web page that needs nothing else; it is read without scripts."""
    style = style_sheet() + part_text("page.css") + part_text("gallery.css")
    words = Words(language)
    template = environment().get_template("gallery.html")
    return template.render(
        w=words,
        all=pages,
        editions=[each for each in pages if not each.pair.is_house],
        houses=grouped(pages, words.language),
        titled=lambda each: titled(each, words.language),
        style=Markup(style),
        policy=policy(style, ""),
    )


def _row(page: GalleryPage, language: str) -> list[str]:
    title = plain(titled(page, language))
    name = f"[{title}]({page.file})" if page.file else title
    text = plain(page.problem or " • ".join(page.sentences))
    text = text or ("" if page.topics or page.rules else Words(language)("comparison.nothing"))
    return [name, text, str(page.topics), str(page.rules)]
