"""The house rule of the README, split into the files of a folder."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from support.documents import files
from support.paths import ROOT
from tilewright.tools.formatting.one_file import parts_of

HUNGRY = "house/hungry-dragon"


def hungry_files() -> dict[str, str]:
    """The files of the README's house rule by path."""
    return {**_split()}


@cache
def _split() -> dict[str, str]:
    ((_, text),) = files(ROOT / "README.md").items()
    with TemporaryDirectory() as folder:
        path = Path(folder, "dragon.yaml")
        path.write_text(text, "utf-8")
        return parts_of(path)


def write_hungry(folder: Path) -> Path:
    """Write it below a folder; the folder of the ruleset."""
    root = folder / "hungry-dragon"
    for name, text in hungry_files().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
