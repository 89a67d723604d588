"""The searches of bots in the native core, and the native match that they begin from.

A search begins from a twin: a native match that is entered once and then takes the choices of the
match, as long as the same match is given. Its chance may differ from prescribed draws, so the draws
are compared, and after another draw the twin is entered again. A result of None means that the
search has to be made in Python.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from tilewright.play.fact_rows import row_bytes
from tilewright.play.match import Match
from tilewright.play.native.games import NativeGame, lots, native_module

if TYPE_CHECKING:
    from tilewright._core import Greedy, TreeSearch
    from tilewright._core import Match as CoreMatch


class Twin:
    """A native match in the position of the match that was given last."""

    __slots__ = ("_core", "_known", "_match")

    def __init__(self) -> None:
        self._match: Match | None = None
        self._core: CoreMatch | None = None
        self._known = 0

    def of(self, game: NativeGame, match: Match) -> CoreMatch:
        """A native match in the position of a match that waits for a decision.

        Raises ValueError for a match that has failed.
        """
        core = self._followed(match)
        if core is None:
            core = game.entered(match, without_prescribed=True)
        self._match, self._core, self._known = match, core, len(match.log)
        return core

    def _followed(self, match: Match) -> CoreMatch | None:
        """The twin after the new choices of the same match; None when it is elsewhere."""
        core, known = self._core, self._known
        if core is None or self._match is not match or len(match.log) < known:
            return None
        new = array("q", match.log[known:])
        for entry in new:
            if entry >= 0 and not (entry < core.count and core.choose(entry)):
                return None
        at = (core.to_move, core.count, core.log(known))
        return core if at == (match.to_move, match.count, row_bytes(new)) else None


class GreedySearch:
    """The search of a greedy bot (`play/bots/base.py`), with its memory."""

    __slots__ = ("_search", "_twin")

    def __init__(self, depth: int) -> None:
        self._search: Greedy = native_module().Greedy(depth)
        self._twin = Twin()

    def choose(self, game: NativeGame, match: Match) -> int | None:
        """The number of the best option of the decision."""
        return self._search.choose(self._twin.of(game, match))

    def values(self, game: NativeGame, match: Match) -> list[int] | None:
        """The value of each option of the decision, in points."""
        return self._search.values(self._twin.of(game, match))


def tree_search(
    game: NativeGame,
    match: Match,
    seed: str,
    settings: tuple[int, float, float],
) -> TreeSearch:
    """The search of a bot with rollouts (`play/bots/mcts.py`) for the decision of a match.

    `settings` are the turns of a rollout, the weight of the greedy bot's opinion in rollouts, and
    the weight of trying, in standard deviations. Raises ValueError for a match that has failed.
    """
    core = game.entered(match, without_prescribed=True)
    found: TreeSearch = native_module().TreeSearch(core, lots([seed]), *settings)
    return found
