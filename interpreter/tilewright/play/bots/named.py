"""Bots by the names that people write: `random`, `greedy`, `mcts:1000`, `mcts:2s` and the like."""

from __future__ import annotations

import random
import re

from tilewright.language.source.diagnostics import did_you_mean
from tilewright.play.bots.base import Bot, greedy_bot, random_bot
from tilewright.play.bots.mcts import mcts_bot

#: how bots are called, as they are written
NAMES = ("random", "greedy", "mcts")
#: the names of bots with their parameters after a colon, for people
SPELLED = "`random`, `greedy`, `mcts`, `mcts:1000` or `mcts:2s`"
#: rollouts a decision where a name gives no budget
ROLLOUTS = 1000
#: the most rollouts and seconds of a decision of a bot that a file or a page names
MAX_ROLLOUTS, MAX_SECONDS = 20_000, 10
_BUDGET = re.compile(r"([1-9]\d{0,8})(s|ms)?")


def bot_named(name: str, seed: int | str = 0) -> Bot:
    """The bot with a name; random bots use the seed.

    Raises ValueError, with a message for people, for an unknown name.
    """
    kind, colon, budget = name.strip().partition(":")
    if kind == "mcts" and (found := _budget(budget if colon else str(ROLLOUTS))):
        rollouts, seconds = found
        return mcts_bot(rollouts, seconds=seconds, seed=seed)
    if not colon and kind == "random":
        return random_bot(random.Random(seed))
    if not colon and kind == "greedy":
        return greedy_bot()
    near = did_you_mean(kind, NAMES) if kind not in NAMES else ""
    raise ValueError(f"a bot is {SPELLED}, not `{name}`{near}")


def _budget(text: str) -> tuple[int | None, float] | None:
    """Rollouts, or None and seconds, by a text such as `1000`, `2s` or `500ms`; None for others."""
    found = _BUDGET.fullmatch(text)
    if found is None:
        return None
    number, unit = int(found[1]), found[2]
    return (number, 0.0) if unit is None else (None, number / (1000 if unit == "ms" else 1))


def length_problem(name: str) -> str:
    """The problem with a bot that thinks longer than a file or a page may want; else nothing."""
    rollouts, seconds = _budget(name.strip().partition(":")[2]) or (0, 0.0)
    if (rollouts or 0) <= MAX_ROLLOUTS and seconds <= MAX_SECONDS:
        return ""
    most = f"{MAX_SECONDS} seconds or {MAX_ROLLOUTS} rollouts"
    return f"`{name.strip()}` thinks too long: expected at most {most}"


def bot_problem(name: str) -> str:
    """The problem with a bot that does not exist or thinks too long; else nothing."""
    try:
        bot_named(name)
    except ValueError as error:
        return str(error)
    return length_problem(name)


def is_repeatable(name: str) -> bool:
    """Whether this bot plays the same again from the same seed: not where the clock decides."""
    _, colon, budget = name.strip().partition(":")
    return not (colon and budget.endswith("s"))
