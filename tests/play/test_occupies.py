"""Rules decide which figures occupy a feature: by kind before play, or for each figure.

Two rulesets of `tests/data/occupies` amend `occupies`. The features that are occupied are found
again by hand, from the places of the figures alone.
"""

from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.played import data_program
from support.recount import Part
from support.recount_match import features_of, read_cell
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.final_score import score_ending
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import cell_text
from tilewright.play.program import Program
from tilewright.tools.workspace.loading import load_program

SPIRITS, SLEEPERS = "trial/spirits", "trial/sleepers"
GAMES = (SPIRITS, SLEEPERS)

program_of = partial(data_program, "occupies")


# ------------------------------------------------------------------ by hand


def occupied_by_hand(match: Match, game: str) -> set[int]:
    """The features with a figure that occupies, from the names of the places of all figures."""
    kinds = [figure.id for figure in match.program.game.figures]
    names = match.board.shapes.segment_names
    cells = [read_cell(cell_text(cell)) for cell in match.board.tile_cell]
    on: dict[Part, list[str]] = {}
    for figure, spot in enumerate(match.spot):
        if spot >= 0 and spot & 31:  # on a segment, not on a tile as a whole
            tile = spot >> 5
            name = names[match.board.tile_shape[tile]][(spot & 31) - 1]
            on.setdefault((cells[tile], name), []).append(kinds[match.figure_kind[figure]])
    found: set[int] = set()
    for root, parts in features_of(match).items():
        size = len({cell for cell, _ in parts})
        for (x, y), name in parts:
            beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            is_awake = size < 3 or len([cell for cell in beside if cell in cells]) < 2
            for kind in on.get(((x, y), name), ()):
                if kind == "meeple" and (game == SPIRITS or is_awake):
                    found.add(root)
    return found


def asked(match: Match) -> set[int]:
    is_taken = match.program.definitions["is_taken"]
    return {x for x in match.board.feature_roots() if is_taken(match, x)}


def compare_on_the_way(program: Program, game: str, players: int, seed: int) -> int:
    """Play by lot and compare after each choice; how often figures that do not occupy were met."""
    rng, idle = random.Random(seed), 0
    match = start_match(program, players, seed)
    while match.to_move >= 0:
        by_hand = occupied_by_hand(match, game)
        assert asked(match) == by_hand
        standing = {x for x in match.board.feature_roots() if match.board.figures[x]}
        idle += len(standing - by_hand)
        match.choose_number(int(rng.random() * match.count))
    return idle


@examples(20)
@given(st.sampled_from(GAMES), st.integers(2, 5), st.integers(0, 10_000))
def test_occupied_features_are_those_found_by_hand(game: str, players: int, seed: int) -> None:
    compare_on_the_way(program_of(game), game, players, seed)


@pytest.mark.parametrize("game", GAMES)
def test_figures_that_do_not_occupy_are_met(game: str) -> None:
    assert compare_on_the_way(program_of(game), game, 3, 1) > 20


def test_probes_record_the_rules_that_decide_what_occupies() -> None:
    program = compile_game(program_of(SPIRITS).game, probes=True)
    compare_on_the_way(program, SPIRITS, 2, 3)
    assert program.reached["spirits.never"]


# ------------------------------------------------------------------ findings of the compiler


def test_kinds_and_owners_are_decided_before_play() -> None:
    program = program_of(SPIRITS)
    kinds = [figure.id for figure in program.game.figures]
    assert program.occupying is not None
    assert dict(zip(kinds, program.occupying, strict=True)) == {
        "meeple": True,
        "shade": False,
        "spirit": False,
    }
    assert program_of(SLEEPERS).occupying is None


def test_a_game_without_such_rules_tests_the_figures_alone() -> None:
    program, _ = load_program("c2/base")
    assert program is not None
    assert program.occupying == ()


# ------------------------------------------------------------------ the final score


@pytest.mark.parametrize("game", GAMES)
def test_the_final_score_is_that_of_playing_on_to_the_end(game: str) -> None:
    program = program_of(game)
    rng = random.Random(5)
    match = start_match(program, 3, 5)
    while match.to_move >= 0:
        before = match.fork()
        match.choose_number(int(rng.random() * match.count))
    early = before.fork()
    assert score_ending(early)
    # the last choice scores nothing but the final scoring if it completes nothing
    last = before.fork()
    last.end_game()
    assert early.points == _scored_plainly(last)


def _scored_plainly(match: Match) -> list[int]:
    """The points after the rules of the final scoring, each feature by the compiled rules."""
    definitions, points = match.program.definitions, list(match.points)
    for x in match.board.feature_roots():
        if definitions["is_taken"](match, x) and definitions["pays_at_end"](match, x):
            for who in _members(definitions["scorers"](match, x)):
                worth = definitions["final_points"](match, x)
                points[who] += definitions["paid"](match, who, x, worth)
    return points


def _members(players: object) -> list[int]:
    assert isinstance(players, list)
    return players


# ------------------------------------------------------------------ both engines


@needs_core
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 5])
def test_both_engines_are_equal_after_every_choice(game: str, players: int) -> None:
    program = program_of(game)
    match, other = begun(program, players, 11)
    assert match is not None
    play_both(match, other, Named(game, players, 11), rng=random.Random(11), options=True)
