"""Every row of a comparison is true: lapsed statements are marked, equal rules make no row, and
rules without a statement are put into words."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from support.marks import slow_unless
from support.pages import as_markdown, compared, page_of, print_comparison
from support.recast import copied
from tilewright.faces.cli.views.page import print_history
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.comparison.timeline import histories
from tilewright.tools.reports.gallery import pairs
from tilewright.view.comparison.export import as_json
from tilewright.view.comparison.first_lines import first_lines
from tilewright.view.comparison.gallery import Pair
from tilewright.view.comparison.lapsed import RepeatedCell, unstated, without_repetitions
from tilewright.view.comparison.phrases import value_texts
from tilewright.view.page.blocks import Length
from tilewright.view.results.comparison import Comparison, State, TopicRow

LIBRARY = Library()
PAIRS = pairs(LIBRARY)
OLD, NEW = "c2/princess-and-dragon", "c3.1/dragon-and-fairy"
GOODS = ("c2/traders-and-builders", "c3.1/traders-and-builders")
pairs_of_games = pytest.mark.parametrize(
    "pair",
    slow_unless(lambda pair: not pair.is_house, PAIRS),
    ids=["-".join(pair.games) for pair in PAIRS],
)


def rows(*games: str) -> dict[str, TopicRow]:
    return {row.topic: row for row in compared(*games).topic_rows()}


def differing(*games: str) -> set[str]:
    return {t for t, row in rows(*games).items() if row.verdict.state is State.DIFFERS}


def page(found: Comparison, width: int = 40, **how: object) -> str:
    """A page so narrow that its sides are printed one below another, as one line."""
    out = io.StringIO()
    print_comparison(found, Console(file=out, width=width), **how)  # type: ignore[arg-type]
    return " ".join(out.getvalue().split())


def draft(folder: Path, id_: str, base: str, rules: str) -> Library:
    """A library with a ruleset that has no statements."""
    (folder / "rules").mkdir(parents=True)
    role = base.partition("/")[2]
    (folder / "module.yaml").write_text(
        f"id: {id_}\nkind: house\ntitle: A draft\nrequires: {{{role}: {base}}}\n", encoding="utf-8"
    )
    (folder / "rules" / "all.yaml").write_text(rules, encoding="utf-8")
    return Library([folder])


# ------------------------------------------------------------------ all shipped comparisons


@pairs_of_games
def test_no_differing_row_says_only_that_it_is_as_on_another_side(pair: Pair) -> None:
    found = compared(*pair.games)
    for row in found.topic_rows():
        if row.verdict.state is not State.DIFFERS:
            continue
        # of three sides, two may agree
        assert any(
            not isinstance(cell, RepeatedCell) or cell.more.statements or cell.more.details
            for cell in without_repetitions(row.cells)[1:]
        ), row.topic


def test_a_reading_that_is_not_chosen_takes_no_place_of_another() -> None:
    def differing(choice: str) -> list[str]:
        found = compared(f"c1/farmers?field_scoring={choice}", "c2/farmers")
        rows = (r for r in found.topic_rows() if r.verdict.state is State.DIFFERS)
        return [r.topic for r in rows if r.topic.startswith("field.")]

    assert differing("third") == []
    assert differing("second") == ["field.scoring.value"]


def last_said(found: Comparison, language: str = "en") -> list[str]:
    """The summary lines of the last side."""
    cells = [x.cells[-1] for _, lines in first_lines(found, Words(language)) for x in lines]
    return [cell.text if cell else "" for cell in cells]


@pairs_of_games
def test_differing_rules_have_a_summary_line(pair: Pair) -> None:
    found = compared(*pair.games)
    differs = [row for row in found.rules if row.verdict.state is not State.SAME]
    if any(row.verdict.impact != "text" for row in differs):
        assert last_said(found)


@pairs_of_games
def test_every_statement_whose_rule_a_patch_removes_has_lapsed(pair: Pair) -> None:
    """A rule of the first side that the last one has lost, in the rows of rules."""
    found = compared(*pair.games)
    first, last = found.sides[0], found.sides[-1]
    if not set(first.own) <= {*last.own, *last.beneath}:
        return  # two editions, each with statements of its own
    gone = {
        row.cells[0].id: row.cells[0].statements
        for row in found.rules
        if row.verdict.state is State.ONLY and row.cells[0] is not None and row.cells[-1] is None
    }
    there = [cell for row in found.rules if (cell := row.cells[-1]) is not None]
    left = {s for cell in there for s in cell.statements}
    ended = {
        text.id
        for row in found.topic_rows()
        if (cell := row.cells[-1]) is not None
        for text in cell.statements
        if text.lapse is not None
    }
    for statements in gone.values():
        carried_elsewhere = {s for s in statements if s in left}
        assert {s for s in statements if s not in carried_elsewhere} <= ended | _kept(pair)


def _kept(pair: Pair) -> set[str]:
    """Statements that a patch names: its author declares that they hold."""
    ruleset = LIBRARY.load_rules(pair.games[-1].split("+")[-1], Reporter())
    return {s for patch in ruleset.patches for s in patch.statements} if ruleset else set()


# ------------------------------------------------------------------ lapsed statements


def test_a_rule_that_is_gone_ends_its_statement_with_the_reason_of_the_patch() -> None:
    row = rows(OLD, "house/fairy-five")["fairy.scoring.turn-start"]
    (result,) = row.cells[1].statements  # type: ignore[union-attr]
    assert result.lapse is not None
    assert (result.lapse.extent, result.lapse.by) == ("gone", ("fairy.five.no_turn_point",))
    assert result.lapse.why == ("the point at the start of the turn is given up",)
    assert row.cells[1].values == ()  # type: ignore[union-attr]  # nothing reads it any more
    text = page(compared(OLD, "house/fairy-five"))
    assert "Not here: If she is still with" in text


def test_a_sentence_that_names_a_value_has_its_present_number() -> None:
    row = rows(OLD, "house/fairy-five")["fairy.scoring.feature"]
    before, after = ({s.id: s for s in cell.statements} for cell in row.cells if cell)
    assert before["pd2-fairy-score"].says.startswith("A scored feature brings three points")
    assert after["pd2-fairy-score"].says.startswith("A scored feature brings five points")
    assert after["pd2-fairy-score"].lapse is None
    assert row.verdict.state is State.DIFFERS


def test_a_sentence_that_holds_no_more_keeps_the_number_of_its_rulebook(tmp_path: Path) -> None:
    rules = """\
