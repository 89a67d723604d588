"""The record of what each shipped ruleset promises to the rules of others.

A ruleset may add promises. It breaks one only with a new `version` and an entry under `changes:`
that names the thing, so that `check` can warn its users. `python tests/support/promises.py`
writes the record again, and refuses to where a promise was broken without these.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tilewright.language.source.files import write_whole
from tilewright.rules.analysis.promises import promises_of
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import PromiseChange, Ruleset
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_game

RECORD = Path(__file__).resolve().parents[1] / "data" / "promises.txt"
_LINE = re.compile(r"  (\w+ [\w.]+)(.*)")


@dataclass
class Kept:
    """The record of a ruleset: its version, and by `kind name` each promise as text."""

    version: int = 1
    promises: dict[str, str] = field(default_factory=dict)
    changes: tuple[PromiseChange, ...] = ()


def kept(game: Game, ruleset: Ruleset) -> Kept:
    """The promises of one ruleset in its game."""
    module = ruleset.module
    found = {
        f"{kind} {name}": str(promise)
        for (kind, name), promise in sorted(promises_of(game).items())
        if promise.ruleset == ruleset.id
    }
    version = int(module.version) if module.version.isdecimal() else 1
    return Kept(version, found, module.changes)


def kept_now(library: Library, ids: Iterable[str]) -> dict[str, Kept]:
    """The promises of rulesets, each in the game of itself alone."""
    found = {}
    for id_ in ids:
        game, reporter = load_game(id_, {}, library)
        assert game is not None, reporter.diagnostics
        own = next(ruleset for ruleset in game.rulesets if ruleset.id == id_)
        found[id_] = kept(game, own)
    return found


def written(every: Mapping[str, Kept]) -> str:
    """The record as text: a line for each ruleset and each of its promises."""
    lines: list[str] = []
    for id_, each in every.items():
        if each.promises:
            lines.append(f"{id_} {each.version}")
            lines += [f"  {name}{text}" for name, text in each.promises.items()]
    return "\n".join(lines) + "\n"


def read(text: str) -> dict[str, Kept]:
    """The rulesets of a record."""
    found: dict[str, Kept] = {}
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            id_, version = line.split()
            here = found[id_] = Kept(int(version))
        else:
            here.promises[match[1]] = match[2]
    return found


def broken(before: Mapping[str, Kept], now: Mapping[str, Kept]) -> Iterator[str]:
    """A sentence for each promise that was broken without a new version or a word."""
    for id_, old in before.items():
        new = now.get(id_)
        for name, text in old.promises.items() if new is not None else ():
            assert new is not None
            if new.promises.get(name) == text:
                continue
            said = {f"{c.kind} {c.name}" for c in new.changes if c.version > old.version}
            if new.version <= old.version or name not in said:
                yield (
                    f"{id_}: `{name}{text}` is now `{new.promises.get(name, 'gone')}`: raise "
                    f"`version` above {old.version}, and name `{name}` under `changes:`"
                )


def main() -> int:
    """Write the record, unless a promise was broken."""
    library = Library()
    now = kept_now(library, library.ids())
    found = list(broken(read(RECORD.read_text("utf-8")) if RECORD.exists() else {}, now))
    if not found:
        write_whole(RECORD, written(now))
    print("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
