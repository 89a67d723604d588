"""Both engines play the same games: every shipped ruleset, at every decision."""

from __future__ import annotations

import random

import pytest

from support.carried_pairs import all_pairs, tried
from support.marks import slow_unless
from support.played import program_of
from support.two_engines import (
    DifferenceError,
    Named,
    begun,
    chosen,
    compare,
    loaded_game,
    needs_core,
    play_both,
    seats_of,
)
from tilewright.rules.reading.library import Library

pytestmark = needs_core

IDS = Library().ids()
LARGEST = (
    "c2/abbot+c2/farmers+c2/inns-and-cathedrals+c2/princess-and-dragon+c2/river"
    "+c2/traders-and-builders",
    "c3/abbot+c3/farmers+c3/river-two-lakes+c3.1/dragon-and-fairy+c3.1/traders-and-builders",
)
#: every eighth ruleset is played once by default
QUICK = IDS[::8]
GAMES = 12


@pytest.mark.parametrize("game", [*QUICK])
def test_a_game_is_the_same_at_every_decision(game: str) -> None:
    seats = seats_of(program_of(game))
    played(game, seats[-1], 1)


@pytest.mark.slow
@pytest.mark.parametrize("game", [*IDS, *LARGEST])
def test_twelve_games_are_the_same_at_every_decision(game: str) -> None:
    seats = seats_of(program_of(game))
    for seed in range(GAMES):
        played(game, seats[seed % len(seats)], seed)


def played(game: str, players: int, seed: int) -> None:
    """Play one game to its end on both engines, with another first player each time."""
    program = program_of(game)
    match, other = begun(program, players, seed, first=seed % players)
    if match is not None:
        named = Named(game, players, seed)
        play_both(match, other, named, rng=random.Random(seed), options=seed % 4 == 0)


@pytest.mark.parametrize("part", slow_unless(lambda part: part == 0, range(30)))
def test_pairs_of_rulesets_are_carried_and_play_the_same(part: int) -> None:
    library = Library()
    pairs = all_pairs(library)
    some = pairs[4 * part : 4 * part + 4] if part else pairs[:1]
    outcomes = {text: tried(library, text) for text in some}
    assert set(outcomes.values()) <= {"equal", "not linked"}, outcomes


def test_a_difference_names_the_game_the_decision_and_the_fact() -> None:
    match, other = begun(program_of("c2/base"), 2, 1)
    assert match is not None
    for _ in range(4):
        assert chosen(match, other, 0, "here")
    match.points[1] += 3
    with pytest.raises(DifferenceError) as caught:
        compare(match, other, f"{Named('c2/base', 2, 1)}, decision 4")
    points = match.points[1]
    assert str(caught.value).startswith(
        "c2/base, 2 players, seed 1, decision 4: points of player 1"
    )
    assert f"is {points} in Python, {points - 3} in the core" in str(caught.value)


def test_a_log_of_the_core_can_be_played_in_python() -> None:
    program = program_of("c2/base")
    match, other = begun(program, 3, "log")
    assert match is not None
    play_both(match, other, Named("c2/base", 3, "log"), rng=random.Random(4))
    again = begun(program, 3, "log")[0]
    assert again is not None
    for entry in match.log:
        if entry >= 0:
            again.choose_number(entry)
    assert again.digest() == match.digest()
    assert loaded_game("c2/base").core is not None
