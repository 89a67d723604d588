"""Prints images of games, positions and traces of matches: for the fuzzer and mutants of the core.

    PYTHONPATH=tests python -m support.native_images [GAME ...] > FILE

A line `game`, then a line for each section and for each position: its players and the row that
enters it. A trace follows: a hash of the facts, log and options, then for each choice
by lot its number and the hash after it, or 0 where the rules stop. Without names the games are
some editions, and the probe game with random programs, which together use every instruction.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence

from support.played import go_on, program_of
from support.probe_game import position, program_with
from support.random_programs import remember_things, sound_text
from support.two_engines import flat_options, loaded, seats_of
from support.typed_programs import Writer
from tilewright.play.compiling.bytecode.image import image_of
from tilewright.play.compiling.native import InPython, announcing, native_game
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.native.engine import native_core
from tilewright.play.native.games import NativeGame
from tilewright.play.native.positions import match_row
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.tools.simulation.tally_forms import counted

EDITIONS = ("c2/base", "c2/farmers+c2/princess-and-dragon", "c2/river", "c3.1/dragon-and-fairy")
#: games whose rules use other instructions, or the same ones in other ways
VARIED = (
    "c2/abbot+c2/inns-and-cathedrals+c2/traders-and-builders",
    "c2/ferries",
    "c2/flying-machines",
    "c2/tower",
    "c2/tunnel",
    "c3/river-two-lakes+c3/abbot",
    "house/call-a-figure-home",
    "house/display-of-three",
    "house/exchange-a-tile",
    "house/fields-closed-score-at-once",
    "house/figures-by-players",
    "house/gold-under-the-gardens",
    "house/goods-to-city-owner",
    "house/hand-of-three",
    "house/mage-and-witch",
    "house/mercy-for-the-last",
    "house/monastery-complete-by-sides",
    "house/no-joining-of-rivals",
    "house/portal-in-straight-lines",
    "house/reserve-tile",
    "house/tile-drawn-early",
    "house/two-teams",
    "variants/second-dragon-third-fairy",
)
PROGRAMS = 60
#: choices of a trace
TRACED = 150


def lines_of(program: Program, matches: list[Match]) -> Iterator[str]:
    """The lines of one game and its positions."""
    core = native_core()
    assert core is not None
    native = loaded(program)
    kept = announcing(program)
    yield "game"
    tallying = counted(kept).tallying
    for name, row in image_of(kept, core.instructions(), tallying).sections.items():
        yield " ".join(["section", name, *(str(int(n)) for n in row)])
    for match in matches:
        row = (str(int(n)) for n in match_row(match, native.site_parts))
        yield " ".join(["position", str(len(match.points)), *row])
        yield " ".join(["trace", "-", *map(str, trace(native, match))])


def trace(native: NativeGame, match: Match) -> Iterator[int]:
    """The trace of a match from its position on, by choices that are the same every time."""
    lot, parts = random.Random(len(match.log)), native.site_parts
    yield hash_of(match, parts)
    for _ in range(TRACED):
        if match.to_move < 0:
            return
        k = lot.randrange(match.count)
        yield k
        try:
            match.choose_number(k)
        except RuleError:
            yield 0
            return
        yield hash_of(match, parts)


def hash_of(match: Match, parts: Sequence[int]) -> int:
    """A hash of facts, log and options, as `core/engine/examples/check_traces.rs` computes it."""
    row = [*match.facts(), *match.log]
    if match.to_move < 0:
        row += match.winners()
    else:
        row.append(match.decision_site)
        options = flat_options(match, parts[match.decision_site])
        row += [number for option in options for number in option]
    found = 7
    for number in row:
        found = (found * 1_000_003 + number) % (1 << 64)
    return (found | 1) - (1 << 64) if found >> 63 else found | 1


def positions(program: Program, many: int) -> list[Match]:
    """Matches of a game, each after some choices by lot."""
    rng = random.Random(1)
    found = []
    for seed in range(many):
        match = start_match(program, rng.choice(seats_of(program)), seed)
        go_on(match, rng.randrange(90), seed)
        found.append(match)
    return found


def main() -> None:
    """Print all games."""
    for name in sys.argv[1:] or (*EDITIONS, *VARIED):
        program = program_of(name)
        many = 4 if name in VARIED else 12
        print(*lines_of(program, positions(program, many)), sep="\n")
    for seed in range(0 if sys.argv[1:] else PROGRAMS):
        text = sound_text(Writer(random.Random(seed)))
        if text is None:
            continue
        program = program_with(text)
        match = position(seed, program)
        if isinstance(native_game(program), InPython) or match.to_move < 0:
            continue
        remember_things(match, random.Random(seed))
        print(*lines_of(program, [match]), sep="\n")


if __name__ == "__main__":
    main()
