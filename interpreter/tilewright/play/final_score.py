"""Computes the final score of a match as if it ended now, and caches the points of features.

Bots need this thousands of times in a game, for positions that differ in one tile and one figure.
The final scoring rules run in their order. When a rule scores each feature by itself, its points
for a feature are cached by all facts that they depend on (`FinalRule`). Compiled rules do the
counting in both cases, and the result equals that of playing on to the end.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress, count
from typing import Any

from tilewright.play.match import Match

#: the cache is emptied when it has more entries than this
_MAX_KNOWN = 50_000

#: the points for a feature: (player, points) for each player who gets some
Gains = tuple[tuple[int, int], ...]


def score_ending(match: Match) -> bool:
    """Award all points of the final scoring; False when the scoring has to be played instead.

    The match cannot be played on afterwards: other effects of the scoring are left out.
    """
    parts = match.program.ending
    if not parts:
        return False
    match.end_game()
    board, points = match.board, match.points
    parent, figures = board.parent, board.figures
    known: dict[tuple[Any, ...], Gains] = match.final_score_cache
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
    """The points of one rule for one feature."""
    points = match.points
    before = points[:]
    each(match, feature)
    gains = tuple((p, n - before[p]) for p, n in enumerate(points) if n != before[p])
    points[:] = before
    return gains
