"""Small rulesets written as one text: files that each begin with a comment naming them.

`# rules/trial.yaml` is a file of `trial/first`, `# trial/second/module.yaml` one of another.
By default a text is an expansion of the small game under `tests/data/rulesets`.
"""

from __future__ import annotations

import re
from pathlib import Path

from support.paths import TRIALS
from tilewright.rules.reading.library import Library

HEADING = re.compile(r"# (\S+\.(?:yaml|yml|json|po))\s*$")
RULESET = (
    "# trial/{0}/module.yaml\nid: trial/{0}\nkind: expansion\ntitle: more\n"
    "requires: {{{1}}}\nprovides: [{0}]\n"
    "# trial/{0}/rules/trial.yaml\n"
)
ON_TABLE = "base: trial/table"
MODULE = "id: trial/first\nkind: expansion\ntitle: a trial\nrequires: {base: trial/table}\n"


def files_of(text: str) -> dict[str, str]:
    """The files that a text holds, each with its heading, so that lines keep their numbers."""
    found: dict[str, list[str]] = {}
    here: list[str] = []
    for line in text.splitlines(keepends=True):
        heading = HEADING.match(line.rstrip("\n"))
        if heading:
            here = found.setdefault(heading[1], [])
        here.append(line)
    assert found, "a text of files begins with a comment that names the first of them"
    return {name: "".join(lines) for name, lines in found.items()}


def library_of(
    text: str, root: Path, *, with_table: bool = True
) -> tuple[Library, tuple[str, ...]]:
    """A library of the rulesets in a text, and their ids."""
    files = files_of(text)
    if any(name.count("/") < 2 for name in files):
        files.setdefault("module.yaml", MODULE)
    for name, content in files.items():
        path = root / name if name.count("/") >= 2 else root / "trial" / "first" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8"))
    library = Library(shipped=False)
    ids = library.add(root)
    if with_table:
        library.add(TRIALS)
    return library, ids


def ruleset(name: str, combine: str, on: str = ON_TABLE) -> str:
    return RULESET.format(name, on) + combine


def patched(name: str, change: str, on: str = ON_TABLE) -> str:
    """A ruleset with one patch."""
    return ruleset(name, f"patches:\n  - {{id: {name}.change, why: so, {change}}}\n", on)
