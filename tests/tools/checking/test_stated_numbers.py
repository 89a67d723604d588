"""Sentences of rulesets with the numbers of their games, wherever they are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from tilewright.faces.cli.views.trace import rows_of
from tilewright.faces.studio.shelf.books import read, search
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Statement
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.stated_numbers import check_stated
from tilewright.tools.workspace.loading import load_game, worded
from tilewright.tools.workspace.workspace import Workspace

LIBRARY = Library()

TRIAL = """\
# statements.yaml
statements:
  - id: trial-towns
    topic: town.worth
    says: "{town.points point | points} a tile."
    translations: {uk: "{town.points/neuter очко | очки | очок} за плитку."}
    authority: house-rule
    no_rule: made up
  - id: trial-pegs
    topic: town.pegs
    says: Of {figure.peg peg | pegs} {figure.peg-1} stay.
    authority: house-rule
    no_rule: made up
  - id: trial-tiles
    topic: town.tiles
    says: "It has {tiles tile | tiles}, {symbol.star with a star | with stars}."
    authority: house-rule
    no_rule: made up
phrases:
  - heading: A town
    lines:
      - topic: town.worth
        aspect: its worth
        says: "**{town.points point | points}**."
        from: [trial-towns]
# rules/trial.yaml
patches:
  - {id: trial.points, set: town.points, to: 5, expect: 2, why: it is little}
  - {id: trial.pegs, adjust: figure peg.count, by: 1, why: it is little}
# tiles.yaml
tiles:
  - id: starry
    count: 3
    edges: [meadow, meadow, meadow, meadow]
    symbols: [star]
    segments: {m: {kind: meadow, at: [NNW, NNE, ENE, ESE, SSE, SSW, WSW, WNW]}}
"""


@pytest.fixture
def trial(tmp_path: Path) -> Library:
    return library_of(TRIAL, tmp_path)[0]


def game_of(name: str, library: Library) -> Game:
    game, reporter = load_game(name, library=library)
    assert game is not None, reporter.diagnostics
    return game


def test_a_game_has_its_own_numbers_in_sentences_and_phrases(trial: Library) -> None:
    game = game_of("trial/first", trial)
    found = game.statements()
    assert found["trial-towns"].says == "Five points a tile."
    assert found["trial-towns"].translations == (("uk", "П'ять очок за плитку."),)
    pegs = next(figure.count for figure in game.figures if figure.id == "peg")
    assert dict(found["trial-pegs"].numbers) == {"figure.peg": pegs}
    assert found["trial-tiles"].says == "It has three tiles, three with stars."
    (phrase,) = (p for r in game.rulesets for p in r.phrases if p.topic == "town.worth")
    assert phrase.says.get() == "**Five points**."


def test_a_ruleset_alone_has_the_numbers_of_its_own_game(trial: Library) -> None:
    ruleset = trial.load("trial/first", Reporter())
    assert ruleset is not None
    says = {row.statement: row.says for row in rows_of(worded(ruleset, trial))}
    assert says["trial-towns"] == "Five points a tile."
    book = read(trial, "trial/first", "uk")
    assert book is not None
    texts = [s["text"] for g in book["groups"] for t in g["topics"] for s in t["statements"]]
    assert "П'ять очок за плитку." in texts
    assert search(trial, "five points")["count"] == 1


def test_the_hash_of_a_game_is_the_same_with_other_sentences(tmp_path: Path) -> None:
    before = game_of("trial/first", library_of(TRIAL, tmp_path / "a")[0])
    plain = TRIAL.replace("{town.points point | points} a tile.", "five points a tile.")
    assert game_of("trial/first", library_of(plain, tmp_path / "b")[0]).hash == before.hash


def test_names_of_strangers_are_kept_apart_in_sentences_too(tmp_path: Path) -> None:
    def stranger(name: str, number: int, kind: str) -> str:
        return f"""\
# trial/{name}/module.yaml
id: trial/{name}
kind: expansion
title: more
requires: {{base: trial/table}}
# trial/{name}/statements.yaml
statements:
  - {{id: {name}-more, topic: town.more, says: "{{more.points}} more.", authority: house-rule}}
# trial/{name}/rules/trial.yaml
values:
  more.points: {{type: number, is: {number}, from: [{name}-more]}}
rules:
  - id: {name}.more
    from: [{name}-more]
    when: x is {kind}
    amend: favour(x)
    value: more.points
"""

    library = library_of(stranger("one", 3, "town") + stranger("two", 4, "track"), tmp_path)[0]
    found = game_of("trial/one+trial/two", library).statements()
    assert [found[id_].says for id_ in ("one-more", "two-more")] == ["Three more.", "Four more."]


def test_a_tile_that_an_edition_has_removed_is_not_counted() -> None:
    said = game_of("c1/base", Library()).statements()["base-tile-total"].says
    assert said.startswith("72 land tiles are in the box")


def test_a_value_that_is_not_in_the_game_is_what_its_ruleset_declares() -> None:
    found = game_of("c2/messengers", LIBRARY)
    assert "errand.farmer_points" not in found.values
    assert found.statements()["me2-farmers"].says.startswith("Farmers: three points for each")


def shown(statement: Statement) -> list[str]:
    return [statement.says, *(text for _, text in statement.translations)]


@pytest.mark.parametrize("id_", LIBRARY.ids())
def test_shipped_sentences_name_the_numbers_that_their_rules_read(id_: str) -> None:
    workspace, reporter = Workspace(LIBRARY), Reporter()
    ruleset = LIBRARY.load(id_, reporter)
    assert ruleset is not None
    check_stated(ruleset, workspace, reporter)
    assert not reporter.diagnostics
    for statement in worded(ruleset, LIBRARY).statements:
        assert not any("{" in text for text in shown(statement))
