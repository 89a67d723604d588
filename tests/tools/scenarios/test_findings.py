"""Scenarios that only seem to show something: empty expectations, idle covers and draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from tilewright.tools.checking.check import check
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario

GAME = """\
# module.yaml
id: trial/first
kind: house
title: a trial
requires: {base: trial/table}
# rules/trial.yaml
rules:
  - id: trial.track
    amend: favour(x)
    when: x is track
    value: 1
  - id: trial.shout
    action: shout at step put_figure
    offer: {s: segments(laid)}
    where: s is town
    do: award 1 to active
  - id: trial.barred
    amend: may_stand(f, s)
    value: not (s is meadow)
# scenarios/trial.yaml
scenarios:
  - id: a
    says: it is so
    players: [red, blue]
    board: ["cap 0,0 N"]
    figures: {red peg: "0,0/t1"}
"""


def found_in(rest: str, folder: Path, *, probes: bool = True) -> list[tuple[str, str]]:
    """The problems of a scenario that goes on so: their codes, and the words at their places."""
    text = GAME + "".join(f"    {line}\n" for line in rest.splitlines())
    library, (ruleset,) = library_of(text, folder)
    programs = Programs(library, probes=probes)
    lines = (folder / "trial/first/scenarios/trial.yaml").read_text().split("\n")
    return [
        (each.code, lines[each.span.line - 1][each.span.column - 1 : each.span.end_column - 1])
        for scenario, game in scenarios_of(ruleset, library)
        for each in run_scenario(scenario, ruleset, game, programs).problems
    ]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("play: [draw cap]", [("TW613", "a")]),
        ("play: [draw cap, 'lay 0,1 S']", [("TW613", "a")]),
        ("play: [draw cap, expect: {tiles: 1}, expect: {}]", [("TW613", "{}")]),
        ("play: [draw cap, expect: {points: {}}]", [("TW613", "a")]),
        ("play: [draw cap, expect: {winners: []}]", [("TW802", "winners")]),
        ("play: [draw cap, expect: {tiles: 1}]", []),
        # nothing draws the last two
        (
            "play: [draw cap, draw path, draw cap, 'lay 0,1 S', expect: {tiles: 2}]",
            [("TW615", "draw path"), ("TW615", "draw cap")],
        ),
        ("play: [draw cap, draw path, 'lay 0,1 S', pass, expect: {tiles: 2}]", []),
        # a draw that is not possible is at its own line
        (
            "stacks: {pile: [cap, path, path]}\n"
            "play: [draw cap, draw cap, 'lay 0,1 S', pass, expect: {tiles: 2}]",
            [("TW804", "draw cap")],
        ),
        (
            "stacks: {pile: [cap, cap]}\nplay: [draw path, expect: {tiles: 1}]",
            [("TW804", "draw path")],
        ),
        # the decision is about something else, or the text is about nothing
        (
            "play: [draw cap, expect: {refused: {'stand peg 0,0/t1': ''}}]",
            [("TW616", "'stand peg 0,0/t1'")],
        ),
        (
            "play: [draw cap, 'lay 0,1 S', expect: {refused: {'lay 1,0 N': table.lay}}]",
            [("TW616", "'lay 1,0 N'")],
        ),
        (
            "play: [draw cap, expect: {refused: {lay somewhere: ''}}]",
            [("TW616", "lay somewhere")],
        ),
        ("play: [draw cap, expect: {refused: {'lay 0,1 N': table.lay}}]", []),
        (
            "play: [draw cap, expect: {refused: {'lay 0,1 N': table.draw}}]",
            [("TW802", "table.draw")],
        ),
        # a rule that does nothing is not covered; one that offers or refuses something is
        (
            "covers: [trial.track, table.town]\n"
            "play: [draw cap, 'lay 0,1 S', pass, expect: {points: {red: 4}}]",
            [("TW614", "trial.track")],
        ),
        (
            "covers: [trial.shout]\nplay: [draw cap, 'lay 0,1 S', expect: {tiles: 2}]",
            [],
        ),
        (
            "covers: [trial.shout]\nplay: [draw path, 'lay 0,-1 E', expect: {tiles: 2}]",
            [("TW614", "trial.shout")],
        ),
        (
            "covers: [trial.barred]\nplay:\n  - draw cap\n  - lay 0,1 S\n"
            "  - expect: {refused: {'stand peg 0,1/m1': trial.barred}}",
            [],
        ),
        ("covers: [trial.trek]\nplay: [draw cap, expect: {tiles: 1}]", [("TW605", "trial.trek")]),
    ],
)
def test_what_a_scenario_only_seems_to_show_is_reported(
    rest: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert found_in(rest, tmp_path) == expected


def test_a_scenario_that_expects_nothing_covers_nothing(tmp_path: Path) -> None:
    text = GAME + "    covers: [trial.shout]\n    play: [draw cap, 'lay 0,1 S']\n"
    found = check(*library_of(text, tmp_path))
    assert ["trial.shout" in each.message for each in found if each.code == "TW604"].count(
        True
    ) == 1
    assert [each.code for each in found if each.code == "TW613"] == ["TW613"]
