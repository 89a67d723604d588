"""Features that become another kind, against the recount, a board laid again and both engines.

`trial/ruins` of `tests/data/recasts` makes closed roads keeps, closed cities ruins, and these
something else again; `trial/haunted` gives points for them.
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
from tilewright.play.board.joining import feature_at
from tilewright.play.board.rebuild import derived, laid_pieces, rebuilt
from tilewright.play.faults import RuleError
from tilewright.play.library.board_changes import become, link
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.tools.interactions.trial import deep_fault

RUINS, HAUNTED = "trial/ruins", "trial/haunted"
GAMES = (RUINS, f"c2/farmers+{RUINS}", f"c2/farmers+c2/inns-and-cathedrals+{RUINS}")

program_of = partial(data_program, "recasts")


def followed(game: str, players: int, seed: int, every: int) -> tuple[Match, Recount]:
    match, recount = recounted(program_of(game), players, seed)
    rng = random.Random(seed)
    for number in decisions(match, recount):
        if number % every == 0:
            recount.compare_board(match)
            board = match.board
            again = rebuilt(board.shapes, laid_pieces(board), (), board.links, board.recasts)
            mine, theirs = derived(board), derived(again)
            for name in mine:
                if name != "features":
                    assert mine[name] == theirs[name], name
            assert [row[0] for row in mine["features"].values()] == [
                row[0] for row in theirs["features"].values()
            ]
        match.choose_number(rng.randrange(match.count))
    return match, recount


@pytest.mark.parametrize("game", slow_unless(lambda game: game == GAMES[2], GAMES))
def test_a_recount_agrees_in_play_and_at_the_end(game: str) -> None:
    @examples(5)
    @given(st.integers(0, 10**9), st.integers(2, 5), st.integers(7, 20))
    def all_agrees(seed: int, players: int, every: int) -> None:
        recast.append(bool(followed(game, players, seed, every)[0].board.recasts))

    recast: list[bool] = []
    all_agrees()
    assert any(recast)


def played(game: str, seed: int, choices: int = 10_000) -> Match:
    match, rng = start_match(program_of(game), 3, seed), random.Random(seed)
    while match.to_move >= 0 and choices > 0:
        match.choose_number(rng.randrange(match.count))
        choices -= 1
    return match


def closed_roads(match: Match) -> list[int]:
    board, kinds = match.board, match.board.shapes.kind_ids
    roads = [x for x in board.feature_roots() if kinds[board.kind[x]] == "road"]
    return [x for x in roads if not board.open_ends[x]]


def test_a_match_with_recasts_is_what_its_facts_and_its_log_make_of_it() -> None:
    match, rng = start_match(program_of(HAUNTED), 3, 5), random.Random(5)
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
    assert match.board.recasts


def test_a_fork_has_its_own_recasts() -> None:
    match = played(RUINS, 3, 200)
    before, digest = match.board.recasts, match.digest()
    fork = match.fork()
    while fork.to_move >= 0 and fork.board.recasts == before:
        fork.choose_number(fork.count - 1 if fork.count > 1 else 0)
    assert match.board.recasts == before
    assert match.digest() == digest


def test_a_feature_of_another_kind_is_another_position() -> None:
    match = played(RUINS, 3)
    twin = match.fork()
    kinds = match.board.shapes.kind_ids
    closed = closed_roads(match)[0]
    become(twin, closed, kinds.index("ruin"))
    assert twin.digest() != match.digest()
    become(twin, closed, kinds.index("road"))
    assert twin.digest() == match.digest()
    assert derived(twin.board) == derived(match.board)


@pytest.mark.parametrize(
    ("kind", "closed", "into", "message"),
    [
        ("city", False, "ruin", "a `city` with open ends cannot become a `ruin`"),
        ("city", True, "monastery", "a `city` cannot become a `monastery`"),
        ("monastery", False, "ruin", "a `monastery` cannot become a `ruin`"),
    ],
)
def test_features_that_tiles_may_still_meet_keep_their_kind(kind, closed, into, message) -> None:
    match = played(RUINS, 3, 120)
    board, kinds = match.board, match.board.shapes.kind_ids
    feature = next(
        x
        for x in board.feature_roots()
        if kinds[board.kind[x]] == kind and (board.open_ends[x] == 0) == closed
    )
    with pytest.raises(RuleError) as found:
        become(match, feature, kinds.index(into))
    assert found.value.message == message


def test_what_was_recast_cannot_be_joined_nor_the_other_way_round() -> None:
    match, closed = next(
        (match, closed)
        for match in (played(RUINS, seed) for seed in range(40))
        if len(closed := closed_roads(match)) > 2
    )
    board, kinds = match.board, match.board.shapes.kind_ids
    one, other, third = closed[:3]
    segments = {
        x: next(s for s in board.all_segments() if feature_at(board, s) == x)
        for x in (one, other, third)
    }
    become(match, one, kinds.index("ruin"))
    become(match, other, kinds.index("ruin"))
    with pytest.raises(RuleError, match="a `ruin` that was recast cannot be joined"):
        link(match, segments[one], segments[other], 1)
    become(match, one, kinds.index("road"))
    link(match, segments[one], segments[third], 1)
    with pytest.raises(RuleError, match="with joined segments"):
        become(match, one, kinds.index("ruin"))


@needs_core
@pytest.mark.parametrize("game", (*GAMES, HAUNTED, f"c2/farmers+c2/messengers+{HAUNTED}"))
def test_both_engines_are_equal_after_every_choice(game: str) -> None:
    for seed in range(3):
        match, other = begun(program_of(game), 2 + seed, seed)
        assert match is not None
        named = Named(game, 2 + seed, seed)
        play_both(match, other, named, rng=random.Random(seed), options=seed == 0)
