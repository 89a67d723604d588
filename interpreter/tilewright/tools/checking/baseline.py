"""The baseline: a list of known diagnostics, which are not reported again.

Known diagnostics that no longer occur are reported as gone. The list is a file for people to read
and to keep beside their rulesets, with one diagnostic in a line. Its file names begin at its own
folder, so the current folder does not matter.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tilewright.language.source.diagnostics import Diagnostic
from tilewright.language.source.files import read_whole
from tilewright.language.source.fingerprints import fingerprints

#: the largest baseline that is read, in bytes
MAX_BYTES = 16 << 20
_KIND, _FORM = "baseline", 1


class BaselineError(Exception):
    """A baseline that cannot be read, in a sentence."""


@dataclass(frozen=True, slots=True)
class Known:
    """A diagnostic of a baseline."""

    fingerprint: str
    code: str
    file: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: [{self.code}] {self.message}"


@dataclass(frozen=True, slots=True)
class Compared:
    """Diagnostics compared with a baseline: the new ones, and entries that no longer occur."""

    new: tuple[Diagnostic, ...]
    gone: tuple[Known, ...]


def baseline_text(diagnostics: Sequence[Diagnostic], folder: Path) -> str:
    """The text of the baseline with these diagnostics, for a file in a folder."""
    rows = [asdict(each) for each in known_of(diagnostics, folder)]
    lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
    inside = f"\n{lines}\n  " if rows else ""
    return f'{{\n  "tilewright": "{_KIND}",\n  "format": {_FORM},\n  "findings": [{inside}]\n}}\n'


def known_of(diagnostics: Sequence[Diagnostic], folder: Path) -> tuple[Known, ...]:
    """Diagnostics as a baseline in a folder holds them."""
    placed = _placed(diagnostics, folder)
    found = zip(placed, fingerprints(placed), strict=True)
    return tuple(Known(name, d.code, d.span.file, d.message) for d, name in found)


def read_baseline(path: Path) -> tuple[Known, ...]:
    """The diagnostics of a baseline. Raises BaselineError."""
    try:
        read: Any = json.loads(read_whole(path, MAX_BYTES))
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise BaselineError(f"the baseline `{path}` cannot be read: {reason}") from None
    except (ValueError, RecursionError):
        raise BaselineError(f"the baseline `{path}` is not JSON") from None
    if not isinstance(read, dict) or read.get("tilewright") != _KIND:
        raise BaselineError(f"`{path}` is not a baseline")
    if read.get("format") != _FORM:
        raise BaselineError(f"the baseline `{path}` has another format; write it again")
    try:
        rows = [
            tuple(str(row[key]) for key in ("fingerprint", "code", "file", "message"))
            for row in read["findings"]
        ]
    except (KeyError, TypeError):
        raise BaselineError(f"the baseline `{path}` is damaged; write it again") from None
    return tuple(Known(*row) for row in rows)


def compared(
    diagnostics: Sequence[Diagnostic],
    known: Sequence[Known],
    folder: Path,
    files: Collection[str],
) -> Compared:
    """The new and the gone diagnostics, by a baseline in a folder; entries about files that were
    not checked (`files` were) stay.
    """
    names = fingerprints(_placed(diagnostics, folder))
    checked = {_from(folder, file) for file in files}
    held, found = {each.fingerprint for each in known}, set(names)
    return Compared(
        tuple(d for d, name in zip(diagnostics, names, strict=True) if name not in held),
        tuple(
            each
            for each in known
            if each.fingerprint not in found
            and (each.file in checked or not (folder / each.file).is_file())
        ),
    )


def _placed(diagnostics: Sequence[Diagnostic], folder: Path) -> list[Diagnostic]:
    """Diagnostics with the names of their files from a folder on."""
    names = {file: _from(folder, file) for file in {each.span.file for each in diagnostics}}
    return [replace(d, span=replace(d.span, file=names[d.span.file])) for d in diagnostics]


def _from(folder: Path, file: str) -> str:
    """The name of a file from a folder on; unchanged where it names no file."""
    if not Path(file).is_file():
        return file
    try:
        found = os.path.relpath(os.path.realpath(file), os.path.realpath(folder))
    except ValueError:  # on another disk of Windows
        return file
    return Path(found).as_posix()
