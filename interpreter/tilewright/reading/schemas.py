"""The JSON Schemas of the files, for editors, and the one door to the validator.

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
def _validator(kind: str) -> Any:
    from jsonschema import Draft202012Validator

    text = (schemas_folder() / f"{kind}.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def accepts(kind: str, node: YNode) -> bool:
    """Whether a file of a kind has the shape that its schema describes."""
    return bool(_validator(kind).is_valid(plain(node)))


def diagnostics(kind: str, node: YNode) -> tuple[str, ...]:
    """The errors of the validator for a file, for authors of schemas."""
    errors = _validator(kind).iter_errors(plain(node))
    return tuple(f"{error.json_path}: {error.message}" for error in errors)
