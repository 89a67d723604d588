"""Random programs of the language do the same on both engines, up to their limits."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from support.examples import examples
from support.hostile import CORPUS, GROWING, RUNAWAYS, chain_of_calls, write
from support.marks import slow_unless
from support.paths import ROOT
from support.probe_game import label, position, program_with
from support.random_programs import remember_things, sound_text
from support.two_engines import (
    Named,
    begun,
    chosen,
    compare,
    loaded,
    needs_core,
    numbers,
    play_both,
)
from support.typed_programs import Writer
from tilewright.play.bots.base import play_out, random_bot
from tilewright.play.compiling.bytecode.image import translated
from tilewright.play.compiling.native import InPython, native_game, with_forms
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_program

pytestmark = needs_core

#: no bytecode for the first of a set of placements or prints in every place yet
NOT_CARRIED = ("not a value of 1 parts", "an unknown form")


def both_from(text: str, seed: int, *, choices: int = 30, remembering: bool = True) -> Match | None:
    """Run a program in a position of the probe game on both engines; None if Python plays it."""
    program = program_with(text)
    native = native_game(program)
    if isinstance(native, InPython):
        assert native.reason.startswith(NOT_CARRIED), native
        return None
    match = position(seed, program)
    if remembering and match.to_move >= 0:
        remember_things(match, Random(seed))
    name = Named(f"the probe game with\n{text}\n", len(match.points), seed)
    play_both(match, native.entered(match), name, rng=Random(seed), choices=choices, options=True)
    return match


@examples(60)
@given(st.randoms(use_true_random=False), st.integers(0, 39))
def test_a_random_program_does_the_same(rng: Random, seed: int) -> None:
    text = sound_text(Writer(rng))
    assume(text is not None)
    assert text is not None
    assume(both_from(text, seed) is not None)


def test_a_rule_that_could_end_the_game_and_never_does_has_a_result() -> None:
    text = "if true {\n  stop\n} else {\n  end game\n}\nstop"
    assert both_from(text, 0) is not None


def test_the_distance_of_a_cell_is_the_same() -> None:
    text = "for t in tiles {\n  award beyond(t.cell, west).distance to active quietly\n}"
    for seed in range(10):
        assert both_from(text, seed) is not None


def test_the_feature_of_an_award_counts_its_steps() -> None:
    text = "let s = first(segments(tiles))\nstop if s is nothing\naward 1 to active on "
    text += "if may_lay(start.piece, origin) then s.feature else s.feature"
    assert both_from(text, 3, choices=3) is not None


def test_an_argument_that_counts_steps_is_evaluated_once() -> None:
    text = "let s = first(segments(tiles))\nstop if s is nothing\n"
    text += "let r = first(prints(start.piece, origin))\nstop if r is nothing\n"
    text += "set many.heading = (if may_play(start.piece) then s else s).corners\n"
    text += "set many.direction = (if may_play(start.piece) then r else r).sides\n"
    text += "set one_truth = (if may_play(start.piece) then r else r) is city\n"
    text += "set one_truth = (if may_play(start.piece) then r else r) has garden_symbol"
    for seed in range(3):
        assert both_from(text, seed, choices=3) is not None


def test_a_procedure_that_asks_about_each_member_of_an_empty_set_is_carried() -> None:
    text = "ask(active, {})\nask(next(active), if true then {} else many.figure)"
    assert both_from(text, 0) is not None


@pytest.mark.parametrize("seed", slow_unless(lambda seed: seed == 8, range(30)))
@pytest.mark.parametrize("times", [1, 2])
def test_actions_that_wait_leave_the_same_frames(times: int, seed: int) -> None:
    """Some actions of the probe game have more parts than others, and one asks a question."""
    text = "offer actions by active\n" * times + "award 1 to active"
    assert both_from(text, seed, choices=12) is not None


@pytest.mark.parametrize("seed", slow_unless(lambda seed: seed == 1, range(40)))
def test_a_feature_has_the_number_of_its_earliest_segment(seed: int) -> None:
    """The history does not count: a match that is entered again has the same numbers."""
    program = program_with("set many.feature = collect s in segments(tiles): s.feature")
    native, match = loaded(program), position(seed, program)
    slot, lot = program.memory_number["many.feature"], Random(seed)
    other = native.entered(match)
    for number in range(30):
        if match.to_move < 0:
            break
        assert chosen(match, other, lot.randrange(match.count), f"seed {seed}, choice {number}")
        if label(match) != "done":
            continue
        board = match.board
        first: dict[int, int] = {}
        for feature in (feature for row in board.tile_features for feature in row):
            first.setdefault(board.find(feature), feature)
        assert all(root == earliest for root, earliest in first.items())
        assert sorted(match.memory[slot]) == sorted(first)
        compare(match, native.entered(match), "entered anew")


#: loops whose tests read what their bodies change
REMEMBERING = (
    "for p in players { if p is not one_player { award 1 to p\nset one_player = p } }",
    "let a = active\nfor p in cycle(players, 7) { if p is not a { award 1 to p\nset a = p } }",
    "for p in cycle(players, 7) { if p is not one_player { set one_player = next(p) } }",
    "for s in segments(tiles) { if s.tile is not one_tile { set one_tile = s.tile } }",
    "for s in segments(tiles) {\n  if s.tile in many.tile { drop s.tile from many.tile }\n}",
    "for f in figures { if not one_truth { return f\nset one_truth = true } }",
    "for f in figures { if f.feature is not one_feature { set one_feature = f.feature } }",
    "for s in segments(tiles) { if s.guest is nothing { set s.guest = active } }",
    "for s in segments(tiles) { if s.feature.toll = 0 { add 1 to s.feature.toll } }",
)


@pytest.mark.parametrize("text", slow_unless(lambda text: text in REMEMBERING[::4], REMEMBERING))
def test_a_loop_tests_each_member_after_what_it_did_with_the_others(text: str) -> None:
    for seed in range(8):
        assert both_from(text, seed, choices=6) is not None


#: conditions of `any` and `all` that are decided before the loop, or for all members at once
DECIDED = (
    "let a = active\nlet b = one_truth\nset one_truth = any p in players: (p is a) = b",
    "let b = one_truth\nset one_truth = all p in players: if b then p is active else p.points > 3",
    "let b = one_truth\nset one_truth = any p in players: if b then next(p) is p else true",
    "set one_truth = any s in segments(tiles): s is city",
    "set one_truth = all s in segments(tiles): s is not road",
    "set one_truth = any t in tiles: all s in t.segments: s.tile is t and s is not city",
    "set one_truth = any f in figures: f.owner is active and (all g in figures: g is f)",
)
#: loops that look at one fact of each member first; the fact may change while they run
ONE_FACT = (
    "set many.tile = those t in tiles: t has garden_symbol and (any f in t.figures: f has quick)",
    "set one_number = count s in segments(tiles): s has garden_symbol and s.feature is road",
    "set many.feature = those x in features: x is city and x.size > 1",
    "set many.feature = those x in features: walker in x.figures or x is road",
    "set one_truth = any x in features: walker in x.figures and x is not complete",
    "set one_number = sum x in (those x in features: x.figures of scout is not empty): x.size",
    "set one_truth = all x in features: not (x.figures of quick is not empty and x is field)",
    "for x in features { if walker in x.figures { return walker quietly } }",
    "for t in tiles { if t has garden_symbol { award 1 to active } }",
)


@pytest.mark.parametrize("text", slow_unless(lambda text: text in DECIDED[::3], DECIDED))
def test_any_and_all_are_decided_as_member_by_member(text: str) -> None:
    for seed in range(8):
        assert both_from(text, seed, choices=6) is not None


def test_a_test_of_one_fact_keeps_the_members_that_python_keeps() -> None:
    passing = 0
    for text in ONE_FACT:
        program = program_with(text)
        code = [
            each
            for facts in translated(with_forms(program)).functions.values()
            for each in facts.code
        ]
        passing += any(each.name == "PASSING" for each in code)
        for seed in range(3):
            assert both_from(text, seed, choices=6) is not None, text
    assert passing == 7, "an `or`, and a loop that changes what it looks at, test each in turn"


@pytest.mark.parametrize(
    "text",
    [
        "award sum q in players: rank(q) to active",
        "award count(players) * (sum f in active.figures: worth(f)) to active",
        "award max(sum q in players: modest(q, rank(q)), 2) to active",
    ],
)
def test_points_may_be_a_sum_of_definitions(text: str) -> None:
    """A reason names the definition that gave the points, but not one of each member."""
    assert both_from(text, 3, choices=6) is not None


# ------------------------------------------------------------------ limits

#: programs at a limit, and the message of the fault if there is one
LIMITS = {
    "let a = 3\nrepeat 50 { set a = max(a * a, 2) }": "a number of a rule is beyond",
    "let a = 3\nrepeat 50 { set a = -(a * a) }": "a number of a rule is beyond",
    "let a = 3\nrepeat 50 { set a = sum p in players: a * a }": "a number of a rule is beyond",
    "let a = {3}\nrepeat 50 { set a = collect b in a: b * b }": "a number of a rule is beyond",
    "pay(1000000 * 1000000 * 10, active)": "a number of a rule is beyond",
    "set one_number = 1000000 * 1000000": "",
    "set one_number = 1000000 * 1000000 + 1": "a number of a rule is beyond",
    "set one_number = 0 - 1000000 * 1000000": "",
    "set one_number = 0 - 1000000 * 1000000 - 1": "a number of a rule is beyond",
    "set one_number = 1000000 * 1000000 * 1000000 div 1000000 div 1000000": "",
    "let a = 1000000\nset one_number = a * a * 1000 mod 7": "",
    "let a = 0\nrepeat 10000 { set a = a + 1 }\nset one_number = a": "",
    "repeat 10000 { add one_number to many.number\nset one_number = one_number + 1 }": (
        "a set grows beyond 10000 members"  # in the second turn
    ),
    "let b = 10001\nlet a = 0\nrepeat b { set a = a + 1 }": "at most 10000",
    "let b = 0 - 5\nlet a = 0\nrepeat b { set a = a + 1 }\nset one_number = a": "",
    "let a = cycle(players, 10000)\nset one_number = count(a)": "",
    "let b = 10001\nlet a = cycle(players, b)\nset one_number = count(a)": "at most 10000",
    "set one_number = (0 - 7) div 2 + (0 - 7) mod 2 * 100 + 7 div (0 - 2) * 10": "",
    "set one_number = 7 div (one_number - one_number) + 7 mod (one_number - one_number)": "",
}


@pytest.mark.parametrize("text", slow_unless(lambda text: text in [*LIMITS][5:9], LIMITS))
def test_a_limit_is_the_same_on_both(text: str) -> None:
    match = both_from(text, 3, choices=6)
    assert match is not None
    failed = match.failed
    found = "" if failed is None else failed.message
    assert bool(found) == bool(LIMITS[text]), found
    assert LIMITS[text] in found


#: makes a choice that takes a tenth of a second again and again, and ends if the core gives it up
LONG_CHOICES = """
from support.probe_game import position, program_with
from tilewright.play.compiling.native import native_game
program = program_with(
    "repeat 10000 { add one_number to many.number\\nset one_number = one_number + 1 }"
)
native, match = native_game(program), position(3, program)
for _ in range(20):
    print("a choice", flush=True)
    assert native.entered(match).choose(0)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_choice_may_take_long_while_the_processor_does_other_things() -> None:
    path = os.pathsep.join((str(ROOT / "interpreter"), str(ROOT / "tests")))
    with subprocess.Popen(
        [sys.executable, "-c", LONG_CHOICES],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for _ in range(3):
            assert process.stdout.readline() == "a choice\n"
            time.sleep(0.03)
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.5)
            process.send_signal(signal.SIGCONT)
        process.stdout.read()
    assert process.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "repeat 10000 { repeat 10000 { let a = 1 } }",
        "let a = cycle(players, 10000)\nfor b in a { for c in a { let d = 1 } }",
        "repeat 10000 { repeat 10000 { add one_number to many.number } }",
    ],
)
def test_a_program_without_end_is_stopped_on_both(text: str) -> None:
    match = both_from(text, 3, choices=3)
    assert match is not None and match.failed is not None
    assert "takes too long" in match.failed.message


