"""A comparison in a file: as markdown, as JSON. The page for a terminal is the command line's.

JSON holds everything that the comparison knows, in all languages, and keeps its shape; topics are
known by their ids there, and what pages call them is left out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import Enum

from tilewright.rules.model.ruleset import Labels
from tilewright.view.comparison.compose import Composer
from tilewright.view.page.markdown import Writer
from tilewright.view.results.comparison import Comparison
from tilewright.view.results.divergence import Witnesses

#: the shape of the JSON form; a change that readers would notice raises it
JSON_FORM = 2


def as_markdown(made: Composer) -> str:
    """The page as Markdown tables; boards of its rows are described, not drawn."""
    return Writer(made.names, made.words, made.here).document(made.page())


def as_json(comparison: Comparison, witnesses: Sequence[Witnesses] | None = None) -> str:
    """All of a comparison as JSON (`schemas/comparison.schema.json`), with the witnesses of its
    rows where requested.
    """
    whole = {"form": JSON_FORM, "is_same": comparison.is_same}
    data = plain(comparison)
    assert isinstance(data, dict)
    del data["topic_names"], data["candidates"]
    boards = {} if witnesses is None else {"witnesses": plain(list(witnesses))}
    return json.dumps(whole | data | boards, ensure_ascii=False, indent=2) + "\n"


def plain(thing: object) -> object:
    """Frozen data as lists, dictionaries and texts; labels by language."""
    if isinstance(thing, Labels):
        return dict(thing.texts)
    if isinstance(thing, Enum):
        return thing.value
    if isinstance(thing, tuple | list):
        return [plain(item) for item in thing]
    names: tuple[str, ...] | None = getattr(type(thing), "__match_args__", None)
    if names is None:
        return thing
    return {name: plain(getattr(thing, name)) for name in names}
