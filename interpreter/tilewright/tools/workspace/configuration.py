"""The settings of a repository: `tilewright.toml`, or `[tool.tilewright]` in `pyproject.toml`.

The nearest file of the current folder or a folder above it counts; the search ends at the folder
of a git repository and at the home folder. This module checks folders, language and the shape of
the tables. The keys of a table are options of a verb, which only the command line knows.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tilewright.locale.words import languages
from tilewright.source.diagnostics import did_you_mean, one_of
from tilewright.source.files import expanded, read_whole

#: the name of the file, and the environment variable that names another one, or none if it is empty
FILE, VARIABLE = "tilewright.toml", "TILEWRIGHT_CONFIG"
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


@dataclass(frozen=True)
class Configuration:
    """The settings of one file; an empty one if there is none."""

    file: Path | None = None
    #: folders whose rulesets every verb finds, as absolute paths
    folders: tuple[Path, ...] = ()
    language: str = ""
    #: options by the words of a verb, nested as `show` and `turn` in `[show.turn]`
    options: Mapping[str, Any] = field(default_factory=dict)
    #: the line of each key, counted from 1, by its path in the file
    lines: Mapping[tuple[str, ...], int] = field(default_factory=dict)

    def place(self, *path: str) -> str:
        """A key's file and line to show, `tilewright.toml:3`."""
        return _place(self.file, self.lines, path)

    def error(self, path: Sequence[str], message: str, hint: str = "") -> ConfigurationError:
        """An error at a key."""
        return ConfigurationError(f"{self.place(*path)}: {message}", hint)


def configuration(start: Path | None = None, verbs: Sequence[str] = ()) -> Configuration:
    """The configuration in force in a folder, by default the current one.

    `verbs` are the names that tables may have; without them tables are not checked. Raises
    ConfigurationError for a file that cannot be read or holds something unknown.
    """
    found = _file(start)
    if found is None:
        return Configuration()
    file, text, table = found
    prefix = ("tool", "tilewright") if file.name == _PROJECT else ()
    lines = {
        path[len(prefix) :]: line for path, line in _lines(text) if path[: len(prefix)] == prefix
    }
    made = Configuration(file, lines=lines)
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
    return Configuration(file, tuple(_folders(made, table)), language, options, lines)


def _folders(made: Configuration, table: Mapping[str, Any]) -> Iterator[Path]:
    """The folders of a table, from the folder of the file on."""
    folders = table.get("folders", [])
    if not isinstance(folders, list) or not all(isinstance(each, str) for each in folders):
        raise made.error(["folders"], '`folders` is a list of texts, such as ["rulesets"]')
    assert made.file is not None
    for each in folders:
        folder = made.file.parent / expanded(each)
        if not folder.is_dir():
            raise made.error(["folders"], f"the folder `{each}` does not exist")
        yield folder


# -------------------------------------------------------------------------- the file


def _file(start: Path | None) -> tuple[Path, str, dict[str, Any]] | None:
    """The file in force, its text and its settings."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        if not named.strip():
            return None
        path = Path(named)
        text = _text(path)
        table = _parsed(path, text)
        return path.absolute(), text, _section(path, table) or {}
    try:
        here = start.absolute() if start is not None else Path.cwd()
    except OSError:  # the current folder has been removed
        return None
    for folder in (here, *here.parents):
        for name in (FILE, _PROJECT):
            path = folder / name
            if not path.is_file():
                continue
            text = _text(path, is_certain=name == FILE)
            if name == _PROJECT and "tilewright" not in text:
                continue
            section = _section(path, _parsed(path, text))
            if section is not None:
                return path, text, section
        if (folder / ".git").exists() or str(folder) == os.path.expanduser("~"):
            return None
    return None


def _text(path: Path, *, is_certain: bool = True) -> str:
    """The text of a file. A `pyproject.toml` that cannot be read is not certainly ours: empty."""
    try:
        return read_whole(path, _MAX_BYTES)
    except (OSError, ValueError) as error:
        if not is_certain:
            return ""
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
