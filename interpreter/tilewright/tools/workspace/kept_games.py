"""Games that this process has made, kept while the files that they were made of are the same.

A kept game knows each file that was read for it and each folder that was searched. A request looks
at their sizes and times alone. A game whose files changed shortly before it was made is made again,
because times are too coarse to show one more change.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.installed import installed
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.folder_state import SETTLING
from tilewright.tools.workspace.garbage import without_garbage_collection
from tilewright.tools.workspace.stored_games import (
    Metadata,
    StoredGames,
    are_unchanged,
    metadata_at,
)

#: games of a process that are kept, those that were used last
MAX_KEPT = 16


@dataclass(frozen=True, slots=True)
class _Kept:
    program: Program
    metadata: Metadata


class KeptGames:
    """The programs of the games that were used last, by keys that have everything but files."""

    def __init__(self, most: int = MAX_KEPT) -> None:
        self._most = most
        self._kept: dict[Hashable, _Kept] = {}

    def program(
        self,
        key: Hashable,
        link: Callable[[], tuple[Game, Library]],
        compiled: Callable[[Game], Program],
        stored: StoredGames,
    ) -> Program:
        """The program of a key, made again where a file or folder of its library has changed.

        Its game may be one that an earlier run has stored; the key has a text of its own.
        """
        key = _everywhere(key)
        found = self._kept.pop(key, None)
        if found is None or not are_unchanged(found.metadata):
            with without_garbage_collection():
                game, metadata = _game(key, link, stored)
                program = compiled(game)
            if metadata is None:
                return program
            found = _Kept(program, metadata)
        self._kept[key] = found
        while len(self._kept) > self._most:
            self._kept.pop(next(iter(self._kept)), None)
        return found.program


def stored_game(
    key: Hashable, link: Callable[[], tuple[Game, Library]], stored: StoredGames
) -> Game:
    """The game of a key: that which an earlier run has stored, or else a new one, stored now."""
    with without_garbage_collection():
        return _game(_everywhere(key), link, stored)[0]


def _everywhere(key: Hashable) -> Hashable:
    """A key with all else that names depend on."""
    return key, os.getcwd(), installed()


def _game(
    key: Hashable, link: Callable[[], tuple[Game, Library]], stored: StoredGames
) -> tuple[Game, Metadata | None]:
    """A game, and the metadata of its files; None where they changed too lately to be trusted."""
    now, earlier = time.time_ns(), stored.get(repr(key))
    if earlier is not None:
        game, metadata = earlier
    else:
        game, library = link()
        metadata = metadata_at(frozenset(library.paths()))
    if any(max(times[:2]) >= now - SETTLING for times in metadata.values() if times):
        return game, None
    if earlier is None:
        stored.put(repr(key), game, metadata)
    return game, metadata
