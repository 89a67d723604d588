"""Entries of a ruleset's folder that are not read: those of editors, and those that are reported.

Names that begin with a dot, end with `~` or are enclosed in `#` belong to editors and systems,
and are ignored. So are files without a suffix of data in their name, such as `README.md`. Every
other entry is read or reported.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from tilewright.language.source.files import is_device_name

#: a file of data by its name, also where a suffix of an editor or a mail program follows
_DATA = re.compile(r"\.(?:ya?ml|json|po)(?:\.|$)", re.IGNORECASE)
#: the suffixes of files of rulesets
SUFFIXES = (".yaml", ".po")
#: the folder of catalogues, and the names of their files
CATALOGUES = "locale"
_CATALOGUE = re.compile(r"[a-z]{2}\.po")
_UNUSABLE = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')


def is_ignored(name: str) -> bool:
    """Whether a name is that of a hidden file, a lock or a backup of an editor."""
    return name.startswith(".") or name.endswith("~") or (name[:1] == "#" == name[-1:])


def unread_beside(folder: Path, names: Iterable[str], files: Collection[str]) -> Iterator[Path]:
    """The files of a ruleset's folder that look like data, besides the `files` that are read."""
    for name in names:
        if name not in files and _DATA.search(name) and not (folder / name).is_dir():
            yield folder / name


def is_read(name: str, folder: str) -> bool:
    """Whether a file with this name is read in an inner folder: YAML, or there the catalogues."""
    if folder == CATALOGUES:
        return _CATALOGUE.fullmatch(name) is not None
    return name.endswith(".yaml") and not is_ignored(name)


def unread_within(folder: Path, names: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """The unread entries of a folder, those for which `is_read` is false, each with the reason."""
    is_yaml = folder.name != CATALOGUES
    for path in (folder / name for name in names):
        what = "files `*.yaml`" if is_yaml else "catalogues of a language, like `uk.po`,"
        why = f"only {what} are read here"
        if path.is_dir():
            yield path, why
        elif not is_read(path.name, folder.name) and _DATA.search(path.name):
            is_near = is_yaml and path.suffix.lower() in (".yaml", ".yml")
            yield path, why + (f"; rename it to `{path.stem}.yaml`" if is_near else "")


def holds_data(folder: Path, most: int) -> bool:
    """Whether a folder has files of data among its first entries; links are not followed."""
    try:
        with os.scandir(folder) as inside:
            found = [entry for entry, _ in zip(inside, range(most), strict=False)]
        return any(
            each.is_file(follow_symlinks=False) and _DATA.search(each.name) for each in found
        )
    except OSError:
        return False


def not_portable(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names that other systems refuse or take for one another, each with the reason."""
    seen: dict[str, str] = {}
    for name in names:
        key = unicodedata.normalize("NFC", name).casefold()
        if key in seen:
            yield name, f"`{seen[key]}` and `{name}` are one file on systems that ignore case"
        elif is_device_name(name):
            yield name, f"`{name}` is the name of a device on Windows, and no file there"
        elif _UNUSABLE.search(name):
            yield name, f"`{name}` has a character that file names cannot have on Windows"
        seen.setdefault(key, name)
