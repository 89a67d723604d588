"""Sentences that name numbers of a game: `A town brings {town.points point | points}`.

A place between braces is a name, with what goes beside its number in each plural form of the
language: `{x}` is the number, `{x tile | tiles}` the number and a form, `{x | is | are}` a form
alone. `=0 nothing` stands for one number, and `x/genitive` is a column of the numerals that the
catalogue of the language has (`number.words`). `9*x`, `x+1` and `-x` are numbers made of it. Small
numbers are in words. The meaning of a name is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tilewright.language.locale.words import ENGLISH, Words, capital
from tilewright.language.source.diagnostics import did_you_mean
from tilewright.language.source.text import OWNER

#: the column of numerals that are never in words
FIGURES = "figures"

_PLACE = re.compile(r"\{([^{}]*)\}")
_NAME = rf"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*(?:{OWNER})?"
_INSIDE = re.compile(
    rf"\s*(-|\d{{1,3}}\*)?({_NAME})([+-]\d{{1,3}})?(?:/([a-z-]+))?(?:(?=\s*\|)|\s+|$)(.*)",
    re.DOTALL,
)
_EXACT = re.compile(r"=(\d+)(?:\s+(.*))?", re.DOTALL)
#: the end of a sentence, and the signs before the first word of the next one
_BEGINNING = re.compile(r"(?:^|[.!?]\s)[\s*\"“«„(]*$")


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a sentence: the name in it, where it is, and how its number is written.

    The number is `factor` times what the name means, and `more`.
    """

    name: str
    start: int  # of the name
    span: tuple[int, int]
    factor: int
    more: int
    column: str
    has_number: bool
    exact: Mapping[int, str]
    forms: tuple[str, ...]


class WordingError(ValueError):
    """The braces of a sentence cannot be understood."""


def places(text: str) -> tuple[Place, ...]:
    """The places of a sentence, in its order. Raises `WordingError`."""
    if "{" not in text and "}" not in text:
        return ()
    if set(_PLACE.sub("", text)) & {"{", "}"}:
        raise WordingError("a brace `{` or `}` is without its other half")
    return tuple(map(_place, _PLACE.finditer(text)))


def names(text: str) -> tuple[str, ...]:
    """The names in a sentence, each once, by name; none where it cannot be understood."""
    try:
        return tuple(sorted({place.name for place in places(text)}))
    except WordingError:
        return ()


def starts_of_names(text: str) -> Iterator[tuple[int, str]]:
    """Where each name in a sentence begins, and the name; nothing where it is not understood."""
    for place in places(text) if names(text) else ():
        yield place.start, place.name


def problem(text: str, language: str = ENGLISH) -> str:
    """The problem with the braces of a sentence; empty if there is none."""
    try:
        found = places(text)
    except WordingError as error:
        return str(error)
    return next(filter(None, (_problem(place, language) for place in found)), "")


def renamed(text: str, new: Callable[[str], str]) -> str:
    """A sentence with other names."""
    for place in reversed(places(text)) if names(text) else ():
        text = text[: place.start] + new(place.name) + text[place.start + len(place.name) :]
    return text


def filled(text: str, language: str, numbers: Mapping[str, int]) -> str:
    """A sentence with numbers in its places; a place without one stays as it is written."""
    try:
        found = places(text)
    except WordingError:
        return text
    made, end = "", 0
    for place in found:
        start, after = place.span
        made += text[end:start]
        if place.name in numbers:
            words = _in_words(place, numbers[place.name], language)
            made += capital(words) if _BEGINNING.search(made) else words
        else:
            made += text[start:after]
        end = after
    return made + text[end:]


def numbers_written(text: str) -> Iterator[tuple[str, str]]:
    """The numbers from two on in an English sentence, each as digits and as it is written."""
    words = {word: str(number) for number, word in enumerate(_numerals(ENGLISH)[""]) if number > 1}
    for word in re.findall(r"(?<![\w-])\w+(?![\w-])", _PLACE.sub("", text)):
        number = words.get(word.lower(), word)
        if number.isdecimal() and number not in ("0", "1"):
            yield number, word


def _place(found: re.Match[str]) -> Place:
    inside = _INSIDE.fullmatch(found[1])
    if inside is None:
        message = f"`{found[0]}` does not begin with the name of a number, like `{{town.points}}`"
        raise WordingError(message)
    factor, name, more, column, rest = inside.groups("")
    has_number = not rest.lstrip().startswith("|")
    texts = [each.strip() for each in rest.lstrip().removeprefix("|").split("|")] if rest else []
    exact = [_EXACT.fullmatch(each) for each in texts]
    return Place(
        name,
        found.start(1) + inside.start(2),
        found.span(),
        -1 if factor == "-" else int(factor.rstrip("*") or 1),
        int(more or 0),
        column,
        has_number,
        {int(each[1]): each[2] or "" for each in exact if each},
        tuple(text for text, each in zip(texts, exact, strict=True) if not each),
    )


def _problem(place: Place, language: str) -> str:
    words = Words(language)
    if words.language == language and place.column:
        known = [*(name for name in _numerals(language) if name), FIGURES]
        if place.column not in known:
            guess = did_you_mean(place.column, known)
            return f"`{place.column}` is not a form of numerals in `{language}`{guess}"
    if not place.forms and not (place.has_number and not place.exact):
        return f"`{place.name}` needs a form for the numbers that have none of their own"
    if words.language == language and len(place.forms) > words.plural_forms:
        found, most = len(place.forms), words.plural_forms
        return f"`{place.name}` has {found} forms, and the language `{language}` has {most}"
    return ""


def _in_words(place: Place, number: int, language: str) -> str:
    number = place.factor * number + place.more
    if number in place.exact:
        return place.exact[number]
    words = Words(language)
    numerals = () if words.language != language else _numerals(language).get(place.column, ())
    shown = numerals[number] if 0 <= number < len(numerals) else words.number(number)
    if not place.forms:
        return shown
    form = place.forms[min(words.plural_form(number), len(place.forms) - 1)]
    return f"{shown} {form}" if place.has_number else form


@cache
def _numerals(language: str) -> Mapping[str, tuple[str, ...]]:
    """The numerals of a language by column, from zero on; the first column has no name.

    A column without some of its last words has those of the column before its last dash.
    """
    found: dict[str, tuple[str, ...]] = {}
    for name, own in _columns(Words(language)("number.words")):
        above = found.get(name.rpartition("-")[0], ()) if name else ()
        found[name] = (*own, *above[len(own) :])
    return found


def _columns(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in text.splitlines():
        name, _, words = line.rpartition(":")
        yield name.strip(), tuple(words.split())
