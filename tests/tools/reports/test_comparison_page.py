"""The web page of a comparison, read without a browser and without scripts."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from support.pages import DRAGONS, HOUSE, Element, library, page, page_of, read
from tilewright.language.locale.words import languages
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.view.page.marks import marked
from tilewright.view.page.palette import COLOURS, READ_ON, SEEN_ON, contrast, style_sheet
from tilewright.view.results.comparison import Comparison
from tilewright.view.results.divergence import (
    Ending,
    Gain,
    Kind,
    Origin,
    SearchEffort,
    Witness,
    Witnesses,
    keyed_rows,
)

PAIRS = (DRAGONS, HOUSE, ("c2/abbot", "c3/abbot", "c2/base"))
pages = pytest.mark.parametrize(
    "games",
    [PAIRS[0], *(pytest.param(games, marks=pytest.mark.slow) for games in PAIRS[1:])],
    ids=" and ".join,
)


#: a rule that nobody has translated
ONLY_ENGLISH = """
id: house/kept
kind: house
title: Farmers may be kept in hand
requires: {farmers: c2/farmers}
sources: {table: {title: At our table, language: en}}
statements:
  - id: kept
    topic: farmer.placement
    says: A farmer may also be kept in hand.
    authority: house-rule
    cite: [{source: table}]
    no_rule: a word of the table
