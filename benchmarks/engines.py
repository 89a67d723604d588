"""The rows of `random_play.py`: what is played, by which engine, and how long it takes.

A row has a function that plays so many units (games, or choices of a bot) and returns the CPU
seconds. Rows are run in turn with the hand-written loop for some rounds, and the median of the
ratios is the figure to compare, since machines are noisy. Policy of random games: uniform over
placements, then uniform over the follower options, a pass among them; two players.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from typing import Any, Literal

import hand_written

from tilewright.play.bots.base import greedy_bot, play_out
from tilewright.play.bots.mcts import mcts_bot
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.compiling.native import native_game
from tilewright.play.native.engine import VARIABLE
from tilewright.play.native.games import NativeGame, lots, native_module, seed_number
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.simulation.run import Plan, PlanPrograms, make_plan, simulate
from tilewright.tools.workspace.loading import load_game

Engine = Literal["native", "python", "by hand"]

FARMERS = "c2/farmers"
DRAGON = "c2/farmers+c2/princess-and-dragon"
FAIRY = "c3/farmers+c3.1/dragon-and-fairy"
#: everything of the second edition together, 156 pieces
LARGEST = "+".join(
    (
        "c2/abbot",
        "c2/farmers",
        "c2/inns-and-cathedrals",
        "c2/princess-and-dragon",
        "c2/river",
        "c2/traders-and-builders",
    )
)
LARGEST_C3 = (
    "c3/abbot+c3/farmers+c3/river-two-lakes+c3.1/dragon-and-fairy+c3.1/traders-and-builders"
)
#: ten boxes of the second edition, 196 pieces
TEN_BOXES = "+".join(
    (
        "c2/crop-circles",
        "c2/ferries",
        "c2/flying-machines",
        "c2/gold-mines",
        "c2/inns-and-cathedrals",
        "c2/king-and-robber",
        "c2/princess-and-dragon",
        "c2/river",
        "c2/shrines",
        "c2/traders-and-builders",
    )
)
TEN_BOXES_PIECES = 250
EVERY = "every box of C2"
#: all boxes of the second edition that can be played together
_BOXES = (
    "abbey-and-mayor abbot bazaars big-top bridges bridges-castles-bazaars castles count "
    "crop-circles darmstadt farmers ferries festival flying-machines games-quarterly gold-mines "
    "hills-and-sheep inns-and-cathedrals king-and-robber labyrinth little-buildings "
    "mage-and-witch messengers monasteries phantom princess-and-dragon river robbers "
    "russian-promos shrines siege tower traders-and-builders tunnel watchtowers wind-roses"
)
EVERY_BOX = "+".join(f"c2/{box}" for box in _BOXES.split())
RANDOM_GAMES = {
    "base and farmers": FARMERS,
    "with The Princess & the Dragon": DRAGON,
    "C3.1, The Dragon & the Fairy": FAIRY,
    "all of C2": LARGEST,
    "all of C3.1": LARGEST_C3,
    EVERY: EVERY_BOX,
    "house rule no-joining-of-rivals": "c2/farmers+house/no-joining-of-rivals",
    "house rule mercy-for-the-last": "c2/farmers+house/mercy-for-the-last",
}
HAND = "hand-written loop"
#: the match at which a bot with rollouts chooses: the turn at which it is measured
_TURN = 30


@dataclass
class Row:
    """One line of the table. `run` plays so many units and returns the CPU seconds.

    A slow row is measured in the first round alone: one unit of it takes about a second or more.
    """

    name: str
    engine: Engine
    run: Callable[[int], float]
    unit: str = "games"
    is_slow: bool = False
    speeds: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    many: int = 1

    @property
    def speed(self) -> float:
        """The median of the units a second."""
        return statistics.median(self.speeds)

    @property
    def ratio(self) -> float:
        """The median of the ratios to the hand-written loop."""
        return statistics.median(self.ratios)


def linked(text: str, library: Library | None = None) -> Game:
    """A linked game; diagnostics end the benchmark."""
    found, reporter = load_game(text, None, library)
    if found is None:
        raise SystemExit("\n".join(map(str, reporter.diagnostics)))
    return found


def with_copies(found: Game, pieces: int) -> Game:
    """The game with so many pieces: one more copy in turn of each that it has twice or more."""
    counts = {piece.id: piece.count for piece in found.pieces}
    common = [piece.id for piece in found.pieces if piece.count > 1 and not piece.stack]
    for number in range(pieces - sum(counts.values())):
        counts[common[number % len(common)]] += 1
    return replace(found, pieces=tuple(replace(p, count=counts[p.id]) for p in found.pieces))


@contextmanager
def played_by(engine: Engine) -> Iterator[None]:
    """Choose the engine of tools and bots."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = engine
    try:
        yield
    finally:
        os.environ.pop(VARIABLE)
        if before is not None:
            os.environ[VARIABLE] = before


