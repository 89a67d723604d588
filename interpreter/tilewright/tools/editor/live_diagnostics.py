"""Diagnostics of the edited rulesets, updated after every change.

The diagnostics of `check`, by file, for rulesets with open files and for open rulesets that build
on a changed one. One inspection has its own overlay, so that it may run on its own thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tilewright.source.diagnostics import Diagnostic
from tilewright.tools.checking.check import check
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace.cache import user_cache
from tilewright.tools.workspace.overlay import Overlay, path_of

Diagnostics = Mapping[Path, tuple[Diagnostic, ...]]


class Inspection:
    """The diagnostics by ruleset, with those that have to be checked again."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self.overlay = Overlay(folders)
        self.index = Index(self.overlay)
        self._found: dict[str, dict[Path, list[Diagnostic]]] = {}
        self._stale: dict[str, None] = {}
        self._open: set[Path] = set()

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
        self.overlay.touch(path)
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

    def next(self) -> None:
        """Check one ruleset again: the one that changed last."""
        if not self._stale:
            return
        id_, _ = self._stale.popitem()
        by_file: dict[Path, list[Diagnostic]] = {}
        if id_ in self.overlay.library.ids():
            for found in check(self.overlay.library, [id_], cache=user_cache()):
                if found.span.file:
                    by_file.setdefault(path_of(found.span.file), []).append(found)
        self._found[id_] = by_file

    def diagnostics(self) -> Diagnostics:
        """All diagnostics by file: of the author's own files, and of open ones."""
        found: dict[Path, dict[Diagnostic, None]] = {path: {} for path in self._open}
        for by_file in self._found.values():
            for path, diagnostics in by_file.items():
                if path in self._open or self.overlay.is_own(path):
                    found.setdefault(path, {}).update(dict.fromkeys(diagnostics))
        return {path: tuple(sorted(diagnostics)) for path, diagnostics in found.items()}
