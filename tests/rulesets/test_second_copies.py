"""Rulings about a second figure of a kind when each player has one and the box has two."""

from __future__ import annotations

import shutil
from pathlib import Path

from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario

BOX = "c2/traders-and-builders"
SCENARIOS = """
scenarios:
  - id: two-pigs-on-a-field-bring-no-more-than-one
    says: with both own pigs beside the farmer a finished city is worth four, not five
    game: [c2/traders-and-builders, c2/farmers]
    players: [red, blue]
    board: ["city1 0,0 N", "city1 0,1 S"]
    figures: {red meeple: "0,0/f1", red pig: "0,0/f1", red pig 2: "0,0/f1"}
    stacks: {land: [monastery_field]}
    play:
      - draw monastery_field
      - lay 0,-1 N
      - pass
      - expect: {over: true, gained: {red: "3 = completed cities 3; 1 = pig.scoring 1"}}

  - id: two-builders-at-work-bring-one-second-part
    says: a tile that makes larger what both builders stand on doubles the turn once
    players: [red, blue]
    board: ["city1 0,0 E", "monastery_road 1,1 N"]
    figures:
      red meeple: "0,0/c1"
      red builder: "0,0/c1"
      red meeple 2: "1,1/r1"
      red builder 2: "1,1/r1"
    play:
      - draw wine_through_two_roads
      - draw monastery_field
      - draw monastery_field
      - lay 1,0 N
      - pass
      - expect: {step: second_turn, figures: {red builder: "0,0/c1"}, supply: {red builder: 1}}
      - take a second part
      - lay 0,-1 N
      - pass
      - expect: {decides: blue, step: lay_tile}
"""


def two_of_each(folder: Path) -> Library:
    """The second edition's rulesets, but with two builders and two pigs for each player."""
    for part in ("c2", "shared"):
        shutil.copytree(shipped_rulesets() / part, folder / part)
    box = folder / "c2" / "traders-and-builders"
    for file, old, new in (
        ("components.yaml", "    owned: true\n    count: 1\n", "    owned: true\n    count: 2\n"),
        ("module.yaml", "name: builder, count: 1", "name: builder, count: 2"),
        ("module.yaml", "name: pig, count: 1", "name: pig, count: 2"),
    ):
        text = (box / file).read_text(encoding="utf-8")
        assert old in text
        (box / file).write_text(text.replace(old, new), encoding="utf-8")
    for proof in (box / "scenarios").iterdir():
        proof.unlink()
    (box / "scenarios" / "two.yaml").write_text(SCENARIOS, encoding="utf-8")
    return Library([folder], shipped=False)


def test_a_second_copy_adds_nothing(tmp_path: Path) -> None:
    library = two_of_each(tmp_path)
    programs = Programs(library)
    runs = [
        run_scenario(scenario, BOX, game, programs) for scenario, game in scenarios_of(BOX, library)
    ]
    assert [run.problems for run in runs] == [(), ()]
