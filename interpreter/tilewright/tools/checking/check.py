"""The checker: all diagnostics of rulesets without play, in one list.

`inspect_ruleset` finds them for one ruleset, and is imported only for rulesets whose diagnostics
are not in the cache. Here they become one list, without those that an author ignores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.yaml.tree import read_text
from tilewright.rules.model.ruleset import Ignore
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.parts import cut_part
from tilewright.tools.checking.inspections import Inspections, key_of
from tilewright.tools.checking.suppressions import with_ignores
from tilewright.tools.workspace.cache import Cache, digest_of
from tilewright.tools.workspace.library_index import LibraryIndex
from tilewright.tools.workspace.workspace import Workspace

if TYPE_CHECKING:
    from tilewright.tools.checking.own_schemas import OwnSchema


def check(
    library: Library,
    ids: Iterable[str] = (),
    games: Iterable[str] = (),
    *,
    cache: Cache | None = None,
    index: LibraryIndex | None = None,
    schemas: Sequence[OwnSchema] = (),
    jobs: int = 1,
    done: Callable[[int], None] = lambda count: None,
) -> tuple[Diagnostic, ...]:
    """The diagnostics of some rulesets of a library, or of all; sorted, without duplicates.

    Games are ids joined by `+`, with options: their combination is checked too. The cache has the
    diagnostics of rulesets for which nothing has changed; `index` is that of the library now. Many
    rulesets are checked in several processes, at most `jobs`; `done` gets the number of checked
    rulesets. Neither changes the result. Raises SchemaError for own schemas that cannot be used.
    """
    index = index or LibraryIndex(library, cache)
    requested = tuple(dict.fromkeys(tuple(ids) or library.ids()))
    games = tuple(games)
    in_games = {part for game in games for part in game.partition("?")[0].split("+")}
    whole = [id_ for id_ in requested if not cut_part(id_)[1]]
    parts = [id_ for id_ in requested if cut_part(id_)[1] and id_ not in in_games]
    inspections = Inspections(library, index, frozenset(requested), cache or Cache(None))
    found = Reporter()
    found.extend(library.unreadable())
    _check_topics(library, cache or Cache(None), found)
    own: list[Ignore] = []
    others: list[Ignore] = []
    for inspected in inspections.of(whole, jobs, done):
        found.extend(inspected.diagnostics)
        own += inspected.own
        others += inspected.others
    if schemas:
        from tilewright.tools.checking.own_schemas import findings  # slow to import

        found.extend(findings(schemas, library, whole))
    if parts or games:
        workspace = Workspace(library, index)
        _check_games((*parts, *games), workspace, found)
        read = (workspace.own(id_) for id_ in library.ids_read())
        others += (ignore for ruleset in read if ruleset is not None for ignore in ruleset.ignores)
    return with_ignores(found, own, (*own, *others)).diagnostics


def _check_topics(library: Library, cache: Cache, found: Reporter) -> None:
    """Report the diagnostics of the files of topics, unless the cache knows that they have none."""
    texts = [read_text(path, path.name, Reporter.discarding()) for path in library.topics_files()]
    key = ("topics", digest_of(text for text in texts if text is not None))
    if None not in texts and cache.get(*key) is not None:
        return
    reporter = Reporter()
    library.topics(reporter)
    found.extend(reporter.diagnostics)
    if None not in texts and not reporter.diagnostics:
        cache.put(b"sound", *key)


def first_look(
    library: Library, id_: str, cache: Cache, index: Callable[[], LibraryIndex]
) -> tuple[Diagnostic, ...] | None:
    """Some of the diagnostics of a ruleset, sooner than all; None if all are in the cache.

    They need only its files and those of the game that it makes under its declared options. `index`
    makes the index of the library, which takes longer.
    """
    is_known = cache.get(*key_of(library, id_)) is not None
    if is_known and Inspections(library, index(), frozenset((id_,)), cache).is_stored(id_):
        return None
    from tilewright.tools.checking.inspect_ruleset import first_look as looked

    inspected, found = looked(Workspace(library), id_), Reporter()
    found.extend(inspected.diagnostics)
    return with_ignores(found, (), (*inspected.own, *inspected.others)).diagnostics


def _check_games(games: Iterable[str], workspace: Workspace, reporter: Reporter) -> None:
    """Report the diagnostics of games; a ruleset that is used in part is checked as a whole."""
    from tilewright.tools.checking.inspect_ruleset import check_game

    for text in games:
        check_game(text, workspace, reporter)
