"""Comparing games: what is the same never appears as different, and what differs is named once."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from support.marks import is_sampled, slow_unless
from support.pages import as_markdown, print_comparison
from support.paths import ROOT
from support.recast import NAME, copied, recast, turned_piece
from tilewright.language.locale.words import Words, languages
from tilewright.rules.reading.library import Library, schemas_folder
from tilewright.tools.comparison import components
from tilewright.tools.comparison.alignment import NameMap
from tilewright.tools.comparison.compare import (
    CannotCompareError,
    compare,
    compare_texts,
    narrowed,
)
from tilewright.tools.comparison.tile_matching import match_tiles, piece_print
from tilewright.tools.workspace.loading import load_game
from tilewright.view.comparison.boards import Boards, Scenes
from tilewright.view.comparison.compose import Composer
from tilewright.view.comparison.export import as_json
from tilewright.view.comparison.phrases import TopicNames
from tilewright.view.page.blocks import Length, Where, tables
from tilewright.view.results.comparison import REASONS, Comparison, State
from tilewright.view.results.divergence import (
    Ending,
    Gain,
    Kind,
    Origin,
    SearchEffort,
    Witness,
    Witnesses,
)
from tilewright.view.results.impact import BETWEEN_EDITIONS, Impact

LIBRARY = Library()
OLD, NEW = "c2/princess-and-dragon", "c3.1/dragon-and-fairy"
DRAGONS = compare_texts([OLD, NEW], LIBRARY)


def page(found: Comparison, width: int = 120, **how: object) -> str:
    out = io.StringIO()
    print_comparison(found, Console(file=out, width=width), **how)  # type: ignore[arg-type]
    return out.getvalue()


def changed(tmp_path: Path, ruleset: str, changes: dict[str, list[tuple[str, str]]]) -> Library:
    """A library with a changed copy of one ruleset, `mine/copy`."""
    target = copied(ruleset, tmp_path)
    for name, swaps in changes.items():
        path = target / name
        text = path.read_text(encoding="utf-8")
        for old, new in swaps:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    return Library([tmp_path])


# ------------------------------------------------------------------ the same is the same


@pytest.mark.parametrize("ruleset", slow_unless(is_sampled, LIBRARY.ids()))
def test_a_game_compared_with_itself_has_no_differing_row(ruleset: str) -> None:
    assert compare_texts([ruleset, ruleset], LIBRARY).is_same


def test_an_edition_without_changes_is_the_same() -> None:
    assert compare_texts(["c2/base", "c3/base"], LIBRARY).is_same


def test_the_bases_of_the_two_dragons_agree() -> None:
    assert DRAGONS.beneath == ()


def test_the_order_in_which_rulesets_are_named_does_not_matter() -> None:
    assert compare_texts(["c2/base+c2/farmers", "c2/farmers+c2/base"], LIBRARY).is_same


def test_turned_tiles_with_other_ids_are_the_same_tiles() -> None:
    game = load_game("c2/base", {}, LIBRARY)[0]
    assert game is not None
    pieces = list(game.pieces)
    other = [
        replace(turned_piece(piece, i % 4), id=f"other_{piece.id}")
        for i, piece in enumerate(pieces)
    ]
    found = match_tiles(pieces, other, (0, 1), {})
    assert (found.alike, found.rows) == (72, ())


def test_a_double_tile_is_the_same_however_it_lies() -> None:
    game = load_game(f"{NEW}+c3/river-two-lakes", {}, LIBRARY)[0]
    assert game is not None
    doubles = [piece for piece in game.pieces if len(piece.faces[0]) > 1]
    assert doubles
    for piece in doubles:
        prints = {piece_print(turned_piece(piece, quarters), True) for quarters in range(4)}
        assert prints == {piece_print(piece, True)}


def test_no_two_different_tiles_of_the_base_game_look_alike() -> None:
    game = load_game("c2/base", {}, LIBRARY)[0]
    assert game is not None
    assert len({piece_print(piece, True) for piece in game.pieces}) == len(game.pieces)


def test_renamed_rules_and_locals_are_the_same_law(tmp_path: Path) -> None:
    library = changed(
        tmp_path,
        OLD,
        {
            "rules/dragon.yaml": [
                ("id: dragon.arrival\n", "id: dragon.comes\n"),
                ("after: [dragon.arrival]", "after: [dragon.comes]"),
                ("for t in laid { move dragon to t }", "for tile in laid { move dragon to tile }"),
            ]
        },
    )
    found = compare_texts([OLD, "mine/copy"], library)
    renamed = [row for row in found.rules if row.verdict.reasons]
    assert [[c.id for c in row.cells if c] for row in renamed] == [
        ["dragon.arrival", "dragon.comes"]
    ]
    assert {v.impact for v in found.verdicts()} == {None, Impact.TEXT}


@pytest.mark.parametrize(
    ("ruleset", "seed"),
    slow_unless(
        lambda case: case[0] == "house/hand-of-three",
        [
            ("c2/base", 1), (OLD, 2), (NEW, 3), ("c2/traders-and-builders", 4),
            ("house/hand-of-three", 5), ("house/dragon-eats-one", 6),
        ],
    ),
)  # fmt: skip
def test_equivalent_rules_by_another_author_differ_in_names_alone(
    ruleset: str, seed: int, tmp_path: Path
) -> None:
    found = compare_texts([ruleset, NAME], recast(ruleset, tmp_path, seed))
    assert {v.impact for v in found.verdicts()} == {None, Impact.TEXT}
    codes = {reason.code for v in found.verdicts() for reason in v.reasons}
    assert codes == {"renamed"}
    assert found.beneath == ()


def test_names_in_sentences_are_called_as_on_the_first_side() -> None:
    names = NameMap({
        ("value", "mine.steps"): "walk.steps", ("symbol", "mine"): "well", ("kind", "mine"): "road",
        ("stack", "mine"): "coast", ("tile", "mine"): "bend", ("figure", "mine"): "peg",
    })  # fmt: skip
    written = "{mine.steps tile | tiles}, {symbol.mine}, {segment.mine}, {tiles} and {tiles.mine}"
    assert names.wording(written) == (
        "{walk.steps tile | tiles}, {symbol.well}, {segment.road}, {tiles} and {tiles.coast}"
    )
    assert [names.number(name) for name in ("pieces.mine", "figure.mine")] == [
        "pieces.bend", "figure.peg",
    ]  # fmt: skip


def test_other_words_alone_are_a_difference_of_text(tmp_path: Path) -> None:
    swap = (
        "A walk ends after {dragon.steps tile | tiles}, or",
        "It walks {dragon.steps} steps, or",
    )
    library = changed(tmp_path, OLD, {"statements.yaml": [swap]})
    found = compare_texts([OLD, "mine/copy"], library)
    states = {v.state for v in found.verdicts()}
    assert states == {State.SAME, State.REWORDED}
    assert {v.impact for v in found.verdicts()} == {None, Impact.TEXT}


# ------------------------------------------------------------------ differences are found


def test_a_changed_value_is_a_difference_of_behaviour(tmp_path: Path) -> None:
    library = changed(tmp_path, OLD, {"rules/dragon.yaml": [("is: 6", "is: 7")]})
    found = compare_texts([OLD, "mine/copy"], library)
    row = next(row for row in found.values if row.id == "dragon.steps")
    assert [cell.value for cell in row.cells if cell] == ["6", "7"]
    assert row.verdict.impact is Impact.BEHAVIOUR
    assert all(row.verdict.is_same for row in found.rules)
    topics = {r.topic: r.verdict for r in found.topic_rows()}
    assert topics["dragon.movement.distance"].impact is Impact.BEHAVIOUR


def test_a_house_rule_shows_exactly_what_it_changes() -> None:
    found = compare_texts([OLD, "house/fairy-five"], LIBRARY)
    assert [row.id for row in found.values if not row.verdict.is_same] == [
        "fairy.feature_points",
        "fairy_three",
        "five_at_end",
    ]
    gone = [row.id for row in found.rules if row.verdict.state is State.ONLY]
    assert gone == ["fairy.final", "fairy.turn_start"]


@pytest.mark.parametrize(
    ("game", "house", "topic", "names"),
    [
        (
            "c2/base",
            "house/monastery-complete-by-sides",
            "feature.monastery.complete",
            ("monastery",),
        ),
        (
            "c2/princess-and-dragon",
            "house/fairy-pays-at-completion",
            "fairy.benefits",
            ("fairy.final", "fairy.turn_start"),
        ),
    ],
)
def test_a_statement_carried_out_by_a_patch_alone_has_an_effect(
    game: str, house: str, topic: str, names: tuple[str, ...]
) -> None:
    found = compare_texts([game, f"{game}+{house}"], LIBRARY)
    row = next(row for row in found.topic_rows() if row.topic == topic)
    assert row.has_effect
    assert row.verdict.impact is Impact.BEHAVIOUR
    assert [(reason.code, reason.names) for reason in row.verdict.reasons] == [("patches", names)]


def test_a_rule_that_a_patch_removes_has_an_effect_on_both_sides() -> None:
    found = compare_texts(["c2/river", "c2/river+house/river-may-turn-back"], LIBRARY)
    alike = (State.SAME, State.BESIDE)
    rows = {row.topic: row for row in found.topic_rows() if row.verdict.state not in alike}
    assert rows.keys() == {"river.placement.no-u-turn", "river.placement.turns"}
    assert all(row.has_effect for row in rows.values())
    assert {row.verdict.impact for row in rows.values()} == {Impact.BEHAVIOUR}


def test_another_option_is_another_game() -> None:
    found = compare_texts([OLD, f"{OLD}?volcano_turn=ends"], LIBRARY)
    assert [row.id for row in found.values if not row.verdict.is_same] == ["volcano_turn"]
    assert not found.is_same


def test_on_six_tiles_one_mark_became_another() -> None:
    row = DRAGONS.tiles[0]
    assert ([m.id for m in row.lost], [m.id for m in row.gained]) == (["volcano"], ["hoard"])
    assert row.count == 6


def test_tiles_of_one_name_with_the_same_edges_have_been_drawn_anew() -> None:
    found = compare_texts(["c2/river", "c3/river"], LIBRARY)
    texts = [row for row in found.tiles if row.verdict.reasons[0].code == "drawn"]
    assert [(pair.left, pair.right) for row in texts for pair in row.tiles] == [("lake", "lake")]
    assert [row.verdict.impact for row in texts] == [Impact.DATA]


def test_every_tile_of_both_boxes_is_accounted_for() -> None:
    totals = next(row.cells for row in DRAGONS.components if row.what == "tiles")
    alike = DRAGONS.same_tiles[0].count
    for side, total in enumerate(totals):
        pairs = [pair for row in DRAGONS.tiles for pair in row.tiles]
        listed = sum(pair.count for pair in pairs if (pair.left, pair.right)[side])
        assert total is not None
        assert total.count == alike + listed


def test_the_walk_and_the_flight_are_two_rows() -> None:
    topics = {row.topic: row for row in DRAGONS.topic_rows()}
    verdict = topics["dragon.movement.distance"].verdict
    assert (verdict.state, verdict.impact) == (State.DIFFERS, Impact.BEHAVIOUR)
    assert "dragon.movement.distance" in [line.topic for line in DRAGONS.short]


def test_the_turn_shows_who_decides() -> None:
    steps = {cell.id: cell for row in DRAGONS.turn for cell in row.cells if cell is not None}
    assert [d.who for d in steps["dragon_moves"].decisions] == ["each"]
    assert [d.is_optional for d in steps["fairy_comes"].decisions] == [True]


def test_steps_keep_the_order_of_their_own_game() -> None:
    for side in range(2):
        for phase in ("setup", "turn", "final"):
            numbers = [
                row.cells[side].number  # type: ignore[union-attr]
                for row in DRAGONS.turn
                if row.phase == phase and row.cells[side] is not None
            ]
            assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    "games",
    [(OLD, NEW), ("c2/base", "c2/base+house/two-figures-a-turn"), (OLD, f"{OLD}+house/fairy-five")],
)
@pytest.mark.parametrize("language", ["en", "uk"])
def test_a_step_that_differs_gives_the_reason_in_words(
    games: tuple[str, str], language: str
) -> None:
    made = Composer(compare_texts(games, Library()), Words(language))
    rows = [row for table in tables([made.turn()], Where.HTML) for row in table.rows]
    rows = [row for row in rows if row.verdict.state is State.DIFFERS]
    ids = {rule for row in made.c.turn for cell in row.cells if cell for rule in cell.rules}
    assert rows
    for row in rows:
        (why,) = (line.text for line in row.why)
        assert why and not [id_ for id_ in ids if "." in id_ and id_ in why], why


def test_a_step_elsewhere_in_the_turn_has_moved(tmp_path: Path) -> None:
    swap = ("    moment: moving\n    after: [\"dragon_lands_late?\", \"flocks?\"]\n",
            "    moment: going_home\n")  # fmt: skip
    library = changed(tmp_path, OLD, {"rules/dragon.yaml": [swap]})
    found = compare_texts([OLD, "mine/copy"], library)
    moved = [row for row in found.turn if row.verdict.state is State.MOVED]
    assert len(moved) == 1


@pytest.mark.parametrize("games", [(OLD, NEW), (NEW, OLD)], ids=["older first", "newer first"])
def test_a_thing_that_only_one_match_can_hold_is_breaking(games: list[str]) -> None:
    found = compare_texts(games, LIBRARY)
    gravest = {row.verdict.impact for row in found.turn if None in row.cells}
    gravest |= {
        r.verdict.impact for r in found.components if r.what == "symbol" and None in r.cells
    }
    assert gravest == {Impact.BREAKING}


def test_a_value_or_rule_that_only_one_side_has_is_a_difference_of_behaviour() -> None:
    rows = [*DRAGONS.values, *DRAGONS.rules]
    alone = [row for row in rows if None in row.cells and getattr(row, "kind", "") != "option"]
    assert {row.verdict.impact for row in alone} == {Impact.BEHAVIOUR}


@pytest.mark.parametrize(
    "other", [NEW, "house/hand-of-three", "variants/second-dragon-third-fairy"]
)
def test_it_makes_no_difference_which_side_is_named_first(other: str) -> None:
    there, back = compare_texts([OLD, other], LIBRARY), compare_texts([other, OLD], LIBRARY)
    weights = [Counter((v.state, v.impact) for v in c.verdicts()) for c in (there, back)]
    assert weights[0] == weights[1]


def test_an_option_that_only_one_side_offers_changes_no_match() -> None:
    alone = [row for row in DRAGONS.values if row.kind == "option" and None in row.cells]
    assert {row.verdict.impact for row in alone} == {Impact.DATA}


def test_every_difference_has_a_severity_and_a_known_reason() -> None:
    for verdict in DRAGONS.verdicts():
        assert (verdict.impact is None) == verdict.is_same
        assert verdict.is_same or verdict.reasons
        assert all(reason.code in REASONS for reason in verdict.reasons)


def test_more_than_two_games_have_a_cell_each() -> None:
    found = compare_texts([OLD, NEW, "house/fairy-five"], LIBRARY)
    assert {len(row.cells) for row in found.topic_rows()} == {3}
    assert "house/fairy-five" in page(found)


def test_linked_games_are_compared_by_their_topmost_rulesets() -> None:
    games = [load_game(text, {}, LIBRARY)[0] for text in (OLD, NEW)]
    found = compare([game for game in games if game is not None])
    assert [side.own for side in found.sides] == [(OLD,), (NEW,)]


@pytest.mark.parametrize("more", ["c2/base+c2/bazaars", "c2/castles"])
def test_a_requirement_that_one_side_lacks_is_compared(more: str) -> None:
    found = compare_texts(["c2/base", more], LIBRARY)
    assert found.sides[1].own == ("c2/base", "c2/bridges-castles-bazaars", more.split("+")[-1])
    assert [side.beneath for side in found.sides] == [(), ()]
    alone = [row for row in found.tiles if row.verdict.state is State.ONLY]
    assert [row.count for row in alone] == [12]
    (tiles,) = (row for row in found.components if row.what == "tiles")
    assert [cell.count for cell in tiles.cells if cell] == [72, 84]
    other = compare_texts([more, "c2/base"], LIBRARY)
    assert [side.own for side in other.sides[::-1]] == [side.own for side in found.sides]


def test_a_house_rule_brings_what_it_requires(tmp_path: Path) -> None:
    folder = tmp_path / "house" / "mine"
    folder.mkdir(parents=True)
    module = "id: house/mine\nkind: house\ntitle: Mine\nrequires: {castles: c2/castles}\n"
    (folder / "module.yaml").write_text(module, encoding="utf-8")
    found = compare_texts(["c2/base", "house/mine"], Library([tmp_path]))
    assert "c2/castles" in found.sides[1].own
    assert "castle.field_points" in {row.id for row in found.values}
    assert ("token", "castle_block") in {
        (row.what, cell.id) for row in found.components if (cell := row.cells[1]) is not None
    }


def test_requirements_of_all_sides_are_left_out_in_any_edition() -> None:
    found = compare_texts(["c3/abbot", "c2/abbot"], LIBRARY)
    assert [side.own for side in found.sides] == [("c3/abbot",), ("c2/abbot",)]
    assert [side.beneath for side in found.sides] == [("c3/base",), ("c2/base",)]


def test_a_game_that_cannot_be_linked_is_reported_with_the_reason() -> None:
    with pytest.raises(CannotCompareError) as refused:
        compare_texts([OLD, "c2/nothing-there"], LIBRARY)
    assert [d.code for d in refused.value.diagnostics] == ["TW221"]


# ------------------------------------------------------------------ parts of it


def test_a_prefix_keeps_its_topics_alone() -> None:
    found = narrowed(DRAGONS, "fairy.scoring")
    topics = {row.topic for row in found.topic_rows()}
    assert topics and all(topic.startswith("fairy.scoring.") for topic in topics)


def test_a_prefix_finds_what_has_been_called_into_the_row_of_another_topic() -> None:
    topics = {row.topic for row in narrowed(DRAGONS, "fairy.protection.ends-movement").topic_rows()}
    assert topics == {"fairy.protection"}


@pytest.mark.parametrize("impact", list(Impact))
def test_only_one_severity_is_kept(impact: Impact) -> None:
    found = narrowed(DRAGONS, only=[impact.value])
    assert {verdict.impact for verdict in found.verdicts()} == {impact}


def test_several_severities_may_be_kept() -> None:
    found = narrowed(DRAGONS, only=["breaking", "behaviour"])
    assert {v.impact for v in found.verdicts()} == {Impact.BREAKING, Impact.BEHAVIOUR}


# ------------------------------------------------------------------ on paper


@pytest.mark.parametrize(
    "width", slow_unless(lambda width: width in (40, 80), [40, 60, 80, 120, 200])
)
@pytest.mark.parametrize("length", list(Length))
def test_no_line_is_wider_than_the_page(width: int, length: Length) -> None:
    assert max(map(len, page(DRAGONS, width, length=length).splitlines())) <= width


def test_a_page_for_a_file_has_no_colours_and_no_spaces_at_line_ends() -> None:
    text = page(DRAGONS)
    assert "\x1b" not in text
    assert not re.search(r" $", text, re.MULTILINE)


def test_a_longer_page_contains_the_shorter_one() -> None:
    brief, usual, full = (page(DRAGONS, length=length) for length in Length)
    assert len(brief) * 4 < len(usual)
    names = TopicNames(DRAGONS, Words())
    for row in DRAGONS.topic_rows():
        if row.verdict.state is State.DIFFERS:
            assert f"  {names.here(row.topic)}  " in usual
    assert "df3-two-moves" in full
    assert "df3-two-moves" not in usual


@pytest.mark.parametrize(
    ("language", "title"), [("en", "In short"), ("uk", "Коротко"), ("pl", "W skrócie")]
)
def test_the_page_speaks_three_languages(language: str, title: str) -> None:
    assert title in page(DRAGONS, language=language)
    assert title in as_markdown(DRAGONS, language=language)


def test_a_page_without_differences_says_so() -> None:
    assert "Nothing differs." in page(compare_texts(["c2/base", "c3/base"], LIBRARY))


def test_json_keeps_its_shape_and_is_stable() -> None:
    schema = json.loads((schemas_folder() / "comparison.schema.json").read_text(encoding="utf-8"))
    text = as_json(DRAGONS)
    jsonschema.validate(json.loads(text), schema)
    assert text == as_json(compare_texts([OLD, NEW], Library()))
    assert set(REASONS) >= set(
        schema["$defs"]["verdict"]["properties"]["reasons"]["items"]["properties"]["code"]["enum"]
    )


def test_markdown_tables_have_even_rows() -> None:
    for block in as_markdown(DRAGONS).split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) <= 1


def test_the_rule_of_another_reading_is_not_noted_beside_a_statement() -> None:
    found = compare_texts(["c2/princess-and-dragon", "c3.1/dragon-and-fairy"])
    texts = {
        statement.id: statement
        for row in found.topic_rows()
        for cell in row.cells
        if cell is not None
        for statement in cell.statements
    }
    assert (texts["df3-cohabitation"].carried, texts["df3-cohabitation"].note) == ("rule", "")
    assert texts["pd2-dragon-phase-1b"].note == "dragon_phase=before_figures"


def test_a_rule_that_an_option_has_taken_away_is_noted() -> None:
    game = "c2/princess-and-dragon?cohabitation=free"
    found = compare_texts([game, "c3.1/dragon-and-fairy"])
    notes = {
        statement.id: statement.note
        for row in found.topic_rows()
        for cell in row.cells
        if cell is not None
        for statement in cell.statements
    }
    assert notes["pd2-dragon-no-sharing"] == "cohabitation=forbidden"


def test_every_part_of_the_data_is_described() -> None:
    def parts(schema: object) -> Iterator[tuple[str, dict[str, object]]]:
        if isinstance(schema, dict):
            yield from schema.get("properties", {}).items()
            for inner in schema.values():
                yield from parts(inner)
        elif isinstance(schema, list):
            for inner in schema:
                yield from parts(inner)

    schema = json.loads((schemas_folder() / "comparison.schema.json").read_text(encoding="utf-8"))
    assert [name for name, part in parts(schema) if not part.get("description")] == []


def test_the_page_about_comparing_defines_every_impact() -> None:
    page = (ROOT / "docs" / "how-to" / "compare.md").read_text(encoding="utf-8")
    found = re.sub(r"\s+", " ", page)
    for impact, meaning in BETWEEN_EDITIONS.items():
        assert f"**{impact.value}**: {meaning}" in found


# ------------------------------------------------------------------ boards


def witnessed(found: Comparison, right: int = 1) -> Witnesses:
    """A board that shows the walk and the flight, and one that shows nothing of the page."""
    gain = Gain("red", 4, "4 = tiles 4", "", "some.rule", ())
    ends = (Ending("", gains=(gain,)), Ending("", places=(("blue meeple", "home"),)))
    rows = ("topic:dragon.movement.distance",)
    board = ("city1 0,0 N",)
    boards = tuple(
        Witness(shown, Kind.POINTS, Origin.SEARCH, f"game {number}", "", ("a", "b"),
                ("red", "blue"), board, (), ("draw city1",), ends)
        for number, shown in enumerate((("rule:no.such",), rows))
    )  # fmt: skip
    sought = SearchEffort(1, 1, 1, False)
    return Witnesses(0, right, boards, {"rule:no.such": 0, rows[0]: 1}, (), sought)


def test_the_endings_of_a_board_are_printed_beside_its_row() -> None:
    text = page(DRAGONS, witnesses=[witnessed(DRAGONS)])
    assert text.count("board 2") == 1
    assert "board 1" not in text
    (line,) = (line for line in text.splitlines() if "red gains 4 = tiles 4" in line)
    assert "nobody gains anything" in line
    brief = page(DRAGONS, length=Length.BRIEF, witnesses=[witnessed(DRAGONS)])
    assert "board 2" not in brief


def test_a_terminal_that_draws_boards_lists_them_with_their_play_and_results() -> None:
    found = replace(witnessed(DRAGONS), without=("step:turn/no_such",))
    text = page(DRAGONS, witnesses=[found], draw=lambda witness: Scenes())
    _, listed = text.split("Board 2: topic dragon.movement.distance\n")
    assert "draw city1" in listed and "red gains 4 = tiles 4" in listed
    for form in (listed, as_markdown(DRAGONS, witnesses=[found])):
        assert (
            "no board was found for one row (scenarios tried: 1, games: 1): step turn/no_such"
            in (" ".join(form.split()))
        )


def test_boards_of_later_sides_are_numbered_on() -> None:
    found = compare_texts([OLD, NEW, "house/fairy-five"], LIBRARY)
    groups = [witnessed(found), witnessed(found, 2)]
    text = page(found, witnesses=groups)
    assert "board 2" in text
    assert "board 4" in text
    assert max(map(len, page(found, 60, witnesses=groups).splitlines())) <= 60
    numbers = [board.number for board in Boards(found, groups, Words("en")).all]
    assert numbers == [1, 2, 3, 4]


def test_markdown_describes_each_board() -> None:
    text = as_markdown(DRAGONS, witnesses=[witnessed(DRAGONS)])
    assert "- **board 2**, found by playing: game 1: `city1 0,0 N`, `draw city1`" in text
    assert "▣ *red gains 4 = tiles 4*" in text


def test_every_kind_of_component_has_a_name() -> None:
    for language in languages():
        words = Words(language)
        assert all(words(f"comparison.what.{what}") for what in components._ORDER)
