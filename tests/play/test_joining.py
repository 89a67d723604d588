"""Segments that are joined and parted, against the recount, a board laid again and both engines.

`trial/ties` of `tests/data/links` joins and parts segments after some turns; `trial/mouths` has
roads with ends inside their tiles that only a join closes.
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
from support.recount_match import Recount, decisions, recounted
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.play.board.rebuild import derived, laid_pieces, rebuilt
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.tools.interactions.trial import deep_fault

TIES, MOUTHS = "trial/ties", "trial/ties+trial/mouths"
GAMES = (TIES, MOUTHS, f"c2/farmers+{MOUTHS}", f"c2/farmers+c2/inns-and-cathedrals+{MOUTHS}")

program_of = partial(data_program, "links")


def followed(game: str, players: int, seed: int, every: int) -> tuple[Match, Recount]:
    match, recount = recounted(program_of(game), players, seed)
    rng = random.Random(seed)
    for number in decisions(match, recount):
        if number % every == 0:
            recount.compare_board(match)
            anew = rebuilt(match.board.shapes, laid_pieces(match.board), (), match.board.links)
            mine, theirs = derived(match.board), derived(anew)
            for name in mine:
                if name != "features":
                    assert mine[name] == theirs[name], name
        match.choose_number(rng.randrange(match.count))
    return match, recount


@pytest.mark.parametrize("game", slow_unless(lambda game: game == GAMES[2], GAMES))
def test_a_recount_agrees_in_play_and_at_the_end(game: str) -> None:
    @examples(5)
    @given(st.integers(0, 10**9), st.integers(2, 5), st.integers(7, 20))
    def all_agrees(seed: int, players: int, every: int) -> None:
        joined.append(bool(followed(game, players, seed, every)[0].board.links))

    joined: list[bool] = []
    all_agrees()
    assert any(joined)


def test_a_match_with_joins_is_what_its_facts_and_its_log_make_of_it() -> None:
    match, rng = start_match(program_of(GAMES[2]), 3, 5), random.Random(5)
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
    assert match.board.links


@needs_core
@pytest.mark.parametrize("game", GAMES)
def test_both_engines_are_equal_after_every_choice(game: str) -> None:
    for seed in range(3):
        match, other = begun(program_of(game), 2 + seed, seed)
        assert match is not None
        named = Named(game, 2 + seed, seed)
        play_both(match, other, named, rng=random.Random(seed), options=seed == 0)
