"""The words of the program in the languages of pages: one YAML file for each language.

Sections are the faces that use them: `comparison`, `authorities`, `html`, `match`, `rules` and
`witness`. Names of things come from rulesets. Sentences are built so that names need no inflection.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tilewright.source.packaged import packaged_yaml

LANGUAGES = ("en", "uk", "pl")


@cache
def sections(language: str) -> Mapping[str, Mapping[str, str]]:
    """All texts of a language, by section and key."""
    return packaged_yaml(__package__, language)


@cache
def _texts(language: str, names: tuple[str, ...]) -> Mapping[str, str]:
    return {key: text for name in names for key, text in sections(language)[name].items()}


class Words:
    """The texts of some sections in one language; English where the language is unknown."""

    def __init__(self, language: str = "en", *names: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        self._texts = _texts(self.language, names or ("comparison",))

    def __call__(self, key: str, *names: object) -> str:
        """A text with `names` in its places. Raises `KeyError` where the key is unknown."""
        text = self._texts[key]
        return text.format(*names) if names else text

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def sentence(self, key: str, *names: object) -> str:
        """The same, beginning with a capital letter."""
        text = self(key, *names)
        return text[:1].upper() + text[1:]
