"""Edges that fit anything, and pieces for enclosed cells, against the recount and on both engines.

`trial/stoppers` of `tests/data/edges` has tiles for holes in the land; `trial/walls` has tiles with
sides like these, which lie anywhere.
"""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.marks import slow_unless
from support.paths import DATA
from support.recount import SIDES, beside
from support.recount_match import Recount
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.reading.library import Library
from tilewright.runtime.board import cell_of
from tilewright.runtime.match import Match
from tilewright.runtime.new_match import start_match
from tilewright.runtime.notation import cell_text, option_text
from tilewright.runtime.program import Program
from tilewright.source.diagnostics import Reporter
from tilewright.tools.explanation.legality import why_not
from tilewright.tools.persistence.saves import load_match, save_text
from tilewright.tools.workspace.loading import load_program

STOPPERS, WALLS = "trial/stoppers", "trial/walls"
GAMES = (STOPPERS, WALLS, f"{STOPPERS}+{WALLS}", f"c2/farmers+{STOPPERS}+{WALLS}")
LOOKED_AT = 12  # placements among which a player takes the one with most tiles beside it


@cache
def program_of(game: str) -> Program:
    library = Library()
    library.add(DATA / "edges")
    program, reporter = load_program(game, library=library)
    assert program is not None, reporter.diagnostics
    return program


def snug(match: Match, recount: Recount, rng: random.Random) -> int:
    """A choice by lot; of placements a snug one, so that there are many holes to fill."""
    if match.options_now is not None:
        return rng.randrange(match.count)
    numbers = [rng.randrange(match.count) for _ in range(LOOKED_AT)]

    def neighbours(number: int) -> int:
        x, y = map(int, cell_text(match.board.locate(match.piece, number)[0]).split(","))
        return sum(beside((x, y), side) in recount.table.tiles for side in SIDES)

    return max(numbers, key=neighbours)


def followed(game: str, players: int, seed: int, every: int) -> tuple[Match, Recount]:
    program = program_of(game)
    recount = Recount(tuple(r.id for r in program.game.rulesets), players)
    match, rng = start_match(program, players, seed, listeners=(recount,)), random.Random(seed)
    number = 0
    while match.to_move >= 0:
        number += 1
        if number % every == 0:
            recount.compare_board(match)
            recount.compare_placements(match)
        match.choose_number(snug(match, recount, rng))
    recount.compare_board(match)
    assert recount.is_over
    return match, recount


@pytest.mark.parametrize("game", slow_unless(lambda game: game in GAMES[2:3], GAMES))
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


def test_a_rebuilt_board_is_the_same() -> None:
    match, _ = followed(GAMES[-1], 3, 2, 1000)
    reporter = Reporter()
    program = match.program
    twin = load_match(save_text(match), lambda *_: (program, Reporter()), reporter)
    assert twin is not None, reporter.diagnostics
    assert twin.digest() == match.digest()
    assert twin.board.open_ends == match.board.open_ends


@needs_core
@pytest.mark.parametrize("game", GAMES)
def test_both_engines_are_equal_after_every_choice(game: str) -> None:
    for seed in range(3):
        match, other = begun(program_of(game), 2 + seed, seed)
        assert match is not None
        named = Named(game, 2 + seed, seed)
        play_both(match, other, named, rng=random.Random(seed), options=seed == 0)


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
    assert any("needs a tile on each of its four sides" in text for text in said), said
    assert cell_of(0, 0) in match.board.tile_at


def test_common_demands_stay_one_byte() -> None:
    """Edges of enclosed pieces alone are never demanded, so counting stays as fast."""
    shapes = program_of(STOPPERS).shapes
    assert shapes.edge_names[-1] == "any" and shapes.narrow
    number = shapes.piece_ids.index("stopper")
    assert len(shapes.fitting[number]) == 3**4
    assert not program_of(WALLS).shapes.narrow
