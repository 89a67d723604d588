"""The costs of chunks of simulated games: playing, sending, adding up, and Dask itself.

    python benchmarks/chunks.py [--games N] [--searched N] [--chunks N]

All times are CPU time of one process, and for games that of the fastest of five rounds, since a
busy machine takes twice as long. The first table is that of docs/how-to/cluster.md; the others
show the costs paid once, and the costs of a chunk beside its games: in the client, in the scheduler
and in a worker, each a process of its own.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tilewright.rules.reading.library import Library
from tilewright.tools.simulation.cluster import Cluster
from tilewright.tools.simulation.cluster_worker import packed
from tilewright.tools.simulation.records import Records
from tilewright.tools.simulation.results import words_of
from tilewright.tools.simulation.run import (
    Plan,
    PlanPrograms,
    PlayedChunk,
    make_plan,
    simulate,
)
from tilewright.tools.simulation.tally import Tally

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

ROUNDS = 5
#: by the name that is shown
GAMES = {
    "the base game": "c2/base",
    "with farmers": "c2/farmers",
    "with The Princess & the Dragon": "c2/farmers+c2/princess-and-dragon",
    "C3.1, The Dragon & the Fairy": "c3.1/dragon-and-fairy",
    "all of C2": "c2/abbot+c2/farmers+c2/inns-and-cathedrals+c2/princess-and-dragon+c2/river"
    "+c2/traders-and-builders",
}


@dataclass(frozen=True)
class Cost:
    """Of a game: CPU milliseconds to play it. Of a chunk: bytes of its report. Of a worker:
    milliseconds until it can play, and bytes that it is sent for that."""

    play: float
    told: int
    ready: float
    sent: int


def made(library: Library, game: str, **more: object) -> Plan:
    """A plan, which can be made."""
    found = make_plan(library, (game,), **more)  # type: ignore[arg-type]
    assert isinstance(found, Plan), found
    return found


def cost(library: Library, game: str, bots: tuple[str, ...], games: int) -> Cost:
    """The costs of games, and of a chunk of all of them."""
    each = max(1, games // ROUNDS)
    bench = PlanPrograms(made(library, game, bots=bots, count=each * ROUNDS, chunk=each), library)
    sent = packed(bench)
    begin = time.process_time()
    bench.prepare()
    ready = time.process_time() - begin
    play, told = [], Tally(1)
    for number in range(ROUNDS):
        begin = time.process_time()
        told.merge(bench.done(number).tally)
        play.append((time.process_time() - begin) / each)
    done = PlayedChunk(0, told, {})
    return Cost(1000 * min(play), len(pickle.dumps(done, 5)), 1000 * ready, len(sent))


def records(library: Library, game: str, games: int) -> float:
    """Bytes of the records of a game, in a chunk of so many."""
    bench = PlanPrograms(made(library, game, count=games, chunk=games), library, keep=True)
    bench.prepare()
    words = words_of([program.game for program in bench.programs])
    chunk = bench.play(0)
    files = Records(Path(), bench.plan, words).pack(chunk, chunk.tally())
    return sum(map(len, files.values())) / games


def adding_up(library: Library, chunks: int) -> float:
    """CPU milliseconds to read and to add up the report of a chunk of a thousand games."""
    bench = PlanPrograms(made(library, GAMES["all of C2"], count=1000, chunk=1000), library)
    told = pickle.dumps(bench.done(0), 5)
    whole = Tally(1)
    begin = time.process_time()
    for _ in range(chunks):
        whole.merge(pickle.loads(told).tally)
    return 1000 * (time.process_time() - begin) / chunks


def overhead(library: Library, chunks: int) -> dict[str, float]:
    """CPU milliseconds for each chunk, beside its games, by who spends them."""
    import psutil

    from support.dask_processes import processes

    plan = made(library, "c2/base", count=chunks, chunk=1)
    bench = PlanPrograms(plan, library)
    begin = time.process_time()
    simulate(bench)
    alone = time.process_time() - begin
    with tempfile.TemporaryDirectory() as folder, processes(Path(folder)) as grid:
        grid.start()
        worker = grid.worker()
        grid.wait_for_workers(1)
        assert grid.scheduler is not None
        others = {"scheduler": grid.scheduler.pid, "worker": worker.pid}
        crew = Cluster(grid.address).crew(bench)
        # work that is done once (linking, compiling, connecting) is not counted
        simulate(bench, crew=crew)
        before = {name: sum(psutil.Process(pid).cpu_times()[:2]) for name, pid in others.items()}
        begin = time.process_time()
        again = PlanPrograms(made(library, "c2/base", count=chunks, chunk=1, seeds=("2",)), library)
        simulate(again, crew=Cluster(grid.address).crew(again))
        found = {"client": time.process_time() - begin}
        for name, pid in others.items():
            found[name] = sum(psutil.Process(pid).cpu_times()[:2]) - before[name]
    found["worker"] -= alone
    return {name: 1000 * seconds / chunks for name, seconds in found.items()}


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--games", type=int, default=1000, help="of `random` (default 1000)")
    parser.add_argument("--searched", type=int, default=5, help="of `greedy` (default 5)")
    parser.add_argument("--chunks", type=int, default=1000, help="through Dask (default 1000)")
    asked = parser.parse_args()
    library = Library()
    print("| game | bots | ms a game | games a core hour | bytes a chunk | records a game |")
    print("| --- | --- | --- | --- | --- | --- |")
    sizes = []
    for bots, games in (("random", asked.games), ("greedy", asked.searched)):
        for name, game in GAMES.items():
            found = cost(library, game, (bots,), games)
            sizes.append((name, found.sent, found.ready))
            said = f"{found.play:.3g}" if found.play < 100 else f"{found.play:.0f}"
            hour = int(float(f"{3.6e6 / float(said):.3g}"))
            is_random = bots == "random"
            told = f"{found.told:,}" if is_random else ""
            kept = f"{records(library, game, games):.0f}" if is_random else ""
            print(f"| {name} | {bots} | {said} | {hour:,} | {told} | {kept} |", flush=True)
    print("\n| once for each worker | bytes sent | ms until it can play |\n| --- | --- | --- |")
    for name, sent, ready in sizes[: len(GAMES)]:
        print(f"| {name} | {sent:,} | {ready:.0f} |")
    print("\n| for each chunk | ms |\n| --- | --- |")
    print(f"| to read and add up | {adding_up(library, 200):.2f} |")
    for name, spent in overhead(library, asked.chunks).items():
        print(f"| Dask, {name} | {spent:.1f} |")


if __name__ == "__main__":
    main()
