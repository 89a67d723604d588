"""A statement about what can no longer happen is not shown as valid."""

from __future__ import annotations

from pathlib import Path

from support.pages import compared
from support.ruleset_cases import library_of
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.comparison.lapses import find_lapses
from tilewright.tools.comparison.unreachable import closed_kinds, find_unreachable
from tilewright.tools.workspace.loading import load_game
from tilewright.view.results.comparison import State, TopicRow

LIBRARY = Library()


def game_of(text: str, library: Library = LIBRARY) -> Game:
    game, reporter = load_game(text, {}, library)
    assert game is not None, [d.message for d in reporter.diagnostics]
    return game


def draft(folder: Path, base: str, text: str) -> Library:
    (folder / "mine" / "rules").mkdir(parents=True)
    role = base.partition("/")[2]
    (folder / "mine" / "module.yaml").write_text(
        f"id: house/mine\nkind: house\ntitle: Mine\nrequires: {{{role}: {base}}}\n",
        encoding="utf-8",
    )
    (folder / "mine" / "rules" / "all.yaml").write_text(text, encoding="utf-8")
    return Library([folder / "mine"])


def rows(*games: str) -> dict[str, TopicRow]:
    return {row.topic: row for row in compared(*games).topic_rows()}


def test_without_such_a_rule_every_kind_is_open() -> None:
    for game in ("c2/farmers", "c2/abbot", "c2/princess-and-dragon"):
        assert closed_kinds(game_of(game)) == {}
        assert find_unreachable(game_of(game)) == {}


def test_where_nobody_may_be_a_farmer_no_sentence_about_farmers_holds() -> None:
    found = rows("house/no-farmers", "house/ties-pay-nobody")
    for topic in ("field.scoring.value", "field.scoring.majority", "farmer.return"):
        assert found[topic].is_void
        cell = found[topic].cells[0]
        assert cell is not None
        for statement in cell.statements:
            assert statement.lapse is not None
            assert statement.lapse.told_by == ("house-no-farmers",)
    assert not found["field.definition"].is_void  # it is printed on the tiles


TWO_COUNTS = """\
# trial/{0}/module.yaml
id: trial/{0}
kind: expansion
title: Three of a kind
requires: {{base: c2/base}}
provides: [{0}]
# trial/{0}/tiles.yaml
tiles:
  - id: {0}_meadow
    count: 3
    edges: [field, field, field, field]
    segments: {{f1: {{kind: field, at: [NNW, NNE, ENE, ESE, SSE, SSW, WSW, WNW]}}}}
# trial/{0}/statements.yaml
statements:
  - id: {0}-tiles
    topic: setup.components
    says: Three tiles are in the box.
    authority: house-rule
    numbers: {{tiles: 3}}
    carried_by: tiles
"""


def test_a_changed_count_ends_statements_of_its_own_box_alone(tmp_path: Path) -> None:
    library_of(TWO_COUNTS.format("one") + TWO_COUNTS.format("two"), tmp_path)
    patch = "patches:\n  - {id: two.more, adjust: tile two_meadow.count, by: 1, why: to try it}\n"
    (tmp_path / "trial/two/rules").mkdir()
    (tmp_path / "trial/two/rules/more.yaml").write_text(patch)
    game = game_of("trial/one+trial/two", Library([tmp_path]))
    assert set(find_lapses(game, frozenset())) == {"two-tiles"}


def test_the_same_holds_beside_other_boxes() -> None:
    boxes = "c2/abbot+c2/inns-and-cathedrals+c2/traders-and-builders+house/no-farmers"
    assert "farm-no-return" in find_unreachable(game_of(boxes))


def test_against_the_printed_rule_the_row_differs() -> None:
    found = rows("c2/farmers", "c2/farmers+house/no-farmers")
    assert found["field.scoring.value"].verdict.state is State.DIFFERS


SOME = """\
rules:
  - {id: mine.not_always, amend: "may_deploy(f, s)", when: turn > 5, value: s is not field}
"""


def test_a_bar_under_a_condition_closes_nothing(tmp_path: Path) -> None:
    assert closed_kinds(game_of("house/mine", draft(tmp_path, "c2/farmers", SOME))) == {}


def test_a_rule_that_nothing_calls_any_more_takes_its_statements_with_it(tmp_path: Path) -> None:
    text = """\
patches:
  - {id: mine.unpaid, remove: scoring.completed, why: nothing is paid during play}
"""
    library = draft(tmp_path, "c2/base", text)
    found = find_unreachable(game_of("house/mine", library))
    assert found["base-road-score"].by == ("mine.unpaid",)
    assert "base-final-road" not in found
    row = next(
        r
        for r in compare_texts(["c2/base", "house/mine"], library).topic_rows()
        if r.topic == "feature.road.score"
    )
    assert row.is_void