#: stopped after very many choices: one of so many decisions is compared
AFTER_MANY_CHOICES = ("choices for each tile and tile", "choices without end")
EVERY = 200
MILLION = "a choice among a million"
STOPPED = [MILLION, *RUNAWAYS, *GROWING]
QUICK = (MILLION, next(iter(RUNAWAYS)))


@pytest.mark.parametrize("name", slow_unless(lambda name: name in QUICK, STOPPED))
def test_hostile_rules_are_stopped_where_python_stops_them(name: str, tmp_path: Path) -> None:
    write(CORPUS[name](), tmp_path / "house" / "hostile")
    assert hostile(tmp_path, EVERY if name in AFTER_MANY_CHOICES else 1) is not None


def test_calls_in_a_long_row_are_the_same(tmp_path: Path) -> None:
    write(chain_of_calls(50), tmp_path / "house" / "hostile")
    assert hostile(tmp_path) is None


def hostile(folder: Path, every: int = 1) -> object:
    """Play the hostile ruleset of a folder on both; the fault that ended it.

    One of `every` decisions is compared.

    Rules that call each other deeply may be played in Python, by the depth of the caller; then
    there is nothing to compare.
    """
    program = hostile_program(folder)
    native = native_game(program)
    if isinstance(native, InPython):
        assert "too many calls inside each other" in native.reason
        with pytest.raises(RuleError) as fault:
            play_out(start_match(program, 2, 1), [random_bot(random.Random(1))] * 2)
        return fault.value
    match, other = begun(program, 2, 1)
    if match is None:
        return "in the setup"
    named = Named("house/hostile", 2, 1)
    play_both(match, other, named, rng=random.Random(1), choices=20_000 * every, every=every)
    return match.failed


