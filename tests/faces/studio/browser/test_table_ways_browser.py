"""Ways to play at the table in a real browser: kinds of options, hidden hands, touch, words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support.studio_page import Page, Server
from support.studio_table import KeyboardPlayer, PointerPlayer, begin, look
from tilewright.faces import api

pytestmark = pytest.mark.slow

#: rulesets that offer what others do not: pieces to pick, a hand, directions, yes or no, cells,
#: pieces for others, four players, a table that begins with several tiles, tokens on tiles
UNUSUAL = {
    "house/hand-of-three": 2,
    "house/display-of-three": 2,
    "house/reserve-tile": 2,
    "house/exchange-a-tile": 2,
    "house/opponent-dealer": 3,
    "house/fairy-point-window": 2,
    "house/two-teams": 4,
    "variants/third-dragon-second-fairy": 3,
    "c3/river-two-lakes": 2,
    "c2/traders-and-builders": 5,
    "c2/inns-and-cathedrals": 6,
    "c2/gold-mines+c2/little-buildings+c2/crop-circles+c2/king-and-robber+c2/shrines": 2,
}


@pytest.mark.parametrize("game", UNUSUAL)
def test_every_kind_of_option_can_be_taken_by_pointer_and_by_keyboard(
    page: Page, game: str
) -> None:
    begin(page, game, seats=UNUSUAL[game], seed="ways")
    pointer = PointerPlayer(page, seed=2)
    pointer.play(14)
    keyboard = KeyboardPlayer(page, seed=3)
    end = keyboard.play(14)
    assert end["over"] or pointer.choices + keyboard.choices == 28
    assert page.complaints() == []


def test_a_hidden_hand_is_covered_until_its_player_asks_for_it(page: Page) -> None:
    begin(page, "house/hand-of-three", seed="cover")
    shown = look(page)
    assert shown["cover"]
    assert not shown["places"] and not shown["options"]
    page.press("ArrowDown", "Enter", "1", "Enter")
    assert look(page)["at"] == shown["at"]
    page.click_on(".cover button")
    page.wait("!document.querySelector('.cover')")
    mine = look(page)
    assert mine["places"] or mine["options"]
    in_hands = "document.querySelectorAll('.token image').length"
    assert page.ask(in_hands) > 0
    player = PointerPlayer(page, seed=1)
    for _ in range(12):
        if look(page)["cover"]:
            break
        player.play(player.choices + 1)
    assert look(page)["cover"], "the second player's hand lies open"
    assert page.ask(in_hands) == 0, "the first player's hand lies open"


def test_a_tap_puts_a_tile_and_the_next_one_turns_it(studio: Server, window: Page) -> None:
    window.open(studio.address, wide=390, high=844)
    begin(window, "c2/base", seed="touch")
    window.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        before = look(window)
        x, y = before["places"][0]
        window.tap(x, y)
        window.wait("document.querySelector('.frame .ghost.put')")
        drawn = "document.querySelector('.dock .piece image').getAttribute('href')"
        first = window.ask(drawn)
        ways = int(window.text(".dock small").rpartition("·")[2].split()[0])
        box = "(b => [b.x + b.width / 2, b.y + b.height / 2])"
        box += "(document.querySelector('.frame .ghost image').getBoundingClientRect())"
        if ways > 1:
            window.tap(*window.ask(box))
            window.wait(f"{drawn} !== arguments[0]", first)
        window.click_on(".dock .lay button")
        window.wait("document.querySelector('.table').dataset.at !== arguments[0]", before["at"])
        window.wait("document.querySelector('.dock [role=option]')")
        assert window.ask("document.documentElement.scrollWidth") <= 390
    finally:
        window.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_on_a_phone_the_new_tile_and_the_words_of_options_have_room(
    studio: Server, window: Page
) -> None:
    window.open(studio.address, wide=390, high=844)
    begin(window, "c2/base", seed="phone")
    for _ in range(4):
        before = look(window)
        window.press("ArrowDown")
        window.press("Enter")
        window.wait("document.querySelector('.table').dataset.at !== arguments[0]", before["at"])
        if not window.ask("!!document.querySelector('.dock [role=option]')"):
            continue
        low = "document.querySelector('.zoom').getBoundingClientRect().top"
        tiles = "[...document.querySelectorAll('.frame .bracket')].at(-1).getBoundingClientRect()"
        assert window.ask(f"{tiles}.bottom <= {low}")
        # one word is on one line
        name = "document.querySelector('.dock [role=option] b')"
        assert window.ask(f"{name}.getClientRects().length") == 1
        window.press("0")
        window.wait("!document.querySelector('.dock [role=option]')")


def test_who_is_to_move_is_in_sight_on_a_phone(page: Page) -> None:
    page.size(390, 844)
    begin(page, "c2/base", seats=5, seed="many")
    player = KeyboardPlayer(page, seed=1)
    for seat in range(5):
        now = f".players li:nth-child({seat + 1}).now"
        while not page.ask("document.querySelector(arguments[0])", now):
            player.play(player.choices + 1)
            assert player.choices < 20
        page.wait(
            "(box => box && box.left >= 0 && box.right <= innerWidth + 1)"
            "(document.querySelector(arguments[0])?.getBoundingClientRect())",
            now,
        )


def test_a_tile_is_dragged_from_the_hand(page: Page) -> None:
    begin(page, "c2/base", seed="drag")
    before = look(page)
    x, y = page.ask(
        "(b => [b.x + b.width / 2, b.y + b.height / 2])"
        "(document.querySelector('.hand .large').getBoundingClientRect())"
    )
    page.drag(x, y, *before["places"][0])
    page.wait("document.querySelector('.frame .ghost.put')")
    page.press("Enter")
    page.wait("document.querySelector('.table').dataset.at !== arguments[0]", before["at"])


def test_the_buttons_of_a_tile_in_hand_are_above_those_at_the_edge_of_the_board(page: Page) -> None:
    begin(page, "c2/base", seed="edge")
    before = look(page)
    left, middle = page.ask(
        "(b => [b.x, b.y + b.height / 2])(document.querySelector('.zoom').getBoundingClientRect())"
    )
    # the button that lays a tile is 108 points right of its left edge and 46 below its top edge
    to_x, to_y = left - 60, middle - 16
    page.drag(*before["places"][0], to_x, to_y)
    page.click(to_x, to_y)
    page.wait("document.querySelector('.handles .lay')")
    under = page.ask(
        "(({x, y, width, height}) => document.elementsFromPoint(x + width / 2, y + height / 2))"
        "(document.querySelector('.handles .lay').getBoundingClientRect())"
        ".some(one => one.closest('.zoom'))"
    )
    assert under, "no button of the edge is where the tile is laid"
    page.click_on(".handles .lay")
    page.wait("document.querySelector('.table').dataset.at !== arguments[0]", before["at"])


#: where the options of the list are, and the button below them
ROWS = """
[...document.querySelectorAll(".turn [role=option], .turn .options .primary")].map(
  (one) => (({x, y, width, height}) => [x, y, width, height])(one.getBoundingClientRect()))
