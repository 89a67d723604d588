"""Words of the page: every one that it uses is in all languages, and every one there is used."""

from __future__ import annotations

import re
from functools import cache

import pytest

from support.paths import ROOT
from tilewright.locale.words import languages
from tilewright.studio.words import entries

SOURCES = sorted(
    path
    for path in (ROOT / "studio" / "src").rglob("*")
    if path.suffix in (".svelte", ".ts") and not path.name.endswith((".test.ts", "messages.ts"))
)
#: a key as a text; the part before a value that is put in
KEY = re.compile(r"[\"'`]((?:ui|play|library|book|edit|compare|simulate|share)_[a-z0-9_]+)")
PLACES = re.compile(r"\{(\w+)\}")


@cache
def used() -> frozenset[str]:
    """The keys in the sources; the beginning of a key that is put together ends with `_`."""
    return frozenset(key for path in SOURCES for key in KEY.findall(path.read_text("utf-8")))


@pytest.mark.parametrize("language", languages())
def test_a_word_of_the_page_is_there(language: str) -> None:
    known = entries(language)
    missing = [
        key
        for key in sorted(used())
        if key not in known and not (key.endswith("_") and any(k.startswith(key) for k in known))
    ]
    assert missing == []


def test_a_word_that_is_there_is_used() -> None:
    prefixes = tuple(key for key in used() if key.endswith("_"))
    client = re.compile(r"(ui|play|library|book|edit|compare|simulate|share)_")
    python = "".join(
        path.read_text("utf-8")
        for path in (ROOT / "interpreter" / "tilewright" / "studio").rglob("*.py")
    )
    idle = [
        key
        for key in entries("en")
        if client.match(key)
        and key not in used()
        and not key.startswith(prefixes)
        and not any(f'"{start}' in python for start in (key, f"{key.rpartition('_')[0]}_"))
    ]
    assert idle == []


@pytest.mark.parametrize("language", [name for name in languages() if name != "en"])
def test_a_translation_has_the_places_of_the_original(language: str) -> None:
    def places(text: object) -> list[set[str]]:
        forms = [text] if isinstance(text, str) else list(text.values())  # type: ignore[attr-defined]
        return [set(PLACES.findall(form)) for form in forms]

    english, other = entries("en"), entries(language)
    assert set(english) == set(other)
    for key, text in english.items():
        wanted = set().union(*places(text))
        for found in places(other[key]):
            # a plural form may leave the number out
            assert wanted - {"count"} <= found <= wanted, key
