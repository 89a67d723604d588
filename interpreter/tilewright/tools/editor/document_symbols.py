"""The outline of a file, and the kind of each word of its effects.

The outline follows the file's own lists and maps. Words of effect text are classified by the index
of names, so colours and meaning agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tilewright.language.builtins import RESERVED
from tilewright.language.source.text import Code, Span
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText
from tilewright.rules.reading.file_kinds import shape_at
from tilewright.rules.reading.files.module import MODULE
from tilewright.rules.reading.files.shapes import Shape
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.editor.symbols import key_names, names_of, stretch


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A declaration of a file: its name, its kind, its span, and its content."""

    name: str
    kind: str
    detail: str
    whole: Span
    name_span: Span
    inside: tuple[OutlineEntry, ...] = ()


def outline(index: Index, path: Path) -> tuple[OutlineEntry, ...]:
    """The declarations of a file, in its order."""
    tree, kind = index.overlay.tree(path), index.overlay.kind_of(path)
    if not isinstance(tree, YMap) or kind is None:
        return ()
    found = []
    for key, value in tree.entries:
        whole = key.span.to(value.span)
        inside = tuple(_inside(value, shape_at(kind, (key.value,))))
        if inside or key.value in MODULE.keys:
            detail = value.value if isinstance(value, YText) else ""
            found.append(OutlineEntry(key.value, "section", detail, whole, key.span, inside))
    return tuple(found)


def _inside(node: YNode, shape: Shape) -> Iterator[OutlineEntry]:
    if isinstance(node, YMap):
        kind = key_names(shape)
        if kind.startswith("="):
            for key, value in node.entries:
                detail = _word(value, "says", "type", "phase") if isinstance(value, YMap) else ""
                whole = key.span.to(value.span)
                yield OutlineEntry(key.value, kind[1:], detail, whole, key.span)
    elif isinstance(node, YList):
        for item in node.items:
            if not isinstance(item, YMap):
                continue
            name = item.get("id")
            if isinstance(name, YText) and name.value:
                detail = _word(item, "amend", "on", "action", "procedure", "says", "why")
                kind = names_of(shape.inside().under("id")).removeprefix("=")
                yield OutlineEntry(name.value, kind, detail, item.span, name.span)


def _word(node: YMap, *keys: str) -> str:
    for key in keys:
        found = node.get(key)
        if isinstance(found, YText) and found.value:
            return found.value.split("\n")[0]
    return ""


# ------------------------------------------------------------------ words of effect text

#: kinds of words for editors
KINDS = (
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "variable",
    "parameter",
    "property",
    "function",
    "method",
    "enumMember",
    "event",
    "type",
    "namespace",
)
_SAID = {
    "local": "parameter",
    "memory": "variable",
    "value": "property",
    "builtin": "variable",
    "member": "property",
    "attribute": "property",
    "function": "function",
    "definition": "function",
    "procedure": "function",
    "verb": "method",
    "event": "event",
    "step": "event",
    "action": "function",
    "name": "variable",
}
_CONSTANTS = frozenset(
    ("feature", "symbol", "figure", "trait", "token", "item", "role", "stack", "tile")
)
_WORDS = re.compile(
    r"(?P<comment>#[^\n]*)|(?P<string>\"[^\"\n]*\")|(?P<number>\b\d+\b)"
    r"|(?P<word>[a-z][a-z0-9_]*)|(?P<operator><=|>=|!=|[=<>+*-])"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of effect text: its place, its kind (one of `KINDS`), whether it belongs to the
    language itself.
    """

    span: Span
    kind: str
    is_declared: bool = False
    is_own: bool = False


def semantic_tokens(index: Index, path: Path) -> tuple[Word, ...]:
    """The words of all effect text of a file, in their order; ids in keys too."""
    tree, kind = index.overlay.tree(path), index.overlay.kind_of(path)
    if tree is None or kind is None:
        return ()
    named: dict[tuple[int, int], Word] = {}
    for place in index.resolved(path):
        here = place.here
        token_type = "enumMember" if here.kind in _CONSTANTS else _SAID.get(here.kind, "")
        if token_type and here.span.line == here.span.end_line:
            is_own = here.kind in ("builtin", "function", "verb", "member")
            word = Word(here.span, token_type, here.declares, is_own)
            named[here.span.line, here.span.column] = word
    found = dict(named)
    for code in _codes(tree, shape_at(kind, ())):
        for word in _of(code, named):
            found[word.span.line, word.span.column] = word
    return tuple(found[key] for key in sorted(found))


def _codes(node: YNode, shape: Shape) -> Iterator[Code]:
    match node:
        case YText():
            if names_of(shape) in ("<expression>", "<effects>"):
                yield node.code()
        case YList():
            for item in node.items:
                yield from _codes(item, shape.inside())
        case YMap():
            for key, value in node.entries:
                if key_names(shape) == "<expression>":
                    yield key.code()
                yield from _codes(value, shape.under(key.value))


def _of(code: Code, named: dict[tuple[int, int], Word]) -> Iterator[Word]:
    """The words of a text; those that the index knows are known by their place."""
    end_of_last = (0, 0)
    for hit in _WORDS.finditer(code.text):
        span = stretch(code, hit.start(), hit.end())
        known = named.get((span.line, span.column))
        if known is not None:
            end_of_last = (known.span.end_line, known.span.end_column)
            yield known
        elif hit.lastgroup != "word":
            yield Word(span, str(hit.lastgroup))
        elif (span.line, span.column) >= end_of_last:
            if hit[0] in RESERVED:
                yield Word(span, "keyword")
            elif code.text[hit.end() : hit.end() + 1] == "(":
                yield Word(span, "function")
            else:
                yield Word(replace(span), "variable")
