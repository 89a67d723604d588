"""Tiles under covers, against the recount, a board laid again and both engines.

`trial/spans` of `tests/data/covers` lays covers over drawn tiles, over tiles that lie already, and
where a tile fits only beside one.
"""

from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.marks import slow_unless
from support.played import data_program, reloaded
from support.recount_match import decisions, recounted
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.play.board.rebuild import derived
from tilewright.play.new_match import start_match
from tilewright.tools.interactions.trial import deep_fault

SPANS = "trial/spans"
GAMES = (
    SPANS,
    f"c2/farmers+{SPANS}",
    f"c2/farmers+c2/inns-and-cathedrals+{SPANS}",
    f"c2/abbey-and-mayor+{SPANS}",
    f"c2/hills-and-sheep+c2/ferries+{SPANS}",
)

program_of = partial(data_program, "covers")


@pytest.mark.parametrize("game", slow_unless(lambda game: game == GAMES[1], GAMES[:3]))
def test_a_recount_agrees_in_play_and_at_the_end(game: str) -> None:
    @examples(5)
    @given(st.integers(0, 10**9), st.integers(2, 5), st.integers(7, 20))
    def all_agrees(seed: int, players: int, every: int) -> None:
        match, recount = recounted(program_of(game), players, seed)
        rng = random.Random(seed)
        for number in decisions(match, recount):
            if number % every == 0:
                recount.compare_board(match)
            match.choose_number(rng.randrange(match.count))
        covered.append(len(match.board.covers))

    covered: list[int] = []
    all_agrees()
    assert any(covered)


@pytest.mark.parametrize("game", slow_unless(lambda game: game == GAMES[1], GAMES))
def test_a_match_with_covers_is_what_its_facts_and_its_log_make_of_it(game: str) -> None:
    match, rng = start_match(program_of(game), 3, 5), random.Random(5)
    number = 0
    while match.to_move >= 0:
        if number % 40 == 0:
            assert not deep_fault(match, False)
            twin = reloaded(match)
            assert twin.digest() == match.digest()
            assert derived(twin.board) == derived(match.board)
            assert twin.board.completed == match.board.completed
        match.choose_number(rng.randrange(match.count))
        number += 1
    assert match.board.covers


@needs_core
@pytest.mark.parametrize("game", slow_unless(lambda game: game == GAMES[1], GAMES))
def test_both_engines_are_equal_after_every_choice(game: str) -> None:
    for seed in range(3):
        match, other = begun(program_of(game), 2 + seed, seed)
        assert match is not None
        named = Named(game, 2 + seed, seed)
        play_both(match, other, named, rng=random.Random(seed), options=seed == 0)
