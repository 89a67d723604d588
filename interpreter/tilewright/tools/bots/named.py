"""Bots by the names that people write: `random`, `greedy`, `mcts:1000`, `mcts:2s` and the like."""

from __future__ import annotations

import random
import re

from tilewright.source.diagnostics import did_you_mean
from tilewright.tools.bots.base import Bot, greedy_bot, random_bot
from tilewright.tools.bots.mcts import mcts_bot

#: how bots are called, as they are written
NAMES = ("random", "greedy", "mcts")
#: the names of bots with their parameters after a colon, for people
SPELLED = "`random`, `greedy`, `mcts`, `mcts:1000` or `mcts:2s`"
#: rollouts a decision where a name gives no budget
ROLLOUTS = 1000
_BUDGET = re.compile(r"([1-9]\d{0,8})(s|ms)?")


def bot_named(name: str, seed: int | str = 0) -> Bot:
    """The bot with a name; random bots use the seed.

    Raises ValueError, with a message for people, for an unknown name.
    """
    kind, colon, budget = name.strip().partition(":")
    if kind == "mcts" and (found := _BUDGET.fullmatch(budget if colon else str(ROLLOUTS))):
        number, unit = int(found[1]), found[2]
        if unit is None:
            return mcts_bot(number, seed=seed)
        return mcts_bot(None, seconds=number / (1000 if unit == "ms" else 1), seed=seed)
    if not colon and kind == "random":
        return random_bot(random.Random(seed))
    if not colon and kind == "greedy":
        return greedy_bot()
    near = did_you_mean(kind, NAMES) if kind not in NAMES else ""
    raise ValueError(f"a bot is {SPELLED}, not `{name}`{near}")


def is_repeatable(name: str) -> bool:
    """Whether this bot plays the same again from the same seed: not where the clock decides."""
    _, colon, budget = name.strip().partition(":")
    return not (colon and budget.endswith("s"))
