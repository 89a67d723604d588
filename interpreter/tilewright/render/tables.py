"""A comparison as a page: in the terminal, as markdown, as JSON.

The terminal's page comes with a library that is slow to load, so it is asked for only when needed.
JSON holds everything that the comparison knows, in all languages, and keeps its shape.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING

from tilewright.model.comparison import Comparison
from tilewright.model.ruleset import Labels
from tilewright.render.tables_markdown import as_markdown

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["as_json", "as_markdown", "print_comparison"]

#: the shape of the JSON form; a change that readers would notice raises it
JSON_FORM = 1


def print_comparison(
    comparison: Comparison,
    console: Console,
    *,
    language: str = "en",
    brief: bool = False,
) -> None:
    """Print the page that people read; it fills the width of the console."""
    from tilewright.render.tables_console import Page

    Page(comparison, console, language, brief).show()


def as_json(comparison: Comparison) -> str:
    """Everything a comparison says, as JSON (`schemas/comparison.schema.json`)."""
    whole = {"form": JSON_FORM, "is_same": comparison.is_same}
    data = plain(comparison)
    assert isinstance(data, dict)
    return json.dumps(whole | data, ensure_ascii=False, indent=2) + "\n"


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
