"""One game of a simulation: played by bots to its end, measured by a listener.

Every measurement is a whole number, so a million games add up to the same result in any order.
Fractions are kept in hundredths, and `Measure.over` is their divisor. Draws depend on seed and
number alone: every game of a comparison has the same pieces in the same order, and bots begin with
the same random numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tilewright.play.bots.named import bot_named
from tilewright.play.common_draws import deal
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.new_match import reached_beforehand, start_match
from tilewright.play.program import ANNOUNCE, Program
from tilewright.rules.linking.elaborate.measures import A_TURN
from tilewright.tools.explanation.score_log import items_of, step_of

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
