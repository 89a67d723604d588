"""The tally of many games: for each measure the exact number of occurrences of each value.

The result is independent of the order of games. Games of a comparison are paired: the second game
of a number is compared with the first one of that number, and a number with a game that failed is
left out.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import sub

from tilewright.tools.simulation.game import Played
from tilewright.tools.simulation.statistics import Summary, summary

Counts = defaultdict[str, Counter[int]]

#: a value further from zero was not measured in a game
LARGEST_MEASURE = 10**15


class Tally:
    """Counts of values: by game and measure, and of differences from the first game."""

    def __init__(self, games: int) -> None:
        self.count = 0
        self.values: list[Counts] = [defaultdict(Counter) for _ in range(games)]
        self.differences: list[Counts] = [defaultdict(Counter) for _ in range(games)]
        #: by game: number of the first failed game, its message, the number of failed games
        self.faults: list[tuple[int, str, int] | None] = [None] * games

    def add(self, played: Sequence[Played]) -> None:
        """Add one number: its result in every game."""
        for game, one in enumerate(played):
            if one.fault:
                self._fault(game, one.number, one.fault, 1)
        if any(one.fault for one in played):
            return
        self.count += 1
        first = played[0].measures
        for game, one in enumerate(played):
            _count(self.values[game], one.measures)
            if game:
                names = {**first, **one.measures}
                found = {n: one.measures.get(n, 0) - first.get(n, 0) for n in names}
                _count(self.differences[game], found)

    def add_columns(self, count: int, games: Sequence[Mapping[str, Sequence[int]]]) -> None:
        """Add so many numbers at once: by game and measure, the value for each number."""
        self.count += count
        first, zeros = games[0], [0] * count
        for game, found in enumerate(games):
            for name, values in found.items():
                _count_all(self.values[game], name, values)
            for name in {**first, **found} if game else ():
                values = list(map(sub, found.get(name, zeros), first.get(name, zeros)))
                _count_all(self.differences[game], name, values)

    def merge(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.count += other.count
        for mine, theirs in (
            *zip(self.values, other.values, strict=True),
            *zip(self.differences, other.differences, strict=True),
        ):
            for name, counter in theirs.items():
                mine[name].update(counter)
        for game, fault in enumerate(other.faults):
            if fault is not None:
                self._fault(game, *fault)

    def text(self) -> str:
        """All of it as JSON, the same for the same counts."""
        data = {
            "count": self.count,
            "values": self.values,
            "differences": self.differences,
            "faults": self.faults,
        }
        return json.dumps(data, sort_keys=True, separators=(",", ":"))

    def _fault(self, game: int, number: int, what: str, times: int) -> None:
        known = self.faults[game]
        if known is None:
            self.faults[game] = (number, what, times)
        else:
            self.faults[game] = (*min(known[:2], (number, what)), known[2] + times)

    def summary(self, game: int, measure: str, over: int = 1) -> Summary:
        """The summary of a measure in a game."""
        return summary(self.values[game].get(measure, {}), self.count, over)

    def difference(self, game: int, measure: str, over: int = 1) -> Summary:
        """The summary of the differences of a game from the first one."""
        return summary(self.differences[game].get(measure, {}), self.count, over)

    def measures(self) -> tuple[str, ...]:
        """All that was measured in any game, by name."""
        return tuple(sorted({name for counts in self.values for name in counts}))

    def histogram(self, game: int, measure: str) -> dict[int, int]:
        """The number of games for each value, in order of the values."""
        counter = self.values[game].get(measure, Counter[int]())
        rest = self.count - sum(counter.values())
        found = {**counter, **({0: counter[0] + rest} if rest or counter[0] else {})}
        return dict(sorted(found.items()))


def tally_of(text: str) -> Tally:
    """The tally that a text holds. Raises ValueError when it holds none."""
    data = json.loads(text)
    try:
        found = Tally(len(data["values"]))
        found.count = data["count"]
        if type(found.count) is not int or found.count < 0:
            raise ValueError("the games are not counted by a whole number")
        found.values = [_counts(game, found.count) for game in data["values"]]
        found.differences = [_counts(game, found.count) for game in data["differences"]]
        found.faults = [None if x is None else (x[0], x[1], x[2]) for x in data["faults"]]
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError):
        raise ValueError("not a tally") from None
    kinds = {tuple(map(type, fault)) for fault in found.faults if fault is not None}
    if len(found.differences) != len(found.values) or len(found.faults) != len(found.values):
        raise ValueError("this is a tally of different numbers of games")
    if kinds - {(int, str, int)} or any(x is not None and x[2] < 1 for x in found.faults):
        raise ValueError("a fault has another form")
    return found


def _counts(data: Mapping[str, Mapping[str, int]], count: int) -> Counts:
    """The counters of one game by measure; each counts at most `count` games."""
    found: Counts = defaultdict(Counter)
    for name, values in data.items():
        found[name] = Counter({int(value): times for value, times in values.items()})
    for counter in found.values():
        if any(type(times) is not int or times < 1 for times in counter.values()):
            raise ValueError("something is not counted by whole numbers")
        if counter.total() > count:
            raise ValueError("something is counted in more games than there are")
        if any(abs(value) > LARGEST_MEASURE for value in counter):
            raise ValueError("something is larger than anything that is measured")
    return found


#: of a hundred games
SHARES = (0, 5, 25, 50, 75, 95, 100)


def quantiles(histogram: Mapping[int, int]) -> tuple[int, ...]:
    """The values that so many of a hundred games (`SHARES`) do not exceed."""
    count = sum(histogram.values())
    found: list[int] = []
    for share in SHARES:
        seen = 0
        for value, times in histogram.items():
            seen += times
            if seen * 100 >= share * count and times:
                found.append(value)
                break
    return tuple(found)


def _count_all(counts: Counts, name: str, values: Iterable[int]) -> None:
    counts[name].update(values)
    counts[name].pop(0, None)


def _count(counts: Counts, found: Mapping[str, int]) -> None:
    for name, value in found.items():
        counter = counts[name]
        if value:
            counter[value] += 1
