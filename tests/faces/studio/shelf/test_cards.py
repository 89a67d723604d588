"""The library: cards, games made of picks, and ways to settle what does not go together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.hungry import HUNGRY, write_hungry
from support.studio_client import Page
from tilewright.rules.reading.library import Library


@pytest.fixture(scope="module")
def page() -> Page:
    return Page()


def test_every_ruleset_has_a_card(page: Page) -> None:
    found = page.call("library.list")
    assert [card["id"] for card in found["cards"]] == list(Library().ids())
    for card in found["cards"]:
        assert card["title"]
        assert len(card["says"].split()) > 3, card["id"]
        assert not card["own"]
    kinds = {kind["id"] for kind in found["kinds"]}
    assert {card["kind"] for card in found["cards"]} <= kinds


def test_an_edition_of_a_base_game_is_a_base_game(page: Page) -> None:
    kinds = {card["id"]: card["kind"] for card in page.call("library.list")["cards"]}
    assert {id_ for id_, kind in kinds.items() if kind == "base"} == {
        "c1/base", "c2/base", "c3/base"
    }  # fmt: skip
    assert kinds["c3/river-two-lakes"] == kinds["c2/river"] == "expansion"


def test_a_box_is_shown_by_its_tiles_or_by_its_figure(page: Page) -> None:
    cards = {card["id"]: card for card in page.call("library.list")["cards"]}
    drawings = page.call("library.drawings", cards=list(cards))["drawings"]
    assert cards["c2/base"]["has_tiles"]
    assert len(drawings["c2/base"]) == 3
    assert not cards["c2/phantom"]["has_tiles"]
    (figure,) = drawings["c2/phantom"]
    assert figure.startswith("<g") and "{" not in figure
    assert drawings["house/ten-turns"] == []
    for card in cards.values():
        assert not card["has_tiles"] or drawings[card["id"]]
    few = page.call("library.drawings", cards=["c2/phantom", "c2/nobody"])["drawings"]
    assert few == {"c2/phantom": [figure], "c2/nobody": []}


def test_every_box_is_shown_also_one_that_has_only_rules(page: Page) -> None:
    cards = page.call("library.list")["cards"]
    boxes = [card["id"] for card in cards if card["kind"] in ("base", "expansion")]
    drawings = page.call("library.drawings", cards=boxes)["drawings"]
    assert all(drawings.values())


def test_cards_of_an_earlier_run_are_those_of_the_files_as_they_are(tmp_path: Path) -> None:
    root = write_hungry(tmp_path)

    def title() -> str:
        cards = Page(tmp_path).call("library.list")["cards"]
        return next(card["title"] for card in cards if card["id"] == HUNGRY)

    before = title()
    assert title() == before
    module = root / "module.yaml"
    module.write_text(module.read_text("utf-8").replace(before, "Starved dragon"), "utf-8")
    assert title() == "Starved dragon"


def test_an_own_ruleset_is_among_the_cards(tmp_path: Path) -> None:
    write_hungry(tmp_path)
    cards = {card["id"]: card for card in Page(tmp_path).call("library.list")["cards"]}
    assert cards[HUNGRY]["own"]
    assert cards[HUNGRY]["folder"] == "0/hungry-dragon"


def test_an_unreadable_ruleset_has_a_card(tmp_path: Path) -> None:
    folder = tmp_path / "house" / "torn"
    folder.mkdir(parents=True)
    (folder / "module.yaml").write_text("id: [")
    cards = {card["id"]: card for card in Page(tmp_path).call("library.list")["cards"]}
    assert not cards["house/torn"]["readable"]


# ------------------------------------------------------------------ games


def test_what_a_pick_needs_is_added(page: Page) -> None:
    found = page.call("library.game", picks=["house/fairy-five"])
    assert found["ok"]
    added = {row["id"] for row in found["rulesets"] if row["added"]}
    assert added == {"c2/base", "c2/princess-and-dragon"}
    assert found["players"]
    assert found["tiles"] > 72


def test_two_bases_do_not_go_together_and_either_may_be_left_out(page: Page) -> None:
    found = page.call("library.game", picks=["c2/base", "c3/base"])
    assert not found["ok"]
    (conflict,) = found["conflicts"]
    assert [each["picks"] for each in conflict["settle"]] == [["c3/base"], ["c2/base"]]


def test_every_way_to_settle_a_conflict_settles_it(page: Page) -> None:
    for picks in (
        ["c2/princess-and-dragon", "c3.1/dragon-and-fairy"],
        ["house/fairy-five", "c3.1/dragon-and-fairy"],
        ["c2/base", "c3/farmers"],
    ):
        for conflict in page.call("library.game", picks=picks)["conflicts"]:
            for way in conflict["settle"]:
                again = page.call("library.game", picks=way["picks"], options=way["options"])
                assert not any(c["code"] == conflict["code"] for c in again["conflicts"])


def test_what_fits_can_be_added(page: Page) -> None:
    picks = ["c2/base", "c2/princess-and-dragon"]
    fits = page.call("library.game", picks=picks)["fits"]
    assert "house/fairy-five" in fits
    assert "c3/base" not in fits
    for id_ in fits[::20]:
        found = page.call("library.game", picks=[*picks, id_])
        assert not any(c["code"] in ("TW701", "TW702", "TW703") for c in found["conflicts"])


def test_an_option_changes_the_game(page: Page) -> None:
    usual = page.call("library.game", picks=["c2/base"])
    option = usual["options"][0]
    other = next(v["value"] for v in option["values"] if v["value"] != option["value"])
    found = page.call("library.game", picks=["c2/base"], options={option["id"]: other})
    assert found["ok"]
    assert f"{option['id']}={other}" in found["id"]


def test_a_part_of_a_ruleset_may_be_picked(page: Page) -> None:
    cards = {card["id"]: card for card in page.call("library.list")["cards"]}
    suffixes = [part["suffix"] for part in cards["c2/princess-and-dragon"]["parts"]]
    assert ":tiles" in suffixes
    found = page.call("library.game", picks=["c2/base", "c2/princess-and-dragon:tiles"])
    assert found["ok"]


@pytest.mark.parametrize("picks", [[], ["no/such"], ["c2/base:nonsense"], ["", "+"]])
def test_picks_that_make_no_game_are_told(page: Page, picks: list[str]) -> None:
    found = page.call("library.game", picks=picks)
    assert not found["ok"]


def test_an_unknown_option_can_be_dropped(page: Page) -> None:
    found = page.call("library.game", picks=["c2/base"], options={"nonsense": "x"})
    assert not found["ok"]
    assert any(way["options"] == {} for c in found["conflicts"] for way in c["settle"])


def test_options_and_their_choices_are_in_the_language_of_the_reader(page: Page) -> None:
    page.client.language = "uk"
    try:
        game = page.call("library.game", picks=["c2/base", "c2/watchtowers"])
        cards = {card["id"]: card for card in page.call("library.list")["cards"]}
    finally:
        page.client.language = "en"
    pays = next(option for option in game["options"] if option["id"] == "watchtower_pays")
    assert pays["says"].startswith("чи сторожова вежа дає очки за кожного підданця")
    assert pays["values"] == [
        {"value": "each_meeple", "label": "за кожного підданця"},
        {"value": "each_player", "label": "кожному гравцеві раз"},
    ]
    assert [each["says"] for each in cards["c2/watchtowers"]["options"]] == [pays["says"]]
    options = [*game["options"], *cards["c2/tower"]["options"]]
    shown = [option["says"] for option in options]
    shown += [value["label"] for option in options for value in option["values"]]
    assert [text for text in shown if not re.search("[а-яіїєґ]", text)] == []
