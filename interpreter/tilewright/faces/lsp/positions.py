"""Positions in editors: lines and characters from 0, characters in units of UTF-16.

And files as named by editors. The caller provides unsaved texts.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

from lsprotocol import types as t
from pygls import uris
from pygls.workspace import PositionCodec

from tilewright.language.source.text import Span

#: letters of a line that is measured as a whole, for many places may be asked for
_LONG = 500

Text = Callable[[Path], str | None]


def uri_of(path: Path) -> str:
    """The URI of a file."""
    return uris.from_fs_path(str(path)) or ""


def path_at(uri: str) -> Path | None:
    """The path of an editor's URI; None for a URI that names no file."""
    found = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return Path(found).resolve() if found else None


class Ruler:
    """Turns places of files into places of an editor, and back. Reads each file once."""

    def __init__(self, text: Text, codec: PositionCodec) -> None:
        self.text = text
        self.codec = codec
        self._lines: dict[Path, list[str]] = {}
        self._long = ""  # the long line that was measured last
        self._measured: list[int] = []

    def lines(self, path: Path) -> list[str]:
        """The lines of a file, without line ends."""
        if path not in self._lines:
            text = self.text(path) or ""
            self._lines[path] = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        return self._lines[path]

    def position(self, path: Path, line: int, column: int) -> t.Position:
        """The place of a line and column from 1."""
        lines = self.lines(path)
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        before = min(max(0, column - 1), len(text))
        if not text.isascii():
            before = self._units(text, before)
        return t.Position(max(0, line - 1), before)

    def _units(self, text: str, before: int) -> int:
        """The number of units of the first letters of a line; a long line is measured once."""
        if len(text) <= _LONG:
            return int(self.codec.client_num_units(text[:before]))
        if text != self._long:
            widths = map(self.codec.client_num_units, text)
            self._long, self._measured = text, list(accumulate(widths, initial=0))
        return self._measured[before]

    def range(self, path: Path, span: Span) -> t.Range:
        """The range of a span; the start of the file for a span without a place."""
        if span.line < 1:
            return t.Range(t.Position(0, 0), t.Position(0, 0))
        return t.Range(
            self.position(path, span.line, span.column),
            self.position(path, span.end_line, span.end_column),
        )

    def location(self, path: Path, span: Span) -> t.Location:
        """A span of a file as the editor's location."""
        return t.Location(uri_of(path), self.range(path, span))

    def place(self, path: Path, position: t.Position) -> tuple[int, int]:
        """The line and column from 1 of an editor's place."""
        lines = self.lines(path)
        line = lines[position.line] if position.line < len(lines) else ""
        units = 0
        for column, letter in enumerate(line):
            if units >= position.character:
                return position.line + 1, column + 1
            units += self.codec.client_num_units(letter)
        return position.line + 1, len(line) + 1
