"""How fast random games are played, on one core, next to a small hand-written loop.

    python benchmarks/random_play.py [--games N] [--rounds N]

Every figure is the median of several rounds in which all rows are run in turn, since machines are
noisy; the ratio to the hand-written loop is the figure to compare. Policy: uniform over placements,
then uniform over the follower options, a pass among them; two players, farmers on.
"""

from __future__ import annotations

import argparse
import signal
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import hand_written
from inert import INERT_MODULE, INERT_PIECES, INERT_RULES, INERT_TILES
from turn_in_python import turn_in_python

from tilewright.compiling.compile_game import compile_game
from tilewright.linking.game import Game
from tilewright.reading.library import Library
from tilewright.runtime.match import Match
from tilewright.runtime.new_match import start_match
from tilewright.runtime.program import Program
from tilewright.tools.persistence.saves import save_text
from tilewright.tools.workspace.loading import load_game

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


def game(text: str, library: Library | None = None) -> Game:
    """A linked game; diagnostics end the benchmark."""
    found, reporter = load_game(text, None, library)
    if found is None:
        raise SystemExit("\n".join(map(str, reporter.diagnostics)))
    return found


def play(program: Program, seed: int, rnd: Callable[[], float]) -> Match:
    """One random game to its end."""
    match = start_match(program, 2, seed)
    choose = match.choose_number
    while match.to_move >= 0:
        choose(int(rnd() * match.count))
    return match


def many(program: Program, games: int) -> float:
    """CPU seconds for so many random games."""
    rnd = Random(1).random
    begin = time.process_time()
    for seed in range(games):
        play(program, seed, rnd)
    return time.process_time() - begin


def many_by_hand(setup: Any, games: int) -> float:
    """CPU seconds for so many games of the hand-written loop."""
    begin = time.process_time()
    for seed in range(games):
        hand_written.play(setup, seed)
    return time.process_time() - begin


def larger(found: Game, times: int) -> Program:
    """The same game with so many copies of every tile."""
    return compile_game(
        replace(found, pieces=tuple(replace(p, count=p.count * times) for p in found.pieces))
    )


def with_inert_ruleset() -> Program:
    """Base and farmers with a ruleset whose conditions are evaluated and never hold."""
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "house" / "inert"
        (own / "rules").mkdir(parents=True)
        (own / "module.yaml").write_text(INERT_MODULE)
        (own / "components.yaml").write_text(INERT_PIECES)
        (own / "tiles.yaml").write_text(INERT_TILES)
        (own / "rules" / "inert.yaml").write_text(INERT_RULES)
        return compile_game(game(f"{FARMERS}+house/inert", Library([Path(folder)])))


def in_python(found: Game) -> Program:
    """Base and farmers with the turn written in Python in place of the compiled steps."""
    program = compile_game(found)
    program.units[1] = turn_in_python(program)
    return program


def shares(program: Program, seconds: float) -> Counter[str]:
    """Where the time goes, by sampling."""
    found: Counter[str] = Counter()

    def sample(_: int, frame: FrameType | None) -> None:
        if frame is not None:
            found[_part(frame)] += 1

    signal.signal(signal.SIGPROF, sample)
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    rnd = Random(1).random
    end = time.process_time() + seconds
    seed = 0
    while time.process_time() < end:
        play(program, seed, rnd)
        seed += 1
    signal.setitimer(signal.ITIMER_PROF, 0)
    return found


def _part(frame: FrameType) -> str:
    code = frame.f_code
    name, file = code.co_name, code.co_filename
    if file.endswith(".yaml"):
        return "compiled rules"
    if file.startswith("<") and name != "lay_cell":
        return "flow of the turn"
    if name == "lay_cell" or file.endswith("board.py"):
        options = ("count", "locate", "placements", "accepts", "_listing", "fits")
        return "options" if name in options else "board and features"
    if file.endswith(("runtime/library.py", "runtime/sets.py")):
        return "compiled rules"
    if file.endswith("match.py"):
        return "match (choices, chance, figures)"
    return "chooser"


