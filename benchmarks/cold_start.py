"""How much CPU a verb takes from a cold start: a new process, an empty cache.

    python benchmarks/cold_start.py [OTHER_TREE]

Wanted: two dragons compared within 2 seconds, and a worker ready for its first game in 0.3. With
another tree both are run in turns; then look at the ratio, since machines are noisy.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 7

#: the work of a simulation process before its first game, if it is not a fork
WORKER = """
from tilewright.tools import simulate, simulated_game
from tilewright.reading.library import Library
from tilewright.compiling.compile_game import compile_game
from tilewright.runtime.program import Program
from tilewright.runtime.new_match import start_match
from tilewright.tools.workspace.loading import load_game
game, _ = load_game("c2/base", {}, Library())
start_match(compile_game(game, measures=True), 2, "1")
"""
DRAGONS = ("c2/princess-and-dragon", "c3.1/dragon-and-fairy")
RUNS: dict[str, tuple[str, ...]] = {
    "compare the dragons": ("-m", "tilewright", "compare", *DRAGONS),
    "check c2/base": ("-m", "tilewright", "check", "c2/base"),
    "show turn c2/base": ("-m", "tilewright", "show", "turn", "c2/base"),
    "--version": ("-m", "tilewright", "--version"),
    "a worker is ready": ("-c", WORKER),
}


def spent(tree: Path, words: tuple[str, ...], compiled: str) -> float:
    """CPU seconds of one process; `compiled` is a folder for bytecode, or nothing for none."""
    bytecode = {"PYTHONPYCACHEPREFIX": compiled} if compiled else {"PYTHONDONTWRITEBYTECODE": "1"}
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE",)}
    env |= {"PYTHONPATH": str(tree / "interpreter"), **bytecode}
    with tempfile.TemporaryDirectory() as cache:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, *words],
            env={**env, "TILEWRIGHT_CACHE": cache},
            cwd=tree,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Run everything, with bytecode kept and without; print the least of all rounds."""
    trees = [ROOT, *map(Path, sys.argv[1:2])]
    print(f"{'':32}" + "".join(f"{tree.name[:12]:>14}" for tree in trees))
    with tempfile.TemporaryDirectory() as folder:
        for name, words in RUNS.items():
            for note, compiled in (("", folder), (", no bytecode", "")):
                found = [min(times) for times in _in_turns(trees, words, compiled)]
                print(f"{name + note:32}" + "".join(f"{time:14.2f}" for time in found))


def _in_turns(trees: list[Path], words: tuple[str, ...], compiled: str) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in trees]
    for _ in range(ROUNDS):
        for tree, found in zip(trees, times, strict=True):
            found.append(spent(tree.resolve(), words, compiled))
    return times


if __name__ == "__main__":
    main()
