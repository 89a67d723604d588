"""A choice of any label can be written in a scenario, and what is written reads back."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.dump import document
from tilewright.language.source.yaml.tree import read_yaml
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.rules.model.ruleset import Scenario
from tilewright.rules.reading.files.scenarios import read_scenarios
from tilewright.tools.checking.check import check
from tilewright.tools.scenarios.capture import facts, position_of, scenario_data
from tilewright.tools.scenarios.runner import played_out
from tilewright.tools.workspace.loading import load_game

#: words of scenarios, names of seats, marks of YAML, spaces
LABELS = (
    "draw", "draw from", "draw cap", "pass on", "expect", "choose", "red", "red:", "blue: pay",
    "lay 0,1", "true", "null", "3", "- x", "# x", "{x}", "[x]", "'x'", "a: b", "a, b", "%", "!x",
    "  two   words ", "поле",
)  # fmt: skip

GAME = """\
# rules/trial.yaml
rules:
  - id: trial.asked
    on: step lay_tile
    after: [table.lay]
    do: |
      may "LABEL" by active { stop }
      choose s in {pile, away} by active as "LABEL" { stop }
"""


def match_of(label: str, folder: Path) -> Match:
    library, (ruleset,) = library_of(GAME.replace("LABEL", label), folder)
    game, reporter = load_game(ruleset, {}, library)
    assert game is not None, reporter.diagnostics
    return start_match(compile_game(game), 2, 1)


def read_back(text: str) -> Scenario:
    reporter = Reporter()
    node = read_yaml(text, "scenario.yaml", reporter)
    assert node is not None, reporter.diagnostics
    (scenario,) = read_scenarios(node, reporter)
    assert reporter.diagnostics == (), text
    return scenario


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("choices", [(0, 0, 1), (0, 1, 1, 0), (0, 1, 0, 0)])
def test_a_choice_of_any_label_reads_back(
    label: str, choices: tuple[int, ...], tmp_path: Path
) -> None:
    match = match_of(label, tmp_path)
    for choice in choices:
        match.choose_number(choice)
    scenario = position_of(match)
    written = read_back(document({"scenarios": [scenario_data(scenario)]}))
    assert [(line.verb, line.text) for line in written.lines] == [
        (line.verb, line.text) for line in scenario.lines
    ]
    reporter = Reporter()
    ended = played_out(written, match.program, reporter)
    assert reporter.diagnostics == ()
    assert ended is not None and facts(ended) == facts(match)


@pytest.mark.parametrize("label", ["pass", " pass ", ""])
def test_a_label_that_reads_like_no_choice_is_refused(label: str, tmp_path: Path) -> None:
    library, ids = library_of(GAME.replace("LABEL", label), tmp_path)
    assert "TW617" in {found.code for found in check(library, ids)}


def test_an_action_that_reads_like_no_choice_is_refused(tmp_path: Path) -> None:
    text = "# rules/trial.yaml\nrules:\n  - id: trial.idle\n    action: pass at step put_figure\n"
    library, ids = library_of(f"{text}    do: award 1 to active\n", tmp_path)
    (found,) = (found for found in check(library, ids) if found.code == "TW617")
    assert (found.span.line, found.span.column) == (4, 13)
