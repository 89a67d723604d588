"""The web page of a comparison in a real browser without a window.

The browser is that of the pages of the studio; where there is none the tests are skipped.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import studio_page
from support.pages import DRAGONS, page
from tilewright.view.page.palette import contrast

keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
pytestmark = pytest.mark.slow

PHONE = 390


class Page:
    """An open page, with the queries of the tests."""

    def __init__(self, driver: Any, path: Path) -> None:
        self.driver = driver
        self.path = path

    def open(self, *, wide: int = 1400, dark: bool = False, scripts: bool = True) -> None:
        self.driver.get("about:blank")
        self._emulate("setDeviceMetricsOverride", width=wide, height=900,
                      deviceScaleFactor=1, mobile=wide < 600)  # fmt: skip
        self._emulate("setScriptExecutionDisabled", value=not scripts)
        self.medium("", dark=dark)
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.driver.get(self.path.as_uri())

    def medium(self, medium: str, *, dark: bool = False) -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._emulate("setEmulatedMedia", media=medium, features=[scheme])

    def _emulate(self, command: str, **how: Any) -> None:
        self.driver.execute_cdp_cmd(f"Emulation.{command}", how)

    def ask(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(f"return {script}", *arguments)

    def by_id(self, id_: str) -> Any:
        return self.driver.find_element("id", id_)

    def press(self, *pressed: str) -> None:
        self.driver.switch_to.active_element.send_keys(*pressed)

    def shown(self) -> list[str]:
        """The rows that a reader has before them."""
        found: list[str] = self.ask(
            "[...document.querySelectorAll('[data-row]')]"
            ".filter(e => !e.closest('[hidden]')).map(e => e.id)"
        )
        return found

    def printed_pages(self) -> int:
        """The number of sheets of paper."""
        paper = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True}
        printed = self.driver.execute_cdp_cmd("Page.printToPDF", paper)
        return len(re.findall(rb"/Type\s*/Page\b(?!s)", base64.b64decode(printed["data"])))

    def wait(self, condition: str) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, 20).until(lambda _: self.ask(condition))

    def requests(self) -> set[str]:
        found = set()
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.add(message["params"]["request"]["url"])
        return found


@pytest.fixture(scope="module")
def dragons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("page")
    path = folder / "page.html"
    path.write_text(page(*DRAGONS, language="uk"), encoding="utf-8")
    with studio_page.browser(folder, recording=True) as window:
        yield Page(window.driver, path)


def test_the_browser_has_nothing_to_complain_of_and_fetches_nothing(dragons: Page) -> None:
    dragons.open()
    assert dragons.driver.get_log("browser") == []
    found = {url for url in dragons.requests() if not url.startswith("data:")}
    assert found == {dragons.path.as_uri()}


@pytest.mark.parametrize("wide", (PHONE, 768, 1400))
def test_nothing_has_to_be_scrolled_sideways(dragons: Page, wide: int) -> None:
    dragons.open(wide=wide)
    dragons.ask("document.querySelectorAll('details').forEach(e => { e.open = true })")
    assert dragons.ask("document.documentElement.scrollWidth") <= wide
    beyond = dragons.ask(
        "[...document.querySelectorAll('main *, header *, nav *, footer *')].filter(e => {"
        " const box = e.getBoundingClientRect();"
        " return box.right > innerWidth + 1 && !e.closest('.vh, svg') && box.width > 1;"
        "}).map(e => e.outerHTML.slice(0, 120))"
    )
    assert beyond == []


def test_everything_can_be_read_without_scripts(dragons: Page) -> None:
    dragons.open(scripts=False)
    main = dragons.driver.find_element("tag name", "main")
    assert main.is_displayed()
    assert not dragons.driver.find_element("class name", "tools").is_displayed()
    amendment = dragons.driver.find_elements("css selector", ".firsts tbody tr")
    assert amendment
    assert all(row.is_displayed() for row in amendment)
    turn = dragons.driver.find_elements("css selector", "[data-row=turn]")
    assert turn[0].is_displayed()
    fold = dragons.driver.find_element("css selector", "#topics details.fold")
    rows = fold.find_elements("css selector", "[data-row=topics]")
    assert not rows[0].is_displayed()
    fold.find_element("css selector", "summary").send_keys(keys.ENTER)
    assert rows[0].is_displayed()
    dragons.open()


@pytest.mark.parametrize(("wide", "high"), [(1440, 900), (PHONE, 844)])
def test_the_first_differences_are_on_the_first_screen(dragons: Page, wide: int, high: int) -> None:
    dragons.open(wide=wide)
    ends = dragons.ask(
        "[...document.querySelectorAll('.firsts tbody tr:not(.phase)')]"
        ".map(e => e.getBoundingClientRect().bottom)"
    )
    assert sum(end <= high for end in ends) >= (10 if wide > 1000 else 4)


def test_an_opened_page_is_short_and_so_is_a_printed_one(dragons: Page) -> None:
    dragons.open(wide=1440)
    assert dragons.ask("document.documentElement.scrollHeight") <= 23 * 900
    assert 0 < dragons.printed_pages() <= 15


def test_a_line_of_the_answer_leads_to_its_row(dragons: Page) -> None:
    dragons.open(scripts=False)
    link = dragons.driver.find_element("css selector", ".firsts tbody a")
    row = dragons.by_id(link.get_attribute("href").partition("#")[2])
    assert not row.is_displayed()
    link.click()
    assert row.is_displayed()
    dragons.open()


def test_a_search_by_keyboard_leaves_the_rows_that_have_the_words(dragons: Page) -> None:
    dragons.open()
    every = dragons.shown()
    dragons.press("/")
    assert dragons.ask("document.activeElement.id") == "find"
    dragons.press("fairy turn start")
    dragons.wait("document.getElementById('shown').textContent !== ''")
    found = dragons.shown()
    assert 0 < len(found) < len(every)
    for id_ in found[:20]:
        text = (dragons.by_id(id_).get_attribute("textContent") + id_).lower()
        assert all(word in text for word in ("fairy", "turn", "start"))
    count = dragons.ask("document.getElementById('shown').textContent")
    assert str(len(found)) in count
    assert str(len(every)) in count
    dragons.press(keys.ESCAPE)
    assert dragons.shown() == every


def test_words_that_no_row_has_are_said_to_be_so(dragons: Page) -> None:
    dragons.open()
    dragons.press("/")
    dragons.press("xyzzy")
    dragons.wait("document.getElementById('shown').textContent !== ''")
    assert dragons.shown() == []
    text = dragons.by_id("shown")
    assert text.text == text.get_attribute("data-none")


def test_rows_are_filtered_by_weight_state_and_section_with_the_keyboard(dragons: Page) -> None:
    dragons.open()
    dragons.ask("document.querySelector('input[value=play]').focus()")
    dragons.press(keys.SPACE)
    found = dragons.ask(
        "[...document.querySelectorAll('[data-row]')].filter(e => !e.closest('[hidden]'))"
        ".map(e => e.dataset.impact)"
    )
    assert set(found) == {"play"}
    dragons.by_id("state").send_keys(keys.ARROW_DOWN)
    dragons.by_id("section").send_keys(keys.ARROW_DOWN)
    found = dragons.ask(
        "[...document.querySelectorAll('[data-row]')].filter(e => !e.closest('[hidden]'))"
        ".map(e => [e.dataset.row, e.dataset.state, e.dataset.impact].join())"
    )
    assert set(found) == {"turn,differs,play"}
    dragons.by_id("clear").send_keys(keys.ENTER)
    assert len(dragons.shown()) > len(found)
    assert dragons.ask("document.activeElement.id") == "find"


def test_the_filters_are_in_the_address(dragons: Page) -> None:
    dragons.open()
    dragons.ask("document.querySelector('input[value=play]').click()")
    dragons.by_id("section").send_keys(keys.ARROW_DOWN)
    address, found = dragons.ask("location.href"), dragons.shown()
    assert address.endswith("#?impact=play&section=turn")
    dragons.open()
    assert dragons.shown() != found
    dragons.driver.get(address)
    dragons.wait("document.querySelector('input[value=play]').checked")
    assert dragons.shown() == found
    dragons.by_id("clear").send_keys(keys.ENTER)
    assert dragons.ask("location.hash") == ""


def test_one_switch_shows_the_details_for_authors(dragons: Page) -> None:
    dragons.open()
    seen = "[...document.querySelectorAll('.author')].filter(e => e.checkVisibility()).length"
    dragons.ask("document.querySelectorAll('details').forEach(e => { e.open = true })")
    assert dragons.ask(seen) == 0
    dragons.by_id("author").send_keys(keys.SPACE)
    assert dragons.ask(seen) > 100
    dragons.by_id("author").send_keys(keys.SPACE)
    rule = dragons.ask("document.querySelector('#authors [data-row=rules]').id")
    dragons.ask("location.hash = arguments[0]", rule)
    dragons.wait(f"document.getElementById({rule!r}).checkVisibility()")
    assert dragons.by_id("author").is_selected()


def test_paper_has_all_topics_that_differ_the_tiles_and_the_box(dragons: Page) -> None:
    dragons.open(wide=1440)
    dragons.ask(
        "addEventListener('beforeprint', () => { window.printed ="
        " [...document.querySelectorAll('[data-row]')].filter(e => e.checkVisibility())"
        " .map(e => e.dataset.row + ' ' + e.dataset.state) })"
    )
    pages = dragons.printed_pages()
    counts = Counter(dragons.ask("window.printed"))
    every = Counter(
        dragons.ask(
            "[...document.querySelectorAll('[data-row]:not(.author *)')]"
            ".map(e => e.dataset.row + ' ' + e.dataset.state)"
        )
    )
    for kind in ("topics differs", "tiles differs", "tiles only", "components differs"):
        assert counts[kind] == every[kind] > 0, kind
    assert not {kind for kind in counts if kind.endswith("same") and not kind.startswith("turn")}
    assert 3 < pages <= 12


def test_a_link_leads_to_its_row_even_where_that_is_folded_or_filtered_away(dragons: Page) -> None:
    dragons.open()
    folded = dragons.ask("document.querySelector('details.fold:not([open]) [data-row]').id")
    dragons.press("/")
    dragons.press("xyzzy")
    dragons.wait("document.getElementById('shown').textContent !== ''")
    dragons.ask("location.hash = arguments[0]", folded)
    dragons.wait(f"document.getElementById({folded!r}).closest('details').open")
    assert folded in dragons.shown()
    dragons.wait(
        f"(b => b.top >= 0 && b.top < innerHeight)"
        f"(document.getElementById({folded!r}).getBoundingClientRect())"
    )


def test_the_first_tab_is_the_way_to_the_comparison(dragons: Page) -> None:
    dragons.open()
    dragons.press(keys.TAB)
    assert dragons.ask("document.activeElement.getAttribute('href')") == "#main"
    dragons.press(keys.ENTER)
    assert dragons.ask("document.activeElement.id") == "main"


def test_whatever_has_the_focus_shows_it(dragons: Page) -> None:
    dragons.open()
    for _ in range(14):
        dragons.press(keys.TAB)
        outline = dragons.ask(
            "(e => [e.tagName, ...[e, e.closest('label') || e].map("
            "x => parseFloat(getComputedStyle(x).outlineWidth) || 0)])(document.activeElement)"
        )
        assert max(outline[1:]) >= 2, outline


@pytest.mark.parametrize("dark", (False, True), ids=("light", "dark"))
def test_the_page_is_light_or_dark_as_the_system_or_the_reader_wishes(
    dragons: Page, dark: bool
) -> None:
    dragons.open(dark=dark)
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    by_system = dragons.ask(paper)
    assert (sum(channels(by_system)) < 200) is dark
    theme = dragons.by_id("theme")
    theme.send_keys(keys.END if not dark else keys.ARROW_DOWN)
    wished = dragons.ask(paper)
    assert (sum(channels(wished)) < 200) is not dark
    dragons.driver.refresh()
    dragons.wait(f"{paper} === {wished!r}")  # it is kept
    dragons.by_id("theme").send_keys(keys.HOME)
    assert dragons.ask(paper) == by_system


@pytest.mark.parametrize("dark", (False, True), ids=("light", "dark"))
def test_every_text_can_be_told_from_its_ground(dragons: Page, dark: bool) -> None:
    dragons.open(dark=dark)
    dragons.ask("document.querySelectorAll('details').forEach(e => { e.open = true })")
    found = dragons.ask(
        """[...new Set([...document.querySelectorAll('body *')].filter(e =>
            !e.closest('svg, .vh, option, script, style') && e.checkVisibility()
            && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())
        ).map(e => {
            let ground = e;
            const is_clear = c => c === 'transparent' || c === 'rgba(0, 0, 0, 0)';
            while (ground && is_clear(getComputedStyle(ground).backgroundColor))
                ground = ground.parentElement;
            let solid = 1;
            for (let up = e; up; up = up.parentElement) solid *= getComputedStyle(up).opacity;
            return [getComputedStyle(e).color, getComputedStyle(ground).backgroundColor,
                    solid, e.className].join('|');
        }))]"""
    )
    assert len(found) > 10
    for entry in found:
        ink, ground, solid, name = entry.split("|")
        if float(solid) < 1:  # pale text repeats other text
            assert "badge" in name
            continue
        assert contrast(hexed(ink), hexed(ground)) >= 4.5, entry


def test_on_paper_the_page_is_light_and_has_no_tools(dragons: Page) -> None:
    dragons.open(dark=True)
    dragons.medium("print", dark=True)
    try:
        assert sum(channels(dragons.ask("getComputedStyle(document.body).color"))) < 200
        for part in (".tools", ".contents", ".skip"):
            shown = dragons.ask(
                "getComputedStyle(document.querySelector(arguments[0])).display", part
            )
            assert shown == "none"
        assert dragons.ask("document.documentElement.scrollWidth") <= 1400
    finally:
        dragons.medium("")


def channels(colour: str) -> list[int]:
    """`rgb(1, 2, 3)` as numbers."""
    inside = colour[colour.index("(") + 1 : colour.index(")")]
    return [round(float(part)) for part in inside.split(",")[:3]]


def hexed(colour: str) -> str:
    return "#" + "".join(f"{part:02x}" for part in channels(colour))
