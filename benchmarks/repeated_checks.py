"""Memory and time of many checks in one process, as in the studio and the language server.

    python benchmarks/repeated_checks.py [--checks N] [--way editor|library] [--every N] [--json]

`editor` keeps one library and changes one rule of a house rule with each check, as somebody who
types; every tenth check is of a shipped ruleset. `library` reads each ruleset in a library of its
own, as `tw.check` does. Every check is another text, and no cache on the disk is used.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tilewright.rules.reading.library import Library
from tilewright.tools.checking.check import check
from tilewright.tools.editor.live_diagnostics import Inspection

SHIPPED = ("c2/abbot", "c2/river", "c2/farmers", "c3/base", "c2/inns-and-cathedrals")
MODULE = """\
id: repeated/check
kind: house
title: Repeated check
requires: {base: c2/base}
"""
RULES = """\
values:
  more_{number}: {{type: number, is: {value}}}

memory:
  owes_{number}: {{type: set of player, per: game}}

rules:
  - id: tiles_{number}
    amend: points(x)
    when: x is city and x.size > {value}
    item: more
    value: more_{number} + {value}

  - id: owes_{number}
    on: completed(x)
    when: x is city and x.size >= more_{number}
    do: add active to owes_{number}

  - id: rest_{number}
    amend: sits_out(who)
    value: who in owes_{number}
"""


def rules_of(number: int) -> str:
    """The rules of the house rule in one check: names and numbers are new."""
    return RULES.format(number=number, value=number % 97 + 1)


def by_editor(folder: Path) -> Iterator[Callable[[int], object]]:
    """Checks of one language server: the rules are written again before each."""
    inspection = Inspection([folder.parent.parent])
    file = folder / "rules" / "more.yaml"
    inspection.write(file, rules_of(0))

    def one(number: int) -> object:
        if number % 10 == 9:
            id_ = SHIPPED[number // 10 % len(SHIPPED)]
            return check(inspection.overlay.library, [id_])
        inspection.write(file, rules_of(number))
        while inspection.is_due:
            inspection.next()
        return inspection.diagnostics()

    yield one


def by_library(folder: Path) -> Iterator[Callable[[int], object]]:
    """Checks of a program: each reads the files in a library of its own."""
    file = folder / "rules" / "more.yaml"

    def one(number: int) -> object:
        if number % 10 == 9:
            return check(Library(), [SHIPPED[number // 10 % len(SHIPPED)]])
        file.write_text(rules_of(number), encoding="utf-8")
        return check(Library([folder]), ["repeated/check"])

    yield one


WAYS = {"editor": by_editor, "library": by_library}


def memory() -> float:
    """The resident memory of this process now, in MB."""
    with Path("/proc/self/statm").open() as stream:
        pages = int(stream.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    """Measure and print one row for each `--every` checks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--checks", type=int, default=5_000)
    parser.add_argument("--way", choices=WAYS, default="editor")
    parser.add_argument("--every", type=int, default=500)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    os.environ["TILEWRIGHT_CACHE"] = ""
    rows: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "repeated" / "check"
        (folder / "rules").mkdir(parents=True)
        (folder / "module.yaml").write_text(MODULE, encoding="utf-8")
        (folder / "rules" / "more.yaml").write_text(rules_of(0), encoding="utf-8")
        one = next(WAYS[given.way](folder))
        taken: list[float] = []
        first = 0.0
        for number in range(given.checks):
            begin = time.process_time()
            one(number)
            taken.append(time.process_time() - begin)
            first = first or taken[0]
            if (number + 1) % given.every == 0:
                row = {
                    "checks": number + 1,
                    "megabytes": round(memory(), 1),
                    "objects": len(gc.get_objects()),
                    "first": round(first, 3),
                    "mean": round(sum(taken) / len(taken), 3),
                    "slowest": round(max(taken), 3),
                }
                taken.clear()
                rows.append(row)
                if not given.json:
                    print("  ".join(f"{k} {v}" for k, v in row.items()), flush=True)
    if given.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
