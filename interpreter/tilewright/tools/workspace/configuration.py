"""The settings of a folder and those of a person.

A folder has `tilewright.toml`, or `[tool.tilewright]` in `pyproject.toml`: the nearest file of the
current folder or a folder above it counts; the search ends at the folder of a git repository and
at the home folder. Anybody may have written it, so it is not trusted: its paths stay in its folder,
and the command line refuses the keys that only a person may set. A person has `config.toml` in the
folder for configuration of their system, or the file that `TILEWRIGHT_CONFIG` names.

This module checks folders, language and the shape of the tables. The keys of a table are options of
a verb, which only the command line knows.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tilewright.language.locale.words import languages
from tilewright.language.source.diagnostics import did_you_mean, one_of
from tilewright.language.source.files import expanded, read_whole, users_folder

#: the name of the file, and the environment variable that names another one, or none if it is empty
FILE, VARIABLE = "tilewright.toml", "TILEWRIGHT_CONFIG"
#: the name of a person's own file
OWN_FILE = "config.toml"
#: keys outside of tables
KEYS = ("folders", "language")
_PROJECT = "pyproject.toml"
_MAX_BYTES = 1_000_000
# possessive quantifiers keep these linear in the length of a line
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_HEADER = re.compile(r"\s*+\[([^\[\]]++)\]\s*+(?:#.*)?$")
_KEY = re.compile(rf"\s*+({_PART}(?:\s*+\.\s*+{_PART})*+)\s*+=")
#: the library for TOML takes a minute for a key of 50,000 parts
_MAX_PARTS = 100
_LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:{_PART}[ \t]*+\.[ \t]*+){{{_MAX_PARTS}}}""")


class ConfigurationError(Exception):
    """A configuration file that cannot be used: its place and the reason."""

    def __init__(self, message: str, hint: str = "", *, is_unreadable: bool = False) -> None:
        super().__init__(message)
        self.hint = hint
        self.is_unreadable = is_unreadable


#: how a file came into force
Origin = Literal["folder", "named", "own"]


@dataclass(frozen=True)
class Configuration:
    """The settings of one file; an empty one if there is none.

    It was found in a folder, or the environment has named it, or it is the person's own.
    """

    file: Path | None = None
    origin: Origin = "folder"
    #: folders whose rulesets every verb finds, as absolute paths
    folders: tuple[Path, ...] = ()
    language: str = ""
    #: options by the words of a verb, nested as `show` and `turn` in `[show.turn]`
    options: Mapping[str, Any] = field(default_factory=dict)
    #: the line of each key, counted from 1, by its path in the file
    lines: Mapping[tuple[str, ...], int] = field(default_factory=dict)

    @property
    def is_trusted(self) -> bool:
        """Whether the person has chosen this file."""
        return self.origin != "folder"

    def place(self, *path: str) -> str:
        """A key's file and line to show, `tilewright.toml:3`."""
        return _place(self.file, self.lines, path)

    def path(self, text: str, key: Sequence[str], *, needs_folder: bool = False) -> Path:
        """A path of the file, from its folder on.

        Raises ConfigurationError where it leads out of a folder that is not the person's own file,
        or where a folder that it needs is not there.
        """
        assert self.file is not None
        here = self.file.parent
        path = here / expanded(text)
        if not self.is_trusted and not is_inside(path, here):
            message = f"`{text}` is outside of the folder of this file"
            hint = f"name it on the command line or in your own configuration, `{own_file()}`"
            raise self.error(key, message, hint)
        if needs_folder and not path.is_dir():
            raise self.error(key, f"the folder `{text}` does not exist")
        return path

    def error(self, path: Sequence[str], message: str, hint: str = "") -> ConfigurationError:
        """An error at a key."""
        return ConfigurationError(f"{self.place(*path)}: {message}", hint)


def configurations(start: Path | None = None, verbs: Sequence[str] = ()) -> list[Configuration]:
    """The files in force in a folder, by default the current one, the stronger first.

    These are the file of the folder and the person's own, or only the one that the environment
    names. `verbs` are the names that tables may have; without them tables are not checked. Raises
    ConfigurationError for a file that cannot be read or holds something unknown.
    """
    named = os.environ.get(VARIABLE)
    if named is not None:
        return [_read(Path(named), verbs, "named")] if named.strip() else []
    found = []
    own = own_file()
    in_folder = _nearest(start)
    if in_folder is not None and in_folder != own:
        found.append(_read(in_folder, verbs, "folder"))
    if own is not None and own.is_file():
        found.append(_read(own, verbs, "own"))
    return found


def own_file() -> Path | None:
    """The place of a person's own file, whether it is there or not; None without a home folder."""
    above = users_folder("APPDATA", "XDG_CONFIG_HOME", "Library/Application Support", ".config")
    return above / "tilewright" / OWN_FILE if above is not None else None


