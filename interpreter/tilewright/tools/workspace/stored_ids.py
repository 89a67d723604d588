"""The ids that folders of rulesets give themselves, kept in the cache.

A folder that is searched has the id that is in its module.yaml, and parsing hundreds of these files
takes longer than the check of one ruleset. An id is used only while the metadata of its file is the
same; links and files that changed a moment ago are always read.
"""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path

from tilewright.rules.reading.folder import head_of
from tilewright.tools.workspace import folder_state
from tilewright.tools.workspace.cache import Cache

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
        stamp = self._seen[folder] = _stamp(folder)
        stored_stamp, id_ = self._stored.get(self._name(folder), ("", ""))
        return id_ if stamp and stamp == stored_stamp else ""

    def put(self, folder: Path, id_: str) -> None:
        """Remember the id that was read in a folder after `get`."""
        stamp = self._seen.get(folder, "")
        if id_ and stamp and stamp == _stamp(folder):  # else it changed while it was read
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


def _stamp(folder: Path) -> str:
    """The metadata of an ordinary module.yaml; empty for a link, or one that is too new."""
    try:
        found = os.lstat(head_of(folder))
    except (OSError, ValueError):
        return ""
    newest = max(found.st_mtime_ns, found.st_ctime_ns)
    if not stat.S_ISREG(found.st_mode) or newest >= time.time_ns() - folder_state.SETTLING:
        return ""
    return folder_state.metadata_line("module.yaml", found)


def _read(data: bytes | None) -> dict[str, tuple[str, str]]:
    """The stored stamp and id by the name of the folder; none where they have another form."""
    try:
        rows = json.loads(data) if data is not None else {}
        return {name: (str(stamp), str(id_)) for name, (stamp, id_) in rows.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}
