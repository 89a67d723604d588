"""Reads locale/*.po: the texts of a folder in other languages, by the English ones.

An entry without a context translates each label of its text; one whose context is the id of a thing
translates the labels of that thing alone. A translation in a YAML file itself comes first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tilewright.language.locale.po_file import CatalogueError, entries_of, unescaped
from tilewright.language.source.diagnostics import Note, Reporter, quoted
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import UNSEEN, YNode, YText
from tilewright.language.wording import names, problem

#: the end of a context in the key of an entry, as in the compiled catalogues of gettext
CONTEXT_END = "\x04"
#: the flag of a translation that no speaker of the language has read yet
UNREVIEWED = "unreviewed"
_TEXT = r'"((?:[^"\\\n]|\\.)+)"\n*'
_PLAIN = re.compile(rf"(#, {UNREVIEWED}\n)?(?:msgctxt {_TEXT})?msgid {_TEXT}msgstr {_TEXT}")
_HEADER = re.compile(r'msgid ""\nmsgstr ""\n(?:".*"\n)*\n*')


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The translations of one file with their lines; an entry with a context has it in its key.

    `unreviewed` are the keys of those that no speaker of the language has read.
    """

    file: str = ""
    entries: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    unreviewed: frozenset[str] = frozenset()


#: the catalogues of a folder by language
Catalogues = Mapping[str, Catalogue]
#: one text by language
Texts = tuple[tuple[str, str], ...]


class Translator:
    """Translates the labels of one file.

    `texts` are the English texts that it was asked for, each with the id of its thing; `used` are
    the entries that it found, each with its language; `gaps` the English texts that only some of
    the catalogues have, with the languages that lack them.
    """

    __slots__ = ("catalogues", "gaps", "texts", "used")

    def __init__(self, catalogues: Catalogues) -> None:
        self.catalogues = catalogues
        self.texts: dict[tuple[str, str], None] = {}
        self.used: set[tuple[str, str]] = set()
        self.gaps: dict[tuple[str, str], None] = {}

    def of(self, english: str, thing: str, own: Collection[str]) -> Iterator[tuple[str, str]]:
        """The translations of a text of the thing with an id, but for the languages `own`."""
        lacking, is_known = [], False
        if self.catalogues:
            self.texts[english, thing] = None
        keys = (f"{thing}{CONTEXT_END}{english}", english)
        for language, catalogue in self.catalogues.items():
            if language in own:
                continue
            key = keys[keys[0] not in catalogue.entries]
            if key in catalogue.entries:
                is_known = True
                self.used.add((language, key))
                yield language, catalogue.entries[key][0]
            else:
                lacking.append(language)
        if is_known:
            self.gaps.update(dict.fromkeys((language, english) for language in lacking))

    def unreviewed(self, english: str, thing: str) -> tuple[str, ...]:
        """The languages in which no speaker has read the translation of a text."""
        keys = (f"{thing}{CONTEXT_END}{english}", english)
        return tuple(
            language
            for language, catalogue in self.catalogues.items()
            if keys[keys[0] not in catalogue.entries] in catalogue.unreviewed
        )


def read_catalogue(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> Catalogue | None:
    """A catalogue without fuzzy and empty entries; None, after a diagnostic, for a broken one."""
    assert isinstance(node, YText)
    text, file = node.value, node.span.file
    found: dict[str, tuple[str, int]] = {}
    unreviewed: set[str] = set()
    try:
        for context, english, said, line, is_unreviewed in _plain(text) or _entries(text, file):
            key = f"{context}{CONTEXT_END}{english}" if context else english
            unseen = UNSEEN.search(said)
            if unseen:
                what = f"an escape for an invisible character: U+{ord(unseen[0]):04X}"
                reporter.error("TW109", what, _place(file, line))
                return None
            code, message = wording_problem(english, said, Path(file).stem)
            if code:
                reporter.warning(code, message, _place(file, line))
            if key in found:
                first = Note(_place(file, found[key][1]), "first here")
                message = f"{quoted(english)} is translated twice"
                reporter.error("TW780", message, _place(file, line), notes=(first,))
            found.setdefault(key, (said, line))
            unreviewed |= {key} if is_unreviewed else set()
    except CatalogueError as error:
        reporter.error("TW780", error.message, _place(file, error.line))
        return None
    return Catalogue(file, found, frozenset(unreviewed))


def wording_problem(english: str, text: str, language: str) -> tuple[str, str]:
    """The code and the message of a problem with the numbers that a text names, or nothing."""
    message = problem(text, language)
    if message:
        return "TW792", message
    wanted, found = names(english), names(text)
    if wanted == found or problem(english):
        return "", ""
    more = [f"names `{name}` too" for name in found if name not in wanted]
    less = [f"lacks `{name}`" for name in wanted if name not in found]
    return "TW793", f"in `{language}` the sentence {', and '.join((*more, *less))}"


#: an entry: its context, the English text, the translation, the line of `msgid`, whether nobody who
#: speaks the language has read it
_Entry = tuple[str, str, str, int, bool]


def _plain(text: str) -> list[_Entry] | None:
    """The entries of a catalogue that has nothing but plain ones; None for any other."""
    header = _HEADER.match(text)
    at = header.end() if header else 0
    line, found = text.count("\n", 0, at) + 1, []
    for entry in _PLAIN.finditer(text, at):
        if entry.start() != at:
            return None
        mark, *texts = entry.groups("")
        context, english, said = map(unescaped, texts)
        place = line + bool(mark) + bool(context)
        found.append((context, english, said, place, bool(mark)))
        at, line = entry.end(), line + entry[0].count("\n")
    return found if at == len(text) else None


def _entries(text: str, file: str) -> Iterator[_Entry]:
    """The entries of any catalogue. Raises `CatalogueError`."""
    for entry in entries_of(text, file):
        if entry.id and not any(keyword.startswith("msgstr") for keyword in entry.texts):
            message = f"expected `msgstr` after `msgid` of {quoted(entry.id)}"
            raise CatalogueError(message, file, entry.lines["msgid"])
        if entry.id and entry.forms and not entry.is_fuzzy:
            line = entry.lines["msgid"]
            if [*entry.texts][-1] != "msgstr":
                raise CatalogueError("a text of a ruleset has one form, found several", file, line)
            context, is_unreviewed = entry.texts.get("msgctxt", ""), UNREVIEWED in entry.flags
            yield context, entry.id, entry.forms[0], line, is_unreviewed


def _place(file: str, line: int) -> Span:
    return Span(file, line, 1, line, 2)
