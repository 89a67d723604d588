"""What a match would come to if it ended now, without going through what was gone through before.

Bots ask this thousands of times in a game, of positions that differ in one tile and one figure. The
rules of the final scoring are carried out in their order; of one that tells of each feature by
itself, what it gives for a feature is remembered by all it follows from (`FinalRule`). Compiled
rules do the counting either way, so the answer is that of playing on to the end.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress, count
from typing import Any

from tilewright.runtime.match import Match

#: what is remembered is forgotten when it is more than this
_MAX_KNOWN = 50_000

#: the points that a feature brings: player and number, for each who gets some
Gains = tuple[tuple[int, int], ...]


def score_ending(match: Match) -> bool:
    """Give all points of the final scoring; False where this takes playing it.

    Uses the match up: what else the scoring does has not been done in it.
    """
    parts = match.program.ending
    if not parts:
        return False
    match.end_game()
    board, points = match.board, match.points
    parent, figures = board.parent, board.figures
    known: dict[tuple[Any, ...], Gains] = match.gains_known
    for part in parts:
        if part.whole is not None:
            part.whole(match)
            continue
        assert part.facts is not None and part.each is not None
        facts = part.facts
        for x in compress(count(), figures):
            if parent[x] != x:
                continue
            key = facts(match, x)
            gains = known.get(key)
            if gains is None:
                if len(known) > _MAX_KNOWN:
                    known.clear()
                gains = known[key] = _gains(match, part.each, x)
            for player, number_ in gains:
                points[player] += number_
    return True


def _gains(match: Match, each: Callable[[Match, int], None], feature: int) -> Gains:
    """What a rule gives for one feature."""
    points = match.points
    before = points[:]
    each(match, feature)
    gains = tuple((p, n - before[p]) for p, n in enumerate(points) if n != before[p])
    points[:] = before
    return gains