def microseconds(task: Callable[[], object], times: int) -> float:
    """The best of five, per call."""
    best = 1e9
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(times):
            task()
        best = min(best, time.perf_counter() - begin)
    return best / times * 1e6


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--games", type=int, default=300, help="games a round (default 300)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds (default 7)")
    asked = parser.parse_args()
    farmers, dragon, fairy = game(FARMERS), game(DRAGON), game(FAIRY)
    bag, kinds, start = hand_written.tables(farmers.pieces)
    setup = (bag, kinds, start, *hand_written.fit_tables(kinds))
    rows: dict[str, tuple[Callable[[int], float], int, int]] = {
        "hand-written loop": (lambda n: many_by_hand(setup, n), asked.games, 71),
    }
    programs = {
        "base + farmers": (compile_game(farmers), asked.games, 71),
        "same, turn in Python": (in_python(farmers), asked.games, 71),
        "same, inert ruleset added": (with_inert_ruleset(), asked.games, 71),
        "+ Princess & Dragon": (compile_game(dragon), asked.games // 2, 101),
        "C3.1 Dragon & Fairy": (compile_game(fairy), asked.games // 2, 92),
        "all of C2": (compile_game(game(LARGEST)), asked.games // 3, 154),
        "all of C3.1": (compile_game(game(LARGEST_C3)), asked.games // 3, 127),
        "base + farmers, 504 tiles": (larger(farmers, 7), max(asked.games // 10, 1), 503),
    }
    for name, (program, games, turns) in programs.items():
        rows[name] = (lambda n, p=program: many(p, n), games, turns)  # type: ignore[misc]
    for run, games, _ in rows.values():
        run(max(games // 10, 1))
    speeds: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(asked.rounds):
        for name, (run, games, _) in rows.items():
            speeds[name].append(games / run(games))
    hand = speeds["hand-written loop"]
    print(f"{'':28}{'games/s':>9}{'range':>16}{'placements/s':>14}{'us/turn':>9}{'ratio':>7}")
    for name, (_, _, turns) in rows.items():
        row = speeds[name]
        middle = statistics.median(row)
        ratio = statistics.median(a / b for a, b in zip(row, hand, strict=True))
        print(
            f"{name:28}{middle:9.0f}{f'{min(row):.0f}-{max(row):.0f}':>16}"
            f"{middle * turns:14.0f}{1e6 / middle / turns:9.2f}{ratio:7.2f}"
        )
    print()
    small, big = speeds["base + farmers"], speeds["base + farmers, 504 tiles"]
    growth = statistics.median(
        (1 / b / 503) / (1 / s / 71) for s, b in zip(small, big, strict=True)
    )
    inert = statistics.median(
        s / i for s, i in zip(small, speeds["same, inert ruleset added"], strict=True)
    )
    data = statistics.median(
        p / s for s, p in zip(small, speeds["same, turn in Python"], strict=True)
    )
    print(f"a turn of 504 tiles costs {growth:.2f} times a turn of 72")
    print(f"a ruleset that does nothing costs {100 * (inert - 1):.1f} percent")
    print(f"steps and actions as data cost {100 * (data - 1):.1f} percent against Python")
    found = shares(programs["base + farmers"][0], 4)
    total = sum(found.values())
    print("\nwhere the time goes (base + farmers):")
    for part, count in found.most_common():
        print(f"  {part:36}{100 * count / total:5.1f} %")
    match = start_match(programs["base + farmers"][0], 2, 1)
    rnd = Random(2).random
    while len(match.board.tile_cell) < 40:
        match.choose_number(int(rnd() * match.count))
    print("\nat 40 tiles, in microseconds:")
    print(f"  fork {microseconds(match.fork, 2000):.1f}")
    print(f"  hash of the position {microseconds(match.digest, 2000):.1f}")
    print(f"  save as JSON {microseconds(lambda: save_text(match), 200):.0f}")
    begin = time.perf_counter()
    library = Library()
    for text in library.ids():
        game(text, library)
    took = time.perf_counter() - begin
    print(f"\nreading, checking and linking all {len(library.ids())} rulesets: {took:.2f} s")


if __name__ == "__main__":
    main()