def is_inside(path: Path, folder: Path) -> bool:
    """Whether a path is in a folder, with all links followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # a loop of links, or no path at all
        return False


def _read(file: Path, verbs: Sequence[str], origin: Origin) -> Configuration:
    """The settings of a file."""
    text = _text(file)
    table = _section(file, _parsed(file, text)) or {}
    file = file.absolute()
    prefix = ("tool", "tilewright") if file.name == _PROJECT else ()
    lines = {
        path[len(prefix) :]: line for path, line in _lines(text) if path[: len(prefix)] == prefix
    }
    made = Configuration(file, origin, lines=lines)
    for key, value in table.items():
        if key in KEYS:
            continue
        if verbs and key not in verbs:
            near = did_you_mean(key, verbs if isinstance(value, dict) else KEYS)
            hint = "" if near else f"known are {', '.join(KEYS)}, and a table for each verb"
            raise made.error([key], f"unknown key `{key}`{near}", hint)
        if not isinstance(value, dict):
            example = f"settings are {', '.join(KEYS)}; options of a verb go in `[{key}]`"
            raise made.error([key], f"`{key}` is a verb, not a setting", example)
    language = table.get("language", "")
    if not isinstance(language, str):
        raise made.error(["language"], '`language` is a text, such as "en"')
    if language and language not in languages():
        near = did_you_mean(language, languages())
        message = f"`language` is {one_of(languages())}, not `{language}`{near}"
        raise made.error(["language"], message)
    options = {key: value for key, value in table.items() if key not in KEYS}
    return Configuration(file, origin, tuple(_folders(made, table)), language, options, lines)


def _folders(made: Configuration, table: Mapping[str, Any]) -> Iterator[Path]:
    """The folders of a table, from the folder of the file on."""
    folders = table.get("folders", [])
    if not isinstance(folders, list) or not all(isinstance(each, str) for each in folders):
        raise made.error(["folders"], '`folders` is a list of texts, such as ["rulesets"]')
    assert made.file is not None
    for each in folders:
        yield made.path(each, ["folders"], needs_folder=True)


# -------------------------------------------------------------------------- the file


def _nearest(start: Path | None) -> Path | None:
    """The file of a folder or of the nearest one above it."""
    try:
        here = start.absolute() if start is not None else Path.cwd()
    except OSError:  # the current folder has been removed
        return None
    for folder in (here, *here.parents):
        for name in (FILE, _PROJECT):
            path = folder / name
            if path.is_file() and (name == FILE or _has_section(path)):
                return path
        if (folder / ".git").exists() or str(folder) == os.path.expanduser("~"):
            return None
    return None


def _has_section(path: Path) -> bool:
    """Whether a `pyproject.toml` has our table; False for one that cannot be read."""
    try:
        text = read_whole(path, _MAX_BYTES)
    except (OSError, ValueError):
        return False
    return "tilewright" in text and _section(path, _parsed(path, text)) is not None


def _text(path: Path) -> str:
    """The text of a file."""
    try:
        return read_whole(path, _MAX_BYTES)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "").lower() or "it is not UTF-8 text"
        message = f"cannot read `{shown(path)}`: {reason}"
        raise ConfigurationError(message, is_unreadable=True) from None


def _parsed(path: Path, text: str) -> dict[str, Any]:
    long = _LONG_KEY.search(text)
    if long:
        place = f"{shown(path)}:{text.count(chr(10), 0, long.start()) + 1}"
        message = f"{place}: a key has at most {_MAX_PARTS} parts"
        raise ConfigurationError(message, is_unreadable=True)
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))  # editors of Windows write this mark
    except (ValueError, RecursionError) as error:  # ValueError also for a number too long
        where = re.search(r"\(at line (\d+), column \d+\)", str(error))
        reason = re.split(r" \(at |[;:] ", str(error))[0]
        place = f"{shown(path)}:{where[1]}" if where else shown(path)
        message = f"{place}: not valid TOML: {reason[:1].lower()}{reason[1:]}"
        raise ConfigurationError(message, is_unreadable=True) from None


def _section(path: Path, table: dict[str, Any]) -> dict[str, Any] | None:
    """Our part of a file; None for a `pyproject.toml` without one."""
    if path.name != _PROJECT:
        return table
    tool = table.get("tool")
    section = tool.get("tilewright") if isinstance(tool, dict) else None
    return section if isinstance(section, dict) else None


def _lines(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """The path and the line of each key and table that begins a line."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            table = _path(header[1])
            yield table, number
        elif key:
            yield (*table, *_path(key[1])), number


def _path(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _place(file: Path | None, lines: Mapping[tuple[str, ...], int], path: tuple[str, ...]) -> str:
    assert file is not None
    while path and path not in lines:
        path = path[:-1]
    return f"{shown(file)}:{lines[path]}" if path else shown(file)


def shown(path: Path) -> str:
    """A path to show: from the current folder on where that is short."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):  # the current folder was removed; another disk
        return str(path)
    return relative if relative.count("..") <= 3 else str(path)
