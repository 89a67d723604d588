"""Games of a simulation: played by bots to their end, and measured.

Every measurement is a whole number, so a million games add up to the same result in any order.
Fractions are kept in hundredths, and `Measure.over` is their divisor. Draws depend on seed and
number alone: every game of a comparison has the same pieces in the same order, and bots begin with
the same random numbers. Games between random and greedy bots are played and counted by the native
core in batches, with the same results; one that the core cannot play to its end is reported, and
the caller plays it in Python.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tilewright.play.bots.base import DEPTH
from tilewright.play.bots.named import bot_named
from tilewright.play.common_draws import deal, own_numbers
from tilewright.play.compiling.bytecode.instructions import NotCarried
from tilewright.play.compiling.native import InPython, announcing, counting_game, native_game
from tilewright.play.fact_rows import NONE, numbers_of
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.native.games import NativeGame, simulator
from tilewright.play.new_match import reached_beforehand, start_match, undealt
from tilewright.play.program import ANNOUNCE, Program
from tilewright.rules.linking.elaborate.measures import A_TURN
from tilewright.tools.explanation.score_log import items_of, step_in, step_of
from tilewright.tools.simulation.tally_forms import counted

#: a game that takes more choices does not end
MAX_CHOICES = 50_000
#: the unit of a mean within one game
HUNDREDTHS = 100


@dataclass(frozen=True, slots=True)
class Scoring:
    """One item of one award. `award` counts the awards of a game; `source` is the kind of feature
    that the points were given for, or nothing."""

    award: int
    turn: int
    step: str
    player: int
    points: int
    rule: str
    item: str
    item_rule: str
    source: str


@dataclass(frozen=True, slots=True)
class Played:
    """One game: its measures by id, its scorings if they are kept, or why it could not go on.

    `cause` is the fault of a rule that stopped it, where one did; records keep its words alone.
    """

    number: int
    measures: dict[str, int]
    scorings: tuple[Scoring, ...] = ()
    fault: str = ""
    cause: RuleError | None = None


def play_game(
    program: Program,
    players: int,
    bots: Sequence[str],
    seed: str,
    number: int,
    *,
    keep_scorings: bool = False,
    counting: Program | None = None,
) -> Played:
    """Play game `number` of a seed and measure it.

    `bots` go round: what the first one is in game 0, the second one is in game 1. With `counting`,
    the same game compiled with probes, it is also counted how often each rule was carried out.
    """
    chance = f"{seed}/{number}"
    watch = _Watch(program)
    seated = seats_of(bots, number)
    choosers = [bot_named(bot, f"{chance}/{player}") for player, bot in enumerate(seated)]

    def prepared(match: Match) -> None:
        deal(match, chance)
        match.listeners = (watch,)

    choices, offered = 0, 0
    try:
        match = start_match(program, players, chance, prepared=prepared)
        while match.to_move >= 0:
            choices += 1
            offered += match.count
            if choices > MAX_CHOICES:
                return Played(number, {}, fault=f"it has not ended after {MAX_CHOICES} choices")
            match.choose_number(choosers[match.to_move](match))
        winners = match.winners()
    except RuleError as fault:
        message = f"the rules cannot be carried out: {fault}"
        return Played(number, {}, fault=message, cause=fault.with_traceback(None))
    watch.measure("", match)
    points = list(match.points)
    ranked = sorted(points, reverse=True)
    found = {
        "points": sum(points),
        "margin": ranked[0] - ranked[1] if players > 1 else 0,
        "shared": int(len(winners) > 1),
        "turns": match.turn,
        "choices": choices,
        "length": length_of(choices, match.turn),
        "options": HUNDREDTHS * offered // max(choices, 1),
        "idle": HUNDREDTHS * watch.idle // max(match.turn, 1),
    }
    found |= {f"declared.{id_}": value for id_, value in watch.measured.items()}
    found |= by_seat(points, winners, seated)
    found |= by_source(watch.scorings)
    if counting is not None:
        for rule, times in rules_carried_out(counting, players, chance, match.log).items():
            found[f"fired.{rule}"] = times
    return Played(number, found, tuple(watch.scorings) if keep_scorings else ())


def length_of(choices: int, turns: int) -> int:
    """The mean number of decisions in a turn, in hundredths."""
    return HUNDREDTHS * choices // max(turns, 1)


def seats_of(bots: Sequence[str], number: int) -> tuple[str, ...]:
    """Which bot sits where in a game: they go round."""
    return tuple(bots[(player + number) % len(bots)] for player in range(len(bots)))


def by_seat(points: Sequence[int], winners: Sequence[int], seated: Sequence[str]) -> dict[str, int]:
    """The measures of seats, and of bots where there are several."""
    found: dict[str, int] = {}
    for player, bot in enumerate(seated):
        won = int(player in winners)
        found[f"seat.{player}.points"] = points[player]
        found[f"seat.{player}.wins"] = won
        if len(set(seated)) > 1:
            for name, value in ((f"bot.{bot}.points", points[player]), (f"bot.{bot}.wins", won)):
                found[name] = found.get(name, 0) + value
    return found


def by_source(scorings: Sequence[Scoring]) -> dict[str, int]:
    """The points of all players by source and by rule."""
    found: dict[str, int] = {}
    for scoring in scorings:
        source = scoring.source or scoring.item_rule
        for name in (f"source.{source}", f"rule.{scoring.item_rule}"):
            found[name] = found.get(name, 0) + scoring.points
    return found


def rules_carried_out(
    program: Program, players: int, chance: str, log: Sequence[int]
) -> dict[str, int]:
    """How often each rule was carried out in a game and its setup, by playing its log again."""
    before = Counter(reached_beforehand(program, players))

    def prepared(match: Match) -> None:
        deal(match, chance)
        program.reached.clear()

    match = start_match(program, players, chance, prepared=prepared)
    for entry in log:
        if entry >= 0:
            match.choose_number(entry)
    return {rule: times for rule, times in (before + Counter(program.reached)).items() if times}


#: by what something is measured on: its id, its condition and its value, compiled
Meters = dict[str, list[tuple[str, Callable[..., Any] | None, Callable[..., Any]]]]


def meters_of(program: Program) -> Meters:
    """The compiled measures of a game's rulesets."""
    found: Meters = {}
    for measure in program.game.measures:
        names = measure.parameters
        when = None if measure.when is None else program.evaluator(measure.when, names)
        value = program.evaluator(measure.value, names)
        found.setdefault(measure.declaration.on, []).append((measure.id, when, value))
    return found


