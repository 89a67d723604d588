"""The texts of the program in one language, with names, numbers and lists as it writes them.

A text that a language does not have is the English one. Sentences are built so that the names of
rulesets need no inflection; `plural` chooses the form of a text that goes with a number.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypedDict

from tilewright.language.locale.po_file import Catalogue, CatalogueError, read_catalogue

ENGLISH = "en"
#: a folder with more catalogues, or newer ones
FOLDER_VARIABLE = "TILEWRIGHT_LOCALE"
#: numbers up to which a client finds the plural form in a table; from here on by their last digits
TABLE = 200

#: the name of a language: `de`, `pt-BR`, `zh_Hant`
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*")

#: an article or a number comes first, or it is a name of its own
_HAS_NO_ARTICLE = re.compile(r"(?:an?|the|something|nothing) |\d|[A-Z]")
#: an owner comes first; a thing of a kind whose name has one has an article all the same
_OWNED = re.compile(r"\S+'s ")

Forms = tuple[tuple[str, ...], Callable[[int], int]]


def languages() -> tuple[str, ...]:
    """The languages that have a catalogue, English first."""
    return tuple(_files(_more()))


@cache
def _files(more: str) -> Mapping[str, Path]:
    """The catalogue of each language; those of the folder `more` replace those of the program."""
    folders = (Path(__file__).parent, *([Path(more)] if more else []))
    paths = (path for folder in folders for path in folder.glob("*.po"))
    found = {path.stem: path for path in paths if _LANGUAGE.fullmatch(path.stem)}
    return {name: found[name] for name in sorted(found, key=lambda name: (name != ENGLISH, name))}


def _more() -> str:
    return os.environ.get(FOLDER_VARIABLE, "")


def catalogue(language: str) -> Catalogue:
    """The catalogue of a language. Raises `CatalogueError`, also where there is none."""
    path = _files(_more()).get(language)
    if path is None:
        raise CatalogueError(f"no catalogue of the language `{language}`")
    return _read(path)


@cache
def _read(path: Path) -> Catalogue:
    try:
        if path.exists() and not path.is_file():  # a pipe might never end
            raise CatalogueError(f"{path}: not an ordinary file")
        return read_catalogue(path.read_text("utf-8"), str(path))
    except UnicodeDecodeError:
        raise CatalogueError(f"{path}: not UTF-8 text") from None
    except OSError as error:
        raise CatalogueError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from None


@cache
def _forms(language: str, more: str) -> Mapping[str, Forms]:
    """Every text with the plural rule of the language that it is in; `more` keys the cache."""
    found: dict[str, Forms] = {}
    for each in dict.fromkeys((ENGLISH, language)):
        read = catalogue(each)
        found.update((id_, (forms, read.plural)) for id_, forms in read.texts.items())
    return found


class Name(str):
    """A name in an English text, which gets its article there: `{place:the}`, `{figure:a}`."""

    __slots__ = ()

    def __format__(self, article: str) -> str:
        """The name after its article; one with an owner or a number needs none."""
        is_owned = article == "the" and _OWNED.match(self)
        if not article or is_owned or _HAS_NO_ARTICLE.match(self):
            return str(self)
        if article == "a" and self[:1].lower() in "aeiou":
            article = "an"
        return f"{article} {self}"


class Words:
    """The texts of one language; English where the language has no catalogue."""

    def __init__(self, language: str = ENGLISH) -> None:
        more = _more()
        self.language = language if language in _files(more) else ENGLISH
        self._forms = _forms(self.language, more)

    def __call__(self, id_: str, **names: object) -> str:
        """A text with `names` in its places. Raises `KeyError` where no language has the id."""
        text = self._forms[id_][0][0]
        return self._filled(id_, text, names) if names else text

    def __contains__(self, id_: object) -> bool:
        return id_ in self._forms

    @property
    def plural_forms(self) -> int:
        """The number of plural forms of the language."""
        return catalogue(self.language).forms

    def plural_form(self, number: int) -> int:
        """The place of the plural form that goes with a number."""
        return catalogue(self.language).plural(abs(number))

    def plural(self, id_: str, number: int, **names: object) -> str:
        """The form of a text that goes with a number, which is its name `n`."""
        forms, rule = self._forms[id_]
        place = min(rule(abs(number)), len(forms) - 1)
        return self._filled(id_, forms[place], {"n": self.number(number), **names})

    def _filled(self, id_: str, text: str, names: Mapping[str, object]) -> str:
        """A text with names in its places. Raises `CatalogueError` for a name that is not there."""
        try:
            if ":" in text:
                names = {key: Name(name) for key, name in names.items()}
            return text.format(**names)
        except (AttributeError, LookupError, TypeError, ValueError):
            known = ", ".join(f"{{{name}}}" for name in names)
            message = f"the text `{id_}` in the language `{self.language}` can contain {known} only"
            raise CatalogueError(f"{message}, not `{text}`") from None

    def sentence(self, id_: str, **names: object) -> str:
        """A text that begins with a capital letter."""
        return capital(self(id_, **names))

    def number(self, number: float, places: int = 0) -> str:
        """A number with so many decimal places, its thousands in groups."""
        whole, point, rest = f"{number:,.{places}f}".partition(".")
        groups = whole.split(",")
        is_long = len(groups) > 2 or len(groups[0].lstrip("-")) >= int(self("number.grouped_from"))
        whole = (self("number.group") if is_long else "").join(groups)
        return whole + (self("number.point") if point else "") + rest

    def listed(self, items: Sequence[str], kind: str = "and") -> str:
        """A list as in a sentence: `a`, `a and b`, `a, b and c`; `kind` is `and` or `or`."""
        *first, last = items or ("",)
        head = self("list.comma").join(first)
        return self(f"list.{kind}", first=head, last=last) if first else last


def capital(text: str) -> str:
    """A text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


class Plurals(TypedDict):
    """The plural rule of a language, in the C syntax of gettext and as a table."""

    forms: int
    rule: str
    table: list[int]


class AllWords(TypedDict):
    """All texts of a language as plain data."""

    language: str
    name: str
    plurals: Plurals
    texts: dict[str, str | list[str]]


def all_words(language: str) -> AllWords:
    """All texts of a language as plain data, for programs that are not written in Python.

    `texts` has a text by id, or a list with one for each plural form, English where the language
    has none. The form for a number below 200 is `table[n]` of `plurals`, for others
    `table[100 + n % 100]`; so a client need not evaluate `rule`, which is in the C syntax of
    gettext.
    """
    own, english = catalogue(language), catalogue(ENGLISH)
    texts: dict[str, str | list[str]] = {}
    for id_, forms in {**english.texts, **own.texts}.items():
        is_plural = len(english.texts.get(id_, forms)) > 1
        # an English text has fewer forms than the rule of the language may ask for
        padded = [*forms, *forms[-1:] * own.forms][: own.forms]
        texts[id_] = padded if is_plural else forms[0]
    table = [own.plural(number) for number in range(TABLE)]
    return {
        "language": language,
        "name": own.headers.get("X-Language-Name", language),
        "plurals": {"forms": own.forms, "rule": own.rule, "table": table},
        "texts": texts,
    }
