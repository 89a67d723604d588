"""Read and write saved matches; messages for those that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.cli.arguments import library_for
from tilewright.cli.exit_codes import UNREADABLE, Stop
from tilewright.source.diagnostics import Reporter
from tilewright.tools.persistence.saves import Save, program_of, read_save, resumed
from tilewright.tools.persistence.saves import write_save as written
from tilewright.tools.workspace.loading import load_program

if TYPE_CHECKING:
    from tilewright.runtime.match import Match
    from tilewright.runtime.program import Program


def _refused(reporter: Reporter) -> Stop:
    """The exception that ends a run with the first diagnostic of a save."""
    found = reporter.diagnostics[0]
    hint = found.hint or f"`tilewright explain {found.code}` explains this"
    if found.code == "TW904":
        hint = "`--with FOLDER` adds a folder of rulesets that are not shipped"
    return Stop(UNREADABLE, f"{found.span.file}: {found.message}", hint)


def opened_save(path: Path, with_: Iterable[Path] | None) -> tuple[Save, Program]:
    """A save and the program of its game; raises `Stop` for an unusable one."""
    reporter = Reporter()
    save = read_save(path, reporter)
    if save is None:
        raise _refused(reporter)
    library = library_for(with_)
    program = program_of(save, lambda text, options: load_program(text, options, library), reporter)
    if program is None:
        raise _refused(reporter)
    return save, program


def opened(path: Path, with_: Iterable[Path] | None) -> Match:
    """The match in a save; raises `Stop` for an unusable one."""
    return opened_match(path, with_)[1]


def opened_match(path: Path, with_: Iterable[Path] | None) -> tuple[Save, Match]:
    """A save and its match; raises `Stop` for an unusable one."""
    save, program = opened_save(path, with_)
    reporter = Reporter()
    match = resumed(save, program, reporter)
    if match is None:
        raise _refused(reporter)
    return save, match


def write_save(match: Match, path: Path, who: tuple[str, ...] = ()) -> None:
    """Write a match and its kinds of players to a file, whole or not at all."""
    reporter = Reporter()
    if not written(match, path, reporter, who):
        raise _refused(reporter)
