"""How long `check` takes over each hostile ruleset of the corpus, and how much memory.

    python benchmarks/hostile.py

Wanted: an answer to every one within 2 seconds and 300 MB, the start of Python included.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.hostile import CORPUS, write  # noqa: E402


def main() -> None:
    """Check everything, slowest last."""
    rows: list[tuple[float, float, str]] = []
    for name, make in CORPUS.items():
        with tempfile.TemporaryDirectory() as folder:
            write(make(), Path(folder) / "hostile")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            begin = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", "tilewright", "check", "./hostile"],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
            if done.returncode not in (1, 3):
                raise SystemExit(f"`{name}` was not reported: {done.returncode}")
            wall = time.perf_counter() - begin
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            rows.append((spent, wall, name))
    print(f"{'':40}{'CPU s':>8}{'wall s':>8}")
    for spent, wall, name in sorted(rows):
        print(f"{name:40}{spent:8.2f}{wall:8.2f}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"\nmost memory of any: {peak / 1024:.0f} MB")


if __name__ == "__main__":
    main()