"""


def of_class(root: Element, name: str) -> list[Element]:
    return [e for e in root.all() if name in e.attributes.get("class", "").split()]


@pytest.mark.parametrize("language", languages())
def test_what_only_one_game_has_is_under_its_letter_and_title(language: str) -> None:
    lists = of_class(read(page(*DRAGONS, language=language)), "list")
    assert lists
    for each in lists:
        (head,) = each.all("h4")
        (badge,) = of_class(head, "badge")
        assert badge.text in {"A", "B"}
        assert "/" not in head.full_text()


def test_reasons_that_are_too_many_for_a_step_can_be_opened() -> None:
    steps = of_class(read(page(*DRAGONS)), "why")
    folded = [each for each in steps if each.all("details")]
    assert folded
    for each in folded:
        (summary,) = each.all("summary")
        assert re.fullmatch(r"and \d+ more", summary.full_text().strip())


# ------------------------------------------------------------------ alone


@pages
def test_a_page_asks_for_nothing_from_anywhere(games: tuple[str, ...]) -> None:
    root = read(page(*games))
    for element in root.all():
        for name in ("src", "srcset", "action", "poster", "data", "background"):
            assert name not in element.attributes, element
        target = element.attributes.get("href", "#")
        assert target.startswith("#") or target == "data:,", target
    style = "".join(e.text for e in root.all("style"))
    assert "url(" not in style
    assert "@import" not in style
    assert "@font-face" not in style


@pages
def test_a_policy_forbids_whatever_is_not_in_the_page(games: tuple[str, ...]) -> None:
    root = read(page(*games))
    (policy,) = (
        e.attributes["content"]
        for e in root.all("meta")
        if e.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (element,) = root.all(tag)
        digest = b64encode(sha256(element.text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not [e for e in root.all() if "style" in e.attributes]
    assert not [e for e in root.all() if any(name.startswith("on") for name in e.attributes)]


def test_what_a_ruleset_says_is_never_markup() -> None:
    found = compare_texts(HOUSE, library())
    bad = '<script>alert(1)</script>"><img src=x onerror=y>'
    group = found.topics[0]
    row = group.rows[0]
    cell = next(c for c in row.cells if c is not None)
    text = replace(cell.statements[0], says=bad, id=bad)
    row = replace(row, topic=bad, cells=(replace(cell, statements=(text,)), *row.cells[1:]))
    group = replace(group, rows=(row, *group.rows[1:]))
    root = read(page_of(replace(found, topics=(group, *found.topics[1:])), library()))
    assert len(root.all("script")) == 1
    assert not root.all("img")
    assert bad in root.full_text()


# ------------------------------------------------------------------ every row, by a name that stays


def rows_of(comparison: Comparison) -> int:
    return sum(1 for _ in keyed_rows(comparison))


@pages
def test_every_row_is_there_once_and_has_a_link_to_itself(games: tuple[str, ...]) -> None:
    root = read(page(*games))
    ids = Counter(e.attributes["id"] for e in root.all() if "id" in e.attributes)
    assert not [id_ for id_, count in ids.items() if count > 1]
    rows = [e for e in root.all() if "data-row" in e.attributes]
    assert len(rows) == rows_of(compare_texts(games, library()))
    for row in rows:
        links = {e.attributes.get("href") for e in row.all("a")}
        assert f"#{row.attributes['id']}" in links


@pages
def test_every_link_leads_somewhere(games: tuple[str, ...]) -> None:
    root = read(page(*games))
    ids = {e.attributes["id"] for e in root.all() if "id" in e.attributes}
    for link in root.all("a", "use"):
        assert link.attributes["href"].removeprefix("#") in ids, link.attributes


def test_a_row_keeps_its_name_when_something_else_is_compared() -> None:
    ids = [
        {e.attributes["id"] for e in read(page(*games)).all() if "data-row" in e.attributes}
        for games in (("c2/abbot", "c3/abbot"), ("c2/abbot", "c3/abbot", "c2/base"))
    ]
    assert ids[0] <= ids[1]


# ------------------------------------------------------------------ for everybody


@pages
def test_headings_go_down_one_at_a_time(games: tuple[str, ...]) -> None:
    found = [int(e.tag[1]) for e in read(page(*games)).all("h1", "h2", "h3", "h4", "h5", "h6")]
    assert found[0] == 1
    assert found.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(found))


@pages
def test_there_are_landmarks_with_names_and_a_way_past_them(games: tuple[str, ...]) -> None:
    root = read(page(*games))
    for tag in ("main", "header", "footer", "nav"):
        assert len(root.all(tag)) == 1
    assert root.all("nav")[0].attributes["aria-label"]
    first = root.all("a")[0]
    assert first.attributes["href"] == f"#{root.all('main')[0].attributes['id']}"
    ids = {e.attributes.get("id"): e for e in root.all()}
    for section in root.all("section"):
        by = section.attributes.get("aria-labelledby")
        named = section.attributes.get("aria-label") or (by and ids[by].full_text().strip())
        assert named, section.attributes


@pages
def test_a_table_has_a_caption_and_its_heads_say_what_they_are_for(games: tuple[str, ...]) -> None:
    for table in read(page(*games)).all("table"):
        assert table.children[0].tag == "caption"
        assert table.children[0].full_text().strip()
        for head in table.all("th"):
            assert head.attributes["scope"] in ("col", "row", "rowgroup")
        wide = len(table.all("thead")[0].all("th"))
        for row in table.all("tr"):
            cells = [e for e in row.children if e.attributes.get("colspan") is None]
            assert len(cells) in (0, wide)
            # its cells have another layout, and so need roles
            assert row.attributes["role"] == "row"


@pages
def test_every_picture_says_what_it_shows(games: tuple[str, ...]) -> None:
    for picture in read(page(*games)).all("svg"):
        if picture.attributes.get("aria-hidden") != "true":
            assert picture.attributes["role"] == "img"
            assert picture.children[0].tag == "title"
            assert picture.children[0].full_text().strip()


@pages
def test_everything_that_is_asked_of_a_reader_has_a_label(games: tuple[str, ...]) -> None:
    for control in read(page(*games)).all("input", "select"):
        parent = control.parent
        assert parent is not None
        assert parent.tag == "label"
        assert parent.text.strip() or parent.children[0].full_text().strip()


@pytest.mark.parametrize("place", (0, 1), ids=("light", "dark"))
def test_what_is_written_can_be_read(place: int) -> None:
    for ink, ground in READ_ON:
        found = contrast(COLOURS[ink][place], COLOURS[ground][place])
        assert found >= 4.5, f"{ink} on {ground}: {found:.2f}"
    for rim, ground in SEEN_ON:
        found = contrast(COLOURS[rim][place], COLOURS[ground][place])
        assert found >= 3, f"{rim} on {ground}: {found:.2f}"


def test_contrast_is_counted_as_the_world_counts_it() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_every_colour_of_the_style_is_one_of_the_table() -> None:
    (style,) = read(page(*HOUSE)).all("style")
    rest = style.text.replace(style_sheet(), "")
    assert not re.findall(r"#[0-9a-f]{6}\b", rest)
    own = set(re.findall(r"--([a-z0-9]+):", rest))
    used = set(re.findall(r"var\(--([a-z0-9]+)", rest))
    assert used <= set(COLOURS) | own


# ------------------------------------------------------------------ in three languages


@pytest.mark.parametrize("language", languages())
def test_a_page_says_in_which_language_it_is_and_which_parts_are_in_another(language: str) -> None:
    root = read(page(*DRAGONS, language=language))
    assert root.all("html")[0].attributes["lang"] == language
    says = of_class(root, "says")
    assert says
    for element in says:
        assert element.children[0].attributes["lang"] in (language, "en")
    titles = root.all("h1")[0].full_text()
    assert {"en": "Princess", "uk": "Принцеса", "pl": "Księżniczka"}[language] in titles


def test_a_statement_is_shown_in_the_readers_language_where_it_is_there(tmp_path: Path) -> None:
    def spoken(page: str) -> set[str]:
        return {e.children[0].attributes["lang"] for e in of_class(read(page), "says")}

    assert spoken(page(*DRAGONS, language="uk")) == {"uk"}
    # a text that is there in one language only is marked as being in that language
    (tmp_path / "kept.yaml").write_text(ONLY_ENGLISH, "utf-8")
    mixed = Library([tmp_path / "kept.yaml"])
    games = ("c2/farmers", "c2/farmers+house/kept")
    found = compare_texts(games, mixed)
    assert spoken(page_of(found, mixed, language="uk")) == {"uk", "en"}


# ------------------------------------------------------------------ tiles, marks


def test_tiles_that_changed_in_one_way_stand_in_one_row_drawn_in_pairs() -> None:
    root = read(page(*DRAGONS))
    rows = [e for e in root.all("article") if e.attributes.get("data-row") == "tiles"]
    assert len(rows[0].all("figure")) == 6
    for pair in rows[0].all("figure"):
        assert len(pair.all("svg")) == 2


def test_a_drawing_is_in_the_page_once() -> None:
    text = page(*DRAGONS)
    drawings = re.findall(r"<symbol id=\"(t\d+)\".*?</symbol>", text, re.DOTALL)
    assert len(drawings) == len(set(drawings))
    assert text.count("<use ") > 0
    assert len(text.encode()) < 1_000_000


def test_what_differs_between_two_like_sentences_is_marked() -> None:
    one, other = marked(("a road counts 1 a tile", "a road counts 2 a tile"))
    assert [text for text, is_changed in one if is_changed] == ["1"]
    assert [text for text, is_changed in other if is_changed] == ["2"]
    assert "".join(text for text, _ in one) == "a road counts 1 a tile"


def test_two_sentences_that_have_little_in_common_are_not_marked() -> None:
    assert marked(("one thing here", "quite another over there")) == [
        [("one thing here", False)],
        [("quite another over there", False)],
    ]


def test_a_game_beside_itself_says_that_nothing_differs() -> None:
    root = read(page("c2/abbot", "c2/abbot"))
    rows = [e for e in root.all() if "data-row" in e.attributes]
    assert {e.attributes["data-state"] for e in rows} == {"same"}
    assert "Nothing differs." in root.full_text()


# ------------------------------------------------------------------ boards


SCENARIO = """
scenarios:
  - id: shown
    says: a made-up board
    game: [c2/base]
    players: [red, blue]
    board: ["city1 0,0 N"]
    figures: {red meeple: "0,0/c1"}
    points: {red: POINTS}
    play:
      - expect: {points: {red: POINTS}}
