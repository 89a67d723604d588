"""Confidence of a share: intervals within 0 and 1, and a test of paired binary results.

A share is the mean of values from 0 to 1: the share of games that a player has won, or a bot on
several seats. Student's interval leaves that range and shrinks to zero width where all games are
equal; these do neither. The methods are those of the papers named below.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from tilewright.tools.simulation.statistics import CONFIDENCE, Interval

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
