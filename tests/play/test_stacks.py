"""Stacks that players own, stacks in order, several sets of tiles, and how far the tiles reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.played import go_on, played, program_of, reloaded
from support.ruleset_cases import library_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.board.board import xy_of
from tilewright.play.faults import RuleError
from tilewright.play.library.functions import furthest
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts, stacks_in_play
from tilewright.play.replay import replayed_again
from tilewright.rules.analysis.link import link_game

HAND = "house/hand-of-three"
QUEUE = "house/unplaceable-under-the-stack"


def stack(match: Match, name: str) -> list[int]:
    return match.stacks[match.program.stack_number[name]]


def test_every_player_has_a_stack_of_their_own() -> None:
    match = played(HAND, 10, players=3)
    hands = [len(stack(match, f"{seat} tiles_in_hand")) for seat in ("red", "blue", "green")]
    assert all(2 <= held <= 3 for held in hands)
    assert not stack(match, "yellow tiles_in_hand")


def test_stacks_of_seats_that_nobody_took_are_not_shown() -> None:
    match = start_match(program_of(HAND), players=2)
    names = [match.program.game.stacks[n].id for n in stacks_in_play(match)]
    assert [name for name in names if "hand" in name] == ["red tiles_in_hand", "blue tiles_in_hand"]
    assert "land" in names


def test_pieces_of_one_kind_are_offered_once() -> None:
    match = start_match(program_of(HAND), players=2, seed=4)
    seen = 0
    while not match.is_over:
        texts = option_texts(match)
        assert len(texts) == len(set(texts))
        held = stack(match, "red tiles_in_hand")
        seen += texts[0].startswith("play") and len(held) != len(set(held))
        go_on(match, 1, 4)
    assert seen


@pytest.mark.parametrize("choices", [0, 1, 17, 60])
def test_a_match_with_hands_goes_on_from_a_save(choices: int) -> None:
    match = played(HAND, choices, players=4, seed=7)
    twin, fork = reloaded(match), match.fork()
    for one in (match, twin, fork):
        go_on(one, 10_000, "on")
    assert match.digest() == twin.digest() == fork.digest()
    assert match.is_over


def test_what_is_drawn_from_a_stack_in_order_was_in_it_longest() -> None:
    for seed in range(5):
        match = start_match(program_of(QUEUE), players=2, seed=seed)
        under = match.program.stack_number["under_land"]
        match.stacks[under] = [5, 3, 5, 9]
        assert [match.draw_next(under) for _ in range(4)] == [5, 3, 5, 9]
        with pytest.raises(RuleError):
            match.draw_next(under)


def test_another_draw_from_a_stack_in_order_cannot_be_told() -> None:
    match = start_match(program_of(QUEUE), players=2)
    under = match.program.stack_number["under_land"]
    match.stacks[under] = [5, 3]
    match.forced_draws = [3]
    with pytest.raises(RuleError):
        match.draw_next(under)


def test_a_match_with_a_stack_in_order_is_played_again() -> None:
    match = played(QUEUE, seed=11)
    again = replayed_again(match)
    assert again.digest() == match.digest()


def test_the_reach_of_the_tiles_is_that_of_the_outermost() -> None:
    match = start_match(program_of("c2/base"), players=2, seed=3)
    fork = match
    while not fork.is_over:
        go_on(fork, 7, 3)
        fork = fork.fork()
        places = [xy_of(cell) for cell in fork.board.tile_cell]
        reach = [furthest(fork, side) for side in range(4)]
        assert reach == [
            max(y for _, y in places),
            max(x for x, _ in places),
            -min(y for _, y in places),
            -min(x for x, _ in places),
        ]


COPIES = """# module.yaml
id: trial/first
kind: house
title: a trial
requires: {base: trial/table}
copies: {base: 2}
# trial/second/module.yaml
id: trial/second
kind: house
title: another trial
requires: {base: trial/table}
copies: {trial/table: 3, nobody: 9}
"""


def test_the_most_sets_that_anybody_says_are_there(tmp_path: Path) -> None:
    library, _ = library_of(COPIES, tmp_path)
    counts = []
    for names in ("trial/table", "trial/first", "trial/second", "trial/first+trial/second"):
        reporter = Reporter()
        game = link_game(names, {}, lambda id_: library.load(id_, Reporter()), reporter)
        assert game is not None, reporter.diagnostics
        counts.append(sum(piece.count for piece in game.pieces))
    one, two, three, both = counts
    assert (two, three, both) == (2 * one, 3 * one, 3 * one)
