"""Bots choose the same in the native core as in Python."""

from __future__ import annotations

import random

import pytest

from support.played import go_on, program_of
from tilewright.play.bots.base import Bot, greedy_bot, option_values, play_out
from tilewright.play.bots.mcts import mcts_bot
from tilewright.play.compiling.native import native_game
from tilewright.play.match import Match
from tilewright.play.native.bots import GreedySearch, Twin
from tilewright.play.native.engine import VARIABLE, engine
from tilewright.play.native.games import NativeGame, lots
from tilewright.play.new_match import start_match

pytestmark = pytest.mark.skipif(engine().name == "python", reason="the native core is not in use")

FARMERS = "c2/farmers"
GAMES = [
    FARMERS,
    "c2/base+house/hand-of-three",
    "c2/base+house/a-goal-for-each-player",
    "c2/farmers+c2/inns-and-cathedrals+c2/traders-and-builders",
    "c2/farmers+c2/princess-and-dragon",
    "c3.1/dragon-and-fairy+c3/farmers",
]


def native(text: str) -> NativeGame:
    """The native game of a text."""
    found = native_game(program_of(text))
    assert isinstance(found, NativeGame)
    return found


def in_python(bot: Bot, match: Match, monkeypatch: pytest.MonkeyPatch) -> int:
    """The choice of a bot without the core."""
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "python")
        return bot(match)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 3])
def test_options_have_the_same_values(game: str, players: int) -> None:
    match = start_match(program_of(game), players, f"values {players}")
    search = GreedySearch(3)
    while match.to_move >= 0:
        go_on(match, 41, "values")
        if match.to_move >= 0:
            assert search.values(native(game), match) == option_values(match)


@pytest.mark.parametrize("game", GAMES)
def test_rollouts_lead_to_the_same_choice(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = start_match(program_of(game), 3, "tree")
    for _ in range(3):
        go_on(match, 23, "tree")
        bot = mcts_bot(60, seed="tree")
        assert bot(match) == in_python(bot, match, monkeypatch)


def test_a_game_between_greedy_bots_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def log() -> list[int]:
        match = start_match(program_of("c2/base"), 2, "greedy")
        go_on(match, 60, "greedy")
        return play_out(match, [greedy_bot(), greedy_bot()]).log

    here = log()
    monkeypatch.setenv(VARIABLE, "python")
    assert log() == here


def test_a_twin_follows_choices_other_draws_and_other_matches() -> None:
    game, twin = native(FARMERS), Twin()
    match = start_match(program_of(FARMERS), 2, "twin")
    first = twin.of(game, match)
    go_on(match, 30, "twin")
    assert twin.of(game, match) is first
    assert first.facts() == match.facts().tobytes()
    match.forced_draws = [~0] * 3
    go_on(match, 12, "twin")
    assert twin.of(game, match) is not first
    other = match.fork()
    assert twin.of(game, other).points == other.points
    go_on(other, 5, "twin")
    assert twin.of(game, match).count == match.count


def test_prescribed_draws_are_not_seen() -> None:
    match = start_match(program_of(FARMERS), 2, "blind")
    go_on(match, 20, "blind")
    other = match.fork()
    other.forced_draws = [~0]
    game = native(FARMERS)
    assert GreedySearch(3).values(game, other) == GreedySearch(3).values(game, match)
    with pytest.raises(ValueError, match="prescribed draws"):
        game.entered(other)


def test_random_numbers_are_those_of_python() -> None:
    match = start_match(program_of(FARMERS), 2, "lots")
    core = native(FARMERS).entered(match)
    rng = random.Random("seats")
    while match.to_move >= 0:
        match.choose_number(int(rng.random() * match.count))
    assert core.play_random(lots(["seats"])) is not None
    assert core.facts() == match.facts().tobytes()
