"""An index of a library: which rulesets contain a word, without reading the rulesets.

For each ruleset the index keeps its content hash, the distinct words of its files, and the words
of each kind that were taken from it when it was read (ids of statements, names in rules ...). It
is stored in the cache, one entry for each folder of rulesets, and used only while the stamp or the
content hash of the folder is the same. Rulesets that were never read are searched by the words of
their files.

The index never decides by old facts: every folder is looked at when the index is opened. Rulesets
with unsaved texts, links or unreadable files are always read. The files of each folder are stored
too, so that a change of comments alone is noticed to be one: all but places is known then.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from tilewright.rules.reading import word_search
from tilewright.rules.reading.folder import head_of
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.limits import shown
from tilewright.rules.reading.word_search import Prefilter
from tilewright.rules.reading.word_search import Texts as Words
from tilewright.tools.workspace.cache import Cache, digest_of
from tilewright.tools.workspace.folder_state import (
    UNKNOWN,
    FolderState,
    Texts,
    have_one_meaning,
    read_state,
)

#: the forms of stored entries, and of stored files
_FORM, _FILES = "library-index-2", "folder-files-1"
#: bytes of the files of one ruleset that are stored; a larger one is looked at whole after a change
MAX_FILES = 8 << 20
#: questions about one kind of word after which a table of all its words pays
_MANY = 200

#: a hash of a folder depends on all of its files, or on all but comments and places
_Kind = Literal["content", "meaning"]
#: words that were learned: by id and kind, the ids of the shared folders and the words
Learned = dict[tuple[str, str], tuple[tuple[str, ...], str]]


@dataclass(slots=True)
class _Entry:
    """The facts about one ruleset or shared folder."""

    state: FolderState = UNKNOWN
    texts: Mapping[str, bytes] | None = None
    is_searched: bool = False  # whether `texts` are those of the files
    shares: tuple[str, ...] = ()
    #: by kind of word: the words, in the state in which the shared folders were
    words: dict[str, str] = field(default_factory=dict)
    beside: str = ""


class _Table:
    """The rulesets that contain each word of one kind."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = words
        self._text = "".join(f"\n{id_} {said} " for id_, said in words.items())
        self._count = 0
        self._by_word: dict[str, list[str]] = {}

    def having(self, word: str) -> list[str]:
        """The ids of the rulesets that contain a word."""
        self._count += 1
        if self._count == _MANY:
            for id_, said in self._words.items():
                for each in said.split(" "):
                    self._by_word.setdefault(each, []).append(id_)
        if self._count >= _MANY:
            return self._by_word.get(word, [])
        found, wanted = [], f" {word} "
        at = self._text.find(wanted)
        while at >= 0:
            start = self._text.rfind("\n", 0, at) + 1
            found.append(self._text[start : self._text.index(" ", start)])
            following = self._text.find("\n", at)
            at = self._text.find(wanted, following) if following >= 0 else -1
        return found


