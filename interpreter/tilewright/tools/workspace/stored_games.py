"""Linked games that are kept from one run to the next, while their files are the same.

An entry has the metadata of every file that was read and every folder that was searched, and the
game as bytes. It is unpacked only where all of that is unchanged, and what is unpacked can be
anything, so entries lie in a private cache (`cache.private_cache`). A game whose files changed
shortly before it was made is not stored, because times are too coarse to show one more change.
"""

from __future__ import annotations

import io
import json
import os
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from tilewright.language.source.identity import KeepsResults
from tilewright.rules.linking.game import Game
from tilewright.tools.workspace.cache import Cache, digest_of
from tilewright.tools.workspace.folder_state import metadata_of

#: by path: size, times, number and kind of what is there; nothing where nothing is
Metadata = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class StoredGames:
    """Linked games in a private cache, by a text that has everything but files."""

    cache: Cache

    def get(self, key: str) -> tuple[Game, Metadata] | None:
        """A game whose files are as they were, with their metadata; else None."""
        data = self.cache.get(*_key(key))
        if data is None:
            return None
        head, _, packed = data.partition(b"\n")
        metadata = {path: tuple(numbers) for path, numbers in json.loads(head).items()}
        if not are_unchanged(metadata):
            return None
        game: Game = pickle.loads(packed)
        return game, metadata

    def put(self, key: str, game: Game, metadata: Metadata) -> None:
        """Store a game that was made while its files had this metadata."""
        if self.cache.folder is not None:
            self.cache.put(json.dumps(metadata).encode() + b"\n" + packed(game), *_key(key))


def _key(text: str) -> tuple[str, ...]:
    return "game", digest_of([text])


def are_unchanged(metadata: Metadata) -> bool:
    """Whether files and folders have the metadata that they had."""
    return all(metadata_of(path) == before for path, before in metadata.items())


def metadata_at(paths: frozenset[os.PathLike[str]]) -> Metadata:
    """The present metadata of files and folders."""
    return {os.fspath(path): metadata_of(path) for path in paths}


# ------------------------------------------------------------------ as bytes


def _read_only(table: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(table)


class _PackedAs(dict[type, Callable[[Any], Any]]):
    """How values are packed: those that `pickle` does not know, and frozen data by what it is made
    of, whose names `pickle` would look up again in each object.
    """

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        names = _made_of(kind)
        if not names:
            raise KeyError(kind)
        values = attrgetter(*names)
        if len(names) == 1:
            self[kind] = lambda item: (kind, (values(item),))
        else:
            self[kind] = lambda item: (kind, values(item))
        return self[kind]


def _made_of(kind: type) -> tuple[str, ...]:
    """The attributes whose values, in this order, make an equal object of a class of frozen data;
    none for other classes, and where an object has more than it is made of.
    """
    own = vars(kind)
    if getattr(own.get("__getstate__"), "__module__", "") != dataclass.__module__:
        return ()
    names: tuple[str, ...] = own.get("__match_args__", ())
    kept = {name for base in kind.__mro__ for name in vars(base).get("__slots__", ())}
    is_all = kept - set(KeepsResults.__slots__) == set(names)
    return names if is_all and not hasattr(kind, "__post_init__") else ()


#: the table of a `pickle.Pickler`: for each type, what makes an equal value
PACKED_AS = _PackedAs({MappingProxyType: lambda table: (_read_only, (dict(table),))})


def packed(value: object) -> bytes:
    """A value as bytes for `pickle`."""
    stream = io.BytesIO()
    packer = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    packer.dispatch_table = PACKED_AS
    packer.dump(value)
    return stream.getvalue()