patches:
  - {id: mine.late, set: fairy.turn_points, to: 2, expect: 1, why: it is little}
  - {id: mine.none, remove: fairy.turn_start, why: none}
"""
    row = drafted(tmp_path, OLD, rules)["fairy.scoring.turn-start"]
    (ended,) = row.cells[1].statements  # type: ignore[union-attr]
    assert ended.lapse is not None
    assert ended.says.endswith("it brings one point immediately.")


def test_a_difference_of_tiles_is_one_of_data_and_names_no_tile() -> None:
    for games in (("c2/base+c1/abbey-and-mayor", "c2/abbey-and-mayor"), ("c1/base", "c3/base")):
        for topic, row in rows(*games).items():
            if "garden" in topic and not row.verdict.is_same:
                assert row.verdict.impact in ("data", "text"), topic
            details = [text.get() for cell in row.cells if cell for text in cell.details]
            assert not any("tile " in text or "without: without" in text for text in details)


def test_a_place_that_a_game_makes_of_a_mark_draws_no_tile_anew() -> None:
    """The abbot makes a place of the garden that the tiles of the base game show anyway."""
    found = compare_texts(["c2/base", "c2/base+c2/abbot"])
    assert found.tiles == ()


def test_a_changed_count_is_a_difference_of_the_data_that_a_sentence_names() -> None:
    row = rows("c2/base", "house/figures-by-players")["setup.figures.meeple"]
    says = [s.says for cell in row.cells if cell for s in cell.statements]
    assert "Everybody begins with seven meeples in front of them." in says
    assert row.verdict.state is State.DIFFERS


def test_a_changed_value_ends_the_examples_that_count_with_the_old_one() -> None:
    row = rows(OLD, "house/fairy-five")["fairy.scoring.feature"]
    ended = {s.id: s.lapse for s in row.cells[1].statements if s.lapse}  # type: ignore[union-attr]
    assert set(ended) == {"pd2-fairy-score-example"}
    (value,) = ended["pd2-fairy-score-example"].values
    assert (value.id, value.before, value.after) == ("fairy.feature_points", "3", "5")
    assert "(5 instead of 3;" in page(compared(OLD, "house/fairy-five"))


def test_a_value_belongs_to_the_statements_that_name_it() -> None:
    assert "fairy.scoring.separate" not in differing(OLD, "house/fairy-five")


def test_an_answer_that_goes_over_another_one_ends_its_statement() -> None:
    found = rows("c2/base", "c2/base+house/two-teams")["end.winner"]
    ended = [s.id for s in found.cells[1].statements if s.lapse]  # type: ignore[union-attr]
    assert ended == ["base-winner"]


def test_an_option_that_takes_a_rule_away_ends_its_statement() -> None:
    found = rows(OLD, f"{OLD}?cohabitation=free")["dragon.cohabitation"]
    for text in found.cells[1].statements:  # type: ignore[union-attr]
        assert text.lapse is not None
        (choice,) = text.lapse.choices  # in words
        assert choice.get().startswith("whether a figure the dragon eats")
        assert choice.get().endswith(": yes")
        assert choice.get("uk").startswith("чи можна розмістити на плитці дракона")
        assert choice.get("uk").endswith(": так")


def test_statements_that_a_change_keeps_make_no_difference() -> None:
    assert "princess.target" not in differing(OLD, f"{OLD}+house/princess-must")
    assert "end.winner" not in differing("c2/base", "c2/base+house/tie-won-by-figures-at-home")


def test_a_statement_may_take_the_place_of_another_one() -> None:
    row = rows("c2/base", "c2/base+house/anticlockwise")["turn.order"]
    lapses = {s.id: s.lapse for s in row.cells[1].statements}  # type: ignore[union-attr]
    assert lapses["anticlockwise"] is None
    assert lapses["base-turn-order"].told_by == ("anticlockwise",)  # type: ignore[union-attr]


def test_the_history_of_a_topic_shows_lapsed_statements() -> None:
    out = io.StringIO()
    print_history(histories("fairy.scoring.turn-start", LIBRARY), Console(file=out, width=300))
    output = out.getvalue()
    assert "Not here: If she is still with" in output
    assert "(the point at the start of the turn is given up)" in output


@pytest.mark.parametrize(
    "topic", slow_unless(lambda topic: "." in topic, ["dragon", "dragon.eats"])
)
def test_no_differing_chapter_of_a_history_is_as_in_another_ruleset(topic: str) -> None:
    for each in histories(topic, LIBRARY):
        for chapter in (*each.printed, *each.house):
            if chapter.row is not None and chapter.row.verdict.state is State.DIFFERS:
                again = without_repetitions(chapter.row.cells)[-1]
                assert not isinstance(again, RepeatedCell) or again.key != "as in"


# ------------------------------------------------------------------ rules without a statement

HUNGRY = """\
rules:
  - id: hungry.spares_monks
    amend: may_eat(f)
    value: f is not monk
