"""A small workspace of its author's own on top of the shipped rulesets, for tests of the bench.

`|>` in a text marks where the author is.
"""

from __future__ import annotations

from pathlib import Path

from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace.overlay import Overlay

MODULE = """\
id: mine/trial
kind: house
edition: c2
title: {en: Trial}
provides: [trial]
requires: {base: c2/base}
"""
STATEMENTS = """\
statements:
  - id: trial-town
    topic: trial.town
    says: A small town is worth two.
    authority: house-rule
"""
RULES = """\
values:
  trial.points: {type: number, is: 2, says: points of a small town, from: [trial-town]}

memory:
  trial.visited: {type: set of tile, per: turn}

definitions:
  is_small:
    parameters: {x: feature}
    type: truth
    law: all
    says: whether a feature is small

events:
  shrunk:
    parameters: {x: feature}
    says: something became small

rules:
  - id: trial.small
    from: [trial-town]
    amend: is_small(y)
    value: y.size = trial.points
  - id: trial.step
    from: [trial-town]
    on: step score_features
    after: [scoring.completed]
    do: |
      set trial.visited = laid
      for each_one in completed_features {
        if not (trial.visited is empty) and is_small(each_one) and each_one is city {
          announce shrunk(each_one)
          do trial_pay(each_one)
        }
      }
  - id: trial.pay
    from: [trial-town]
    procedure: "trial_pay(z: feature)"
    do: |
      for p in scorers(z) { award trial.points to p on z }

patches:
  - id: trial.patch
    set: city.tile_points
    to: 3
    expect: 2
    why: to see what happens
"""
SCENARIOS = """\
scenarios:
  - id: trial-scenario
    says: it can be seen
    proves: [trial-town]
    covers: [trial.small, trial.step, trial.pay, trial.patch]
    players: [red, blue]
    play:
      - expect: {over: false}
"""


def workspace(folder: Path, rules: str = RULES) -> Path:
    """A folder with one ruleset; the path of its file of rules."""
    home = folder / "mine" / "trial"
    for name, text in (
        ("module.yaml", MODULE),
        ("statements.yaml", STATEMENTS),
        ("rules/trial.yaml", rules),
        ("scenarios/trial.yaml", SCENARIOS),
    ):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return (home / "rules" / "trial.yaml").resolve()


def overlay(folder: Path, rules: str = RULES) -> tuple[Index, Path]:
    """A desk on that workspace, and the path of its rules."""
    path = workspace(folder, rules)
    return Index(Overlay([folder])), path


def where(text: str, wanted: str, number: int = 0) -> tuple[int, int]:
    """The line and column (from 1) of a stretch of a text, its first letter."""
    index = -1
    for _ in range(number + 1):
        index = text.index(wanted, index + 1)
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def here(text: str) -> tuple[str, int, int]:
    """A text without the mark of the author, and the line and column where it was."""
    line, column = where(text, "|>")
    return text.replace("|>", "", 1), line, column