def timed(engine: Engine, play: Callable[[int], object]) -> Callable[[int], float]:
    """CPU seconds of `play`, which gets the numbers 0, 1, 2 ... of the units."""

    def run(many: int) -> float:
        with played_by(engine):
            begin = time.process_time()
            for number in range(many):
                play(number)
            return time.process_time() - begin

    return run


def by_hand(farmers: Game) -> Row:
    """The hand-written loop."""
    bag, kinds, start = hand_written.tables(farmers.pieces)
    setup: Any = (bag, kinds, start, *hand_written.fit_tables(kinds))

    def run(many: int) -> float:
        begin = time.process_time()
        for seed in range(many):
            hand_written.play(setup, seed)
        return time.process_time() - begin

    return Row(HAND, "by hand", run)


def random_in_python(name: str, program: Program) -> Row:
    """Random games of the Python engine."""
    rnd = Random(1).random

    def play(seed: int) -> None:
        match = start_match(program, 2, seed)
        choose = match.choose_number
        while match.to_move >= 0:
            choose(int(rnd() * match.count))

    return Row(name, "python", timed("python", play))


def random_natively(name: str, game: NativeGame) -> Row:
    """Random games within the native core."""
    match, chance = native_module().Match(game.core, 2), lots([1])

    def play(seed: int) -> None:
        if not match.start(seed_number(seed)) or match.play_random(chance) is None:
            raise SystemExit(f"{name}: a rule could not be carried out in the core")

    return Row(name, "native", timed("native", play))


def chosen_in_python(game: NativeGame) -> Row:
    """Random games of the native core, with each choice made in Python."""
    match, rnd = native_module().Match(game.core, 2), Random(1).random

    def play(seed: int) -> None:
        match.start(seed_number(seed))
        choose = match.choose
        while match.to_move >= 0:
            choose(int(rnd() * match.count))

    return Row("chooser in Python, base and farmers", "native", timed("native", play))


def greedy_games(name: str, program: Program, engine: Engine, *, is_slow: bool = False) -> Row:
    """Games between two greedy bots."""

    def play(seed: int) -> None:
        play_out(start_match(program, 2, seed), [greedy_bot(), greedy_bot()])

    return Row(name, engine, timed(engine, play), is_slow=is_slow)


def searches(program: Program, engine: Engine) -> Row:
    """Choices of a bot with 1,000 rollouts in the middle of a random game."""
    match, rnd = start_match(program, 2, 1), Random(1).random
    while match.turn < _TURN:
        match.choose_number(int(rnd() * match.count))
    numbers = count()

    def play(_: int) -> None:
        mcts_bot(1000, seed=next(numbers))(match)

    name = "mcts:1000, base and farmers"
    return Row(name, engine, timed(engine, play), "choices", engine == "python")


def simulated(engine: Engine) -> Row:
    """Games of `simulate` with random bots and all measures, in one process."""
    library = Library()

    def run(many: int) -> float:
        plan = make_plan(library, (FARMERS,), count=max(many, 10))
        assert isinstance(plan, Plan)
        with played_by(engine):
            bench = PlanPrograms(plan, library)
            bench.prepare()
            begin = time.process_time()
            simulate(bench)
            return (time.process_time() - begin) * many / max(many, 10)

    return Row("simulate, base and farmers", engine, run)


def rows(*, slow: bool, has_core: bool) -> Iterator[Row]:
    """All rows of the table; the slow ones take seconds a unit."""
    programs = {name: compile_game(linked(text)) for name, text in RANDOM_GAMES.items()}
    ten_boxes = with_copies(linked(TEN_BOXES), TEN_BOXES_PIECES)
    programs[f"ten boxes, {TEN_BOXES_PIECES} tiles"] = compile_game(ten_boxes)
    base, largest = programs["base and farmers"], programs["all of C2"]
    yield by_hand(base.game)
    engines: tuple[Engine, ...] = ("native", "python") if has_core else ("python",)
    for engine in engines:
        for name, program in programs.items():
            game = native_game(program) if engine == "native" else None
            if isinstance(game, NativeGame):
                yield random_natively(name, game)
                if name == "base and farmers":
                    yield chosen_in_python(game)
            elif engine == "python":
                row = random_in_python(name, program)
                row.is_slow = name == EVERY
                yield row
        yield simulated(engine)
        yield greedy_games("greedy against greedy, base and farmers", base, engine)
        if engine == "native" or slow:
            is_slow = engine == "python"
            yield greedy_games("greedy against greedy, all of C2", largest, engine, is_slow=is_slow)
        yield searches(base, engine)


def measure(table: Sequence[Row], rounds: int, seconds: float) -> None:
    """Run all rows in turn; each takes about so many CPU seconds a round."""
    for row in table:
        row.run(1)
        took = row.run(1)
        while took < seconds / 20 and row.many < 1 << 20:
            row.many *= 4
            took = row.run(row.many)
        row.many = max(1, round(row.many * seconds / max(took, 1e-6)))
    for number in range(rounds):
        for row in table:
            if row.is_slow and number:
                continue
            row.speeds.append(row.many / row.run(row.many))
            row.ratios.append(row.speeds[-1] / table[0].speeds[-1])
