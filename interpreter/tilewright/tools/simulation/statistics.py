"""Confidence of means and shares, corrected for many tests, and the measures that have it.

Everything is computed from whole-number counts of values, so the order of the games has no
influence. The mean of differences between the same games under two rulesets is close to normal
after a few dozen games, whatever the distribution of a single game, so Student's interval is used:
it needs no random numbers, unlike resampling, and is equal on every computer.

A share is the mean of values from 0 to 1: the share of games that a player has won, or a bot on
several seats. Student's interval leaves that range and shrinks to zero width where all games are
equal; intervals of shares do neither. Their methods are those of the papers named there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

#: the confidence of intervals
CONFIDENCE = 0.95
#: fewer games than this give no estimate of the deviation
FEWEST = 10
_STEPS = 300
_TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Interval:
    """The bounds of a number at the confidence `CONFIDENCE`; infinite without an estimate."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Summary:
    """So many values, their mean, and their standard deviation."""

    count: int
    mean: float
    deviation: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval for the mean; infinite without an estimate."""
        if self.count < 2:
            return math.inf
        return student_quantile(self.count - 1) * self.deviation / math.sqrt(self.count)

    @property
    def interval(self) -> Interval:
        """The interval for the mean."""
        return Interval(self.mean - self.half_width, self.mean + self.half_width)

    @property
    def is_constant(self) -> bool:
        """Whether there are several values and all are the same."""
        return self.count > 1 and not self.deviation

    @property
    def p_value(self) -> float:
        """The probability of a mean at least this far from zero without a real effect."""
        if self.count < FEWEST:
            return 1.0
        if not self.deviation:
            return 0.0 if self.mean else 1.0
        return student_tail(abs(self.mean) / self.deviation * math.sqrt(self.count), self.count - 1)


def summary(values: Mapping[int, int], count: int, over: int = 1) -> Summary:
    """The summary of counted values, divided by `over`; games without a value count as zero."""
    if not count:
        return Summary(0, 0.0, 0.0)
    total = sum(value * times for value, times in values.items())
    squares = sum(value * value * times for value, times in values.items())
    variance = Fraction(0)
    if count > 1:
        variance = (Fraction(squares) - Fraction(total * total, count)) / (count - 1)
    return Summary(count, float(Fraction(total, count * over)), math.sqrt(variance) / over)


def corrected(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: of all alarms that stay below a level, one is false no more often."""
    order = sorted(range(len(p_values)), key=lambda k: p_values[k])
    found, worst = [1.0] * len(p_values), 0.0
    for rank, k in enumerate(order):
        worst = max(worst, min(1.0, p_values[k] * (len(p_values) - rank)))
        found[k] = worst
    return found


def student_tail(t: float, freedom: int) -> float:
    """The probability of a value farther from nought than t, on either side."""
    return _incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


@lru_cache(4096)
def student_quantile(freedom: int, level: float = CONFIDENCE) -> float:
    """How far from nought a value is with the given probability at most."""
    low, high = 0.0, 1e4
    for _ in range(80):
        middle = (low + high) / 2
        if student_tail(middle, freedom) > 1 - level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    value = d
    for k in range(1, _STEPS):
        even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k))
        odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))
        for term in (even, odd):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * value / a


def _away(x: float) -> float:
    """A number that may be divided by."""
    return x if abs(x) > _TINY else _TINY


# ------------------------------------------------------------------ shares


_WIDTH = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def wilson(share: float, count: int) -> Interval:
    """The score interval of a share of `count` games, each worth from 0 to 1.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of
    the American Statistical Association 22 (1927), 209-212. Values between yes and no vary less
    than yes and no with the same mean, so the interval is then wider than it must be, never
    narrower.
    """
    if not count:
        return Interval(0.0, 1.0)
    extra = _WIDTH * _WIDTH / count
    middle = (share + extra / 2) / (1 + extra)
    half = math.sqrt(extra * (share * (1 - share) + extra / 4)) / (1 + extra)
    low = 0.0 if share <= 0 else max(0.0, middle - half)
    high = 1.0 if share >= 1 else min(1.0, middle + half)
    return Interval(low, high)


def newcombe(first: float, of_first: int, second: float, of_second: int) -> Interval:
    """The interval of the second share less the first one, of games that have nothing in common.

    R. G. Newcombe, "Interval estimation for the difference between independent proportions:
    comparison of eleven methods", Statistics in Medicine 17 (1998), 873-890, method 10.
    """
    return _joined(first, wilson(first, of_first), second, wilson(second, of_second), 0.0)


