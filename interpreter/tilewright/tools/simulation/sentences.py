"""The results of a simulation in plain sentences: the game, the difference, and its confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.language.locale.words import Words
from tilewright.tools.simulation.run import Simulation
from tilewright.tools.simulation.statistics import CONFIDENCE, Difference, Value

#: bounds of the effect size, in standard deviations between matches, and their names
EFFECTS = ((0.2, "very_small"), (0.5, "small"), (0.8, "medium"))


def number(x: float, words: Words, is_share: bool = False) -> str:
    """A number for people; shares in hundredths."""
    if math.isinf(x):
        return words("simulation.any")
    if is_share:
        return f"{words.number(100 * x, 1)} %"
    return words.number(x, 2 if abs(x) < 10 else 1)


def value_text(value: Value, is_share: bool, words: Words) -> tuple[str, str]:
    """A measure of a game, and how sure it is: `("20.3", "± 1.5")`, `("0 %", "(0-16 %)")`."""
    summary, interval = value.summary, value.interval
    if is_share:
        places = _places(interval.high - interval.low)
        low, high = (words.number(100 * x, places) for x in (interval.low, interval.high))
        alike = f", {words('simulation.all_alike')}" if summary.is_constant else ""
        return f"{words.number(100 * summary.mean, places)} %", f"({low}-{high} %{alike})"
    if summary.is_constant:
        return number(summary.mean, words), f"({words('simulation.all_alike')})"
    if math.isinf(summary.half_width):
        return number(summary.mean, words), f"({words('simulation.one_game')})"
    return number(summary.mean, words), f"± {number(summary.half_width, words)}"


def difference_text(found: Difference, words: Words) -> str:
    """A difference with its interval in short: `+1.80 ± 0.40`, `+12 in 100 (3 to 20)`."""
    summary, interval = found.summary, found.interval
    if found.measure.is_share:
        places = _places(interval.high - interval.low)
        low, high = (words.number(100 * x, places) for x in (interval.low, interval.high))
        sign = "" if summary.mean < 0 else "+"
        size = f"{sign}{words.number(100 * summary.mean, places)}"
        return words("simulation.share_difference", size=size, low=low, high=high)
    sign = "+" if summary.mean > 0 else ""
    if summary.is_constant:
        return f"{sign}{number(summary.mean, words)} ({words('simulation.all_alike')})"
    return f"{sign}{number(summary.mean, words)} ± {number(summary.half_width, words)}"


def _places(width: float) -> int:
    """How many places after the point an interval of shares is worth in hundredths."""
    return 0 if width >= 0.1 else 1 if width >= 0.01 else 2


def sentence(found: Difference, names: Sequence[str], words: Words) -> str:
    """A difference in one plain sentence, with both games in it."""
    here, there = apart(names[found.game], names[0], words)
    return words(
        "simulation.sentence",
        here=here,
        clause=clause(found, words),
        there=there,
        certainty=certainty(found, words),
    )


def clause(found: Difference, words: Words) -> str:
    """The difference and its size: `red gets 1.80 more points`."""
    size = _plain(found, abs(found.summary.mean), words)
    side = "more" if found.summary.mean > 0 else "fewer"
    return words(f"{found.measure.clause}.{side}", size=size, name=found.measure.called)


def certainty(found: Difference, words: Words) -> str:
    """The interval of the difference, and the size of the effect."""
    effect = effect_text(found.effect, words)
    if found.summary.is_constant and not found.measure.is_share:
        return words("simulation.same_everywhere", effect=effect)
    sign = 1 if found.summary.mean > 0 else -1
    ends = sorted((sign * found.interval.low, sign * found.interval.high))
    low, high = (_plain(found, end, words) for end in ends)
    level = f"{CONFIDENCE:.0%}"
    return words("simulation.between", level=level, low=low, high=high, effect=effect)


def _plain(found: Difference, x: float, words: Words) -> str:
    """A number without a percent sign: shares are expressed per hundred games."""
    return number(x, words, found.measure.is_share).removesuffix(" %")


def apart(one: str, other: str, words: Words) -> tuple[str, str]:
    """Two games by what only one of them has: `with more/rain`, `without it`."""
    plus = " + " if " + " in one + other else "+"  # between titles, or between ids
    mine, theirs = one.split(plus), other.split(plus)
    only = plus.join(x for x in mine if x not in theirs)
    lacks = plus.join(x for x in theirs if x not in mine)
    if not only and not lacks:
        return words("simulation.in", game=one), words("simulation.in", game=other)
    if only and lacks:
        return words("simulation.with", rulesets=only), words("simulation.with", rulesets=lacks)
    if only:
        return words("simulation.with", rulesets=only), words("simulation.without_it")
    return words("simulation.without", rulesets=lacks), words("simulation.with_it")


def effect_text(effect: float, words: Words) -> str:
    """The size of an effect, in words."""
    size = next((name for least, name in EFFECTS if abs(effect) < least), "large")
    return words(f"simulation.effect.{size}")


def heading_of(found: Simulation, words: Words) -> str:
    """The number of games and of players: `1,000 games each of 2 players`."""
    players = words.plural("simulation.players", found.plan.players)
    id_ = "simulation.games_each" if len(found.plan.games) > 1 else "simulation.games"
    return words.plural(id_, found.tally.count, players=players)


def nothing_found(differences: Sequence[Difference], games: int, words: Words) -> str:
    """The sentence for a comparison without significant differences."""
    if any(each.summary.mean or each.summary.deviation for each in differences):
        return words.plural("simulation.nothing_shown", games)
    return words.plural("simulation.went_the_same", games)
