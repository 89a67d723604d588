"""Writes the files of a ruleset to a new folder, or joins them in one text.

`ruleset_writer` makes their content.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp


def as_documents(files: Mapping[str, str]) -> str:
    """All files as the documents of one text, each under its name."""
    return "".join(f"--- # {name}\n{text}" for name, text in files.items())


def write_files(files: Mapping[str, str], folder: Path) -> None:
    """Write the files of a ruleset to a new folder: all of them, or none.

    Raises FileExistsError, and OSError when the system refuses.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"`{folder}` is there already, and is not empty")
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        for name, text in files.items():
            path = beside / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        beside.chmod(0o755)
        if folder.exists():
            folder.rmdir()
        beside.rename(folder)
    except BaseException:
        rmtree(beside, ignore_errors=True)
        raise
