"""Texts, lists and maps with their places; plain text is converted only on request.

A scalar is text until somebody wants a number or a truth of it, and then in one spelling each. This
file does not read: it knows neither files nor the parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tilewright.source.text import Code, Span

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)


@dataclass(frozen=True, slots=True)
class YText:
    """A scalar as text.

    `style` is how it was written: "" plain, `'` and `"` quoted, `|` and `>` blocks. `indent` is the
    column in which the lines of a block begin, less one; 0 for the other styles.
    """

    value: str
    span: Span
    plain: bool = True
    style: str = ""
    indent: int = 0

    def code(self) -> Code:
        """This text as effect text, each line at its true place.

        Exact for `|` blocks and for what stands on one line without escapes; text that YAML folds
        is exact on its first line only.
        """
        span = self.span
        if self.style in ("|", ">"):
            return Code(self.value, span.file, span.line + 1, self.indent + 1, self.indent)
        column = span.column if self.plain else span.column + 1
        return Code(self.value, span.file, span.line, column, 0)


@dataclass(frozen=True, slots=True)
class YList:
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
        return tuple([text.value for text, _ in self.entries])


YNode = YText | YList | YMap


# ------------------------------------------------------------------ what a plain scalar says


def as_int(text: YText) -> int | None:
    """The number that a plain scalar in decimal stands for; at most 18 digits."""
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