patches:
  - {id: hungry.steps, set: dragon.steps, to: 9, expect: 6, why: six steps are over too soon}
"""
SPARES = (
    "Whether the dragon eats a figure on a tile that it comes to: additionally requires that the "
    "figure is not a monk"
)


def test_the_house_rule_of_the_readme_shows_both_of_its_changes_first(tmp_path: Path) -> None:
    library = draft(tmp_path / "mine", "house/hungry", OLD, HUNGRY)
    found = compare_texts([OLD, "house/hungry"], library)
    first, second = last_said(found)
    assert first == SPARES
    assert second == "Nine tiles, or fewer when it is stuck."
    assert last_said(found, "uk")[1] == "Дев'ять плиток або менше, якщо застряг."
    assert last_said(found, "pl")[1] == "Dziewięć płytek albo mniej, gdy utknie."
    for text in (page(found), page(found, length=Length.FULL), as_markdown(found)):
        assert SPARES in " ".join(text.split())
        assert "instead of" not in text
    assert SPARES in page_of(found, library)
    data = json.loads(as_json(found))
    says = [c["says"] for r in data["rules"] if not r["is_told"] for c in r["cells"] if c]
    assert says[0]["en"] == SPARES
    assert set(says[0]) == {"en", "uk", "pl"}


LATE = """\
rules:
  - id: late.five
    amend: points(x)
    item: late
    when: turn > 8 and x is city
    value: 5
