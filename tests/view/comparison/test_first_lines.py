"""The summary of a comparison: phrases of shipped rulesets where they hold, rows elsewhere."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from support.pages import compared, page_of
from tilewright.language.locale.words import Words, languages
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.model.ruleset import Phrase, Ruleset
from tilewright.rules.reading.files.statements import MARK
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare, compare_texts
from tilewright.tools.comparison.short_answer import short_answer
from tilewright.tools.reports.gallery import pairs
from tilewright.tools.workspace.loading import load_game, worded
from tilewright.view.comparison.first_lines import first_lines
from tilewright.view.results.comparison import Comparison, ShortLine, TopicRow

LIBRARY = Library()
EDITIONS = [
    games
    for pair in pairs(LIBRARY)
    if not pair.is_house
    for games in combinations(pair.games, 2)
    if len(pair.games) == 2
]
DRAGONS = ("c2/princess-and-dragon", "c3.1/dragon-and-fairy")
HOUSE = "c2/princess-and-dragon+house/fairy-five"


@cache
def rulesets() -> dict[str, Ruleset]:
    found = {id_: LIBRARY.load_rules(id_, Reporter()) for id_ in LIBRARY.ids()}
    return {id_: worded(each, LIBRARY) for id_, each in found.items() if each is not None}


PHRASES = [(id_, p) for id_, ruleset in rulesets().items() for p in ruleset.phrases]
phrases = pytest.mark.parametrize(
    ("id_", "phrase"), PHRASES, ids=[f"{id_} {p.topic}" for id_, p in PHRASES]
)
editions = pytest.mark.parametrize("games", EDITIONS, ids=" and ".join)


def row_of(line: ShortLine, found: Comparison) -> TopicRow:
    return next(row for row in found.topic_rows() if row.topic == line.topic)


# ------------------------------------------------------------------ phrases of shipped rulesets


@phrases
def test_a_phrase_is_short_and_is_there_in_every_language(id_: str, phrase: Phrase) -> None:
    for labels, most in ((phrase.heading, 20), (phrase.aspect, 25), (phrase.says, 80)):
        assert {language for language, _ in labels.texts} == set(languages())
        for _, text in labels.texts:
            assert len(text.replace(MARK, "")) <= most, text
    for _, text in phrase.says.texts:
        assert text.count(MARK) >= 2, text
        assert text.endswith(".")


@editions
def test_editions_that_differ_have_a_phrase_on_every_line(games: tuple[str, str]) -> None:
    found = compared(*games)
    assert bool(found.short) is not found.is_same
    for line in found.short:
        assert all(says is not None for says in line.says), line.topic


@editions
def test_the_subject_of_a_summary_line_differs_in_that_comparison(games: tuple[str, str]) -> None:
    found = compared(*games)
    for line in found.short:
        assert not row_of(line, found).verdict.is_same
        assert len(set(line.says)) > 1
        row, speaks = row_of(line, found), False
        for side, says in enumerate(line.says):
            own = [rulesets()[id_] for id_ in found.sides[side].own]
            cited = next(set(p.statements) for r in own for p in phrases_of(r.id) if p.says == says)
            assert cited <= statements_of(own), (line.topic, cited)
            cell = row.cells[side]
            speaks |= cell is not None and bool(cited & {s.id for s in cell.statements})
        assert speaks, line.topic


def phrases_of(id_: str) -> tuple[Phrase, ...]:
    """The phrases of the rulesets of a game, and of what they take over."""
    if "+" in id_:
        return tuple(phrase for each in id_.split("+") for phrase in phrases_of(each))
    ruleset = rulesets()[id_]
    earlier = ruleset.module.takes_over
    return (*ruleset.phrases, *(phrases_of(earlier) if earlier else ()))


def statements_of(own: list[Ruleset]) -> set[str]:
    """The ids of what rulesets say, and of what those say that they take over."""
    earlier = [rulesets()[r.module.takes_over] for r in own if r.module.takes_over]
    return {s.id for r in own for s in r.statements} | (
        statements_of(earlier) if earlier else set()
    )


@editions
def test_sides_may_be_swapped(games: tuple[str, str]) -> None:
    one, other = compared(*games), compared(*reversed(games))
    found = {(line.topic, line.says) for line in one.short}
    assert {(line.topic, line.says[::-1]) for line in other.short} == found


@editions
def test_editions_use_one_name_for_an_aspect(games: tuple[str, str]) -> None:
    one, other = ({p.topic: p for p in phrases_of(id_)} for id_ in games)
    for topic in one.keys() & other.keys():
        assert one[topic].aspect == other[topic].aspect
        assert one[topic].heading == other[topic].heading


def test_a_player_hears_first_who_moves_the_dragon_and_what_the_fairy_does() -> None:
    lines = compared(*DRAGONS).short
    assert [line.aspect.get() for line in lines] == [
        "Who leads it", "When", "How far", "Which way", "How it comes", "Where nobody may stand",
        "Whom she shelters", "How to call her", "What she pays", "What is in it",
    ]  # fmt: skip
    headings = [line.heading.get() for line in lines]
    assert headings == ["The dragon"] * 6 + ["The fairy"] * 3 + ["The box"]


def test_three_editions_stand_in_one_table() -> None:
    found = compared("c2/river", "c3/river", "c3/river-two-lakes")
    assert found.short
    for line in found.short:
        assert len(line.says) == 3
        assert None not in line.says


# ------------------------------------------------------------------ where a phrase does not hold


def test_a_phrase_is_not_used_where_a_house_rule_has_changed_what_it_says() -> None:
    line = compared(DRAGONS[0], HOUSE).short[0]
    assert line.aspect.get() == "What she pays"
    printed, changed = line.says
    assert printed is not None
    assert "point each turn" in printed.get()
    assert changed is None


def test_a_row_without_a_phrase_has_a_summary_line() -> None:
    ((heading, lines),) = first_lines(compared(DRAGONS[0], HOUSE), Words("en"))
    assert heading == "The fairy"
    found = [cell.text for line in lines if (cell := line.cells[1]) is not None]
    assert len(found) == len(lines) == 2
    assert found[0].startswith("Not here: ")
    assert "five extra points" in found[1]


def test_a_statement_that_holds_only_in_part_is_not_set_against_another_one() -> None:
    found = first_lines(compared("c2/base", "c2/base+c2/bridges"), Words("en"))
    (line,) = (x for _, lines in found for x in lines if x.topic == "tile.placement.unplaceable")
    before, after = (cell.text for cell in line.cells if cell)
    assert before.startswith("Should that happen with the very last tile")
    assert after.startswith(f"Only in part: {before}")
    assert after.endswith("(a bridge can make a place for a tile that has none)")


def texts_of_roles(*games: str) -> set[str]:
    """The texts of the last side in the lines about places of figures."""
    lines = [line for _, found in first_lines(compared(*games), Words("en")) for line in found]
    there = [line.cells[-1] for line in lines if line.topic.startswith("meeple.")]
    return {cell.text for cell in there if cell}


def test_a_line_says_which_figure_takes_a_role_as_well() -> None:
    found = texts_of_roles("c2/base", "c2/base+c2/phantom")
    assert found == {"the figure “phantom” too may be highwayman, knight, monk"}


def test_a_line_says_who_lost_a_role_and_where_another_one_is() -> None:
    game = load_game("c2/base+c2/phantom", {}, LIBRARY)[0]
    assert game is not None
    knight = next(role for role in game.roles if role.id == "knight")
    for role, says in (
        (replace(knight, figures=("meeple",)), "meeple (city) instead of meeple, phantom (city)"),
        (replace(knight, on="road"), "meeple, phantom (road) instead of meeple, phantom (city)"),
    ):
        roles = tuple(role if each is knight else each for each in game.roles)
        found = compare([game, replace(game, roles=roles)], [["c2/base"], ["c2/base"]])
        details = {
            text.get("en") for row in found.topic_rows() if (cell := row.cells[1])
            for text in cell.details
        }  # fmt: skip
        assert details == {f"the role “knight”: {says}"}


def test_house_rules_have_summary_lines_beside_editions() -> None:
    found = compared(DRAGONS[0], f"{DRAGONS[1]}+house/dragon-eats-one")
    assert len(found.short) == 10
    texts = [line for line in found.short if line.says[1] is None]
    assert [line.topic for line in texts] == ["dragon.eats.all"]


def test_a_phrase_is_not_used_under_another_option() -> None:
    found = compared(DRAGONS[0], f"{DRAGONS[0]}?dragon_phase=before_figures")
    line = found.short[0]
    assert line.aspect.get() == "When"
    assert line.says[0] is not None
    assert line.says[1] is None


def test_a_phrase_is_not_used_where_its_rule_is_left_out() -> None:
    found = compared(DRAGONS[0], f"{DRAGONS[0]}:minus=fairy.scoring.turn-start")
    for line in found.short:
        assert line.says[1] is None or "point each turn" not in line.says[1].get()


@pytest.mark.parametrize("language", languages())
def test_a_line_records_its_language(language: str) -> None:
    lines = [
        line for _, group in first_lines(compared(*DRAGONS), Words(language)) for line in group
    ]
    for line in lines:
        for cell in line.cells:
            assert cell is not None
            assert cell.language == language
            assert any(is_bold for _, is_bold in cell.runs)


def counted(folder: Path, base: str, patch: str) -> tuple[Library, Comparison]:
    """A game compared with itself under one patch without a statement."""
    (folder / "mine" / "rules").mkdir(parents=True)
    role = base.partition("/")[2]
    module = f"id: house/mine\nkind: house\ntitle: Mine\nrequires: {{{role}: {base}}}\n"
    (folder / "mine" / "module.yaml").write_text(module)
    (folder / "mine" / "rules" / "all.yaml").write_text(f"patches:\n  - {patch}\n")
    library = Library([folder / "mine"])
    return library, compare_texts((base, f"{base}+house/mine"), library)


def test_where_only_the_box_differs_the_box_comes_first(tmp_path: Path) -> None:
    patch = "{id: my.two, set: token ferry.count, to: 9, why: more}"
    library, found = counted(tmp_path, "c2/ferries", patch)
    ((heading, (line,)),) = first_lines(found, Words("en"))
    assert (heading, line.aspect) == ("In the box", "Token: ferry")
    assert [cell and cell.text for cell in line.cells] == ["8", "9"]
    page = page_of(found, library)
    assert '<a href="#components">Token: ferry</a>' in page
    assert 'id="components"' in page


def test_a_number_of_figures_that_a_statement_gives_is_told_with_it(tmp_path: Path) -> None:
    patch = "{id: my.nine, set: figure meeple.count, to: 9, why: more of them}"
    _, found = counted(tmp_path, "c2/base", patch)
    ((_, (line,)),) = first_lines(found, Words("en"))
    assert line.topic == "setup.figures.meeple"
    first, last = (cell.text for cell in line.cells if cell is not None)
    assert first == "Everybody begins with seven meeples in front of them."
    assert last == "Everybody begins with nine meeples in front of them."


def answer(*games: str) -> dict[str, tuple[str, ...]]:
    """The cells of the summary by what they are about."""
    found = first_lines(compared(*games), Words("en"))
    return {
        line.aspect: tuple(cell.text if cell else "" for cell in line.cells)
        for _, lines in found
        for line in lines
    }


def test_a_phrase_about_a_sentence_that_stays_does_not_name_another_one(tmp_path: Path) -> None:
    patch = "{id: my.arms, set: city.shield_points, to: 3, why: richer}"
    _, found = counted(tmp_path, "c2/base", patch)
    ((_, (line,)),) = first_lines(found, Words("en"))
    assert line.aspect == "City: points"
    assert "three more for every coat of arms" in line.cells[1].text


def test_what_both_sides_keep_is_not_the_other_half_of_a_phrase() -> None:
    found = answer("c2/base", "c2/princess-and-dragon")
    assert all(before == "" for before, _ in found.values())


def test_an_example_is_no_answer() -> None:
    found = answer("c2/farmers", "variants/each-city-pays-most-farmers")
    assert not any(text.startswith("Example") for cells in found.values() for text in cells)


def test_one_rule_makes_one_line() -> None:
    last = [cells[-1] for cells in answer("c2/base", "c2/base+c2/inns-and-cathedrals").values()]
    assert len(last) == len(set(last))


# ------------------------------------------------------------------ the greatest changes of play


@pytest.mark.parametrize(
    ("games", "boxes"),
    [
        (DRAGONS, ("c2/abbot", "c3/abbot")),
        (("c2/base", "c2/base+c2/traders-and-builders"), ("c2/abbey-and-mayor",) * 2),
        (("c2/base", "c2/base+c2/tunnel"), ("c2/gold-mines",) * 2),
        (("c2/river", "c1/river"), ("c2/festival",) * 2),
        (("c2/princess-and-dragon", HOUSE), ("c2/king-and-robber",) * 2),
    ],
    ids=lambda games: " and ".join(games),
)
def test_the_answer_is_the_same_when_both_sides_add_another_box(
    games: tuple[str, str], boxes: tuple[str, str]
) -> None:
    added = (f"{game}+{box}" for game, box in zip(games, boxes, strict=True))
    assert list(answer(*added).items()) == list(answer(*games).items())


def test_a_box_beside_the_base_game_is_told_by_what_it_adds() -> None:
    found = answer("c2/base", "c2/base+c2/king-and-robber")
    assert len(found) == 10
    assert found["The first city"][1].startswith("The first city that anybody completes")
    assert found["What is added"] == ("", "5 tiles, 1 × king, 1 × robber")
    dragon = answer("c2/base", "c2/base+c2/princess-and-dragon")
    assert any(text.startswith("Once a princess tile") for _, text in dragon.values())
    assert any(text.startswith("The player of a portal tile") for _, text in dragon.values())


def test_no_answer_about_a_box_is_a_patch_an_example_or_a_sentence_about_printings() -> None:
    for edition in ("c1", "c2"):
        for id_ in LIBRARY.ids():
            if id_.startswith(f"{edition}/") and id_ != f"{edition}/base":
                found = answer(f"{edition}/base", f"{edition}/base+{id_}")
                for _, text in found.values():
                    assert not text.startswith(("Example", "Shown", "Printings", "Not here")), text
                assert len(found) <= 10


def test_what_parts_two_games_most_comes_first_among_rows_without_a_phrase() -> None:
    found = compared("c2/base", "c2/base+c2/bazaars")
    last = found.candidates[-1].line.topic
    chosen = short_answer(found.candidates, 3, {"bazaar.last": 9})
    assert last not in {line.topic for line in chosen}
    assert "bazaar.last" in {line.topic for line in chosen}
    assert "bazaar.last" not in {line.topic for line in short_answer(found.candidates, 3)}
