"""The visibility of a match: stacks, options and names of draws for each player, possible worlds.

Nothing else decides it. The content and order of a face-down stack, the draws to come and the hands
of other players are hidden; everything else is public. Reports leave out the names of pieces that
lie face down before a player; choices of actions are named, since their effects are seen. Trials
are made in worlds that look like the match to the player (determinizations), in which values
that a rule has read before, of `let` or of memory, stay. Where the native core carries a game, it
has the same worlds (`core/engine/src/worlds.rs`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from typing import Any

from tilewright.language.types import Type
from tilewright.play.common_draws import drawn_places
from tilewright.play.match import Match
from tilewright.play.notation import value_text
from tilewright.rules.linking.game import EVERYBODY, NOBODY

#: places in stacks, as (stack, number in it)
Places = list[tuple[int, int]]

_OTHER_CHANCE = 0x5DEECE66D15C0FFE
#: the types of what lies in stacks
_STACKED = ("piece", "item")


def sees_stack(match: Match, stack: int, viewer: int | None) -> bool:
    """Whether a player, or everybody (None), sees what lies in a stack."""
    return match.program.game.stack_readers[stack] in (EVERYBODY, viewer)


def sees_options(match: Match, viewer: int | None) -> bool:
    """Whether the options of the decision show a viewer nothing that only another player sees."""
    if match.to_move < 0 or viewer == match.to_move:
        return True
    own = _held_unseen(match, match.to_move)
    site = match.program.sites[match.decision_site]
    if all(type_.base not in _STACKED for type_ in site.types):
        return True
    return not own if site.actions else own.isdisjoint(match.values())


# ------------------------------------------------------------------ names of draws


class FaceDown:
    """The pieces and items that lie face down before players, and the option that is chosen now.

    Made before the choice of an option by its number; `compare` afterwards.
    """

    def __init__(self, match: Match, number: int) -> None:
        self._held = _held(match)
        self._chosen: int | None = None
        site = match.program.sites[match.decision_site]
        if not site.actions and site.type.base in _STACKED:
            chosen = match.values()[number : number + 1]  # nothing for a pass
            own = _held_unseen(match, match.to_move)
            self._chosen = next((piece for piece in chosen if piece in own), None)

    def compare(self, match: Match) -> tuple[bool, set[int]]:
        """Whether the chosen piece may lie face down still, and which pieces may have come so.

        Copies of a piece look the same, so one that was chosen may have left and come again.
        """
        now = _held(match)
        before, after = _by_piece(self._held), _by_piece(now)
        came = set(_by_piece(now - self._held))
        if self._chosen is None or after[self._chosen] < before[self._chosen]:
            return False, came
        return True, came | {self._chosen}


def held_face_down(match: Match) -> set[int]:
    """The pieces and items in hidden stacks of players."""
    return set(_by_piece(_held(match)))


def member_text(match: Match, type_: Type, member: Any) -> str | None:
    """The text of a drawn member of a set; None for what lies face down before a player."""
    is_held = type_.base in _STACKED and member in held_face_down(match)
    return None if is_held else value_text(match, type_, member)


def unnamed(drawn: Sequence[tuple[int, int]], came: Set[int]) -> Iterator[bool]:
    """For each draw, a stack and a piece, whether the piece is not named.

    No piece of a stack is named if one of it came face down: the order of the names would show
    which one.
    """
    sources = {stack for stack, piece in drawn if piece in came}
    return (stack in sources for stack, _ in drawn)


def _held_unseen(match: Match, player: int) -> set[int]:
    """The pieces and items in hidden stacks of a player."""
    readers = match.program.game.stack_readers
    return {piece for stack, piece in _held(match) if readers[stack] == player}


def _held(match: Match) -> Counter[tuple[int, int]]:
    """How many pieces lie face down before players, by stack and piece."""
    return Counter(
        (stack, piece)
        for stack, reader in enumerate(match.program.game.stack_readers)
        if reader >= 0
        for piece in match.stacks[stack]
    )


def _by_piece(held: Counter[tuple[int, int]]) -> Counter[int]:
    found: Counter[int] = Counter()
    for (_, piece), many in held.items():
        found[piece] += many
    return found


# ------------------------------------------------------------------ possible worlds


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
