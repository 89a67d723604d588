"""The gallery: what hangs in it follows from the rulesets, and nothing is made twice."""

from __future__ import annotations

import itertools
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.pages import Element, read
from tilewright.faces.cli.app import run
from tilewright.rules.model.ruleset import Labels
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.tools.reports import gallery
from tilewright.tools.reports.comparison_page import Page, Request, page
from tilewright.tools.reports.gallery import Gallery, NoEditionsError, editions, pairs
from tilewright.tools.workspace.cache import Cache
from tilewright.view.comparison.gallery import GalleryPage, Pair, index_html, index_markdown

LIBRARY = Library()
PAIRS = {pair.name: pair for pair in pairs(LIBRARY)}


def named(text: str, language: str = "en") -> Labels:
    return Labels(((language, text),))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games of every page that is made instead of being taken from the cache."""
    made: list[str] = []

    def counted(request: Request, *rest: Any) -> Page:
        found = page(request, *rest)
        made.append(" ".join(request.games))
        return replace(found, text="a page")

    monkeypatch.setattr(gallery, "page", counted)
    return made


def painter(cache: Cache, library: Library = LIBRARY) -> Gallery:
    return Gallery(library, Request((), "html"), cache)


def test_editions_of_one_thing_are_found_by_their_roles() -> None:
    games = {pair.games for pair in PAIRS.values() if not pair.is_house}
    assert ("c2/princess-and-dragon", "c3.1/dragon-and-fairy") in games
    assert ("c2/base", "c3/base") in games
    assert ("c2/base+c1/inns-and-cathedrals", "c2/inns-and-cathedrals") in games
    assert not any("c2/tower" in pair for pair in games)


def test_more_than_two_editions_hang_together_as_well() -> None:
    rivers = ("c2/river", "c3/river", "c3/river-two-lakes")
    games = {pair.games for pair in PAIRS.values()}
    assert {rivers[:2], rivers[1:], (rivers[0], rivers[2])} <= games
    first = ("c2/base+c1/river", "c2/base+c1/river-two", "c2/river", "c2/river-two", *rivers[1:])
    assert first in games


def test_an_edition_hangs_beside_another_with_what_only_it_requires() -> None:
    base = PAIRS["c1-base--c2-base--c3-base"]
    assert base.games == ("c1/farmers+c1/base", "c2/farmers+c2/base", "c3/farmers+c3/base")


RIVERS = (
    "c2/base+c1/river", "c2/base+c1/river-two", "c2/river", "c2/river-two", "c3/river",
    "c3/river-two-lakes",
)  # fmt: skip


@pytest.mark.parametrize("box", ["river", "c3/river", "river-two-lakes"])
def test_a_box_is_named_by_one_of_its_rulesets_or_by_what_they_are(box: str) -> None:
    assert editions(LIBRARY, box) == RIVERS
    assert editions(LIBRARY, "dragon-and-fairy") == editions(LIBRARY, "dragon")


def test_editions_of_a_game_are_compared_with_its_supplement_on_every_side() -> None:
    assert editions(LIBRARY, "base") == PAIRS["c1-base--c2-base--c3-base"].games


@pytest.mark.parametrize(
    ("box", "message"),
    [
        ("messengers", "`c2/messengers` is the only edition of `messengers`"),
        ("rivr", "no printed ruleset is called `rivr`; did you mean `river`?"),
        ("house/fairy-five", "no printed ruleset is called `house/fairy-five`"),
    ],
)
def test_a_box_without_two_editions_is_refused(box: str, message: str) -> None:
    with pytest.raises(NoEditionsError) as caught:
        editions(LIBRARY, box)
    assert str(caught.value).startswith(message)


def test_all_editions_of_a_box_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "--editions", "river", "--brief"]) == 0
    page = capsys.readouterr().out
    assert run(["compare", *editions(LIBRARY, "river"), "--brief"]) == 0
    assert page == capsys.readouterr().out
    for words, text in {
        ("--editions", "messengers"): "`tilewright show ruleset c2/messengers` shows it",
        ("--editions", "river", "c2/base"): "leave out the games",
        ("--editions", ""): "`--editions` needs the name of a box",
    }.items():
        assert run(["compare", *words]) == 2
        assert text in capsys.readouterr().err


def test_every_house_rule_hangs_beside_what_it_stands_on() -> None:
    houses = {id_ for id_ in LIBRARY.ids() if id_.split("/")[0] in ("house", "variants")}
    hung = {pair.games[1].split("+")[-1]: pair for pair in PAIRS.values() if pair.is_house}
    assert set(hung) == houses
    assert hung["house/fairy-five"].games == (
        "c2/princess-and-dragon",
        "c2/princess-and-dragon+house/fairy-five",
    )


def test_no_two_pages_have_one_name() -> None:
    assert len(PAIRS) == len(pairs(LIBRARY))
    assert all(re.fullmatch(r"[\w.-]+", name) for name in PAIRS)


def test_a_page_is_made_once(tmp_path: Path, made: list[str]) -> None:
    for _ in range(2):
        page, hung = painter(Cache(tmp_path)).page(PAIRS["house-fairy-five"])
        assert (page, hung.file) == ("a page", "house-fairy-five.html")
        assert any("five extra points" in sentence for sentence in hung.sentences)
    assert len(made) == 1


def test_a_page_whose_rulesets_say_something_else_is_made_anew(
    tmp_path: Path, made: list[str]
) -> None:
    shutil.copytree(shipped_rulesets() / "house/fairy-five", tmp_path / "rules/house/fairy-five")
    for _ in range(2):
        library = Library([tmp_path / "rules"], shipped=False)
        library.add(shipped_rulesets())
        painter(Cache(tmp_path / "cache"), library).page(PAIRS["house-fairy-five"])
        file = tmp_path / "rules/house/fairy-five/module.yaml"
        file.write_text(file.read_text("utf-8").replace("Five points", "5 points"), "utf-8")
    assert len(made) == 2


def test_a_pair_that_makes_no_game_is_told_with_the_reason(tmp_path: Path) -> None:
    pair = Pair(("c2/base", "c2/base+no/such-thing"), (named("a"), named("b")), named("a"), True)
    page, hung = painter(Cache(tmp_path)).page(pair)
    assert (page, hung.file) == ("", "")
    assert "no/such-thing" in hung.problem
    assert hung.problem in index_markdown([hung])


@pytest.fixture
def hung() -> list[GalleryPage]:
    editions = Pair(("one/a", "two/a"), (named("A"), named("A")), named("A"), False)
    house = Pair(("one/a", "one/a+my/rule"), (named("A"), named("<b>&")), named("A"), True)
    return [
        GalleryPage(editions, "one-a--two-a.html", 10, ("It was so.", "It is so | no more."), 3, 2),
        GalleryPage(house, "my-rule.html", 10, (), 0, 0),
    ]


def test_editions_with_one_title_are_told_apart(hung: list[GalleryPage]) -> None:
    assert "[A (one) · A (two)](one-a--two-a.html)" in index_markdown(hung)


def test_the_index_of_the_web_pages_leads_to_each_of_them(hung: list[GalleryPage]) -> None:
    root = read(index_html(hung))
    targets = [e.attributes["href"] for e in root.all("a")]
    assert {"one-a--two-a.html", "my-rule.html"} <= set(targets)
    ids = {e.attributes["id"] for e in root.all() if "id" in e.attributes}
    assert {target[1:] for target in targets if target.startswith("#")} <= ids


def test_headings_of_the_index_leave_no_level_out(hung: list[GalleryPage]) -> None:
    root = read(index_html(hung))
    levels = [int(e.tag[1]) for e in root.all() if re.fullmatch(r"h[1-6]", e.tag)]
    assert levels[0] == 1
    assert all(later <= earlier + 1 for earlier, later in itertools.pairwise(levels))


def test_what_a_title_says_is_never_markup(hung: list[GalleryPage]) -> None:
    def heading(e: Element) -> bool:
        return e.tag == "b"

    assert not [e for e in read(index_html(hung)).all() if heading(e)]
    assert "[&lt;b>&](my-rule.html)" in index_markdown(hung)


@pytest.mark.parametrize("language", ["en", "uk", "pl"])
def test_the_index_speaks_three_languages(hung: list[GalleryPage], language: str) -> None:
    title = {"en": "Editions side by side", "uk": "Видання пліч-о-пліч", "pl": "Wydania obok"}
    assert title[language] in index_html(hung, language)
    assert title[language] in index_markdown(hung, language)


@pytest.mark.parametrize("kept", [b"\xff\xfe", b"[]", b"{}", b'{"page": 1}', b"{"])
def test_a_page_that_the_cache_cannot_give_is_drawn_again(
    kept: bytes, tmp_path: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cache, "get", lambda self, *key: kept)
    page, hung = painter(Cache(tmp_path)).page(PAIRS["house-fairy-five"])
    assert (page, len(made), hung.problem) == ("a page", 1, "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_among_rulesets_does_not_stop_the_gallery(tmp_path: Path, made: list[str]) -> None:
    for folder in (tmp_path / "house" / "other" / "notes", tmp_path / "house" / "mine"):
        folder.mkdir(parents=True)
    text = "id: house/mine\nkind: house\ntitle: Mine\nrequires: {base: c2/base}\n"
    (tmp_path / "house" / "mine" / "module.yaml").write_text(text)
    (tmp_path / "house" / "other" / "module.yaml").write_text(text.replace("mine", "other"))
    os.mkfifo(tmp_path / "house" / "other" / "notes" / "a.yaml")
    os.mkfifo(tmp_path / "topics.yaml")
    library = Library([tmp_path])
    (pair,) = (pair for pair in pairs(library) if pair.games[1] == "c2/base+house/other")
    page, _ = painter(Cache(tmp_path / "cache"), library).page(pair)
    assert (page, len(made)) == ("a page", 1)
