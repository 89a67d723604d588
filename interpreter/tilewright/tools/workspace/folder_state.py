"""The state of a ruleset's folder on the disk: a stamp that costs no reading, and a content hash.

Equal stamps mean equal contents: a stamp has the name, size, number and times of every file that
the reader reads, and the names of all others. A folder that changed within `SETTLING` of the moment
it was read has no stamp, because the times of files are too coarse to show one more change. Folders
with links, pipes or unreadable files have neither stamp nor hash.

The meaning of a folder survives a change of comments, empty lines and places. Where the content of
a folder is new, its files are parsed and compared with those before; in all other cases no file is.

A folder that is searched has the id that is in its module.yaml, and parsing hundreds of these files
takes longer than the check of one ruleset, so ids are kept in the cache. An id is used only while
the metadata of its file is the same.
"""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE
from tilewright.language.source.yaml.tree import (
    MAX_FILE_BYTES,
    YList,
    YMap,
    YNode,
    YText,
    read_yaml,
)
from tilewright.rules.reading.folder import FILES, FOLDERS, ONE_FILE, head_of, is_one_file
from tilewright.rules.reading.other_files import is_read
from tilewright.tools.workspace.cache import Cache, digest_of

#: nanoseconds after which a file that changes again surely has other times (2 s on FAT)
SETTLING = 2_100_000_000


#: the files of a folder that are read, by name; under no name, the names of all others too
Texts = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class FolderState:
    """The stamp and the content hash of a folder; empty when they cannot be trusted.

    `meaning` is the content hash of the first of the states with this meaning that are known.
    """

    stamp: str
    content: str
    meaning: str

    def is_of(self, folder: Path) -> bool:
        """Whether a folder still has this state. Its files are read where the stamp is unsafe."""
        if self.stamp:
            return self.stamp == stamp_of(folder)
        return bool(self.content) and read_state(folder)[0].content == self.content


#: nothing is known, and nothing about this folder may be stored
UNKNOWN = FolderState("", "", "")


@dataclass(frozen=True, slots=True)
class _Listing:
    lines: tuple[str, ...]  # every name with its kind, and size, number and times of read files
    names: tuple[str, ...]  # every name with its kind
    files: tuple[str, ...]  # the paths of the files that are read
    newest: int


def stamp_of(folder: Path) -> str:
    """The present stamp of a folder, by file system metadata alone; empty where none is safe."""
    listing = _list(folder)
    return "" if listing is None else _stamp(listing)


def settled_stamp_of(folder: Path) -> str:
    """The same, and empty too where the folder changed so lately that it may change unseen."""
    now, listing = time.time_ns(), _list(folder)
    return "" if listing is None else _settled_stamp(listing, now)


def read_state(folder: Path) -> tuple[FolderState, Texts]:
    """The stamp and content hash of a folder, and its files."""
    now = time.time_ns()
    listing = _list(folder)
    if listing is None:
        return UNKNOWN, {}
    texts = {"": "\n".join(listing.names).encode("utf-8", "surrogateescape")}
    try:
        for path in listing.files:
            with open(path, "rb") as stream:
                texts[os.path.relpath(path, folder)] = stream.read(MAX_FILE_BYTES + 1)
    except OSError:
        return UNKNOWN, {}
    again = _list(folder)
    if again is None or again.lines != listing.lines:
        return UNKNOWN, {}  # it changes while it is read
    stamp = _settled_stamp(listing, now)
    content = digest_of(texts.values())
    return FolderState(stamp, content, content), texts


def have_one_meaning(one: Texts, other: Texts) -> bool:
    """Whether files differ at most in comments, empty lines and places."""
    return one.keys() == other.keys() and all(
        text == other[name] or (name and _are_equal(_tree(name, text), _tree(name, other[name])))
        for name, text in one.items()
    )


def _tree(name: str, text: bytes) -> YNode | None:
    """The tree of a file without a diagnostic, else None."""
    reporter = Reporter()
    tree = read_yaml(text.decode("utf-8", "replace"), name, reporter)
    return None if reporter.diagnostics else tree


def _are_equal(one: YNode | None, other: YNode | None) -> bool:
    match one, other:
        case YText(), YText():
            return replace(one, span=NOWHERE) == replace(other, span=NOWHERE)
        case YList(), YList():
            rows = one.items, other.items
            return len(rows[0]) == len(rows[1]) and all(map(_are_equal, *rows))
        case YMap(), YMap():
            pairs = [*chain(*one.entries)], [*chain(*other.entries)]
            remarks = ([remark for remark, *_ in each.remarks] for each in (one, other))
            has_all = len(pairs[0]) == len(pairs[1]) and next(remarks) == next(remarks)
            return has_all and all(map(_are_equal, *pairs))
    return False


