"""Paths as a page sees them: the number of an opened folder, then the path in it.

Nothing outside of the opened folders has a path here. Files of shipped rulesets have a name alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from tilewright.faces.studio.client import RefusedError, Studio
from tilewright.faces.studio.protocol.common import FoundDiagnostic, Place
from tilewright.language.source.diagnostics import Diagnostic
from tilewright.language.source.files import is_device_name
from tilewright.language.source.text import Span
from tilewright.tools.workspace.overlay import path_of

#: names in a path, and letters of each
MAX_DEPTH, MAX_NAME = 12, 120


def shown_path(studio: Studio, path: Path) -> str:
    """The path of a file as a page sees it; empty for one outside of the opened folders."""
    for number, folder in enumerate(studio.folders):
        if path.is_relative_to(folder):
            return f"{number}/{path.relative_to(folder).as_posix()}"
    return ""


def opened_folder(studio: Studio, number: str) -> Path:
    """An opened folder by its number. Raises RefusedError."""
    if not studio.folders:
        raise RefusedError("no folder is opened: start the studio with `--folder FOLDER`")
    is_number = number.isascii() and number.isdecimal() and len(number) < 4
    if not is_number or int(number) >= len(studio.folders):
        raise RefusedError("this path is not in an opened folder")
    return studio.folders[int(number)]


def real_path(studio: Studio, shown: str) -> Path:
    """The file or folder behind a path of a page. Raises RefusedError.

    Each name is checked, and no link is followed on the way.
    """
    first, *names = shown.split("/")
    folder = found = opened_folder(studio, first)
    if not 1 <= len(names) <= MAX_DEPTH:
        raise RefusedError("this path is not in an opened folder")
    for name in names:
        if not is_plain_name(name):
            raise RefusedError("this path is not in an opened folder")
        found = found / name
        if found.is_symlink():
            raise RefusedError("this path is a link, and links are not followed")
    if not found.resolve().is_relative_to(folder.resolve()):
        raise RefusedError("this path is not in an opened folder")
    return found


def is_plain_name(name: str) -> bool:
    """Whether a text is a name of a file or folder and nothing else."""
    return (
        bool(name)
        and len(name) <= MAX_NAME
        and not name.startswith((".", " "))
        and not name.endswith((".", " "))
        and name.isprintable()
        and not any(c in '\\/:*?"<>|' for c in name)
        and PurePosixPath(name).name == name
        and not is_device_name(name)
    )


def place_of(studio: Studio, name: str, span: Span) -> Place:
    """The place of something in a file."""
    if not span.file:
        return {"name": name, "file": "", "line": 0}
    path = path_of(span.file)
    shown = shown_path(studio, path)
    # three names are enough to recognise a file of a shipped ruleset
    return {"name": name, "file": shown or "/".join(path.parts[-3:]), "line": span.line}


def diagnostics_data(studio: Studio, found: Sequence[Diagnostic]) -> list[FoundDiagnostic]:
    """Diagnostics as data."""
    rows: list[FoundDiagnostic] = []
    for each in found:
        span = each.span
        place = place_of(studio, "", span)
        rows.append(
            {
                "code": each.code,
                "severity": each.severity.value,
                "message": each.message,
                "hint": each.hint,
                "name": place["file"].rpartition("/")[2],
                "file": place["file"],
                "line": span.line,
                "column": span.column,
                "end_line": span.end_line,
                "end_column": span.end_column,
            }
        )
    return rows
