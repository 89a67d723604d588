"""Diagnostics of the edited rulesets, updated after every change.

The diagnostics of `check`, by file, for rulesets with open files and for open rulesets that build
on a changed one. One inspection has its own overlay, so that it may run on its own thread.

An unfinished line has errors, and others follow from them. While an author writes, the new errors
of the lines that change, and the new syntax errors of their file, are shown alone: all other
diagnostics keep their last state. Saving the file or changing another line shows everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tilewright.language.source.diagnostics import Diagnostic, Severity
from tilewright.language.source.text import NOWHERE, Span
from tilewright.rules.reading.folder import head_of
from tilewright.rules.reading.limits import shown
from tilewright.tools.checking.check import check, first_look
from tilewright.tools.checking.own_schemas import OwnSchema, SchemaError, read_schemas
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace.cache import user_cache
from tilewright.tools.workspace.configuration import ConfigurationError, configurations
from tilewright.tools.workspace.library_index import LibraryIndex
from tilewright.tools.workspace.overlay import Overlay, path_of

Diagnostics = Mapping[Path, tuple[Diagnostic, ...]]

#: a change of more lines is not typed: it is a paste, a replacement or a new format
MAX_TYPED_LINES = 2
#: errors of files, keys and effects that cannot be read, by the beginning of their code
_UNREADABLE = ("TW1", "TW2", "TW401")


@dataclass(frozen=True, slots=True)
class _Edit:
    """Changed lines of a file, `first` to `last` from 1; the old ones ended at `old_last`."""

    path: Path
    first: int
    last: int
    old_last: int
    added: int

    @classmethod
    def between(cls, path: Path, before: str, after: str) -> _Edit | None:
        """The smallest change of lines from one text to another; None for equal texts."""
        if before == after:
            return None
        old, new = before.split("\n"), after.split("\n")
        shorter = min(len(old), len(new))
        same = next((i for i in range(shorter) if old[i] != new[i]), shorter)
        left = shorter - same
        below = next((i for i in range(left) if old[-1 - i] != new[-1 - i]), left)
        last, old_last = len(new) - below, len(old) - below
        return cls(path, same + 1, max(same + 1, last), old_last, last - old_last)

    @property
    def is_typed(self) -> bool:
        """Whether an author changes so few lines at a time by typing."""
        return max(self.last, self.old_last) - self.first < MAX_TYPED_LINES

    def after(self, earlier: _Edit) -> _Edit | None:
        """Both changes as one if they are on the same lines or beside one another."""
        if self.path != earlier.path:
            return None
        if self.first > earlier.last + 1 or self.old_last < earlier.first - 1:
            return None
        first = min(self.first, earlier.first)
        return replace(self, first=first, last=max(self.last, earlier.last + self.added))

    def moved(self, diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """Diagnostics of the text before the change, at their places after it."""

        def place(span: Span) -> Span:
            if not span.file or span.line <= self.old_last or path_of(span.file) != self.path:
                return span
            return replace(span, line=span.line + self.added, end_line=span.end_line + self.added)

        return tuple(
            replace(
                each,
                span=place(each.span),
                notes=tuple(replace(note, span=place(note.span)) for note in each.notes),
                fix=each.fix and replace(each.fix, span=place(each.fix.span)),
            )
            for each in diagnostics
        )

    def makes(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic is an error of these lines, as far as one can know."""
        if diagnostic.severity is not Severity.ERROR or path_of(diagnostic.span.file) != self.path:
            return False
        is_here = self.first <= diagnostic.span.line <= self.last
        return is_here or diagnostic.code.startswith(_UNREADABLE)


