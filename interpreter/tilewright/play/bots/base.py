"""Bots: players that read options, points and copies of the match, and no rule.

A bot is a function from a match at its decision to the number of an option; any decision may be a
bot's, in its own turn or another's. Trials run on copies with other chance and other hidden pieces
(`visibility`): a bot sees neither the coming draws nor what lies face down before others. Where the
native core carries a game, it makes the same search and the same choices.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from tilewright.play.compiling.native import native_game, ready_game
from tilewright.play.faults import RuleError
from tilewright.play.final_score import score_ending
from tilewright.play.match import Match
from tilewright.play.match_state import OVER
from tilewright.play.native.bots import GreedySearch
from tilewright.play.native.games import NativeGame, lots
from tilewright.play.program import Program
from tilewright.play.visibility import for_trials

if TYPE_CHECKING:
    from tilewright._core import Match as CoreMatch

Bot = Callable[[Match], int]

#: how many of its own decisions in a turn a greedy bot thinks through
DEPTH = 3
#: how many options it looks at in decisions that are still to come
WIDTH = 12


def random_bot(rng: random.Random) -> Bot:
    """A bot to which all options of a decision are equal, a pass being one of them.

    Where a turn asks for a placement and then for a figure, it is uniform over the placements and
    then over the figure choices.
    """

    def choose(match: Match) -> int:
        return int(rng.random() * match.count)

    return choose


def greedy_bot(depth: int = DEPTH) -> Bot:
    """A bot that takes what would leave it furthest ahead if the game ended with this turn.

    Always the same choice in the same position; of equally good options the first.
    """
    search: GreedySearch | None = None

    def choose(match: Match) -> int:
        nonlocal search
        if match.count == 1:
            return 0
        game = carried(match)
        if game is not None:
            search = search or GreedySearch(depth)
            found = search.choose(game, match)
            if found is not None:
                return found
        values = option_values(match, depth)
        return values.index(max(values))

    return choose


def carried(match: Match) -> NativeGame | None:
    """The native game of a match, or None when searches are made in Python."""
    if match.program.probes or match.failed is not None:
        return None
    game = native_game(match.program)
    return game if isinstance(game, NativeGame) else None


def play_out(match: Match, bots: Mapping[int, Bot] | Sequence[Bot]) -> Match:
    """Play a match to its end, each seat by its bot; the same match."""
    while match.to_move >= 0:
        match.choose_number(bots[match.to_move](match))
    return match


def played_by_lot(match: Match, seeds: Sequence[int | str]) -> CoreMatch | None:
    """The end in the core of a match between random bots with these seeds; it stays as it is.

    None when Python has to play it, as the first match of a game that the core would have to load.
    """
    is_first = _was_played not in match.program.made
    match.program.cached(_was_played)
    game = ready_game(match.program) if is_first else carried(match)
    if game is None or match.to_move < 0 or match.listeners or match.forced_draws:
        return None
    core = game.entered(match)
    return None if core.play_random(lots(seeds)) is None else core


def _was_played(program: Program) -> bool:
    return True


def option_values(match: Match, depth: int = DEPTH) -> list[int]:
    """The best lead after each option for the deciding player, if the game ends with this turn.

    `depth` decisions of the player are searched, the first options and the last of each.
    """
    source = for_trials(match)
    return [_value(source.fork(), k, match.to_move, match.turn, depth) for k in range(match.count)]


def ahead_if_over(match: Match) -> list[int]:
    """Each player's lead over the best other one if the game ends here.

    Uses the match up.
    """
    return ahead_now(points_if_over(match))


def points_if_over(match: Match) -> list[int]:
    """The points of each player if the game ends here. Uses the match up."""
    if match.phase != OVER:
        match.to_move = -1
        match.options_now = None
        with suppress(RuleError):
            if not score_ending(match):
                play_ending(match)
    return match.points


def play_ending(match: Match) -> None:
    """Play the final scoring as if the game ended here, with the last option of each decision.

    Raises RuleError when a rule cannot be carried out.
    """
    match.to_move = -1
    match.options_now = None
    match.end_game()
    match.run()
    while match.to_move >= 0:
        match.choose_number(match.count - 1)


def ahead_now(points: Sequence[int]) -> list[int]:
    """Each player's lead over the best other one; for a single player, the points."""
    if len(points) == 2:
        ahead = points[0] - points[1]
        return [ahead, -ahead]
    first, second = [*sorted(points, reverse=True), 0][:2]
    return [n - (second if n == first else first) for n in points]


def _value(match: Match, k: int, player: int, turn: int, depth: int) -> int:
    """The value of an option, including the best of the player's next choices in this turn.

    Uses the match up.
    """
    try:
        match.choose_number(k)
    except RuleError:
        # the match may never come here, so a rule error does not stop the search
        return ahead_if_over(match)[player]
    if depth > 1 and match.to_move == player and match.turn == turn:
        *others, last = _worth_a_look(match.count)
        values = [_value(match.fork(), n, player, turn, depth - 1) for n in others]
        return max([*values, _value(match, last, player, turn, depth - 1)])
    return ahead_if_over(match)[player]


def _worth_a_look(count: int) -> list[int]:
    """The first options, and the last, which is the pass where there is one."""
    if count <= WIDTH:
        return list(range(count))
    return [*range(WIDTH - 1), count - 1]
