"""Pieces and items that come into hidden stacks of players during a choice, or stay there.

Reports of a match leave their names out; the owner of a stack sees its content. Choices of actions
are named, since their effects are seen.
"""

from __future__ import annotations

from collections import Counter

from tilewright.runtime.match import Match
from tilewright.runtime.notation import stack_holder, stacks_in_play

#: pieces and items that lie face down before players: how many, by stack and piece
FaceDown = Counter[tuple[int, int]]


def face_down(match: Match) -> FaceDown:
    """The pieces and items in hidden stacks of players."""
    declared = match.program.game.stacks
    return Counter(
        (stack, piece)
        for stack in stacks_in_play(match)
        if declared[stack].hidden and stack_holder(match, stack) is not None
        for piece in match.stacks[stack]
    )


def came_face_down(before: FaceDown, after: FaceDown) -> Counter[int]:
    """How many of each piece have come into a hidden stack of a player."""
    found: Counter[int] = Counter()
    for (_, piece), many in (after - before).items():
        found[piece] += many
    return found


def chosen_face_down(match: Match, number: int) -> int | None:
    """The piece or item of an option, if it is in a hidden stack of the player who decides."""
    site = match.program.sites[match.decision_site]
    if site.actions or site.type.base not in ("piece", "item"):
        return None
    value = match.values()[number] if number < len(match.values()) else None
    own = (key for key in face_down(match) if stack_holder(match, key[0]) == match.to_move)
    return value if any(piece == value for _, piece in own) else None


def stays_face_down(piece: int | None, before: FaceDown, after: FaceDown) -> bool:
    """Whether as many of a chosen piece lie face down before players as before the choice."""
    if piece is None:
        return False
    then, now = (
        sum(n for (_, each), n in held.items() if each == piece) for held in (before, after)
    )
    return now >= then
