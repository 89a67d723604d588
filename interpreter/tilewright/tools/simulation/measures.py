"""The measures of a simulation and their results: for one game, and for a difference."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.tools.simulation.statistics import LEVEL, Interval, Spread


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure. Values are divided by `over`; a share is shown in hundredths of games.

    A difference is described by `clause`, where `{}` is replaced by a number of its `unit`.
    """

    id: str
    label: str
    group: str  # one of `GROUPS`
    name: str  # short, for a table with a heading
    unit: str
    clause: str
    over: int = 1
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """A measure of one game."""

    spread: Spread
    interval: Interval
    quantiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """How a game differs from the first one. `doubt` is corrected for all that was looked at;
    `usual` is how far values spread from game to game."""

    game: int
    measure: Measure
    spread: Spread
    interval: Interval
    doubt: float
    usual: float

    @property
    def effect(self) -> float:
        """The difference, counted in spreads from game to game."""
        if self.usual:
            return self.spread.mean / self.usual
        return math.copysign(math.inf, self.spread.mean) if self.spread.mean else 0.0

    @property
    def is_found(self) -> bool:
        """Whether it is significant at the level."""
        return self.doubt < 1 - LEVEL


@dataclass(frozen=True, slots=True)
class Line:
    """A measure with its value in each game."""

    measure: Measure
    values: tuple[Value | None, ...]  # None where the rulesets of a game do not measure it
