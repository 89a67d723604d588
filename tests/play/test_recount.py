"""Random matches of every system against a recount that shares no code with the package."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.marks import slow_unless
from support.played import program_of
from support.recount import Feature
from support.recount_match import Recount, decisions, recounted, snug_choice
from support.recount_scores import on_feature
from tilewright.play.match import Match
from tilewright.play.notation import read_segment

#: every system by itself, and together with those it meets most
GAMES = (
    "c2/base",
    "c2/farmers",
    "c3/farmers",
    "c2/farmers+c2/princess-and-dragon",
    "c2/princess-and-dragon+house/fairy-no-block+house/redraw-dragon-tile",
    "c3.1/dragon-and-fairy+c3/farmers",
    "c2/farmers+c2/inns-and-cathedrals",
    "c2/farmers+c2/traders-and-builders",
    "c3/farmers+c3.1/traders-and-builders",
    "c2/abbot+c2/farmers+c2/river",
    "c3/farmers+c3/river-two-lakes",
    "c2/abbot+c2/farmers+c2/inns-and-cathedrals+c2/princess-and-dragon+c2/traders-and-builders",
    "c3.1/dragon-and-fairy+c3.1/traders-and-builders+c3/abbot+c3/farmers+c3/river",
)
LOOKED_AT = 15  # placements that are looked at for a snug one, so that much gets completed

#: where figures are put when the board is crowded; those that follow another one come last
STANDS_ON = {
    "meeple": {"road", "city", "monastery", "field"},
    "large_meeple": {"road", "city", "monastery", "field"},
    "abbot": {"monastery", "garden"},
    "builder": {"road", "city"},
    "pig": {"field"},
}


def followed(game: str, players: int, seed: int, every: int, crowded: int = 0) -> Recount:
    """A match played to its end, with a look at the board every so many choices.

    Before the turn `crowded` everybody's figures are strewn over the board, so that from then on
    several players stand on most features.
    """
    match, recount = recounted(program_of(game), players, seed)
    rng = random.Random(seed)
    for number in decisions(match, recount):
        if match.turn == crowded and match.options_now is None:
            crowd(match, recount, rng)
            crowded = 0
        if number % every == 0:
            recount.compare_board(match)
            recount.compare_placements(match)
        match.choose_number(snug_choice(match, recount.table, rng, LOOKED_AT))
    return recount


def crowd(match: Match, recount: Recount, rng: random.Random) -> None:
    """Put every figure that is at home somewhere it could stand, wherever others are."""
    parts = {part: x for x in recount.table.features() if not x.is_complete for part in x.parts}
    # in the third edition these stand beside a figure and on no feature
    by_themselves = recount.systems.traders == "c2"
    for kind, grounds in STANDS_ON.items():
        for number, figure in recount.figures.items():
            if figure.kind != kind or figure.cell is not None:
                continue
            places = [p for p, x in parts.items() if x.kind in grounds & recount.systems.kinds]
            if kind in ("builder", "pig"):
                places = [
                    p
                    for p in places
                    if by_themselves and figure.owner in holders_there(recount, parts[p])
                ]
            if places:
                (x, y), name = rng.choice(sorted(places))
                segment = read_segment(match, f"{x},{y}/{name}")
                assert segment is not None
                match.move_to_segment(number, segment)


def holders_there(recount: Recount, feature: Feature) -> set[int | None]:
    """The players with figures on a feature."""
    return {figure.owner for figure in on_feature(feature, recount.figures).values()}


@pytest.mark.parametrize("game", slow_unless(lambda game: game in GAMES[:2], GAMES))
def test_a_recount_agrees_in_play_and_at_the_end(game: str) -> None:
    least, most = program_of(game).game.players_least, program_of(game).game.players_most
    most = (
        min(most, 5) if "abbot" in game else most
    )  # there are five abbots, for sixth seats or not

    @examples(4 if game.count("+") < 2 else 3)
    @given(st.integers(0, 10**9), st.integers(least, most), st.integers(15, 30), st.integers(0, 50))
    def all_agrees(seed: int, players: int, every: int, crowded: int) -> None:
        assert followed(game, players, seed, every, crowded).features_paid

    all_agrees()


def test_a_recount_notices_points_that_the_printed_game_does_not_give() -> None:
    with pytest.raises(AssertionError, match="turn"):
        for seed in range(20):
            followed("c2/princess-and-dragon+house/fairy-five", 3, seed, 20)
