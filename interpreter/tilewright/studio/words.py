"""The words of the page in one language: those of the client, and sentences made here.

A text with plural forms has one for each category of the Unicode plural rules (CLDR).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tilewright.source.packaged import packaged_names, packaged_yaml

#: a text, or its forms by plural category
Text = str | Mapping[str, str]
_PACKAGE = "tilewright.studio.locale"
#: languages that have all words of the page
_TRANSLATED = ("en", "pl", "uk")


@cache
def entries(language: str) -> Mapping[str, Text]:
    """All texts of a language by their keys; those of English where the language is unknown."""
    known = language if language in _TRANSLATED else "en"
    found: dict[str, Text] = {}
    for name in packaged_names(f"{_PACKAGE}.{known}"):
        found.update(packaged_yaml(f"{_PACKAGE}.{known}", name) or {})
    return found


def text(language: str, key: str, **values: object) -> str:
    """A text with values in its places; `count` decides its plural form. Raises KeyError."""
    found = entries(language)[key]
    if not isinstance(found, str):
        count = values.get("count", 0)
        forms = found
        category = plural_category(language, count if isinstance(count, int) else 0)
        found = forms.get(category) or forms["other"]
    return found.format(**values) if values else found


def plural_category(language: str, count: int) -> str:
    """The plural category of a whole number (Unicode CLDR, cardinal rules)."""
    number = abs(count)
    last, two = number % 10, number % 100
    if language == "pl":
        if number == 1:
            return "one"
        return "few" if 2 <= last <= 4 and not 12 <= two <= 14 else "many"
    if language == "uk":
        if last == 1 and two != 11:
            return "one"
        return "few" if 2 <= last <= 4 and not 12 <= two <= 14 else "many"
    return "one" if number == 1 else "other"


def capital(words: str) -> str:
    """Words as the beginning of a sentence."""
    return words[:1].upper() + words[1:]
