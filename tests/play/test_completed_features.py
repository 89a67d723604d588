"""Events of a completed feature and their order, with and without figures on it."""

from __future__ import annotations

from pathlib import Path

from support.ruleset_cases import library_of
from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario

#: one point to red for each completed feature, ten to blue for each feature that has been scored
LISTENERS = """\
# trial/listeners/module.yaml
id: trial/listeners
kind: house
title: who hears of it
requires: {base: c2/base}
# trial/listeners/rules/listeners.yaml
rules:
  - id: hear.completed
    on: completed(x)
    do: award 1 to active
  - id: hear.scored
    on: scored(x)
    do: award 10 to next(active)
# trial/listeners/scenarios/listeners.yaml
scenarios:
  - id: without-a-figure
    says: a road and nobody on it
    players: [red, blue]
    board: ["monastery_road 0,0 N"]
    play:
      - draw monastery_road
      - lay 0,-1 S
      - pass
      - expect: {points: {red: 1, blue: 10}}
  - id: with-a-figure
    says: a road of two tiles with red's meeple on it
    players: [red, blue]
    board: ["monastery_road 0,0 N"]
    figures: {red meeple: "0,0/r1"}
    play:
      - draw monastery_road
      - lay 0,-1 S
      - pass
      - expect: {points: {red: 3, blue: 10}, supply: {red meeple: 7}}
"""


def problems_of(text: str, root: Path) -> list[str]:
    library_of(text, root, with_table=False)
    library = Library()
    (ruleset,) = library.add(root)
    programs = Programs(library)
    return [
        problem.message
        for scenario, game in scenarios_of(ruleset, library)
        for problem in run_scenario(scenario, ruleset, game, programs).problems
    ]


def test_occupied_or_not_a_completed_feature_raises_the_same_events(tmp_path: Path) -> None:
    assert problems_of(LISTENERS, tmp_path) == []


def test_figures_still_stand_on_a_feature_that_has_just_been_scored(tmp_path: Path) -> None:
    still = "award 10 * count(x.figures of active) to next(active)"
    text = LISTENERS.replace("award 10 to next(active)", still)
    assert problems_of(text, tmp_path) == ["expected blue's points to be 10, found 0"]
