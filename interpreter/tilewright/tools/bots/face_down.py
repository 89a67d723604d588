"""Pieces and items that come into hidden stacks of players during a choice, or stay there.

Reports of a match leave their names out; the owner of a stack sees its content. Choices of actions
are named, since their effects are seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from tilewright.runtime.match import Match
from tilewright.runtime.notation import stack_holder, stacks_in_play


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

    def compare(self, match: Match) -> tuple[bool, Counter[int]]:
        """Whether the chosen piece lies face down still, and how many of each piece came so."""
        now = _held(match)
        before, after = _by_piece(self._held), _by_piece(now)
        stays = self._chosen is not None and after[self._chosen] >= before[self._chosen]
        return stays, _by_piece(now - self._held)


def held_face_down(match: Match) -> Counter[int]:
    """How many of each piece and item lie in hidden stacks of players."""
    return _by_piece(_held(match))


def held_unseen(match: Match, player: int) -> set[int]:
    """The pieces and items in hidden stacks of a player."""
    return {piece for stack, piece in _held(match) if stack_holder(match, stack) == player}


def unnamed(drawn: Iterable[int], came: Counter[int]) -> Iterator[bool]:
    """For each drawn piece, whether it is one of those that came face down."""
    left = came.copy()
    for piece in drawn:
        is_unseen = left[piece] > 0
        left[piece] -= is_unseen
        yield is_unseen


def _held(match: Match) -> Counter[tuple[int, int]]:
    """How many pieces lie face down before players, by stack and piece."""
    declared = match.program.game.stacks
    return Counter(
        (stack, piece)
        for stack in stacks_in_play(match)
        if declared[stack].hidden and declared[stack].owned
        for piece in match.stacks[stack]
    )


def _by_piece(held: Counter[tuple[int, int]]) -> Counter[int]:
    found: Counter[int] = Counter()
    for (_, piece), many in held.items():
        found[piece] += many
    return found
