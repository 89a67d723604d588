"""Players that are programs: they look at options, points and copies of the match, and at no rule.

A bot is a function from a match at its decision to the number of an option. What a bot tries out it
tries on forks, in which chance is another one: it never sees what will be drawn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from tilewright.runtime.kernel import RuleFault
from tilewright.runtime.match import Match

Bot = Callable[[Match], int]

#: how many of its own decisions in a turn a greedy bot thinks through
DEPTH = 3
#: how many options it looks at in decisions that are still to come
WIDTH = 12
_BEYOND = 1 << 30
_OTHER_CHANCE = 0x5DEECE66D15C0FFE


def random_bot(rng: random.Random) -> Bot:
    """A bot to which all options are equal."""

    def choose(match: Match) -> int:
        return int(rng.random() * match.count)

    return choose


def greedy_bot(depth: int = DEPTH) -> Bot:
    """A bot that takes what would leave it furthest ahead if the game ended with this turn.

    Always the same choice in the same position; of equally good options the first.
    """

    def choose(match: Match) -> int:
        return _best(match, match.asked, match.turn, depth, match.count)[1]

    return choose


def play_out(match: Match, bots: Mapping[int, Bot] | Sequence[Bot]) -> Match:
    """Play a match to its end, each seat by its bot; the same match."""
    while match.asked >= 0:
        match.choose_number(bots[match.asked](match))
    return match


def _best(match: Match, player: int, turn: int, depth: int, width: int) -> tuple[int, int]:
    """The value of the best option, and its number."""
    best, number = -_BEYOND, 0
    for k in _worth_a_look(match, width):
        after = _after(match, k)
        if depth > 1 and _goes_on(after, player, turn):
            value = _best(after, player, turn, depth - 1, WIDTH)[0]
        else:
            value = _stopped(after, player)
        if value > best:
            best, number = value, k
    return best, number


def _worth_a_look(match: Match, width: int) -> list[int]:
    """The first options, and the last, which is the pass where there is one."""
    count = match.count
    if count <= width:
        return list(range(count))
    return [*range(width - 1), count - 1]


def _after(match: Match, k: int) -> Match:
    """A fork on which an option was taken, in a world where chance has other plans."""
    after = match.fork()
    after.chance = None
    after.streams = [state ^ _OTHER_CHANCE for state in after.streams]
    # a rule that cannot go on where the match would not go either is no reason to stop here
    with suppress(RuleFault):
        after.choose_number(k)
    return after


def _goes_on(match: Match, player: int, turn: int) -> bool:
    """Whether the player has something more to decide in this turn."""
    return match.asked == player and match.turn == turn


def _stopped(match: Match, player: int) -> int:
    """How far ahead the player is if the game ends here. Uses the match up."""
    if not match.is_over:
        match.asked = -1
        match.options_now = None
        match.end_game()
        with suppress(RuleFault):
            match.run()
            while match.asked >= 0:
                match.choose_number(match.count - 1)
    points = match.points
    best_other = max((points[p] for p in match.players if p != player), default=0)
    return points[player] - best_other