def metadata_of(path: str | os.PathLike[str]) -> tuple[int, ...]:
    """The numbers of a file or folder that change with its content; none where nothing is."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ()
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_mode


def metadata_line(name: str, found: os.stat_result) -> str:
    """A name and the metadata that changes whenever the content of its file changes."""
    times = f"{found.st_mtime_ns} {found.st_ctime_ns}"
    return f"{name} {found.st_size} {found.st_ino} {times} {found.st_mode}"


def _stamp(listing: _Listing) -> str:
    return digest_of(listing.lines)


def _settled_stamp(listing: _Listing, now: int) -> str:
    return _stamp(listing) if listing.newest < now - SETTLING else ""


def _list(folder: Path) -> _Listing | None:
    try:
        found = sorted(_entries(os.fspath(folder)))
    except (OSError, ValueError):
        return None
    files = [(name, path, info) for name, path, info in found if info is not None]
    newest = max((max(i.st_mtime_ns, i.st_ctime_ns) for _, _, i in files), default=0)
    names = tuple(name for name, _, _ in found)
    lines = (metadata_line(name, info) for name, _, info in files)
    return _Listing((*names, *lines), names, tuple(path for _, path, _ in files), newest)


def _entries(folder: str) -> Iterator[tuple[str, str, os.stat_result | None]]:
    """Every name with `/` behind folders, its path, and its metadata if the reader reads it.

    Raises OSError for what is not simply a file or folder.
    """
    if is_one_file(Path(folder)):
        yield ONE_FILE, folder, _ordinary(os.lstat(folder))
        return
    with os.scandir(folder) as inside:
        for entry in inside:
            name, is_folder = entry.name, entry.is_dir(follow_symlinks=False)
            if name in FILES:
                yield name, entry.path, _ordinary(entry.stat(follow_symlinks=False))
                continue
            yield (f"{name}/" if is_folder else name), entry.path, None
            if name in FOLDERS:
                if not is_folder:
                    raise OSError(name)
                with os.scandir(entry.path) as within:
                    for each in within:
                        ending = "/" if each.is_dir(follow_symlinks=False) else ""
                        is_part = is_read(each.name, name)
                        info = _ordinary(each.stat(follow_symlinks=False)) if is_part else None
                        yield f"{name}/{each.name}{ending}", each.path, info


def _ordinary(info: os.stat_result) -> os.stat_result:
    if not stat.S_ISREG(info.st_mode):
        raise OSError
    return info


# ------------------------------------------------------------------ stored ids


#: the form of stored entries
_FORM = "own-ids-1"


class StoredIds:
    """The ids of the folders below one folder."""

    def __init__(self, above: Path, cache: Cache) -> None:
        self._above = os.path.realpath(above)
        self._given = above
        self._cache = cache
        self._stored = _read(cache.get(_FORM, self._above))
        self._seen: dict[Path, str] = {}  # the stamps of files, taken before the files are read
        self._is_changed = False

    def get(self, folder: Path) -> str:
        """The id in a folder's module.yaml; empty when the file has to be read."""
        stamp = self._seen[folder] = _stamp_of_module(folder)
        stored_stamp, id_ = self._stored.get(self._name(folder), ("", ""))
        return id_ if stamp and stamp == stored_stamp else ""

    def put(self, folder: Path, id_: str) -> None:
        """Remember the id that was read in a folder after `get`."""
        stamp = self._seen.get(folder, "")
        if id_ and stamp and stamp == _stamp_of_module(folder):  # else it changed while it was read
            self._stored[self._name(folder)] = stamp, id_
            self._is_changed = True

    def save(self) -> None:
        """Store the ids of the folders that were asked for, if one of them is new."""
        if self._is_changed:
            names = {self._name(folder) for folder in self._seen}
            rows = {name: row for name, row in sorted(self._stored.items()) if name in names}
            self._cache.put(json.dumps(rows, separators=(",", ":")).encode(), _FORM, self._above)

    def _name(self, folder: Path) -> str:
        return folder.relative_to(self._given).as_posix()


def ids_in(
    folders: Sequence[Path], above: Path, cache: Cache, read: Callable[[Path], str]
) -> list[str]:
    """The ids that folders below one give themselves: those that are kept, and others as `read`."""
    stored = StoredIds(above, cache)
    found = [stored.get(folder) for folder in folders]
    for number, folder in enumerate(folders):
        if not found[number]:
            found[number] = read(folder)
            stored.put(folder, found[number])
    stored.save()
    return found


def _stamp_of_module(folder: Path) -> str:
    """The metadata of an ordinary module.yaml; empty for a link, or one that is too new."""
    try:
        found = os.lstat(head_of(folder))
    except (OSError, ValueError):
        return ""
    newest = max(found.st_mtime_ns, found.st_ctime_ns)
    if not stat.S_ISREG(found.st_mode) or newest >= time.time_ns() - SETTLING:
        return ""
    return metadata_line("module.yaml", found)


def _read(data: bytes | None) -> dict[str, tuple[str, str]]:
    """The stored stamp and id by the name of the folder; none where they have another form."""
    try:
        rows = json.loads(data) if data is not None else {}
        return {name: (str(stamp), str(id_)) for name, (stamp, id_) in rows.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}
