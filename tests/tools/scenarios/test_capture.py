"""Any moment of any match can be written as a scenario, which comes to the same position."""

from __future__ import annotations

import random
from dataclasses import replace
from unittest.mock import patch

import pytest

from support.played import MIXES, played, program_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.dump import document
from tilewright.language.source.yaml.tree import read_yaml
from tilewright.play.match import Match
from tilewright.rules.model.ruleset import Scenario
from tilewright.rules.reading.files.scenarios import read_scenarios
from tilewright.tools.scenarios import capture
from tilewright.tools.scenarios.capture import facts, position_of, scenario_data
from tilewright.tools.scenarios.runner import played_out


def written_and_read(scenario: Scenario) -> Scenario:
    reporter = Reporter()
    text = document({"scenarios": [scenario_data(scenario)]})
    node = read_yaml(text, "scenario.yaml", reporter)
    assert node is not None, text
    (found,) = read_scenarios(node, reporter)
    assert reporter.diagnostics == (), text
    return found


#: with tokens, stacks that follow one another, figures that stand together
WIDE = (
    "c2/abbot+c2/farmers+c2/inns-and-cathedrals+c2/river+c2/traders-and-builders",
    "c3.1/traders-and-builders+c3.1/dragon-and-fairy+c3/river-two-lakes",
    "c2/princess-and-dragon+c2/traders-and-builders?dragon_memory=double_turn",
)


@pytest.mark.parametrize("game", (*MIXES, *WIDE))
@pytest.mark.parametrize("lot", range(4))
def test_a_scenario_of_a_position_passes_and_comes_to_it(game: str, lot: int) -> None:
    rng = random.Random(f"{game}/{lot}")
    match = played(game, rng.randrange(160), players=3, seed=lot, first=lot % 3)
    scenario = written_and_read(position_of(match))
    reporter = Reporter()
    ended = played_out(scenario, program_of(game), reporter)
    assert reporter.diagnostics == ()
    assert ended is not None and facts(ended) == facts(match)


def test_a_position_is_told_with_its_turn() -> None:
    match = played("house/ten-turns", 25, players=2, seed=1)
    scenario = written_and_read(position_of(match))
    assert scenario.turn == match.turn > 1
    assert scenario.board


@pytest.mark.parametrize(
    ("from_turn", "words"), [(2, "turn 2 on"), (0, "its start on")], ids=("a turn", "its start")
)
def test_a_scenario_says_if_it_begins_before_its_turn(from_turn: int, words: str) -> None:
    match, plain = played("c2/base", 14, players=2, seed=1), capture.laid_out
    assert match.turn > 2

    def laid_out(blank: Scenario, at: Match) -> Scenario | None:
        return plain(blank, at) if at.turn <= from_turn else None

    with patch.object(capture, "laid_out", laid_out):
        scenario = written_and_read(position_of(match))
    assert scenario.says == f"turn {match.turn} of a match, played from {words}"
    assert position_of(match).says == f"turn {match.turn} of a match"


def test_a_game_that_is_set_up_begins_with_its_first_turn() -> None:
    scenario = replace(position_of(played("c2/base", 25)), board=(), figures=(), turn=3)
    reporter = Reporter()
    assert played_out(scenario, program_of("c2/base"), reporter) is None
    assert [each.code for each in reporter.diagnostics] == ["TW801"]
    assert "begins with turn 1, not 3" in reporter.diagnostics[0].message


LATE = """\
scenarios:
  - id: the-last-turn
    says: the twentieth turn of two players ends the game
    players: [red, blue]
    active: blue
    turn: 20
    board: ["city1_road_straight 0,0 N"]
    play:
      - draw city1_road_straight
      - lay 0,1 S
      - pass
      - expect: {over: true}
"""


@pytest.mark.parametrize(("turn", "is_over"), [(20, True), (19, False)])
def test_a_rule_about_the_turn_sees_the_turn_of_a_scenario(turn: int, is_over: bool) -> None:
    reporter = Reporter()
    node = read_yaml(LATE.replace("20", str(turn)), "late.yaml", reporter)
    assert node is not None
    (scenario,) = read_scenarios(node, reporter)
    ended = played_out(scenario, program_of("house/ten-turns"), reporter)
    assert ended is not None and ended.is_over is is_over
