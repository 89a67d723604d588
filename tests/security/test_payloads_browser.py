"""Texts of rulesets that try to become markup, in every page and picture, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from support.payloads import BEGINNING, HOST, LONG, PAYLOAD, write_hostile
from support.studio_page import Page, Server, browser, server
from support.studio_table import KeyboardPlayer, begin, look
from tilewright.faces.cli.app import run

pytestmark = pytest.mark.slow

TABLE, WORSE = "evil/table", "evil/worse"


@pytest.fixture(scope="module", params=["markup", "long"])
def rules(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of rulesets whose texts are hostile, or as long as a text may be besides."""
    folder = tmp_path_factory.mktemp("rules")
    is_long = request.param == "long"
    write_hostile(folder, PAYLOAD + "A" * (LONG - len(PAYLOAD)) if is_long else PAYLOAD)
    return folder


@pytest.fixture(scope="module")
def studio(rules: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("studio"), "--folder", str(rules)) as started:
        yield started


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("browser"), recording=True) as opened:
        yield opened


@pytest.fixture
def page(studio: Server, window: Page) -> Page:
    window.open(studio.address)
    window.complaints()
    window.requests()
    return window


#: elements that a text could have become, and whatever it left behind
_MADE = """
[...document.querySelectorAll(
  "iframe, object, embed, base, img:not([src^='data:']):not([src^='blob:']), foreignObject iframe,"
  + "[onload], [onerror], [onclick], a[href^='javascript:' i], use[href^='//'], use[href*='evil']"
)].map(e => e.outerHTML.slice(0, 200))
"""


def nothing_ran(page: Page, *, shown: str = BEGINNING) -> None:
    """Nothing of the text ran, was requested or became an element; it is shown as it is."""
    assert page.ask("window.HIT === undefined")
    assert page.ask("document.title") != "1"
    assert page.ask(_MADE) == []
    assert not [url for url in page.requests() if HOST in url or url.endswith("/x")]
    assert page.complaints() == []
    if shown:
        assert page.ask("document.documentElement.textContent.includes(arguments[0])", shown)


def opened(window: Page, path: Path) -> Page:
    window.driver.get("about:blank")
    window.complaints()
    window.requests()
    window.driver.get(path.as_uri())
    return window


# ------------------------------------------------------------------ pages and pictures in files


def write(rules: Path, path: Path, *words: str) -> Path:
    assert run([*words, "--with", str(rules), "--out", str(path)]) == 0
    assert path.is_file()
    return path


def test_the_page_of_a_comparison(rules: Path, window: Page, tmp_path: Path) -> None:
    path = write(rules, tmp_path / "page.html", "compare", TABLE, WORSE, "--witness")
    nothing_ran(opened(window, path))


def test_the_page_of_a_simulation(rules: Path, window: Page, tmp_path: Path) -> None:
    words = ("simulate", WORSE, "--games", "3")
    path = write(rules, tmp_path / "page.html", *words)
    nothing_ran(opened(window, path))


def test_the_picture_of_a_board(rules: Path, window: Page, tmp_path: Path) -> None:
    path = write(rules, tmp_path / "board.svg", "show", "board", WORSE, "--turns", "4")
    nothing_ran(opened(window, path))


def test_the_picture_of_a_tile(rules: Path, window: Page, tmp_path: Path) -> None:
    path = write(rules, tmp_path / "tile.svg", "show", "tile", "cap", "--in", TABLE)
    nothing_ran(opened(window, path), shown="")


# ------------------------------------------------------------------ the studio


@pytest.mark.parametrize(
    ("place", "ready"),
    [
        ("#/library", ".cards li"),
        (f"#/library?find={quote('evil')}", ".hits li, .rules li, .cards li"),
        (f"#/book/{quote(TABLE, '')}", ".contents"),
        (f"#/book/{quote(TABLE, '')}/scoring.town", "main h2, main h3"),
        (f"#/book/{quote(WORSE, '')}/scoring.town", "main h2, main h3"),
        (f"#/book/{quote(TABLE, '')}/tiles", ".tiles svg"),
        (f"#/book/{quote(WORSE, '')}/questions", ".question"),
        (f"#/compare/{quote(TABLE, '')}/{quote(WORSE, '')}", ".group"),
        (f"#/simulate/{quote(WORSE, '')}", ".wishes"),
        (f"#/play?game={quote(WORSE, '')}", ".start"),
        (f"#/write/{quote('0/evil/worse/rules/worse.yaml', '')}", ".pane"),
    ],
)
def test_each_place_of_the_studio(page: Page, place: str, ready: str) -> None:
    page.go(place)
    page.wait("document.querySelector(arguments[0])", ready)
    page.wait("document.documentElement.textContent.includes(arguments[0])", BEGINNING)
    nothing_ran(page)


def test_a_match_is_played_kept_replayed_and_shared(page: Page, tmp_path: Path) -> None:
    name = f"<img src=//{HOST}>"
    begin(page, WORSE, seed=f"{PAYLOAD[:50]}\u2028'", name=name)
    KeyboardPlayer(page, seed=1).play(most=6)
    nothing_ran(page, shown=name)
    match = page.ask("location.hash.split('/')[2]")
    digest = look(page)["digest"]
    page.go(f"#/share?match={match}")
    page.wait("document.querySelector('textarea[name=text]')?.value")
    link = f"#/share?s={page.ask('document.querySelector(`textarea[name=text]`).value')}"
    nothing_ran(page, shown="")
    page.go(f"#/play/{match}/replay")
    page.wait("document.querySelector('input[type=range]')")
    nothing_ran(page, shown=name)
    page.go("#/play")
    page.wait("document.querySelector('.start')")
    nothing_ran(page, shown="")
    with server(tmp_path, "--folder", str(tmp_path)) as other:
        page.open(other.address)
        page.complaints()
        page.requests()
        page.go(link)
        page.wait("document.querySelector('.page dl')")
        nothing_ran(page, shown="")
        page.click_on(".page .primary")
        page.wait("location.hash.includes('#/play')")
        assert look(page)["digest"] == digest
        nothing_ran(page, shown=name)
