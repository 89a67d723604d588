"""Saves from and to files, and what is said when one can not be used."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.runtime.match import Match


def opened(path: Path, with_: list[Path] | None) -> Match:
    """The match in a save, or the end of the run with what is wrong with it."""
    raise NotImplementedError


def write_save(match: Match, path: Path) -> None:
    """Write a match to a file, whole or not at all."""
    raise NotImplementedError
