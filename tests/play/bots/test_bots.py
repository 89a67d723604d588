"""Programs that play: what they are called, what they can see, that they choose the same again."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from support.paths import ROOT
from support.played import go_on, played, program_of
from tilewright.play.bots.base import ahead_if_over, greedy_bot, option_values, play_out
from tilewright.play.bots.mcts import mcts_bot
from tilewright.play.bots.named import bot_named, is_repeatable
from tilewright.play.faults import RuleError
from tilewright.play.final_score import score_ending
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.visibility import exchangeable, imagined

HANDS = "c2/base+house/hand-of-three"
SHIPPED = sorted(
    f"{path.parent.parent.name}/{path.parent.name}"
    for path in (ROOT / "rulesets").glob("*/*/module.yaml")
    if path.parent.parent.name != "shared"  # no games
)


@pytest.mark.parametrize("name", ["random", "greedy", "mcts:20", " mcts:5 ", "mcts:1ms"])
def test_a_name_means_a_bot(name: str) -> None:
    match = played("c2/base", 20, seed="named")
    assert 0 <= bot_named(name, 1)(match) < match.count


@pytest.mark.parametrize(
    "name", ["", "human", "mcts:", "mcts:0", "mcts:-1", "mcts:1h", "random:3", "greedy:2", "Mcts"]
)
def test_what_no_bot_is_called_is_refused_with_the_names(name: str) -> None:
    with pytest.raises(ValueError, match="a bot is `random`, `greedy`, `mcts`"):
        bot_named(name)


def test_only_a_budget_in_time_makes_a_bot_that_does_not_play_the_same_again() -> None:
    names = ["random", "greedy", "mcts", "mcts:10", "mcts:10ms", "mcts:2s"]
    assert [name for name in names if not is_repeatable(name)] == ["mcts:10ms", "mcts:2s"]


@pytest.mark.parametrize("name", ["random", "greedy", "mcts:30"])
def test_a_bot_plays_the_same_again_from_the_same_seed(name: str) -> None:
    def log() -> list[int]:
        match = played("c2/farmers", 110, seed="again")
        return play_out(match, [bot_named(name, "s"), bot_named(name, "t")]).log

    assert log() == log()


def test_random_takes_every_option_about_as_often() -> None:
    match = start_match(program_of("c2/base"), 2, 7)
    bot = bot_named("random", 1)
    taken = [0] * match.count
    for _ in range(400 * match.count):
        taken[bot(match)] += 1
    assert all(300 < times < 500 for times in taken)


def test_thinking_leaves_the_match_as_it_was() -> None:
    match = played("c2/farmers+c2/princess-and-dragon", 60, seed="same")
    before = match.digest()
    mcts_bot(40, seed=1)(match)
    assert match.digest() == before


def test_tree_search_can_not_see_the_next_draw() -> None:
    match = played("c2/base", 30, seed="blind")
    other = match.fork()
    other.streams = [state ^ 0x123456789 for state in other.streams]
    assert mcts_bot(60, seed=3)(match) == mcts_bot(60, seed=3)(other)


def test_tree_search_can_not_see_what_others_hold_hidden() -> None:
    match = played(HANDS, 9, seed="held")
    game = match.program.game
    first = match.program.owned_stacks["tiles_in_hand"]
    theirs = next(
        first + p for p in match.players if p != match.to_move and match.stacks[first + p]
    )
    mine = first + match.to_move
    down = next(n for n, s in enumerate(game.stacks) if s.holds == "tiles")
    rng, hidden = random.Random(1), exchangeable(match)
    worlds = [imagined(match, rng, hidden).stacks for _ in range(20)]
    assert len({str(sorted(stacks[theirs])) for stacks in worlds}) > 5
    assert {str(stacks[mine]) for stacks in worlds} == {str(match.stacks[mine])}
    together = sorted(match.stacks[theirs] + match.stacks[down])
    for stacks in worlds:
        assert [len(stack) for stack in stacks] == [len(stack) for stack in match.stacks]
        assert sorted(stacks[theirs] + stacks[down]) == together


@pytest.mark.parametrize("game", [HANDS, "c2/base+house/a-goal-for-each-player"])
def test_a_greedy_bot_can_not_see_what_others_hold_hidden(game: str) -> None:
    match = start_match(program_of(game), 3, "held")
    rng, hands = random.Random(2), set()
    while match.to_move >= 0:
        values = option_values(match)
        for _ in range(3):
            other = imagined(match, rng, exchangeable(match))
            hands.add(str(other.stacks))
            other.streams = match.streams[:]
            assert option_values(other) == values
        go_on(match, 17, "held")
    assert len(hands) > 10


@pytest.mark.parametrize("name", ["greedy", "mcts:8"])
@pytest.mark.parametrize(
    "game",
    [
        HANDS,
        "c2/farmers+c2/princess-and-dragon+c2/traders-and-builders",
        "c3.1/dragon-and-fairy+c3/farmers",
        "c2/base+house/opponent-dealer",
    ],
)
def test_every_game_can_be_played_by_every_bot(game: str, name: str) -> None:
    match = start_match(program_of(game), 3, "any")
    go_on(match, 60, "any")
    bot = bot_named(name, 1)
    for _ in range(25):
        match.choose_number(bot(match))
    while match.to_move >= 0 and match.turn < 1000:
        match.choose_number(match.count - 1)
    assert match.is_over


@pytest.mark.parametrize("game", SHIPPED[::12])
def test_rulesets_are_played_by_every_bot(game: str) -> None:
    program = program_of(game)
    match = start_match(program, max(2, program.game.players_least), "any")
    go_on(match, 12, "any")
    for name, choices in (("greedy", 6), ("mcts:10", 2), ("random", 10)):
        bot = bot_named(name, 1)
        for _ in range(choices):
            match.choose_number(bot(match))


def ended(match: Match) -> list[int]:
    """The points when the match is played on from here to the end of the game that comes now."""
    match.to_move = -1
    match.end_game()
    with suppress(RuleError):
        match.run()
    return match.points


@pytest.mark.parametrize(
    ("game", "apart", "others"),
    [
        ("c2/farmers+c2/inns-and-cathedrals+c2/abbot", 1, 0),
        ("c2/farmers+c2/traders-and-builders+house/goods-pay-second-most", 1, 2),
        ("c3.1/dragon-and-fairy+c3/farmers", 1, 1),
        ("c2/farmers+c2/princess-and-dragon", 1, 0),
        ("c2/farmers+c2/princess-and-dragon+house/fairy-on-the-tile", 0, 1),
        ("c2/base+variants/each-city-pays-most-farmers+house/minus-for-figures-left", 1, 2),
        ("c2/farmers+house/ties-share-points", 1, 0),
    ],
)
def test_what_a_game_would_come_to_is_what_it_comes_to(game: str, apart: int, others: int) -> None:
    parts = program_of(game).ending
    assert [part.whole is None for part in parts].count(True) == apart
    assert [part.whole is None for part in parts].count(False) == others
    match = start_match(program_of(game), 3, "ends")
    while match.to_move >= 0:
        go_on(match, 17, "ends")
        short, whole = match.fork(), match.fork()
        assert match.is_over or score_ending(short)
        assert short.points == (match.points if match.is_over else ended(whole))


def test_an_option_is_worth_what_it_leaves_the_player_ahead_by() -> None:
    match = played("c2/farmers", 70, seed="worth")
    values = option_values(match, 1)
    for k, value in enumerate(values):
        after = match.fork()
        after.choose_number(k)
        assert value == ahead_if_over(after)[match.to_move]
    assert greedy_bot(1)(match) == values.index(max(values))


def test_ahead_is_against_the_best_of_the_others() -> None:
    match = start_match(program_of("c2/base"), 3, 1)
    play_out(match, [bot_named("random", n) for n in range(3)])
    match.points[:] = [10, 30, 25]
    assert ahead_if_over(match) == [-20, 5, -5]
    match.points[:] = [30, 30, 25]
    assert ahead_if_over(match) == [0, 0, -5]


def test_tree_search_takes_the_points_that_lie_there_at_the_end() -> None:
    for seed in range(3):
        match = played("c2/farmers", 10_000, seed=seed)
        turns = match.turn
        match = start_match(program_of("c2/farmers"), 2, seed)
        rng = random.Random(f"{seed}/0")
        while match.turn < turns - 1:
            match.choose_number(int(rng.random() * match.count))
        values = option_values(match)
        chosen = values[mcts_bot(200, seed=1)(match)]
        assert chosen >= sorted(values)[len(values) * 3 // 4]
