"""Rulesets while they are edited: unsaved texts over the saved files.

An overlay keeps two libraries of the same folders. `library` has the current texts, broken or not,
and serves diagnostics. `model` keeps the last readable version of each file, and serves lookups of
names while the author is still typing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.files import read_whole
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import (
    MAX_FILE_BYTES,
    YMap,
    YNode,
    YText,
    read_yaml,
    read_yaml_file,
)
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.folder import FILES, FOLDERS, has_head, head_of
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.limits import shown
from tilewright.tools.workspace.cache import Cache
from tilewright.tools.workspace.folder_state import ids_in
from tilewright.tools.workspace.workspace import Workspace

#: the read state of a file: the text or its timestamp on disk, the tree, the diagnostics
_Read = tuple[object, YNode | None, tuple[Diagnostic, ...]]


class Overlay:
    """Folders of rulesets with texts that are not saved. Paths are absolute and resolved."""

    def __init__(self, folders: Iterable[Path] = (), cache: Cache | None = None) -> None:
        """A cache keeps the ids of folders."""
        self._cache = cache or Cache(None)
        self.folders = [folder.resolve() for folder in folders]
        self.texts: dict[Path, str] = {}
        self._read_files: dict[Path, _Read] = {}
        self._good: dict[Path, YNode] = {}
        self._places: dict[Path, str] = {}  # folder or file of a ruleset: its id
        self._shared: dict[Path, str] = {}  # folder that rulesets share: its id
        self._files: dict[str, tuple[Ruleset, tuple[Path, ...]]] = {}  # as they were last read
        self._changed: set[str] = set()  # ids with open texts that differ from their files
        self._seen: set[Path] = set()  # folders with a module.yaml that were looked at
        self.own: tuple[str, ...] = ()
        self.open()

    def open(self) -> None:
        """Find the rulesets again after folders or ids have changed."""
        self.library = Library(shipped=False, read=self._read, changed=self._changed)
        self.model = Library(
            shipped=False, read=self._read_good, changed=self._changed, among=self.library
        )
        own: list[str] = []
        for root in self.folders:
            folders = self.library.folders_under(root)
            has_open = any(head_of(f).resolve() in self.texts for f in folders if self.texts)
            cache = Cache(None) if has_open else self._cache
            ids = ids_in(folders, root, cache, self.library.own_id)
            for folder, own_id in zip(folders, ids, strict=True):
                own += self.library.add(folder, own_id)
                self.model.add(folder, own_id)
                self._seen.add(folder.resolve())
        self.own = tuple(dict.fromkeys(own))
        for library in (self.library, self.model):
            library.add_shipped()
        self._places, self._shared = {}, {}
        for id_ in self.library.ids():
            place = self.library.folder(id_)
            if place is not None:
                self._places[place.resolve()] = id_
        for shared in self.library.shared():
            place, sharing = self.library.folder(shared), self.library.sharing(shared)
            if place is not None and sharing:  # it is looked at as a part of the first one
                self._places[place.resolve()] = sharing[0]
                self._shared[place.resolve()] = shared
        self.workspace = Workspace(self.model)

    # ------------------------------------------------------------------- changes

    def write(self, path: Path, text: str | None) -> None:
        """The text of a file as its author sees it; None when only the saved one counts."""
        if text is None:
            self.texts.pop(path, None)
        else:
            self.texts[path] = text
        self.touch(path)

    def touch(self, path: Path) -> str | None:
        """Read a file again after it was changed, added or removed; the id of its ruleset or shared
        folder.
        """
        folder = self._folder_of(path)
        if folder is None:
            if path.name == "module.yaml" or has_head(path):
                self._adopt(path.parent if path.name == "module.yaml" else path)
            return None
        id_ = self._shared.get(folder, self._places[folder])
        if path == head_of(folder) and self._id_in(path) != id_:
            self.open()
            return id_
        if self._has_unsaved(folder):
            self._changed.add(id_)
        else:
            self._changed.discard(id_)
        self.library.forget(id_)
        self.model.forget(id_)
        self.workspace = Workspace(self.model)
        return id_

    def _has_unsaved(self, folder: Path) -> bool:
        """Whether an open text of a folder differs from its file."""
        own = (path for path in self.texts if path.is_relative_to(folder))
        return any(self.texts[path] != _saved(path) for path in own)

    def _id_in(self, path: Path) -> str:
        """The id in the head of a ruleset, or its last readable id."""
        tree = self.tree(path) if self.text(path) is not None else None
        id_ = tree.get("id") if isinstance(tree, YMap) else None
        return id_.value if isinstance(id_, YText) else ""

    def _adopt(self, folder: Path) -> None:
        """Add a ruleset from outside all folders to the overlay."""
        if not any(folder.is_relative_to(root) for root in self.folders):
            self.folders.append(folder)
        self._seen.add(folder)
        self.open()

    # -------------------------------------------------------------------- look-up

    def _folder_of(self, path: Path) -> Path | None:
        return next((each for each in (path, *path.parents) if each in self._places), None)

    def ruleset_at(self, path: Path) -> str | None:
        """The id of the ruleset that a file belongs to. A folder without one is looked at once."""
        folder = self._folder_of(path)
        if folder is None:
            for above in (path, *list(path.parents)[:2]):
                if above in self._seen:
                    continue
                if has_head(path) if above == path else (above / "module.yaml").is_file():
                    self._adopt(above)
                    return self._places.get(above)
        return None if folder is None else self._places[folder]

    def kind_of(self, path: Path) -> str | None:
        """Which schema a file of a ruleset follows: rules, pieces ...; None for no part of one."""
        folder = self._folder_of(path)
        if folder is None or path.suffix != ".yaml":
            return None
        if path == folder:
            return "ruleset"
        if path.parent == folder:
            return path.stem if path.name in FILES else None
        return path.parent.name if path.parent.name in FOLDERS else None

    def is_own(self, path: Path) -> bool:
        """Whether a file lies in one of the author's folders and not among what is shipped."""
        return any(path.is_relative_to(root) for root in self.folders)

    def files_of(self, id_: str) -> tuple[Path, ...]:
        """The files of a ruleset that hold YAML: all but its catalogues."""
        ruleset = self.ruleset(id_)
        if ruleset is None:
            return ()
        found = self._files.get(id_)
        if found is None or found[0] is not ruleset:
            files = (path_of(file) for file in ruleset.files if file.endswith(".yaml"))
            found = self._files[id_] = ruleset, tuple(files)
        return found[1]

    def ruleset(self, id_: str, *, scenarios: bool = True) -> Ruleset | None:
        """A ruleset as it was when it could last be read, on request without its scenarios."""
        load = self.model.load if scenarios else self.model.load_rules
        return load(id_, Reporter.discarding())

    def is_readable(self, id_: str) -> bool:
        """Whether every file of a ruleset can be read as it is now."""
        quiet = Reporter.discarding()
        return all(self._read(path, None, quiet) is not None for path in self.files_of(id_))

    def text(self, path: Path) -> str | None:
        """The text of a file, saved or not; None when it cannot be read."""
        if path in self.texts:
            return self.texts[path]
        return _saved(path)

    def tree(self, path: Path) -> YNode | None:
        """The tree of a file, or the last one there was."""
        return self._read_good(path, None, Reporter.discarding())

    # -------------------------------------------------------------- reading

    def _read(self, path: Path, name: str | None, reporter: Reporter) -> YNode | None:
        """The tree of a file as it is now; without a name, messages show it as they show paths."""
        text = self.texts.get(path)
        stamp: object = text if text is not None else _stamp(path)
        found = self._read_files.get(path)
        if found is None or stamp is None or found[0] != stamp:
            own = Reporter()
            name = name or shown(path)
            if text is not None:
                node = read_yaml(text, name, own)
            else:
                node = read_yaml_file(path, name, own)
            found = self._read_files[path] = (stamp, node, own.diagnostics)
            if node is not None:
                self._good[path] = node
        reporter.extend(found[2])
        return found[1]

    def _read_good(self, path: Path, name: str | None, reporter: Reporter) -> YNode | None:
        node = self._read(path, name, reporter)
        return self._good.get(path) if node is None else node


def _saved(path: Path) -> str | None:
    try:
        return read_whole(path, MAX_FILE_BYTES)
    except (OSError, ValueError):
        return None


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def path_of(file: str) -> Path:
    """The path of the file named in a diagnostic or a span."""
    return Path(os.path.abspath(file)).resolve()


def span_holds(span: Span, line: int, column: int) -> bool:
    """Whether a place (from 1) lies in a span, its end included, as for a cursor."""
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)