def newcombe_paired(both: int, only_first: int, only_second: int, neither: int) -> Interval:
    """The interval of the second share less the first one, of pairs of games with the same luck.

    The four counts are of pairs: yes in both games, in one of them, in none. R. G. Newcombe,
    "Improved confidence intervals for the difference between binomial proportions based on paired
    data", Statistics in Medicine 17 (1998), 2635-2650, method 10.
    """
    count = both + only_first + only_second + neither
    if not count:
        return Interval(-1.0, 1.0)
    ones = (both + only_first, both + only_second)
    under = math.sqrt(math.prod(n * (count - n) for n in ones))
    excess: float = both * neither - only_first * only_second
    if excess > 0:
        excess = max(excess - count / 2, 0)
    first, second = (n / count for n in ones)
    bond = excess / under if under else 0.0
    return _joined(first, wilson(first, count), second, wilson(second, count), bond)


def recovered(first: float, second: float, count: int, bond: float) -> Interval:
    """The interval of the second share less the first one, of pairs of values from 0 to 1.

    `bond` is the correlation of the two. G. Y. Zou and A. Donner, "Construction of confidence
    limits about effect measures: a general approach", Statistics in Medicine 27 (2008), 1693-1702.
    """
    return _joined(first, wilson(first, count), second, wilson(second, count), bond)


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact p-value: the probability of pairs at least this unequal by chance.

    The exact test, two-sided. Q. McNemar, "Note on the sampling error of the difference between
    correlated proportions or percentages", Psychometrika 12 (1947), 153-157.
    """
    pairs, fewer = only_first + only_second, min(only_first, only_second)
    if 2 * fewer >= pairs - 1:
        return 1.0
    logarithm = math.lgamma(pairs + 1) - math.lgamma(fewer + 1) - math.lgamma(pairs - fewer + 1)
    term = math.exp(logarithm - pairs * math.log(2))
    total = term
    for k in range(fewer, 0, -1):
        term *= k / (pairs - k + 1)
        total += term
        if term < total * 1e-17:
            break
    return min(1.0, 2 * total)


def _joined(first: float, one: Interval, second: float, other: Interval, bond: float) -> Interval:
    """Two intervals of shares as one of their difference; `bond` is how they are correlated."""
    below = (second - other.low, one.high - first)
    above = (other.high - second, first - one.low)
    found = second - first
    low = found - math.sqrt(max(0.0, _square(*below, bond)))
    high = found + math.sqrt(max(0.0, _square(*above, bond)))
    return Interval(max(-1.0, low), min(1.0, high))


def _square(one: float, other: float, bond: float) -> float:
    return one * one - 2 * bond * one * other + other * other


# ------------------------------------------------------------------ measures and their results


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure. Values are divided by `over`; a share is shown in hundredths of games.

    A difference is described by a text about `called`, whose id is `clause` and `more` or `fewer`.
    """

    id: str
    label: str
    group: str  # one of `GROUPS`
    name: str  # short, for a table with a heading
    clause: str
    called: str
    over: int = 1
    is_share: bool = False

    @property
    def unit(self) -> str:
        """The same for measures that one scale can show: points, shares, else a unit of its own."""
        if self.is_share:
            return "share"
        is_of_player = self.group in ("seat", "bot")
        is_points = self.id in ("points", "margin") or self.group in ("source", "rule")
        return "points" if is_points or is_of_player else self.id


@dataclass(frozen=True, slots=True)
class Value:
    """A measure of one game."""

    summary: Summary
    interval: Interval
    quantiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of a game from the first one in one measure.

    `p_value` is corrected for the number of comparisons. `deviation` is the standard deviation of
    the measure between matches.
    """

    game: int
    measure: Measure
    summary: Summary
    interval: Interval
    p_value: float
    deviation: float

    @property
    def effect(self) -> float:
        """The difference, counted in spreads from game to game."""
        if self.deviation:
            return self.summary.mean / self.deviation
        return math.copysign(math.inf, self.summary.mean) if self.summary.mean else 0.0

    @property
    def is_found(self) -> bool:
        """Whether it is significant at the level."""
        return self.p_value < 1 - CONFIDENCE


@dataclass(frozen=True, slots=True)
class Line:
    """A measure with its value in each game."""

    measure: Measure
    values: tuple[Value | None, ...]  # None where the rulesets of a game do not measure it
