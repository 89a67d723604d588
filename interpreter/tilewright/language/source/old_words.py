"""The words of older versions: `old_words.yaml`, which is read when an old word may be there.

The reader and the type checker name the present word, and `fmt --upgrade` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tilewright.language.source.packaged import packaged_yaml


@dataclass(frozen=True, slots=True)
class Marks:
    """A list of marks that became a key: its name, and by mark the word under it."""

    key: str
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OldVerb:
    """The present words before and after the rest of an effect, and the prepositions in it."""

    before: str
    after: str
    prepositions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OldWords:
    """Old words by kind, each with the present one."""

    keys: Mapping[str, str]
    marks: Mapping[str, Marks]
    files: Mapping[str, str]
    parts: Mapping[str, str]
    verbs: Mapping[str, OldVerb]
    rulesets: Mapping[str, str]
    by_hand: Mapping[str, str]  # with the reason why nothing rewrites it

    def key(self, old: str) -> str:
        """The present name of a key, or ""."""
        return self.marks[old].key if old in self.marks else self.keys.get(old, "")


@cache
def old_words() -> OldWords:
    """All old words."""
    found = packaged_yaml(__package__, "old_words")
    return OldWords(
        keys=found["keys"],
        marks={old: Marks(**new) for old, new in found["marks"].items()},
        files=found["files"],
        parts=found["parts"],
        verbs={
            old: OldVerb(new["before"], new["after"], tuple(new["prepositions"]))
            for old, new in found["verbs"].items()
        },
        rulesets=found["rulesets"],
        by_hand=found["by_hand"],
    )
