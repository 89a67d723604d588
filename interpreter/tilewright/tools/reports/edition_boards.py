"""The boards that come with the software: one file for each comparison of two editions.

`python -m tilewright.tools.reports.edition_boards boards` searches those that are missing, which
takes some ten seconds each, and removes files that no comparison asks for any more; it can be
stopped and started again at any time. Games after the folder have their boards searched again, as
after a change of their scenarios. With `--check` it only reports what is missing.
"""

from __future__ import annotations

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
    place, *again = [each for each in arguments if each != "--check"]
    folder, is_check, problems = Path(place), "--check" in arguments, list[str]()
    library, left_over = Library(), {path.name for path in Path(place).glob(f"*{ENDING}")}
    for name, comparison, right in comparisons(library):
        games = (comparison.sides[0].name, comparison.sides[right].name)
        if name in left_over and not {*games} <= {*again}:
            left_over.remove(name)
        elif is_check:
            problems.append(f"{' and '.join(games)}: no boards")
        else:
            left_over.discard(name)
            began = time.process_time()
            found = find_witnesses(games, comparison, library, right=right)
            data = shipped_data(comparison, found, Programs(library))
            write_whole(folder / name, data)
            spent = f"{len(data)} bytes, {time.process_time() - began:.1f} s"
            print(f"{' and '.join(games)}: {len(found.witnesses)} boards, {spent}", flush=True)
    if is_check:
        problems += [f"{name}: of no comparison" for name in sorted(left_over)]
        print("\n".join([*problems, f"run `{COMMAND}`"] if problems else []))
        return int(bool(problems))
    for name in left_over:
        (folder / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
