"""The measures of a simulation and their results: for one game, and for a difference."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.tools.simulation.statistics import CONFIDENCE, Interval, Summary


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
