"""The JSON Schemas of the files, for editors and pages, and the only call of the validator.

Loading a ruleset does not use this module: the reader refuses everything that the schemas refuse,
with better messages, and a test compares the two. The validator is imported only when needed.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from tilewright.reading.library import schemas_folder
from tilewright.source.yaml.tree import YNode, plain

KINDS = ("module", "statements", "components", "tiles", "rules", "scenarios", "topics")


@cache
def schema_of(kind: str) -> dict[str, Any]:
    """The schema of a kind of file, with each reference to its `$defs` replaced by what it names.

    A key beside a reference overrides that of the definition. The result is shared: do not change
    it.
    """
    written = _written(kind)
    definitions = written.pop("$defs", {})

    def resolved(part: Any) -> Any:
        if isinstance(part, list):
            return [resolved(inner) for inner in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            named = definitions[part["$ref"].removeprefix("#/$defs/")]
            return resolved({**named, **{k: v for k, v in part.items() if k != "$ref"}})
        return {key: resolved(inner) for key, inner in part.items()}

    found: dict[str, Any] = resolved(written)
    return found


def _written(kind: str) -> dict[str, Any]:
    """The schema as its file has it."""
    text = (schemas_folder() / f"{kind}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def _validator(kind: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(_written(kind))


def accepts(kind: str, node: YNode) -> bool:
    """Whether a file of a kind has the shape that its schema describes."""
    return bool(_validator(kind).is_valid(plain(node)))


def diagnostics(kind: str, node: YNode) -> tuple[str, ...]:
    """The errors of the validator for a file, for authors of schemas."""
    errors = _validator(kind).iter_errors(plain(node))
    return tuple(f"{error.json_path}: {error.message}" for error in errors)
