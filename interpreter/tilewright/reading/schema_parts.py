"""The descriptions in the schemas for a part of a file: its keys, their order, its effect texts.

All alternatives of a schema are joined, because any of them may describe a part. This module does
not check files against their schema: the reader does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tilewright.language.syntax.parser import Start
from tilewright.reading.files.patterns import LANGUAGE
from tilewright.reading.schemas import schema_of

#: by media type in the schemas: the start of the grammar for a text of the language
_MEDIA: dict[str, Start] = {
    "text/x-tilewright-effects": "effects",
    "text/x-tilewright-expression": "expr",
}
_LANGUAGE = f"^{LANGUAGE.pattern.pattern}$"


@dataclass(frozen=True, slots=True)
class Expected:
    """The description of a value in a schema.

    `keys` are those of a map, in their order. `other` describes entries whose keys the author
    chooses, and `item` the items of a list. `start` is set for a text of the language,
    `is_by_language` for what may be a map of texts by language.
    """

    keys: Mapping[str, Expected]
    other: Expected | None
    item: Expected | None
    start: Start | None
    is_by_language: bool = False

    def under(self, key: str) -> Expected:
        """The description of the value of a key."""
        return self.keys.get(key) or self.other or NOTHING

    def inside(self) -> Expected:
        """The description of a list item."""
        return self.item or NOTHING


NOTHING = Expected({}, None, None, None)


@cache
def expected_of(kind: str) -> Expected:
    """The description of a whole file, from the schema of its kind."""
    return _expected([schema_of(kind)])


def _expected(schemas: list[dict[str, Any]]) -> Expected:
    readings = [reading for schema in schemas for reading in _readings(schema)]
    keys: dict[str, list[dict[str, Any]]] = {}
    for reading in readings:
        for key, inner in reading.get("properties", {}).items():
            if isinstance(inner, dict):
                keys.setdefault(key, []).append(inner)
    media = [_MEDIA[m] for r in readings if (m := r.get("contentMediaType")) in _MEDIA]
    return Expected(
        {key: _expected(inner) for key, inner in keys.items()},
        _inner(readings, "additionalProperties"),
        _inner(readings, "items"),
        media[0] if media else None,
        any(r.get("propertyNames", {}).get("pattern") == _LANGUAGE for r in readings),
    )


def _readings(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema with all its alternatives."""
    yield schema
    for word in ("oneOf", "anyOf", "allOf"):
        for inner in schema.get(word, ()):
            if isinstance(inner, dict):
                yield from _readings(inner)


def _inner(readings: list[dict[str, Any]], word: str) -> Expected | None:
    found = [reading[word] for reading in readings if isinstance(reading.get(word), dict)]
    return _expected(found) if found else None
