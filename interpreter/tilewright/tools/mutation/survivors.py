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

from tilewright.reading.duplicates import UniqueNames
from tilewright.reading.files.map_reader import open_file
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Span
from tilewright.source.yaml.tree import read_yaml_file


@dataclass(frozen=True, slots=True)
class Explained:
    """A mutant that lives, by its id, and why."""

    mutant: str
    why: str
    span: Span


def read_survivors(path: Path, reporter: Reporter) -> tuple[Explained, ...]:
    """The explanations in a file, in its order; the reporter receives the diagnostics."""
    node = read_yaml_file(path, str(path), reporter)
    entry = open_file(node, path.name, reporter) if node is not None else None
    if entry is None:
        return ()
    seen = UniqueNames("survivors", reporter)
    found = []
    for inner in entry.each("survivors", "a survivor", required=True):
        mutant = inner.text("mutant", required=True)
        why = inner.text("why", required=True)
        if mutant:
            seen.add(mutant, inner.span("mutant"))
            found.append(Explained(mutant, why, inner.span("mutant")))
    entry.close()
    return tuple(found)
