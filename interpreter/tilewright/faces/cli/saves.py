"""Read and write match files; messages for those that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.faces.cli.arguments import library_for
from tilewright.faces.cli.exit_codes import UNREADABLE, Stop
from tilewright.faces.cli.output import mention
from tilewright.language.source.diagnostics import Reporter, Severity
from tilewright.play.replay import LogError
from tilewright.tools.persistence.match_file import (
    MatchFile,
    match_text,
    program_of,
    read_match_file,
    resumed,
    start_of,
    write_match,
)
from tilewright.tools.workspace.loading import load_game
from tilewright.tools.workspace.program_cache import user_programs

if TYPE_CHECKING:
    from tilewright.play.match import Match
    from tilewright.play.match_state import Listener
    from tilewright.play.program import Program
    from tilewright.rules.reading.library import Library


def _refused(reporter: Reporter) -> Stop:
    """The exception that ends a run with the first error of a match file."""
    found = next(d for d in reporter.diagnostics if d.severity is Severity.ERROR)
    hint = found.hint or f"`tilewright explain {found.code}` explains this"
    return Stop(UNREADABLE, f"{found.span.file}: {found.message}", hint)


def _load(
    text: str, options: Mapping[str, str], library: Library
) -> tuple[Program | None, Reporter]:
    game, reporter = load_game(text, options, library)
    return (None if game is None else user_programs().program(game)), reporter


def opened_file(path: Path) -> MatchFile:
    """The content of a match file; raises `Stop` for an unusable one."""
    reporter = Reporter()
    file = read_match_file(path, reporter)
    if file is None:
        raise _refused(reporter)
    return file


def opened_start(file: MatchFile, with_: Iterable[Path] | None) -> Match:
    """The match of a file before its first step; raises `Stop` for an unusable one."""
    reporter = Reporter()
    program = program_of(file, library_for(with_), reporter, _load)
    if program is None:
        raise _refused(reporter)
    for each in reporter.diagnostics:
        mention(f"{each.span.file}: {each.message}; {each.hint}")
    return begun(file, program)


def begun(file: MatchFile, program: Program) -> Match:
    """The match of a file before its first step, of this game; raises `Stop` where it has none."""
    reporter = Reporter()
    start = start_of(file, program, reporter)
    if start is None:
        raise _refused(reporter)
    return start


def opened_match(
    path: Path, with_: Iterable[Path] | None, listeners: tuple[Listener, ...] = ()
) -> tuple[MatchFile, Match]:
    """A match file and its match, ready to continue; raises `Stop` for an unusable one."""
    file, reporter = opened_file(path), Reporter()
    start = opened_start(file, with_)
    match = resumed(file, start.program, reporter, listeners)
    if match is None:
        raise _refused(reporter)
    return file, match


def write_save(
    match: Match, path: Path, who: tuple[str, ...] = (), lines: Sequence[str] | None = None
) -> None:
    """Write a match and its kinds of players to a file, whole or not at all."""
    reporter = Reporter()
    try:
        text = match_text(match, who, lines=lines)
    except LogError as fault:
        raise Stop(UNREADABLE, f"the match cannot be saved: {fault}") from None
    if not write_match(text, path, reporter):
        raise _refused(reporter)
