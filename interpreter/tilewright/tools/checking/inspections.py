"""The diagnostics of many rulesets, each inspected by itself: from the cache, or in processes.

A stored result has everything that it depends on: the content hash of each ruleset that was read,
and each answer of the index that was used. It is used only while all of these are the same, so a
change in one ruleset makes the results new that depend on it, and no others. A change of comments
and places makes those new that name a place there, and that of the ruleset itself.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

from tilewright.language.source.diagnostics import Conflict, Diagnostic, Fix, Note, Severity
from tilewright.language.source.text import Span
from tilewright.rules.model.ruleset import Ignore
from tilewright.rules.reading.folder import is_one_file
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.suppressions import Inspected
from tilewright.tools.workspace.cache import Cache, digest_of
from tilewright.tools.workspace.library_index import Learned, LibraryIndex, shown_head
from tilewright.tools.workspace.workspace import Workspace

#: the form of stored results
_FORM = "inspection-2"
#: rulesets for which a second process pays
_MANY = 8


@dataclass(frozen=True, slots=True)
class _Basis:
    """The inputs of a result, as JSON."""

    #: by id: the hash of the meaning, or of the content where places count; empty for none
    reads: dict[str, str]
    words: list[list[Any]]  # kind, word, and the ids or whether there is any
    parts: dict[str, list[str]]  # by kind of word: the files and folders that may contain it
    requested: str  # a hash of the rulesets of the check, if it matters which these are
    everything: str  # a hash of the library, if all of it matters


class _Requested:
    """The rulesets of a check; notes whether somebody looked."""

    def __init__(self, ids: frozenset[str]) -> None:
        self.ids = ids
        self.was_used = False

    def __contains__(self, id_: object) -> bool:
        self.was_used = True
        return id_ in self.ids


def key_of(library: Library, id_: str) -> tuple[str, ...]:
    """The key of the stored result of a ruleset."""
    place = library.folder(id_)
    return _FORM, id_, "" if place is None else os.path.realpath(place), os.getcwd()


class Inspections:
    """Inspects rulesets of one library by a function, or finds the results in a cache."""

    def __init__(
        self,
        library: Library,
        index: LibraryIndex,
        requested: frozenset[str],
        cache: Cache,
    ) -> None:
        self.library = library
        self.index = index
        self.requested = requested
        self.cache = cache

    def of(
        self, ids: Sequence[str], jobs: int, done: Callable[[int], None]
    ) -> tuple[Inspected, ...]:
        """The inspected rulesets in the order of the ids; `done` gets the number of them."""
        found = {id_: kept for id_ in ids if (kept := self._stored(id_)) is not None}
        count = len(found)
        missing = [id_ for id_ in ids if id_ not in found]
        bases: dict[str, _Basis] = {}
        if missing:
            done(count)
        with closing(self._inspected(missing, jobs)) as coming:
            for id_, inspected, basis in coming:
                found[id_] = inspected
                bases[id_] = basis
                count += 1
                done(count)
        self._store(found, bases)
        return tuple(found[id_] for id_ in ids)

    def _inspected(
        self, ids: Sequence[str], jobs: int
    ) -> Generator[tuple[str, Inspected, _Basis], None, None]:
        if jobs < 2 or len(ids) < _MANY:
            for id_ in ids:
                yield (id_, *self.one(id_))
            return
        from concurrent.futures import as_completed

        from tilewright.tools.workspace.processes import worker_pool

        gc.freeze()
        try:
            with worker_pool(jobs, self) as pool:
                waiting = {pool.submit(_one_there, id_): id_ for id_ in ids}
                for each in as_completed(waiting):
                    inspected, basis, learned = each.result()
                    self.index.adopt(learned)
                    yield waiting[each], inspected, basis
        finally:
            gc.unfreeze()

    def one(self, id_: str) -> tuple[Inspected, _Basis]:
        """Inspect one ruleset, and note what the result depends on."""
        from tilewright.tools.checking.inspect_ruleset import inspect

        workspace, requested = Workspace(self.library, self.index), _Requested(self.requested)
        with self.library.recording() as requests:
            found = inspect(workspace, id_, requested)
        answers = workspace.answers
        words: list[list[Any]] = [[*key, list(ids)] for key, ids in answers.by_word.items()]
        words += ([*key, there] for key, there in answers.anywhere.items())
        basis = _Basis(
            dict.fromkeys(sorted(requests.ids), ""),
            words,
            {kind: list(parts) for kind, parts in answers.parts.items()},
            digest_of(sorted(self.requested)) if requested.was_used else "",
            "all" if requests.everything else "",
        )
        return found, basis

    # ------------------------------------------------------------------- storage

    def is_stored(self, id_: str) -> bool:
        """Whether the diagnostics of a ruleset are in the cache."""
        return self._stored(id_) is not None

    def _stored(self, id_: str) -> Inspected | None:
        """The stored result of a ruleset, if everything that it depends on is the same."""
        data = self.cache.get(*key_of(self.library, id_)) if self.index.content(id_) else None
        if data is None:
            return None
        try:
            basis, diagnostics, own, others = json.loads(data)
            if not self._holds(_Basis(**basis)):
                return None
            return Inspected(
                tuple(map(_diagnostic, diagnostics)),
                tuple(map(_ignore, own)),
                tuple(map(_ignore, others)),
            )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def _holds(self, basis: _Basis) -> bool:
        index = self.index
        if basis.everything and basis.everything != index.everything():
            return False
        if basis.requested and basis.requested != digest_of(sorted(self.requested)):
            return False
        for id_, known in basis.reads.items():
            if not known or known not in (index.meaning(id_), index.content(id_)):
                return False
        for kind, word, answer in basis.words:
            having = index.having(kind, word)
            if answer is True and having:
                continue
            if sorted(having) != (answer or []) or index.may_have(
                kind, word, tuple(basis.parts[kind])
            ):
                return False
        return True

    def _store(self, found: dict[str, Inspected], bases: dict[str, _Basis]) -> None:
        """Store new results and what the index learned, unless files changed in the meantime."""
        if not self.index.may_store:
            return
        if bases:
            self.index.confirm()
        read = {id_ for basis in bases.values() for id_ in basis.reads}
        self.index.save(read.union(*map(self.index.shares, read)))
        values: dict[tuple[str, ...], bytes] = {}
        names = [*_names_of_places(self.library)]
        for id_, basis in bases.items():
            each = found[id_]
            row: list[Any] = [
                [astuple(diagnostic) for diagnostic in each.diagnostics],
                [astuple(ignore) for ignore in each.own],
                [astuple(ignore) for ignore in each.others],
            ]
            text = json.dumps(row, ensure_ascii=False)
            placed = {id_, *(named for named, name in names if name in text)}
            reads = {
                read: self.index.content(read)
                if placed.intersection((read, *self.index.shares(read)))
                else self.index.meaning(read)
                for read in {*basis.reads, *filter(self.library.is_game, placed)}
            }
            everything = self.index.everything() if basis.everything else ""
            if not all(reads.values()) or (basis.everything and not everything):
                continue
            row = [asdict(replace(basis, reads=reads, everything=everything)), *row]
            values[key_of(self.library, id_)] = json.dumps(row, separators=(",", ":")).encode()
        self.cache.put_all(values)


def _names_of_places(library: Library) -> Iterator[tuple[str, str]]:
    """The id of each ruleset and shared folder with every beginning of the names of its files."""
    for id_, (folder, _) in library.places().items():
        head = shown_head(folder)
        for name in (f"{id_}/", head if is_one_file(folder) else head.removesuffix("module.yaml")):
            yield id_, json.dumps(name, ensure_ascii=False)[1:-1]


# ---------------------------------------------------------------------- processes


def _one_there(id_: str) -> tuple[Inspected, _Basis, Learned]:
    from tilewright.tools.workspace.processes import held

    (inspections,) = held()
    inspected, basis = inspections.one(id_)
    return inspected, basis, inspections.index.take_learned()


# ---------------------------------------------------------------------- stored values


def _diagnostic(row: Iterable[Any]) -> Diagnostic:
    code, severity, message, span, notes, hint, fix, conflict, unknown = row
    return Diagnostic(
        code,
        Severity(severity),
        message,
        Span(*span),
        tuple(Note(Span(*place), said) for place, said in notes),
        hint,
        None if fix is None else Fix(Span(*fix[0]), *fix[1:]),
        None if conflict is None else Conflict(*conflict),
        unknown,
    )


def _ignore(row: Iterable[Any]) -> Ignore:
    code, reason, within, span = row
    return Ignore(code, reason, None if within is None else Span(*within), Span(*span))
