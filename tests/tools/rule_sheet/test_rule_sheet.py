"""The sheet of a game: the rules of exactly this game, in the order of a turn."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from support import studio_page
from support.pages import library, read
from support.recast import NAME, copied
from support.ruleset_cases import library_of
from tilewright.faces.cli.commands.show import app
from tilewright.language.locale.words import Words
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.rule_sheet.compose import sheet_of
from tilewright.tools.rule_sheet.page import sheet_page
from tilewright.tools.rule_sheet.places import Places
from tilewright.tools.workspace.loading import load_game
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import Where
from tilewright.view.page.markdown import Writer

BASE = "c2/base"
DRAGON = f"{BASE}+c2/princess-and-dragon"


def game_of(text: str, of: Library | None = None) -> Game:
    game, reporter = load_game(text, library=of or library())
    assert game is not None, reporter.diagnostics
    return game


@cache
def sheet(text: str, language: str = "en") -> tuple[b.Block, ...]:
    return tuple(sheet_of(game_of(text), library(), Words(language)))


def sections(blocks: tuple[b.Block, ...]) -> dict[str, b.Section]:
    found: dict[str, b.Section] = {}
    for block in blocks:
        if isinstance(block, b.Section):
            found[block.key] = block
            found |= sections(block.blocks)
    return found


def statements(blocks: tuple[b.Block, ...]) -> list[b.Statement]:
    found: list[b.Statement] = []
    for block in blocks:
        if isinstance(block, b.Section):
            found += statements(block.blocks)
        elif isinstance(block, b.Paragraph):
            found += [each for each in block.lines if isinstance(each, b.Statement)]
    return found


def ids(block: b.Section) -> list[str]:
    return [each.id for each in statements((block,))]


def notes(section: b.Section) -> str:
    return "\n".join(
        each.text for block in section.blocks if isinstance(block, b.Notes) for each in block.lines
    )


# ------------------------------------------------------------------ the order of a turn


def test_a_rule_is_at_the_step_that_carries_it_out() -> None:
    parts = sections(sheet(DRAGON))
    assert "base-place-match" in ids(parts["lay_tile"])
    assert "base-city-score" in ids(parts["score_features"])
    assert "base-final-city" in ids(parts["final"])
    assert "pd2-dragon-six" in ids(parts["dragon_moves"])
    assert "pd2-fairy-turn-start" in ids(parts["fairy_point"])
    assert "base-start-tile" in ids(parts["setup"])


def test_a_statement_without_a_rule_is_beside_those_of_its_topic() -> None:
    parts = sections(sheet(BASE))
    assert "base-road-complete" in ids(parts["score_features"])
    assert "base-start-player" in ids(parts["setup"])
    assert "base-place-unplaceable-last" in ids(parts["draw_tile"])


@pytest.mark.parametrize("text", [BASE, DRAGON, f"{BASE}+c2/farmers+c2/river+c2/abbot"])
def test_every_rule_with_a_statement_is_on_the_sheet_once(text: str) -> None:
    found = [each.id for each in statements(sheet(text))]
    assert len(found) == len(set(found))
    game = game_of(text)
    told = {id_ for rule in Places(game).live for id_ in rule.rule.head.statements}
    assert told - set(found) <= {  # about what the game lacks, or replaced in it
        id_ for id_, each in game.statements().items()
        if each.topic.startswith("module") or each.compares or each.awaits
        or each.without or each.is_example
    } | {"pd2-portal-field"} | _ended(text)  # fmt: skip


def _ended(text: str) -> set[str]:
    end = notes(sections(sheet(text))["left-out"])
    return {id_ for id_, each in game_of(text).statements().items() if each.says in end}


def test_the_steps_of_the_turn_are_numbered_as_the_game_has_them() -> None:
    game = game_of(DRAGON)
    turn = [s.title for s in sections(sheet(DRAGON))["turn"].blocks if isinstance(s, b.Section)]
    assert [title.partition(".")[0] for title in turn] == [
        str(number) for number, _ in enumerate(game.phase("turn"), 1)
    ]


# ------------------------------------------------------------------ house rules


def test_a_house_rule_is_in_the_place_of_what_it_replaces() -> None:
    house = sheet(f"{BASE}+house/ties-pay-nobody")
    scoring = ids(sections(house)["score_features"])
    assert "base-majority-tie" not in scoring
    at = scoring.index("house-ties-pay-nobody")
    assert scoring[at - 1] == "base-majority"
    assert "In a tie for the greatest number" in notes(sections(house)["left-out"])


def test_a_step_that_a_house_rule_has_emptied_is_left_out() -> None:
    def steps(text: str) -> list[str]:
        return [s.key for s in sections(sheet(text))["turn"].blocks if isinstance(s, b.Section)]

    before, after = steps(DRAGON), steps(f"{DRAGON}+house/fairy-five")
    assert set(before) - set(after) == {"fairy_point"}


def test_a_number_that_a_house_rule_sets_is_in_the_table_of_points() -> None:
    def paid(text: str) -> dict[str, str]:
        part = sections(sheet(text))["amounts-score_features"]
        (table,) = (each for each in part.blocks if isinstance(each, b.Table))
        return {row.name: "".join(x.text for x in row.first.lines) for row in table.rows}

    assert paid(DRAGON)["Fairy at a scored feature"] == "3"
    assert paid(f"{DRAGON}+house/fairy-five")["Fairy at a scored feature"] == "5"
    assert paid(BASE)["City"] == "2 × tiles + 2 × coat of arms"


HOUSE = """\
# trial/bonus/module.yaml
id: trial/bonus
kind: house
title: A bonus for the road
requires: {base: c2/base}
provides: [bonus]
# trial/bonus/rules/bonus.yaml
rules:
  - id: bonus.road
    amend: points(x)
    when: x is road
    item: bonus
    value: 7
