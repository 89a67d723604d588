"""A seat of a match as a Gymnasium environment: bots play at the others.

An episode is a match. Bots decide in between, so every step is a decision of the seat. An action
outside of the mask ends the episode.
"""

from __future__ import annotations

from typing import Any

import gymnasium

from tilewright.faces.adapters.observation import ObservationLayout
from tilewright.faces.api import Game, Match
from tilewright.play.bots.named import bot_named
from tilewright.play.new_match import start_match


class SeatEnv(gymnasium.Env):
    """One seat of a game. `match` is the match, with texts for people."""

    def __init__(
        self,
        game: Game | str,
        players: int = 2,
        *,
        seat: int = 0,
        others: str = "random",
        options: int = 512,
        reach: int = 12,
        reward: str = "lead",
        not_offered: float = -100.0,
        render_mode: str | None = None,
    ) -> None:
        """`others` names the bots at the other seats, `not_offered` is the reward of a refused
        action; `options` is the size of the action space, `reach` the half-width of the planes.

        Raises ValueError for an unsupported number of players or an unknown bot.
        """
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.seen = ObservationLayout(game, players, options, reach, reward)
        if not 0 <= seat < players:
            raise ValueError(f"expected a seat from 0 to {players - 1}, found {seat}")
        bot_named(others)
        self.seat = seat
        self.others = others
        self.not_offered = float(not_offered)
        self.render_mode = render_mode
        self.observation_space, self.action_space = self.seen.spaces()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new match at the seat's first decision."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 62))
        self.match = Match(start_match(self.seen.game.program, self.seen.players, number))
        self._bots = [bot_named(self.others, f"{number}/{p}") for p in range(self.seen.players)]
        self._go_on()
        return self._seen_now()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take an option, and let the bots choose until the seat decides again."""
        inside = self.match.inside
        number = self.seen.option(inside, int(action))
        if number is None:
            seen, info = self._seen_now()
            return seen, self.not_offered, True, False, info | {"not_offered": int(action)}
        before = self.seen.worth(inside)[self.seat]
        inside.choose_number(number)
        self._go_on()
        seen, info = self._seen_now()
        gain = self.seen.worth(inside)[self.seat] - before
        return seen, float(gain), inside.is_over, False, info

    def action_masks(self) -> Any:
        """The mask of the actions that are options now."""
        return self.seen.mask(self.match.inside, self.seat)

    def render(self) -> str | None:
        """The table in characters where that was asked for."""
        return self.match.text() if self.render_mode == "ansi" else None

    def _go_on(self) -> None:
        inside = self.match.inside
        while inside.to_move >= 0 and inside.to_move != self.seat:
            inside.choose_number(self._bots[inside.to_move](inside))

    def _seen_now(self) -> tuple[dict[str, Any], dict[str, Any]]:
        seen = self.seen.by(self.match.inside, self.seat)
        return seen, {"action_mask": seen["action_mask"], "points": self.match.points}
