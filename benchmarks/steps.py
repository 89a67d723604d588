"""How much of the limit of steps the rules of honest games take: the largest shares of all games.

    python benchmarks/steps.py [--games N] [GAME ...]

Without games it plays every shipped ruleset and, with all their numbers of players, all boxes of
each edition together. A rule is stopped at 100 %; wanted is a tenth at most.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from tilewright.play.compiling.native import InPython, native_game
from tilewright.play.limits import MAX_STEPS
from tilewright.play.native.games import NativeGame, native_module, seed_number
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_program

#: the rulesets that are played together
TOGETHER = ("c2", "c3")
PLAYERS = range(6, 1, -1)


def games() -> Iterator[tuple[str, bool]]:
    """Each shipped ruleset, then all boxes of an edition, with each number of players."""
    known = [*Library().ids()]
    yield from ((id_, False) for id_ in known)
    for edition in TOGETHER:
        boxes = [id_ for id_ in known if id_.startswith(f"{edition}/") and id_ != f"{edition}/base"]
        yield "+".join((f"{edition}/base", *boxes)), True


def share(game: NativeGame, players: int, matches: int) -> tuple[float, bool]:
    """The largest share of the limit after a choice, and whether a match was stopped."""
    match, largest, is_stopped = native_module().Match(game.core, players), 0, False
    for number in range(matches):
        lot = random.Random(number)
        goes_on = match.start(seed_number(f"steps/{number}"))
        while goes_on and match.to_move >= 0:
            goes_on = match.choose(int(lot.random() * match.count))
            largest = max(largest, match.spent)
        is_stopped |= match.failed
    return largest / MAX_STEPS, is_stopped


def main() -> None:
    """Play the games; the largest shares come last."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=5, help="matches of each game")
    parser.add_argument("game", nargs="*")
    given = parser.parse_args()
    rows = []
    for name, with_all in [(name, True) for name in given.game] or games():
        program, _ = load_program(name, None, Library())
        if program is None:
            continue
        game = native_game(program)
        if isinstance(game, InPython):
            continue
        seats = [many for many in PLAYERS if not program.game.refusal(many)]
        for players in seats if with_all else seats[:1]:
            rows.append((*share(game, players, given.games), players, name))
    print(f"{'of the limit':>12}{'players':>9}  game")
    for largest, is_stopped, players, name in sorted(rows):
        short = name if len(name) < 60 else f"{name[:50]}+... ({name.count('+') + 1} rulesets)"
        print(f"{largest:12.2%}{players:9}  {short}{'  stopped' if is_stopped else ''}")


if __name__ == "__main__":
    main()