class LibraryIndex:
    """The words of the rulesets of one library; `folders_read` counts the folders it has read."""

    def __init__(self, library: Library, cache: Cache | None = None) -> None:
        self.library = library
        self._cache = cache or Cache(None)
        self._places = library.places()
        self._unsaved = library.unsaved()
        self._entries: dict[str, _Entry] = {}
        self._changed: set[Path] = set()
        self._tables: dict[str, _Table] = {}
        self._unknown: dict[str, list[str]] = {}
        self._prefilter: Prefilter | None = None
        self._hashes: dict[tuple[str, _Kind], str] = {}
        self._files: dict[str, tuple[str, Texts]] = {}  # by id: new ones, with their content hash
        self._learned: Learned = {}
        self.folders_read = 0
        #: rulesets read before may be older than their files, so nothing is stored then
        self.may_store = self._cache.folder is not None and library.is_untouched()
        if self._cache.folder is not None:
            self._open()
        else:
            self._entries = {id_: _Entry() for id_ in self._places}

    def renew(self, ids: Iterable[str]) -> None:
        """Forget what is known about rulesets or shared folders whose texts have changed."""
        ids = set(ids)
        self._unsaved = self.library.unsaved()
        for id_ in ids.union(*(self.library.sharing(i) for i in ids if not self._is_game(i))):
            before, self._entries[id_] = self._entries.get(id_), _Entry()
            if before is not None and id_ in self._unsaved:  # then any word may be in it
                self._entries[id_].texts = before.texts
                self._entries[id_].is_searched = before.is_searched
            else:
                self._prefilter = None
        self._tables.clear()
        self._unknown.clear()
        self._hashes.clear()

    # ------------------------------------------------------------------- questions

    def content(self, id_: str) -> str:
        """A hash of everything that reading a ruleset depends on; empty when it is unknown."""
        return self._hash(id_, "content")

    def meaning(self, id_: str) -> str:
        """The same without comments and places in files."""
        return self._hash(id_, "meaning")

    def _hash(self, id_: str, kind: _Kind) -> str:
        key = id_, kind
        if key not in self._hashes:
            place, entry = self._places.get(id_), self._entries.get(id_)
            if place is None or entry is None:
                self._hashes[key] = "missing"
            else:
                own, beside = self._own(id_, kind), self._beside(entry.shares, kind)
                parts = (kind, shown_head(place[0]), place[1], own, beside)
                self._hashes[key] = digest_of(parts) if own and beside else ""
        return self._hashes[key]

    def _own(self, id_: str, kind: _Kind) -> str:
        """A hash of the folder of a ruleset alone; empty when it is unknown."""
        state = self._entries[id_].state
        return "" if id_ in self._unsaved else state.content if kind == "content" else state.meaning

    def everything(self) -> str:
        """A hash of the meaning of the whole library; empty when it is unknown."""
        key: tuple[str, _Kind] = "", "meaning"
        if key not in self._hashes:
            found = [self.meaning(id_) for id_ in sorted(self._places)]
            self._hashes[key] = digest_of([*sorted(self._places), *found]) if all(found) else ""
        return self._hashes[key]

    def shares(self, id_: str) -> tuple[str, ...]:
        """The ids of the shared folders of a ruleset that was read."""
        return self._entries[id_].shares if id_ in self._entries else ()

    def having(self, kind: str, word: str) -> list[str]:
        """The ids of the rulesets whose words of a kind are known and contain this word."""
        if kind not in self._tables:
            found = self._entries.items()
            words = {id_: entry.words[kind] for id_, entry in found if kind in entry.words}
            self._tables[kind] = _Table(words)
        return self._tables[kind].having(word)

    def may_have(self, kind: str, word: str, parts: tuple[str, ...]) -> list[str]:
        """The ids of the rulesets whose words of a kind are unknown, if they may contain a word."""
        if kind not in self._unknown:
            ids = [i for i, e in self._entries.items() if kind not in e.words and self._is_game(i)]
            self._unknown[kind] = sorted(ids)
        unknown = self._unknown[kind]
        if not unknown:
            return []
        mentioned = set(self._search().may_mention(word, parts))
        shared = [id_ for id_ in mentioned if not self._is_game(id_)]
        sharing = {i for s in shared for i in self._search().may_mention(s, ("module",))}
        candidates = mentioned | sharing | self._unsaved
        read = self.library.is_read
        return [id_ for id_ in unknown if id_ in candidates or read(id_)]

    def _is_game(self, id_: str) -> bool:
        return self.library.is_game(id_)

    def _search(self) -> Prefilter:
        if self._prefilter is None:
            texts: dict[str, Words] = {}
            for id_, entry in self._entries.items():
                if not entry.is_searched:
                    self._read_texts(id_, entry)
                texts[id_] = entry.texts
            self._prefilter = Prefilter(texts)
        return self._prefilter

    def _read_texts(self, id_: str, entry: _Entry) -> None:
        self.folders_read += 1
        folder = self._places[id_][0]
        entry.texts = word_search.texts_of(folder)
        entry.is_searched = True
        if self._cache.folder is not None and entry.texts is not None:
            distinct = word_search.distinct_words
            entry.texts = {part: distinct(text) for part, text in entry.texts.items()}
            self._changed.add(folder.parent)

    # ------------------------------------------------------------------- learning

    def learn(self, kind: str, id_: str, shares: Iterable[str], words: Iterable[str]) -> None:
        """Remember the words of a ruleset that was read, and the folders that it shares.

        Words with white space are left out; `WordIndex` does not ask for them.
        """
        said = " ".join(word for word in dict.fromkeys(words) if is_plain(word))
        self._keep(kind, id_, tuple(shares), said)
        self._learned[id_, kind] = (tuple(shares), said)

    def _keep(self, kind: str, id_: str, shares: tuple[str, ...], said: str) -> None:
        entry = self._entries.setdefault(id_, _Entry())
        entry.shares = shares
        entry.beside = self._beside(shares, "meaning")
        entry.words[kind] = said
        self._hashes.clear()
        self._tables.pop(kind, None)
        self._unknown.pop(kind, None)
        if id_ in self._places:
            self._changed.add(self._places[id_][0].parent)

    def take_learned(self) -> Learned:
        """The words learned since the last call, for another index of the same library."""
        learned, self._learned = self._learned, {}
        return learned

    def adopt(self, learned: Learned) -> None:
        """Remember the words that another index of the same library has learned."""
        for (id_, kind), (shares, said) in learned.items():
            self._keep(kind, id_, shares, said)

    def _beside(self, shares: Iterable[str], kind: _Kind) -> str:
        """A hash of the shared folders of a ruleset; empty when one of them cannot be hashed."""
        parts = ["shared"]
        for id_ in shares:
            if id_ not in self._entries:
                parts += [id_, "missing", *sorted(i for i in self._places if not self._is_game(i))]
            elif own := self._own(id_, kind):
                folder, promised = self._places[id_]
                parts += [id_, own, shown_head(folder), promised]
            else:
                return ""
        return digest_of(parts)

    # ------------------------------------------------------------------- storage

    def _open(self) -> None:
        """Read the stored entries, and look at every folder."""
        stored = {
            above: _read(self._cache.get(_FORM, os.path.realpath(above)))
            for above in {folder.parent for folder, _ in self._places.values()}
        }
        for id_, (folder, _) in self._places.items():
            entry = stored[folder.parent].get(folder.name) or _Entry()
            self._entries[id_] = entry
            if id_ in self._unsaved:
                self._entries[id_] = _Entry()
                continue
            if entry.state.stamp and entry.state.is_of(folder):
                continue
            self.folders_read += 1
            self._changed.add(folder.parent)
            state, files = read_state(folder)
            if not state.content or state.content != entry.state.content:
                if state.content and have_one_meaning(self._files_before(folder, entry), files):
                    state = replace(state, meaning=entry.state.meaning)
                    entry = replace(entry, texts=None, is_searched=False)
                else:
                    entry = _Entry()
                self._entries[id_] = entry
                if sum(map(len, files.values())) <= MAX_FILES:
                    self._files[id_] = state.content, files
            elif state.content:
                state = replace(state, meaning=entry.state.meaning)
            entry.state = state
        for entry in self._entries.values():
            if entry.words and entry.beside != self._beside(entry.shares, "meaning"):
                entry.words = {}

    def _files_before(self, folder: Path, entry: _Entry) -> Texts:
        """The files of a folder in the stored state; none where they are not stored."""
        data = self._cache.get(_FILES, os.path.realpath(folder)) if entry.state.content else None
        try:
            content, files = json.loads(data) if data is not None else ("", {})
            if content != entry.state.content:
                return {}
            return {name: text.encode("utf-8", "surrogateescape") for name, text in files.items()}
        except (ValueError, TypeError, AttributeError, RecursionError):
            return {}

    def confirm(self) -> None:
        """Look once more at the folders: what changed since the index was opened is forgotten."""
        if not self.may_store:
            return
        for id_, entry in self._entries.items():
            place = self._places.get(id_)
            if place is not None and entry.state.content and not entry.state.is_of(place[0]):
                self._entries[id_] = _Entry()
        self._hashes.clear()

    def save(self, read: Iterable[str] = ()) -> None:
        """Store what is new, if anything may be stored, and the files of those that were read. Call
        `confirm` before.
        """
        if not self.may_store or not self._changed:
            return
        by_folder: dict[Path, dict[str, _Entry]] = {above: {} for above in self._changed}
        for id_, entry in self._entries.items():
            place = self._places.get(id_)
            if place is None or id_ in self._unsaved or not entry.state.content:
                continue
            if place[0].parent in by_folder:
                by_folder[place[0].parent][place[0].name] = entry
        written = [((_FORM, above), _written(found)) for above, found in by_folder.items()]
        for id_ in {*self._files}.intersection(read):
            content, files = self._files.pop(id_)
            texts = {name: t.decode("utf-8", "surrogateescape") for name, t in files.items()}
            data = json.dumps([content, texts], separators=(",", ":")).encode()
            written.append(((_FILES, self._places[id_][0]), data))
        self._cache.put_all({(form, os.path.realpath(at)): d for (form, at), d in written})
        self._changed.clear()


