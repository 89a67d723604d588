"""What the schemas say of a part of a file: which keys it may have, in which order, and which texts
are of the language.

Schemas are read as they are written for editors; alternatives are taken together, since any of them
may know a part. Whether a file keeps to its schema is the reader's business.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tilewright.language.parser import Start
from tilewright.reading.library import schemas_folder

#: what the schemas call a text of the language, and where its grammar begins
_MEDIA: dict[str, Start] = {
    "text/x-tilewright-effects": "effects",
    "text/x-tilewright-expression": "expr",
}


@dataclass(frozen=True, slots=True)
class Expected:
    """The description of a value in a schema.

    `keys` are those of a map, in their order; `other` is said of entries whose keys are the
    author's, `item` of the items of a list. `start` is there where a text is of the language.
    """

    keys: Mapping[str, Expected]
    other: Expected | None
    item: Expected | None
    start: Start | None

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
    path = schemas_folder() / f"{kind}.schema.json"
    return _expected([json.loads(path.read_text(encoding="utf-8"))])


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
