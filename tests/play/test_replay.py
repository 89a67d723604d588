"""A match played again by its log: of numbers, as a match has it, or of lines, as files have it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.played import go_on, played, program_of
from support.ruleset_cases import library_of
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.play.replay import (
    LogError,
    fresh,
    moments,
    replayed,
    replayed_again,
    script_of,
    undone,
)
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_program


@pytest.mark.parametrize("upto", [0, 1, 40])
def test_a_replay_stops_at_any_decision(upto: int) -> None:
    match = played("c2/base", 60, first=1)
    again = replayed_again(match, upto)
    assert again.log == match.log[: len(again.log)]
    assert upto <= len(again.log) <= upto + 2
    assert again.to_move >= 0


def test_draws_that_were_told_come_again() -> None:
    program = program_of("c2/base")
    match = Match(program, 2, "told")
    match.forced_draws = [program.piece_number["city4_shield"]]
    match.start(0, [])
    match.run()
    go_on(match, 30, "told")
    again = replayed_again(match)
    assert again.board.tile_piece == match.board.tile_piece
    assert again.digest() == match.digest()


def test_a_replay_tells_every_decision() -> None:
    match = played("c2/base", 3, first=1)
    found = [(m.decision, m.option) for m in moments(fresh(match), match.log)]
    assert found[0][0] == "blue at lay_tile"
    assert all(option for _, option in found)
    assert len(found) == 3


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (lambda log: [*log[:-1], 999], "expected a choice below"),
        (lambda log: [~0, *log[1:]], "entry"),
        (lambda log: [~9999, *log[1:]], "the prescribed draw is not possible"),
        (lambda log: log[:-3], "the log ends where the rules go on"),
        (lambda log: [*log, 0, 0, 0], "log"),
    ],
)
def test_a_log_that_the_rules_do_not_lead_along_is_refused(damage: Any, expected: str) -> None:
    match = played("c2/base", 40)
    log = damage(match.log)
    while log[-1] >= 0 and expected.endswith("go on"):
        log = log[:-1]
    if expected.endswith("go on"):
        log = log[:-1]
    with pytest.raises(LogError, match=expected):
        replayed(fresh(match), log)


def test_undo_goes_back_to_a_players_latest_decision() -> None:
    match = played("c2/base", 41)
    before = undone(match)
    assert before is not None
    assert before.log == match.log[: len(before.log)]
    assert len(before.log) < len(match.log)
    other = undone(match, 1 - before.to_move)
    assert other is not None
    assert other.to_move == 1 - before.to_move
    assert len(other.log) < len(before.log)


def test_nothing_can_be_undone_before_the_first_choice() -> None:
    assert undone(played("c2/base", 0)) is None


# ------------------------------------------------------------------ lines


def test_a_log_in_lines_leads_where_the_numbers_lead() -> None:
    match = played("c2/princess-and-dragon", 90, players=3, seed="lines", first=2)
    lines = script_of(match)
    assert len(lines) == len(match.log)
    again = replayed(fresh(match), lines)
    assert again.log == match.log
    assert again.digest() == match.digest()


def test_a_line_that_is_not_allowed_is_refused_with_its_number_and_its_text() -> None:
    match = played("c2/base", 20)
    lines = script_of(match)
    at = next(n for n, line in enumerate(lines) if "lay" in line and n > 9)
    seat = lines[at].partition(":")[0]
    other = "blue" if seat == "red" else "red"
    expected = {
        f"{seat}: lay 99,99 N": f"entry {at + 1} of the log, `{seat}: lay 99,99 N`, is not allowed",
        f"{other}: pass": f"{seat} has to choose at lay_tile",
        "": "is not allowed",
        "draw city1": "is not allowed",
    }
    for line, message in expected.items():
        with pytest.raises(LogError, match=message):
            replayed(fresh(match), [*lines[:at], line, *lines[at + 1 :]])


def test_a_draw_that_the_seed_does_not_give_is_refused() -> None:
    match = played("c2/base", 9)
    lines = script_of(match)
    at = next(n for n, line in enumerate(lines) if line.startswith("draw") and n > 5)
    for line in ("draw city4_shield", "steered draw nothing", "steered draw start"):
        with pytest.raises(LogError, match=f"entry {at + 1}|is drawn|no piece|not have"):
            replayed(fresh(match), [*lines[:at], line, *lines[at + 1 :]])


def test_draws_that_were_steered_are_marked_and_come_again() -> None:
    program = program_of("c2/base")
    match = Match(program, 2, "told")
    match.forced_draws = [program.piece_number[id_] for id_ in ("city4_shield", "crossroads4")]
    match.start(0, [])
    match.run()
    go_on(match, 30, "told")
    lines = script_of(match)
    steered = [line for line in lines if line.startswith("steered")]
    assert steered == ["steered draw city4_shield", "steered draw crossroads4"]
    again = replayed(fresh(match), lines)
    assert (again.log, again.digest()) == (match.log, match.digest())
    go_on(match, 20, "on")
    go_on(again, 20, "on")
    assert again.digest() == match.digest()


def test_a_long_log_is_stopped() -> None:
    match = played("c2/base", 60)
    with pytest.raises(LogError, match="takes too long to be played: stopped after"):
        replayed(fresh(match), match.log, seconds=-1.0)


TWINS = """\
# trial/twins/module.yaml
id: trial/twins
kind: house
title: Twins
requires: {base: c2/base}
# trial/twins/rules/twins.yaml
memory:
  marked: {type: figure?, per: game}
rules:
  - id: twins.marked
    label: mark
    on: step pass_turn
    before: [turn.order]
    do: |
      let t0 = first(tiles)
      stop if t0 is nothing
      let s0 = first(t0.segments)
      stop if s0 is nothing
      for f in first 2 of (active.supply of meeple) { move f to s0 }
      choose f in (those g in figures: g.owner is active) by active as "mark" {
        set marked = f
      }
"""


def test_of_figures_that_look_alike_the_chosen_one_is_chosen_again(tmp_path: Path) -> None:
    library_of(TWINS, tmp_path)
    library = Library()
    library.add(tmp_path)
    program, reporter = load_program("trial/twins", library=library)
    assert program is not None, reporter.diagnostics
    match = start_match(program, 2, 1)
    while not option_texts(match)[0].startswith("mark "):
        match.choose_number(match.count - 1)
    match.choose_number(1)
    lines = script_of(match)
    assert any(line.endswith(" (2)") for line in lines)
    again = replayed(fresh(match), lines)
    assert again.digest() == match.digest()
