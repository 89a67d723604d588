"""Properties of every match under any rules, tested by random play of several games."""

from __future__ import annotations

import gc
import random
import weakref
from collections import Counter
from typing import Any

import pytest

from support.make_once import compiled_anew
from support.played import MIXES, go_on, played, program_of, reloaded
from tilewright.play.board.rebuild import derived, laid_pieces, rebuilt
from tilewright.play.bots.base import greedy_bot, play_out, random_bot
from tilewright.play.encoding import BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.replay import fresh, moments, replayed_again, undone
from tilewright.tools.explanation.score_log import Ledger
from tilewright.tools.simulation.game import play_game
from tilewright.tools.workspace.loading import load_game

MOMENTS = 40  # choices between two looks


def looks(game: str, players: int, seed: str) -> list[Match]:
    """A match at several of its decisions and at its end, each a fork of its own."""
    match = played(game, 0, players=players, seed=seed)
    found = [match.fork()]
    while match.to_move >= 0:
        go_on(match, MOMENTS, seed)
        found.append(match.fork())
    return found


games = pytest.mark.parametrize(
    ("game", "players"), [(game, 2 + number) for number, game in enumerate(MIXES[:4])]
)


@games
def test_no_tile_is_lost_or_made(game: str, players: int) -> None:
    kinds = program_of(game).game.pieces
    for match in looks(game, players, "tiles"):
        found = Counter(piece for piece, _, _ in laid_pieces(match.board))
        for stack in match.stacks:
            found.update(stack)
        missing = [kind.count - found[number] for number, kind in enumerate(kinds)]
        assert min(missing) >= 0
        # one may be in somebody's hand
        assert sum(missing) <= (match.to_move >= 0)


@games
def test_every_figure_is_in_one_place(game: str, players: int) -> None:
    for match in looks(game, players, "figures"):
        board = match.board
        assert match.in_supply == sum(
            1 << f for f, spot in enumerate(match.spot) if spot == IN_SUPPLY
        )
        assert match.on_board == sum(1 << f for f, spot in enumerate(match.spot) if spot >= 0)
        off = {
            *range(IN_FRONT_OF - players + 1, 0),
            *(BESIDE_STACK - s for s in range(len(match.stacks))),
        }
        assert all(spot >= 0 or spot in off for spot in match.spot)
        on_features = [f for root in board.feature_roots() for f in bits(board.figures[root])]
        standing = [f for f, spot in enumerate(match.spot) if spot >= 0 and spot & 31]
        assert sorted(on_features) == standing
        for figure in standing:
            segment = match.spot[figure] - 1
            root = board.find(board.tile_features[segment >> 5][segment & 31])
            assert board.figures[root] >> figure & 1
        for figure, other in enumerate(match.attached_to):
            if other is not None:
                assert match.spot[figure] >> 5 == match.spot[other] >> 5


@games
def test_no_token_is_lost_or_made(game: str, players: int) -> None:
    counts = [token.count for token in program_of(game).game.tokens]
    for match in looks(game, players, "tokens"):
        rows = [match.tokens[i : i + players + 1] for i in range(0, len(match.tokens), players + 1)]
        assert [sum(row) for row in rows] == counts
        assert min(match.tokens, default=0) >= 0


@games
def test_running_totals_are_what_a_new_board_reckons(game: str, players: int) -> None:
    for match in looks(game, players, "board"):
        spots = enumerate(match.spot)
        figures = [(f, s >> 5, (s & 31) - 1) for f, s in spots if s >= 0 and s & 31]
        anew = rebuilt(match.board.shapes, laid_pieces(match.board), figures)
        assert derived(anew) == derived(match.board)


@games
def test_a_feature_is_complete_or_open(game: str, players: int) -> None:
    for match in looks(game, players, "open"):
        board = match.board
        ends: Counter[int] = Counter()
        for tile, shape in enumerate(board.tile_shape):
            for index, segment in enumerate(board.shapes.segments[shape]):
                root = board.find(board.tile_features[tile][index])
                beside = (board.tile_cell[tile] + (1024, 1, -1024, -1)[s] for s, _ in segment.joins)
                ends[root] += sum(cell not in board.tile_at for cell in beside)
        for root in board.feature_roots():
            closes = board.shapes.closes[board.kind[root]]
            assert board.open_ends[root] >= ends[root] >= 0
            assert board.is_complete(root) == (closes and board.open_ends[root] == 0)


