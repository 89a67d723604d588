"""How cost grows with size, each dimension with its exponent.

    python benchmarks/growth.py [--quick] [--only NAME] [--rounds N] [--json] [--svg FILE]

A row measures one task at several sizes: CPU seconds (with workers: elapsed seconds), the least of
several rounds. The exponent is the slope of the cost against the size, both as logarithms, fitted
by least squares: 0 is constant, 1 linear, 2 quadratic. Fixed costs lower it, so it is also given
for the two largest sizes alone. `--quick` takes few small sizes and one round, and `--svg` draws
all rows. Verbs are measured as new processes with a cache folder of their own.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from html import escape
from pathlib import Path
from random import Random

from engines import random_natively

from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.compiling.native import native_game
from tilewright.play.native.games import NativeGame
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios.batch import run_cases
from tilewright.tools.scenarios.collect import collect
from tilewright.tools.scenarios.runner import Programs
from tilewright.tools.simulation.run import Plan, PlanPrograms, make_plan, simulate
from tilewright.tools.workspace.loading import load_game

FARMERS = "c2/farmers"
SIX_PLAYERS = "c2/farmers+c2/inns-and-cathedrals"
EXPANSIONS = (
    "c2/base", "c2/farmers", "c2/abbot", "c2/inns-and-cathedrals", "c2/river",
    "c2/traders-and-builders", "c2/princess-and-dragon",
)  # fmt: skip

MODULE = """\
id: growth/r{number:04}
kind: house
title: Growth {number}
requires: {{base: c2/base}}
"""
RULES = """\
rules:
  - id: growth_{number}.tiles
    amend: points(x)
    when: x is city and x.size = {size}
    item: growth
    value: 1
"""
#: ten lines; a ruleset has at most 500 rules
PROCEDURE = """\
  - id: growth.pay_{number}
    procedure: "pay_{number}(p: player)"
    do: |
      for x in features {{
        if x is city and x.size = {number} + 2 {{
          award 1 to p
        }} else {{
          stop if x.open_ends > {number}
        }}
      }}
"""
SCENARIO = """\
  - id: growth-{number}
    says: two tiles make a finished city, and its knight brings points
    covers: [growth_0.tiles]
    players: [red, blue]
    board: ["city1 0,0 N"]
    figures: {{red meeple: "0,0/c1"}}
    play:
      - draw city1
      - lay 0,1 S
      - expect: {{gained: {{red: "5 = tiles 4 + growth 1", blue: nothing}}}}
