"""Loads pairs of shipped rulesets into the native core and plays them on both engines.

    PYTHONPATH=tests python -m support.carried_pairs PART PARTS

Pairs are those of `tilewright matrix`: every two rulesets that can be linked. Each pair plays one
game of three players, or of as many as it allows, whose facts, log and options are compared after
every choice, and one simulated game, whose points, measures and items are compared at the end. The
program takes part number PART of PARTS, in a mixed order, and prints what differs.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from itertools import combinations

from support.two_engines import DifferenceError, Named, begun, play_both, seats_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.compiling.bytecode.instructions import NotCarried
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.compiling.native import InPython, native_game
from tilewright.play.program import Program
from tilewright.rules.analysis.link import link
from tilewright.rules.reading.library import Library
from tilewright.tools.simulation.game import NativeGames, play_game
from tilewright.tools.workspace.loading import load_selection

#: players of a game, where it allows so many
PLAYERS = 3


def all_pairs(library: Library) -> list[str]:
    """The texts of all pairs, in an order that does not favour a ruleset."""
    pairs = ["+".join(pair) for pair in combinations(sorted(library.ids()), 2)]
    random.Random(1).shuffle(pairs)
    return pairs


def tried(library: Library, text: str) -> str:
    """The outcome of one pair: `equal`, `not linked`, or why Python plays it.

    Raises DifferenceError when the engines differ.
    """
    reporter = Reporter()
    selection = load_selection(text, {}, library, reporter)
    if selection is None or reporter.has_errors:
        return "not linked"
    game = link(selection, reporter)
    if game is None or reporter.has_errors:
        return "not linked"
    program = compile_game(game, measures=True)
    native = native_game(program)
    if isinstance(native, InPython):
        return f"played in Python: {native.reason} in `{native.function}`"
    seats = seats_of(program)
    seed = sum(map(ord, text))
    players = min(seats, key=lambda many: abs(many - PLAYERS))
    match, other = begun(program, players, seed)
    if match is not None:
        named = Named(text, players, seed)
        play_both(match, other, named, rng=random.Random(seed))
    return simulated(program, text, players)


def simulated(program: Program, text: str, players: int) -> str:
    """`equal` if one game is counted the same by both engines, or why Python counts it."""
    try:
        games = NativeGames(program, players, "random")
    except NotCarried as refusal:
        return f"played in Python: {refusal.reason} in `{refusal.function}`"
    numbers = range(1)
    here = next(games.played(games.columns(text, numbers, keeps=True)))
    there = play_game(games.program, players, ["random"] * players, text, 0, keep_scorings=True)
    if here is None:
        is_equal = bool(there.fault)
    else:
        is_equal = (here.measures, here.scorings) == (there.measures, there.scorings)
    if not is_equal:
        raise DifferenceError(f"{text}, {players} players: the simulated games are not equal")
    return "equal"


def main() -> None:
    """Try a part of all pairs."""
    library = Library()
    part, parts = map(int, sys.argv[1:])
    found: Counter[str] = Counter()
    begin = time.monotonic()
    for number, text in enumerate(all_pairs(library)[part::parts]):
        try:
            outcome = tried(library, text)
        except (DifferenceError, ValueError) as error:
            outcome = "differs"
            print(text, error, flush=True)
        if outcome.startswith("played"):
            print(text, outcome, flush=True)
            outcome = "played in Python"
        found[outcome] += 1
        if number % 50 == 49:
            print(number + 1, dict(found), f"{time.monotonic() - begin:.0f} s", flush=True)
    print(dict(found), flush=True)


if __name__ == "__main__":
    main()
