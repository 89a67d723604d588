"""The library of rulesets: it finds them in folders and reads each once.

A root is a folder of folders, `<root>/<edition>/<name>/module.yaml`, or the folder of one ruleset.
A ruleset in one file lies where its folder would lie: `<root>/<edition>/<name>.yaml`.
When two folders have a ruleset with the same id, the folder that was added first is used; among the
shipped rulesets and those of installed distributions that is an error.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tilewright.language.source.about import PACKAGE, VERSION
from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity, did_you_mean
from tilewright.language.source.text import NOWHERE, Span
from tilewright.language.source.yaml.tree import (
    MAX_DIAGNOSTICS,
    ReadFile,
    YMap,
    YText,
    read_yaml_file,
)
from tilewright.rules.model.ruleset import Labels, Module, Reference, Ruleset
from tilewright.rules.reading.files.patterns import RULESET
from tilewright.rules.reading.files.topics import FILE as TOPICS
from tilewright.rules.reading.folder import (
    PARTS,
    RULES,
    has_head,
    head_of,
    is_one_file,
    leads_out,
    names_in,
    read_module_alone,
    read_ruleset,
    read_topics_file,
    topics_files_in,
)
from tilewright.rules.reading.installed import Distribution, installed
from tilewright.rules.reading.limits import Quota, shown
from tilewright.rules.reading.read_files import ReadFiles
from tilewright.rules.reading.sharing import SHARED, is_shared
from tilewright.rules.reading.word_search import Prefilter, prefilter_of


def _beside(name: str) -> Path:
    """A folder of data that travels with the software: in the source tree, or in the package."""
    tree = PACKAGE.parents[1] / name
    if PACKAGE.parent.name == "interpreter" and tree.is_dir():
        return tree
    return PACKAGE / "_shipped" / name


def shipped_rulesets() -> Path:
    """The folder of the rulesets that come with the software."""
    return _beside("rulesets")


def short_path(file: str) -> str:
    """A file to show: a shipped one from the folder of all rulesets on, any other as it is."""
    return file.removeprefix(f"{shipped_rulesets()}{os.sep}")


def schemas_folder() -> Path:
    """The folder of the JSON Schemas that come with the software."""
    return _beside("schemas")


def boards_folder() -> Path:
    """The folder of the boards that come with the software, for comparisons of editions."""
    return _beside("boards")


@dataclass(slots=True)
class Requests:
    """The requests to a library: the ids, found or not, and whether all ids were listed."""

    ids: set[str] = field(default_factory=set)
    everything: bool = False


class Library:
    """The rulesets of some folders, by id. Each is read when it is first asked for."""

    def __init__(
        self,
        folders: Iterable[Path] = (),
        *,
        shipped: bool = True,
        read: ReadFile = read_yaml_file,
        changed: Collection[str] = (),
        among: Library | None = None,
    ) -> None:
        """`among` is another library of the same files; both share what is made of equal trees."""
        self._files: ReadFiles = ReadFiles(read, None if among is None else among._files)
        self._changed = changed  # ids whose texts may differ from the files
        self._requests = Requests()
        self._folders: dict[str, tuple[Path, str]] = {}  # id: folder, id that its place promises
        self._named: frozenset[str] | None = None  # those that may be named; None for all
        self._shared: dict[str, tuple[Path, str]] = {}  # the same of what rulesets share
        self._origins: dict[str, Distribution] = {}  # of what is shipped or installed
        self._twice: dict[str, tuple[Distribution, Distribution]] = {}
        self._rules_only: dict[str, tuple[Ruleset | None, tuple[Diagnostic, ...]]] = {}
        self._modules: dict[str, Module | None] = {}
        self._unreadable = Reporter()
        self._topics: list[Path] = []  # files with names of topics
        self._prefilter: Prefilter | None = None
        self._loaded: dict[str, tuple[Ruleset | None, tuple[Diagnostic, ...]]] = {}
        self._in_part: dict[tuple[str, tuple[str, ...]], Ruleset | None] = {}
        if shipped:
            self.add_shipped()
        for folder in folders:
            self.add(folder)

    def add(self, folder: Path, own_id: str = "") -> tuple[str, ...]:
        """Look for rulesets in one more folder; the ids found there.

        `own_id` is the result of `own_id` for the folder of one ruleset, if it is already known.
        """
        found = [each for each in self._search(folder, own_id) if self._keep(*each)]
        return tuple(sorted(id_ for id_, _, _ in found))

    def _search(self, folder: Path, own_id: str = "") -> Iterator[tuple[str, Path, str]]:
        """The id, the folder and the id that the place promises, of all that is in a folder."""
        self._prefilter = None
        if own_id or self._is_ruleset(folder):
            id_, place = own_id or self.own_id(folder), folder.resolve()
            yield id_ or f"{place.parent.name}/{place.name.removesuffix('.yaml')}", folder, ""
            return
        inside = self._names_in(folder)
        if TOPICS in inside and folder / TOPICS not in self._topics:
            self._topics.append(folder / TOPICS)
        seen: set[str] = set()
        for above in self._inside(folder, folder, seen):
            places = (*self._inside(above, folder, seen), *self._files_in(above, folder))
            for place in filter(self._is_ruleset, places):
                name = f"{above.name}/{place.name.removesuffix('.yaml')}"
                yield name, place, name

    def _is_ruleset(self, place: Path) -> bool:
        """Whether a place is a file, or a folder with a module.yaml."""
        is_file = is_one_file(place) and os.path.isfile(place)
        return is_file or "module.yaml" in self._names_in(place)

    def add_shipped(self) -> None:
        """Add the shipped rulesets and those of installed distributions.

        Folders that were added before replace them; two of them with one id are an error of this
        id.
        """
        own = Distribution("tilewright", VERSION, "", shipped_rulesets())
        for each in (own, *installed()):
            folder = each.folder
            if folder is None:
                message = (
                    f"`{each.value}`, where {each} has its rulesets, is not an installed folder"
                )
                self._unreadable.warning("TW114", message, NOWHERE)
                continue
            before = self.places()
            for id_, place, promised in self._search(folder):
                if id_ in self._origins:
                    self._twice.setdefault(id_, (self._origins[id_], each))
                elif id_ not in before:
                    self._origins[id_] = each
                    self._keep(id_, place, promised)

    def origin(self, id_: str) -> Distribution | None:
        """The distribution that a ruleset or shared folder came with; None for a folder alone."""
        return self._origins.get(id_)

    def rivals(self, id_: str) -> tuple[Distribution, ...]:
        """The two distributions that both have a ruleset, which is an error; empty for others."""
        return self._twice.get(id_, ())

    def name_only(self, ids: Collection[str]) -> None:
        """Make games of no other rulesets; those that these ones mention are still found."""
        self._named = frozenset(ids)

    @property
    def names_all(self) -> bool:
        """Whether games may be made of all rulesets."""
        return self._named is None

    def may_name(self, id_: str) -> bool:
        """Whether a game may be made of a ruleset."""
        return self._named is None or id_ in self._named

    def _keep(self, id_: str, folder: Path, promised: str) -> bool:
        """Remember where a ruleset or shared folder lies; whether games are made of it."""
        places = self._shared if is_shared(id_) else self._folders
        places.setdefault(id_, (folder, promised))
        return places is self._folders

    def own_id(self, folder: Path) -> str:
        """The id in the module.yaml of a folder, or in one file; empty when it cannot be read."""
        file, quiet = head_of(folder), Reporter.discarding()
        self._files.paths.add(file)
        if leads_out(file, folder) or not Quota(quiet).accept(file):
            return ""
        tree = self._files.read(file, shown(file), quiet)
        id_ = tree.get("id") if isinstance(tree, YMap) else None
        return id_.value if isinstance(id_, YText) and RULESET.fits(id_.value) else ""

    def folders_under(self, folder: Path, deepest: int = 3) -> list[Path]:
        """The places of rulesets that a folder holds so many levels down, or the place itself."""
        return sorted(self._under(folder, folder, set(), deepest))

    def _under(self, folder: Path, top: Path, seen: set[str], deepest: int) -> Iterator[Path]:
        if self._is_ruleset(folder):
            yield folder
        elif deepest:
            yield from self._files_in(folder, top)
            for inner in self._inside(folder, top, seen):
                yield from self._under(inner, top, seen, deepest - 1)

    def _inside(self, folder: Path, top: Path, seen: set[str]) -> Iterator[Path]:
        """The folders in a folder. Links are followed to folders below `top` that nothing else has
        led to; those that lead out are reported.
        """
        here = os.path.realpath(folder)
        paths = [folder / name for name in self._names_in(folder)]
        links = [path for path in paths if os.path.islink(path)]
        for path in paths:
            if path not in links and os.path.isdir(path):
                seen.add(os.path.join(here, path.name))
                yield path
        for path in links:
            real = os.path.realpath(path)
            if not os.path.isdir(path) or real in seen or f"{here}/".startswith(f"{real}/"):
                continue
            if leads_out(path, top):
                self._report_way_out(path, top)
                continue
            seen.add(real)
            yield path

    def _files_in(self, folder: Path, top: Path) -> Iterator[Path]:
        """The rulesets in one file that lie in a folder; links that lead out are reported."""
        for path in (folder / name for name in self._names_in(folder)):
            self._files.paths.add(path)
            if has_head(path):
                if leads_out(path, top):
                    self._report_way_out(path, top)
                else:
                    yield path

    def _report_way_out(self, path: Path, top: Path) -> None:
        message = f"`{path}` leads out of `{top}`, and is not read"
        self._unreadable.warning("TW114", message, Span(str(path), 0, 0, 0, 0))

    def _names_in(self, folder: Path) -> Sequence[str]:
        """The names in a folder; empty when it is not a folder."""
        self._files.paths.add(folder)
        if not os.path.isdir(folder):  # unlike the method of a path this never fails
            return ()
        return names_in(folder, self._unreadable) or ()

    def unreadable(self) -> tuple[Diagnostic, ...]:
        """Diagnostics about folders that could not be searched."""
        return self._unreadable.diagnostics

    def ids(self) -> tuple[str, ...]:
        """The ids of all rulesets that may be named, in order."""
        self._requests.everything = True
        return tuple(sorted(filter(self.may_name, self._folders)))

    def has(self, ruleset_id: str) -> bool:
        """Whether a ruleset is known."""
        self._requests.ids.add(ruleset_id)
        return ruleset_id in self._folders

    def is_game(self, ruleset_id: str) -> bool:
        """Whether an id is that of a known ruleset, not of a shared folder."""
        return ruleset_id in self._folders

    def places(self) -> dict[str, tuple[Path, str]]:
        """The folder of each ruleset and shared folder, with the id that its place promises."""
        return {**self._folders, **self._shared}

    def unsaved(self) -> frozenset[str]:
        """The ids of the rulesets whose texts may differ from their files."""
        shared = (self.sharing(id_) for id_ in self._changed if is_shared(id_))
        return frozenset(self._changed).union(*shared)

    @contextmanager
    def recording(self) -> Iterator[Requests]:
        """Collect the requests to the library meanwhile; recordings may be nested."""
        outer, self._requests = self._requests, Requests()
        try:
            yield self._requests
        finally:
            self._requests = outer

    def folder(self, ruleset_id: str) -> Path | None:
        """The folder or file of a ruleset, or a shared folder; None when it is not known."""
        found = self._folders.get(ruleset_id) or self._shared.get(ruleset_id)
        return found[0] if found else None

    def shared(self) -> tuple[str, ...]:
        """The ids of the folders that rulesets share, in order."""
        self._requests.everything = True
        return tuple(sorted(self._shared))

    def sharing(self, shared_id: str) -> tuple[str, ...]:
        """The ids of the rulesets that may share a folder, in order; nothing is read for it."""
        found = {*self._prefilter_of_all().may_mention(shared_id, ("module",)), *self._changed}
        return tuple(id_ for id_ in sorted(found) if id_ != shared_id)

    def topics(self, reporter: Reporter) -> dict[str, Labels]:
        """The labels of topics, by topic; of two labels the one of the folder added first."""
        found: dict[str, Labels] = {}
        for path in self._topics:
            if not leads_out(path, path.parent):
                found = {**read_topics_file(path, self._files, reporter), **found}
        return found

    def topics_files(self) -> tuple[Path, ...]:
        """The files that name topics, with their catalogues."""
        return tuple(file for path in self._topics for file in topics_files_in(path.parent))

    def load(self, ruleset_id: str, reporter: Reporter, span: Span = NOWHERE) -> Ruleset | None:
        """The ruleset with an id; `span` is where it was asked for, should it not exist."""
        return self._found(ruleset_id, self._loaded, PARTS, reporter, span)

    def load_rules(
        self, ruleset_id: str, reporter: Reporter, span: Span = NOWHERE
    ) -> Ruleset | None:
        """The ruleset without its scenarios: faster to read, and enough to link and play.

        A ruleset that was read whole, without diagnostics, is not read again.
        """
        whole = self._loaded.get(ruleset_id)
        if whole is not None and whole[0] is not None and not whole[1]:
            rules_only = replace(whole[0], scenarios=())
            self._rules_only.setdefault(ruleset_id, (rules_only, ()))
        return self._found(ruleset_id, self._rules_only, RULES, reporter, span)

    def load_parts(self, ruleset_id: str, parts: Collection[str]) -> Ruleset | None:
        """The ruleset with the content of these parts (`rules`, `scenarios` ...); others may have
        none. Nothing is reported.
        """
        self._requests.ids.add(ruleset_id)
        read = self._loaded.get(ruleset_id)
        if read is not None:
            return read[0]
        key = ruleset_id, tuple(parts)
        if key not in self._in_part:
            found = self._found(ruleset_id, {}, parts, Reporter.discarding())
            self._in_part[key] = found
        return self._in_part[key]

    def load_module(self, ruleset_id: str) -> Module | None:
        """The module of a ruleset without all else; None when it cannot be read."""
        self._requests.ids.add(ruleset_id)
        if ruleset_id not in self._modules:
            read = self._loaded.get(ruleset_id) or self._rules_only.get(ruleset_id)
            if read is not None:
                return None if read[0] is None else read[0].module
            place = self._folders.get(ruleset_id)
            quiet = Reporter.discarding()
            found = None if place is None else read_module_alone(place[0], self._files, quiet)
            self._modules[ruleset_id] = found
        return self._modules[ruleset_id]

    def lineage(self, ruleset_id: str) -> tuple[str, ...]:
        """The id of a ruleset, and those of the earlier ones that it takes over."""
        found: list[str] = []
        earlier: str | None = ruleset_id
        while earlier is not None and earlier not in found:
            found.append(earlier)
            module = self.load_module(earlier)
            earlier = None if module is None else module.takes_over
        return tuple(found)

    def is_read(self, ruleset_id: str) -> bool:
        """Whether a ruleset has been read with all that is in it."""
        return ruleset_id in self._loaded

    @property
    def reader(self) -> ReadFile:
        """The function that reads the files."""
        return self._files.read

    def paths(self) -> frozenset[Path]:
        """The files that were read, and the folders that were searched: while these are the same,
        another library finds the same.
        """
        return frozenset(self._files.paths)

    def is_untouched(self) -> bool:
        """Whether rulesets are read from files alone, and none has been read: none is older."""
        return self._files.is_plain and not (self._loaded or self._rules_only or self._modules)

    def ids_read(self) -> tuple[str, ...]:
        """The ids of the rulesets that have been read whole, in the order of reading."""
        return tuple(self._loaded)

    def may_mention(
        self, word: str, parts: tuple[str, ...], *, alone: bool = True
    ) -> Collection[str]:
        """The ids of the rulesets that may contain a word in some of their parts (`module` ...).

        Nothing is parsed: all others certainly do not contain it, with `alone` except as a part of
        a longer word.
        """
        found = {*self._prefilter_of_all().may_mention(word, parts, alone=alone), *self._changed}
        named = {id_ for id_ in found if id_ in self._folders}
        return named.union(*(self.sharing(id_) for id_ in found if is_shared(id_)))

    def _prefilter_of_all(self) -> Prefilter:
        if self._prefilter is None:
            places = {**self._folders, **self._shared}
            self._prefilter = prefilter_of({id_: folder for id_, (folder, _) in places.items()})
        return self._prefilter

    def forget(self, ruleset_id: str) -> None:
        """Forget a ruleset, or all that share a folder: the next request reads them again."""
        self._prefilter = None
        place = self.folder(ruleset_id)
        if place is not None:
            self._files.forget(place)
        for id_ in self.sharing(ruleset_id) if is_shared(ruleset_id) else (ruleset_id,):
            self._rules_only.pop(id_, None)
            self._modules.pop(id_, None)
            self._loaded.pop(id_, None)
            for parts in [key for key in self._in_part if key[0] == id_]:
                del self._in_part[parts]

    def instead(self, ruleset: Ruleset) -> Library:
        """A copy of the library in which this ruleset replaces the one with its id, if any."""
        other = Library(shipped=False, read=self._files.read, among=self)
        other._topics, other._shared = self._topics, self._shared
        other._origins, other._twice = self._origins, self._twice
        other._changed = {ruleset.id, *self._changed}
        other._folders = {ruleset.id: (Path(ruleset.folder), ""), **self._folders}
        other._rules_only = {**self._rules_only, ruleset.id: (ruleset, ())}
        other._loaded = {**self._loaded, ruleset.id: (ruleset, ())}
        return other

    def _found(
        self,
        ruleset_id: str,
        loaded: dict[str, tuple[Ruleset | None, tuple[Diagnostic, ...]]],
        parts: Collection[str],
        reporter: Reporter,
        span: Span = NOWHERE,
    ) -> Ruleset | None:
        self._requests.ids.add(ruleset_id)
        place = self._folders.get(ruleset_id)
        if place is None:
            self._unknown(ruleset_id, self.ids(), span, reporter)
            return None
        if not self._is_one(ruleset_id, span, reporter):
            return None
        if ruleset_id not in loaded:
            own = Reporter()
            ruleset = read_ruleset(
                place[0], own, place[1], parts=parts, read=self._files,
                shared=lambda mention: self._part(mention, own),
            )  # fmt: skip
            loaded[ruleset_id] = (ruleset, _the_first(own.diagnostics))
        ruleset, diagnostics = loaded[ruleset_id]
        reporter.extend(diagnostics)
        return ruleset

    def _part(self, mention: Reference, reporter: Reporter) -> Ruleset | None:
        """The shared folder that a ruleset names, as it was read."""
        place = self._shared.get(mention.id)
        if place is None:
            self._unknown(mention.id, self.shared(), mention.span, reporter)
            return None
        if not self._is_one(mention.id, mention.span, reporter):
            return None
        return read_ruleset(place[0], reporter, place[1], parts=RULES, read=self._files)

    def _is_one(self, id_: str, span: Span, reporter: Reporter) -> bool:
        """Whether one distribution alone has a ruleset; otherwise this is reported."""
        if id_ not in self._twice:
            return True
        first, second = self._twice[id_]
        message = f"{first} and {second} both contain `{id_}`: {first.folder} and {second.folder}"
        hint = "uninstall one of them, or name the folder of the one that is meant"
        reporter.error("TW229", message, span, hint=hint)
        return False

    def _unknown(self, id_: str, known: Collection[str], span: Span, reporter: Reporter) -> None:
        message = f"unknown ruleset `{id_}`"
        hint = "" if self._folders else "no ruleset was found at all"
        beside = _folder_of_both(span, id_.rpartition("/")[2])
        if beside:
            hint = f"`--with {beside}` adds it: it lies beside this ruleset"
        else:
            message += did_you_mean(id_, known)
        if id_ in self._shared:
            hint = f"it is {SHARED}: rulesets name it under `shares:`, and it is not a game"
        reporter.error("TW221", message, span, hint=hint)


def _folder_of_both(span: Span, name: str) -> str:
    """The folder with a ruleset of this name that is also that of the ruleset with a place."""
    home = Path(span.file).parent
    places = ((home, home / f"{name}.yaml"), (home.parent, home.parent / name / "module.yaml"))
    return next((str(above) for above, file in places if span.file and os.path.isfile(file)), "")


def _the_first(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The first diagnostics of one ruleset, and the number of all if some are left out."""
    if len(diagnostics) <= MAX_DIAGNOSTICS:
        return diagnostics
    message = f"{len(diagnostics)} problems; the first {MAX_DIAGNOSTICS} are shown"
    last = diagnostics[MAX_DIAGNOSTICS - 1]
    more = Diagnostic("TW116", Severity.ERROR, message, last.span, hint="fix those first")
    return (*diagnostics[:MAX_DIAGNOSTICS], more)
