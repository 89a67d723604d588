"""The conventions of a repository: the diagnostics that count, and their severity, by path too.

An entry is written `CODE`, `CODE,CODE` or `PATH:CODE`. A code is whole, a beginning, as `TW6`, or a
name, as `uncovered-rule`; PATH is a pattern for files, as `scenarios/*`, from the folder of the
settings on. Errors are always reported: a game with one cannot be played.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from tilewright.language.source.catalogue import codes
from tilewright.language.source.diagnostics import Diagnostic, Severity, did_you_mean, one_of

_CODE = re.compile(r"[A-Z]+\d*")
#: a code of a schema of authors
OWN_CODE = re.compile(r"(?!TW)[A-Z]{2,12}[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Entry:
    """The codes that begin in one of these ways, in files that fit a pattern; empty for all files.

    `severity` is the one that they get, None where an entry only selects.
    """

    beginnings: tuple[str, ...]
    pattern: str = ""
    severity: Severity | None = None

    def fits(self, diagnostic: Diagnostic, folder: Path) -> bool:
        """Whether a diagnostic is meant; `folder` is the one from which patterns begin."""
        if not diagnostic.code.startswith(self.beginnings):
            return False
        if not self.pattern:
            return True
        file = os.path.relpath(diagnostic.span.file or ".", folder).replace(os.sep, "/")
        return any(fnmatchcase(file, each) for each in (self.pattern, f"*/{self.pattern}"))


@dataclass(frozen=True, slots=True)
class Conventions:
    """The codes that are selected (all without an entry), those that are left out again, and
    severities: the last one that fits counts.
    """

    selected: tuple[Entry, ...] = ()
    ignored: tuple[Entry, ...] = ()
    severities: tuple[Entry, ...] = ()

    def of(self, found: Iterable[Diagnostic], folder: Path) -> tuple[Diagnostic, ...]:
        """The diagnostics that are wanted, with their severities, in the order of all lists."""
        return tuple(
            sorted(self._kept(each, folder) for each in found if self._is_wanted(each, folder))
        )

    def _is_wanted(self, diagnostic: Diagnostic, folder: Path) -> bool:
        if diagnostic.severity is Severity.ERROR:
            return True
        is_selected = any(each.fits(diagnostic, folder) for each in self.selected)
        is_ignored = any(each.fits(diagnostic, folder) for each in self.ignored)
        return (is_selected or not self.selected) and not is_ignored

    def _kept(self, diagnostic: Diagnostic, folder: Path) -> Diagnostic:
        if diagnostic.severity is Severity.ERROR:
            return diagnostic
        fitting = [each.severity for each in self.severities if each.fits(diagnostic, folder)]
        last = fitting[-1] if fitting else None
        return diagnostic if last is None else replace(diagnostic, severity=last)


def entry(text: str) -> Entry:
    """An entry that selects or leaves out. Raises ValueError with a message for its author."""
    pattern, colon, rest = text.strip().rpartition(":")
    if colon and not pattern:
        raise ValueError(f"expected a pattern for files before `:`, found `{text}`")
    words = [word.strip() for word in rest.split(",")]
    return Entry(tuple(_beginning(word, text) for word in words), pattern)


def severity_entry(text: str) -> Entry:
    """An entry such as `TW604=note` that sets a severity. Raises ValueError as `entry` does."""
    codes_, equals, level = text.rpartition("=")
    known = [each.value for each in Severity]
    if not equals:
        raise ValueError(f"expected a code and a severity, like `TW604=note`, found `{text}`")
    if level.strip() not in known:
        near = did_you_mean(level.strip(), known)
        raise ValueError(f"a severity is {one_of(known)}, not `{level.strip()}`{near}")
    return replace(entry(codes_), severity=Severity(level.strip()))


def conventions(
    select: Sequence[str], ignore: Sequence[str], severity: Sequence[str]
) -> Conventions:
    """The conventions of three lists of entries. Raises ValueError as `entry` does."""
    return Conventions(
        tuple(map(entry, select)), tuple(map(entry, ignore)), tuple(map(severity_entry, severity))
    )


def _beginning(word: str, text: str) -> str:
    """The beginning of the codes that a word means."""
    names = {info.name: code for code, info in codes().items()}
    found = names.get(word.lower()) or word.upper()
    if _CODE.fullmatch(found) and any(code.startswith(found) for code in codes()):
        return found
    if OWN_CODE.fullmatch(found):
        return found
    if not word:
        raise ValueError(f"expected a code such as `TW604`, found `{text}`")
    near = did_you_mean(found if _CODE.fullmatch(found) else word, [*codes(), *names])
    raise ValueError(f"no code of a diagnostic begins with `{word}`{near}")
