"""Amendments under `combine: one` that agree, and amendments that fall back to those below them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.language.source.diagnostics import Diagnostic
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.tools.checking.check import check
from tilewright.tools.workspace.loading import load_program

HOUSE = """
# house/bonus/module.yaml
id: house/bonus
kind: house
title: bonus
requires: {base: c2/base}
# house/bonus/rules/bonus.yaml
memory:
  points_then: {type: number, per: game}
  turn_then: {type: number, per: game}
  got: {type: number, per: game}
definitions:
  bonus:
    parameters: {who: player}
    type: number
    combine: one
    default: "1"
    says: what a player gets each turn
steps:
  tip: {phase: turn, after: [lay_tile], before: [deploy_figure], label: a tip}
rules:
  - id: tip.given
    on: step tip
    do: |
      set points_then = active.points
      set turn_then = turn
      set got = bonus(active)
      award got to active
"""
POOR = "  - {id: bonus.poor, amend: bonus(who), when: who.points < 10, value: 2}\n"
BESIDE = ("TW602", "TW603", "TW604", "TW644")


def diagnostics(rules: str, folder: Path) -> list[Diagnostic]:
    library, ids = library_of(HOUSE + rules, folder, with_table=False)
    library.add(Path("rulesets"))
    return [each for each in check(library, ids) if each.code not in BESIDE]


def program_of(rules: str, folder: Path) -> Program:
    library, _ = library_of(HOUSE + rules, folder, with_table=False)
    library.add(Path("rulesets"))
    program, reporter = load_program("house/bonus", library=library)
    assert program is not None, reporter.diagnostics
    return program


# ------------------------------------------------------------------ amendments that agree

EARLY = "  - {{id: bonus.early, amend: bonus({0}), when: turn < 5, value: {1}}}\n"


@pytest.mark.parametrize(
    ("value", "other"), [("2", "2"), ("who.points + 1", "p.points + 1"), ("turn", "turn")]
)
def test_two_amendments_that_give_one_value_agree(value: str, other: str, tmp_path: Path) -> None:
    rules = POOR.replace("value: 2", f"value: {value}") + EARLY.format("p", other)
    assert diagnostics(rules, tmp_path) == []


def test_two_amendments_that_may_give_other_values_do_not_agree(tmp_path: Path) -> None:
    (found,) = diagnostics(POOR + EARLY.format("who", "3"), tmp_path)
    assert found.code == "TW711"


# ------------------------------------------------------------------ falling back

EVEN = "  - {{id: bonus.even, amend: bonus({0}), over: [bonus.poor], value: {1}}}\n"
WAYS = {
    "if turn mod 2 = 0 then 3 else bonus(who)": lambda turn, below: below if turn % 2 else 3,
    "if turn mod 2 = 0 then bonus(who) else 3": lambda turn, below: 3 if turn % 2 else below,
    "if turn > 4 then (if turn mod 2 = 0 then 3 else bonus(who)) else bonus(who)": (
        lambda turn, below: 3 if turn > 4 and turn % 2 == 0 else below
    ),
    "if turn > 4 then (if turn mod 2 = 0 then 3 else bonus(who)) else 5": (
        lambda turn, below: 5 if turn <= 4 else below if turn % 2 else 3
    ),
    "bonus(who)": lambda turn, below: below,
}


@pytest.mark.parametrize("value", WAYS)
def test_an_amendment_falls_back_to_what_it_takes_precedence_over(
    value: str, tmp_path: Path
) -> None:
    program = program_of(POOR + EVEN.format("who", f'"{value}"'), tmp_path)
    place = {slot.declaration.id: number for number, slot in enumerate(program.game.memory)}
    match = start_match(program, 2, value)
    rng, seen = random.Random(7), set()
    while match.to_move >= 0:
        match.choose_number(rng.randrange(match.count))
        points, turn, got = (match.memory[place[n]] for n in ("points_then", "turn_then", "got"))
        if turn > 0:
            below = 2 if points < 10 else 1
            assert got == WAYS[value](turn, below), (turn, points)
            seen.add(got)
    assert 1 in seen and len(seen) > 1


@needs_core
@pytest.mark.parametrize("value", WAYS)
def test_both_engines_fall_back(value: str, tmp_path: Path) -> None:
    program = program_of(POOR + EVEN.format("p", f'"{value}"'.replace("who", "p")), tmp_path)
    named = Named("house/bonus", 2, value)
    match, other = begun(program, 2, value)
    assert match is not None
    play_both(match, other, named, rng=random.Random(3))


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        ("if turn mod 2 = 0 then 3 else bonus(who)", []),
        ("bonus(who)", ["TW642"]),
        ("bonus(who) + 1", ["TW719"]),
        ("if bonus(who) > 1 then 2 else 1", ["TW719"]),
        ("bonus(active)", ["TW719"]),
    ],
)
def test_only_a_value_or_a_branch_of_it_falls_back(
    value: str, codes: list[str], tmp_path: Path
) -> None:
    found = diagnostics(POOR + EVEN.format("who", f'"{value}"'), tmp_path)
    assert [each.code for each in found] == codes


def test_an_amendment_that_falls_back_claims_only_its_own_case(tmp_path: Path) -> None:
    late = "  - {id: bonus.late, amend: bonus(who), when: turn > 9, value: 4}\n"
    early = EARLY.format("who", "3").replace("when: turn < 5, ", "")
    apart = early.replace("value: 3", 'value: "if turn < 5 then 3 else bonus(who)"')
    assert diagnostics(late + apart, tmp_path / "apart") == []
    (found,) = diagnostics(late + early, tmp_path / "together")
    assert found.code == "TW711"


def test_an_amendment_of_any_type_falls_back(tmp_path: Path) -> None:
    rules = """  - {id: refuge.always, amend: refuge(who), value: refuge(who)}
  - id: refuge.used
    on: step tip
    after: [tip.given]
    do: "if refuge(active) is not empty { stop }"
"""
    refuge = (
        "  refuge: {parameters: {who: player}, type: stack, combine: one, default: box, says: s}\n"
    )
    text = HOUSE.replace("steps:\n", refuge + "steps:\n", 1)
    library, _ = library_of(text + rules, tmp_path, with_table=False)
    library.add(Path("rulesets"))
    program, reporter = load_program("house/bonus", library=library)
    assert program is not None, reporter.diagnostics
    match = start_match(program, 2, 1)
    for _ in range(20):
        match.choose_number(0)
