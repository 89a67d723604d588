"""The schema of the messages, and the checkers of parameters made from it.

The schema is a file, `schemas/studio.schema.json`, which `tests/support/studio_schema.py` writes
from the types in `protocol`. Parameters have limits that the types do not show: lengths of texts
and lists, and sizes of numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import fastjsonschema

from tilewright.rules.reading.library import schemas_folder

FILE = "studio.schema.json"

#: checks parameters: the first error, or None
Check = Callable[[Any], Exception | None]


@cache
def schema() -> dict[str, Any]:
    """The whole schema."""
    found: dict[str, Any] = json.loads((schemas_folder() / FILE).read_text("utf-8"))
    return found


@cache
def checker(method: str) -> Check:
    """The check of the parameters of a method."""
    whole = schema()
    params = whole["$defs"]["Methods"]["properties"][method]["properties"]["params"]
    compiled = fastjsonschema.compile({**params, "$defs": whole["$defs"]}, use_default=False)

    def check(given: Any) -> Exception | None:
        try:
            compiled(given)
        except (fastjsonschema.JsonSchemaException, RecursionError) as wrong:
            return wrong
        return None

    return check


def title_of_error(wrong: Exception) -> str:
    """The error in parameters, in a few words, without the parameters themselves."""
    path = ".".join(str(part) for part in getattr(wrong, "path", [])[1:])
    rule = getattr(wrong, "rule", None) or "type"
    return f"`{path[:80] or 'params'}` does not fit its schema ({rule})"
