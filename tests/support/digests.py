"""Prints the digests of random games, so that two ways of running the engine can be compared.

    python digests.py GAME [GAME ...]

The first line names the engine. Then one line for each game: digests on the way and at the end,
those of forks among them.
"""

from __future__ import annotations

import sys

from support.played import go_on, played
from tilewright.play.native.engine import engine


def digests(game: str, seed: int) -> list[str]:
    """Digests of one random game after every 25 choices, and of a fork that goes its own way."""
    match = played(game, 0, seed=seed, players=2 + seed % 3)
    found = []
    while match.to_move >= 0:
        twin = match.fork()
        go_on(match, 25, seed)
        go_on(twin, 12, f"{seed}/fork")
        found += [match.digest(), twin.digest()]
    return found


if __name__ == "__main__":
    print(engine())
    for text in sys.argv[1:]:
        for seed in (1, 2):
            print(text, seed, *digests(text, seed))
