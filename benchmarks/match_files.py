"""The times to write and to load match files: the base game, and all boxes of an edition.

    python benchmarks/match_files.py

Plays matches by lot to their end, and prints for each game: entries of the log, bytes of the file,
milliseconds of the processor to write it with its lines known, and to load it. Loading reads the
text, checks its parts and plays the log again, in the native core where that is built; making the
game is left out, for both engines. Each time is the best of several.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from tilewright.language.source.diagnostics import Reporter
from tilewright.play.compiling.native import native_game
from tilewright.play.native.engine import engine
from tilewright.play.new_match import start_match
from tilewright.play.replay import script_of
from tilewright.rules.reading.library import Library
from tilewright.tools.persistence.match_file import match_text, parse_match, resumed
from tilewright.tools.workspace.loading import load_program

EDITION = "c2/"
MATCHES = 5


def milliseconds(work: Callable[[], object], times: int) -> float:
    """The shortest time of a piece of work."""
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best * 1000


def measured(game: str, players: int, times: int) -> None:
    """Print a line about the files of a game."""
    program, reporter = load_program(game)
    assert program is not None, reporter.diagnostics
    native_game(program)
    rows = []
    for seed in range(MATCHES):
        match, lot = start_match(program, players, seed), random.Random(seed)
        while match.to_move >= 0:
            match.choose_number(lot.randrange(match.count))
        lines = script_of(match)
        text = match_text(match, lines=lines)

        def load(text: str = text) -> None:
            file = parse_match(text, Reporter())
            assert file is not None and resumed(file, program, Reporter()) is not None

        writing = milliseconds(lambda: match_text(match, lines=lines), times)  # noqa: B023
        rows.append((len(lines), len(text), writing, milliseconds(load, times)))
    entries, size, writing, loading = (
        statistics.median(column) for column in zip(*rows, strict=True)
    )
    print(f"{players} players: {entries:.0f} entries, {size:.0f} bytes, ", end="")
    print(f"written in {writing:.1f} ms, loaded in {loading:.1f} ms")


def main() -> None:
    """Measure both games."""
    boxes = "+".join(id_ for id_ in Library().ids() if id_.startswith(EDITION))
    print(f"{engine()}")
    for name, game, times in (("the base game", f"{EDITION}base", 20), ("all boxes", boxes, 3)):
        print(name)
        for players in (2, 3, 5):
            measured(game, players, times)


if __name__ == "__main__":
    main()
