"""Any moment of any match can be written as a scenario, which comes to the same position."""

from __future__ import annotations

import random

import pytest

from played import MIXES, played, program_of
from tilewright.model.ruleset import Scenario
from tilewright.reading.scenarios import read_scenarios
from tilewright.source.diagnostics import Reporter
from tilewright.source.yaml_text import document
from tilewright.source.yaml_tree import read_yaml
from tilewright.tools.positions import facts, position_of
from tilewright.tools.scenario_text import scenario_data
from tilewright.tools.scenarios import played_out


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
