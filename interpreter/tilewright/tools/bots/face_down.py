"""Pieces and items that come into hidden stacks of players during a choice, or stay there.

Reports of a match leave their names out; the owner of a stack sees its content. Choices of actions
are named, since their effects are seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from tilewright.runtime.match import Match


class FaceDown:
    """The pieces and items that lie face down before players, and the option that is chosen now.

    Made before the choice of an option by its number; `compare` afterwards.
    """

    def __init__(self, match: Match, number: int) -> None:
        self._held = _held(match)
        self._chosen: int | None = None
        site = match.program.sites[match.decision_site]
        if not site.actions and site.type.base in ("piece", "item"):
            chosen = match.values()[number : number + 1]  # nothing for a pass
            own = held_unseen(match, match.to_move)
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


def held_unseen(match: Match, player: int) -> set[int]:
    """The pieces and items in hidden stacks of a player."""
    readers = match.program.game.stack_readers
    return {piece for stack, piece in _held(match) if readers[stack] == player}


def unnamed(drawn: Sequence[tuple[int, int]], came: Set[int]) -> Iterator[bool]:
    """For each draw, a stack and a piece, whether the piece is not named.

    No piece of a stack is named if one of it came face down: the order of the names would show
    which one.
    """
    sources = {stack for stack, piece in drawn if piece in came}
    return (stack in sources for stack, _ in drawn)


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
