"""Texts, lists and maps with their places; plain text is converted only on request.

A scalar is text until a caller converts it; numbers and truth values have one spelling each. This
module does not read files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tilewright.language.source.text import Code, Span

_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]{0,17}))(?:\.0+)?", re.ASCII)
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]+", re.ASCII)


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
    """Entries in the order of the file; no key twice.

    That of a whole file has its remarks: the texts of comments that begin with `tilewright:`, each
    with its place and the line that it is about.
    """

    entries: tuple[tuple[YText, YNode], ...]
    span: Span
    remarks: tuple[tuple[str, Span, int], ...] = ()

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


def texts_in(node: YNode) -> Iterator[YText]:
    """All keys and texts, in order."""
    if isinstance(node, YText):
        yield node
    elif isinstance(node, YList):
        for item in node.items:
            yield from texts_in(item)
    else:
        for key, value in node.entries:
            yield key
            yield from texts_in(value)


# ------------------------------------------------------------------ places of words


def place_of_words(node: YNode, words: tuple[str, ...]) -> Span | None:
    """The place of a word inside a node, or None.

    In a map the words before the last one are keys; the last one is a key, or a word in a text.
    """
    if not words:
        return node.span
    match node:
        case YMap():
            for key, value in node.entries:
                if key.value == words[0]:
                    return place_of_words(value, words[1:]) if words[1:] else key.span
            return None
        case YList():
            found = (place_of_words(item, words) for item in node.items)
            return next((place for place in found if place is not None), None)
        case YText():
            is_whole = node.value == words[0]
            return node.span if is_whole else node.span.of(node.value, words[0])


# ------------------------------------------------------------------ values of plain scalars


def as_int(text: YText) -> int | None:
    """The number of a plain decimal scalar of at most 18 digits, or None; `1.0` is a whole number.

    JSON Schema and YAML take it for one, too.
    """
    found = _NUMBER.fullmatch(text.value) if text.plain else None
    return None if found is None else int(found[1])


def as_number(text: YText) -> int | float | None:
    """The number of a plain decimal scalar, with or without a fraction, or None."""
    if text.plain and _DECIMAL.fullmatch(text.value):
        return float(text.value)
    return as_int(text)


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
            number = as_number(node)
            if number is not None:
                return number
            truth = as_truth(node)
            return node.value if truth is None else truth
