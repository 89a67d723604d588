"""The JSON Schema of the messages of the studio, made from their types: run this file to write it.

Messages of a page have limits besides their types: texts, lists and numbers of a reasonable size.
"""

from __future__ import annotations

import inspect
import json
import types
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

from tilewright.faces.studio.protocol.common import Form, Limit
from tilewright.faces.studio.service import NOTIFICATIONS, methods
from tilewright.rules.reading.schemas import id_of

FILE = Path(__file__).resolve().parents[2] / "schemas" / "studio.schema.json"
PLAIN = {int: "integer", float: "number", bool: "boolean", str: "string", type(None): "null"}
#: limits of parameters: letters of a text, members of a list or object, size of a number
LETTERS, MEMBERS, SIZE = 20_000, 1000, 1_000_000_000


class Writer:
    """Collects the definitions of types; `strict` ones have limits."""

    def __init__(self) -> None:
        self.made: dict[str, dict[str, Any]] = {}
        self._strict: dict[str, bool] = {}

    def named(self, kind: Any, *, strict: bool) -> dict[str, Any]:
        """A reference to the definition of a type."""
        name = kind.__name__
        if not strict:
            strict = self._strict.get(name, False)
        if name not in self.made or (strict and not self._strict[name]):
            self._strict[name] = strict
            self.made[name] = {}
            self.made[name] = self._object(kind, strict)
        return {"$ref": f"#/$defs/{name}"}

    def _object(self, kind: Any, strict: bool) -> dict[str, Any]:
        hints = get_type_hints(kind, include_extras=True)
        required = [n for n, hint in hints.items() if get_origin(hint) is not NotRequired]
        found: dict[str, Any] = {
            "type": "object",
            "description": " ".join((inspect.getdoc(kind) or "").split()),
            "additionalProperties": False,
            "properties": {name: self.shape(hint, strict) for name, hint in hints.items()},
        }
        if required:
            found["required"] = required
        return found

    def shape(self, hint: Any, strict: bool) -> dict[str, Any]:
        """The schema of a type."""
        origin, args = get_origin(hint), get_args(hint)
        if origin is NotRequired:
            return self.shape(args[0], strict)
        if origin is Annotated:
            found = self.shape(args[0], strict)
            for each in args[1:]:
                if isinstance(each, Limit):
                    found["maxLength"] = each.letters
                if isinstance(each, Form):
                    found["pattern"] = each.pattern
            return found
        if origin is Literal:
            return {"enum": list(args)}
        if origin is list:
            limits = {"maxItems": MEMBERS} if strict else {}
            return {"type": "array", "items": self.shape(args[0], strict), **limits}
        if origin is dict:
            limits = {"maxProperties": MEMBERS} if strict else {}
            if args[1] is Any:
                return {"type": "object", **limits}
            return {"type": "object", "additionalProperties": self.shape(args[1], strict), **limits}
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.shape(arg, strict) for arg in args]}
        if hint is Any:
            return {}
        if hint in PLAIN:
            found = {"type": PLAIN[hint]}
            if strict and hint is str:
                found["maxLength"] = LETTERS  # type: ignore[assignment]
            if strict and hint in (int, float):
                found |= {"minimum": -SIZE, "maximum": SIZE}  # type: ignore[dict-item]
            return found
        return self.named(hint, strict=strict)


def schema() -> dict[str, Any]:
    """The whole schema."""
    writer = Writer()
    table = {}
    for name, method in sorted(methods().items()):
        table[name] = {
            "type": "object",
            "description": " ".join((inspect.getdoc(method.handler) or "").split()),
            "additionalProperties": False,
            "required": ["params", "result"],
            "properties": {
                "params": writer.named(method.params, strict=True),
                "result": writer.named(method.result, strict=False),
            },
        }
    told = {name: writer.named(kind, strict=False) for name, kind in sorted(NOTIFICATIONS.items())}
    described = "The methods of the studio: parameters and results of each."
    writer.made["Methods"] = {
        "type": "object",
        "description": described,
        "additionalProperties": False,
        "required": sorted(table),
        "properties": table,
    }
    writer.made["Notifications"] = {
        "type": "object",
        "description": "What the studio sends without having been asked.",
        "additionalProperties": False,
        "required": sorted(told),
        "properties": told,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": id_of("studio"),
        "title": "The messages of the studio",
        "description": "Messages between the page of `tilewright studio` and the program, as the "
        "parameters and results of JSON-RPC 2.0.",
        "type": "object",
        "$defs": dict(sorted(writer.made.items())),
    }


def text() -> str:
    """The schema as its file has it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
