"""Hover: a short description of the name, type, key or diagnostic at a place of a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tilewright.language.source.diagnostics import Diagnostic
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText
from tilewright.language.typing import typed_ast as t
from tilewright.rules.reading.file_kinds import shape_at
from tilewright.rules.reading.files.shapes import limits_of
from tilewright.tools.editor.describe import (
    Description,
    describe_builtin,
    describe_code,
    describe_place,
)
from tilewright.tools.editor.symbol_index import Index, Place
from tilewright.tools.editor.types_at import typecheck_place
from tilewright.tools.workspace.overlay import path_of, span_holds


@dataclass(frozen=True, slots=True)
class Hover:
    """A description in Markdown, and the span that it describes."""

    markdown: str
    span: Span


def hover(
    index: Index, path: Path, line: int, column: int, diagnostics: Iterable[Diagnostic] = ()
) -> Hover | None:
    """The description of a place (line and column from 1); None without one."""
    here = _named(index, path, line, column) or _typed(index, path, line, column)
    here = here or _key(index, path, line, column)
    diagnostics = [
        found
        for found in diagnostics
        if path_of(found.span.file) == path and span_holds(found.span, line, column)
    ]
    codes = [describe_code(code) for code in dict.fromkeys(found.code for found in diagnostics)]
    if here is None:
        return Hover("\n\n---\n\n".join(codes), diagnostics[0].span) if diagnostics else None
    return Hover("\n\n---\n\n".join((here.markdown, *codes)), here.span)


def _named(index: Index, path: Path, line: int, column: int) -> Hover | None:
    place = index.at(path, line, column)
    if place is None:
        return None
    if place.here.kind == "local":
        return _local(index, place, path, line, column)
    if place.here.kind == "member":
        found = _member(index, place, path, line)
    else:
        found = describe_place(index, place)
    return None if found is None else Hover(found.markdown(), place.span)


def _local(index: Index, place: Place, path: Path, line: int, column: int) -> Hover | None:
    checked = typecheck_place(index.overlay, path, line, column)
    name = place.here.id
    type_ = None
    if checked is not None:
        scope = checked.found.scope if checked.found is not None else None
        type_ = (scope.local(name) if scope is not None else None) or checked.bound.get(name)
    head = f"{name}: {type_}" if type_ is not None else name
    return Hover(Description(head, "a name of this rule").markdown(), place.span)


def _member(index: Index, place: Place, path: Path, line: int) -> Description | None:
    checked = typecheck_place(index.overlay, path, line, place.span.column)
    owner = ""
    if checked is not None and checked.found is not None:
        owner = _owner(checked.found.term, place.here.id)
    return describe_builtin("member", place.here.id, owner)


def _owner(node: t.Expression, name: str) -> str:
    match node:
        case t.Attribute(owner, attribute) if attribute.name == name:
            return owner.type.base
    return ""


def _typed(index: Index, path: Path, line: int, column: int) -> Hover | None:
    """The type of the expression at a place without a name: an operator, a number."""
    checked = typecheck_place(index.overlay, path, line, column)
    if checked is None or checked.found is None or checked.found.term.type.base == "unknown":
        return None
    term = checked.found.term
    return Hover(f"```\n{term.type}\n```", term.span)


def _key(index: Index, path: Path, line: int, column: int) -> Hover | None:
    tree, kind = index.overlay.tree(path), index.overlay.kind_of(path)
    if tree is None or kind is None:
        return None
    way = way_to(tree, line, column)
    if way is None:
        return None
    found = shape_at(kind, way[0])
    name = next((part for part in reversed(way[0]) if isinstance(part, str)), "")
    if not name or not found.says:
        return None
    words = f"one of {', '.join(f'`{word}`' for word in found.words)}" if found.words else ""
    more = (words, *limits_of(found))
    return Hover(Description(name, found.says, more).markdown(), way[1])


def way_to(node: YNode, line: int, column: int) -> tuple[tuple[str | int, ...], Span] | None:
    """The way from the root to the key or text at a place, and the span of that."""
    match node:
        case YText():
            return ((), node.span) if span_holds(node.span, line, column) else None
        case YList():
            parts: list[tuple[str | int, YNode]] = list(enumerate(node.items))
        case YMap():
            for key, _ in node.entries:
                if span_holds(key.span, line, column):
                    return (key.value,), key.span
            parts = [(key.value, value) for key, value in node.entries]
    for name, inner in parts:
        if span_holds(inner.span, line, column):
            found = way_to(inner, line, column)
            if found is not None:
                return (name, *found[0]), found[1]
    return None