"""


def test_a_rule_alone_is_shown_where_nothing_else_differs(tmp_path: Path) -> None:
    library = draft(tmp_path / "mine", "house/late", "c2/base", LATE)
    found = compare_texts(["c2/base", "house/late"], library)
    (text,) = last_said(found)
    assert text == (
        "What a completed feature is worth: 5 points more when turn > 8 and the feature is a city"
    )
    assert text in page(found)
    (uk,) = last_said(found, "uk")
    assert uk.startswith("Вартість завершеного об'єкта: на 5 очок більше, коли")


SOLO = """\
values:
  solo.goal: {type: number, is: 60}
memory:
  first_place: {type: set of player, per: game}
rules:
  - id: solo.won
    on: completed(x)
    when: first_place is empty and active.points > solo.goal
    do: add active to first_place
"""


def test_a_value_and_a_memory_of_one_side_are_told_in_words(tmp_path: Path) -> None:
    library = draft(tmp_path / "mine", "house/solo", "c2/base", SOLO)
    there = unstated(compare_texts(["c2/base", "house/solo"], library), "en")
    gone = unstated(compare_texts(["house/solo", "c2/base"], library), "en")
    assert there[-1] == ("solo.goal", (None, "Solo goal: 60"))
    assert gone[-1] == ("solo.goal", ("Solo goal: 60", None))
    assert "first place is empty" in str(there[0][1][1])


def test_a_rule_replaced_without_a_statement_is_shown_as_it_is_now(tmp_path: Path) -> None:
    rules = """\
patches:
  - id: mine.timing
    replace: fairy.turn_start
    on: step fairy_point
    when: turn > 4 and fairy_visits(active)
    do: award 2 to active
    why: nobody begins with a point
"""
    library = draft(tmp_path / "mine", "house/mine", OLD, rules)
    found = compare_texts([OLD, "house/mine"], library)
    row = next(r for r in found.topic_rows() if r.topic == "fairy.scoring.turn-start")
    cell = row.cells[1]
    assert cell is not None
    assert [s.lapse.extent for s in cell.statements if s.lapse] == ["changed"]
    assert "award 2 to the player in turn" in cell.details[0].get()
    assert "Changed: If she is still with" in page(found)


def drafted(folder: Path, base: str, rules: str) -> dict[str, TopicRow]:
    """The topic rows of a comparison of a ruleset with a draft on top of it."""
    library = draft(folder / "mine", "house/mine", base, rules)
    found = compare_texts([base, "house/mine"], library)
    return {row.topic: row for row in found.topic_rows()}


def test_a_further_clause_makes_the_row_of_the_rules_that_use_the_definition_differ(
    tmp_path: Path,
) -> None:
    row = drafted(tmp_path, OLD, HUNGRY)["dragon.eats.meeple"]
    assert row.verdict.state is State.DIFFERS
    assert [reason.code for reason in row.verdict.reasons] == ["rules"]
    (detail,) = row.cells[1].details  # type: ignore[union-attr]
    assert detail.get() == SPARES


def test_a_clause_that_goes_over_a_default_makes_the_row_of_its_value_differ(
    tmp_path: Path,
) -> None:
    rules = """\
rules:
  - id: mine.faster
    amend: dragon_steps()
    when: turn > 8
    value: 9
"""
    row = drafted(tmp_path, OLD, rules)["dragon.movement.distance"]
    assert row.verdict.state is State.DIFFERS
    assert "9" in row.cells[1].details[0].get()  # type: ignore[union-attr]


def test_a_further_summand_changes_nothing_that_other_rules_say(tmp_path: Path) -> None:
    found = drafted(tmp_path, "c2/base", LATE)
    assert {t for t, row in found.items() if row.verdict.state is State.DIFFERS} == set()


def test_a_sentence_that_keeps_one_of_its_numbers_holds_in_part(tmp_path: Path) -> None:
    rules = """\
patches:
  - {id: mine.shields, set: city.shield_points, to: 3, expect: 2, why: arms are proud}
