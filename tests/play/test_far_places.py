"""Tiles in cells that rules name, far from all others, against the recount and both engines."""

from __future__ import annotations

import random

import pytest

from support.played import program_of, reloaded
from support.recount_match import decisions, recounted
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.play.board.board import cell_of
from tilewright.play.board.rebuild import derived, laid_pieces, rebuilt
from tilewright.play.encoding import HALF
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.new_match import start_match

GAME = "house/two-landscapes"
MIX = "c2/farmers+c2/inns-and-cathedrals+house/two-landscapes"


def near(match: Match, number: int) -> int:
    """A choice that lays tiles between the two starts, where there is one."""
    if match.step != "lay_tile":
        return number % match.count
    places = [place for place in match.values() if isinstance(place, tuple)]
    middle = [n for n, (cell, _) in enumerate(places) if 0 < cell - cell_of(0, 0) < 7]
    return middle[number % len(middle)] if middle else number % match.count


@pytest.mark.parametrize("game", [GAME, MIX])
def test_a_recount_agrees_until_the_landscapes_have_met(game: str) -> None:
    match, recount = recounted(program_of(game), 2, 5)
    rng, number = random.Random(5), 0
    for number in decisions(match, recount):
        if number % 9 == 0:
            recount.compare_board(match)
            anew = rebuilt(match.board.shapes, laid_pieces(match.board), (), match.board.links)
            mine, theirs = derived(match.board), derived(anew)
            for name in mine.keys() - {"features"}:  # the recount has them with their figures
                assert mine[name] == theirs[name], name
        match.choose_number(near(match, rng.randrange(10**6)))
    assert number > 50
    row = [cell_of(x, 0) in match.board.tile_at for x in range(8)]
    assert sum(row) > 4


@needs_core
@pytest.mark.parametrize("game", [GAME, MIX])
def test_both_engines_play_the_same(game: str) -> None:
    for seed in range(3):
        match, other = begun(program_of(game), 3, seed)
        assert match is not None
        play_both(match, other, Named(game, 3, seed), rng=random.Random(seed), options=True)


def test_a_match_is_saved_and_read() -> None:
    match = start_match(program_of(GAME), 2, 1)
    for _ in range(20):
        match.choose_number(match.count - 1)
    assert reloaded(match).digest() == match.digest()


def test_no_tile_lies_at_the_edge_of_the_table() -> None:
    match = start_match(program_of("c2/base"), 2, 1)
    piece = match.program.piece_number["monastery_field"]
    for x, y in ((HALF - 1, 0), (-HALF, 3), (0, HALF - 1), (7, -HALF)):
        assert not match.board.can_lie(piece, 0, cell_of(x, y))
        with pytest.raises(RuleError, match="it does not fit"):
            match.fork().lay(match.loose[0] if match.loose else piece, (cell_of(x, y), 0))
    assert match.board.can_lie(piece, 0, cell_of(HALF - 2, 1 - HALF))
