"""What the schemas say of a part of a file: which keys it may have, in which order, and which texts
are of the language.

Schemas are read as they are written for editors; alternatives are taken together, since any of them
may know a part. Whether a file keeps to its schema is the reader's business.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

from tilewright.language.parse import Start
from tilewright.reading.library import schemas_folder

Schema = dict[str, Any]

#: what the schemas call a text of the language, and where its grammar begins
_MEDIA: dict[str, Start] = {
    "text/x-tilewright-effects": "effects",
    "text/x-tilewright-expression": "expr",
}


@cache
def file_schema(kind: str) -> Schema:
    path = schemas_folder() / f"{kind}.schema.json"
    return cast(Schema, json.loads(path.read_text(encoding="utf-8")))


def _readings(schemas: tuple[Schema, ...]) -> Iterator[Schema]:
    """Schemas with all their alternatives: any of them may know a part."""
    for schema in schemas:
        yield schema
        for word in ("oneOf", "anyOf", "allOf"):
            yield from _readings(tuple(s for s in schema.get(word, ()) if isinstance(s, dict)))


def known_keys(schemas: tuple[Schema, ...]) -> dict[str, list[Schema]]:
    """The keys that a map may have, in their order, each with what is said of it."""
    found: dict[str, list[Schema]] = {}
    for schema in _readings(schemas):
        for key, inner in schema.get("properties", {}).items():
            if isinstance(inner, dict):
                found.setdefault(key, []).append(inner)
    return found


def inner_schemas(schemas: tuple[Schema, ...], word: str) -> tuple[Schema, ...]:
    """What is said of every item, or of every entry whose key is the author's."""
    found = (schema.get(word) for schema in _readings(schemas))
    return tuple(inner for inner in found if isinstance(inner, dict))


def start_of_text(schemas: tuple[Schema, ...]) -> Start | None:
    """Where the grammar begins for a text, if it is one of the language."""
    for schema in _readings(schemas):
        if schema.get("contentMediaType") in _MEDIA:
            return _MEDIA[schema["contentMediaType"]]
    return None


def entry_schemas(key: str, known: dict[str, list[Schema]], others: tuple[Schema, ...]) -> Any:
    return tuple(known[key]) if key in known else others
