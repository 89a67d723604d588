"""Diagnostics of the edited rulesets, updated after every change.

The diagnostics of `check`, by file, for rulesets with open files and for open rulesets that build
on a changed one. One inspection has its own overlay, so that it may run on its own thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from tilewright.language.source.diagnostics import Diagnostic
from tilewright.tools.checking.check import check, first_look
from tilewright.tools.checking.own_schemas import OwnSchema, SchemaError, read_schemas
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace.cache import user_cache
from tilewright.tools.workspace.configuration import ConfigurationError, configurations
from tilewright.tools.workspace.library_index import LibraryIndex
from tilewright.tools.workspace.overlay import Overlay, path_of

Diagnostics = Mapping[Path, tuple[Diagnostic, ...]]


class Inspection:
    """The diagnostics by ruleset, with those that have to be checked again."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self.overlay = Overlay(folders)
        self.index = Index(self.overlay)
        self._found: dict[str, tuple[Diagnostic, ...]] = {}
        self._first: dict[str, tuple[Diagnostic, ...]] = {}  # those of the last first look
        self._stale: dict[str, None] = {}
        self._open: set[Path] = set()
        self._words: LibraryIndex | None = None

    def move(self, folders: Iterable[Path]) -> None:
        """Switch to other folders; open files stay open."""
        texts = self.overlay.texts
        self.overlay = Overlay(folders)
        for path, text in texts.items():
            self.overlay.write(path, text)
        self.index = Index(self.overlay)
        self._stale.update((id_, None) for id_ in self._open_rulesets())

    def write(self, path: Path, text: str | None) -> None:
        """Set the text of an open file, or close it (None)."""
        if text is None:
            self._open.discard(path)
        else:
            self._open.add(path)
        self.overlay.write(path, text)
        self.touch(path)

    def touch(self, path: Path) -> None:
        """Handle a file that was changed, created or deleted on the disk."""
        touched = self.overlay.touch(path)
        if self._words is not None and touched is not None:
            self._words.renew([touched])
        changed = self.overlay.ruleset_at(path)
        if changed is None:
            return
        for id_ in self._open_rulesets():
            if id_ == changed or changed in self.index.seen(id_):
                self._stale[id_] = None
        if changed not in self._open_rulesets():
            self._found.pop(changed, None)

    def _open_rulesets(self) -> set[str]:
        found = (self.overlay.ruleset_at(path) for path in self._open)
        return {id_ for id_ in found if id_ is not None}

    @property
    def is_due(self) -> bool:
        """Whether a ruleset has to be checked again."""
        return bool(self._stale)

    def look(self) -> bool:
        """Look at the ruleset that changed last; whether `diagnostics` has something new.

        Diagnostics that a first look does not find are those of the last check.
        """
        id_, library = next(reversed(self._stale), ""), self.overlay.library
        if id_ not in library.ids():
            return False
        found = first_look(library, id_, user_cache(), lambda: self._words_for(id_))
        if found is None:
            return False
        before = dict.fromkeys(self._found.get(id_, ()))
        for diagnostic in self._first.get(id_, ()):
            before.pop(diagnostic, None)
        self._first[id_] = found
        self._found[id_] = tuple({**dict.fromkeys(found), **before})
        return True

    def next(self) -> None:
        """Check one ruleset again: the one that changed last."""
        if not self._stale:
            return
        id_, _ = self._stale.popitem()
        library = self.overlay.library
        self._found[id_] = ()
        if id_ in library.ids():
            words = self._words_for(id_)
            schemas = self._own_schemas(id_)
            try:
                found = check(library, [id_], cache=user_cache(), index=words, schemas=schemas)
            except SchemaError:  # `check` reports it on the command line
                found = check(library, [id_], cache=user_cache(), index=words)
            self._found[id_] = found

    def _own_schemas(self, id_: str) -> tuple[OwnSchema, ...]:
        """The schemas that the settings around a ruleset name for `check`."""
        folder = self.overlay.library.folder(id_)
        try:
            files = configurations(folder)
        except ConfigurationError:
            return ()
        for each in files:
            entries = each.options.get("check", {}).get("schema", [])
            if entries and each.file is not None and folder is not None:
                with suppress(SchemaError, TypeError):
                    return read_schemas(entries, each.file.parent, inside=True)
        return ()

    def _words_for(self, id_: str) -> LibraryIndex:
        """The index of the library: for a ruleset with unsaved texts that of the last check, whose
        results are stored nowhere; for others a new one, which looks at every folder again.
        """
        library = self.overlay.library
        is_current = self._words is not None and self._words.library is library
        if not is_current or id_ not in library.unsaved():
            self._words = LibraryIndex(library, user_cache())
        assert self._words is not None
        return self._words

    def diagnostics(self) -> Diagnostics:
        """All diagnostics by file: of the author's own files, and of open ones."""
        found: dict[Path, dict[Diagnostic, None]] = {path: {} for path in self._open}
        for diagnostic in (each for of_one in self._found.values() for each in of_one):
            if diagnostic.span.file:
                path = path_of(diagnostic.span.file)
                if path in self._open or self.overlay.is_own(path):
                    found.setdefault(path, {})[diagnostic] = None
        return {path: tuple(sorted(diagnostics)) for path, diagnostics in found.items()}
