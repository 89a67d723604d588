"""Plays matches by lot in processes that are killed after each choice and its save.

    python -m support.killed_matches GAME [NUMBER]

For every decision a new process reads the save that the killed one left, compares the position with
that of a match in memory, chooses, writes the save and is killed. Prints the number of decisions.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory

from support.played import program_of
from support.two_engines import seats_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.play.program import Program
from tilewright.tools.persistence.match_file import (
    match_text,
    read_match_file,
    resumed,
    write_match,
)


def saved_and_killed(game: str, seed: int, file: Path) -> int:
    """Play one match to its end that way; the number of its decisions."""
    program = program_of(game)
    lot = random.Random(f"{game}/{seed}")
    match = start_match(program, lot.choice(seats_of(program)), seed)
    _write(match, file)
    decisions = 0
    while match.to_move >= 0:
        option = lot.randrange(match.count)
        process = os.fork()
        if not process:
            _choose_and_be_killed(match, program, option, file)
        _, status = os.waitpid(process, 0)
        assert os.WIFSIGNALED(status), f"{game}, seed {seed}, decision {decisions}"
        match.choose_number(option)
        decisions += 1
    _read(match, program, file)
    return decisions


def _choose_and_be_killed(match: Match, program: Program, option: int, file: Path) -> None:
    try:
        back = _read(match, program, file)
        back.choose_number(option)
        _write(back, file)
        os.kill(os.getpid(), signal.SIGKILL)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def _read(match: Match, program: Program, file: Path) -> Match:
    reporter = Reporter()
    found = read_match_file(file, reporter)
    back = None if found is None else resumed(found, program, reporter)
    assert back is not None, reporter.diagnostics
    assert back.digest() == match.digest()
    assert (back.to_move, back.count) == (match.to_move, match.count)
    if match.to_move >= 0:
        assert option_texts(back) == option_texts(match)
    else:
        assert back.winners() == match.winners()
    return back


def _write(match: Match, file: Path) -> None:
    reporter = Reporter()
    assert write_match(match_text(match), file, reporter), reporter.diagnostics


def main(game: str, number: int) -> None:
    """Play so many matches and print the number of their decisions."""
    with TemporaryDirectory() as folder:
        decisions = sum(
            saved_and_killed(game, seed, Path(folder, "save.json")) for seed in range(number)
        )
    print(f"{game}: {decisions} decisions in {number} {'game' if number == 1 else 'games'}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10)
