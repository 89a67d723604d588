"""Random matches of every system against a recount that shares no code with the package."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from played import program_of
from recount import RULESETS, SIDES, Table, beside, with_what_they_take_over
from recount_match import Recount
from tilewright.runtime.match import Match
from tilewright.runtime.notation import cell_text
from tilewright.runtime.start import start_match

#: every system by itself, and together with those it meets most
MIXES = (
    "c2/base",
    "c2/farmers",
    "c3/farmers",
    "c2/farmers+c2/princess-and-dragon",
    "c3.1/dragon-and-fairy+c3/farmers",
    "c2/farmers+c2/inns-and-cathedrals",
    "c2/farmers+c2/traders-and-builders",
    "c3/farmers+c3.1/traders-and-builders",
    "c2/abbot+c2/farmers+c2/river",
    "c3/farmers+c3/river-two-lakes",
    "c2/abbot+c2/farmers+c2/inns-and-cathedrals+c2/princess-and-dragon+c2/traders-and-builders",
    "c3.1/dragon-and-fairy+c3.1/traders-and-builders+c3/abbot+c3/farmers+c3/river",
)


def has_its_rules(game: str) -> bool:
    """Whether every ruleset of a mix is there, with rules and not only with pieces."""
    return all(
        any((RULESETS / name / "rules").is_dir() for name in with_what_they_take_over([ruleset]))
        for ruleset in game.split("+")
    )


GAMES = tuple(filter(has_its_rules, MIXES))
LOOKED_AT = 5  # placements among which a player takes the one with most tiles beside it


def followed(game: str, players: int, seed: int, every: int) -> Recount:
    """A match played to its end, with a look at the board every so many choices."""
    program = program_of(game)
    recount = Recount(tuple(r.id for r in program.game.rulesets), players)
    match = start_match(program, players, seed, listeners=(recount,))
    rng = random.Random(seed)
    asked = 0
    while match.asked >= 0:
        asked += 1
        if asked % every == 0:
            recount.compare_board(match)
            recount.compare_placements(match)
        match.choose_number(chosen(match, recount.table, rng))
    recount.compare_board(match)
    assert match.is_over and recount.is_over
    return recount


def chosen(match: Match, table: Table, rng: random.Random) -> int:
    """A choice by lot; of placements a snug one, so that much gets completed."""
    if match.options_now is not None:
        return rng.randrange(match.count)
    numbers = [rng.randrange(match.count) for _ in range(LOOKED_AT)]

    def neighbours(number: int) -> int:
        x, y = map(int, cell_text(match.board.locate(match.piece, number)[0]).split(","))
        return sum(beside((x, y), side) in table.tiles for side in SIDES)

    return max(numbers, key=neighbours)


@pytest.mark.parametrize("game", GAMES)
def test_a_recount_agrees_in_play_and_at_the_end(game: str) -> None:
    least, most = program_of(game).game.players_least, program_of(game).game.players_most

    @settings(
        max_examples=4,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 10**9), st.integers(least, most), st.integers(15, 30))
    def all_agrees(seed: int, players: int, every: int) -> None:
        assert followed(game, players, seed, every).features_paid

    all_agrees()


def test_a_recount_notices_points_that_the_printed_game_does_not_give() -> None:
    with pytest.raises(AssertionError, match="turn"):
        for seed in range(20):
            followed("c2/princess-and-dragon+house/fairy-five", 3, seed, 20)
