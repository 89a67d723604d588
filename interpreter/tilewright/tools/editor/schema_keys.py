"""Schema look-up for a place in a file: the keys, the words, and their descriptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright.reading.schemas import KINDS, schema_of

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """A possible key; `holds` is `map`, `list`, `text`, `number` or `truth`."""

    name: str
    doc: str
    holds: str
    required: bool
    words: tuple[str, ...] = ()


def _inside(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """A schema and its alternatives."""
    found = [schema]
    for word in ("anyOf", "oneOf", "allOf"):
        for other in schema.get(word, ()):
            found += _inside(other) if isinstance(other, dict) else []
    return found


def _at(kind: str, path: Path) -> list[dict[str, Any]]:
    if kind not in KINDS:
        return []
    here = _inside(schema_of(kind))
    for part in path:
        below: list[dict[str, Any]] = []
        for schema in here:
            if isinstance(part, int):
                if isinstance(schema.get("items"), dict):
                    below += _inside(schema["items"])
            elif part in schema.get("properties", {}):
                named = schema["properties"][part]
                below += _inside(named) if isinstance(named, dict) else []
            elif isinstance(schema.get("additionalProperties"), dict):
                below += _inside(schema["additionalProperties"])
        here = below
    return here


def keys_at(kind: str, path: Path) -> tuple[Key, ...]:
    """The keys of the map at a path; none without a map, or where any key is possible."""
    found: dict[str, Key] = {}
    for schema in _at(kind, path):
        needed = schema.get("required", ())
        for name, inner in schema.get("properties", {}).items():
            if not isinstance(inner, dict):
                continue  # `false`: a key that goes with others only
            found.setdefault(name, _key(name, inner, name in needed))
    return tuple(found.values())


def describe(kind: str, path: Path) -> Key | None:
    """The schema's description of a path."""
    found = _at(kind, path)
    if not found or not path:
        return None
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    doc = next((s["description"] for s in found if "description" in s), "")
    words = tuple(str(word) for s in found for word in s.get("enum", ()))
    return Key(name, doc, _holds(found), False, words)


def _key(name: str, schema: dict[str, Any], required: bool) -> Key:
    inside = _inside(schema)
    words = tuple(str(word) for s in inside for word in s.get("enum", ()))
    doc = next((s["description"] for s in inside if "description" in s), "")
    return Key(name, doc, _holds(inside), required, words)


def _holds(schemas: list[dict[str, Any]]) -> str:
    types = [s["type"] for s in schemas if "type" in s]
    flat = [word for t in types for word in (t if isinstance(t, list) else [t])]
    for word, description in (
        ("object", "map"),
        ("array", "list"),
        ("string", "text"),
        ("integer", "number"),
        ("boolean", "truth"),
    ):
        if word in flat:
            return description
    return "text"
