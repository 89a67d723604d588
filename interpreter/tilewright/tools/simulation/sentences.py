"""The results of a simulation in plain sentences: the game, the difference, and its confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.tools.simulation.measures import Difference, Value
from tilewright.tools.simulation.statistics import LEVEL

#: a mean difference, measured by how values spread from game to game, and how it is called
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
    spread, interval = value.spread, value.interval
    if is_share:
        places = _places(interval.high - interval.low)
        low, high = (f"{100 * x:.{places}f}" for x in (interval.low, interval.high))
        alike = ", all alike" if spread.is_constant else ""
        return f"{100 * spread.mean:.{places}f} %", f"({low}-{high} %{alike})"
    if spread.is_constant:
        return number(spread.mean), "(all alike)"
    if math.isinf(spread.half):
        return number(spread.mean), "(one game)"
    return number(spread.mean), f"± {number(spread.half)}"


def difference_text(found: Difference) -> str:
    """A difference with its interval in short: `+1.80 ± 0.40`, `+12 in 100 (3 to 20)`."""
    spread, interval = found.spread, found.interval
    if found.measure.is_share:
        places = _places(interval.high - interval.low)
        low, high = (f"{100 * x:.{places}f}" for x in (interval.low, interval.high))
        return f"{100 * spread.mean:+.{places}f} in 100 ({low} to {high})"
    sign = "+" if spread.mean > 0 else ""
    if spread.is_constant:
        return f"{sign}{number(spread.mean)} (all alike)"
    return f"{sign}{number(spread.mean)} ± {number(spread.half)}"


def _places(width: float) -> int:
    """How many places after the point an interval of shares is worth in hundredths."""
    return 0 if width >= 0.1 else 1 if width >= 0.01 else 2


def sentence(found: Difference, names: Sequence[str]) -> str:
    """A difference in one plain sentence, with both games in it."""
    here, there = apart(names[found.game], names[0])
    return f"{here}, {clause(found)} than {there}, {certainty(found)}"


def clause(found: Difference) -> str:
    """The difference and its size: `red gets 1.80 more points`."""
    size = _plain(found, abs(found.spread.mean))
    return found.measure.clause.format(f"{size} {_more(found)} {found.measure.unit}")


def certainty(found: Difference) -> str:
    """The interval of the difference, and the size of the effect."""
    effect = effect_text(found.effect)
    if found.spread.is_constant and not found.measure.is_share:
        return f"the same in all games ({effect})"
    sign = 1 if found.spread.mean > 0 else -1
    ends = sorted((sign * found.interval.low, sign * found.interval.high))
    low, high = (_plain(found, end) for end in ends)
    return f"{LEVEL:.0%} between {low} and {high} ({effect})"


def _plain(found: Difference, x: float) -> str:
    """A number without a percent sign: shares are expressed per hundred games."""
    return number(x, found.measure.is_share).removesuffix(" %")


def _more(found: Difference) -> str:
    return "more" if found.spread.mean > 0 else "fewer"


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
    return next((said for least, said in EFFECTS if abs(effect) < least), LARGE)


def nothing_found(differences: Sequence[Difference], games: int) -> str:
    """The sentence for a comparison without significant differences."""
    if any(each.spread.mean or each.spread.deviation for each in differences):
        return f"no difference that {games} games can show"
    return f"no difference: all {games} games went the same"
