"""What is wrong with the rulesets that somebody is working on, asked again after every change.

The complaints of `check`, by file, for rulesets whose files are open and for those open ones that
build on what has changed. One inspection has a desk of its own, so that it may be asked on a thread
of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tilewright.source.diagnostics import Diagnostic
from tilewright.tools.checking.check import check
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace.overlay import Overlay, path_of

Diagnostics = Mapping[Path, tuple[Diagnostic, ...]]


class Inspection:
    """Remembers what was complained about, ruleset by ruleset."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self.overlay = Overlay(folders)
        self.index = Index(self.overlay)
        self._found: dict[str, dict[Path, list[Diagnostic]]] = {}
        self._stale: dict[str, None] = {}
        self._open: set[Path] = set()

    def move(self, folders: Iterable[Path]) -> None:
        """Look at other folders; what is open stays open."""
        texts = self.overlay.texts
        self.overlay = Overlay(folders)
        for path, text in texts.items():
            self.overlay.write(path, text)
        self.index = Index(self.overlay)
        self._stale.update((id_, None) for id_ in self._open_rulesets())

    def write(self, path: Path, text: str | None) -> None:
        """A file is open and says this, or is closed (None)."""
        if text is None:
            self._open.discard(path)
        else:
            self._open.add(path)
        self.overlay.write(path, text)
        self.touch(path)

    def touch(self, path: Path) -> None:
        """A file has changed on the disk, has come or gone."""
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
        """Whether anything has to be looked at again."""
        return bool(self._stale)

    def next(self) -> None:
        """Look at one ruleset again: the one that changed last."""
        if not self._stale:
            return
        id_, _ = self._stale.popitem()
        by_file: dict[Path, list[Diagnostic]] = {}
        if id_ in self.overlay.library.ids():
            for found in check(self.overlay.library, [id_]):
                if found.span.file:
                    by_file.setdefault(path_of(found.span.file), []).append(found)
        self._found[id_] = by_file

    def diagnostics(self) -> Diagnostics:
        """All complaints by file: about the author's own files, and about open ones."""
        found: dict[Path, dict[Diagnostic, None]] = {path: {} for path in self._open}
        for by_file in self._found.values():
            for path, diagnostics in by_file.items():
                if path in self._open or self.overlay.is_own(path):
                    found.setdefault(path, {}).update(dict.fromkeys(diagnostics))
        return {path: tuple(sorted(diagnostics)) for path, diagnostics in found.items()}
