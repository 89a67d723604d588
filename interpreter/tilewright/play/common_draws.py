"""Orders the pieces of stacks, to make different games draw their common pieces in the same order.

Every copy of a piece gets a random number from the seed, its stack and its name, and a stack is
drawn in the order of these numbers. The streams of chance do not change, only the places of the
pieces in their stacks at the start. Two games then draw the pieces that both have in the same
order, whatever other pieces one of them adds. Stacks that rules fill later are not touched. When a
rule draws a piece of a kind, only the kind follows this order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from tilewright.play.match import Match
from tilewright.play.seating import MASK64, SHIFT, STEP


def deal(match: Match, seed: str) -> None:
    """Order the pieces of all stacks by the seed. Call it only before the first draw of a match."""
    chance = _number(seed)
    for stack, own in enumerate(own_numbers(match)):
        if not own:
            continue
        pieces = match.stacks[stack]
        shuffled = sorted((_mixed(chance ^ n), p) for n, p in zip(own, pieces, strict=True))
        ordered = pieces[:]
        places = drawn_places(match.streams[stack], len(pieces))
        for place, (_, piece) in zip(places, shuffled, strict=True):
            ordered[place] = piece
        match.stacks[stack] = ordered


def own_numbers(match: Match) -> list[list[int]]:
    """By stack: the number of each copy of a piece in it; none where nothing is shuffled."""
    program, game = match.program, match.program.game
    found: list[list[int]] = []
    for stack, pieces in enumerate(match.stacks):
        seen: dict[int, int] = {}
        found.append([])
        if len(pieces) < 2 or program.in_order[stack]:
            continue
        for piece in pieces:
            copy = seen[piece] = seen.get(piece, -1) + 1
            found[-1].append(_own_number(game.stacks[stack].id, game.stacked[piece].id, copy))
    return found


def drawn_places(state: int, size: int) -> Sequence[int]:
    """The order, as initial indices, in which a stream empties a stack of `size` pieces."""
    places, found = list(range(size)), []
    while places:
        state = (state * STEP + SHIFT) & MASK64
        index = (state >> 32) * len(places) >> 32
        found.append(places[index])
        last = places.pop()
        if index < len(places):
            places[index] = last
    return found


@lru_cache(maxsize=4096)
def _own_number(stack: str, piece: str, copy: int) -> int:
    """A number for one copy of a piece in a stack; the same in every game."""
    return _number(f"{stack}/{piece}/{copy}")


def _number(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def _mixed(x: int) -> int:
    """Hash a 64-bit number."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK64
    return x ^ (x >> 31)