class _Watch:
    """Listens to one game."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.meters = program.cached(meters_of)
        self.measured = {measure.id: 0 for measure in program.game.measures}
        self.handlers: dict[str, Callable[..., None]] = {
            **{ANNOUNCE + event: partial(self.measure, event) for event in self.meters},
            "turn": self.turn,
            "award": self.award,
        }
        self.scorings: list[Scoring] = []
        self.awards = 0
        self.idle = 0

    def __call__(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        handler = self.handlers.get(event)
        if handler is not None:
            handler(match, *facts)

    def turn(self, match: Match, active: int) -> None:
        """A turn begins."""
        self.idle += (match.in_supply & match.of_player[active]).bit_count()
        self.measure(A_TURN, match)

    def measure(self, event: str, match: Match, *facts: Any) -> None:
        """Add what the rulesets count on an event, at a turn's beginning, or at the end."""
        for id_, when, value in self.meters.get(event, ()):
            if when is None or when(match, *facts):
                self.measured[id_] += value(match, *facts)

    def award(
        self, match: Match, points: int, player: int, feature: int | None, site: int, held: Any
    ) -> None:
        """Record the items of an award."""
        place = match.program.sites[site]
        source = ""
        if feature is not None:
            source = self.program.shapes.kind_ids[match.board.kind[feature]]
        step = step_of(match, place)
        for item in items_of(match, place, points, held, with_facts=False):
            if item.points:
                self.scorings.append(
                    Scoring(
                        self.awards,
                        match.turn,
                        step,
                        player,
                        item.points,
                        place.rule,
                        item.name,
                        item.rule,
                        source,
                    )
                )
        self.awards += 1


# ------------------------------------------------------------------ games of the native core


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