def hostile_program(folder: Path) -> Program:
    """The program of the hostile ruleset in a folder."""
    program, reporter = load_program("house/hostile", None, Library([folder]))
    assert program is not None, reporter.diagnostics
    return program


def test_what_bytecode_cannot_hold_is_played_in_python(tmp_path: Path) -> None:
    large = program_with("set one_number = 1000000 * 1000000 * 1000000 * 1000000 mod 7")
    native = native_game(large)
    assert isinstance(native, InPython)
    assert "more than 64 bits" in native.reason
    write(chain_of_calls(190), tmp_path / "house" / "hostile")
    native = native_game(hostile_program(tmp_path))
    if isinstance(native, InPython):  # it depends on how deep the caller is
        assert "too many calls inside each other" in native.reason


def test_a_number_between_64_bits_and_the_limit_of_rules_goes_to_python() -> None:
    """Python has integers of any size between the steps of a sum; the core stops there."""
    program = program_with("let a = 999999999999\nset one_number = a * a * a * a mod 7")
    native, match = loaded(program), position(3, program)
    other = native.entered(match)
    while label(match) != "ready":
        assert chosen(match, other, 0, "before")
    assert not other.choose(0) and other.failed
    match.choose_number(0)
    assert match.failed is None
    assert numbers(other.log()) == match.log[: len(numbers(other.log()))]
