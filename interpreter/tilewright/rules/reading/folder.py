"""Reads a folder of files, or one file with all their keys, into one `Ruleset`.

Only module.yaml is required in a folder. All diagnostics go to the reporter, and everything that
could be read is returned: one run reports every error. Names are not resolved here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tilewright.language.source.diagnostics import Reporter, did_you_mean, quoted
from tilewright.language.source.old_words import old_words
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import MAX_FILE_BYTES, YMap, YNode, YText
from tilewright.rules.model.collections import PIECES, RULE_KEYS
from tilewright.rules.model.ruleset import (
    Ignore,
    Labels,
    Module,
    PieceKind,
    Reference,
    Ruleset,
    Scenario,
)
from tilewright.rules.reading.duplicates import UniqueNames
from tilewright.rules.reading.files.components import ComponentsFile, read_components
from tilewright.rules.reading.files.module import read_module
from tilewright.rules.reading.files.rules import RulesFile, read_rules
from tilewright.rules.reading.files.scenarios import read_scenarios
from tilewright.rules.reading.files.statements import StatementsFile, read_statements
from tilewright.rules.reading.files.tiles import read_tiles
from tilewright.rules.reading.files.topics import FILE as TOPICS
from tilewright.rules.reading.files.topics import read_topics
from tilewright.rules.reading.files.translations import (
    CONTEXT_END,
    Catalogues,
    Translator,
    read_catalogue,
)
from tilewright.rules.reading.files.whole import part_of, read_head, read_whole
from tilewright.rules.reading.limits import MAX_FILES, Quota, shown, start_of, truncated
from tilewright.rules.reading.other_files import (
    CATALOGUES,
    holds_data,
    is_ignored,
    is_read,
    not_portable,
    unread_beside,
    unread_within,
)
from tilewright.rules.reading.read_files import Content, Make, ReadFiles
from tilewright.rules.reading.sharing import SHARED, is_shared, report_unused_keys, with_shared

FILES = ("module.yaml", "statements.yaml", "components.yaml", "tiles.yaml")
FOLDERS = ("statements", "rules", "scenarios", CATALOGUES)
#: the name of a ruleset in one file, where it is not kept under its own
ONE_FILE = "ruleset.yaml"
#: the parts of a ruleset besides module.yaml, by the names of their files and folders
PARTS = ("statements", "components", "tiles", "rules", "scenarios")
#: the parts that linking and playing need
RULES = tuple(part for part in PARTS if part != "scenarios")
MAX_OTHER_FILES = 50
#: stale translations of a folder for which the text is sought that was meant
_MAX_COMPARED = 20

_Made = TypeVar("_Made")


#: a key at the beginning of a line that a ruleset in one file needs
_HEAD_KEYS = [
    re.compile(rb"^(?:\xef\xbb\xbf)?([\"']?)%s\1[ \t]*:" % key, re.MULTILINE)
    for key in (b"id", b"kind")
]


def is_one_file(place: Path) -> bool:
    """Whether the place of a ruleset is one file and no folder."""
    return place.suffix == ".yaml" and not os.path.isdir(place)


def head_of(place: Path) -> Path:
    """The file with the id of a ruleset: its one file, or the module.yaml of its folder."""
    return place if is_one_file(place) else place / "module.yaml"


def name_within(file: Path, place: Path) -> str:
    """The name of a file within its ruleset, whatever the place of that is called."""
    return ONE_FILE if file == place else file.relative_to(place).as_posix()


def has_head(file: Path) -> bool:
    """Whether a file has the keys `id` and `kind`, so that it is a ruleset in one file."""
    if file.name in FILES or not is_one_file(file) or not is_readable(file, file):
        return False
    try:
        text = file.read_bytes()
    except OSError:
        return False
    return all(key.search(text) for key in _HEAD_KEYS)


def read_ruleset(
    place: Path,
    reporter: Reporter,
    expected_id: str = "",
    *,
    parts: Collection[str] = PARTS,
    read: ReadFiles | None = None,
    shared: Callable[[Reference], Ruleset | None] = lambda mention: None,
) -> Ruleset | None:
    """The ruleset at a place, or None when module.yaml is missing or has no usable id.

    `expected_id` is the id that follows from the place, if any. Only `parts` are read; the
    others have no content. `read` has what was made of files before. `shared` finds the folders
    under `shares`, and reports missing ones.
    """
    files = _files_at(place, parts, read or ReadFiles(), reporter)
    if files is None:
        return None
    module = files.content("module", read_module)
    if module is None:
        return None
    if expected_id and module.id != expected_id:
        what = "file" if is_one_file(place) else "folder"
        message = f"the {what} is that of `{expected_id}`, but the id here is `{module.id}`"
        reporter.error("TW222", message, module.span)
    first = files.content("statements", read_statements)
    book: list[StatementsFile] = [] if first is None else [first]
    book += files.contents("statements", read_statements)
    components = files.content("components", read_components) or ComponentsFile()
    tiles: tuple[PieceKind, ...] = files.content("tiles", read_tiles) or ()
    pages: list[RulesFile] = list(files.contents("rules", read_rules))
    scenarios: list[Scenario] = [
        each for file in files.contents("scenarios", read_scenarios) for each in file
    ]
    if isinstance(files, _Files):
        if {*RULES} <= {*parts}:
            files.report_translations()
        _report_other_files(place, files.inside, reporter)
    declared: dict[str, Any] = {name: getattr(components, name) for name in PIECES}
    for name in (*RULE_KEYS, "shared"):
        declared[name] = tuple(each for page in pages for each in getattr(page, name))
    ruleset = Ruleset(
        module=module,
        statements=tuple(statement for page in book for statement in page.statements),
        phrases=tuple(phrase for page in book for phrase in page.phrases),
        pieces=tiles,
        scenarios=tuple(scenarios),
        ignores=tuple(files.ignores),
        folder=str(place),
        files=tuple(files.names),
        **declared,
    )
    return _with_shared_folders(ruleset, shared, reporter)


def read_module_alone(place: Path, read: ReadFiles, reporter: Reporter) -> Module | None:
    """The module of the ruleset at a place, or None when it cannot be read."""
    files = _files_at(place, (), read, reporter)
    return None if files is None else files.content("module", read_module)


def read_topics_file(file: Path, read: ReadFiles, reporter: Reporter) -> dict[str, Labels]:
    """The labels of topics in a file, with the translations beside it."""
    inside = names_in(file.parent, reporter) or ()
    files = _Files(file.parent, inside, (file.stem,), read, reporter)
    found = files.content(file.stem, read_topics)
    files.report_translations()
    return found or {}


def topics_files_in(folder: Path) -> list[Path]:
    """The file that names topics in a folder of editions, and its catalogues."""
    return [folder / TOPICS, *data_files(folder, CATALOGUES, Reporter.discarding())]


def _files_at(
    place: Path, parts: Collection[str], read: ReadFiles, reporter: Reporter
) -> _Files | _OneFile | None:
    """The content of the ruleset at a place; None, after a diagnostic, where there is none."""
    if is_one_file(place):
        return _OneFile(place, parts, read, reporter)
    read.paths.add(place)
    inside = names_in(place, reporter)
    if inside is None:
        return None
    if "module.yaml" not in inside:
        path = place / "module.yaml"
        reporter.error("TW226", f"`{shown(place)}` has no `module.yaml`", start_of(path))
        return None
    return _Files(place, inside, parts, read, reporter)


class _OneFile:
    """Reads the parts of a ruleset in one file, as `_Files` reads the files of a folder."""

    def __init__(
        self, file: Path, parts: Collection[str], read: ReadFiles, reporter: Reporter
    ) -> None:
        self.file = file
        self.parts = {"module", *parts}
        self.reporter = reporter
        self.quota = Quota(reporter)
        self.names: list[str] = []
        self.ignores: list[Ignore] = []
        self.root: YMap | None = None
        if self.quota.accept(file):
            found = read.content(file, read_whole, reporter, {})
            self.names, self.ignores, self.root = [found.name], [*found.ignores], found.made

    def content(self, part: str, make: Make[_Made | None]) -> _Made | None:
        """The content of a part as `make` reads it; None when the file has none."""
        if self.root is None or part not in self.parts:
            return None
        inner = part_of(self.root, part)
        if not inner.entries and part != "module":
            return None
        if not self.quota.accept_part(part, _size_of(inner), self.file):
            return None
        read: Make[Any] = read_head if part == "module" else make
        made: _Made | None = read(inner, self.reporter, Translator({}))
        return made

    def contents(self, part: str, make: Make[_Made | None]) -> Iterator[_Made]:
        """The content of a part that a folder has in an inner folder."""
        found = None if part == "statements" else self.content(part, make)
        if found is not None:
            yield found


def _size_of(node: YNode) -> int:
    """The length of all keys and texts of a tree."""
    match node:
        case YText(value):
            return len(value.encode("utf-8", "replace"))
        case YMap(entries):
            return sum(_size_of(key) + _size_of(value) for key, value in entries)
    return sum(_size_of(item) for item in node.items)


class _Files:
    """Reads the files of one folder within the limits; keeps their names and suppressions."""

    def __init__(
        self,
        folder: Path,
        inside: Sequence[str],
        parts: Collection[str],
        read: ReadFiles,
        reporter: Reporter,
    ) -> None:
        self.folder = folder
        self.inside = inside
        self.parts = {"module", CATALOGUES, *parts}
        self.read = read
        self.reporter = reporter
        self.quota = Quota(reporter)
        self.names: list[str] = []
        self.ignores: list[Ignore] = []
        self.catalogues: Catalogues = {}
        self.found: list[Content[Any]] = []
        found = ((file.stem, made) for file, made in self._each(CATALOGUES, read_catalogue))
        self.catalogues = dict(found)

    def content(self, part: str, make: Make[_Made | None]) -> _Made | None:
        """The content of the file of a part as `make` reads it; None when it is missing or
        unreadable.
        """
        return self._content(self.folder / f"{part}.yaml", make, part)

    def _content(self, file: Path, make: Make[_Made | None], part: str) -> _Made | None:
        if file.parent == self.folder and file.name not in self.inside:
            return None
        # its folder is inside, so only a link can lead out
        if os.path.islink(file) and not stays_inside(file, self.folder, self.reporter):
            return None
        if not self.quota.accept(file):
            return None
        if part not in self.parts:  # it still counts for the limits
            return None
        found = self.read.content(file, make, self.reporter, self.catalogues)
        self.names.append(found.name)
        self.found.append(found)
        self.ignores.extend(found.ignores)
        return found.made

    def contents(self, part: str, make: Make[_Made | None]) -> Iterator[_Made]:
        """The content of each file in one of the inner folders."""
        if part == "scenarios" and part not in self.parts:
            return  # these come last, so their number matters for nothing else
        yield from (content for _, content in self._each(part, make))

    def _each(self, part: str, make: Make[_Made | None]) -> Iterator[tuple[Path, _Made]]:
        if part not in self.inside:
            return
        self.read.paths.add(self.folder / part)
        found = data_files(self.folder, part, self.reporter)
        for file in found[: MAX_FILES + 1]:
            if (content := self._content(file, make, part)) is not None:
                yield file, content

    def report_translations(self) -> None:
        """Report translations of no text, and catalogues that lack what another one has."""
        if any(each.made is None for each in self.found):
            return  # then not all texts are known
        used = {key for each in self.found for key in each.translator.used}
        texts = dict.fromkeys(text for each in self.found for text in each.translator.texts)
        compared = 0
        gaps = dict.fromkeys(gap for each in self.found for gap in each.translator.gaps)
        for language, catalogue in self.catalogues.items():
            for key, (_, line) in catalogue.entries.items():
                if (language, key) not in used:
                    thing, _, text = key.rpartition(CONTEXT_END)
                    whose = f" for {quoted(thing)}" if thing else ""
                    message = f"a translation of {quoted(text)}{whose}, which no text here needs"
                    compared += 1
                    if compared <= _MAX_COMPARED:
                        message += _nearest_text(text, thing, texts)
                    place = Span(catalogue.file, line, 1, line, 2)
                    self.reporter.warning("TW781", message, place)
            lacking = [english for at, english in gaps if at == language]
            if lacking:
                more = f" and {len(lacking) - 1} more" if lacking[1:] else ""
                message = f"no translation of {quoted(lacking[0])}{more}, which others have"
                place = Span(catalogue.file, 1, 1, 1, 1)
                self.reporter.warning("TW782", message, place)


def _nearest_text(text: str, thing: str, texts: Collection[tuple[str, str]]) -> str:
    """The end of a message about a stale translation: the text, or the thing, that was meant."""
    things = [owner for english, owner in texts if english == text and owner]
    if things:
        return did_you_mean(thing, things) if thing else ""
    return did_you_mean(text, [english for english, _ in texts])


def _with_shared_folders(
    ruleset: Ruleset, shared: Callable[[Reference], Ruleset | None], reporter: Reporter
) -> Ruleset:
    """The ruleset within the limits, joined with its shared folders; reports duplicates."""
    module = ruleset.module
    if (module.kind == SHARED) != is_shared(module.id):
        message = f"`kind: {SHARED}` goes with an id that begins with `{SHARED}/`"
        reporter.error("TW222", f"{message}, and only there", module.span)
    if is_shared(module.id):
        report_unused_keys(module, reporter)
    ruleset = truncated(ruleset, reporter)
    folders = (shared(mention) for mention in module.shares)
    ruleset = with_shared(ruleset, [each for each in folders if each is not None], reporter)
    _report_duplicates(ruleset, reporter)
    return ruleset


def data_files(folder: Path, name: str, reporter: Reporter) -> list[Path]:
    """The files of an inner folder that are read, by name: YAML or catalogues. Those that turn out
    to be unreadable are included.
    """
    if not stays_inside(folder / name, folder, reporter):
        return []
    paths = [folder / name / file for file in names_in(folder / name, reporter) or ()]
    paths = [path for path in paths if is_read(path.name, name)]
    return [path for path in paths[: 2 * MAX_FILES] if not path.is_dir()]


def names_in(folder: Path, reporter: Reporter) -> list[str] | None:
    """The names in a folder, without hidden files and those of editors; None, after a diagnostic,
    when it cannot be listed.
    """
    try:
        found = sorted(name for name in os.listdir(folder) if not is_ignored(name))
        os.stat(folder / os.curdir)  # a folder may be listable but not accessible
        return found
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        message = f"`{shown(folder)}` cannot be read: {reason}"
        reporter.error("TW114", message, Span(shown(folder), 0, 0, 0, 0))
        return None


def files_read(folder: Path) -> list[Path]:
    """The files of a ruleset that its reader would read, by name; nothing is reported.

    Links out of the folder, files that are not regular and files that are too large are left
    out: the reader refuses them.
    """
    if is_one_file(folder):
        return [folder] if is_readable(folder, folder) else []
    quiet = Reporter.discarding()
    inside = names_in(folder, quiet) or ()
    found = [folder / name for name in FILES if name in inside]
    for name in FOLDERS:
        if name in inside:
            found += data_files(folder, name, quiet)
    return [file for file in found[:MAX_FILES] if is_readable(file, folder)]


def is_readable(file: Path, folder: Path) -> bool:
    """Whether a file is a regular file of at most the size that is read, inside a folder."""
    try:
        return (
            not leads_out(file, folder)
            and os.path.isfile(file)
            and os.path.getsize(file) <= MAX_FILE_BYTES
        )
    except (OSError, ValueError):
        return False


def leads_out(file: Path, folder: Path) -> bool:
    """Whether a file is a link, or lies behind one, that leads out of its ruleset's folder."""
    inside = os.path.realpath(folder)
    return os.path.commonpath((inside, os.path.realpath(file))) != inside


