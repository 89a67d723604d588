"""Texts, lists and maps with their places; plain text is converted only on request.

A scalar is text until a caller converts it; numbers and truth values have one spelling each. This
module does not read files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tilewright.source.text import Code, Span

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)


@dataclass(frozen=True, slots=True)
class YText:
    """A scalar as text.

    `style` is how it was written: "" plain, `'` and `"` quoted, `|` and `>` blocks. `indent` is the
    column in which the lines of a block begin, less one; 0 for the other styles. `folded` are the
    lines of the file that YAML has joined, if these are several.
    """

    value: str
    span: Span
    plain: bool = True
    style: str = ""
    indent: int = 0
    folded: tuple[str, ...] = ()

    def code(self) -> Code:
        """This text as effect text, each word at its true place.

        Only behind an escape in quotes places are not exact.
        """
        span, pieces = self.span, tuple(self._pieces())
        if self.style in ("|", ">"):
            return Code(self.value, span.file, span.line + 1, self.indent + 1, self.indent, pieces)
        column = span.column if self.plain else span.column + 1
        return Code(self.value, span.file, span.line, column, 0, pieces)

    def _pieces(self) -> Iterator[tuple[int, int, int]]:
        """Where each joined line begins: in the text, and its line and column in the file."""
        at = 0
        for number, line in enumerate(self.folded):
            begin = 0
            if number == 0:
                if self.style == ">":
                    continue
                begin = self.span.column - 1 + (self.style != "")
            column = begin + len(line[begin:]) - len(line[begin:].lstrip())
            words = line[column:].rstrip()
            # the last line may go on behind the text
            found = self.value.find(words.split()[0].rstrip("'\""), at) if words else -1
            if found >= 0:
                yield found, self.span.line + number, column + 1
                at = found + len(words)


@dataclass(frozen=True, slots=True)
class YList:
    """A list of nodes."""

    items: tuple[YNode, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class YMap:
    """Entries in the order of the file; no key twice."""

    entries: tuple[tuple[YText, YNode], ...]
    span: Span

    def get(self, key: str) -> YNode | None:
        """The value of a key."""
        for text, node in self.entries:
            if text.value == key:
                return node
        return None

    def key(self, key: str) -> YText | None:
        """The key itself, for its place."""
        for text, _ in self.entries:
            if text.value == key:
                return text
        return None

    def keys(self) -> tuple[str, ...]:
        """The keys as text, in order."""
        return tuple([text.value for text, _ in self.entries])


YNode = YText | YList | YMap


# ------------------------------------------------------------------ values of plain scalars


def as_int(text: YText) -> int | None:
    """The number of a plain decimal scalar of at most 18 digits, or None."""
    if text.plain and _NUMBER.fullmatch(text.value):
        return int(text.value)
    return None


def as_truth(text: YText) -> bool | None:
    """The value of plain `true` or `false`."""
    if text.plain and text.value in ("true", "false"):
        return text.value == "true"
    return None


def is_null(text: YText) -> bool:
    """Whether the value is empty, or plain `null` or `~`."""
    return text.plain and text.value in ("", "~", "null")


def plain(node: YNode) -> Any:
    """The tree as ordinary dicts, lists, texts, numbers, truths and None."""
    match node:
        case YMap():
            return {key.value: plain(value) for key, value in node.entries}
        case YList():
            return [plain(item) for item in node.items]
        case YText():
            if not node.plain:
                return node.value
            if is_null(node):
                return None
            number = as_int(node)
            if number is not None:
                return number
            truth = as_truth(node)
            return node.value if truth is None else truth
