"""Changes in rulesets since a revision in git.

Every ruleset of the same work tree is taken at that revision, the bases of the requested ones
included; rulesets outside of it are taken as they are now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.folder import has_head, head_of
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.tools.changes.diff import CannotDiffError, change_of, diff_texts, in_order
from tilewright.tools.changes.things import Thing
from tilewright.tools.workspace.git import RevisionError, commit_at, extract, files_named, work_tree
from tilewright.view.results.difference import Change, ChangeKind, ChangeSide, Difference, DiffSide
from tilewright.view.results.impact import Impact


def diff_against(
    ids: Sequence[str], options: Mapping[str, str], library: Library, revision: str, *, whole: bool
) -> Difference:
    """The changes since a revision in git: in the game of all rulesets if `whole`, else in each of
    them alone. Raises CannotDiffError and RevisionError.
    """
    with library_at(revision, ids, library) as (old, then, top):
        under = "&".join(f"{k}={v}" for k, v in options.items())
        more = f"?{under}" if under else ""
        if whole or len(ids) == 1:
            for id_ in ids:
                if id_ not in old.ids():
                    raise RevisionError(f"`{id_}` is not there at `{revision}`")
            text = "+".join(ids) + more
            found = diff_texts(text, text, old, library, (f"{text} at {revision}", text))
        else:
            folders = (_folder(id_, library) for id_ in ids)
            mine = {then / _workspace(folder, top).relative_to(top) for folder in folders}
            known = [
                id_
                for id_ in old.ids()
                if id_ in ids or _workspace(_folder(id_, old), then) in mine
            ]
            found = _each(ids, known, old, library, revision, more)
        return _as_seen(found, f"{then}/", f"{revision}:")


@contextmanager
def library_at(
    revision: str, ids: Sequence[str], library: Library
) -> Iterator[tuple[Library, Path, Path]]:
    """The rulesets of a library at a revision in git; the folder that has the work tree as it was
    then, and the work tree. Raises RevisionError.
    """
    folders = {id_: _folder(id_, library) for id_ in (*library.ids(), *library.shared())}
    top = _repository([folders[id_] for id_ in ids])
    commit = commit_at(top, revision)
    inside = {id_: folder for id_, folder in folders.items() if folder.is_relative_to(top)}
    shelves = {_workspace(folder, top) for folder in inside.values()}
    with TemporaryDirectory(prefix="tilewright-") as name:
        then = Path(name).resolve()
        extract(top, commit, shelves, then)
        old = Library(shipped=False)
        for id_ in ids:
            if id_ in inside:
                old.add(then / inside[id_].relative_to(top))
        for workspace in sorted(shelves):
            old.add(then / workspace.relative_to(top))
        absent = {*inside, *ids} - {*old.ids(), *old.shared()}
        for workspace in _elsewhere(absent, top, commit, then):
            old.add(workspace)
        for id_, folder in folders.items():
            if id_ not in inside:
                old.add(folder)
        yield old, then, top


def _repository(folders: Sequence[Path]) -> Path:
    """The work tree of the last of these rulesets, before the shipped ones among them."""
    shipped = shipped_rulesets().resolve()
    own = [folder for folder in folders if not folder.is_relative_to(shipped)]
    return work_tree(head_of((own or folders)[-1]).parent)


def _elsewhere(ids: Collection[str], top: Path, commit: str, then: Path) -> list[Path]:
    """Extract the rulesets that lay in other folders at a commit; the folders to take them from."""
    if not ids:
        return []
    modules = files_named(top, commit, "module.yaml")
    folders = {module.parent for module in modules}
    files = [
        path
        for path in files_named(top, commit)
        if folders.isdisjoint((path.parent, path.parent.parent))
    ]
    extract(top, commit, (*modules, *files), then)
    library = Library(shipped=False)
    found = []
    places = [*folders]
    places += [file for file in files if has_head(then / file.relative_to(top))]
    for place in places:
        if library.own_id(then / place.relative_to(top)) in ids:
            found.append(_workspace(place, top))
    extract(top, commit, found, then)
    return [then / workspace.relative_to(top) for workspace in dict.fromkeys(found)]


def _folder(id_: str, library: Library) -> Path:
    folder = library.folder(id_)
    assert folder is not None
    return folder.resolve()


def _workspace(folder: Path, top: Path) -> Path:
    """The workspace folder of a ruleset, or its own folder when that is not in the tree."""
    workspace = folder.parent.parent
    return workspace if workspace.is_relative_to(top) and folder.parent != top else folder


def _each(
    ids: Sequence[str], known: Sequence[str], old: Library, new: Library, revision: str, more: str
) -> Difference:
    """The changes in each of many rulesets alone; those of its bases are not repeated."""
    found: dict[str, Change] = {}
    for id_ in dict.fromkeys((*ids, *known)):
        if id_ not in ids or id_ not in known:
            is_new = id_ in ids
            reporter = Reporter()
            ruleset = (new if is_new else old).load(id_, reporter)
            if ruleset is None:
                raise CannotDiffError(id_, reporter.diagnostics)
            thing = Thing("ruleset", id_, id_, ruleset.module.span, {})
            title = ruleset.module.title.get()
            how, impact = (
                (ChangeKind.NEW, Impact.BEHAVIOUR) if is_new else (ChangeKind.GONE, Impact.BREAKING)
            )
            sides = (None, thing, "", title) if is_new else (thing, None, title, "")
            change = change_of(impact, how, sides[0], sides[1], "", sides[2], sides[3])
            found[change.fingerprint] = change
            continue
        text = id_ + more
        part = diff_texts(text, text, old, new, (f"{id_} at {revision}", id_))
        for change in part.changes:
            if change.ruleset in ("", id_):
                found.setdefault(change.fingerprint, change)
    name = f"{len(ids)} rulesets"
    changes = in_order(found.values())
    return Difference(
        DiffSide(f"{name} at {revision}", "", "", tuple(known)),
        DiffSide(name, "", "", tuple(ids)),
        changes,
    )


def _as_seen(found: Difference, folder: str, shown: str) -> Difference:
    """The old places named by their revision instead of by a folder that will be gone."""

    def seen(side: ChangeSide | None) -> ChangeSide | None:
        if side is None or not side.file.startswith(folder):
            return side
        return replace(side, file=shown + side.file.removeprefix(folder))

    return replace(found, changes=tuple(replace(c, old=seen(c.old)) for c in found.changes))
