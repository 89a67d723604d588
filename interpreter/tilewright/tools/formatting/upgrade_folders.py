"""Upgrades whole rulesets in memory, after their words: first orders, then texts.

All folders are upgraded together, because a line of `order` may name rules of any of them. Texts in
other languages move out of YAML files into the catalogues of their folder: the reader finds the
texts and the thing that each belongs to, the schemas their places in a file. A map stays if a
catalogue cannot distinguish its texts: those of one thing, with one English text and several
translations.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tilewright.language.source.diagnostics import Reporter, quoted
from tilewright.language.source.yaml.comments import Group
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText, read_text, read_yaml
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.file_kinds import FILES
from tilewright.rules.reading.files.components import read_components
from tilewright.rules.reading.files.module import read_module
from tilewright.rules.reading.files.patterns import LANGUAGE
from tilewright.rules.reading.files.rules import read_rules
from tilewright.rules.reading.files.shapes import LabelText, MapOf, Shape
from tilewright.rules.reading.files.statements import read_statements
from tilewright.rules.reading.files.topics import read_topics
from tilewright.rules.reading.files.translations import (
    CONTEXT_END,
    Catalogue,
    Translator,
    read_catalogue,
)
from tilewright.rules.reading.folder import data_files
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.rules.reading.limits import shown
from tilewright.rules.reading.other_files import CATALOGUES
from tilewright.tools.formatting.format_file import LaidOut
from tilewright.tools.formatting.upgrade import Draft, Texts, Upgraded, part_under, remarks_of
from tilewright.tools.formatting.upgrade_orders import move_orders

_READERS: dict[str, Any] = {
    "module": read_module, "statements": read_statements, "components": read_components,
    "rules": read_rules, "topics": read_topics,
}  # fmt: skip
#: the key of a statement for its text in other languages, and that of its English text
_TRANSLATIONS, _ENGLISH = "translations", "says"
_HEADER = (
    'msgid ""\nmsgstr ""\n"Language: {}\\n"\n'
    '"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
)


class _Recorder(Translator):
    """Keeps the texts that a reader finds: the English one, its thing, the texts by language."""

    def __init__(self) -> None:
        super().__init__({"": Catalogue()})
        self.found: list[tuple[str, str, dict[str, str]]] = []

    def of(self, english: str, thing: str, own: Collection[str]) -> Iterator[tuple[str, str]]:
        """Keep a text; nothing translates it."""
        assert isinstance(own, Mapping)
        self.found.append((english, thing, dict(own)))
        return iter(())


def move_texts(folder: Path, drafts: Sequence[Draft], reporter: Reporter) -> list[Upgraded]:
    """Take the texts in other languages out of the drafts of a folder: its changed catalogues."""
    recorder = _Recorder()
    drafts = [draft for draft in drafts if draft.kind in _READERS and not draft.is_removed]
    for draft in drafts:
        if draft.node is not None:
            _READERS[draft.kind](draft.node, Reporter.discarding(), recorder)
    maps = [own for _, _, own in recorder.found if len(own) > 1]
    drafts = [draft for draft in drafts if any(_places_in(draft))]
    if not drafts:
        return []
    is_there = (folder / CATALOGUES).is_dir()
    files = data_files(folder, CATALOGUES, reporter) if is_there else []
    catalogues = {file.stem: _catalogue(file, reporter) for file in files}
    if reporter.has_errors:
        return []
    languages = sorted({language for own in maps for language in own} - {"en"})
    entries, unclear = {}, set[str]()
    for language in languages:
        known = catalogues.get(language, ("", {}))[1]
        entries[language] = _entries(language, known, recorder.found, unclear)
    for draft in drafts:
        _report_staying(draft, unclear, reporter)
        page = draft.page(reporter)
        if page is not None and isinstance(page.root, Group):
            _take_out(page.root, FILES[draft.kind], draft, unclear)
    return [
        _extended(folder / CATALOGUES / f"{language}.po", catalogues, rows, unclear)
        for language, rows in entries.items()
        if any(english not in unclear for _, english, _ in rows)
    ]


# ------------------------------------------------------------------ catalogues


def _catalogue(file: Path, reporter: Reporter) -> tuple[str, dict[str, str]]:
    """The text of a catalogue and its translations, by context and English text."""
    text = read_text(file, shown(file), reporter)
    node = None if text is None else read_yaml(text, shown(file), reporter)
    found = None if node is None else read_catalogue(node, reporter)
    return text or "", {} if found is None else {key: s for key, (s, _) in found.entries.items()}


def _entries(
    language: str,
    known: Mapping[str, str],
    texts: Sequence[tuple[str, str, dict[str, str]]],
    unclear: set[str],
) -> list[tuple[str, str, str]]:
    """The new entries of a language: context, English text, translation. English texts that no
    entry can translate are added to `unclear`.
    """
    wanted: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for english, thing, own in texts:
        listed = known.get(f"{thing}{CONTEXT_END}{english}", known.get(english, ""))
        wanted[english][thing].add(own.get(language, listed))
    found = []
    for english, things in wanted.items():
        if any(len(said) > 1 for said in things.values()):
            unclear.add(english)
            continue
        said_of = {thing: next(iter(said)) for thing, said in things.items()}
        usual = known.get(english, "")
        if not usual and all(said_of.values()):
            usual = Counter(said_of.values()).most_common(1)[0][0]
            found.append(("", english, usual))
        for thing, said in said_of.items():
            listed = known.get(f"{thing}{CONTEXT_END}{english}", usual)
            if said and said != listed:
                if f"{thing}{CONTEXT_END}{english}" in known:
                    unclear.add(english)
                found.append((thing, english, said))
    return found


def _extended(
    file: Path,
    catalogues: Mapping[str, tuple[str, Mapping[str, str]]],
    entries: Sequence[tuple[str, str, str]],
    unclear: Collection[str],
) -> Upgraded:
    """A catalogue with more entries at its end; a new one with its header."""
    before = catalogues.get(file.stem, ("", {}))[0]
    rows = [before.rstrip("\n") + "\n" if before else _HEADER.format(file.stem)]
    for context, english, said in entries:
        if english not in unclear:
            head = f"msgctxt {_quoted(context)}\n" if context else ""
            rows.append(f"{head}msgid {_quoted(english)}\nmsgstr {_quoted(said)}\n")
    text = LaidOut(shown(file), before, "\n".join(rows))
    return Upgraded(file, file, text, is_new=file.stem not in catalogues)


def _quoted(text: str) -> str:
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f'"{text}"'


# ------------------------------------------------------------------ files


def _places_in(draft: Draft) -> Iterator[tuple[YNode | None, YMap]]:
    """The maps of texts by language in a file, each with its English text."""
    if draft.node is not None:
        yield from _places(draft.node, FILES[draft.kind])


def _is_by_language(shape: Shape) -> bool:
    """Whether a value may be a map of texts by language."""
    return isinstance(shape, LabelText) or (isinstance(shape, MapOf) and shape.form is LANGUAGE)


def _places(node: YNode, expected: Shape) -> Iterator[tuple[YNode | None, YMap]]:
    match node:
        case YMap(entries):
            for name, value in entries:
                inner = expected.under(name.value)
                if isinstance(value, YMap) and _is_by_language(inner):
                    is_beside = name.value == _TRANSLATIONS
                    yield (node.get(_ENGLISH) if is_beside else value.get("en")), value
                else:
                    yield from _places(value, inner)
        case YList(items):
            for item in items:
                yield from _places(item, expected.inside())


def _report_staying(draft: Draft, unclear: Collection[str], reporter: Reporter) -> None:
    for english, place in _places_in(draft):
        if not isinstance(english, YText):
            message = "these texts stay: the English one is missing"
            reporter.warning("TW944", message, place.span, hint="add the text of `en`")
        elif english.value in unclear:
            message = f"the texts of {quoted(english.value)} stay: one thing has several"
            hint = "change one of the English texts, or make the translations equal"
            reporter.warning("TW944", message, place.span, hint=hint)


def _take_out(group: Group, expected: Shape, draft: Draft, unclear: Collection[str]) -> None:
    """Leave the English texts alone; the comments beside the others stay."""
    for part in [*group.parts]:
        key = "" if part.key is None else part.key.value
        inner = expected.inside() if part.key is None else expected.under(key)
        if not isinstance(part.value, Group):
            continue
        if not (_is_by_language(inner) and part.value.is_map):
            _take_out(part.value, inner, draft, unclear)
            continue
        home = part_under(group, _ENGLISH) if key == _TRANSLATIONS else part_under(part, "en")
        if home is None or not isinstance(home.value, YText) or home.value.value in unclear:
            continue
        draft.is_changed = True
        if key == _TRANSLATIONS:
            home.before += remarks_of(part)
            group.parts.remove(part)
        else:
            part.before += [c for c in remarks_of(part) if c not in part.before]
            part.beside, part.after, part.value = [], [], home.value


# ------------------------------------------------------------------ folders


def upgrade_folders(
    files: Mapping[Upgraded, Path | None], others: Iterable[Path], reporter: Reporter
) -> list[Upgraded]:
    """All files after the upgrade of their folders, with new and removed ones.

    A file without a folder has its words upgraded alone. `others` are folders of rulesets that
    these may name, besides the shipped ones.
    """
    drafts = {file.target: Draft(folder, file) for file, folder in files.items() if folder}
    if any(isinstance(draft.node, YMap) and draft.node.get("order") for draft in drafts.values()):
        by_name = {draft.name: draft for draft in drafts.values()}
        move_orders(by_name, _rulesets(drafts, others), reporter)
    found = [file for file, folder in files.items() if folder is None]
    for folder in dict.fromkeys(draft.folder for draft in drafts.values()):
        inside = [draft for draft in drafts.values() if draft.folder == folder]
        catalogues = move_texts(folder, inside, reporter)
        found += [*(draft.finished(reporter) for draft in inside), *catalogues]
    return found


def _rulesets(drafts: Mapping[Path, Draft], others: Iterable[Path]) -> list[Ruleset]:
    """The rulesets of the drafts and those that they may name; their problems are not reported."""
    library = Library(shipped=False, read=Texts(dict(drafts), {}))
    folders = dict.fromkeys(draft.folder for draft in drafts.values())
    for folder in (*folders, *others, shipped_rulesets()):
        library.add(folder)
    quiet = Reporter.discarding()
    found = (library.load_rules(id_, quiet) for id_ in library.ids())
    return [ruleset for ruleset in found if ruleset is not None]
