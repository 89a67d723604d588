"""Games that this process has made, kept while the files that they were made of are the same.

A kept game knows each file that was read for it and each folder that was searched. A request looks
at their sizes and times alone. A game whose files changed shortly before it was made is made again,
because times are too coarse to show one more change.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tilewright.play.program import Program
from tilewright.rules.reading.installed import installed
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.folder_state import SETTLING, metadata_of

#: games of a process that are kept, those that were used last
MAX_KEPT = 16

#: by path: size, times, number and kind of what is there; nothing where nothing is
_Metadata = dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Kept:
    program: Program
    metadata: _Metadata


class KeptGames:
    """The programs of the games that were used last, by keys that have everything but files."""

    def __init__(self, most: int = MAX_KEPT) -> None:
        self._most = most
        self._kept: dict[Hashable, _Kept] = {}

    def program(self, key: Hashable, make: Callable[[], tuple[Program, Library]]) -> Program:
        """The program of a key, made again where a file or folder of its library has changed."""
        key = key, os.getcwd(), installed()
        found = self._kept.pop(key, None)
        if found is None or not _are_unchanged(found.metadata):
            now = time.time_ns()
            with _without_garbage_collection():
                program, library = make()
            found = _Kept(program, {os.fspath(path): metadata_of(path) for path in library.paths()})
            if any(max(times[:2]) >= now - SETTLING for times in found.metadata.values() if times):
                return program
        self._kept[key] = found
        while len(self._kept) > self._most:
            self._kept.pop(next(iter(self._kept)), None)
        return found.program


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Looking for garbage takes a third of the time, and a game that is being made has none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _are_unchanged(metadata: _Metadata) -> bool:
    return all(metadata_of(path) == before for path, before in metadata.items())
