"""Hints: the best options of a decision as the greedy bot sees them, with what speaks for each.

A hint is what `greedy_bot` thinks: the lead if the game ended with this turn. Trials have other
chance and other hidden pieces than the match, so a hint never shows what will be drawn, or what
lies face down before others.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from tilewright.play.bots.base import option_values, points_if_over
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.visibility import for_trials
from tilewright.tools.explanation.score_log import Award, Ledger


@dataclass(frozen=True, slots=True)
class Hint:
    """An option: its number, the lead it leaves, and the points that are given at once.

    `follow` is the number of the best option of the decision that follows, where the same player
    has it in the same turn; `trial` is the match at that decision.
    """

    index: int
    lead: int
    awards: tuple[Award, ...]
    follow: int | None
    trial: Match


@dataclass(frozen=True, slots=True)
class Worth:
    """The points of an option for its player: at once, and if the game ended with it, both beside
    doing nothing. Where a player must choose, the second is beside the position before.
    """

    now: int
    end: int


def best_options(match: Match, count: int = 3) -> list[Hint]:
    """The best options of the decision at hand, the best first; the first is the greedy bot's."""
    if match.to_move < 0:
        return []
    values = option_values(match)
    order = sorted(range(len(values)), key=lambda k: (-values[k], k))
    return [_hint(match, k, values[k]) for k in order[:count]]


def _hint(match: Match, number: int, lead: int) -> Hint:
    trial, ledger = for_trials(match), Ledger()
    trial.listeners = (ledger,)
    with suppress(RuleError):
        trial.choose_number(number)
    trial.listeners = ()
    follow = None
    if trial.to_move == match.to_move and trial.turn == match.turn:
        values = option_values(trial, 2)
        follow = values.index(max(values))
    return Hint(number, lead, tuple(ledger.awards), follow, trial)


def worth_of_options(match: Match) -> list[Worth]:
    """The worth of each option of the decision at hand to the player who decides."""
    player = match.to_move
    if player < 0:
        return []
    source = for_trials(match)
    before = match.points[player]
    nothing = source.fork()
    if match.optional:
        with suppress(RuleError):
            nothing.choose_number(match.count - 1)
    base = points_if_over(nothing)[player]
    found = []
    for number in range(match.count):
        trial = source.fork()
        with suppress(RuleError):
            trial.choose_number(number)
        now = trial.points[player] - before
        found.append(Worth(now, points_if_over(trial)[player] - base))
    return found
