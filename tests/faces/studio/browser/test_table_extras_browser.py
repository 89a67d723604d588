"""The table in a real browser besides playing: motions, features, dead places, watched seats, and
kinds of options that no shipped game has.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from support.paths import DATA
from support.studio_page import Page, Server, server
from support.studio_table import KeyboardPlayer, Player, PointerPlayer, begin, look

pytestmark = pytest.mark.slow

#: tiles with a segment in a tint
TINTED = '.land image[href*="opacity%3D%22.5%22"]'
LIVE = "document.querySelector('[aria-live=polite].visually-hidden').innerText"
AT = "document.querySelector('.table').dataset.at"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    choices = str(DATA / "choices")
    with server(tmp_path_factory.mktemp("studio"), "--folder", choices) as started:
        yield started


# ------------------------------------------------------------------ rare kinds of options


def _options(page: Page) -> dict[str, Any]:
    page.wait("document.querySelector('.turn [role=option]')")
    return look(page)


@pytest.mark.parametrize("player", [PointerPlayer, KeyboardPlayer])
def test_a_token_a_number_and_a_player_are_chosen(page: Page, player: type[Player]) -> None:
    begin(page, "house/market", seats=3, seed="market")
    kinds = []
    by = player(page, seed=1)
    for _ in range(3):
        shown = _options(page)
        kinds.append(shown["said"])
        labels = page.ask("[...document.querySelectorAll('.turn [role=option] b')]"
                          ".map(one => one.innerText)")  # fmt: skip
        kinds.append(" ".join(labels))
        if player is KeyboardPlayer:
            page.press("2", "Enter")
        else:
            page.click_on(f".turn [role=option][data-n='{shown['options'][1]}']")
            page.click_on(".turn .options .buttons button")
        page.wait(f"{AT} !== arguments[0]", shown["at"])
    said = " ".join(kinds).lower()
    assert all(
        word in said
        for word in (
            "take a ware",
            "salt silk",
            "name a price",
            "1 2 3",
            "thank a player",
            "red blue green",
        )
    )
    # the token, two points for the price, one for the second player
    page.wait("document.querySelector('.players li .token')")
    points = "[...document.querySelectorAll('.players .points')].map(p => p.innerText)"
    assert page.ask(points) == ["2", "1", "0"]
    by.play(20)
    assert page.complaints() == []


# ------------------------------------------------------------------ motion


_WATCH = """
(() => {
  window.flown = [];
  new MutationObserver((changes) => {
    for (const change of changes)
      for (const node of change.addedNodes)
        if (node.classList?.contains("motion")) window.flown.push(node.innerText.trim());
  }).observe(document.body, {subtree: true, childList: true});
})()
"""


def _motion(page: Page, is_wanted: bool) -> None:
    value = "no-preference" if is_wanted else "reduce"
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"media": "", "features": [{"name": "prefers-reduced-motion", "value": value}]},
    )


def _until_points(page: Page) -> None:
    player = KeyboardPlayer(page, seed=4)
    points = "[...document.querySelectorAll('.players .points')].some(p => p.innerText !== '0')"
    while not page.ask(points):
        player.play(player.choices + 1)
        assert player.choices < 80, "nobody has scored"


def test_points_fly_with_their_items_and_figures_fly_home(page: Page) -> None:
    begin(page, "c2/base", seed="reasons")
    _motion(page, True)
    try:
        page.driver.execute_script(_WATCH)
        _until_points(page)
        page.wait("window.flown.length >= 2")
        page.wait("!document.querySelector('.motion')")
        flown = page.ask("window.flown")
        assert any(text.startswith("+") and len(text) > 3 for text in flown), flown
        assert "" in flown, "no figure went home"
        # the reason stays beside the feature
        assert page.ask("document.querySelector('.frame .pop')") is not None
    finally:
        _motion(page, False)


def test_the_key_for_why_shows_the_last_points_also_after_choices_without_points(
    page: Page,
) -> None:
    begin(page, "c2/base", seed="reasons")
    _until_points(page)
    since = "document.querySelector('.frame .pop')"
    player = KeyboardPlayer(page, seed=4)
    while page.ask(f"{since} !== null"):
        player.play(player.choices + 1)
        assert player.choices < 20, "every choice brings points"
    last = page.text("#side .gain button").split()[-1]
    page.press("w")
    page.wait("document.querySelector('#side article h2')?.innerText.includes(arguments[0])", last)
    assert page.ask("document.querySelectorAll('#side article').length") == 1
    # the keys of the table work while the heading has the focus
    page.wait("document.activeElement.matches('#side article h2')")
    shown = look(page)
    KeyboardPlayer(page, seed=5).choose(shown)
    page.wait("document.querySelector('.table').dataset.at !== arguments[0]", shown["at"])


def test_nothing_flies_without_motion(page: Page) -> None:
    begin(page, "c2/base", seed="reasons")
    page.driver.execute_script(_WATCH)
    _until_points(page)
    page.wait("document.querySelector('.frame .pop')")
    assert page.ask("window.flown") == []


# ------------------------------------------------------------------ features and dead places


def test_a_feature_is_shown_under_the_pointer_and_read_from_the_list(page: Page) -> None:
    begin(page, "c2/base", seed="feature")
    player = KeyboardPlayer(page, seed=2)
    player.play(6)
    while not look(page)["places"]:
        player.play(player.choices + 1)
    x, y = page.ask(
        "(b => [b.x + b.width / 2, b.y + b.height / 2])"
        "(document.querySelector('.land image').getBoundingClientRect())"
    )
    page.move(x, y)
    page.wait("document.querySelector('.feature')?.innerText.match(/tile/)")
    page.wait(f"document.querySelectorAll('{TINTED}').length > 0")
    page.press("n")  # about the place under the pointer
    page.wait("document.querySelector('#side-why')?.getAttribute('aria-selected') === 'true'")
    page.move(2, 2)
    page.wait("!document.querySelector('.feature')")
    page.wait(f"document.querySelectorAll('{TINTED}').length === 0")
    page.press("o")
    owned = page.wait(f"document.querySelectorAll('{TINTED}').length")
    # the board has all the room, also after the page was read again
    page.press("c")
    assert page.wait("document.querySelector('.board').clientWidth > 1300") and owned > 0
    assert page.axe() == []
    page.driver.refresh()
    page.wait("document.querySelector('.no-turn.no-side .board')?.clientWidth > 1300")
    for column in ("turn", "side"):
        page.click_on(f".{column}-fold")
    page.wait("document.querySelector('.table:not(.no-turn, .no-side)')")
    page.click_on(".read summary")
    page.click_on(".read li .segments button")
    page.wait("document.querySelector('.feature')")
    said = page.text(".feature")
    page.wait(f"{LIVE}.includes(arguments[0])", said.split(".")[0])
    assert page.axe() == []


def test_an_option_about_a_figure_goes_round_it_and_leaves_it_in_sight(page: Page) -> None:
    match, lot = tw.match("c2/princess-and-dragon", players=2, seed="1"), random.Random(0)
    # the steps of the turn stay below each other while there are few options
    while len(match.options) > 4 or all(each.verb != "fairy" for each in match.options):
        match.choose(lot.choice(match.options))
    path = page.folder / "fairy.json"
    path.write_text(match.save(), encoding="utf-8")
    page.go("#/share")
    page.wait("document.querySelector('input[type=file]')")
    page.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    page.click_on(".page .primary", text="Open the match")
    taken = "document.querySelector('.spot.taken .back')"
    page.wait(f"{taken} && getComputedStyle({taken}).fill === 'none'")
    page.wait("document.querySelectorAll('.steps ol:not(.short) li').length > 5")
    page.press("1")
    page.wait("document.querySelector('.spot.chosen')")
    assert page.ask(f"getComputedStyle({taken}).fill") == "none"


def test_under_strong_contrast_and_on_paper_land_is_drawn_in_black_lines(page: Page) -> None:
    begin(page, "c2/base", seats=2, seed="paper")
    in_lines = "LAND.length && LAND.every(one => one.href.baseVal.includes('%23111111'))".replace(
        "LAND", "[...document.querySelectorAll('.land > image')]"
    )
    assert not page.ask(in_lines)
    page.contrast(True)
    page.wait(in_lines)
    page.contrast(False)
    page.wait(f"!({in_lines})")
    page.dark(True)
    page.wait("document.documentElement.dataset.mode === 'dark'")
    # the whole board is there before the browser lays the page out for the paper
    assert page.ask(
        f"dispatchEvent(new Event('beforeprint')) && {in_lines}"
        " && document.documentElement.dataset.mode === 'light'"
    )
    page.ask("void dispatchEvent(new Event('afterprint'))")
    page.wait(f"document.documentElement.dataset.mode === 'dark' && !({in_lines})")
    page.dark(False)


def test_what_lies_open_beside_the_board_is_drawn(page: Page) -> None:
    begin(page, "house/three-tiles-to-come", seed="open")
    waiting = "[data-stack=tiles_to_come] svg[role=img]"
    page.wait("document.querySelectorAll(arguments[0]).length === 3", waiting)
    titles = "[...document.querySelectorAll(arguments[0])].map(e => e.textContent.trim())"
    _, *later = page.ask(titles, waiting)
    player = KeyboardPlayer(page, seed=1)
    player.play(2)  # the tile and its figure
    page.wait(f"String({titles}.slice(0, 2)) === arguments[1]", waiting, ",".join(later))
    assert page.axe() == []


def test_places_where_nothing_fits_any_more_are_crossed_on_request(page: Page) -> None:
    begin(page, "c2/base", seed="dead")
    KeyboardPlayer(page, seed=4).play(24)
    assert page.ask("!document.querySelector('.frame .dead')")
    page.press("x")
    page.wait("document.querySelector('[aria-pressed=true] svg') && "
              f"/fits on \\d+ place/.test({LIVE})")  # fmt: skip
    said = page.ask(LIVE)
    count = int(said.partition("fits on ")[2].split()[0])
    page.wait("document.querySelectorAll('.frame .dead').length === arguments[0]", count)
    page.press("x")
    page.wait("!document.querySelector('.frame .dead')")


# ------------------------------------------------------------------ watching


def test_a_watched_seat_is_played_on_another_page(page: Page) -> None:
    begin(page, "house/hand-of-three", seed="watch")
    address = page.ask("location.href")
    page.click_on(".cover button")
    page.wait("!document.querySelector('.cover')")
    shown = look(page)
    assert shown["places"] or shown["options"]
    page.click_on("header [aria-label='Only watch']")
    page.wait("/another screen/.test(document.querySelector('.middle p').innerText)")
    hidden = look(page)
    # no hand is shown, no cover offers to show one, and nothing can be chosen or taken back
    assert not hidden["places"] and not hidden["options"] and not hidden["cover"]
    page.press("1", "Enter", "ArrowRight", "Enter", "u")
    assert look(page)["at"] == shown["at"]
    assert page.axe() == []
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    try:
        page.size(1440, 900)
        page.driver.get(address)
        KeyboardPlayer(page, seed=1).play(2)
        played = look(page)
    finally:
        page.driver.close()
        page.driver.switch_to.window(first)
    page.wait(f"{AT} === arguments[0]", played["at"])
    assert not look(page)["cover"]
    # a reload still watches; whoever sits down again may play
    page.driver.refresh()
    page.wait("/another screen/.test(document.querySelector('.middle p')?.innerText ?? '')")
    page.click_on("header [aria-label='Only watch']")
    page.wait("document.querySelector('.cover, .frame g.legal, .turn [role=option]')")


def test_a_match_can_begin_with_seats_that_are_watched(page: Page) -> None:
    page.ask(
        "void localStorage.setItem('tilewright.seats', JSON.stringify(arguments[0]))",
        [
            {"id": 0, "kind": "person", "name": "Anna", "bot": "greedy"},
            {"id": 1, "kind": "watch", "name": "Borys", "bot": "greedy"},
        ],
    )
    page.go("#/library")
    page.go("#/play?game=c2/base")
    page.wait("document.querySelector('.start .seed input')")
    page.click_on(".start .buttons button:not([aria-disabled])")
    page.wait("document.querySelector('.frame g.legal')")
    player = KeyboardPlayer(page, seed=1)
    elsewhere = (
        "/Borys plays at another screen/.test(document.querySelector('.middle p').innerText)"
    )
    while not page.ask(elsewhere):
        player.play(player.choices + 1)
        assert player.choices < 6
    shown = look(page)
    assert not shown["places"] and not shown["options"]
    # the reader's own choices can still be taken back
    page.press("u")
    page.wait("document.querySelector('.frame g.legal, .turn [role=option]')")


def test_a_number_of_many_is_typed_stepped_and_refused(window: Page, tmp_path: Path) -> None:
    rules = tmp_path / "rules" / "price"
    (rules / "rules").mkdir(parents=True)
    (rules / "module.yaml").write_text(
        "id: house/price\nkind: house\ntitle: Price\nrequires: {base: c2/base}\n"
    )
    (rules / "rules" / "price.yaml").write_text(
        "steps:\n  price: {phase: turn, before: [draw_tile], label: price}\n"
        "rules:\n  - id: price.named\n    on: step price\n"
        '    do: choose n in 3..40 by active as "name" { award n to active }\n'
    )
    with server(tmp_path, "--folder", str(tmp_path / "rules")) as started:
        window.open(started.address)
        begin(window, "house/price", seed="price")
        window.wait("document.querySelector('.turn [role=spinbutton]')")
        value = "document.querySelector('.turn [role=spinbutton]').value"
        for wide, dark in ((1440, False), (390, True), (1440, False)):
            window.look(wide, dark=dark)
            window.wait("document.querySelector('[role=spinbutton]')")
            assert window.axe() == [], (wide, dark)
        # a number is typed on the board by its digits; 41 is none of them
        window.press("3", "7")
        window.until(lambda: window.ask(value) == "37")
        window.click_on(".turn [role=spinbutton]")
        window.press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown")
        assert window.ask(value) == "39", "40 is the highest"
        window.press("1")
        window.wait("document.querySelector('.turn [aria-invalid]')")
        window.click_on(".turn .picker button")
        window.until(lambda: window.ask(value) == "40", "the highest one without a chosen one")
        window.click_on(".turn .buttons button")
        window.wait("document.querySelector('.players .points').innerText === '40'")
        assert window.complaints() == []
