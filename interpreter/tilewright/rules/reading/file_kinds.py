"""The kinds of files of a ruleset, each with the description of its keys."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.rules.reading.files.components import COMPONENTS
from tilewright.rules.reading.files.module import MODULE
from tilewright.rules.reading.files.rules import RULES
from tilewright.rules.reading.files.scenarios import SCENARIOS
from tilewright.rules.reading.files.shapes import NOTHING, Map, Shape
from tilewright.rules.reading.files.statements import STATEMENTS
from tilewright.rules.reading.files.tiles import FILE as TILES
from tilewright.rules.reading.files.topics import TOPICS
from tilewright.rules.reading.files.whole import WHOLE

FILES: Mapping[str, Map] = {
    "module": MODULE,
    "statements": STATEMENTS,
    "components": COMPONENTS,
    "tiles": TILES,
    "rules": RULES,
    "scenarios": SCENARIOS,
    "topics": TOPICS,
    "ruleset": WHOLE,
}
KINDS = (*FILES,)


def shape_at(kind: str, path: tuple[str | int, ...]) -> Shape:
    """The description of a value in a file of a kind; `NOTHING` where the file has none."""
    here: Shape = FILES.get(kind, NOTHING)
    for part in path:
        here = here.inside() if isinstance(part, int) else here.under(part)
    return here
