"""Laid tiles that are lifted, turned, swapped, replaced and hidden, against a board without others.

`trial/quakes` of `tests/data/relays` changes a tile after most turns, `trial/blinds` turns tiles
face down and up, and `trial/doubles` has pieces of several cells. The board must be what the tiles
that lie make of it in the order of their age, on both engines, in saves and in forks.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.marks import slow_unless
from support.played import data_program, reloaded
from support.recount_match import decisions, recounted
from support.two_engines import Named, begun, loaded, needs_core, play_both
from tilewright.faces.studio.table.match_view import board_state
from tilewright.play.board.board import Board, xy_of
from tilewright.play.board.joining import feature_at, join
from tilewright.play.board.rebuild import derived
from tilewright.play.board.recasting import recast
from tilewright.play.bots.base import option_values
from tilewright.play.encoding import IN_SUPPLY
from tilewright.play.faults import RuleError
from tilewright.play.library.board_changes import lift, link, rotate, swap, swaps, turns
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.native.bots import GreedySearch
from tilewright.play.new_match import start_match
from tilewright.play.observation import public_view
from tilewright.tools.interactions.trial import deep_fault, quick_fault
from tilewright.tools.scenarios.capture import position_of
from tilewright.view.board.view import scene_of

QUAKES, BLINDS = "trial/quakes", "trial/blinds"
DOUBLES = f"trial/doubles+{QUAKES}"
GAMES = (
    QUAKES,
    f"c2/farmers+{QUAKES}",
    f"c2/farmers+c2/inns-and-cathedrals+{QUAKES}",
    f"c2/farmers+{BLINDS}",
    f"c2/farmers+{DOUBLES}",
    f"{DOUBLES}+{BLINDS}",
    f"c2/abbey-and-mayor+{QUAKES}",
    f"c2/hills-and-sheep+c2/ferries+{QUAKES}",
    f"c2/bridges+{QUAKES}",
    f"c2/princess-and-dragon+c2/count+{QUAKES}",
)
#: one game of each kind
CHEAP = (GAMES[2], GAMES[3], GAMES[5])

program_of = partial(data_program, "relays")


def facts_by_place(board: Board) -> dict[str, Any]:
    """All that follows from the tiles of a board, without the numbers of tiles and features."""
    kept = derived(board)
    place = {
        tile << 5 | index: (board.tile_cell[tile], index)
        for tile in board.tile_at.values()
        for index in range(len(board.tile_features[tile]))
    }
    parts: dict[int, set[tuple[int, int]]] = {}
    for segment, where in place.items():
        parts.setdefault(feature_at(board, segment), set()).add(where)
    named = {root: frozenset(found) for root, found in parts.items()}
    features = {}
    for root, row in kept["features"].items():  # type: ignore[attr-defined]
        kind, ends, filled, tiles, _, borders, numbers = row
        cells = {cell for tile, cell in enumerate(board.tile_cell) if tiles >> tile & 1}
        beside = {named[other] for other in borders}
        features[named[root]] = (kind, ends, filled, cells, beside, numbers)
    return {
        "tiles": {
            cell: (board.tile_piece[tile], board.tile_shape[tile])
            for cell, tile in board.tile_at.items()
        },
        "features": features,
        "frontier": kept["frontier"],
        "position": kept["position"],
        "waiting": {
            cell: [named[each] for each in row]
            for cell, row in kept["waiting"].items()  # type: ignore[attr-defined]
        },
    }


def only_the_final_pieces(board: Board) -> Board:
    """A board on which only what lies on this one was ever laid."""
    fresh, number = Board(board.shapes), dict[int, int]()
    for tile, cell in enumerate(board.tile_cell):
        if not board.gone >> tile & 1:
            number[tile] = len(fresh.tile_cell)
            fresh.lay_cell(board.tile_piece[tile], board.tile_shape[tile], cell)
    for pair in board.links:
        join(fresh, *(number[each >> 5] << 5 | each & 31 for each in pair))
    for segment, kind in board.recasts:
        recast(fresh, feature_at(fresh, number[segment >> 5] << 5 | segment & 31), kind)
    return fresh


@pytest.mark.parametrize("game", slow_unless(lambda game: game in CHEAP, GAMES[:6]))
def test_a_recount_agrees_in_play_and_at_the_end(game: str) -> None:
    @examples(5)
    @given(st.integers(0, 10**9), st.integers(2, 5), st.integers(7, 20))
    def all_agrees(seed: int, players: int, every: int) -> None:
        match, recount = recounted(program_of(game), players, seed)
        rng = random.Random(seed)
        for number in decisions(match, recount):
            if number % every == 0:
                recount.compare_board(match)
                recount.compare_placements(match)
            match.choose_number(rng.randrange(match.count))
        changed.append(match.board.relaid)

    changed: list[bool] = []
    all_agrees()
    assert any(changed)


@pytest.mark.parametrize("game", slow_unless(lambda game: game in CHEAP, GAMES[:6]))
def test_the_board_is_that_on_which_only_the_final_pieces_were_laid(game: str) -> None:
    @examples(10)
    @given(st.integers(0, 10**9), st.integers(2, 5), st.integers(7, 20))
    def is_equal(seed: int, players: int, every: int) -> None:
        match, rng = start_match(program_of(game), players, seed), random.Random(seed)
        number = 0
        while match.to_move >= 0:
            if number % every == 0:
                fresh = only_the_final_pieces(match.board)
                assert facts_by_place(match.board) == facts_by_place(fresh)
            match.choose_number(rng.randrange(match.count))
            number += 1
        changed.append(match.board.relaid)

    changed: list[bool] = []
    is_equal()
    assert any(changed)


@pytest.mark.parametrize("game", slow_unless(lambda game: game in CHEAP, GAMES))
def test_a_match_with_changed_tiles_is_what_its_facts_and_its_log_make_of_it(game: str) -> None:
    match, rng = start_match(program_of(game), 3, 5), random.Random(5)
    number = 0
    while match.to_move >= 0:
        if number % 40 == 0:
            assert not deep_fault(match, True)
            twin = reloaded(match)
            assert twin.digest() == match.digest()
            assert derived(twin.board) == derived(match.board)
            assert twin.board.completed == match.board.completed
        match.choose_number(rng.randrange(match.count))
        number += 1
    assert match.board.relaid


@needs_core
@pytest.mark.parametrize("game", slow_unless(lambda game: game in GAMES[:6], GAMES))
def test_both_engines_are_equal_after_every_choice(game: str) -> None:
    for seed in range(3):
        match, other = begun(program_of(game), 2 + seed, seed)
        assert match is not None
        named = Named(game, 2 + seed, seed)
        play_both(match, other, named, rng=random.Random(seed), options=seed == 0)


def quaked(seed: int = 3, choices: int = 300, game: str = GAMES[1]) -> Match:
    match, rng = start_match(program_of(game), 3, seed), random.Random(seed)
    while match.to_move >= 0 and choices > 0:
        match.choose_number(rng.randrange(match.count))
        choices -= 1
    return match


def test_a_fork_changes_its_own_tiles() -> None:
    match = quaked()
    digest, gone = match.digest(), match.board.gone
    fork = match.fork()
    lift(fork, next(fork.board.lying()))
    assert (match.digest(), match.board.gone) == (digest, gone)
    assert fork.digest() != digest


def test_a_lifted_tile_is_in_no_view() -> None:
    match = quaked()
    board = match.board
    tile = next(tile for tile in board.lying() if board.neighbours(board.tile_cell[tile]))
    x, y = xy_of(board.tile_cell[tile])
    views = [public_view, lambda m: {"board": board_state(m, "en")["tiles"]}]
    before = [[laid["cell"] for laid in view(match)["board"]] for view in views]
    drawn = len(scene_of(match).tiles)
    lift(match, tile)
    for view, cells in zip(views, before, strict=True):
        assert sorted(laid["cell"] for laid in view(match)["board"]) == sorted(
            cell for cell in cells if cell != [x, y]
        )
    assert len(scene_of(match).tiles) == drawn - 1
    assert all(f"{x},{y}/" not in name for x_ in public_view(match)["features"]
               for name in x_["segments"])  # fmt: skip


def test_figures_turn_and_move_with_their_tile_and_leave_with_it() -> None:
    match = quaked()
    spots = match.spot[:]
    figure = next(f for f, spot in enumerate(spots) if spot >= 0 and spot & 31)
    tile = spots[figure] >> 5
    for side in turns(match, tile):
        rotate(match, tile, side)
    for other in bits(swaps(match, tile))[:1]:
        swap(match, tile, other)
    assert match.spot == spots
    assert not quick_fault(match, True)
    lift(match, tile)
    assert match.spot[figure] == IN_SUPPLY


def test_a_tile_that_was_lifted_cannot_be_changed_nor_stood_on() -> None:
    match = quaked()
    tile = next(match.board.lying())
    segment = tile << 5
    lift(match, tile)
    figure = match.in_supply.bit_length() - 1
    for done in (
        lambda: lift(match, tile),
        lambda: rotate(match, tile, 0),
        lambda: swap(match, tile, next(match.board.lying())),
        lambda: link(match, segment, segment, 1),
        lambda: match.move_to_tile(figure, tile),
        lambda: match.move_to_segment(figure, segment),
    ):
        with pytest.raises(RuleError, match=r"does not lie on the board|was lifted"):
            done()
    assert not turns(match, tile)
    assert not swaps(match, tile)


def test_a_tile_that_does_not_fit_is_neither_turned_nor_swapped() -> None:
    match = quaked()
    board = match.board
    tile = next(each for each in board.lying() if len(turns(match, each)) == 1)
    side = next(side for side in range(4) if side not in turns(match, tile))
    with pytest.raises(RuleError, match="cannot be turned so: it does not fit"):
        rotate(match, tile, side)
    tile, other = next(
        (one, two)
        for one in board.lying()
        for two in board.lying()
        if one != two and not swaps(match, one) >> two & 1
    )
    with pytest.raises(RuleError, match="cannot change places with the one at"):
        swap(match, tile, other)


def test_the_position_of_a_match_with_changed_tiles_is_a_scenario() -> None:
    game = "c2/farmers+house/earthquake"
    match = next(m for seed in range(40) if (m := quaked(seed, 120, game)).board.gone)
    found = position_of(match)
    assert found.board
    assert found.turn == match.turn


@needs_core
@pytest.mark.parametrize("game", slow_unless(lambda game: game == GAMES[1], GAMES[:3]))
def test_a_greedy_bot_values_options_that_change_tiles_the_same_on_both_engines(game: str) -> None:
    match, rng = start_match(program_of(game), 2, 7), random.Random(7)
    search, number = GreedySearch(1), 0
    while match.to_move >= 0 and number < 120:
        label = match.program.sites[match.decision_site].label
        if number % 7 == 0 or label in ("lift", "swap", "turn"):
            values = search.values(loaded(match.program), match)
            assert values == option_values(match, 1)
        match.choose_number(rng.randrange(match.count))
        number += 1
    assert match.board.gone
