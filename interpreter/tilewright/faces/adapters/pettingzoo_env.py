"""A match as a PettingZoo environment: every seat is an agent, the deciding player is next.

Agents are `player_0`, `player_1` ... by their seats. Actions are numbers of options; the mask marks
the available ones. Each choice can change the reward of every agent.
"""

from __future__ import annotations

from typing import Any

from gymnasium.utils import seeding
from pettingzoo import AECEnv

from tilewright.faces.adapters.observation import ObservationLayout
from tilewright.faces.api import Game, Match, NotOfferedError
from tilewright.play.new_match import start_match


class TableEnv(AECEnv):
    """All seats of a game. `match` is the match, with texts for people."""

    def __init__(
        self,
        game: Game | str,
        players: int = 2,
        *,
        options: int = 512,
        reach: int = 12,
        reward: str = "lead",
        render_mode: str | None = None,
    ) -> None:
        """`options` is the room for actions, `reach` how far the planes go from the first tile.

        Raises ValueError when the game is not for so many players.
        """
        super().__init__()
        self.seen = ObservationLayout(game, players, options, reach, reward)
        self.metadata = {
            "name": self.seen.game.id,
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{player}" for player in range(players)]
        spaces = {agent: self.seen.spaces() for agent in self.possible_agents}
        self.observation_spaces = {agent: both[0] for agent, both in spaces.items()}
        self.action_spaces = {agent: both[1] for agent, both in spaces.items()}
        self._chance: Any = None

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions: numbers of options."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new match. The same seed begins the same row of matches."""
        if seed is not None or self._chance is None:
            self._chance, _ = seeding.np_random(seed)
        number = int(self._chance.integers(1 << 62))
        inside = start_match(self.seen.game.program, self.seen.players, number)
        self.match = Match(inside)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, inside.is_over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {
            agent: {"seat": seat}
            for agent, seat in zip(self.agents, self.match.players, strict=True)
        }
        self.agent_selection = self.agents[max(inside.to_move, 0)]

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of an agent."""
        return self.seen.by(self.match.inside, self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Take an option for the deciding player.

        Raises NotOfferedError for an action outside of the mask.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        inside = self.match.inside
        number = None if action is None else self.seen.option(inside, int(action))
        if number is None:
            raise NotOfferedError(f"expected an action that the mask has, found {action}")
        before = self.seen.worth(inside)
        self._cumulative_rewards[self.agent_selection] = 0.0
        inside.choose_number(number)
        for agent, old, new in zip(
            self.possible_agents, before, self.seen.worth(inside), strict=True
        ):
            self.rewards[agent] = float(new - old)
        if inside.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[inside.to_move]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The table in characters where that was asked for."""
        return self.match.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""