"""
    # a sentence with its numbers in words, and not by name
    base = copied("c2/base", tmp_path) / "statements.yaml"
    text = base.read_text("utf-8")
    named = "{city.tile_points point | points} a tile, and {city.shield_points} more"
    assert named in " ".join(text.split())
    words = re.sub(
        r"\s+".join(map(re.escape, named.split())), "two points a tile, and two more", text
    )
    base.write_text(words, "utf-8")
    draft(tmp_path / "house" / "mine", "house/mine", "c2/base", rules)
    found = compare_texts(["mine/copy", "mine/copy+house/mine"], Library([tmp_path]))
    rows = {row.topic: row for row in found.topic_rows()}
    extents = {
        text.id: text.lapse.extent
        for row in rows.values()
        for text in row.cells[1].statements  # type: ignore[union-attr]
        if text.lapse is not None
    }
    assert extents["base-city-score"] == "part"


def test_a_statement_carried_by_the_tiles_of_one_side_is_a_difference_of_data() -> None:
    row = rows("c2/river", "c3/river")["tile.lake.monastery"]
    assert (row.verdict.state, row.verdict.impact) == (State.ONLY, "data")
    assert row.has_effect


def test_a_value_that_two_sides_explain_otherwise_shows_both_explanations() -> None:
    (row,) = [row for row in compared(*GOODS).values if row.id == "pig.city_points"]
    assert len(value_texts(row, Words("en"))) == 2


# ------------------------------------------------------------------ no difference


SAME_IN_BOTH = [
    "dragon.arrival.scoring",
    "dragon.movement.rest",
    "dragon.movement.meeple-allowed",
    "dragon.movement.double-turn",
    "dragon.eats.abbot",
    "fairy.scoring.feature",
    "fairy.type",
    "module.requires",
    "portal.placement.completed",
    "portal.placement.rules",
    "tunnel.fields",
    # between two texts of one edition
    "dragon.phases",
    "fairy.scoring.separate",
    "scoring.fairy.when",
    "turn.phases.dragon",
    "turn.volcano-end",
    # for boxes that are not here
    "dragon.blocked.wheel",
    "fairy.assignment.castle",
    # it is in another row
    "dragon.cohabitation.provenance",
]


@pytest.mark.parametrize("topic", SAME_IN_BOTH)
def test_equal_rules_of_two_editions_make_no_row(topic: str) -> None:
    assert topic not in differing(OLD, NEW)


def test_a_statement_under_another_topic_of_the_other_edition_is_on_both_sides() -> None:
    for topic in ("portal.placement.field", "dragon.movement.mandatory", "dragon.diet.fairy"):
        row = rows(OLD, NEW)[topic]
        assert row.verdict.state is State.REWORDED
        assert None not in row.cells


def test_a_table_of_cases_is_not_repeated_as_rules_of_one_side() -> None:
    cases = [row for t, row in rows(OLD, NEW).items() if t.startswith("dragon.state.")]
    assert len(cases) == 6
    assert not any(row.has_effect for row in cases)


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("fairy.scoring.turn-start", None),
        ("princess.trigger", None),
        ("dragon.movement.dead-end", {"df3-move-example-2"}),
    ],
)
def test_a_row_pairs_only_what_is_about_the_same(topic: str, expected: set[str] | None) -> None:
    cell = rows(OLD, NEW)[topic].cells[1]
    assert (None if cell is None else {s.id for s in cell.statements}) == expected


def test_an_option_that_only_one_side_has_makes_no_topic_differ() -> None:
    for games in ((OLD, NEW), GOODS):
        for row in rows(*games).values():
            codes = {reason.code for reason in row.verdict.reasons}
            assert codes != {"options"} or "cohabitation" in str(row)


@pytest.mark.parametrize(
    "topic",
    [
        "builder.placement.kinds",
        "builder.trigger.later",
        "builder.double-turn.chain",
        "builder.double-turn.replace",
    ],
)
def test_both_builders_have_the_same_of_some_rules(topic: str) -> None:
    assert topic not in differing(*GOODS)


def test_the_bases_have_no_differing_row() -> None:
    for games in (("c2/base", "c3/base"), ("c2/abbot", "c3/abbot"), ("c2/river", "c3/river")):
        assert differing(*games) == set()


def test_a_reading_of_a_silent_rulebook_is_not_given_out_as_printed() -> None:
    cell = rows(OLD, NEW)["dragon.cohabitation"].cells[1]
    assert cell is not None
    result = cell.statements[0]
    assert result.authority == "common-knowledge"
    for text in (page(compared(OLD, NEW)), as_markdown(compared(OLD, NEW))):
        assert f"{result.says} (common knowledge)" in " ".join(text.split())


# ------------------------------------------------------------------ two house rules


def test_each_of_two_house_rules_is_compared_with_what_the_other_keeps() -> None:
    found = rows("house/two-figures-a-turn", "house/ties-pay-nobody")
    assert set(found) == {"meeple.placement.limit", "scoring.majority.tie"}
    for row in found.values():
        assert row.verdict.state is State.DIFFERS
        assert None not in row.cells
    tie = found["scoring.majority.tie"].cells[0]
    assert tie is not None
    assert [s.id for s in tie.statements if s.lapse is None] == ["base-majority-tie"]


def test_topics_that_every_side_keeps_are_left_out() -> None:
    found = rows("house/two-figures-a-turn", "house/ties-pay-nobody")
    assert "turn.order" not in found


# ------------------------------------------------------------------ rows of one side, checked


#: topics of only one rulebook that hold in both games
IN_BOTH_GAMES = [
    (GOODS, "tile.bridge.roads"),
    (GOODS, "tile.bridge.fields"),
    (GOODS, "goods.setup"),
    (GOODS, "setup.tiles.mix"),
    (GOODS, "builder.type"),
    (GOODS, "pig.type"),
    (GOODS, "builder.placement.several"),
    (GOODS, "pig.alone"),
    ((OLD, NEW), "dragon.type"),
    ((OLD, NEW), "fairy.assignment.source"),
    ((OLD, NEW), "fairy.assignment.target"),
    ((OLD, NEW), "fairy.assignment.volcano"),
    ((OLD, NEW), "fairy.assignment.features"),
    ((OLD, NEW), "setup.components.arrival"),
    ((OLD, NEW), "dragon.orientation"),
]


@pytest.mark.parametrize(("games", "topic"), IN_BOTH_GAMES)
def test_what_holds_in_both_games_is_no_difference(games: tuple[str, str], topic: str) -> None:
    row = rows(*games).get(topic)
    if row is not None:
        assert row.verdict.state is not State.DIFFERS
        assert not (row.verdict.state is State.ONLY and row.has_effect)


@pairs_of_games
def test_no_row_says_only_what_another_row_says(pair: Pair) -> None:
    told = [
        {s.id for cell in row.cells if cell is not None for s in cell.statements}
        for row in compared(*pair.games).topic_rows()
        if row.verdict.state is State.DIFFERS
    ]
    for number, here in enumerate(told):
        assert not any(here <= there for k, there in enumerate(told) if k != number)


def test_a_trait_that_no_rule_of_a_side_knows_is_no_difference() -> None:
    figures = [
        row for row in compared(OLD, NEW).components
        if row.what == "figure" and row.cells[0] is not None and row.cells[0].id == "fairy"
    ]  # fmt: skip
    assert [row.verdict.state for row in figures] == [State.SAME]


# ------------------------------------------------------------------ statements in other places


def test_a_topic_whose_statements_have_all_ended_is_no_difference_to_a_side_without_it() -> None:
    row = rows("c2/base", "house/abbot-stays")["abbot.recall.score"]
    assert row.verdict.state is State.ONLY
    assert not row.has_effect


def test_two_editions_that_replace_one_statement_by_two_others_differ() -> None:
    found = rows("c2/river-two", "c3/river-two-lakes")
    assert {found[topic].verdict.state for topic in ("river.setup", "river.end")} == {State.DIFFERS}


def test_a_value_is_told_by_a_statement_that_holds() -> None:
    def told(*games: str) -> str:
        (row,) = (row for row in compared(*games).values if row.id == "field.city_points")
        return next(cell.says for cell in row.cells if cell)

    assert told("c1/base", "c2/base") == "For each finished city its farmers are paid four points."
    assert told("c2/base", "house/no-farmers") == ""


def test_a_row_of_several_editions_has_words_made_from_rules_only_where_it_needs_them() -> None:
    found = rows("c1/river", "c2/river", "c3/river")["setup.start-tile"]
    assert all(cell is not None and not cell.details for cell in found.cells)


def test_the_reason_of_a_new_number_is_told_once() -> None:
    row = rows(OLD, "house/fairy-five")["fairy.scoring.feature"]
    assert row.cells[1] is not None
    assert row.cells[1].details == ()


def test_a_heading_of_the_short_answer_stands_once() -> None:
    found = first_lines(compared("c2/base", "c2/base+c2/russian-promos"), Words("en"))
    headings = [heading for heading, _ in found]
    assert len(headings) == len(set(headings))