def stays_inside(file: Path, folder: Path, reporter: Reporter) -> bool:
    """Whether a file or folder is inside its ruleset's folder; reports it when it is not."""
    if not leads_out(file, folder):
        return True
    place = file.relative_to(folder).as_posix()
    message = f"`{place}` leads out of the ruleset's folder, and is not read"
    reporter.error("TW114", message, Span(shown(folder / "module.yaml"), 0, 0, 0, 0))
    return False


# ------------------------------------------------------------------ checks of the whole folder


class _Named(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def span(self) -> Span: ...


def _report_duplicates(ruleset: Ruleset, reporter: Reporter) -> None:
    """Report two things of one category with the same id, in any file of the folder."""
    kinds: tuple[tuple[str, Iterable[_Named]], ...] = (
        ("seats", ruleset.module.seats),
        ("statements", ruleset.statements),
        ("phrases", ruleset.phrases),
        ("values", ruleset.values),
        ("memories", ruleset.memory),
        ("steps", ruleset.steps),
        ("definitions", ruleset.definitions),
        ("events", ruleset.events),
        ("measures", ruleset.measures),
        ("rules", (rule.head for rule in ruleset.rules)),
        ("patches", ruleset.patches),
        ("scenarios", ruleset.scenarios),
    )
    for what, things in kinds:
        names = UniqueNames(what, reporter)
        for thing in things:
            names.add(thing.id, thing.span)


def _report_other_files(folder: Path, inside: Sequence[str], reporter: Reporter) -> None:
    """Report entries that look like data of a ruleset but are not read, and unfit names."""
    most = len(FILES) + len(FOLDERS) + MAX_OTHER_FILES
    if len(inside) > most:
        message = f"the folder has more than {MAX_OTHER_FILES} files that are not part of a ruleset"
        reporter.warning("TW220", message, start_of(folder / "module.yaml"))
    names = inside[:most]
    for path in (folder / name for name in names if (folder / name).is_dir()):
        if path.name in FOLDERS:
            if not leads_out(path, folder):  # else already reported
                within = (names_in(path, reporter) or [])[: 2 * MAX_FILES]
                for unread, why in unread_within(path, within):
                    _report_unread(unread, why, reporter)
                _report_unfit(path, [n for n in within if is_read(n, path.name)], reporter)
            continue
        guess = did_you_mean(path.name, FOLDERS)
        if guess or holds_data(path, MAX_FILES):
            _report_unread(path, f"the folder is not read{guess}", reporter)
    for path in unread_beside(folder, names, FILES):
        new = old_words().files.get(path.name, "")
        if new:
            message = f"`{path.name}` is an old name: the file is `{new}` now"
            hint = "rename it, or run `tilewright fmt --upgrade`"
            reporter.error("TW220", message, start_of(path), hint=hint)
        else:
            guess = did_you_mean(path.name, FILES)
            _report_unread(path, f"the file is not read{guess}", reporter)


def _report_unread(path: Path, why: str, reporter: Reporter) -> None:
    reporter.warning("TW220", f"`{path.name}` is not part of a ruleset: {why}", start_of(path))


def _report_unfit(folder: Path, names: Iterable[str], reporter: Reporter) -> None:
    for name, message in not_portable(names):
        reporter.warning("TW231", message, start_of(folder / name), hint="rename the file")
