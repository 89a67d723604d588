"""Confidence of a mean: Student's distribution, and Holm's correction for many tests.

Everything is computed from whole-number counts of values, so the order of the games has no
influence. The mean of differences between the same games under two rulesets is close to normal
after a few dozen games, whatever the distribution of a single game, so Student's interval is used:
it needs no random numbers, unlike resampling, and is equal on every computer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

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
