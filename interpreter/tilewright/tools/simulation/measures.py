"""What a simulation measures, and what it found of one measure: in a game, and between two."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.tools.simulation.statistics import LEVEL, Interval, Spread


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured. A value is divided by `over`; a share is told in hundredths of games.

    A difference of it is told in a `clause`, in which `{}` stands for so many more of its `unit`.
    """

    id: str
    label: str
    group: str  # one of `GROUPS`
    name: str  # short, for a table whose heading says the rest
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
        """Whether it is no accident, at the level."""
        return self.doubt < 1 - LEVEL


@dataclass(frozen=True, slots=True)
class Line:
    """A measure with what it is in each game."""

    measure: Measure
    values: tuple[Value | None, ...]  # nothing where the rulesets of a game do not count it
