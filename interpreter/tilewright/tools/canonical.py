"""A file of a ruleset in its one form: keys in the schema's order, effects laid out, comments kept.

The printer knows YAML and `layout` knows effects; here they learn from the schema which text is
which. Nothing is written, and a form that would say anything else than the text is not given.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePath
from typing import Any

from tilewright.language.layout import layout_of
from tilewright.reading.folder import FOLDERS
from tilewright.reading.schema_parts import (
    Schema,
    entry_schemas,
    file_schema,
    inner_schemas,
    known_keys,
    start_of_text,
)
from tilewright.reading.schemas import KINDS
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Span
from tilewright.source.yaml_parts import Group, Part, comments, page_of
from tilewright.source.yaml_print import printed
from tilewright.source.yaml_tree import YList, YMap, YNode, YText, is_null, plain, read_yaml

_SCHEMA_LINE = re.compile(r"# yaml-language-server: \$schema=\S*?([a-z]+)\.schema\.json\s*$", re.M)
_WORDS = re.compile(r'"[^"\n]*"|#[^\n]*|\w+|[^\s\w]')


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
        _arrange(page.root, (file_schema(kind),), reporter)
    if reporter.has_errors:
        return None
    result = printed(page)
    check = Reporter()
    again = read_yaml(result, file, check)
    if again is None or not _same(text, node, result, again, (file_schema(kind),)):
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
    shared = {kind: len({*node.keys()} & {*file_schema(kind)["properties"]}) for kind in KINDS}
    best = max(KINDS, key=lambda kind: shared[kind])
    return best if shared[best] else None


# ------------------------------------------------------------------ arranging


def _arrange(group: Group, schemas: tuple[Schema, ...], reporter: Reporter) -> None:
    """Put keys in order and find the effects, here and further in."""
    if not group.is_map:
        inner = inner_schemas(schemas, "items")
        for part in group.parts:
            _arrange_part(part, inner, reporter)
        return
    known, others = known_keys(schemas), inner_schemas(schemas, "additionalProperties")
    for part in group.parts:
        assert part.key is not None
        _arrange_part(part, entry_schemas(part.key.value, known, others), reporter)
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
    start = start_of_text(schemas)
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
            if start_of_text(schemas) is not None and not is_null(node):
                return tuple(_WORDS.findall(node.value))
            return plain(node)
        case YList():
            inner = inner_schemas(schemas, "items")
            return [_meaning(item, inner) for item in node.items]
    known, others = known_keys(schemas), inner_schemas(schemas, "additionalProperties")
    pairs = [
        (key.value, _meaning(value, entry_schemas(key.value, known, others)))
        for key, value in node.entries
    ]
    own = [pair for pair in pairs if pair[0] not in known]
    return {key: value for key, value in pairs if key in known}, own
