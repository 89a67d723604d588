"""Keeps the content of each file, so that no file is read twice and an editor reads few again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tilewright.model.ruleset import Ignore
from tilewright.reading.limits import shown
from tilewright.reading.suppressions import ignores_in
from tilewright.source.diagnostics import Diagnostic, Reporter
from tilewright.source.yaml.tree import ReadFile, YNode, read_yaml_file

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class _Content:
    """The content of a file: its tree, if that is kept, and everything that was made of it."""

    node: YNode | None
    made: Any
    ignores: tuple[Ignore, ...]
    diagnostics: tuple[Diagnostic, ...]


class ReadFiles:
    """The files that were read by one function.

    A file that is read by `read_yaml_file` is read once. Other functions know themselves when a
    text has changed: what was made of a file is used while they return the same tree.
    """

    def __init__(self, read: ReadFile = read_yaml_file, among: ReadFiles | None = None) -> None:
        """`among` shares what was made of equal trees with another one."""
        self.read = read
        self.is_plain = read is read_yaml_file
        self._known: dict[Path, _Content] = {} if among is None else among._known

    def content(
        self, file: Path, make: Callable[[YNode, Reporter], _Made], reporter: Reporter
    ) -> tuple[_Made | None, tuple[Ignore, ...]]:
        """The content of a file as `make` reads it, or None for an unreadable file; its `ignore`s.

        A file always goes with the same function.
        """
        found = self._known.get(file)
        if found is None or not self.is_plain:
            found = self._read_now(file, make, found)
        reporter.extend(found.diagnostics)
        return found.made, found.ignores

    def _read_now(
        self, file: Path, make: Callable[[YNode, Reporter], Any], known: _Content | None
    ) -> _Content:
        own = Reporter()
        node = self.read(file, shown(file), own)
        if known is not None and node is not None and known.node is node:
            return known
        made = None if node is None else make(node, own)
        ignores = () if node is None else tuple(ignores_in(node))
        kept = None if self.is_plain else node
        found = _Content(kept, made, ignores, own.in_order_of_report())
        if self.is_plain or node is not None:
            self._known[file] = found
        return found

    def forget(self, folder: Path) -> None:
        """Read the files of a folder again at the next request."""
        for file in [file for file in self._known if self.is_plain and folder in file.parents]:
            del self._known[file]
