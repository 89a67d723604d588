"""Changes in rulesets since a revision in git.

Every ruleset of the same work tree is taken at that revision, the bases of the requested ones
included; rulesets outside of it are taken as they are now. Git is used only to read names and
contents: no shell, no network, no change of the work tree.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.folder import has_head, head_of
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.rules.reading.other_files import SUFFIXES
from tilewright.tools.changes.diff import CannotDiffError, change_of, diff_texts, in_order
from tilewright.tools.changes.inventory import Thing
from tilewright.view.results.difference import Change, ChangeKind, ChangeSide, Difference, DiffSide
from tilewright.view.results.impact import Impact

#: far more than all the rulesets there are
MAX_FILES = 20_000
MAX_BYTES = 256 << 20
_SECONDS = 60


class RevisionError(Exception):
    """A revision that cannot be read; the message has the reason, `hint` a possible remedy."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def work_tree(folder: Path) -> Path:
    """The top of the work tree that a folder lies in. Raises RevisionError."""
    top = _git(folder, "rev-parse", "--show-toplevel")
    return Path(os.fsdecode(top).rstrip("\n")).resolve()


def commit_at(top: Path, revision: str) -> str:
    """The full name of the commit that a revision means. Raises RevisionError."""
    name = f"{revision}^{{commit}}"
    try:
        found = _git(top, "rev-parse", "--quiet", "--verify", "--end-of-options", name)
    except RevisionError as error:
        hint = error.hint or "`git log --oneline` lists revisions"
        raise RevisionError(f"git knows no revision `{revision}` here", hint) from None
    return found.decode("ascii", "replace").strip()


def extract(top: Path, commit: str, folders: Iterable[Path], into: Path) -> None:
    """Write the files of rulesets that folders held at a commit, each at its path below the top."""
    names = sorted({f.resolve().relative_to(top).as_posix() for f in folders})
    files = _listed(top, commit, names)
    if len(files) > MAX_FILES or sum(size for _, size, _ in files) > MAX_BYTES:
        raise RevisionError(f"too large to read: {', '.join(f'`{n}`' for n in names)}")
    request = "".join(f"{sha}\n" for sha, _, _ in files).encode()
    found = _git(top, "cat-file", "--batch", given=request)
    at = 0
    for _, size, path in files:
        at = found.index(b"\n", at) + 1
        target = into.joinpath(*path.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(found[at : at + size])
        at += size + 1


def files_named(top: Path, commit: str, name: str = "*.yaml") -> list[Path]:
    """The places, in the work tree, of all files with a name at a commit."""
    return [top.joinpath(*path.parts) for _, _, path in _listed(top, commit) if path.match(name)]


def _listed(
    top: Path, commit: str, below: Iterable[str] = ()
) -> list[tuple[str, int, PurePosixPath]]:
    """The YAML files and catalogues at a commit, in some folders or everywhere."""
    listed = _git(top, "--literal-pathspecs", "ls-tree", "-r", "-z", "-l", "--full-tree", commit,
                  "--", *(name for name in below if name != "."))  # fmt: skip
    return list(_files(listed))


def _files(listed: bytes) -> Iterator[tuple[str, int, PurePosixPath]]:
    """Hash, size and path of each plain file of these kinds in what `ls-tree` lists. Raises
    RevisionError for one whose content the repository does not have.
    """
    for line in listed.split(b"\0"):
        head, _, name = line.partition(b"\t")
        words = head.decode("ascii", "replace").split()
        path = PurePosixPath(os.fsdecode(name))
        is_plain = len(words) == 4 and words[1] == "blob" and words[0].startswith("100")
        if is_plain and path.suffix in SUFFIXES and ".." not in path.parts:
            if not words[3].isdigit():
                hint = "`git fsck` lists what is damaged; `git fetch` may bring it"
                raise RevisionError(f"the repository lacks the content of `{path}`", hint)
            yield words[2], int(words[3]), path


def _git(folder: Path, *words: str, given: bytes = b"") -> bytes:
    """The output of a git command in a folder."""
    call: Sequence[str] = ("git", "-C", str(folder), "--no-pager", *_NO_PROGRAMS, *words)
    env = {k: v for k, v in os.environ.items() if k not in _ELSEWHERE} | _SETTINGS
    try:
        done = subprocess.run(
            call, input=given, capture_output=True, env=env, timeout=_SECONDS, check=False
        )
    except FileNotFoundError:
        raise RevisionError("git is not installed, or not on the path") from None
    except subprocess.TimeoutExpired:
        raise RevisionError(f"git has not answered within {_SECONDS} seconds") from None
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise RevisionError(f"git cannot be run: {reason}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        message = lines[0].removeprefix("fatal: ") if lines else "it gives no reason"
        if "not a git repository" in message:
            raise RevisionError(f"`{folder}` is not in a git repository")
        raise RevisionError(f"git refuses: {message}")
    return done.stdout


#: words by which a hook's surroundings would point git at another repository
_ELSEWHERE = frozenset((
    "GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX",
    "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
))  # fmt: skip
#: no command that is used here runs these; that it stays so does not depend on a version of git
_NO_PROGRAMS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
#: the repository may be a stranger's: its configuration names programs, and those of remotes would
#: run where content is missing: older versions of git ignore the second setting
_SETTINGS = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # the name of no protocol
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


# ------------------------------------------------------------------ the changes


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
