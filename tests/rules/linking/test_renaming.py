"""The names of rules, steps and files never change a game.

Every shipped ruleset is written a second time with random names (`renamed.py`), so that alphabetic
order changes. Both are played with the same seed and the same numbers of options; at every decision
the same player has as many options, and the states are equal. Ids are not part of the state, except
those of stacks, figures and memory, which do not change.
"""

from __future__ import annotations

import random

import pytest

from support.marks import is_sampled, slow_unless
from support.played import program_of
from support.renamed import Renamer, renamed
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_program

ALONE = Library().ids()
TOGETHER = (
    "c2/farmers+c2/abbot+c2/inns-and-cathedrals+c2/princess-and-dragon+c2/river"
    "+c2/traders-and-builders",
    "c3.1/dragon-and-fairy+c3.1/traders-and-builders+c3/abbot+c3/farmers+c3/river",
    "c2/abbot+c2/princess-and-dragon+house/call-a-figure-home",
    "c2/princess-and-dragon+house/figures-anywhere",
    "c2/princess-and-dragon+house/gold-under-the-gardens+house/mage-and-witch",
    "c2/traders-and-builders+house/first-to-fifty+house/two-tiles-a-turn",
    "c3.1/dragon-and-fairy+house/gold-under-the-gardens+house/pay-for-the-turn",
    "c3.1/dragon-and-fairy+house/dragon-moves-after-scoring+house/tile-drawn-early",
    "house/exchange-a-tile+house/redraw-dragon-tile+house/fairy-point-window",
    "house/city-siesta+house/pass-for-a-point+house/pay-for-the-turn",
    "house/fields-closed-score-at-once+house/turns-to-the-last+c2/traders-and-builders",
    "c2/traders-and-builders+c3.1/dragon-and-fairy+house/first-to-fifty",
    "variants/second-dragon-third-fairy+c2/traders-and-builders",
)
#: choices by lot in each match
MAX_CHOICES = 150


@pytest.fixture(scope="module")
def otherwise(tmp_path_factory: pytest.TempPathFactory) -> tuple[Library, Renamer]:
    return renamed(tmp_path_factory.mktemp("renamed"), 20)


def state(match: Match) -> tuple[object, ...]:
    """The comparable parts of a match, without the frames of compiled code."""
    board = match.board
    return (
        match.to_move,
        match.count,
        match.optional,
        match.points,
        match.spot,
        match.facing,
        match.attached_to,
        match.tokens,
        match.stacks,
        match.streams,
        match.memory,
        match.active,
        match.turn,
        match.phase,
        list(board.tile_cell),
        list(board.tile_shape),
    )


def steps_of(game: Game, names: dict[str, str]) -> list[set[str]]:
    return [{names.get(s.id, s.id) for s in game.phase(p)} for p in ("setup", "turn", "final")]


@pytest.mark.parametrize(
    "game", slow_unless(lambda game: is_sampled(game) and "+" not in game, [*ALONE, *TOGETHER])
)
def test_the_names_of_rules_steps_and_files_do_not_matter(
    game: str, otherwise: tuple[Library, Renamer]
) -> None:
    library, names = otherwise
    program, reporter = load_program(game, {}, library)
    assert program is not None, [str(found) for found in reporter.diagnostics]
    mine = program_of(game)
    assert steps_of(mine.game, names.steps) == steps_of(program.game, {})
    assert mine.game.rules()[0].rule.head.id != program.game.rules()[0].rule.head.id
    players = mine.game.players_least + len(game) % 3
    players = min(max(players, 2), mine.game.players_most)
    one, other = (start_match(p, players, game) for p in (mine, program))
    lot = random.Random(game)
    for _ in range(MAX_CHOICES):
        assert state(one) == state(other), (names.steps, one.log)
        if one.to_move < 0:
            break
        chosen = lot.randrange(one.count)
        one.choose_number(chosen)
        other.choose_number(chosen)
    assert one.winners() == other.winners()
