"""Games between random and greedy bots, played and counted by the native core in batches.

The results are those of `play_game` for the same numbers. A game that the core cannot play to its
end is reported, and the caller plays it in Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tilewright.play.bots.base import DEPTH
from tilewright.play.common_draws import own_numbers
from tilewright.play.compiling.bytecode.instructions import NotCarried
from tilewright.play.compiling.native import InPython, announcing, counting_game, native_game
from tilewright.play.fact_rows import NONE, numbers_of
from tilewright.play.native.games import NativeGame, simulator
from tilewright.play.new_match import undealt
from tilewright.play.program import Program
from tilewright.tools.explanation.score_log import step_in
from tilewright.tools.simulation.game import Played, Scoring, by_source
from tilewright.tools.simulation.tally_forms import counted

#: the bots that the core plays, each with the depth of its search
NATIVE_BOTS = {"random": 0, "greedy": DEPTH}
#: games of one call between random bots, and between others, so that an interrupt is soon heard
TOGETHER, FEW = 256, 4
_PLAIN = ("points", "margin", "shared", "turns", "choices", "length", "options", "idle")
#: the numbers of a row of an item: award, turn, phase, player, points, entry, kind of feature
_ROW = 7


@dataclass(slots=True)
class Columns:
    """Measures of some games: by measure a number for each game. Those in `always` are measured in
    every game, the others in some. Games in `failed` have zeros.
    """

    numbers: range
    values: dict[str, array[int]] = field(default_factory=dict)
    always: frozenset[str] = frozenset()
    failed: list[int] = field(default_factory=list)
    items: array[int] = field(default_factory=lambda: array("q"))
    ends: list[int] = field(default_factory=list)


class NativeGames:
    """The games of a program between so many bots of one kind, in the core."""

    def __init__(self, program: Program, players: int, bot: str) -> None:
        """Raises NotCarried when Python has to play this game."""
        if program.game.refusal(players):
            raise NotCarried("so many players")
        kept = announcing(program)
        self.program, self.counted = kept, counted(kept)
        game = counting_game(kept, self.counted.tallying)
        if isinstance(game, InPython):
            raise NotCarried(game.reason, game.function)
        depth = NATIVE_BOTS[bot]
        tried = native_game(kept) if depth else None
        plain = tried if isinstance(tried, NativeGame) else None
        self.together = FEW if depth else TOGETHER
        self.core = simulator(game, players, own_numbers(undealt(kept, players)), depth, plain)
        seats = (f"seat.{k}.{name}" for k in range(players) for name in ("points", "wins"))
        declared = (f"declared.{id_}" for id_ in self.counted.measures)
        self.always = (*_PLAIN, *seats, *declared)
        self.names = (*self.always, *self.counted.sums)

    def columns(self, seed: str, numbers: range, *, keeps: bool = False) -> Columns:
        """Play the games with these numbers of a seed; with `keeps` items of awards are kept."""
        found = Columns(numbers, {n: array("q") for n in self.names}, frozenset(self.always))
        seen: set[str] = set()
        for first in range(numbers.start, numbers.stop, self.together):
            many = min(self.together, numbers.stop - first)
            data, had_items, items, ends, failed = self.core.play(seed, first, many, keeps)
            row = numbers_of(data)
            for place, name in enumerate(self.names):
                found.values[name] += row[place * many : (place + 1) * many]
            seen.update(n for n, had in zip(self.counted.sums, had_items, strict=True) if had)
            found.ends += [len(found.items) + end for end in ends]
            found.items += numbers_of(items)
            found.failed += failed
        for name in self.counted.sums:
            if name not in seen:
                del found.values[name]
        return found

    def played(self, columns: Columns) -> Iterator[Played | None]:
        """The games of columns with items, one by one; None for one that failed."""
        begin = 0
        for place, (number, end) in enumerate(zip(columns.numbers, columns.ends, strict=True)):
            scorings = tuple(self._scorings(columns.items[begin:end]))
            begin = end
            if number in columns.failed:
                yield None
                continue
            measures = {name: columns.values[name][place] for name in self.always}
            yield Played(number, measures | by_source(scorings), scorings)

    def _scorings(self, items: Sequence[int]) -> Iterator[Scoring]:
        rows = iter(items)
        kinds = self.program.shapes.kind_ids
        for award, turn, phase, player, points, place, kind in zip(*[rows] * _ROW, strict=True):
            entry = self.counted.entries[place]
            step = step_in(self.program, entry.site, phase)
            source = "" if kind == NONE else kinds[kind]
            rule = entry.site.rule
            yield Scoring(award, turn, step, player, points, rule, entry.item, entry.rule, source)


def native_games(program: Program, players: int, bot: str) -> NativeGames | None:
    """The games of a program in the core; None where Python has to play them."""
    try:
        return NativeGames(program, players, bot)
    except NotCarried:
        return None