"""


@dataclass(frozen=True)
class Point:
    """The cost of one size."""

    size: float
    cost: float


@dataclass(frozen=True)
class Series:
    """The cost of a task by size. `task` and `size` say what is measured and what grows."""

    name: str
    task: str
    size: str
    unit: str
    points: tuple[Point, ...]

    @property
    def exponent(self) -> float:
        """The slope of the cost against the size, both as logarithms."""
        return slope([(p.size, p.cost) for p in self.points])

    @property
    def last_exponent(self) -> float:
        """The same between the two largest sizes, where fixed costs matter least."""
        return slope([(p.size, p.cost) for p in self.points[-2:]])


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the line of least squares through points (x, y > 0), both as logarithms.

    It is 0 for fewer than two different x.
    """
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    spread = sum((x - mean_x) ** 2 for x, _ in logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / spread if spread else 0.0


# ------------------------------------------------------------------ tasks


def least(task: Callable[[], object], rounds: int) -> float:
    """CPU seconds of a task in this process, the least of so many rounds."""
    found = math.inf
    for _ in range(rounds):
        begin = time.process_time()
        task()
        found = min(found, time.process_time() - begin)
    return found


def verb(words: Sequence[str], cache: str) -> float:
    """CPU seconds of a verb in a new process with this cache folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "tilewright", *words],
        env={**os.environ, "TILEWRIGHT_CACHE": cache},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def linked(text: str, library: Library | None = None) -> Game:
    """A linked game; its diagnostics end the benchmark."""
    found, reporter = load_game(text, {}, library or Library())
    if found is None:
        raise SystemExit("\n".join(map(str, reporter.diagnostics)))
    return found


def larger(game: Game, tiles: int) -> Program:
    """A game with so many copies of every tile that it has about so many tiles."""
    times = max(1, round(tiles / sum(piece.count for piece in game.pieces)))
    pieces = tuple(replace(piece, count=piece.count * times) for piece in game.pieces)
    return compile_game(replace(game, pieces=pieces))


def play(program: Program, players: int, games: int) -> None:
    """Random games to their end."""
    rnd = Random(1).random
    for seed in range(games):
        match = start_match(program, players, seed)
        while match.to_move >= 0:
            match.choose_number(int(rnd() * match.count))


@contextmanager
def house_rules(count: int, scenarios: int = 0) -> Iterator[Path]:
    """A folder with so many small house rules; the first has so many scenarios."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            own = Path(folder) / "growth" / f"r{number:04}"
            (own / "rules").mkdir(parents=True)
            (own / "module.yaml").write_text(MODULE.format(number=number))
            rules = RULES.format(number=number, size=number + 2)
            (own / "rules" / "growth.yaml").write_text(rules)
            if scenarios and not number:
                (own / "scenarios").mkdir()
                listed = "".join(SCENARIO.format(number=each) for each in range(scenarios))
                (own / "scenarios" / "growth.yaml").write_text(f"scenarios:\n{listed}")
        yield Path(folder)


# ------------------------------------------------------------------ dimensions


def tiles(sizes: Sequence[int], rounds: int) -> Iterator[Series]:
    """A turn of random games of base and farmers with more and more tiles, by both engines."""
    game = linked(FARMERS)
    plain, native = [], []
    for size in sizes:
        program = larger(game, size)
        laid = sum(piece.count for piece in program.game.pieces)
        games = max(1, 1000 // laid)
        cost = least(lambda: play(program, 2, games), rounds) / games  # noqa: B023
        plain.append(Point(laid, cost / laid))
        carried = native_game(program)
        if isinstance(carried, NativeGame):
            row = random_natively("growth", carried)
            cost = min(row.run(10 * games) for _ in range(rounds)) / games / 10
            native.append(Point(laid, cost / laid))
    yield Series("tiles", "a turn of a random game", "tiles in the game", "s", tuple(plain))
    if native:
        yield Series("tiles", "the same, native", "tiles in the game", "s", tuple(native))


def library(sizes: Sequence[int], rounds: int) -> Iterator[Series]:
    """Checking one of many house rules, with an empty cache and again; and checking all."""
    cold, warm, every = [], [], []
    for size in sizes:
        with house_rules(size) as folder:
            one = ("check", "growth/r0000", "--with", str(folder))
            fresh, again = [], []
            for _ in range(rounds):
                with tempfile.TemporaryDirectory() as cache:
                    fresh.append(verb(one, cache))
                    again.append(verb(one, cache))
            cold.append(Point(size, min(fresh)))
            warm.append(Point(size, min(again)))
            if size <= 100:
                with tempfile.TemporaryDirectory() as cache:
                    every.append(Point(size, verb(("check", str(folder)), cache)))
    label = "house rules beside the shipped rulesets"
    yield Series("library", "check of one ruleset, empty cache", label, "s", tuple(cold))
    yield Series("library", "check of one ruleset, second time", label, "s", tuple(warm))
    yield Series("library", "check of all house rules", label, "s", tuple(every))


def lines(sizes: Sequence[int], rounds: int) -> Iterator[Series]:
    """Checking a house rule whose file of rules is longer and longer, and again after an edit."""
    cold, edited = [], []
    for size in sizes:
        with house_rules(1) as folder, tempfile.TemporaryDirectory() as cache:
            file = next(folder.rglob("rules/growth.yaml"))
            procedures = "".join(PROCEDURE.format(number=n) for n in range(size // 10))
            file.write_text(f"rules:\n{procedures}")
            one = ("check", "growth/r0000", "--with", str(folder))
            fresh, again = [], []
            for number in range(rounds):
                cold_cache = f"{cache}/{number}"
                fresh.append(verb(one, cold_cache))
                text = file.read_text()
                file.write_text(text.replace("award 1 to p", f"award {number + 2} to p", 1))
                again.append(verb(one, cold_cache))
            cold.append(Point(size, min(fresh)))
            edited.append(Point(size, min(again)))
    label = "lines in a file of rules"
    yield Series("lines", "check of its ruleset, empty cache", label, "s", tuple(cold))
    yield Series("lines", "the same after an edit", label, "s", tuple(edited))


def mixes(most: int) -> list[str]:
    """Games of 1 to `most` rulesets: all expansions of the second edition, then house rules."""
    library = Library()
    ids, found = [EXPANSIONS[0]], [EXPANSIONS[0]]
    house = (id_ for id_ in library.ids() if id_.startswith(("house/", "variants/")))
    for id_ in (*EXPANSIONS[1:], *house):
        if len(ids) == most:
            break
        text = "+".join((*ids, id_))
        game, _ = load_game(text, {}, library)
        # a ruleset that brings others with it would add more than one
        if game is not None and len(game.rulesets) == len(ids) + 1:
            ids.append(id_)
            found.append(text)
    return found


def rulesets(sizes: Sequence[int], rounds: int) -> Iterator[Series]:
    """Linking, compiling and playing games of more and more rulesets."""
    texts, library = mixes(max(sizes)), Library()
    linking, compiling, playing = [], [], []
    for size in sizes:
        text = texts[size - 1]
        game = linked(text, library)
        linking.append(Point(size, least(lambda: linked(text, library), rounds)))  # noqa: B023
        compiling.append(Point(size, least(lambda: compile_game(game), rounds)))  # noqa: B023
        program = compile_game(game)
        cost = least(lambda: play(program, 2, 5), rounds) / 5  # noqa: B023
        playing.append(Point(size, cost))
    label = "rulesets in one game"
    yield Series("rulesets", "linking", label, "s", tuple(linking))
    yield Series("rulesets", "compiling", label, "s", tuple(compiling))
    yield Series("rulesets", "a random game", label, "s", tuple(playing))


def scenarios(sizes: Sequence[int], rounds: int) -> Iterator[Series]:
    """Reading and running the scenarios of one ruleset."""
    points = []
    for size in sizes:
        with house_rules(1, size) as folder:
            points.append(Point(size, least(lambda: run_scenarios(folder, size), rounds)))  # noqa: B023
    yield Series("scenarios", "test of one ruleset", "its scenarios", "s", tuple(points))


def run_scenarios(folder: Path, count: int) -> None:
    """Read and run all scenarios of the first house rule; a failed one ends the benchmark."""
    library = Library([folder])
    cases = collect(("growth/r0000",), library).cases
    runs, _ = run_cases(cases, Programs(library))
    problems = [problem for run in runs for problem in run.problems]
    if problems or len(runs) != count:
        raise SystemExit("\n".join(map(str, problems)) or f"{len(runs)} of {count} scenarios")


def players(sizes: Sequence[int], rounds: int) -> Iterator[Series]:
    """Random games of more and more players."""
    program = compile_game(linked(SIX_PLAYERS))
    points = []
    for size in sizes:
        cost = least(lambda: play(program, size, 10), rounds) / 10  # noqa: B023
        points.append(Point(size, cost))
    yield Series("players", "a random game", "players", "s", tuple(points))


def workers(sizes: Sequence[int], rounds: int) -> Iterator[Series]:
    """Simulating the same games in more processes; elapsed time, unlike all other rows."""
    games = 300 if rounds > 1 else 40
    points = []
    for size in sizes:
        took = math.inf
        for _ in range(rounds):
            plan = make_plan(Library(), (FARMERS,), count=games)
            assert isinstance(plan, Plan)
            begin = time.perf_counter()
            simulate(PlanPrograms(plan, Library()), jobs=size)
            took = min(took, time.perf_counter() - begin)
        points.append(Point(size, took))
    yield Series("workers", f"{games} simulated games, elapsed", "processes", "s", tuple(points))


Dimension = Callable[[Sequence[int], int], Iterator[Series]]
#: by name: what measures it, its sizes, and those of `--quick`
DIMENSIONS: dict[str, tuple[Dimension, tuple[int, ...], tuple[int, ...]]] = {
    "tiles": (tiles, (72, 144, 288, 504, 1008, 2016), (72, 144)),
    "library": (library, (1, 10, 30, 100, 350, 1350), (1, 10)),
    "lines": (lines, (100, 300, 1000, 5000), (100,)),
    "rulesets": (rulesets, (1, 2, 3, 5, 7, 9, 12), (1, 3)),
    "scenarios": (scenarios, (10, 30, 100, 300, 1000), (10, 30)),
    "players": (players, (2, 3, 4, 5, 6), (2, 4)),
    "workers": (workers, (1, 2), (1, 2)),
}


# ------------------------------------------------------------------ output


def table(found: Sequence[Series]) -> str:
    """All rows as Markdown: sizes, milliseconds at each, and the exponent."""
    lines = [
        "| grows | task | sizes | ms | exponent | between the last two |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for each in found:
        sizes = ", ".join(f"{p.size:,.0f}" for p in each.points)
        costs = ", ".join(number(p.cost * 1000) for p in each.points)
        lines.append(
            f"| {each.size} | {each.task} | {sizes} | {costs} | {each.exponent:.2f} "
            f"| {each.last_exponent:.2f} |"
        )
    return "\n".join(lines)


def number(value: float) -> str:
    """A number with about three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


WIDTH, HEIGHT, MARGIN, COLUMNS = 300, 220, 46, 3


def svg(found: Sequence[Series]) -> str:
    """All rows as small charts, both axes logarithmic."""
    rows = -(-len(found) // COLUMNS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * COLUMNS}" '
        f'height="{HEIGHT * rows}" font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for place, each in enumerate(found):
        x, y = place % COLUMNS * WIDTH, place // COLUMNS * HEIGHT
        parts += [f'<g transform="translate({x} {y})">', *_chart(each), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def _chart(series: Series) -> list[str]:
    right, bottom = WIDTH - 14, HEIGHT - MARGIN
    across = _axis([p.size for p in series.points], MARGIN, right, 2)
    up = _axis([p.cost for p in series.points], bottom, 40, 10)
    dots = [(across(p.size), up(p.cost), p) for p in series.points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in dots)
    parts = [
        f'<text x="{MARGIN}" y="16" font-weight="bold">{escape(series.task)}</text>',
        f'<text x="{MARGIN}" y="30" fill="#555">exponent {series.exponent:.2f}, '
        f"between the last two {series.last_exponent:.2f}</text>",
        f'<path d="M{MARGIN} 36V{bottom}H{right}" fill="none" stroke="#999"/>',
        f'<polyline points="{line}" fill="none" stroke="#1f6fb2" stroke-width="1.5"/>',
        f'<text x="{(MARGIN + right) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">'
        f"{escape(series.size)}</text>",
    ]
    for x, y, point in dots:
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#1f6fb2"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{point.size:.0f}</text>'
        )
    costs = sorted(p.cost for p in series.points)
    for cost in {costs[0], costs[-1]}:
        shown = f"{number(cost * 1000)} ms"
        parts.append(
            f'<text x="{MARGIN - 4}" y="{up(cost) + 4:.1f}" text-anchor="end" font-size="9">'
            f"{shown}</text>"
        )
    return parts


def _axis(
    values: Sequence[float], first: float, last: float, least: float
) -> Callable[[float], float]:
    """The coordinate of a value by its logarithm; the axis spans at least a factor of `least`."""
    low, high = math.log(min(values)), math.log(max(values))
    high = max(high, low + math.log(least))
    return lambda value: first + (last - first) * (math.log(value) - low) / (high - low)


def as_json(found: Sequence[Series]) -> str:
    """All rows as JSON, with their exponents."""
    rows = [
        {**asdict(each), "exponent": each.exponent, "last_exponent": each.last_exponent}
        for each in found
    ]
    return json.dumps(rows, indent=2)


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few small sizes, one round")
    parser.add_argument("--only", choices=sorted(DIMENSIONS), help="one dimension")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each size (default 3)")
    parser.add_argument("--json", action="store_true", help="print JSON in place of a table")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw all rows")
    asked = parser.parse_args()
    found: list[Series] = []
    for name, (measure, full, quick) in DIMENSIONS.items():
        if asked.only in (None, name):
            print(f"measuring {name} ...", file=sys.stderr)
            found += measure(quick if asked.quick else full, 1 if asked.quick else asked.rounds)
    print(as_json(found) if asked.json else table(found))
    if asked.svg:
        asked.svg.write_text(svg(found), encoding="utf-8")


if __name__ == "__main__":
    main()
