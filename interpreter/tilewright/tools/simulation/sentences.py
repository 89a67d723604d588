"""The results of a simulation in plain sentences: the game, the difference, and its confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.tools.simulation.measures import Difference, Value
from tilewright.tools.simulation.statistics import CONFIDENCE

#: bounds of the effect size, in standard deviations between matches, and their names
EFFECTS = ((0.2, "a very small effect"), (0.5, "a small effect"), (0.8, "a medium effect"))
LARGE = "a large effect"


def number(x: float, is_share: bool = False) -> str:
    """A number for people; shares in hundredths."""
    if math.isinf(x):
        return "any"
    if is_share:
        return f"{100 * x:.1f} %"
    return f"{x:.2f}" if abs(x) < 10 else f"{x:.1f}"


def value_text(value: Value, is_share: bool) -> tuple[str, str]:
    """A measure of a game, and how sure it is: `("20.3", "± 1.5")`, `("0 %", "(0-16 %)")`."""
    summary, interval = value.summary, value.interval
    if is_share:
        places = _places(interval.high - interval.low)
        low, high = (f"{100 * x:.{places}f}" for x in (interval.low, interval.high))
        alike = ", all alike" if summary.is_constant else ""
        return f"{100 * summary.mean:.{places}f} %", f"({low}-{high} %{alike})"
    if summary.is_constant:
        return number(summary.mean), "(all alike)"
    if math.isinf(summary.half_width):
        return number(summary.mean), "(one game)"
    return number(summary.mean), f"± {number(summary.half_width)}"


def difference_text(found: Difference) -> str:
    """A difference with its interval in short: `+1.80 ± 0.40`, `+12 in 100 (3 to 20)`."""
    summary, interval = found.summary, found.interval
    if found.measure.is_share:
        places = _places(interval.high - interval.low)
        low, high = (f"{100 * x:.{places}f}" for x in (interval.low, interval.high))
        return f"{100 * summary.mean:+.{places}f} in 100 ({low} to {high})"
    sign = "+" if summary.mean > 0 else ""
    if summary.is_constant:
        return f"{sign}{number(summary.mean)} (all alike)"
    return f"{sign}{number(summary.mean)} ± {number(summary.half_width)}"


def _places(width: float) -> int:
    """How many places after the point an interval of shares is worth in hundredths."""
    return 0 if width >= 0.1 else 1 if width >= 0.01 else 2


def sentence(found: Difference, names: Sequence[str]) -> str:
    """A difference in one plain sentence, with both games in it."""
    here, there = apart(names[found.game], names[0])
    return f"{here}, {clause(found)} than {there}, {certainty(found)}"


def clause(found: Difference) -> str:
    """The difference and its size: `red gets 1.80 more points`."""
    size = _plain(found, abs(found.summary.mean))
    return found.measure.clause.format(f"{size} {_more(found)} {found.measure.unit}")


def certainty(found: Difference) -> str:
    """The interval of the difference, and the size of the effect."""
    effect = effect_text(found.effect)
    if found.summary.is_constant and not found.measure.is_share:
        return f"the same in all games ({effect})"
    sign = 1 if found.summary.mean > 0 else -1
    ends = sorted((sign * found.interval.low, sign * found.interval.high))
    low, high = (_plain(found, end) for end in ends)
    return f"{CONFIDENCE:.0%} between {low} and {high} ({effect})"


def _plain(found: Difference, x: float) -> str:
    """A number without a percent sign: shares are expressed per hundred games."""
    return number(x, found.measure.is_share).removesuffix(" %")


def _more(found: Difference) -> str:
    return "more" if found.summary.mean > 0 else "fewer"


def apart(one: str, other: str) -> tuple[str, str]:
    """Two games by what only one of them has: `with more/rain`, `without it`."""
    mine, theirs = one.split("+"), other.split("+")
    only = "+".join(x for x in mine if x not in theirs)
    lacks = "+".join(x for x in theirs if x not in mine)
    if not only and not lacks:
        return f"in {one}", f"in {other}"
    if only and lacks:
        return f"with {only}", f"with {lacks}"
    return (f"with {only}", "without it") if only else (f"without {lacks}", "with it")


def effect_text(effect: float) -> str:
    """The size of an effect, in words."""
    return next((word for least, word in EFFECTS if abs(effect) < least), LARGE)


def nothing_found(differences: Sequence[Difference], games: int) -> str:
    """The sentence for a comparison without significant differences."""
    if any(each.summary.mean or each.summary.deviation for each in differences):
        return f"no difference that {games} games can show"
    return f"no difference: all {games} games went the same"
