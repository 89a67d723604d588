"""The concrete syntax tree of effect text: every word with its place, brackets and comments too.

The formatter needs it. `ast` has the abstract tree, which has no brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code
from tilewright.language.syntax.parser import Start, syntax_tree

_STRING_OR_COMMENT = re.compile(r'"[^"\n]*"|#[^\n]*')


@dataclass(frozen=True, slots=True)
class Word:
    """A word or sign; `kind` is the grammar's terminal, `start` and `end` count characters."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """The match of one rule of the grammar; `kind` is the name of the rule."""

    kind: str
    parts: tuple[Word | Phrase, ...]

    def words(self) -> Iterator[Word]:
        """All words of the phrase, in order."""
        for part in self.parts:
            if isinstance(part, Word):
                yield part
            else:
                yield from part.words()


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment, and whether it has a line to itself."""

    text: str
    start: int
    is_alone: bool


def read_phrase(code: Code, start: Start, reporter: Reporter) -> Phrase | Word | None:
    """The concrete tree of a text, or None after reporting an error."""
    tree = syntax_tree(code, start, reporter)
    return None if tree is None else _tree_of(tree)


def _tree_of(tree: Any) -> Phrase | Word:
    if not hasattr(tree, "children"):
        return Word(tree.type, str(tree), tree.start_pos, tree.end_pos)
    return Phrase(str(tree.data).rstrip("_"), tuple(_tree_of(child) for child in tree.children))


def remarks(text: str) -> tuple[Remark, ...]:
    """The comments of a text, in order."""
    found = []
    for match in _STRING_OR_COMMENT.finditer(text):
        if match[0].startswith("#"):
            line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            found.append(Remark(match[0].rstrip(), match.start(), not line.strip()))
    return tuple(found)
