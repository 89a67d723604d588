"""Changes of the opened folders, by this program or from outside: found, taken in, and announced.

Folders are compared with what they were by the metadata of their files, so nothing is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from tilewright.faces.studio.client import Client, Studio
from tilewright.faces.studio.desk.drafts import apply_drafts
from tilewright.faces.studio.places import is_plain_name, shown_path
from tilewright.tools.workspace.folder_state import metadata_of

#: files in the opened folders, and how deep they may lie
MAX_FILES, MAX_DEPTH = 5000, 6
SUFFIXES = (".yaml", ".po", ".md", ".txt")
#: changed files that are read again one by one
_FEW = 8


def walk(folder: Path) -> Iterator[Path]:
    """The files and folders of rulesets in a folder; links and hidden names are left out."""
    return (path for path, is_named in _walk(folder) if is_named)


def unlisted(folder: Path) -> Iterator[Path]:
    """The files of rulesets that `walk` leaves out because of a name on the way to them."""
    return (path for path, is_named in _walk(folder) if not is_named and path.is_file())


def _walk(
    folder: Path, depth: int = MAX_DEPTH, *, is_named: bool = True
) -> Iterator[tuple[Path, bool]]:
    """Files and folders, each with whether all names on the way to it are plain ones."""
    try:
        inside = sorted(folder.iterdir(), key=lambda path: (path.is_file(), path.name))
    except OSError:
        return
    for path in inside:
        if path.is_symlink() or path.name.startswith("."):
            continue
        is_plain = is_named and is_plain_name(path.name)
        if path.is_dir():
            if depth:
                yield path, is_plain
                yield from _walk(path, depth - 1, is_named=is_plain)
        elif path.suffix in SUFFIXES and path.is_file():
            yield path, is_plain


def seen(studio: Studio) -> dict[Path, tuple[int, ...]]:
    """The metadata of all files, by their paths."""
    found: dict[Path, tuple[int, ...]] = {}
    for folder in studio.overlay.folders:
        for path in islice(walk(folder), MAX_FILES):
            found[path.resolve()] = () if path.is_dir() else metadata_of(path)
    return found


def notice(
    studio: Studio,
    by: Client | None = None,
    saved: Path | None = None,
    now: Mapping[Path, tuple[int, ...]] | None = None,
) -> None:
    """Take in what has changed since the last look, and let all pages know, but not the one that
    has changed it. A file that was `saved` is one of the changed ones; `now` is what was just
    `seen`. The first look finds none.
    """
    if now is None:
        now = seen(studio)
    before = now if studio.disk is None else studio.disk
    studio.disk = now
    changed = {path for path in {*before, *now} if before.get(path) != now.get(path)}
    if saved is not None:
        changed.add(saved)
    if not changed:
        return
    if len(changed) > _FEW or any((path in before) != (path in now) for path in changed):
        studio.overlay.open()
        apply_drafts(studio)
        studio.changes.append(None)
        announce(studio, changed, [""], by)
    else:
        for path in changed:
            studio.overlay.touch(path)
        apply_drafts(studio)
        studio.changes += changed
        announce(studio, changed, [shown_path(studio, path) for path in changed], by)


def announce(studio: Studio, changed: Iterable[Path], shown: list[str], by: Client | None) -> None:
    """Let everything that has read some files know that they, or their drafts, have changed."""
    studio.touched()
    for client in tuple(studio.clients):
        if client.lsp is not None:
            client.lsp.touched(changed)
    for each in shown:
        studio.tell("file.changed", {"path": each}, but=by)
