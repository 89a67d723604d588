"""How long rules that run away are played until they are stopped, and how much memory they take.

    python benchmarks/hostile_rules.py [--primitives]

Wanted: each ends within 1 second and 100 MB with the native core, and within 5 seconds in plain
Python. `--primitives` repeats every primitive of the language without end instead: what takes much
longer than the others has too few steps (`play/compiling/facts/cost_bounds.py`).
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.every_primitive import every_primitive  # noqa: E402
from support.hostile import CORPUS, GROWING, RUNAWAYS, write  # noqa: E402
from support.probe_game import program_with  # noqa: E402
from tilewright.play.compiling.native import InPython, native_game  # noqa: E402
from tilewright.play.faults import RuleError  # noqa: E402
from tilewright.play.native.games import native_module, seed_number  # noqa: E402
from tilewright.play.new_match import start_match  # noqa: E402
from tilewright.play.program import Program  # noqa: E402
from tilewright.rules.reading.library import Library  # noqa: E402
from tilewright.tools.workspace.loading import load_program  # noqa: E402


def hostile(name: str) -> Program:
    """The program of a ruleset of the corpus."""
    with tempfile.TemporaryDirectory() as folder:
        write(CORPUS[name](), Path(folder) / "house" / "hostile")
        program, reporter = load_program("house/hostile", None, Library([Path(folder)]))
    if program is None:
        raise SystemExit(f"{name}: {reporter.diagnostics}")
    return program


def in_python(program: Program) -> Callable[[], bool]:
    """A match by lot; true if its rules stop it."""

    def play() -> bool:
        lot = random.Random(1)
        try:
            match = start_match(program, 2, 1)
            while match.to_move >= 0:
                match.choose_number(int(lot.random() * match.count))
        except RuleError:
            return True
        return False

    return play


def in_core(program: Program) -> Callable[[], bool] | None:
    """The same in the native core; none if it cannot hold the program."""
    native = native_game(program)
    if isinstance(native, InPython):
        return None

    def play() -> bool:
        lot, match = random.Random(1), native_module().Match(native.core, 2)
        goes_on = match.start(seed_number(1))
        while goes_on and match.to_move >= 0:
            goes_on = match.choose(int(lot.random() * match.count))
        return match.failed

    return play


def measured(play: Callable[[], bool]) -> tuple[float, float, bool]:
    """CPU seconds, megabytes and whether it was stopped, in a process of its own."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        is_stopped = play()
        seconds = time.process_time() - begin
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        os.write(writer, f"{seconds} {grown} {int(is_stopped)}".encode())
        os._exit(0)
    os.wait()
    os.close(writer)
    with os.fdopen(reader) as found:
        seconds_text, grown_text, stopped_text = found.read().split()
    return float(seconds_text), float(grown_text), stopped_text == "1"


def cases(primitives: bool) -> Iterator[tuple[str, Program]]:
    """The programs that are played, by name."""
    if primitives:
        yield from ((name, program_with(text)) for name, text in every_primitive())
    else:
        yield from ((name, hostile(name)) for name in (*RUNAWAYS, *GROWING))


def main() -> None:
    """Play everything on both engines, slowest last."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--primitives", action="store_true", help="every primitive, repeated")
    rows = []
    for name, program in cases(parser.parse_args().primitives):
        core, python = in_core(program), measured(in_python(program))
        native = (0.0, 0.0, True) if core is None else measured(core)
        if not (python[2] and native[2]):
            raise SystemExit(f"`{name}` was not stopped")
        rows.append((python[0], native[0], max(python[1], native[1]), name))
    print(f"{'CPU seconds':44}{'core':>8}{'Python':>8}{'MB':>6}")
    for python_seconds, native_seconds, memory, name in sorted(rows):
        print(f"{name:44}{native_seconds:8.2f}{python_seconds:8.2f}{memory:6.0f}")


if __name__ == "__main__":
    main()
