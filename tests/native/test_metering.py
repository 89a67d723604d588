"""Rules are counted by what they do, equally on both engines; honest games stay below the limit."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from support.every_primitive import every_primitive
from support.every_three_boxes import BASE, BOXES
from support.hostile import CORPUS, write
from support.marks import slow_unless
from support.played import program_of
from support.probe_game import label, position, program_with
from support.two_engines import chosen, compare, loaded, needs_core
from tilewright.play import match as runtime_match
from tilewright.play.compiling.facts.cost_bounds import AWARDED, KEPT
from tilewright.play.faults import RuleError
from tilewright.play.library import sets
from tilewright.play.limits import CHOICE_STEPS, IDLE_STEPS, MAX_STEPS, TURN_STEPS
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_program

#: honest games take at most this part of the limit
HEAD_ROOM = 10
#: stopped by its members before its steps
LONG_SET = "a member of a set"
#: primitives that are stopped in a rule that they use, or by another limit
STOPPED = {
    **dict.fromkeys(("piece.playable", "placements", "lay"), "`may_lay` takes too long"),
    **dict.fromkeys(("move", "attach"), "`left.note` takes too long"),
    LONG_SET: "a set grows beyond 10000 members",
}
#: the base game with every other box of its edition; of two with one role the first
ALL_OF_THE_SECOND_EDITION = "+".join((BASE, *BOXES))
QUICK = ("cycle", "award", "those", "join", "memory of features", "tile.figures")


def after(text: str, spent: int = 0) -> Match:
    """The match after a rule of the probe game has run; both engines agree on its steps.

    The rules before have spent some steps.
    """
    program = program_with(text)
    match = position(3, program)
    match.spent += spent
    other = loaded(program).entered(match)
    while label(match) != "ready":
        assert chosen(match, other, 0, "before")
    before = match.spent
    if chosen(match, other, 0, text):
        compare(match, other, text)
        match.spent -= before
    return match


def spent_by(text: str) -> int:
    """The steps of a rule."""
    match = after(text)
    assert match.failed is None, match.failed
    return match.spent - after("").spent


@needs_core
@pytest.mark.parametrize(
    ("name", "text"), slow_unless(lambda case: case[0] in QUICK, every_primitive())
)
def test_every_primitive_that_is_repeated_without_end_is_stopped(name: str, text: str) -> None:
    match = after(text, 0 if name == LONG_SET else MAX_STEPS - MAX_STEPS // 10)
    assert match.failed is not None, name
    assert match.failed.message.startswith(STOPPED.get(name, "`probe.rule` takes too long"))


@needs_core
def test_a_list_is_counted_by_its_members() -> None:
    text = "repeat 100 { let q = count(cycle(players, 10000)) }"
    assert 1_000_000 < spent_by(text) < 3_000_000


@needs_core
def test_a_long_list_that_a_name_keeps_pays_for_its_room() -> None:
    few = spent_by("let q = cycle(players, 100)")
    many = spent_by("let q = cycle(players, 10000)")
    assert few < 1_000
    assert 10_000 * KEPT < many < 10_000 * KEPT + 100_000


@needs_core
def test_a_loop_that_is_left_early_counts_the_rounds_that_it_made() -> None:
    awards = "award 1 to active\n" * 50
    every = spent_by(f"repeat 100 {{ {awards} }}")
    assert every >= 100 * 50 * AWARDED
    few = spent_by(f"let n = 0\nrepeat 100 {{ set n = n + 1\nstop if n = 10\n{awards} }}")
    assert every / 11 < few < every / 9


@needs_core
def test_a_branch_counts_where_it_is_taken() -> None:
    body = "let q = cycle(players, 10000)\n" + "award 1 to active\n" * 100
    never = spent_by(f"repeat 50 {{ if turn < 0 {{ {body} }} }}")
    assert spent_by(f"repeat 50 {{ if turn > 0 {{ {body} }} }}") > 50 * 100 * AWARDED > 50 * never


def test_a_turn_with_a_choice_pays_for_steps_and_another_one_costs() -> None:
    match = position(0)
    match.spent, match.has_chosen = 3 * TURN_STEPS, True
    match.begin_turn()
    assert match.spent == 2 * TURN_STEPS
    match.begin_turn()
    assert match.spent == 2 * TURN_STEPS + IDLE_STEPS
    match.spent, match.has_chosen = TURN_STEPS - 1, True
    match.begin_turn()
    assert match.spent == 0
    before = match.spent
    match.choose_number(0)
    assert match.spent >= before + CHOICE_STEPS


def test_turns_that_do_too_much_are_stopped() -> None:
    match = position(0)
    match.spent, match.has_chosen = MAX_STEPS + TURN_STEPS + 1, True
    with pytest.raises(RuleError, match="the turns take too long"):
        match.begin_turn()


def test_awards_that_listeners_keep_are_few(tmp_path: Path) -> None:
    """Also where no single turn is stopped."""
    write(CORPUS["quiet awards, fewer than stop a turn"](), tmp_path / "house" / "hostile")
    program, reporter = load_program("house/hostile", None, Library([tmp_path]))
    assert program is not None, reporter.diagnostics
    match, lot, kept = start_match(program, 2, 1), Random(1), []
    match.listeners = (lambda event, *_: kept.append(event) if event == "award" else None,)
    with pytest.raises(RuleError, match=r"`hostile\.awards` takes too long"):
        while match.to_move >= 0:
            match.choose_number(int(lot.random() * match.count))
    assert len(kept) <= (MAX_STEPS + match.turn * TURN_STEPS) / AWARDED


@pytest.mark.parametrize(
    ("game", "players", "games"),
    [
        ("c2/base", 2, 3),
        pytest.param(ALL_OF_THE_SECOND_EDITION, 2, 3, marks=pytest.mark.slow),
        pytest.param(ALL_OF_THE_SECOND_EDITION, 5, 6, marks=pytest.mark.slow),
    ],
)
def test_honest_games_take_a_tenth_of_the_limit_at_most(
    game: str, players: int, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (sets, runtime_match):
        monkeypatch.setattr(module, "MAX_STEPS", MAX_STEPS // HEAD_ROOM)
    program = program_of(game)
    for seed in range(games):
        match, lot = start_match(program, players, f"head room/{seed}"), Random(seed)
        while match.to_move >= 0:
            match.choose_number(int(lot.random() * match.count))
        assert match.is_over and match.failed is None