patches:
  - {id: bonus.city, set: city.tile_points, to: 5, why: cities are dear}
"""


def test_a_rule_without_a_sentence_is_shown_and_a_changed_number_with_its_reason(
    tmp_path: Path,
) -> None:
    library_of(HOUSE, tmp_path)  # writes the files
    with_shipped = Library()
    with_shipped.add(tmp_path)
    game = game_of("trial/bonus", with_shipped)
    text = Writer(("",), Words("en"), Where.MARKDOWN_USUAL).document(
        sheet_of(game, with_shipped, Words("en"))
    )
    assert "cities are dear" in text
    assert "5 × tiles + 2 × coat of arms" in text
    assert "What a completed feature is worth: 7 points more when the feature is a road." in text


# ------------------------------------------------------------------ left out


@pytest.mark.parametrize(
    ("language", "tiles", "volcano"),
    [
        ("en", "Tiles", ("Volcano", "6 tiles")),
        ("uk", "Плитки", ("Вулкан", "6 плиток")),
        ("pl", "Płytki", ("Wulkan", "6 płytek")),
    ],
)
def test_the_tiles_of_the_box_are_counted_with_what_is_printed_on_them(
    language: str, tiles: str, volcano: tuple[str, str]
) -> None:
    (table,) = sections(sheet(DRAGON, language))["components"].blocks
    assert isinstance(table, b.Table)
    rows = {row.name: cell.lines[0].text for row in table.rows for cell in row.cells if cell}
    assert next(iter(rows.items())) == (tiles, "102")
    assert volcano in rows.items()


def test_statements_about_boxes_that_are_not_there_are_left_out() -> None:
    text = str(statements(sheet(DRAGON)))
    for word in ("bazaar", "sheep", "Wheel", "barn"):
        assert word not in text, word


def test_statements_that_only_further_boxes_show_are_left_out() -> None:
    found = {each.id for each in statements(sheet(DRAGON))}
    assert not found & {"int-x-abbot-princess-c2", "pd2-portal-field", "pd2-monastery-city-choice"}
    assert "pd2-menu-meeple" in found  # shown with farmers, and true without them
    traders = sheet(f"{BASE}+c2/river+c2/traders-and-builders")
    found = {each.id for each in statements(traders)}
    assert not any(id_.startswith("tb2-pig") for id_ in found)
    assert found >= {"tb2-builder-trigger", "river2-bridge"}
    later = sheet("c3/base+c3.1/traders-and-builders")
    assert not {id_ for s in statements(later) if (id_ := s.id).startswith("tb3-pig")} - {
        "tb3-pig-requires-farmers"
    }
    assert "Pig" not in str(sections(later)["amounts"])
    with_farmers = sheet(f"{BASE}+c2/farmers+c2/traders-and-builders")
    assert "tb2-pig-place" in {each.id for each in statements(with_farmers)}
    fairy = {each.id for each in statements(sheet("c3/base+c3.1/dragon-and-fairy"))}
    assert not fairy & {"df3-components-river", "river-double-lake-flip", "df3-tunnel-fields"}
    assert "df3-protect-others" in fairy


def test_what_holds_without_a_box_is_left_out_where_the_box_is_there() -> None:
    assert "base-fields-inert" in {each.id for each in statements(sheet(BASE))}
    with_farmers = {each.id for each in statements(sheet("c3/base+c3/farmers+c3/river"))}
    assert "base-fields-inert" not in with_farmers and "base-gardens-inert" in with_farmers
    assert "farm-three-fields-example" not in with_farmers  # no picture is beside it


def test_what_needs_another_choice_is_left_out_and_choices_are_in_words() -> None:
    labyrinth = f"{BASE}+c2/labyrinth"
    assert "la2-advanced" not in {each.id for each in statements(sheet(labyrinth))}
    chosen = {each.id for each in statements(sheet(f"{labyrinth}?labyrinth_way=advanced"))}
    assert "la2-advanced" in chosen
    left_out = str(sections(sheet(DRAGON))["left-out"])
    assert "after figures" in left_out and "after_figures" not in left_out


def test_equal_sentences_of_two_boxes_are_on_the_sheet_once() -> None:
    texts = [each.text for each in statements(sheet(f"{DRAGON}+c2/traders-and-builders"))]
    assert len(texts) == len(set(texts))


def test_the_preparation_of_a_box_is_in_the_setup() -> None:
    parts = sections(sheet(f"{BASE}+c2/river+c2/traders-and-builders"))
    assert set(ids(parts["setup"])) > {"river-tile-count", "river2-set-aside", "river2-lake-bottom"}
    assert "base-shuffle" in ids(parts["setup"])
    assert ids(parts["draw_tile"])[-2:] == ["river-draw-first", "river-then-land"]


def test_points_that_nobody_can_get_are_not_in_the_table() -> None:
    def final(text: str) -> str:
        return str(sections(sheet(text))["amounts-final_scoring"])

    assert "Farmers around a city" in final("c1/base") and "completed cities" not in final(
        "c1/base"
    )
    assert "completed cities" in final("c1/base?field_scoring=third")
    assert "castles" not in final(f"{BASE}+c2/castles")
    assert "castles" in final(f"{BASE}+c2/castles+c2/farmers")
    assert "Fairy at a scored feature" in final(DRAGON)  # one rule pays in two steps
    assert "1 + 1 × (8 − tiles around)" in final(f"{BASE}+c2/russian-promos")


def test_only_options_that_decide_something_in_the_game_are_listed() -> None:
    def options(text: str) -> str:
        left_out = sections(sheet(text))["left-out"]
        return str([row.name for x in left_out.blocks if isinstance(x, b.Table) for row in x.rows])

    assert "double turn" not in options(DRAGON)
    assert "double turn" in options(f"{DRAGON}+c2/traders-and-builders")


def test_options_are_in_the_language_of_the_sheet() -> None:
    def options(language: str) -> dict[str, str]:
        left_out = sections(sheet(f"{BASE}+c2/watchtowers", language))["left-out"]
        rows = [row for x in left_out.blocks if isinstance(x, b.Table) for row in x.rows]
        return {str(row.name): str(row.cells[0]) for row in rows}

    english, ukrainian, polish = map(options, ("en", "uk", "pl"))
    assert any("each meeple (not each player)" in cell for cell in english.values())
    name = next(name for name in ukrainian if name.startswith("Чи сторожова вежа дає очки"))
    assert "за кожного підданця (не кожному гравцеві раз)" in ukrainian[name]
    assert any(name.startswith("Czy wieża strażnicza płaci") for name in polish)


def test_a_tile_with_two_readings_is_counted_once() -> None:
    assert "The River: 12 tiles" in str(sections(sheet(f"{BASE}+c2/river+c2/traders-and-builders")))


def test_the_tiles_are_counted_by_ruleset() -> None:
    tiles = [x for x in sections(sheet(DRAGON))["tiles"].blocks if isinstance(x, b.Tiles)]
    assert [sum(kind.number for kind in each.kinds) for each in tiles] == [72, 30]


# ------------------------------------------------------------------ forms


def test_the_page_needs_nothing_else_and_draws_every_tile() -> None:
    root = read(sheet_page(game_of(BASE), library(), Words("en")))
    for element in root.all():
        assert not {"src", "srcset", "action", "data"} & element.attributes.keys()
    game = game_of(BASE)
    pictures = [e for e in root.all("svg") if "tile" in e.attributes.get("class", "").split()]
    assert len(pictures) == len(game.pieces)
    names = [e.attributes["id"] for e in root.all() if "id" in e.attributes]
    assert len(names) == len(set(names))


def test_a_sentence_that_is_not_translated_is_seen_to_be_in_english(tmp_path: Path) -> None:
    shutil.rmtree(copied("c2/bridges", tmp_path) / "locale")
    with_copy, words = Library([tmp_path]), Words("uk")
    game = game_of(NAME, with_copy)
    blocks = tuple(sheet_of(game, with_copy, words))
    text = Writer(("",), words, Where.MARKDOWN_USUAL).document(blocks)
    foreign = [s for s in statements(blocks) if s.language == "en" and not s.lead]
    assert foreign
    assert f"*{foreign[0].text}*" in text
    root = read(sheet_page(game, with_copy, words))
    marked = [e for e in root.all("i") if e.attributes.get("lang") == "en"]
    assert len(marked) == len(foreign)


def test_sentences_that_no_speaker_has_read_are_counted() -> None:
    def said(language: str) -> str:
        (notes,) = (x for x in sheet(BASE, language) if isinstance(x, b.Notes))
        return "; ".join(each.text for each in notes.lines)

    unread = [s for s in statements(sheet(BASE, "uk"))
              if "uk" in game_of(BASE).statements()[s.id].unreviewed]  # fmt: skip
    assert f"Переклад {len(unread)} речень" in said("uk")
    assert said("en") == "for 2 to 5 players · c2/base"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "uk"])
def test_a_game_of_three_boxes_fills_two_to_four_pages(language: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.html"
    text = f"{DRAGON}+c2/farmers"
    path.write_text(sheet_page(game_of(text), library(), Words(language)), "utf-8")
    with studio_page.browser(tmp_path) as page:
        page.driver.get(path.as_uri())
        assert 2 <= page.printed() <= 4


@pytest.mark.parametrize("name", ["sheet.html", "sheet.md", "sheet.txt"])
def test_the_verb_writes_a_sheet(name: str, tmp_path: Path) -> None:
    out = tmp_path / name
    assert CliRunner().invoke(app, ["sheet", BASE, "--out", str(out)]).exit_code == 0
    assert "finished road is worth a point a tile" in " ".join(out.read_text("utf-8").split())


def test_the_page_of_a_sheet_is_titled_like_its_game() -> None:
    page = sheet_page(game_of(BASE), library(), Words("en"))
    assert "<title>Carcassonne, base game</title>" in page.partition("<style>")[0]
