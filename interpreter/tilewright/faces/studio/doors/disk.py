"""A store on the disk: a folder of the user with one file for each kept text."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from tilewright.language.source.files import (
    is_device_name,
    read_whole,
    remove_unfinished,
    users_folder,
    write_whole,
)

#: the environment variable that names another folder
VARIABLE = "TILEWRIGHT_STUDIO"
#: files of one kind, and bytes of one file
MAX_FILES, MAX_BYTES = 200, 32 << 20
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def studio_folder() -> Path | None:
    """The folder in which the studio of the current user keeps matches and drafts; None where
    nothing names one and the home folder is unknown.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    mac = "Library/Application Support"
    above = users_folder("LOCALAPPDATA", "XDG_STATE_HOME", mac, ".local/state")
    return above / "tilewright/studio" if above is not None else None


def users_rules(studio: Path) -> Path:
    """The folder of the rulesets that the user writes where no other one is opened."""
    folder = studio / "rules"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder.resolve()


class DiskStore:
    """Keeps texts as files `KIND/NAME.json` in a folder; texts that cannot be written are kept
    for this run alone.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._unwritten: dict[tuple[str, str], str] = {}
        self._reason = ""

    @property
    def problem(self) -> str:
        """The reason why some texts are kept for this run alone; empty where there are none."""
        return self._reason if self._unwritten else ""

    def keep(self, kind: str, name: str, text: str) -> None:
        """Keep a text, and those that could not be written before."""
        self._path(kind, name)
        self._unwritten[kind, name] = text
        try:
            for (kind_, name_), unwritten in tuple(self._unwritten.items())[::-1]:
                path = self._path(kind_, name_)
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                write_whole(path, unwritten, is_durable=False)
                del self._unwritten[kind_, name_]
        except OSError as error:
            self._reason = (error.strerror or "unknown reason").lower()

    def drop(self, kind: str, name: str) -> None:
        """Forget a text."""
        self._unwritten.pop((kind, name), None)
        with contextlib.suppress(OSError):
            self._path(kind, name).unlink()

    def kept(self, kind: str) -> dict[str, str]:
        """All texts of a kind by name, the latest first."""
        found = {name: text for (k, name), text in self._unwritten.items() if k == kind}
        for path in self._files(kind):
            with contextlib.suppress(OSError, ValueError):
                found.setdefault(path.stem, read_whole(path, MAX_BYTES))
        return found

    def _files(self, kind: str) -> list[Path]:
        """The files of a kind, the latest first; more than the most are removed."""
        folder = self.folder / kind
        remove_unfinished(folder)
        dated = []
        with contextlib.suppress(OSError):
            for path in folder.glob("*.json"):
                if _is_name(path.stem) and path.is_file() and not path.is_symlink():
                    dated.append((path.stat().st_mtime_ns, path))
        dated.sort(reverse=True)
        for _, path in dated[MAX_FILES:]:
            with contextlib.suppress(OSError):
                path.unlink()
        return [path for _, path in dated[:MAX_FILES]]

    def _path(self, kind: str, name: str) -> Path:
        if not _is_name(name):
            raise ValueError(f"`{name}` cannot be the name of a kept text")
        return self.folder / kind / f"{name}.json"


def _is_name(name: str) -> bool:
    return 0 < len(name) <= 80 and _SAFE.issuperset(name) and not is_device_name(name)
