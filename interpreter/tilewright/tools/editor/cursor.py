"""The place of the cursor in a file that may be broken.

A marked word is inserted at the cursor, and the file is read as YAML; if that fails, it is read
with the few endings that an unfinished line may need, and at last without the text below. The path
from the root to the mark gives the key, value or effect being written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText, read_yaml
from tilewright.language.syntax.incomplete import MARK


@dataclass(frozen=True, slots=True)
class Cursor:
    """The path to the mark; `node` is the key or text that holds it, `around` the maps above it.

    `path` ends with the key itself when `is_key`, else with the key or number whose value it is.
    `before` is the text in the node before the mark.
    """

    tree: YNode
    path: tuple[str | int, ...]
    node: YText
    around: tuple[YMap, ...]
    is_key: bool
    before: str


def cursor_at(text: str, line: int, column: int, file: str) -> Cursor | None:
    """The cursor at a line and column from 1; None in a comment or an unreadable file."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if not 0 < line <= len(lines):
        return None
    head, tail = lines[line - 1][: column - 1], lines[line - 1][column - 1 :]
    rest = tail.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
    above, below = lines[: line - 1], lines[line:]
    for ending in _endings(head, rest):
        here = f"{head}{MARK}{ending}"
        for after in (below, []):
            tree = read_yaml("\n".join((*above, here, *after)), file, Reporter.discarding())
            found = None if tree is None else _find(tree, (), ())
            if tree is not None and found is not None:
                path, node, around, is_key = found
                return Cursor(tree, path, node, around, is_key, node.value.split(MARK)[0])
    return None


def _endings(head: str, rest: str) -> Iterator[str]:
    """The possible endings of the marked line: first its own, then the missing ones."""
    yield rest
    open_, quote = _open_brackets(head)
    closing = quote + "".join("]" if bracket == "[" else "}" for bracket in reversed(open_))
    if not rest.strip():
        if closing:
            yield closing
            yield f"{quote}: x{closing.removeprefix(quote)}"
        yield ":"
    yield closing
    if rest.strip():
        yield f": {rest}"
        yield ":"


def _open_brackets(head: str) -> tuple[list[str], str]:
    """The brackets of a line that are not yet closed, and the quote that is not."""
    found: list[str] = []
    quote = ""
    for letter in head:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "[{":
            found.append(letter)
        elif letter in "]}" and found:
            found.pop()
    return found, quote


_Way = tuple[tuple[str | int, ...], YText, tuple[YMap, ...], bool]


def _find(node: YNode, path: tuple[str | int, ...], around: tuple[YMap, ...]) -> _Way | None:
    match node:
        case YText():
            return (path, node, around, False) if MARK in node.value else None
        case YList():
            for number, item in enumerate(node.items):
                if (found := _find(item, (*path, number), around)) is not None:
                    return found
        case YMap():
            for key, value in node.entries:
                if MARK in key.value:
                    return (*path, key.value), key, (*around, node), True
                found = _find(value, (*path, key.value), (*around, node))
                if found is not None:
                    return found
    return None
