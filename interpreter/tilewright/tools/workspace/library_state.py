"""The texts of a library as they are in its files, as parts of keys for a cache.

A process reads a folder again only where its stamp is another one or none is safe, so that a key
costs a look at the metadata of the files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tilewright.language.locale.words import FOLDER_VARIABLE
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.cache import digest_of, rulesets_digest
from tilewright.tools.workspace.folder_state import FolderState, read_state, stamp_of

#: the states of folders that this process has read
_states: dict[Path, FolderState] = {}
#: how many of them are kept
_MOST = 4096


def library_digest(library: Library, ids: Iterable[str]) -> str:
    """One number for the rulesets and shared folders of a library that have these ids.

    Raises OSError when a file can no longer be read.
    """
    found = map(library.folder, ids)
    return digest_of(_content(folder) for folder in sorted(f for f in found if f is not None))


def _content(folder: Path) -> str:
    known = _states.get(folder)
    if known is None or not known.stamp or known.stamp != stamp_of(folder):
        if len(_states) >= _MOST:
            _states.clear()
        known = _states[folder] = read_state(folder)[0]
    return known.content or rulesets_digest([folder])


def library_state(library: Library) -> tuple[str, ...]:
    """Parts of a key for all texts of a library, as they are in its files.

    Empty where unsaved texts or other catalogues of the program count, or a file cannot be read.
    """
    if library.unsaved() or os.environ.get(FOLDER_VARIABLE):
        return ()
    try:
        rulesets = library_digest(library, (*library.ids(), *library.shared()))
        topics = (path for path in library.topics_files() if path.is_file())
        return rulesets, digest_of(path.read_bytes() for path in topics)
    except OSError:
        return ()
