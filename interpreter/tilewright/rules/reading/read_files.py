"""Keeps the content of each file, so that no file is read twice and an editor reads few again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.yaml.tree import ReadFile, YNode, read_yaml_file
from tilewright.rules.model.ruleset import Ignore
from tilewright.rules.reading.files.translations import Catalogues, Translator
from tilewright.rules.reading.limits import shown
from tilewright.rules.reading.suppressions import ignores_in

_Made = TypeVar("_Made")
_Kept = TypeVar("_Kept", covariant=True)
#: reads the tree of a file
Make = Callable[[YNode, Reporter, Translator], _Made]


@dataclass(frozen=True, slots=True)
class Content(Generic[_Kept]):
    """The content of a file: its tree, if that is kept, and everything that was made of it.

    `name` is that in messages. `made` is None for an unreadable file. `translator` knows which
    translations were found.
    """

    name: str
    node: YNode | None
    made: _Kept | None
    ignores: tuple[Ignore, ...]
    diagnostics: tuple[Diagnostic, ...]
    translator: Translator


class ReadFiles:
    """The files that were read by one function.

    A file that is read by `read_yaml_file` is read once. Other functions know themselves when a
    text has changed: what was made of a file is used while they return the same tree.
    """

    def __init__(self, read: ReadFile = read_yaml_file, among: ReadFiles | None = None) -> None:
        """`among` shares what was made of equal trees with another one."""
        self.read = read
        #: the files that were read, and the folders that were searched for them
        self.paths: set[Path] = set()
        self.is_plain = read is read_yaml_file
        self._known: dict[Path, Content[Any]] = {} if among is None else among._known

    def content(
        self, file: Path, make: Make[_Made], reporter: Reporter, catalogues: Catalogues
    ) -> Content[_Made]:
        """The content of a file as `make` reads it, with labels in the languages of catalogues.

        A file always goes with the same function, and with the catalogues of its folder.
        """
        self.paths.add(file)
        found = self._known.get(file)
        if found is None or not self.is_plain:
            found = self._read_now(file, make, found, catalogues)
        reporter.extend(found.diagnostics)
        return found

    def _read_now(
        self, file: Path, make: Make[Any], known: Content[Any] | None, catalogues: Catalogues
    ) -> Content[Any]:
        own = Reporter()
        name = shown(file)
        node = self.read(file, name, own)
        if (
            known is not None
            and node is not None
            and known.node is node
            and known.translator.catalogues == catalogues
        ):
            return known
        translator = Translator(catalogues)
        made = None if node is None else make(node, own, translator)
        ignores = () if node is None else tuple(ignores_in(node, own))
        kept = None if self.is_plain else node
        found = Content(name, kept, made, ignores, own.in_order_of_report(), translator)
        if self.is_plain or node is not None:
            self._known[file] = found
        return found

    def forget(self, folder: Path) -> None:
        """Read the files of a folder again at the next request."""
        for file in [*self._known] if self.is_plain else ():
            if file.is_relative_to(folder):
                del self._known[file]
