"""Parts that all declarations share: labels, references, suppressions, ways to combine values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from tilewright.language.source.text import Span
from tilewright.language.source.yaml.nodes import YMap, place_of_words


class Combine(StrEnum):
    """How the values of several amendments of one definition are combined (`combine:`)."""

    ONE = "one"
    SUM = "sum"
    ALL = "all"
    ANY = "any"
    MAX = "max"
    MIN = "min"
    UNION = "union"
    ITEMS = "items"
    CHAIN = "chain"


@dataclass(frozen=True, slots=True)
class Labels:
    """Names for people, by language code (`en`, `uk`, `pl`); `en` is always there."""

    texts: tuple[tuple[str, str], ...] = ()

    def get(self, language: str = "en") -> str:
        """The label in a language, or the English one."""
        found = dict(self.texts)
        return found.get(language) or found.get("en", "")


#: the labels of a thing without labels
NO_LABEL = Labels()


def joined_labels(titles: Sequence[Labels], between: str = " + ") -> Labels:
    """The joined labels of several things, in each language that one of them has."""
    languages = dict.fromkeys(language for title in titles for language, _ in title.texts)
    return Labels(tuple((one, between.join(t.get(one) for t in titles)) for one in languages))


@dataclass(frozen=True, slots=True)
class Reference:
    """The name of something that is declared elsewhere, and where it is named."""

    id: str
    span: Span


class Declared(Protocol):
    """A declaration: the place of its name, and the map of its file that declares it."""

    @property
    def span(self) -> Span: ...
    @property
    def entry(self) -> YMap | None: ...


def place_in(declared: Declared, key: str, *words: str) -> Span:
    """The place of words under a key of a declaration.

    It is that of the whole value where the words are not found, and that of the name of the
    declaration where the key is not there.
    """
    value = None if declared.entry is None else declared.entry.get(key)
    if value is None:
        return declared.span
    return place_of_words(value, words) or value.span


@dataclass(frozen=True, slots=True)
class Ignore:
    """A diagnostic that the author suppresses, with the reason."""

    code: str
    reason: str
    within: Span | None  # the rule, patch or statement with the entry; None for the whole file
    span: Span
