"""A file of a ruleset in its one form: keys in the schema's order, effects laid out, comments kept.

The printer knows YAML and `layout` knows effects; here they learn from the schema which text is
which. Nothing is written, and a form that would say anything else than the text is not given.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import PurePath
from typing import Any, cast

from tilewright.language.layout import layout_of
from tilewright.language.parse import Start
from tilewright.reading.folder import FOLDERS
from tilewright.reading.library import schemas_folder
from tilewright.reading.schemas import KINDS
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Span
from tilewright.source.yaml_parts import Group, Part, comments, page_of
from tilewright.source.yaml_print import printed
from tilewright.source.yaml_tree import YList, YMap, YNode, YText, is_null, plain, read_yaml

#: what the schemas call a text of the language, and where its grammar begins
_MEDIA: dict[str, Start] = {
    "text/x-tilewright-effects": "effects",
    "text/x-tilewright-expression": "expr",
}
_SCHEMA_LINE = re.compile(r"# yaml-language-server: \$schema=\S*?([a-z]+)\.schema\.json\s*$", re.M)
_WORDS = re.compile(r'"[^"\n]*"|#[^\n]*|\w+|[^\s\w]')

Schema = dict[str, Any]


def canonical(text: str, file: str, reporter: Reporter) -> str | None:
    """The text of a file in canonical form, or None after complaints about it.

    `file` is the name that complaints call it by; it may tell what the file is for.
    """
    own = Reporter()
    result = _canonical(text, file, own)
    reporter.extend(own.diagnostics)
    return None if own.has_errors else result


def _canonical(text: str, file: str, reporter: Reporter) -> str | None:
    node = read_yaml(text, file, reporter)
    if node is None or reporter.has_errors:
        return None
    kind = kind_of(text, file, node)
    if kind is None:
        message = "this is no file of a ruleset: its name, first line and keys tell of no kind"
        reporter.error("TW940", message, Span(file, 1, 1, 1, 1))
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    page = page_of(text, node)
    if isinstance(page.root, Group):
        _arrange(page.root, (_schema(kind),), reporter)
    if reporter.has_errors:
        return None
    result = printed(page)
    check = Reporter()
    again = read_yaml(result, file, check)
    if again is None or not _same(text, node, result, again, (_schema(kind),)):
        message = "a canonical form would not say the same as this file, so it is left as it is"
        reporter.error("TW941", message, Span(file, 1, 1, 1, 1))
        return None
    return result


# ------------------------------------------------------------------ what a file is


def kind_of(text: str, file: str, node: YNode) -> str | None:
    """Which of the files of a ruleset a text is: told by its schema line, its name, or its keys."""
    told = _SCHEMA_LINE.search(text)
    if told is not None and told[1] in KINDS:
        return told[1]
    path = PurePath(file)
    for name in (path.parent.name if path.parent.name in FOLDERS else "", path.stem):
        if name in KINDS:
            return name
    if not isinstance(node, YMap):
        return None
    shared = {kind: len({*node.keys()} & {*_schema(kind)["properties"]}) for kind in KINDS}
    best = max(KINDS, key=lambda kind: shared[kind])
    return best if shared[best] else None


@cache
def _schema(kind: str) -> Schema:
    path = schemas_folder() / f"{kind}.schema.json"
    return cast(Schema, json.loads(path.read_text(encoding="utf-8")))


# ------------------------------------------------------------------ what its schema says of a part


def _readings(schemas: tuple[Schema, ...]) -> Iterator[Schema]:
    """Schemas with all their alternatives: any of them may know a part."""
    for schema in schemas:
        yield schema
        for word in ("oneOf", "anyOf", "allOf"):
            yield from _readings(tuple(s for s in schema.get(word, ()) if isinstance(s, dict)))


def _known(schemas: tuple[Schema, ...]) -> dict[str, list[Schema]]:
    """The keys that a map may have, in their order, each with what is said of it."""
    found: dict[str, list[Schema]] = {}
    for schema in _readings(schemas):
        for key, inner in schema.get("properties", {}).items():
            if isinstance(inner, dict):
                found.setdefault(key, []).append(inner)
    return found


def _others(schemas: tuple[Schema, ...], word: str) -> tuple[Schema, ...]:
    """What is said of every item, or of every entry whose key is the author's."""
    found = (schema.get(word) for schema in _readings(schemas))
    return tuple(inner for inner in found if isinstance(inner, dict))


def _start(schemas: tuple[Schema, ...]) -> Start | None:
    """Where the grammar begins for a text, if it is one of the language."""
    for schema in _readings(schemas):
        if schema.get("contentMediaType") in _MEDIA:
            return _MEDIA[schema["contentMediaType"]]
    return None


def _of_entry(key: str, known: dict[str, list[Schema]], others: tuple[Schema, ...]) -> Any:
    return tuple(known[key]) if key in known else others


# ------------------------------------------------------------------ arranging


def _arrange(group: Group, schemas: tuple[Schema, ...], reporter: Reporter) -> None:
    """Put keys in order and find the effects, here and further in."""
    if not group.is_map:
        inner = _others(schemas, "items")
        for part in group.parts:
            _arrange_part(part, inner, reporter)
        return
    known, others = _known(schemas), _others(schemas, "additionalProperties")
    for part in group.parts:
        assert part.key is not None
        _arrange_part(part, _of_entry(part.key.value, known, others), reporter)
    ranks = {key: rank for rank, key in enumerate(known)}
    first = group.parts[0] if group.parts else None
    group.parts.sort(key=lambda part: ranks.get(part.key.value if part.key else "", len(ranks)))
    if first is not None and first is not group.parts[0] and not first.before:
        # an empty line above a part is one between parts, so the one that was first has it too
        first.before += [""] * any(part.before[:1] == [""] for part in group.parts)


def _arrange_part(part: Part, schemas: tuple[Schema, ...], reporter: Reporter) -> None:
    if isinstance(part.value, Group):
        _arrange(part.value, schemas, reporter)
        return
    start = _start(schemas)
    if start is None or is_null(part.value):
        return
    layout = layout_of(part.value.code(), start, reporter)
    part.is_block = start == "effects"
    # A text of nothing is complained about by those who read the file.
    part.code = layout if part.value.value.strip() else None


# ------------------------------------------------------------------ proof


def _same(
    text: str, node: YNode, other_text: str, other: YNode, schemas: tuple[Schema, ...]
) -> bool:
    """Whether two files say the same and have the same comments."""
    said, other_said = Counter(comments(text, node)), Counter(comments(other_text, other))
    return said == other_said and _meaning(node, schemas) == _meaning(other, schemas)


def _meaning(node: YNode, schemas: tuple[Schema, ...]) -> Any:
    """A tree without places, with maps that know no order of the keys of their schema."""
    match node:
        case YText():
            if _start(schemas) is not None and not is_null(node):
                return tuple(_WORDS.findall(node.value))
            return plain(node)
        case YList():
            inner = _others(schemas, "items")
            return [_meaning(item, inner) for item in node.items]
    known, others = _known(schemas), _others(schemas, "additionalProperties")
    pairs = [
        (key.value, _meaning(value, _of_entry(key.value, known, others)))
        for key, value in node.entries
    ]
    own = [pair for pair in pairs if pair[0] not in known]
    return {key: value for key, value in pairs if key in known}, own
