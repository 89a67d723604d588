"""Searches the bytes of ruleset files for a word, before any file is parsed.

Parsing a ruleset takes a hundred times as long as this search. The search never misses a word; it
may find one that is only in a comment.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate
from pathlib import Path

from tilewright.language.source.yaml.tree import MAX_FILE_BYTES
from tilewright.rules.reading.folder import FILES, FOLDERS, PARTS, is_one_file
from tilewright.rules.reading.limits import MAX_FILES
from tilewright.rules.reading.other_files import CATALOGUES, is_read

#: words that YAML writes in one way only, unless they are quoted with escapes
_PLAIN = re.compile(r"[A-Za-z0-9_./-]+", re.ASCII)
#: the bytes of letters, digits and `_`
_LETTERS = frozenset(bytes([n]) for n in range(128) if chr(n).isalnum() or n == ord("_"))
_PLAIN_BYTES = re.compile(rb"[A-Za-z0-9_./-]+")


#: words whose rulesets are remembered
MAX_WORDS = 4096

#: the text of each part of a ruleset, or None when only parsing can decide
Texts = Mapping[str, bytes] | None


class Prefilter:
    """Searches in the texts of some rulesets, by id."""

    def __init__(self, texts: Mapping[str, Texts]) -> None:
        self._seen = texts
        self._joined: dict[tuple[str, ...], _Joined] = {}
        self._found: dict[tuple[str, tuple[str, ...], bool], list[str]] = {}

    def may_mention(self, word: str, parts: tuple[str, ...], *, alone: bool = True) -> list[str]:
        """The ids of the rulesets that may contain a word in some parts: `module`, `rules` ...

        With `alone`, letters, digits and `_` may not be beside it.
        """
        key = word, parts, alone
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= MAX_WORDS:  # an editor asks for every name that is ever typed
                self._found.clear()
            found = self._found[key] = self._search(*key)
        return found

    def _search(self, word: str, parts: tuple[str, ...], alone: bool) -> list[str]:
        if _PLAIN.fullmatch(word) is None:
            return list(self._seen)
        if parts not in self._joined:
            self._joined[parts] = _Joined(self._seen, parts)
        return self._joined[parts].which(word.encode(), alone)


class _Joined:
    """The texts of some parts of all rulesets in one."""

    def __init__(self, texts: Mapping[str, Texts], parts: tuple[str, ...]) -> None:
        self._ids = list(texts)
        self._unknown = {id_ for id_, text in texts.items() if text is None}
        each = [b"\n".join((text or {}).get(p, b"") for p in parts) for text in texts.values()]
        #: where each text begins, and the end
        self._starts = list(accumulate((len(text) + 1 for text in each), initial=0))
        self._text = b"\n".join(each)

    def which(self, word: bytes, alone: bool) -> list[str]:
        """The ids of the rulesets with a word, on request without a letter beside it."""
        found, text, at = set(self._unknown), self._text, self._text.find(word)
        while at >= 0:
            end, next_ = at + len(word), at + 1
            beside = (text[at - 1 : at], text[end : end + 1]) if alone else ()
            if _LETTERS.isdisjoint(beside):
                number = bisect_right(self._starts, at)
                found.add(self._ids[number - 1])
                next_ = self._starts[number]
            at = text.find(word, next_)
        return [id_ for id_ in self._ids if id_ in found]


def prefilter_of(folders: Mapping[str, Path]) -> Prefilter:
    """A search in the files of some rulesets, each in its folder."""
    return Prefilter({id_: texts_of(folder) for id_, folder in folders.items()})


def distinct_words(text: bytes) -> bytes:
    """The different stretches of a text that may be words: a search finds the same in both."""
    return b" ".join(sorted(set(_PLAIN_BYTES.findall(text))))


def texts_of(folder: Path) -> dict[str, bytes] | None:
    """The text of each part of a ruleset; None when only parsing can decide.

    This is so for links, files that are not regular, and texts with escapes, which may hide a word.
    """
    seen: dict[str, list[bytes]] = {}
    try:
        for number, (parts, file) in enumerate(_files(folder), 1):
            with open(file, "rb") as stream:
                text = stream.read(MAX_FILE_BYTES + 1)
            if number > MAX_FILES or len(text) > MAX_FILE_BYTES or b"\\" in text:
                return None
            for part in parts:
                seen.setdefault(part, []).append(text)
    except (OSError, ValueError):
        return None
    return {part: b"\n".join(texts) for part, texts in seen.items()}


def _files(folder: Path) -> Iterator[tuple[Collection[str], str]]:
    """The files of a ruleset and their parts; OSError for what is not simply a file or folder."""
    if is_one_file(folder):
        if os.path.islink(folder) or not os.path.isfile(folder):
            raise OSError
        yield ("module", *PARTS), os.fspath(folder)
        return
    with os.scandir(folder) as inside:
        for entry in inside:
            part = entry.name.removesuffix(".yaml")
            if entry.name in FILES:
                yield (part,), _ordinary(entry)
            elif entry.name in FOLDERS and entry.name != CATALOGUES:
                if not entry.is_dir(follow_symlinks=False):
                    raise OSError
                with os.scandir(entry.path) as within:
                    read = (each for each in within if is_read(each.name, part))
                    yield from (((part,), _ordinary(each)) for each in read)


def _ordinary(entry: os.DirEntry[str]) -> str:
    if not entry.is_file(follow_symlinks=False):
        raise OSError
    return entry.path
