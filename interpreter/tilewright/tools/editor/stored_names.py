"""The names that rulesets declare and mention, kept from one run to the next.

An entry is used while the folder of its ruleset, and those that it shares, have the stamps that
they had. Rulesets with unsaved texts are neither stored nor looked up, nor are files that cannot be
read. An entry of another form counts as none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain

from tilewright.language.source.text import Span
from tilewright.tools.editor.symbols import Occurrence
from tilewright.tools.workspace.cache import Cache
from tilewright.tools.workspace.folder_state import settled_stamp_of, stamp_of
from tilewright.tools.workspace.overlay import Overlay

#: the form of stored entries
_FORM = "editor-names-1"
#: by the id of a ruleset or shared folder: its folder and the stamp of that
_Stamps = Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Names:
    """The facts about a ruleset that others need: its declarations by kind and id, the rulesets and
    roles that it mentions, and the beginnings of its options.
    """

    declared: Mapping[tuple[str, str], tuple[Occurrence, ...]]
    mentioned: tuple[str, ...]
    labels: frozenset[str]


class StoredNames:
    """The names of the rulesets of one overlay."""

    def __init__(self, overlay: Overlay, cache: Cache) -> None:
        self._overlay = overlay
        self._cache = cache
        self._found: dict[str, tuple[_Stamps, Names]] = {}
        self._new: dict[tuple[str, ...], bytes] = {}

    def names(self, id_: str, make: Callable[[], Names]) -> Names:
        """The names of a ruleset: those that are kept, else they are made, and kept if they may."""
        if self._cache.folder is None or id_ in self._overlay.library.unsaved():
            return make()
        known = self._found.get(id_)
        if known is None or not self._holds(id_, known[0]):
            known = self._stored(id_)
        if known is None:
            stamps = {} if self._overlay.model.is_read(id_) else self._stamps(id_)
            names = make()
            if not stamps or stamps != self._stamps(id_) or not self._overlay.is_readable(id_):
                return names
            known = stamps, names
            self._new[self._key(id_)] = _written(stamps, names)
        self._found[id_] = known
        return known[1]

    def save(self) -> None:
        """Store what is new."""
        new, self._new = self._new, {}
        self._cache.put_all(new)

    def _key(self, id_: str) -> tuple[str, ...]:
        # places show files as they are seen from the current folder
        return _FORM, id_, os.path.realpath(self._overlay.library.folder(id_) or ""), os.getcwd()

    def _stored(self, id_: str) -> tuple[_Stamps, Names] | None:
        data = self._cache.get(*self._key(id_))
        found = _read(data) if data is not None else None
        return found if found is not None and self._holds(id_, found[0]) else None

    def _holds(self, id_: str, stamps: _Stamps) -> bool:
        places = {each: self._overlay.library.folder(each) for each in stamps}
        return id_ in stamps and all(
            place is not None and stamps[each] == (str(place), stamp_of(place))
            for each, place in places.items()
        )

    def _stamps(self, id_: str) -> _Stamps:
        """The stamps of the folders of a ruleset; empty where one of them cannot be trusted."""
        library = self._overlay.model
        module = library.load_module(id_)
        ids = (id_, *(each.id for each in module.shares)) if module is not None else ()
        folders = {each: library.folder(each) for each in ids}
        stamps = {
            each: (str(folder), settled_stamp_of(folder))
            for each, folder in folders.items()
            if folder is not None
        }
        return stamps if len(stamps) == len(ids) and all(s for _, s in stamps.values()) else {}


# ------------------------------------------------------------------ stored entries


def _written(stamps: _Stamps, names: Names) -> bytes:
    places = [*chain(*names.declared.values())]
    files = [*dict.fromkeys(place.span.file for place in places)]
    rows = [
        [here.kind, here.id, here.owner, files.index(here.span.file), _numbers(here.span)]
        + ([_numbers(here.entry)] if here.entry is not None else [])
        for here in places
    ]
    found = [stamps, files, rows, names.mentioned, sorted(names.labels)]
    return json.dumps(found, separators=(",", ":")).encode()


def _numbers(span: Span) -> list[int]:
    return [span.line, span.column, span.end_line, span.end_column]


def _read(data: bytes) -> tuple[_Stamps, Names] | None:
    """A stored entry; None for one of another form."""
    try:
        stamps, files, rows, mentioned, labels = json.loads(data)
        declared: dict[tuple[str, str], tuple[Occurrence, ...]] = {}
        for row in rows:
            here = _occurrence(files, *row)
            declared[here.kind, here.id] = (*declared.get((here.kind, here.id), ()), here)
        names = Names(declared, tuple(map(str, mentioned)), frozenset(map(str, labels)))
        return {id_: (str(folder), str(stamp)) for id_, (folder, stamp) in stamps.items()}, names
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return None


def _occurrence(
    files: list[str],
    kind: str,
    id_: str,
    owner: str,
    file: int,
    place: list[int],
    entry: list[int] | None = None,
) -> Occurrence:
    span = Span(files[file], *map(int, place))
    around = Span(files[file], *map(int, entry)) if entry is not None else None
    return Occurrence(str(kind), str(id_), span, True, around, owner=str(owner))