class Inspection:
    """The diagnostics by ruleset, with those that have to be checked again."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self.overlay = Overlay(folders, user_cache())
        self.index = Index(self.overlay, user_cache())
        self._found: dict[str, tuple[Diagnostic, ...]] = {}
        self._first: dict[str, tuple[Diagnostic, ...]] = {}  # those of the last first look
        self._writing: _Edit | None = None  # the lines that are being written
        self._unfinished: dict[str, tuple[Diagnostic, ...]] = {}  # the errors of these lines
        self._stale: dict[str, None] = {}
        self._open: set[Path] = set()
        self._words: LibraryIndex | None = None

    def move(self, folders: Iterable[Path]) -> None:
        """Switch to other folders; open files stay open."""
        texts = self.overlay.texts
        self.overlay = Overlay(folders, user_cache())
        for path, text in texts.items():
            self.overlay.write(path, text)
        self.index = Index(self.overlay, user_cache())
        self._stale.update((id_, None) for id_ in self._open_rulesets())

    def write(self, path: Path, text: str | None) -> None:
        """Set the text of an open file, or close it (None)."""
        if text is None:
            self._open.discard(path)
        else:
            self._open.add(path)
        before = self.overlay.text(path)
        edit = _Edit.between(path, before or "", text if text is not None else before or "")
        if edit is not None:
            self._type(edit)
        self.overlay.write(path, text)
        self._renew(path)

    def touch(self, path: Path) -> None:
        """Handle a file that was saved, or changed, created or deleted on the disk."""
        if self._writing is not None and self._writing.path == path:
            self._finish()
        self._renew(path)

    def _type(self, edit: _Edit) -> None:
        """Move diagnostics with the lines of their file; note which lines are being written."""
        for found in (self._found, self._first, self._unfinished):
            found.update([(id_, edit.moved(each)) for id_, each in found.items()])
        both = edit.after(self._writing) if self._writing is not None else None
        if both is None:
            self._finish()
            both = edit
        self._writing = both if edit.is_typed else None

    def _finish(self) -> None:
        """No line is being written any longer: what was wrong in it counts as every error does."""
        for id_, unfinished in self._unfinished.items():
            self._found[id_] = (*self._found.get(id_, ()), *unfinished)
            self._stale.setdefault(id_)
        self._writing, self._unfinished = None, {}

    def _settle(self, id_: str, found: tuple[Diagnostic, ...]) -> None:
        """Set the diagnostics of a ruleset; while lines are unfinished, only theirs are new."""
        writing, known = self._writing, self._found.get(id_, ())
        self._unfinished.pop(id_, None)
        if writing is not None:
            made = tuple(each for each in found if writing.makes(each) and each not in known)
            if made:
                self._unfinished[id_] = made
                found = tuple(each for each in known if each in found or not writing.makes(each))
        self._found[id_] = found

    def _waits(self, id_: str) -> bool:
        """Whether a ruleset builds on one with unfinished lines, so that its errors may follow."""
        others = self._unfinished.keys() - {id_}
        return bool(others) and not others.isdisjoint(self.index.seen(id_))

    def _renew(self, path: Path) -> None:
        touched = self.overlay.touch(path)
        if self._words is not None and touched is not None:
            self._words.renew([touched])
        changed = self.overlay.ruleset_at(path)
        if changed is None:
            return
        for id_ in self._open_rulesets():
            if id_ == changed or changed in self.index.seen(id_):
                self._stale[id_] = None
        if changed in self._stale:  # it is checked first
            self._stale[changed] = self._stale.pop(changed)
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
        self._settle(id_, tuple({**dict.fromkeys(found), **before}))
        if id_ not in self._unfinished:
            self._first[id_] = found
        return True

    def next(self) -> None:
        """Check one ruleset again: the one that changed last."""
        if not self._stale:
            return
        id_, _ = self._stale.popitem()
        library = self.overlay.library
        if id_ not in library.ids():
            self._found.pop(id_, None)
            self._unfinished.pop(id_, None)
        elif not self._waits(id_):
            words = self._words_for(id_)
            try:
                schemas = self._own_schemas(id_)
                found = check(library, [id_], cache=user_cache(), index=words, schemas=schemas)
            except (ConfigurationError, SchemaError) as error:
                found = check(library, [id_], cache=user_cache(), index=words)
                found = (*found, self._unusable(id_, str(error)))
            self._settle(id_, found)

    def _own_schemas(self, id_: str) -> tuple[OwnSchema, ...]:
        """The schemas that the settings around a ruleset name for `check`.

        Raises ConfigurationError and SchemaError.
        """
        for each in configurations(self.overlay.library.folder(id_)):
            entries = each.options.get("check", {}).get("schema", [])
            if entries and each.file is not None:
                return read_schemas(entries, each.file.parent, inside=not each.is_trusted)
        return ()

    def _unusable(self, id_: str, message: str) -> Diagnostic:
        """The report of settings or schemas that cannot be used, at the head of a ruleset."""
        folder = self.overlay.library.folder(id_)
        place = NOWHERE if folder is None else Span(shown(head_of(folder)), 1, 1, 1, 1)
        return Diagnostic("TW114", Severity.WARNING, message, place)

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
        all_ = (*self._found.values(), *self._unfinished.values())
        for diagnostic in (each for of_one in all_ for each in of_one):
            if diagnostic.span.file:
                path = path_of(diagnostic.span.file)
                if path in self._open or self.overlay.is_own(path):
                    found.setdefault(path, {})[diagnostic] = None
        return {path: tuple(sorted(diagnostics)) for path, diagnostics in found.items()}
