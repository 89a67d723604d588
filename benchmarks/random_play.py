"""How fast games are played by both engines, on one core, next to a small hand-written loop.

    python benchmarks/random_play.py [--json] [--rounds N] [--seconds S] [--slow] [--details]

Each row has its speed, its ratio to the hand-written loop and its engine (`engines.py`). `--slow`
adds greedy bots in plain Python on the largest game; `--details` adds the growth with the number of
tiles, the cost of rules as data, the parts of the time, and forks, hashes and saves, all in plain
Python.
"""

from __future__ import annotations

import argparse
import json
import signal
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import FrameType

from engines import FARMERS, Row, by_hand, linked, measure, random_in_python, rows
from inert import INERT_MODULE, INERT_PIECES, INERT_RULES, INERT_TILES
from turn_in_python import turn_in_python

from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.match import Match
from tilewright.play.native.engine import engine
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.persistence.match_file import match_text


def play(program: Program, seed: int, rnd: Callable[[], float]) -> Match:
    """One random game to its end."""
    match = start_match(program, 2, seed)
    choose = match.choose_number
    while match.to_move >= 0:
        choose(int(rnd() * match.count))
    return match


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
        return compile_game(linked(f"{FARMERS}+house/inert", Library([Path(folder)])))


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
    if file.endswith(("play/library/functions.py", "play/library/sets.py")):
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


def details(rounds: int, seconds: float) -> None:
    """Print what a single game does not show; all of it in plain Python."""
    farmers = linked(FARMERS)
    small, changed, inert, big = (
        random_in_python(name, program)
        for name, program in (
            ("base and farmers", compile_game(farmers)),
            ("the same, turn in Python", in_python(farmers)),
            ("the same, inert ruleset added", with_inert_ruleset()),
            ("base and farmers, 504 tiles", larger(farmers, 7)),
        )
    )
    table = [by_hand(farmers), small, changed, inert, big]
    measure(table, rounds, seconds)
    print()
    print_table(table)

    def times(one: Row, other: Row) -> float:
        return statistics.median(a / b for a, b in zip(one.speeds, other.speeds, strict=True))

    print(f"a turn of 504 tiles costs {times(small, big) * 71 / 503:.2f} times a turn of 72")
    print(f"a ruleset that does nothing costs {100 * (times(small, inert) - 1):.1f} percent")
    data = 100 * (times(changed, small) - 1)
    print(f"steps and actions as data cost {data:.1f} percent against Python")
    program = compile_game(farmers)
    found = shares(program, 4)
    total = sum(found.values())
    print("\nwhere the time goes (base and farmers):")
    for part, count in found.most_common():
        print(f"  {part:36}{100 * count / total:5.1f} %")
    match = start_match(program, 2, 1)
    rnd = Random(2).random
    while len(match.board.tile_cell) < 40:
        match.choose_number(int(rnd() * match.count))
    print("\nat 40 tiles, in microseconds:")
    print(f"  fork {microseconds(match.fork, 2000):.1f}")
    print(f"  hash of the position {microseconds(match.digest, 2000):.1f}")
    print(f"  save as JSON {microseconds(lambda: match_text(match), 200):.0f}")
    begin = time.perf_counter()
    library = Library()
    for text in library.ids():
        linked(text, library)
    took = time.perf_counter() - begin
    print(f"\nreading, checking and linking all {len(library.ids())} rulesets: {took:.2f} s")


def rounded(speed: float) -> str:
    """A speed with four digits that count, without an exponent."""
    return f"{float(f'{speed:.4g}'):,.10g}"


def print_table(table: Sequence[Row]) -> None:
    """Print the rows."""
    print(f"{'':40}{'engine':>8}{'a second':>10}{'range':>18}{'ratio':>8}")
    for row in table:
        spread = f"{rounded(min(row.speeds))}-{rounded(max(row.speeds))}"
        print(
            f"{row.name:40}{row.engine:>8}{rounded(row.speed):>10}{spread:>18}{row.ratio:8.3f}"
            f"  {'' if row.unit == 'games' else row.unit}"
        )


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="rounds (default 7)")
    parser.add_argument(
        "--seconds", type=float, default=0.3, help="CPU seconds of a row in a round (default 0.3)"
    )
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--slow", action="store_true", help="also rows that take a minute")
    parser.add_argument("--details", action="store_true", help="also measure growth and parts")
    asked = parser.parse_args()
    found = engine()
    table = list(rows(slow=asked.slow, has_core=found.name == "native"))
    measure(table, asked.rounds, asked.seconds)
    if asked.json:
        lines = [
            {
                "row": row.name,
                "engine": row.engine,
                f"{row.unit}_per_second": row.speed,
                "ratio": row.ratio,
                "rounds": len(row.speeds),
            }
            for row in table
        ]
        print(json.dumps({"engine": found.reason, "rows": lines}, indent=2))
        return
    print_table(table)
    if asked.details:
        details(asked.rounds, asked.seconds)


if __name__ == "__main__":
    main()