@games
def test_points_are_the_sum_of_the_items_of_the_awards(game: str, players: int) -> None:
    ledger = Ledger()
    match = played(game, players=players, seed="points", listeners=(ledger,))
    for player in match.players:
        items = [i for a in ledger.awards if a.player == player for i in a.items]
        assert sum(item.points for item in items) == match.points[player]


@games
def test_a_replay_is_the_play(game: str, players: int) -> None:
    for match in looks(game, players, "again"):
        assert replayed_again(match).digest() == match.digest()


@games
def test_a_listener_changes_nothing(game: str, players: int) -> None:
    heard: list[str] = []
    match = played(game, players=players, seed="ear", listeners=(lambda _, e, f: heard.append(e),))
    assert match.digest() == played(game, players=players, seed="ear").digest()
    assert heard.count("choice") == sum(entry >= 0 for entry in match.log)
    assert heard.count("draw") == sum(entry < 0 for entry in match.log)


@games
def test_what_a_listener_computes_costs_the_rules_no_steps(game: str, players: int) -> None:
    def compute(match: Match, event: str, facts: tuple[Any, ...]) -> None:
        match.spent += 1000

    match = played(game, 0, players=players, seed="ear", listeners=(compute,))
    other = played(game, 0, players=players, seed="ear")
    while match.to_move >= 0:
        assert match.spent == other.spent
        for each in (match, other):
            go_on(each, 1, "ear")


@games
def test_a_fork_goes_its_own_way(game: str, players: int) -> None:
    match = played(game, 50, players=players, seed="fork")
    before = match.digest()
    other = match.fork()
    go_on(other, 1000, "elsewhere")
    assert match.digest() == before
    twin = match.fork()
    go_on(match, 1000, "fork")
    go_on(twin, 1000, "fork")
    assert twin.digest() == match.digest()


@games
def test_undo_and_the_same_choice_is_where_we_were(game: str, players: int) -> None:
    match = played(game, 45, players=players, seed="undo")
    before = undone(match)
    assert before is not None
    before.choose_number(match.log[len(before.log)])
    assert before.digest() == match.digest()


@games
def test_a_save_resumes_anywhere(game: str, players: int) -> None:
    for match in looks(game, players, "save"):
        twin = reloaded(match)
        go_on(match, 30, "on")
        go_on(twin, 30, "on")
        assert twin.digest() == match.digest()


def test_a_game_for_six_is_played_to_its_end() -> None:
    program = program_of("c2/base?sixth_player=yes")
    match = start_match(program, 6, "six", first=5)
    go_on(match, 10_000, "six")
    assert match.is_over
    assert next(m.player for m in moments(fresh(match), match.log)) == 5


# ------------------------------------------------------------------ bots


def test_a_greedy_bot_beats_chance() -> None:
    program = program_of("c2/base")
    match = start_match(program, 2, "greed")
    play_out(match, [greedy_bot(), random_bot(random.Random(1))])
    assert match.points[0] > match.points[1] + 20


def test_a_greedy_bot_always_chooses_the_same() -> None:
    match = played("c2/princess-and-dragon", 30, seed="bot")
    before = match.digest()
    choices = {greedy_bot()(match) for _ in range(3)}
    assert len(choices) == 1
    assert match.digest() == before


def test_a_greedy_bot_can_not_see_the_next_draw() -> None:
    match = played("c2/base", 30, seed="blind")
    other = match.fork()
    other.streams = [state ^ 0x123456789 for state in other.streams]
    assert greedy_bot()(match) == greedy_bot()(other)


def test_a_program_that_nobody_plays_any_more_is_let_go() -> None:
    game, _ = load_game("c2/base")
    assert game is not None
    program = compiled_anew(game, measures=True)
    assert not play_game(program, 2, ("random", "random"), "1", 0).fault
    still_there = weakref.ref(program)
    del program
    gc.collect()
    assert still_there() is None
