"""Reads gettext catalogues: the `.po` files that translators edit.

Comments and obsolete entries are skipped; fuzzy entries have been confirmed by nobody. The
catalogues of the program have no contexts (`msgctxt`), since its texts have unique ids; those of
rulesets, in which the English text is the id, may have them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from gettext import c2py

#: the rule of English, and of a catalogue that declares none
GERMANIC = "n != 1"

_LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr)(?:\[(\d)\])?\s+)?"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
#: numbers that a plural rule is tried with: those below have every form of a language
_CHECKED = 200
_RULE = re.compile(r"nplurals\s*=\s*(\d)\s*;\s*plural\s*=\s*(.+?);?\s*$")


class CatalogueError(ValueError):
    """A catalogue cannot be read; the text names its file and line."""

    def __init__(self, message: str, name: str = "", line: int = 0) -> None:
        where = f"{name}:{line}" if line else name
        super().__init__(f"{where}: {message}" if where else message)
        self.message, self.line = message, line


@dataclass(slots=True)
class Entry:
    """One entry: its texts by keyword (`msgid`, `msgstr[0]` ...), and the line of each keyword.

    `flags` are the words of its comment that begins with `#,`.
    """

    flags: frozenset[str] = frozenset()
    texts: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def of(self, pieces: Mapping[str, Sequence[str]]) -> Entry:
        """The entry, with texts of several lines."""
        self.texts = {keyword: "".join(lines) for keyword, lines in pieces.items()}
        return self

    @property
    def is_fuzzy(self) -> bool:
        """Whether its translation is not used."""
        return "fuzzy" in self.flags

    @property
    def id(self) -> str:
        """The id of the text; empty for the header."""
        return self.texts.get("msgid", "")

    @property
    def forms(self) -> tuple[str, ...]:
        """The translation, or its plural forms; nothing where one is missing."""
        found = tuple(self.texts[key] for key in sorted(self.texts) if key.startswith("msgstr"))
        return found if all(found) else ()


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
    """The contents of a catalogue of the program; `name` is for messages.

    Raises `CatalogueError`.
    """
    texts: dict[str, tuple[str, ...]] = {}
    for entry in entries_of(text, name):
        if "msgctxt" in entry.texts:
            line = entry.lines["msgctxt"]
            raise CatalogueError("expected an entry without a context", name, line)
        # the header counts also where nobody has confirmed it: it has the plural rule
        if entry.forms and (not entry.is_fuzzy or not entry.id):
            texts[entry.id] = entry.forms
    headers = _headers(texts.pop("", ("",))[0])
    return Catalogue(texts, headers, *_plural_rule(headers.get("Plural-Forms", ""), name))


def entries_of(text: str, name: str) -> Iterator[Entry]:
    """The entries of a `.po` file, in its order, the header included. Raises `CatalogueError`."""
    entry, pieces = Entry(), defaultdict[str, list[str]](list)
    part, flags = "", set[str]()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = line.strip()
        if line.startswith("#") or not line:
            if line.startswith("#,"):
                flags |= {flag.strip() for flag in line[2:].split(",")}
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise CatalogueError(f"expected an entry of a catalogue: `{line}`", name, number)
        keyword, form, content = found.groups()
        if keyword == "msgctxt" or (keyword == "msgid" and [*pieces] != ["msgctxt"]):
            if pieces:
                yield entry.of(pieces)
            entry, flags = Entry(frozenset(flags)), set()
            pieces.clear()
        if keyword:
            part = keyword if form is None else f"{keyword}[{form}]"
            entry.lines[part] = number
        if not part:
            raise CatalogueError("a text before the first `msgid`", name, number)
        pieces[part].append(unescaped(content))
    if pieces:
        yield entry.of(pieces)


def unescaped(text: str) -> str:
    """A text between quotes, without its escapes."""
    return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), text) if "\\" in text else text


def _headers(text: str) -> dict[str, str]:
    parted = (line.partition(":") for line in text.split("\n"))
    return {key.strip(): value.strip() for key, colon, value in parted if colon}


def _plural_rule(header: str, name: str) -> tuple[int, str, Callable[[int], int]]:
    """The number of plural forms, the rule, and the rule as a function."""
    found = _RULE.match(header)
    if header and found is None:
        raise CatalogueError(f"`Plural-Forms` is not a plural rule: `{header}`", name)
    forms, rule = (int(found[1]), found[2]) if found else (2, GERMANIC)
    try:
        plural = c2py(rule)
        if not all(0 <= plural(number) < forms for number in range(_CHECKED)):
            raise ValueError(f"a form is not from 0 to {forms - 1}")
    except (ValueError, ArithmeticError) as error:
        raise CatalogueError(f"`Plural-Forms` is not a plural rule: {error}", name) from None
    return forms, rule, plural
