"""Files in canonical form beside what they are: which would change, how, and writing them."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tilewright.reading.folder import FILES, FOLDERS, stays_inside, yaml_files
from tilewright.reading.limits import Room, shown
from tilewright.source.diagnostics import Reporter
from tilewright.source.files import write_whole
from tilewright.source.text import Span
from tilewright.source.yaml.tree import read_text
from tilewright.tools.formatting.format_file import canonical


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A text, and the same in canonical form; `name` is what people call the file."""

    name: str
    before: str
    after: str

    @property
    def is_changed(self) -> bool:
        return self.before != self.after

    def difference(self) -> str:
        """What would change, as a patch that `patch` and `git apply` read; nothing if nothing."""
        name = self.name.lstrip("/")
        rows = difflib.unified_diff(
            self.before.splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            f"a/{name}",
            f"b/{name}",
        )
        return "".join(
            row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows
        )


def files_of(folder: Path, reporter: Reporter) -> Iterator[Path]:
    """The files of a ruleset's folder that are read, in their order."""
    room = Room(reporter)
    files = [folder / name for name in FILES if os.path.lexists(folder / name)]
    for name in FOLDERS:
        files += yaml_files(folder, name, reporter) if (folder / name).is_dir() else ()
    yield from (f for f in files if stays_inside(f, folder, reporter) and room.takes(f))


def lay_out_file(path: Path, reporter: Reporter) -> LaidOut | None:
    """A file beside its canonical form, or None after complaints about it. Nothing is written."""
    name = shown(path)
    text = read_text(path, name, reporter)
    after = None if text is None else canonical(text, name, reporter)
    return None if text is None or after is None else LaidOut(name, text, after)


def write_laid_out(path: Path, text: str, reporter: Reporter) -> bool:
    """Write a canonical form in the place of a file, as a whole or not at all."""
    try:
        write_whole(path, text)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        message = f"the file cannot be written: {reason}"
        reporter.error("TW942", message, Span(shown(path), 0, 0, 0, 0))
        return False
    return True
