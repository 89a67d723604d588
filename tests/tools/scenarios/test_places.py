"""A failed expectation is reported at its own key."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario

SCENARIO = """\
# scenarios/places.yaml
scenarios:
  - id: a-town
    says: a town of two tiles
    players: [red, blue]
    board: ["cap 0,0 N"]
    figures: {red peg: "0,0/t1"}
    play:
      - draw cap
      - lay 0,1 S
      - pass
      - expect:
          tiles: 2
"""


@pytest.mark.parametrize(
    ("expected", "column"),
    [
        ("points: {blue: 0, red: 99}", 29),
        ("gained: {red: 99 = caps 99}", 20),
        ('figures: {red peg: "5,5/t1"}', 21),
        ("supply: {red peg: 99}", 20),
        ("values: {count(tiles): 99}", 20),
        ("decides: nobody", 11),
        ('options: ["lay 9,9 N"]', 11),
        ('offered: ["lay 9,9 N"]', 11),
        ("over: true", 11),
    ],
)
def test_a_failed_expectation_is_reported_at_its_own_key(
    expected: str, column: int, tmp_path: Path
) -> None:
    library, (ruleset,) = library_of(f"{SCENARIO}          {expected}\n", tmp_path)
    ((scenario, game),) = scenarios_of(ruleset, library)
    run = run_scenario(scenario, ruleset, game, Programs(library))
    found = [(problem.code, problem.span.line, problem.span.column) for problem in run.problems]
    assert found == [("TW802", 14, column)]
