"""The JSON Schemas of the files of a ruleset, made from the descriptions of their keys.

`python -m tilewright.rules.reading.schemas schemas` writes the schemas into a folder. Loading a
ruleset does not use them: the reader refuses everything that the schemas refuse, with better
messages, and a test compares the two. Their addresses are for editors: nothing here reads one.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tilewright.language.source.files import write_whole
from tilewright.rules.reading.file_kinds import FILES
from tilewright.rules.reading.files.patterns import NAME, Form
from tilewright.rules.reading.files.shapes import (
    BY_LANGUAGE,
    EffectText,
    Either,
    LabelText,
    ListOf,
    Map,
    MapOf,
    Number,
    Scalar,
    Shape,
    Text,
    Truth,
    Way,
    Word,
)
from tilewright.rules.reading.files.whole import PARTS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: a line that names the schema of a file: its beginning, the place, the kind of file, and the end
SCHEMA_LINE = re.compile(
    r"^(# yaml-language-server: \$schema=)((?:\S*[/\\])?(?:tilewright-)?)([a-z]+)"
    r"((?:\.schema|-\d+)\.json)[ \t\r]*$",
    re.M,
)
_MEDIA = {"effects": "text/x-tilewright-effects", "expr": "text/x-tilewright-expression"}
_SCALAR = ["string", "number", "boolean"]


def id_of(name: str, version: int = 1) -> str:
    """The `$id` of a schema: its address in the catalogue of SchemaStore. A form that makes older
    files unreadable has the next version.
    """
    return f"https://www.schemastore.org/tilewright-{name}-{version}.json"


def schema_of(kind: str) -> dict[str, Any]:
    """The JSON Schema of a kind of file."""
    shape = FILES[kind]
    writer = _Writer(shape)
    head = {"$schema": DIALECT, "$id": id_of(kind), "title": shape.title}
    whole = head | writer.inline(shape)
    return whole | ({"$defs": dict(sorted(writer.made.items()))} if writer.made else {})


class _Writer:
    """Writes schemas; those of maps and lists that several keys have are definitions."""

    def __init__(self, whole: Shape) -> None:
        counted = Counter(_within(whole))
        self.names: dict[Shape, str] = {}
        for shape, key in counted:
            if counted[shape, key] > 1 and key not in self.names.values():
                self.names.setdefault(shape, key)
        self.made: dict[str, dict[str, Any]] = {}

    def schema(self, shape: Shape) -> dict[str, Any]:
        name = self.names.get(shape)
        if name is None:
            return self.inline(shape)
        if name not in self.made:
            self.made[name] = {}
            self.made[name] = self.inline(shape)
        return {"$ref": f"#/$defs/{name}"}

    def inline(self, shape: Shape) -> dict[str, Any]:
        """The schema of a shape: its type, its help, its limits."""
        found: dict[str, Any] = {"description": shape.says} if shape.says else {}
        found |= self.type(shape)
        found |= _given(default=shape.assumed)
        return found | ({"examples": [*shape.examples]} if shape.examples else {})

    def type(self, shape: Shape) -> dict[str, Any]:
        match shape:
            case Word(words=words):
                return {"type": "string", "enum": [*words]}
            case Text(form=Form() as form):
                return {"type": "string", "pattern": form.written}
            case Text():
                return {"type": "string", "minLength": 1}
            case Scalar():
                return {"type": _SCALAR, "minLength": 1}
            case EffectText(start=start):
                return {"type": _SCALAR, "pattern": "\\S", "contentMediaType": _MEDIA[start]}
            case Number(least=least, most=most):
                return {"type": "integer"} | _given(minimum=least, maximum=most)
            case Truth():
                return {"type": "boolean"}
            case ListOf():
                limits = _given(minItems=shape.least or None, maxItems=shape.most)
                unique = {"uniqueItems": True} if shape.is_unique else {}
                return {"type": "array", "items": self.schema(shape.item)} | limits | unique
            case MapOf(form=form):
                keys = {"pattern": form.written} if form else {"minLength": 1}
                limits = _given(minProperties=shape.least or None, maxProperties=shape.most)
                return {
                    "type": "object",
                    "propertyNames": keys,
                    "additionalProperties": self.schema(shape.item),
                } | limits
            case LabelText():
                by_language = self.inline(BY_LANGUAGE) | {"required": ["en"]}
                return {"anyOf": [{"type": "string", "minLength": 1}, by_language]}
            case Either(shapes=shapes):
                return {"anyOf": [self.schema(each) for each in shapes]}
            case Map():
                return self.map(shape)
        return {"type": "null"}

    def map(self, shape: Map) -> dict[str, Any]:
        found: dict[str, Any] = {
            "type": "object",
            "properties": {key: self.schema(inner) for key, inner in shape.keys.items()},
            "additionalProperties": False if shape.other is None else self.schema(shape.other),
        }
        needed = [key for key, inner in shape.keys.items() if inner.required]
        names = {} if shape.other is None else {"propertyNames": {"pattern": NAME.written}}
        return (
            found
            | ({"required": needed} if needed else {})
            | names
            | _one_of(shape.ways)
            | {**shape.rules}
        )


def _within(shape: Shape) -> Iterator[tuple[Shape, str]]:
    """Every list and map below a shape, each time that a key has it."""
    seen: set[Shape] = set()

    def walk(here: Shape, key: str) -> Iterator[tuple[Shape, str]]:
        if isinstance(here, ListOf | MapOf | Map | LabelText | Either):
            yield here, key
        if here in seen:
            return
        seen.add(here)
        for name, inner in here.known().items():
            yield from walk(inner, name)
        for inner in (*_members(here),):
            yield from walk(inner, key)

    for name, inner in shape.known().items():
        yield from walk(inner, name)


def _members(shape: Shape) -> tuple[Shape, ...]:
    match shape:
        case ListOf(item=item) | MapOf(item=item):
            return (item,)
        case Either(shapes=shapes):
            return shapes
        case Map(other=Shape() as other):
            return (other,)
    return ()


def _one_of(ways: tuple[Way, ...]) -> dict[str, Any]:
    """The words for a map that is written in exactly one way, without the keys of the others."""
    keys = dict.fromkeys(key for way in ways for key in way.keys)
    found = []
    for way in ways:
        off = {key: False for key in keys if key not in way.keys}
        more = {"required": [*way.needs], **way.more}
        found.append({**more, "properties": off | {**way.more.get("properties", {})}})
    return {"oneOf": found} if found else {}


def _given(**words: Any) -> dict[str, Any]:
    return {word: value for word, value in words.items() if value is not None}


def data_schema() -> dict[str, Any]:
    """The JSON Schema of a whole ruleset as data (`as_data.py`), made of those of its files."""
    files = {
        kind: {
            "description": f"the files of the kind `{kind}`, in the order in which they are read",
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "file": {"description": "its path in the folder", "type": "string"},
                    "content": {"$ref": id_of(kind)},
                },
                "required": ["file", "content"],
                "additionalProperties": False,
            },
        }
        for kind in FILES
        if kind in PARTS
    }
    form = {"description": "the form of the data", "const": "ruleset 1"}
    id_ = {"description": "the id of the ruleset", "type": "string"}
    return {
        "$schema": DIALECT,
        "$id": id_of("ruleset-data"),
        "title": "A ruleset as data",
        "description": "The output of `tilewright show ruleset --format json`.",
        "type": "object",
        "properties": {"tilewright": form, "id": id_, **files},
        "required": ["tilewright", "id", "module"],
        "additionalProperties": False,
    }


def schemas() -> dict[str, dict[str, Any]]:
    """The schemas of the files of a ruleset, and of a whole one, by their names."""
    return {kind: schema_of(kind) for kind in FILES} | {"ruleset-data": data_schema()}


def texts() -> dict[str, str]:
    """The files of the schemas, by their names."""
    return {
        f"{name}.schema.json": json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        for name, schema in schemas().items()
    }


if __name__ == "__main__":
    for name, text in texts().items():
        write_whole(Path(sys.argv[1]) / name, text)
