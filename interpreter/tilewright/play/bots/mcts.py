"""A bot that looks ahead: UCT with rollouts, on forks of the match.

Every rollout is played in its own world: chance is different in it, and the hidden pieces of other
players are shuffled again. Worlds share one tree, where a position is identified by the choices
before it and the options after it, so draws are distinguished wherever they are visible. Each
choice in the tree belongs to the deciding player, for their own lead. Beyond the tree a rollout
continues at random for some turns and is then scored as if the game ended there.

The choices of the player's own turn start with a prior: the values of the greedy bot count as some
rollouts. Values are in points, scaled by the spread of the rollouts, so no number here depends on a
game.

Where the native core carries a game, it makes the same search: random numbers are taken and sums
are made in the same order (`core/engine/src/rollouts.rs`), so the choices are the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import log, sqrt
from time import perf_counter
from typing import Any

from tilewright.play.bots.base import Bot, ahead_if_over, carried, option_values
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.native.bots import tree_search
from tilewright.play.visibility import exchangeable, imagined

#: turns that a rollout goes on by lot
AHEAD = 12
#: how many rollouts the opinion of the greedy bot counts for
OPINION = 10
#: how much is tried out, in standard deviations of the rollouts
CURIOSITY = 0.7
#: how many rollouts are made before the clock is read
_AT_ONCE = 8


class _Node:
    """A decision in the tree: for each option the rollouts, the lead they add up to, and after."""

    __slots__ = ("after", "count", "lead", "opinion", "rollouts", "to_move", "visits")

    def __init__(self, match: Match) -> None:
        self.to_move = match.to_move
        self.count = match.count
        self.visits = 0
        self.rollouts = [0] * match.count
        self.lead = [0] * match.count
        self.opinion: list[float] | None = None
        self.after: dict[Any, _Node] = {}


def mcts_bot(
    rollouts: int | None = 1000,
    *,
    seconds: float = 0.0,
    seed: int | str = 0,
    ahead: int = AHEAD,
    opinion: float = OPINION,
    curiosity: float = CURIOSITY,
) -> Bot:
    """A bot with that many rollouts a decision, or that many seconds without a number.

    With a number it is deterministic: position and seed determine its choice.
    """

    def choose(match: Match) -> int:
        if match.count == 1:
            return 0
        own_seed = f"{seed}/{match.turn}/{len(match.log)}"
        end = None if rollouts is not None else perf_counter() + seconds
        settings = (ahead, opinion, curiosity)
        game = carried(match)
        if game is not None:
            native = tree_search(game, match, own_seed, settings)
            if _rolled_out(native.roll_out, rollouts, end):
                return native.best()
        search = _Search(match, random.Random(own_seed), *settings)
        _rolled_out(search.roll_out, rollouts, end)
        return search.best()

    return choose


def _rolled_out(roll_out: Callable[[int], bool], rollouts: int | None, end: float | None) -> bool:
    """Make so many rollouts, or rollouts until a time; False when one was not possible.

    The search is left every few rollouts, so that the clock is read and the program can be stopped.
    """
    done = 0
    while rollouts is None or done < rollouts:
        if end is not None and perf_counter() >= end:
            break
        many = _AT_ONCE if rollouts is None else min(rollouts - done, _AT_ONCE)
        if not roll_out(many):
            return False
        done += many
    return True


class _Search:
    """One decision, thought through."""

    def __init__(
        self, match: Match, rng: random.Random, ahead: int, opinion: float, curiosity: float
    ) -> None:
        self.match = match
        self.rng = rng
        self.ahead = ahead
        self.weight = opinion
        self.curiosity = curiosity
        self.root = _Node(match)
        self.hidden = exchangeable(match)
        self.total = self.squares = 0.0

    def best(self) -> int:
        """The option most often tried; of these the one with the best lead, then the first."""
        node = self.root
        lead = [a / max(n, 1) for a, n in zip(node.lead, node.rollouts, strict=True)]
        return max(range(node.count), key=lambda k: (node.rollouts[k], lead[k], -k))

    def roll_out(self, many: int) -> bool:
        """So many more worlds; always true."""
        for _ in range(many):
            self._roll_out()
        return True

    def _roll_out(self) -> None:
        """One more world, played from the root until the horizon."""
        world = imagined(self.match, self.rng, self.hidden)
        root_turn = world.turn
        node: _Node | None = self.root
        path: list[tuple[_Node, int]] = []
        rng = self.rng
        try:
            while node is not None and world.to_move >= 0:
                if node.opinion is None and world.turn == root_turn and self.weight:
                    node.opinion = _opinion(world) if node.to_move == self.root.to_move else []
                k = self._tried(node)
                path.append((node, k))
                world.choose_number(k)
                if world.to_move < 0:
                    break
                options = world.options_now
                decision = world.piece if options is None else repr(options)
                key = (k, world.to_move, world.decision_site, world.count, decision)
                known = node.after.get(key)
                if known is None:
                    node.after[key] = _Node(world)
                node = known
            horizon = world.turn + self.ahead
            while world.to_move >= 0 and world.turn < horizon:
                world.choose_number(int(rng.random() * world.count))
        except RuleError:
            pass  # a fault ends this world in its current state
        lead = ahead_if_over(world)
        value = lead[self.root.to_move]
        self.total += value
        self.squares += value * value
        for node, k in path:
            node.visits += 1
            node.rollouts[k] += 1
            node.lead[k] += lead[node.to_move]

    def _tried(self, node: _Node) -> int:
        """The option to try next: that with the highest upper bound of its lead."""
        opinion = node.opinion
        rollouts, leads = node.rollouts, node.lead
        if not opinion:
            fresh = [k for k, n in enumerate(rollouts) if not n]
            if fresh:
                return fresh[int(self.rng.random() * len(fresh))]
        weight = self.weight if opinion else 0.0
        mean = sum(leads) / node.visits if node.visits else 0.0
        reach = self.curiosity * self._spread() * sqrt(log(node.visits + 1))
        best, number = -1e18, 0
        for k, n in enumerate(rollouts):
            lead, tried = float(leads[k]), float(n)
            if opinion:
                lead += weight * (mean + opinion[k])
                tried += weight
            bound = lead / tried + reach / sqrt(tried)
            if bound > best:
                best, number = bound, k
        return number

    def _spread(self) -> float:
        """The standard deviation of the rollouts so far, in points."""
        n = self.root.visits
        if n < 2:
            return 1.0
        return sqrt(max(self.squares / n - (self.total / n) ** 2, 1.0))


def _opinion(match: Match) -> list[float]:
    """The greedy bot's value of each option, relative to the mean of all."""
    values = option_values(match)
    mean = sum(values) / len(values)
    return [value - mean for value in values]
