"""The table in a real browser: whole games by pointer and by keyboard, undo, reload, two tabs."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import tilewright as tw
from support.studio_page import Page, Server, browser, server
from support.studio_table import (
    BothPlayer,
    KeyboardPlayer,
    PointerPlayer,
    begin,
    look,
    save,
)

pytestmark = pytest.mark.slow

#: sizes of windows, and whether in the dark mode
LOOKS = [(*size, dark) for size in ((1440, 900), (390, 844)) for dark in (False, True)]

BASE = "c2/base"
MANY_C2 = (
    "c2/base+c2/farmers+c2/abbot+c2/princess-and-dragon+c2/gold-mines+c2/little-buildings"
    "+c2/crop-circles+c2/king-and-robber+c2/shrines"
)
ALL_C3 = "c3/base+c3/farmers+c3/abbot+c3/river+c3.1/traders-and-builders+c3.1/dragon-and-fairy"


@pytest.mark.parametrize("game", [BASE, MANY_C2, ALL_C3])
def test_a_whole_game_is_played_and_replays_on_the_command_line(page: Page, game: str) -> None:
    begin(page, game, seed="whole")
    end = BothPlayer(page, seed=3).play()
    assert end["over"], end["said"]
    assert page.complaints() == []
    path = save(page)
    assert tw.resume(path.read_text("utf-8")).digest == end["digest"]
    command = [sys.executable, "-m", "tilewright", "replay", str(path), "--check"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    path.unlink()
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_choice_is_taken_back_made_again_and_made_otherwise(page: Page) -> None:
    begin(page, BASE, seed="back")
    PointerPlayer(page, seed=1).play(6)
    before = look(page)
    KeyboardPlayer(page, seed=2).play(1)
    after = look(page)
    page.press("u")
    page.wait("document.querySelector('.table').dataset.digest === arguments[0]", before["digest"])
    page.press("Shift+U")
    page.wait("document.querySelector('.table').dataset.digest === arguments[0]", after["digest"])
    page.press("u")
    page.wait("document.querySelector('.table').dataset.digest === arguments[0]", before["digest"])
    KeyboardPlayer(page, seed=11).play(1)
    other = look(page)
    assert other["digest"] not in (before["digest"], after["digest"])
    match = page.ask("location.hash.split('/')[2]")
    page.go(f"#/play/{match}/replay")
    page.wait("document.querySelector('.table.replay .branch')")


def test_a_bot_plays_on_its_own(page: Page) -> None:
    begin(page, BASE, seed="bot", bots=1)
    PointerPlayer(page, seed=1).play(1)
    page.wait("document.querySelectorAll('.turn [role=option], .frame g.legal').length")
    PointerPlayer(page, seed=2).play(1)
    page.wait("document.querySelectorAll('.log, #side ol li').length >= 2")
    page.wait("document.querySelector('.middle p').innerText.match(/Place/)")


def test_hints_reasons_and_refusals_are_shown_beside_the_board(page: Page) -> None:
    begin(page, BASE, seed="reasons")
    KeyboardPlayer(page, seed=4).play(30)
    shown = look(page)
    if not shown["places"]:
        page.press("0")
        page.wait("document.querySelector('.frame g.legal')")
    page.press("h")
    page.wait("document.querySelectorAll('#side ol li button').length === 3")
    page.click_on("#side ol li button")
    page.wait("document.querySelector('.frame .ghost')")
    page.press("Escape")
    page.wait("!document.querySelector('.frame .ghost')")
    x, y = page.ask(
        "(b => [b.x + b.width / 2, b.y + b.height / 2])"
        "(document.querySelector('.land image').getBoundingClientRect())"
    )
    page.click(x, y, button="right")
    page.wait("document.querySelector('#side h2')")
    page.click_on(".players button.points")
    page.wait("document.querySelector('#side')")
    assert page.complaints() == []


def test_every_turn_of_the_replay_is_reached_by_keys(page: Page) -> None:
    begin(page, BASE, seed="replay", bots=1)
    KeyboardPlayer(page, seed=5).play(16)
    # the bot has scored by then
    page.wait("[...document.querySelectorAll('.players .points')].some(p => p.innerText !== '0')")
    page.wait("document.querySelectorAll('.frame g.legal, .turn [role=option]').length")
    end = look(page)
    match = page.ask("location.hash.split('/')[2]")
    page.go(f"#/play/{match}/replay")
    page.wait("document.querySelector('.table.replay .slider')")
    page.press("Home")
    page.wait("document.querySelector('.table').dataset.at === '0'")
    page.press("]")
    page.wait("document.querySelector('.table').dataset.at !== '0'")
    page.press("End")
    page.wait("document.querySelector('.table').dataset.digest === arguments[0]", end["digest"])
    page.press("ArrowLeft")
    page.wait("document.querySelector('.table').dataset.digest !== arguments[0]", end["digest"])
    page.press("b")
    page.wait("!document.querySelector('.table.replay')")
    KeyboardPlayer(page, seed=6).play(2)


def test_a_reload_in_mid_game_loses_nothing(page: Page) -> None:
    begin(page, BASE, seed="reload")
    PointerPlayer(page, seed=5).play(7)
    before = look(page)
    page.driver.refresh()
    after = look(page)
    assert (after["at"], after["digest"]) == (before["at"], before["digest"])
    PointerPlayer(page, seed=6).play(2)


def test_two_tabs_show_the_same_match_and_a_late_choice_is_refused_with_a_sentence(
    page: Page,
) -> None:
    begin(page, BASE, seed="tabs")
    address = page.ask("location.href")
    assert "token" not in address
    first, shown = page.driver.current_window_handle, look(page)
    with page.held("match.choose"):
        KeyboardPlayer(page, seed=2).choose(shown)  # is on its way
        page.driver.switch_to.new_window("tab")
        page.size(1440, 900)
        # a tab without the token asks the first one for it
        page.driver.get(address)
        assert look(page)["digest"] == shown["digest"]
        KeyboardPlayer(page, seed=1).play(1)
        second = look(page)
        page.driver.close()
        page.driver.switch_to.window(first)
        page.driver.execute_cdp_cmd("Page.bringToFront", {})
    alerts = "[...document.querySelectorAll('[role=alert]')]"
    page.wait(f"{alerts}.some(each => each.textContent.includes('has gone on'))")
    page.wait("document.querySelector('.table').dataset.digest === arguments[0]", second["digest"])
    assert second["digest"] != shown["digest"]
    # the next choice is made on what is there now
    KeyboardPlayer(page, seed=3).play(1)


def test_a_page_without_the_token_says_where_to_get_it(studio: Server, window: Page) -> None:
    window.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {
        "origin": f"http://127.0.0.1:{studio.port}", "storageTypes": "all"})  # fmt: skip
    window.driver.switch_to.new_window("tab")
    try:
        window.driver.get(f"http://127.0.0.1:{studio.port}/#token=wrong")
        window.wait("document.querySelector('.refused')")
        assert "tilewright studio" in window.text(".refused")
        assert window.ask("!document.querySelector('.table, .start')")
        # the whole address, pasted into this tab, opens the page
        window.driver.get(studio.address)
        window.wait("document.querySelector('main > *') && !document.querySelector('.refused')")
    finally:
        window.driver.close()
        window.driver.switch_to.window(window.driver.window_handles[0])


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_server_that_is_killed_and_started_again_has_the_match(
    window: Page, tmp_path: Path, how: int
) -> None:
    with server(tmp_path) as first:
        window.open(first.address)
        begin(window, BASE, seed="killed")
        PointerPlayer(window, seed=5).play(5)
        before = look(window)
        match = window.ask("location.hash")
        first.stop(how)
        window.wait("document.querySelector('.lost')")
        assert "tilewright studio" in window.text(".lost")
        assert look(window)["digest"] == before["digest"]
        port = first.port
    with server(tmp_path, port=port) as second:
        window.open(second.address)
        window.go("#/play")
        window.wait("document.querySelector('.kept a')")
        assert window.ask("document.querySelector('.kept a').getAttribute('href')") == match
        window.click_on(".kept a")
        after = look(window)
        assert after["digest"] == before["digest"]


def test_nothing_is_asked_of_another_origin(studio: Server, tmp_path: Path) -> None:
    origin = re.compile(rf"(http|ws)://127\.0\.0\.1:{studio.port}/|about:|data:|blob:|chrome")
    with browser(tmp_path, recording=True) as page:
        page.open(studio.address)
        begin(page, BASE, seed="origin")
        PointerPlayer(page, seed=5).play(3)
        asked = page.requests()
    assert any(url.startswith("http:") for url in asked)
    assert [url for url in asked if not origin.match(url)] == []


def test_axe_finds_nothing(page: Page) -> None:
    begin(page, "c2/princess-and-dragon", seed="axe")
    KeyboardPlayer(page, seed=8).play(21)
    match = page.ask("location.hash.split('/')[2]")
    for fragment in ("#/play", f"#/play/{match}", f"#/play/{match}/replay"):
        page.go(fragment)
        page.wait("document.querySelector('.start, .table')")
        for wide, high, dark in LOOKS:
            page.look(wide, high, dark=dark)
            page.wait("!document.querySelector('.wait')")
            assert page.axe() == [], (fragment, wide, dark)
            assert page.ask("document.documentElement.scrollWidth") <= wide
            parts = "[...document.querySelectorAll('.turn, .dock')]"
            fits = f"{parts}.every(one => one.scrollWidth <= one.clientWidth)"
            assert page.ask(fits), (fragment, wide, dark)
    # the other kind of decision
    page.go(f"#/play/{match}")
    page.wait("document.querySelector('.table:not(.replay)')")
    at = look(page)["at"]
    page.press("u")
    page.wait("document.querySelector('.table').dataset.at !== arguments[0]", at)
    for wide, high, dark in LOOKS:
        page.look(wide, high, dark=dark)
        assert page.axe() == [], (wide, dark)
