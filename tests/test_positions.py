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


@pytest.mark.parametrize("game", MIXES)
@pytest.mark.parametrize("lot", range(6))
def test_a_scenario_of_a_position_passes_and_comes_to_it(game: str, lot: int) -> None:
    rng = random.Random(f"{game}/{lot}")
    match = played(game, rng.randrange(160), players=rng.randrange(2, 6), seed=lot)
    scenario = written_and_read(position_of(match))
    reporter = Reporter()
    ended = played_out(scenario, program_of(game), reporter)
    assert reporter.diagnostics == ()
    assert ended is not None and facts(ended) == facts(match)
