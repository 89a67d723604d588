"""A match as arrays of fixed shapes: the board as planes, counts, the options and their mask.

It has the view of the player, in the order of seats from that player, and no meaning of rules:
kinds of pieces, tiles and decisions are numbers that a learner embeds. Cells beyond the window are
left out, and options beyond the size of the action space, except the last one, which is the pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np

from tilewright.faces.api import Game
from tilewright.faces.api import game as found_game
from tilewright.language.types import Type
from tilewright.play.board.board import xy_of
from tilewright.play.board.relaying import seen_piece
from tilewright.play.bots.base import ahead_now
from tilewright.play.match import Match
from tilewright.play.notation import stacks_in_play

#: the meaning of each plane, for a cell
PLANES = (
    "piece, from 1; 0 face down",
    "tile as it lies, from 1",
    "own figures",
    "segment of an own figure, from 1",
    "figures of others",
    "segment of a figure of another, from 1",
    "figures that nobody owns",
)
#: the columns of each option
COLUMNS = ("sort, from 1", "x", "y", "layout or segment, from 1", "anything else, from 1", "pass")
_MAX = 2**31 - 1
REWARDS = ("lead", "points")


class ObservationLayout:
    """How matches of a game with so many players look as arrays, and which spaces these are of."""

    def __init__(
        self, game: Game | str, players: int, options: int, reach: int, reward: str
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"a reward is `lead` or `points`, not `{reward}`")
        if options < 2 or reach < 1:
            raise ValueError("expected room for two options or more, and a reach of one or more")
        self.game = game if isinstance(game, Game) else found_game(game)
        refused = self.game.program.game.refusal(players)
        if refused:
            raise ValueError(refused)
        self.players = players
        self.options = options
        self.reach = reach
        self.reward = reward

    def spaces(self) -> tuple[Any, Any]:
        """A new observation space and a new action space."""
        across = 2 * self.reach + 1
        seats = self.game.program.game.players_most - self.players
        owned = len(self.game.program.owned_stacks) * seats
        stacks = len(self.game.program.game.stacks) - owned
        shapes = {
            "observation": (len(PLANES), across, across),
            "numbers": (5 + 2 * self.players + stacks,),
            "options": (self.options, len(COLUMNS)),
        }
        boxes = {
            name: gymnasium.spaces.Box(-_MAX, _MAX, shape, np.int32)
            for name, shape in shapes.items()
        }
        boxes["action_mask"] = gymnasium.spaces.Box(0, 1, (self.options,), np.int8)
        return gymnasium.spaces.Dict(boxes), gymnasium.spaces.Discrete(self.options)

    def by(self, match: Match, player: int) -> dict[str, Any]:
        """The observation of a player; options and a mask for the deciding player."""
        return {
            "observation": self._board(match, player),
            "numbers": self._numbers(match, player),
            "options": self._options(match, player),
            "action_mask": self.mask(match, player),
        }

    def mask(self, match: Match, player: int) -> Any:
        """One for each action that is an option of the player's, else zero."""
        found: Any = np.zeros(self.options, np.int8)
        if match.to_move == player:
            found[: match.count] = 1
        return found

    def option(self, match: Match, action: int) -> int | None:
        """The number of the option that an action means, if it is one."""
        if match.to_move < 0 or not 0 <= action < min(match.count, self.options):
            return None
        return match.count - 1 if action == self.options - 1 else action

    def worth(self, match: Match) -> list[int]:
        """The sum of rewards for each player: the points, or the lead over the best other."""
        return match.points[:] if self.reward == "points" else ahead_now(match.points)

    # -------------------------------------------------------------- parts

    def _board(self, match: Match, player: int) -> Any:
        reach, board = self.reach, match.board
        found: Any = np.zeros((len(PLANES), 2 * reach + 1, 2 * reach + 1), np.int32)

        def at(tile: int) -> tuple[int, int] | None:
            x, y = xy_of(board.tile_cell[tile])
            return (reach - y, reach + x) if max(abs(x), abs(y)) <= reach else None

        for tile in board.lying():
            place = at(tile)
            if place is not None:
                piece = seen_piece(board, tile)
                found[(0, *place)] = 0 if piece is None else piece + 1
                found[(1, *place)] = board.tile_shape[tile] + 1
        for figure, spot in enumerate(match.spot):
            place = at(spot >> 5) if spot >= 0 else None
            if place is not None:
                owner = match.owner[figure]
                plane = 6 if owner is None else 2 if owner == player else 4
                found[(plane, *place)] += 1
                if plane < 6 and spot & 31:
                    found[(plane + 1, *place)] = spot & 31
        return found

    def _numbers(self, match: Match, player: int) -> Any:
        is_asked = match.to_move >= 0
        seats = match.players_from[player]
        numbers = [
            match.turn,
            match.decision_site + 1 if is_asked else 0,
            match.piece + 1 if is_asked and match.options_now is None else 0,
            seats.index(match.to_move) + 1 if is_asked else 0,
            seats.index(match.active) + 1,
        ]
        numbers += [match.points[seat] for seat in seats]
        numbers += [(match.in_supply & match.of_player[seat]).bit_count() for seat in seats]
        numbers += [len(match.stacks[stack]) for stack in stacks_in_play(match)]
        return np.clip(numbers, -_MAX, _MAX).astype(np.int32)

    def _options(self, match: Match, player: int) -> Any:
        found: Any = np.zeros((self.options, len(COLUMNS)), np.int32)
        if match.to_move != player:
            return found
        values = match.values()
        for action in range(min(match.count, self.options)):
            number = self.option(match, action)
            assert number is not None
            if number < len(values):
                found[action, :5] = np.clip(_row(match, values[number]), -_MAX, _MAX)
            else:
                found[action, 5] = 1
        return found


def _row(match: Match, value: Any) -> tuple[int, int, int, int, int]:
    """An option by its sort, its place and what else it is about."""
    site = match.program.sites[match.decision_site]
    kind, cell, part, other = value[0] + 1 if site.actions else 0, -1, 0, 0
    for about, found in _abouts(match, site.parts(value) or [(site.type, value)]):
        if about == "cell":
            cell = found
        elif about == "part":
            part = found + 1
        else:
            other = found + 1
    x, y = xy_of(cell) if cell >= 0 else (0, 0)
    return kind, x, y, part, other


def _abouts(match: Match, parts: list[tuple[Type, Any]]) -> Iterator[tuple[str, int]]:
    """The cells, parts of a tile and other numbers that a value is made of."""
    cells = match.board.tile_cell
    for type_, value in parts:
        if value is None:
            continue
        match type_.base:
            case "placement":
                yield from (("cell", value[0]), ("part", value[1]))
            case "print":
                yield from (("cell", value[0]), ("part", value[2]))
            case "cell":
                yield "cell", value
            case "tile":
                yield "cell", cells[value]
            case "segment":
                yield from (("cell", cells[value >> 5]), ("part", value & 31))
            case "figure":
                yield "other", match.figure_kind[value]
                if match.spot[value] >= 0:
                    yield "cell", cells[match.spot[value] >> 5]
            case _:
                yield "other", int(value)
