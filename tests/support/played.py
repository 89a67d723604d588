"""Matches for tests: games by name, compiled once, and random play that is the same every time."""

from __future__ import annotations

import random
from functools import cache, lru_cache

from support.paths import DATA
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.match import Match
from tilewright.play.match_state import Listener
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.reading.library import Library
from tilewright.tools.persistence.match_file import match_text, parse_match, resumed
from tilewright.tools.workspace.loading import load_program

MIXES = (
    "c2/base",
    "c3/base+c3/farmers",
    "c2/farmers+c2/princess-and-dragon",
    "c3.1/dragon-and-fairy+c3/farmers",
    "c2/princess-and-dragon+house/fairy-no-block+house/redraw-dragon-tile",
)


@lru_cache(30)
def program_of(game: str) -> Program:
    """The program of a game of shipped rulesets."""
    program, reporter = load_program(game)
    assert program is not None, reporter.diagnostics
    return program


@cache
def data_program(folder: str, game: str) -> Program:
    """The program of a game of the shipped rulesets and those in a folder of `tests/data`."""
    library = Library()
    library.add(DATA / folder)
    program, reporter = load_program(game, library=library)
    assert program is not None, reporter.diagnostics
    return program


def played(
    game: str,
    choices: int = 10_000,
    *,
    players: int = 2,
    seed: int | str = 1,
    first: int = 0,
    listeners: tuple[Listener, ...] = (),
) -> Match:
    """A match in which so many choices were made, each by lot."""
    program = program_of(game)
    match = start_match(program, players, seed, first=first, listeners=listeners)
    go_on(match, choices, seed)
    return match


def reloaded(match: Match) -> Match:
    """The match as another process would find it in a match file."""
    reporter = Reporter()
    file = parse_match(match_text(match), reporter)
    found = None if file is None else resumed(file, match.program, reporter)
    assert found is not None, reporter.diagnostics
    return found


def go_on(match: Match, choices: int, seed: int | str) -> None:
    """Make so many more choices by lot, or as many as there are."""
    rng = random.Random(f"{seed}/{len(match.log)}")
    for _ in range(choices):
        if match.to_move < 0:
            return
        match.choose_number(int(rng.random() * match.count))