"""


def test_the_options_stay_in_their_places_when_their_worth_is_known_and_one_is_chosen(
    page: Page,
) -> None:
    begin(page, "c2/princess-and-dragon+c2/little-buildings", seed="still")
    player = KeyboardPlayer(page, seed=1)
    with page.held("match.worth"):
        while len(look(page)["options"]) < 5:
            player.play(player.choices + 1)
        rows = page.ask(ROWS)
        assert not page.text(".turn [role=option] .worth")
    page.wait("document.querySelector('.turn [role=option] .worth')?.innerText")
    assert page.ask(ROWS) == rows
    page.press("1")
    page.wait("document.querySelector('.turn [aria-selected=true]')")
    assert page.ask(ROWS) == rows


def test_points_on_a_small_board_leave_the_places_beside_them_free(page: Page) -> None:
    begin(page, "c2/base", seed="reasons")
    player = KeyboardPlayer(page, seed=4)
    while not page.ask("document.querySelector('.frame .pop')"):
        player.play(player.choices + 1)
        assert player.choices < 80, "nobody has scored"
    while float(page.text(".zoom output").rstrip("%")) > 34:
        page.press("-")
    tile = 100 * float(page.text(".zoom output").rstrip("%")) / 100
    for width, height, said in page.ask(
        "[...document.querySelectorAll('.frame .pop')].map(p => [p.getBoundingClientRect().width, "
        "p.getBoundingClientRect().height, p.innerText])"
    ):
        # it lies on the middle of a tile and does not reach the middle of the next one
        assert max(width, height) / 2 < tile, said


def test_the_wheel_turns_the_ghost_and_elsewhere_changes_the_size(page: Page) -> None:
    begin(page, "c2/base", seed="wheel")
    size = page.text(".zoom output")
    wheel = {"type": "mouseWheel", "deltaX": 0, "deltaY": 120}
    page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {**wheel, "x": 500, "y": 300})
    page.wait("document.querySelector('.zoom output').innerText !== arguments[0]", size)
    page.press("f")
    page.wait("document.querySelector('.zoom output').innerText === arguments[0]", size)


@pytest.mark.parametrize(("language", "word"), [("uk", "Грати"), ("pl", "Graj"), ("en", "Play")])
def test_the_table_speaks_the_language_of_the_reader(page: Page, language: str, word: str) -> None:
    begin(page, "c2/base", seed="words")
    PointerPlayer(page, seed=1).play(1)
    keep = "void localStorage.setItem('tilewright.settings', JSON.stringify(arguments[0]))"
    page.ask(keep, {"language": language})
    page.driver.refresh()
    look(page)
    page.wait("document.documentElement.lang === arguments[0]", language)
    assert word in page.text("header nav")
    tabs = "[...document.querySelectorAll('.side [role=tab]')]"
    assert page.ask(f"{tabs}.every(tab => tab.getBoundingClientRect().right <= innerWidth)")
    # no key of a word is shown in place of the word
    shown = page.ask("document.body.innerText")
    assert not [text for text in shown.split() if text.startswith(("play_", "ui_"))]
    page.ask("void localStorage.removeItem('tilewright.settings')")


def test_a_purist_sees_no_help_and_can_play(page: Page) -> None:
    page.ask("void localStorage.setItem('tilewright.settings', JSON.stringify({purist: true}))")
    page.driver.refresh()
    page.wait("document.querySelector('main > *')")
    try:
        begin(page, "c2/base", seed="purist")
        shown = look(page)
        assert shown["places"] == []
        page.press("ArrowRight", "Enter")
        page.wait("document.querySelector('.table').dataset.at !== arguments[0]", shown["at"])
        assert page.ask("!document.querySelector('.worth')")
    finally:
        page.ask("void localStorage.removeItem('tilewright.settings')")


def test_what_happens_is_said_for_those_who_do_not_see_it(page: Page) -> None:
    begin(page, "c2/base", seed="said")
    page.press("ArrowRight")
    live = "document.querySelector('[aria-live=polite].visually-hidden').innerText"
    page.wait(f"/from the first tile \\d/.test({live})")
    page.press("Enter")
    page.wait(f"/Place a meeple|your turn/i.test({live})")
    page.click_on(".read summary")
    page.wait("document.querySelectorAll('.read li').length >= 2")
    read = page.text(".read ul")
    assert "the first tile" in read.lower() and not re.search(r"\d,\d", read)


def test_the_keys_are_listed_and_can_be_switched_off(page: Page) -> None:
    begin(page, "c2/base", seed="keys")
    page.press("?")
    page.wait("document.querySelector('dialog[open] dl')")
    listed = page.text("dialog[open] dl")
    assert "Take back" in listed or "Turn the tile" in listed
    assert page.axe() == []
    page.press("Escape")
    page.wait("!document.querySelector('dialog[open]')")


def test_a_save_of_other_rules_is_refused_and_replayed_as_far_as_it_goes(
    page: Page, tmp_path: Path
) -> None:
    match = api.match("c2/base", players=2, seed=3)
    for _ in range(8):
        match.choose(0)
    saved = json.loads(match.save())
    saved["hash"] = "0" * 32
    saved["rulesets"]["c2/base"]["hash"] = "0" * 32
    saved["digest"] = "0" * 32
    path = tmp_path / "other.json"
    path.write_text(json.dumps(saved), encoding="utf-8")
    page.go("#/play")
    page.wait("document.querySelector('input[type=file]')")
    page.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    page.wait("document.querySelector('.problem button')")
    assert page.text(".problem")
    page.click_on(".problem button")
    page.wait("document.querySelector('.table.replay')")


def test_a_file_that_is_no_match_is_refused_with_a_sentence(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text("{]", encoding="utf-8")
    page.go("#/play")
    page.wait("document.querySelector('input[type=file]')")
    page.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    page.wait("document.querySelector('.problem')")
    assert page.ask("!document.querySelector('.problem button')")
    assert page.complaints() == []
