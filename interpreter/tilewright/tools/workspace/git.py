"""Rulesets at a revision in git.

Git is used only to read names and contents: no shell, no network, no change of the work tree. The
contents are written to a folder that the caller removes.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from tilewright.rules.reading.other_files import SUFFIXES

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
