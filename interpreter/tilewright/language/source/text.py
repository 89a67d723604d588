"""Text with a name, and places in it.

A span travels from a YAML key through the effect text into the compiled rule, so that every later
diagnostic can underline the author's own words. This file knows nothing of YAML or of rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

#: after a name: the ruleset that declares it, where two of a game use the name
OWNER = r" of [a-z0-9.]+/[a-z0-9-]+"
_WORD = re.compile(rf"\S+(?:{OWNER})?")


def owned(name: str, ruleset: str) -> str:
    """A name together with the ruleset that declares it: `pile of house/one`."""
    return f"{name} of {ruleset}"


def words_of(text: str) -> list[str]:
    """The words of a text; a name is one word, also together with its ruleset."""
    return _WORD.findall(text)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file: lines and columns count from 1, the end column is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def of(self, text: str, word: str) -> Span | None:
        """The place of a word of the text that is written here, in quotes or not; the whole span
        where it cannot be known, as after escapes and folded lines. None for no word of the text.
        """
        found = re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", text)
        if found is None:
            return None
        if not self.holds(text):
            return self
        column = self.column + self._quote(text) + found.start()
        return replace(self, column=column, end_column=column + len(word))

    def holds(self, text: str) -> bool:
        """Whether a text is written here without changes, in quotes or not."""
        is_line = self.line == self.end_line
        return is_line and self.end_column - self.column in (len(text), len(text) + 2)

    def code(self, text: str) -> Code:
        """The text that is written here, with its place."""
        return Code(text, self.file, self.line, self.column + self._quote(text), 0)

    def _quote(self, text: str) -> int:
        return int(self.end_column - self.column == len(text) + 2)

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of another one."""
        return replace(self, end_line=other.end_line, end_column=other.end_column)


NOWHERE = Span("", 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of effect text and its place in the file.

    `line` and `column` (from 1) are the place of the first character; `indent` is the column before
    which every following line begins in the file (the indentation that YAML has stripped). If lines
    of the file were joined, `pieces` are the offset, line and column of each. `names` has what the
    game has in another form: a space (`name`, `definition`, `event`, `procedure`), the name, and
    that of the game.
    """

    text: str
    file: str
    line: int
    column: int
    indent: int
    pieces: tuple[tuple[int, int, int], ...] = ()
    names: tuple[tuple[str, str, str], ...] = ()

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The place in the file of a stretch of this text (lines and columns from 1)."""
        if self.pieces:
            start, last = self._joined(line, column), self._joined(end_line, end_column - 1)
            return Span(self.file, *start, last[0], last[1] + 1)
        return Span(
            self.file,
            self.line + line - 1,
            column + (self.column - 1 if line == 1 else self.indent),
            self.line + end_line - 1,
            end_column + (self.column - 1 if end_line == 1 else self.indent),
        )

    def _joined(self, line: int, column: int) -> tuple[int, int]:
        """The line and column in the file of a character of joined lines."""
        before = self.text.split("\n")[: line - 1]
        offset = sum(len(each) + 1 for each in before) + column - 1
        after = [piece for piece in self.pieces if piece[0] <= offset]
        at, first, begin = after[-1] if after else self.pieces[0]
        return first, begin + max(offset - at, 0)

    @property
    def whole(self) -> Span:
        """The span of all of the text."""
        lines = self.text.rstrip("\n").split("\n")
        return self.span(1, 1, len(lines), len(lines[-1]) + 1)


def code_without_file(text: str) -> Code:
    """Effect text that is not from a file (tests, the command line)."""
    return Code(text, "<text>", 1, 1, 0)
