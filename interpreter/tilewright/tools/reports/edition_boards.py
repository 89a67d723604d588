"""The boards that come with the software: one file for each comparison of two editions.

`python -m tilewright.tools.reports.edition_boards boards` searches those that are missing, which
takes three to ten seconds each, and removes files that no comparison asks for any more; it can be
stopped and started again at any time. Games after the folder have their boards searched again, as
after a change of their scenarios. With `--check` it only reports what is missing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tilewright.language.source.files import write_whole
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.reports.gallery import edition_games
from tilewright.tools.scenarios.runner import Programs
from tilewright.tools.witness.find import find_witnesses
from tilewright.tools.witness.kept import ENDING, shipped_data, shipped_name
from tilewright.view.results.comparison import Comparison

COMMAND = "python -m tilewright.tools.reports.edition_boards boards"


def comparisons(library: Library) -> Iterator[tuple[str, Comparison, int]]:
    """Every two sides of every comparison of editions, once: the name of their file, the
    comparison, and the number of the second side; the first is 0.
    """
    seen: set[str] = set()
    for games in edition_games(library):
        comparison = compare_texts(games, library)
        for right in range(1, len(games)):
            name = shipped_name(comparison, 0, right)
            if name not in seen:
                seen.add(name)
                yield name, comparison, right


def main(arguments: Sequence[str]) -> int:
    """Write the files that are missing, or with `--check` report them; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("again", nargs="*", metavar="GAME", help="searched again with each other")
    parser.add_argument("--check", action="store_true", help="report what is missing")
    given = parser.parse_args(arguments)
    if not given.folder.is_dir():
        parser.error(f"no folder: {given.folder}")
    library, problems = Library(), list[str]()
    left_over = {path.name for path in given.folder.glob(f"*{ENDING}")}
    programs, again = Programs(library), {*given.again}
    is_again_met = not again
    for name, comparison, right in comparisons(library):
        games = (comparison.sides[0].name, comparison.sides[right].name)
        is_again = {*games} <= again
        is_again_met = is_again_met or is_again
        if name in left_over and not is_again:
            left_over.remove(name)
        elif given.check:
            problems.append(f"{' and '.join(games)}: no boards")
        else:
            left_over.discard(name)
            began = time.process_time()
            found = find_witnesses(games, comparison, library, right=right)
            data = shipped_data(comparison, found, programs)
            write_whole(given.folder / name, data)
            spent = f"{len(data)} bytes, {time.process_time() - began:.1f} s"
            print(f"{' and '.join(games)}: {len(found.witnesses)} boards, {spent}", flush=True)
    if given.check:
        problems += [f"{name}: of no comparison" for name in sorted(left_over)]
        print("\n".join([*problems, f"run `{COMMAND}`"] if problems else ["no boards are missing"]))
        return int(bool(problems))
    for name in left_over:
        (given.folder / name).unlink()
    if not is_again_met:
        parser.error(f"no comparison of editions has the games {' and '.join(given.again)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
