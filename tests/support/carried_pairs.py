"""Loads pairs of shipped rulesets into the native core and plays one game of each on both engines.

    PYTHONPATH=tests python -m support.carried_pairs PART PARTS

Pairs are those of `tilewright matrix`: every two rulesets that can be linked, each distinct game
once. The program takes part number PART of PARTS, in a mixed order, and prints what differs.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from itertools import combinations

from support.two_engines import DifferenceError, Named, begun, play_both, seats_of
from tilewright.analysis.link import link
from tilewright.compiling.compile_game import compile_game
from tilewright.compiling.native import InPython, native_game
from tilewright.reading.library import Library
from tilewright.source.diagnostics import Reporter
from tilewright.tools.workspace.loading import load_selection


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
    program = compile_game(game, measures=True, keep=True)
    native = native_game(program)
    if isinstance(native, InPython):
        return f"played in Python: {native.reason} in `{native.function}`"
    seats = seats_of(program)
    seed = sum(map(ord, text))
    players = seats[seed % len(seats)]
    match, other = begun(program, players, seed)
    if match is not None:
        named = Named(text, players, seed)
        play_both(match, other, named, rng=random.Random(seed))
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
