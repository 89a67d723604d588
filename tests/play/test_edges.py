"""Edges that fit anything, pieces for enclosed cells, and sides that two segments share.

They are compared with the recount, and on both engines.

`trial/stoppers` of `tests/data/edges` has tiles for holes in the land; `trial/walls` has tiles with
sides like these, which lie anywhere; `trial/halves` has tiles with sides of two cities;
`trial/seams` has tiles with sides of two kinds.
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
from support.recount_match import Recount, decisions, recounted, snug_choice
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.play.board.board import cell_of
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import cell_text, option_text
from tilewright.tools.explanation.legality import why_not
from tilewright.view.places import part_label

STOPPERS, WALLS, HALVES = "trial/stoppers", "trial/walls", "trial/halves"
SEAMS = "trial/seams"
GAMES = (
    STOPPERS,
    WALLS,
    HALVES,
    f"{STOPPERS}+{WALLS}",
    f"c2/farmers+{STOPPERS}+{WALLS}",
    f"c2/farmers+c2/inns-and-cathedrals+{HALVES}+{STOPPERS}+{WALLS}",
    SEAMS,
    f"c2/farmers+{SEAMS}+{HALVES}+{STOPPERS}",
)
LOOKED_AT = 12  # placements that are looked at for a snug one, so that there are many holes

program_of = partial(data_program, "edges")


def followed(game: str, players: int, seed: int, every: int) -> tuple[Match, Recount]:
    match, recount = recounted(program_of(game), players, seed)
    rng = random.Random(seed)
    for number in decisions(match, recount):
        if number % every == 0:
            recount.compare_board(match)
            recount.compare_placements(match)
        match.choose_number(snug_choice(match, recount.table, rng, LOOKED_AT))
    return match, recount


@pytest.mark.parametrize("game", slow_unless(lambda game: game in (*GAMES[2:4], GAMES[6]), GAMES))
def test_a_recount_agrees_in_play_and_at_the_end(game: str) -> None:
    @examples(5)
    @given(st.integers(0, 10**9), st.integers(2, 5), st.integers(7, 20))
    def all_agrees(seed: int, players: int, every: int) -> None:
        assert followed(game, players, seed, every)[1].features_paid

    all_agrees()


def test_features_are_completed_from_outside() -> None:
    ended = 0
    for seed in range(4):
        match, recount = followed(f"{STOPPERS}+{WALLS}", 2, seed, 1000)
        laid = [match.program.game.pieces[number].id for number in match.board.tile_piece]
        stoppers = {
            tuple(map(int, cell_text(cell).split(",")))
            for cell, id_ in zip(match.board.tile_cell, laid, strict=True)
            if id_ == "stopper"
        }
        ended += sum(
            recount.table.ends_at(feature, stoppers)  # type: ignore[arg-type]
            for feature in recount.table.features()
            if feature.is_complete
        )
    assert ended > 5


@pytest.mark.parametrize("game", GAMES[5:])
def test_a_rebuilt_board_is_the_same(game: str) -> None:
    match, _ = followed(game, 3, 2, 1000)
    twin = reloaded(match)
    assert twin.digest() == match.digest()
    assert twin.board.open_ends == match.board.open_ends


def test_halves_of_a_side_have_names_of_their_own() -> None:
    game = program_of(HALVES).game
    tiles = {piece.id: piece.faces[0][0] for piece in game.pieces}
    called = [part_label(game, tiles["twin_gates"], name, "en") for name in ("c1", "c2", "f1")]
    assert called == [
        "city, west, north-west",
        "city, north-east, east",
        "field, south-east, south-west",
    ]
    assert part_label(game, tiles["twin_gates"], "c1", "en", turn=1) == "city, north, north-east"
    spoken = [part_label(game, tiles["long_wall"], name, "en") for name in ("c1", "c2")]
    assert spoken == ["city, south-west, north-west", "city, north-east, south-east"]
    assert part_label(game, tiles["city1"], "c1", "en", turn=1) == "city, east"


@needs_core
@pytest.mark.parametrize("game", GAMES)
def test_both_engines_are_equal_after_every_choice(game: str) -> None:
    for seed in range(3):
        match, other = begun(program_of(game), 2 + seed, seed)
        assert match is not None
        named = Named(game, 2 + seed, seed)
        play_both(match, other, named, rng=random.Random(seed), options=seed == 0)


def test_a_side_of_two_kinds_fits_the_other_way_round_only() -> None:
    shapes = program_of(SEAMS).shapes
    number = {name: i for i, name in enumerate(shapes.edge_names)}
    assert shapes.fits[number["moor/field"]] == (number["field/moor"],)
    assert shapes.fits[number["moor"]] == (number["moor"],)
    assert shapes.facing[number["keep/field"]] == number["field/keep"]


def test_a_cell_with_an_empty_side_is_refused_with_the_reason() -> None:
    match = start_match(program_of(STOPPERS), 2, 1)
    rng = random.Random(1)
    while match.to_move >= 0:
        if match.options_now is None and match.program.game.pieces[match.piece].id == "stopper":
            break
        offered = [option_text(match, value) for value in match.values()]
        wanted = [n for n, text in enumerate(offered) if "stopper" in text]
        match.choose_number(wanted[0] if wanted else int(rng.random() * match.count))
    free = next(
        cell
        for cell, demand in zip(match.board.cells, match.board.demand, strict=True)
        if not all(match.board.shapes.digits(demand))
    )
    said = [each.sentence for each in why_not(match, f"lay {cell_text(free)} N")]
    assert any("needs another on each of its four sides" in text for text in said), said
    assert cell_of(0, 0) in match.board.tile_at


def test_common_demands_stay_one_byte() -> None:
    """Edges of enclosed pieces alone are never demanded, so counting stays as fast."""
    shapes = program_of(STOPPERS).shapes
    assert shapes.edge_names[-1] == "any" and shapes.narrow
    number = shapes.piece_ids.index("stopper")
    assert len(shapes.fitting[number]) == 3**4
    assert not program_of(WALLS).shapes.narrow
