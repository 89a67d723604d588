"""The cost of many games: two processes or one, the start of a process, the gain of equal draws.

    python benchmarks/simulation.py [--games N] [--rounds N] [--game GAME]

Wall-clock figures need an idle machine: the load beside them shows whether it was. The CPU time
holds on a busy one as well: of two processes together, of one, and of the process that adds up.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import statistics
import time
from collections.abc import Sequence

from tilewright.rules.reading.library import Library
from tilewright.tools.simulation.run import (
    Plan,
    PlanPrograms,
    Simulation,
    make_plan,
    simulate,
)

#: pairs of games whose difference is asked for: what few games show, and what many do
PAIRS = (
    ("c2/farmers", "c2/farmers+house/city-siesta"),
    ("c2/farmers", "c2/farmers+house/ties-pay-nobody"),
    ("c2/farmers+c2/princess-and-dragon", "c2/farmers+c2/princess-and-dragon+house/fairy-five"),
    ("c2/base", "c2/farmers"),
    ("c2/farmers", "c2/farmers+c2/inns-and-cathedrals"),
)


def planned(library: Library, games: Sequence[str], count: int) -> Plan:
    """A plan; diagnostics end the benchmark."""
    plan = make_plan(library, tuple(games), count=count)
    if not isinstance(plan, Plan):
        raise SystemExit("\n".join(map(str, plan)))
    return plan


def _used(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def timed(bench: PlanPrograms, jobs: int) -> tuple[float, float, float]:
    """Seconds by the clock, of CPU here, and of CPU in other processes, for a whole plan."""
    clock = time.perf_counter()
    here, there = _used(resource.RUSAGE_SELF), _used(resource.RUSAGE_CHILDREN)
    simulate(bench, jobs=jobs)
    return (
        time.perf_counter() - clock,
        _used(resource.RUSAGE_SELF) - here,
        _used(resource.RUSAGE_CHILDREN) - there,
    )


def processes(library: Library, game: str, count: int, rounds: int) -> None:
    """Print one process against two."""
    bench = PlanPrograms(planned(library, (game,), count), library)
    bench.prepare()
    rows: dict[int, list[tuple[float, float, float]]] = {1: [], 2: []}
    for _ in range(rounds):
        for jobs, row in rows.items():
            row.append(timed(bench, jobs))
    print(f"{count} games of {game}, {rounds} rounds, load {os.getloadavg()[0]:.1f} of {_cores()}")
    print(f"{'processes':>10}{'seconds':>9}{'games/s':>9}{'CPU':>8}{'of it here':>12}")
    for jobs, row in rows.items():
        clock, here, there = (statistics.median(column) for column in zip(*row, strict=True))
        print(f"{jobs:10}{clock:9.2f}{count / clock:9.0f}{here + there:8.2f}{here:12.2f}")
    pairs = list(zip(rows[1], rows[2], strict=True))
    faster = statistics.median(one[0] / two[0] for one, two in pairs)
    dearer = statistics.median(sum(two[1:]) / sum(one[1:]) for one, two in pairs)
    print(f"two are {faster:.2f} times as fast, and need {dearer:.2f} times the CPU\n")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ready(bench: PlanPrograms, begin: float, told: multiprocessing.SimpleQueue[float]) -> None:
    bench.prepare()
    told.put(time.time() - begin)
    told.put(time.process_time())


def start_up(library: Library, game: str, rounds: int) -> None:
    """Print how long it takes until another process can play."""
    bench = PlanPrograms(planned(library, (game,), 100), library)
    bench.prepare()
    load = f"load {os.getloadavg()[0]:.1f} of {_cores()}"
    print(f"{'a process can play after':26}{'seconds':>9}{'CPU':>9}   {load}")
    for way in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context(way)
        rows = []
        for _ in range(rounds):
            told = context.SimpleQueue()
            process = context.Process(target=_ready, args=(bench, time.time(), told))
            process.start()
            rows.append((told.get(), told.get()))
            process.join()
        clock, used = (statistics.median(column) for column in zip(*rows, strict=True))
        print(f"{way:26}{clock:9.3f}{used:9.3f}")
    print()


def same_luck(library: Library, count: int) -> None:
    """Print how many times fewer games the same luck asks for."""
    title = f"points of a player, {count} games"
    print(f"{title:60}{'difference':>18}{'fewer games':>14}")
    for pair in PAIRS:
        found: Simulation = simulate(
            PlanPrograms(planned(library, pair, count), library), jobs=_cores()
        )
        apart = sum(found.tally.spread(k, "points", 2).deviation ** 2 for k in (0, 1))
        paired = found.tally.difference(1, "points", 2)
        gain = apart / paired.deviation**2 if paired.deviation else float("inf")
        only = "+".join(x for x in pair[1].split("+") if x not in pair[0].split("+"))
        said = f"{paired.mean:+.2f} ± {paired.half:.2f}"
        print(f"{pair[0] + ' and ' + only:60}{said:>18}{f'{gain:.1f} times':>14}", flush=True)


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--game", default="c2/farmers", help="the game (default c2/farmers)")
    parser.add_argument("--games", type=int, default=4000, help="games of a run (default 4000)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds (default 3)")
    asked = parser.parse_args()
    library = Library()
    start_up(library, asked.game, asked.rounds)
    processes(library, asked.game, asked.games, asked.rounds)
    same_luck(library, max(asked.games // 4, 100))


if __name__ == "__main__":
    main()
