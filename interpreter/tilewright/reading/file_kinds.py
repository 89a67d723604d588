"""The kinds of files of a ruleset, each with the description of its keys."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.reading.files.components import COMPONENTS
from tilewright.reading.files.module import MODULE
from tilewright.reading.files.rules import RULES
from tilewright.reading.files.scenarios import SCENARIOS
from tilewright.reading.files.shapes import NOTHING, Map, Shape
from tilewright.reading.files.statements import STATEMENTS
from tilewright.reading.files.tiles import FILE as TILES
from tilewright.reading.files.topics import TOPICS

FILES: Mapping[str, Map] = {
    "module": MODULE,
    "statements": STATEMENTS,
    "components": COMPONENTS,
    "tiles": TILES,
    "rules": RULES,
    "scenarios": SCENARIOS,
    "topics": TOPICS,
}
KINDS = (*FILES,)


def shape_at(kind: str, path: tuple[str | int, ...]) -> Shape:
    """The description of a value in a file of a kind; `NOTHING` where the file has none."""
    here: Shape = FILES.get(kind, NOTHING)
    for part in path:
        here = here.inside() if isinstance(part, int) else here.under(part)
    return here