"""


def shown(*points: int) -> tuple[Witnesses, Comparison]:
    """A witness for two rows of a house rule, and a row that has none."""
    found = compare_texts(HOUSE, library())
    keys = [key for key, row in keyed_rows(found) if not row.verdict.is_same]
    one, other = (
        Ending(scenario=SCENARIO.replace("POINTS", str(n)), points=(("red", n),), step="lay_tile")
        for n in points
    )
    gain = Gain("red", points[0], f"{points[0]} = tiles {points[0]}", "road 0,0/r1", "paid", ())
    witness = Witness(
        rows=tuple(keys[:2]),
        kind=Kind.POINTS,
        origin=Origin.SCENARIO,
        source="c2/base: shown",
        says="a made-up board",
        games=HOUSE,
        players=("red", "blue"),
        board=("city1 0,0 N",),
        figures=(("red meeple", "0,0/c1"),),
        lines=("draw road",),
        sides=(replace(one, gains=(gain,)), other),
    )
    by_row = dict.fromkeys(keys[:2], 0)
    sought = SearchEffort(1, 2, 3, False)
    return Witnesses(0, 1, (witness,), by_row, ("step:turn/lay_tile",), sought), found


def page_with(*points: int) -> Element:
    witnesses, found = shown(*points)
    return read(page_of(found, library(), witnesses=[witnesses]))


def test_a_board_stands_with_one_row_and_the_others_link_to_it() -> None:
    root = page_with(3, 4)
    (board,) = of_class(root, "board-both")
    links = [e for e in root.all("a") if e.attributes["href"] == f"#{board.attributes['id']}"]
    assert len(links) == 1
    assert board.above("data-row") == "topics"


def test_boards_that_end_otherwise_are_drawn_both_with_points_and_reasons() -> None:
    (board,) = of_class(page_with(3, 4), "board-both")
    ends = of_class(board, "ending")
    assert [len(end.all("svg")) for end in ends] == [1, 1]
    scores = [of_class(end, "score")[0].full_text().split() for end in ends]
    assert scores == [["red", "3"], ["red", "4"]]
    assert "tiles 3" in ends[0].full_text()


def test_boards_that_end_alike_are_drawn_once() -> None:
    (board,) = of_class(page_with(3, 3), "board-both")
    assert "one" in board.attributes["class"].split()
    assert all(not end.all("svg") for end in of_class(board, "ending"))


def test_a_board_is_told_to_whoever_does_not_see_it() -> None:
    for picture in of_class(page_with(3, 4), "board"):
        assert "city1 0,0 N; red meeple 0,0/c1" in picture.children[0].full_text()


def test_a_row_without_a_board_shows_none_and_the_page_says_how_many_have() -> None:
    root = page_with(3, 4)
    row = next(e for e in root.all("tr") if e.attributes.get("id") == "step-turn-lay_tile")
    assert not of_class(row, "witness")
    assert "2 of 3 shown on a board" in root.full_text()
    assert "No board was found for one row" in root.full_text()


def test_what_a_scenario_says_stands_on_the_side_that_it_is_true_of() -> None:
    (board,) = of_class(page_with(3, 4), "board-both")
    one, other = (of_class(end, "whose")[0].full_text() for end in of_class(board, "ending"))
    # the scenario is the base game's, and both sides have it: it holds where nothing is added
    assert "a made-up board" in one
    assert "made-up" not in other
    assert "In A:" in one
    assert "In B" in other


# ------------------------------------------------------------------ the summary


EDITIONS = (
    DRAGONS,
    ("c2/traders-and-builders", "c3.1/traders-and-builders"),
    ("c2/river", "c3/river"),
    ("c3/river", "c3/river-two-lakes"),
)


@pytest.mark.parametrize(
    "games",
    [EDITIONS[0], *(pytest.param(games, marks=pytest.mark.slow) for games in EDITIONS[1:])],
    ids=" and ".join,
)
def test_every_line_of_the_answer_links_to_its_row(games: tuple[str, ...]) -> None:
    root = read(page(*games))
    (table,) = of_class(root, "firsts")
    rows = {e.attributes["id"]: e for e in root.all() if "data-row" in e.attributes}
    links = [e.attributes["href"].removeprefix("#") for e in table.all("a")]
    assert 0 < len(links) <= 10
    assert len(set(links)) == len(links)
    sections = {
        e.attributes["id"] for e in root.all() if e.tag == "section" and "id" in e.attributes
    }
    for link in links:  # the contents of the box are a section
        assert link in sections or rows[link].attributes["data-state"] != "same"


@pytest.mark.parametrize("games", PAIRS[:2], ids=" and ".join)
def test_the_answer_comes_before_counts_tools_and_rows(games: tuple[str, ...]) -> None:
    text = page(*games)
    marks = ('class="firsts', 'class="contents', 'class="tools', 'id="counts"', "data-row=")
    at = [text.find(mark) for mark in marks]
    assert min(at) > 0
    assert at == sorted(at)


def test_words_that_matter_are_bold_and_no_marks_are_left() -> None:
    (table,) = of_class(read(page(*DRAGONS)), "firsts")
    assert "Everybody" in [e.full_text() for e in table.all("b")]
    assert "**" not in table.full_text()


@pages
def test_everything_but_the_answer_and_the_turn_is_folded(games: tuple[str, ...]) -> None:
    root = read(page(*games))
    for element in root.all("details"):
        assert "open" not in element.attributes
    for row in (e for e in root.all() if e.attributes.get("data-row", "turn") != "turn"):
        assert any(e.tag == "details" for e in ancestors(row)), row.attributes["id"]


def ancestors(element: Element) -> list[Element]:
    found = []
    while element.parent is not None:
        element = element.parent
        found.append(element)
    return found
