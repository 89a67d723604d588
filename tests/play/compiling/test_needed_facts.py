"""Tests of things are made of those alone that have the mark without which they fail."""

from __future__ import annotations

import pytest

from support.probe_game import position, program_with
from tilewright.play.compiling.bytecode.image import translated
from tilewright.play.compiling.native import with_forms
from tilewright.play.compiling.python.writer import python_text
from tilewright.play.match import Match

_NOTE = "{ set one_number = one_number + 1 }"
#: loops over the tiles with a garden alone
MARKED = (
    "set many.tile = those t in tiles: count(gardeners(t)) = probe.bonus",
    "set many.tile = those t in tiles: count(gardeners(t)) >= 1",
    "set one_truth = any t in tiles: gardeners(t) of follower is not empty",
    "set one_truth = all t in tiles: not (walker in gardeners(t))",
    "set one_number = sum t in tiles: count(gardeners(t) of active)",
    f"for t in tiles {{ if count(gardeners(t)) > 0 {_NOTE} }}",
    f"for t in tiles {{ if walker.companion is something and walker in gardeners(t) {_NOTE} }}",
    f"for t in tiles {{ if walker in gardeners(t) {_NOTE} if t has garden_symbol {_NOTE} }}",
)
#: the same where tiles without a garden count, too, or are not looked at first
UNMARKED = (
    "set many.tile = those t in tiles: count(gardeners(t)) = 0",
    "set many.tile = those t in tiles: count(gardeners(t)) < 2",
    "set one_truth = all t in tiles: gardeners(t) is not empty",
    f"for t in tiles {{ if count(gardeners(t)) > 0 {_NOTE} else {{ award 1 to active }} }}",
    f"for t in tiles {{ award 1 to active if walker in gardeners(t) {_NOTE} }}",
)


def played(text: str, seed: int, *, as_written: bool) -> Match:
    """A match after a program has run."""
    match = position(seed, program_with(text, probes=as_written))
    match.choose_number(0)
    return match


@pytest.mark.parametrize("text", MARKED + UNMARKED)
def test_the_result_is_that_of_the_text(text: str) -> None:
    for seed in range(6):
        planned, written = (played(text, seed, as_written=each) for each in (False, True))
        assert planned.memory == written.memory
        assert planned.points == written.points


@pytest.mark.parametrize("text", MARKED)
def test_a_test_begins_with_the_mark_that_it_needs(text: str) -> None:
    assert "SYMBOLS[" in code_of(text)


@pytest.mark.parametrize("text", UNMARKED[:2])
def test_a_test_that_holds_without_the_mark_does_not(text: str) -> None:
    assert "SYMBOLS[" not in code_of(text)


def test_a_loop_goes_over_the_things_with_a_mark_unless_it_does_more() -> None:
    passing = [
        any(each.name == "PASSING" for facts in functions for each in facts.code)
        for text in MARKED + UNMARKED[3:]
        for functions in [translated(with_forms(program_with(text))).functions.values()]
    ]
    assert passing == [True] * len(MARKED) + [False] * 2


def code_of(text: str) -> str:
    """The Python of the rule with a text."""
    return python_text((with_forms(program_with(text)).forms or {})["r_probe__rule"])
