"""Mutants that may survive: a list kept by hand, each with the reason why no scenario can fail.

```yaml
survivors:
  - mutant: "turn.order: order: ..."
    why: both orders give the same result
```

`mutation/run.py` checks whether the list is still true.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import read_yaml_file
from tilewright.rules.reading.duplicates import UniqueNames
from tilewright.rules.reading.files.shapes import IGNORE, ListOf, Map, Text, read_file


@dataclass(frozen=True, slots=True)
class Explained:
    """A mutant that lives, by its id, and why."""

    mutant: str
    why: str
    span: Span


_MUTANT = Map(
    "A mutant that may survive.",
    {
        "mutant": Text("Its id, as `mutate` prints it.", required=True),
        "why": Text("The reason why no scenario can fail.", required=True),
    },
    Explained,
    "survivor",
    place="mutant",
)
_MUTANTS = ListOf("Mutants that may survive.", _MUTANT, required=True)


def read_survivors(path: Path, reporter: Reporter) -> tuple[Explained, ...]:
    """The explanations in a file, in its order; the reporter receives the diagnostics."""
    node = read_yaml_file(path, str(path), reporter)
    if node is None:
        return ()
    kind = Map("", {"ignore": IGNORE, "survivors": _MUTANTS}, what=path.name)
    read = read_file(kind, node, reporter) or {}
    found = tuple(each for each in read.get("survivors", ()) if each.mutant)
    seen = UniqueNames("survivors", reporter)
    for each in found:
        seen.add(each.mutant, each.span)
    return found
