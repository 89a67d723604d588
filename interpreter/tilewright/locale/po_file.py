"""Reads gettext catalogues: the `.po` files that translators edit.

Comments and obsolete entries are skipped; fuzzy entries, which nobody has confirmed, too. Contexts
(`msgctxt`) are refused, since texts have unique ids.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from gettext import c2py

#: the rule of English, and of a catalogue that declares none
GERMANIC = "n != 1"

_LINE = re.compile(r'(?:(msgid|msgid_plural|msgstr)(?:\[(\d)\])?\s+)?"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
#: numbers that a plural rule is tried with: those below have every form of a language
_CHECKED = 200
_RULE = re.compile(r"nplurals\s*=\s*(\d)\s*;\s*plural\s*=\s*(.+?);?\s*$")


class CatalogueError(ValueError):
    """A catalogue cannot be read; the text names its file and line."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of a language by id: one form, or one for each plural form.

    `rule` is the plural rule in the C syntax of gettext, `plural` the same as a function from a
    number to the place of its form.
    """

    texts: Mapping[str, tuple[str, ...]]
    headers: Mapping[str, str]
    forms: int
    rule: str
    plural: Callable[[int], int]


def read_catalogue(text: str, name: str) -> Catalogue:
    """The contents of a `.po` file; `name` is for messages. Raises `CatalogueError`."""
    texts: dict[str, tuple[str, ...]] = {}
    entry: dict[str, str] = {}
    part, is_fuzzy, is_next_fuzzy = "", False, False

    def close() -> None:
        forms = [entry[key] for key in sorted(entry) if key.startswith("msgstr")]
        id_ = entry.get("msgid", "")
        # the header counts also where nobody has confirmed it: it has the plural rule
        if all(forms) and forms and (not is_fuzzy or not id_):
            texts[id_] = tuple(forms)
        entry.clear()

    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = line.strip()
        if line.startswith("#") or not line:
            is_next_fuzzy |= line.startswith("#,") and "fuzzy" in line
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise CatalogueError(f"{name}:{number}: expected an entry of a catalogue: `{line}`")
        keyword, form, content = found.groups()
        if keyword == "msgid":
            close()
            is_fuzzy, is_next_fuzzy = is_next_fuzzy, False
        if keyword:
            part = keyword if form is None else f"{keyword}[{form}]"
        if not part:
            raise CatalogueError(f"{name}:{number}: a text before the first `msgid`")
        content = _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), content)
        entry[part] = entry.get(part, "") + content
    close()
    headers = _headers(texts.pop("", ("",))[0])
    return Catalogue(texts, headers, *_plural_rule(headers.get("Plural-Forms", ""), name))


def _headers(text: str) -> dict[str, str]:
    parted = (line.partition(":") for line in text.split("\n"))
    return {key.strip(): value.strip() for key, colon, value in parted if colon}


def _plural_rule(header: str, name: str) -> tuple[int, str, Callable[[int], int]]:
    """The number of plural forms, the rule, and the rule as a function."""
    found = _RULE.match(header)
    if header and found is None:
        raise CatalogueError(f"{name}: `Plural-Forms` is not a plural rule: `{header}`")
    forms, rule = (int(found[1]), found[2]) if found else (2, GERMANIC)
    try:
        plural = c2py(rule)
        if not all(0 <= plural(number) < forms for number in range(_CHECKED)):
            raise ValueError(f"a form is not from 0 to {forms - 1}")
    except (ValueError, ArithmeticError) as error:
        raise CatalogueError(f"{name}: `Plural-Forms` is not a plural rule: {error}") from None
    return forms, rule, plural
