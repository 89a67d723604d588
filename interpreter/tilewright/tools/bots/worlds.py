"""Copies of a match with another chance and other hidden pieces, as a player may imagine it.

This is a determinization: the draws to come, the order of face-down stacks and the hidden
pieces of other players are others, and the player cannot know that they are not the real ones.
Values that a rule has read before, of `let` or of memory, stay.
Where the native core carries a game, it has the same (`core/engine/src/worlds.rs`).
"""

from __future__ import annotations

import random

from tilewright.linking.game import NOBODY
from tilewright.runtime.common_draws import drawn_places
from tilewright.runtime.match import Match

#: places in stacks, as (stack, number in it)
Places = list[tuple[int, int]]

_OTHER_CHANCE = 0x5DEECE66D15C0FFE


def for_trials(match: Match) -> Match:
    """A copy for trials: other pieces are to come, and hidden ones lie in other places.

    The places are the same in all positions that look the same to the player, as long as the
    pieces of each stack began in the same ones.
    """
    world = match.fork()
    world.forced_draws = None
    world.streams = [state ^ _OTHER_CHANCE for state in world.streams]
    for places in exchangeable(match):
        pieces = sorted(world.stacks[stack][n] for stack, n in places)
        order = drawn_places(_OTHER_CHANCE, len(pieces))
        _put(world, places, [pieces[k] for k in order])
    return world


def imagined(match: Match, rng: random.Random, hidden: list[Places]) -> Match:
    """A copy in which the draws to come and the pieces in hidden places are taken by lot."""
    world = match.fork()
    world.forced_draws = None
    world.streams = [rng.getrandbits(64) for _ in world.streams]
    for places in hidden:
        pieces = [world.stacks[stack][n] for stack, n in places]
        rng.shuffle(pieces)
        _put(world, places, pieces)
    return world


def exchangeable(match: Match) -> list[Places]:
    """The places whose pieces are interchangeable from the view of the deciding player, in groups.

    Pieces that began in different stacks are never exchanged.
    """
    game, stacks = match.program.game, match.stacks
    down = [stack for stack, reader in enumerate(game.stack_readers) if reader == NOBODY]
    held = [s for s, reader in enumerate(game.stack_readers) if 0 <= reader != match.to_move]
    # other chance is enough for a stack that is drawn from by chance
    in_order = match.program.in_order
    if not any(stacks[s] for s in held) and not any(stacks[s] and in_order[s] for s in down):
        return []
    groups: dict[str, Places] = {}
    for stack in (*held, *down):
        for number, piece in enumerate(stacks[stack]):
            groups.setdefault(game.stack_of(game.stacked[piece]), []).append((stack, number))
    return [places for places in groups.values() if len(places) > 1]


def _put(world: Match, places: Places, pieces: list[int]) -> None:
    for (stack, number), piece in zip(places, pieces, strict=True):
        world.stacks[stack][number] = piece
