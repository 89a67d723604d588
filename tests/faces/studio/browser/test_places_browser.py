"""The way to a match, to a book and to what is searched for, in a real browser."""

from __future__ import annotations

import json

import pytest

from support.studio_page import Page

pytestmark = pytest.mark.slow

BOX = "c2/princess-and-dragon"
BOOK = "#/book/c2%2Fprincess-and-dragon"
#: the widths of windows and the modes in which axe looks
LOOKS = [(wide, dark) for dark in (False, True) for wide in (1440, 390)]


def type_into_search(page: Page, text: str) -> None:
    page.press("/")
    page.wait("document.activeElement?.matches('header input[type=search]')")
    page._do("Input.insertText", text=text)


# ------------------------------------------------------------------ a match


@pytest.mark.parametrize(("wide", "press"), [(1440, ".game .primary"), (390, ".bar .primary")])
def test_one_press_in_the_library_begins_a_match(page: Page, wide: int, press: str) -> None:
    page.look(wide, 844)
    page.go("#/library")
    page.wait(f"document.querySelector('{press}')?.ariaDisabled === null")
    page.click_on(press)
    page.wait("document.querySelector('.table')")
    assert page.complaints() == []


def test_the_base_game_comes_first_and_boxes_are_ticked(page: Page) -> None:
    page.go("#/library")
    first = page.wait("document.querySelector('.cards h3')?.innerText")
    page.go("#/play")
    page.wait("document.querySelector('.boxes label svg')")
    page.wait("!document.querySelector('.start .buttons .primary[aria-disabled]')")
    chosen = "document.querySelector('.start .game select').selectedOptions[0].innerText"
    assert page.ask(chosen).startswith(first)
    page.click_on(".boxes label", text="Princess")
    page.wait("document.querySelectorAll('.boxes .in').length === 1")
    # a box that does not go with it any more cannot be ticked, and has its reason beside it
    page.click_on(".boxes .all button")
    page.wait("document.querySelectorAll('.boxes li').length > 20")
    page.click_on(".start .buttons .primary")
    page.wait("document.querySelector('.table')")
    page.go("#/play")
    page.wait("document.querySelector('.kept b')?.innerText.includes('Princess')")
    page.click_on(".boxes label", text="Princess")
    page.wait("!document.querySelector('.boxes .in')")
    assert page.complaints() == []


def test_it_is_shown_what_is_done_until_the_table_is_there(page: Page) -> None:
    page.go("#/play?game=c2%2Fbase")
    page.wait("!document.querySelector('.start .buttons .primary[aria-disabled]')")
    shown = "[...document.querySelectorAll('.doing li')].map(e => [e.innerText, e.className])"
    with page.held("sheet.get"):
        with page.held("match.new"):
            page.click_on(".start .buttons .primary")
            page.wait("document.querySelector('.doing')")
            steps = page.ask(shown)
            assert [words.strip() for words, _ in steps][-1] == "Drawing the tiles"
            # nothing is reported yet
            assert not any("now" in how or "done" in how for _, how in steps)
        page.wait("document.querySelector('main .wait')")
        page.wait("document.querySelectorAll('.doing li.done').length === 3")
    page.wait("document.querySelector('.table') && !document.querySelector('.doing')")
    assert page.complaints() == []


def test_the_form_of_a_match_has_its_place_before_its_boxes_are_read(page: Page) -> None:
    seats = "document.querySelector('.start ol')?.getBoundingClientRect().top"
    page.go("#/share")
    page.wait("document.querySelector('.choose')")
    page.ask("void location.reload()")  # a visit that has not read them
    page.wait("document.querySelector('.choose')")
    with page.held("library.list"):
        page.go("#/play")
        page.wait("document.querySelector('.boxes .bones')")
        before = page.wait(seats)
    page.wait("document.querySelector('.boxes label')")
    assert page.ask(seats) == before


@pytest.mark.parametrize("language", ["uk", "pl"])
def test_the_way_to_a_match_speaks_the_language_of_the_reader(page: Page, language: str) -> None:
    settings = json.dumps({"language": language})
    page.ask("void localStorage.setItem('tilewright.settings', arguments[0])", settings)
    page.ask("void location.reload()")
    page.go("#/play")
    page.wait("document.documentElement.lang === arguments[0]", language)
    page.wait("document.querySelector('.boxes label')")
    page.click_on(".more summary")
    said = page.text("main")
    page.ask("void localStorage.removeItem('tilewright.settings')")
    assert "play_" not in said and "library_" not in said and "Boxes" not in said


@pytest.mark.parametrize("place", ["#/play", f"{BOOK}/turn"])
def test_axe_finds_nothing(page: Page, place: str) -> None:
    page.go(place)
    for wide, dark in LOOKS:
        page.look(wide, dark=dark)
        page.wait("document.querySelector('.boxes label, .text .rule')")
        assert page.axe() == [], (wide, dark)
        assert page.ask("document.documentElement.scrollWidth <= innerWidth"), (wide, dark)


# ------------------------------------------------------------------ a book


def test_a_turn_is_told_in_sentences(page: Page) -> None:
    page.go(f"{BOOK}/turn")
    page.wait("document.querySelectorAll('.text h2').length > 5")
    told = page.text(".text")
    assert "Whoever's turn it is takes a single hidden tile" in told
    assert "_" not in told


def test_tiles_of_a_book_are_called_by_what_they_show(page: Page) -> None:
    page.go(f"{BOOK}/tiles")
    page.wait("document.querySelector('.tiles svg')")
    named = page.ask("[...document.querySelectorAll('.tiles .words')].map(e => e.innerText)")
    assert "City, north, west, princess; road, east, south" in named
    assert not any("city1" in name or "_" in name for name in named)


def test_a_search_shows_the_open_book_first_and_stays_there(page: Page) -> None:
    page.go(f"{BOOK}/tiles")
    page.wait("document.querySelector('.tiles svg')")
    type_into_search(page, "volcano")
    page.wait("document.querySelectorAll('.found li').length > 5")
    assert page.text(".found h2") == "In this book"
    assert page.ask("location.hash") == f"{BOOK}/tiles"
    page.wait("document.querySelectorAll('.found h2').length > 1")
    for dark in (False, True):
        page.look(1440, dark=dark)
        assert page.axe() == []
    # by keys to what was found, and back to the page by Escape
    page.press("ArrowDown", "ArrowDown")
    assert page.ask("document.activeElement === document.querySelectorAll('.found a')[1]")
    page.press("Escape")
    page.wait("document.querySelector('.found').hidden")
    page.press("ArrowDown", "Enter")
    page.wait("document.querySelector('.text .statement')")
    assert page.ask("location.hash").startswith(f"{BOOK}/")
    assert page.complaints() == []


def test_a_search_on_a_small_screen_has_a_panel(page: Page) -> None:
    page.look(390, 844, dark=True)
    page.go(f"{BOOK}/sheet")
    page.wait("document.querySelector('.text .rule')")
    page.click_on(".find button")
    page.wait("document.activeElement?.matches('dialog input[type=search]')")
    page._do("Input.insertText", text="volcano")
    page.wait("document.querySelectorAll('dialog .found li').length > 5")
    assert page.axe() == []
    page.click_on("dialog .found a")
    page.wait("document.querySelector('.text .statement')")
    page.wait("!document.querySelector('dialog[open]')")
    assert page.complaints() == []