def shown_head(folder: Path) -> str:
    """How the file with the id of a ruleset is shown, which depends on the current folder."""
    return shown(head_of(folder))


def is_plain(word: str) -> bool:
    """Whether a word can be kept in the index: it is not empty and has no white space."""
    return word.split() == [word]


# ---------------------------------------------------------------------- stored entries


def _written(found: Mapping[str, _Entry]) -> bytes:
    rows = {
        name: [
            [e.state.stamp, e.state.content, e.state.meaning],
            None if e.texts is None else {part: t.decode() for part, t in e.texts.items()},
            e.is_searched,
            list(e.shares),
            e.words if e.beside else {},
            e.beside,
        ]
        for name, e in sorted(found.items())
    }
    return json.dumps(rows, separators=(",", ":")).encode()


def _read(data: bytes | None) -> dict[str, _Entry]:
    """The stored entries by the name of the folder; none where they have another form."""
    try:
        rows = json.loads(data) if data is not None else {}
        return {name: _entry(*row) for name, row in rows.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _entry(
    state: list[str],
    texts: dict[str, str] | None,
    is_searched: bool,
    shares: list[str],
    words: dict[str, str],
    beside: str,
) -> _Entry:
    seen = None if texts is None else {part: text.encode() for part, text in texts.items()}
    kept = {str(kind): str(said) for kind, said in words.items()}
    return _Entry(
        FolderState(*map(str, state)), seen, bool(is_searched), tuple(map(str, shares)), kept,
        str(beside),
    )  # fmt: skip
