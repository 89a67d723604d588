"""The memory of a scenario takes every value that it can show."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario

GAME = """\
# rules/trial.yaml
memory:
  leader: {type: "player?", per: game}
  rich: {type: set of player, per: game}
# scenarios/trial.yaml
scenarios:
  - id: players
    says: players are named by their seats
    players: [red, blue]
    board: ["cap 0,0 N"]
    memory: {MEMORY}
    play:
      - expect: {memory: {MEMORY}, values: {VALUES}}
"""


@pytest.mark.parametrize(
    ("memory", "values"),
    [
        ("leader: blue", '{"leader is blue": "true"}'),
        ('leader: "nothing"', '{"leader is red": "false"}'),
        ('rich: "{red, blue}"', '{"count(rich)": "2", "blue in rich": "true"}'),
    ],
)
def test_memory_of_players_is_written_with_their_seats(
    memory: str, values: str, tmp_path: Path
) -> None:
    text = GAME.replace("{MEMORY}", f"{{{memory}}}").replace("{VALUES}", values)
    library, (ruleset,) = library_of(text, tmp_path)
    ((scenario, game),) = scenarios_of(ruleset, library)
    run = run_scenario(scenario, ruleset, game, Programs(library))
    assert run.problems == ()
