"""A name that another ruleset declares is explained by the line that joins the two."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from tilewright.tools.checking.check import check

TOWERS = """
# trial/towers/module.yaml
id: trial/towers
kind: expansion
title: towers
requires: {base: trial/table}
provides: [tower]
# trial/towers/components.yaml
figures:
  sentry: {count: 1, owned: true}
# trial/towers/rules/a.yaml
steps:
  climb: {phase: turn, after: [tally]}
definitions:
  may_climb: {type: truth, combine: all, parameters: {who: player}}
events:
  climbed: {parameters: {who: player}}
values:
  tower.points: {type: number, is: 5}
rules:
  - {id: towers.rise, procedure: "rise(who: player)", do: award 1 to who}
# trial/one/module.yaml
id: trial/one
kind: house
title: one
requires: {base: trial/table}
# trial/one/rules/a.yaml
"""
HOW = "write `tower: trial/towers` under `requires`,"
HOW += " or `with: [trial/towers]` in the rule"
RULES = [
    ("TW716", "amend: may_climb(who), value: false"),
    ("TW304", "on: climbed(who), do: award 1 to who"),
    ("TW712", "on: step climb, do: award 1 to active"),
    ("TW303", "on: step tally, do: rise(active)"),
    ("TW301", "on: step tally, do: award tower.points to active"),
    ("TW301", 'on: step tally, do: "for f in all_figures of sentry { return f }"'),
]
SCENARIO = """
# trial/one/scenarios/a.yaml
scenarios:
  - id: so
    says: so
    players: [red, blue]
    figures: {red sentry: home}
    play:
      - expect: {over: false}
"""


def hints(text: str, folder: Path, towers: str = TOWERS) -> dict[str, str]:
    library, _ = library_of(towers + text, folder)
    return {each.code: each.hint for each in check(library, ["trial/one"])}


@pytest.mark.parametrize(("code", "rule"), RULES)
def test_a_rule_that_uses_a_name_of_another_ruleset_is_told_what_to_write(
    code: str, rule: str, tmp_path: Path
) -> None:
    found = hints(f"rules:\n  - {{id: one.rule, {rule}}}\n", tmp_path)
    assert found[code] == f"`trial/towers` declares it: {HOW}"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("TW714", "rules:\n  - {id: one.rule, on: step tally, after: [NAME], do: end game}\n"),
        ("TW714", "rules:\n  - {id: one.rule, on: step tally, before: [NAME], do: end game}\n"),
        ("TW712", "steps:\n  gift: {phase: turn, after: [tally, NAME], label: a gift}\n"),
    ],
)
def test_a_neighbour_that_another_ruleset_declares_may_be_absent(
    code: str, text: str, tmp_path: Path
) -> None:
    name = "towers.rise" if code == "TW714" else "climb"
    found = hints(text.replace("NAME", name), tmp_path)
    how = f'write `"{name}?"`, which orders where it is there'
    assert found[code] == f"`trial/towers` declares it: {how}"
    assert code not in hints(text.replace("NAME", f'"{name}?"'), tmp_path / "mended")


def test_an_order_is_told_of_the_top_of_its_file(tmp_path: Path) -> None:
    text = "rules:\n  - {id: one.rule, on: step tally, do: end game}\n"
    found = hints(f"{text}order:\n  - [towers.rise, one.rule]\n", tmp_path)
    assert found["TW714"].endswith("or `with: [trial/towers]` at the top of the file")


def test_a_scenario_is_told_to_name_the_game(tmp_path: Path) -> None:
    found = hints(f"values:\n  one.points: {{type: number, is: 1}}\n{SCENARIO}", tmp_path)
    how = "write `game: [trial/one, trial/towers]` in the scenario"
    assert found["TW612"] == f"`trial/towers` declares it: {how}"


def test_a_ruleset_that_cannot_be_in_the_game_is_not_named(tmp_path: Path) -> None:
    towers = TOWERS.replace("provides: [tower]", "provides: [tower]\nconflicts: [trial/one]")
    rule = "rules:\n  - {id: one.rule, amend: may_climb(who), value: false}\n"
    assert hints(rule, tmp_path, towers)["TW716"] == ""
