"""Exchanges all that two players have.

The seats, the turn and the rules that run stay, and so does the owner of each figure: two figures
of a kind exchange their places, directions and companions, so on the board each of them now has the
colour of the other. Memory of a figure goes with its place. Where the memory of the game names one
of the players, or a stack of theirs, it then names the other; that of a turn stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilewright.language.types import Type
from tilewright.play.encoding import BESIDE_STACK, IN_FRONT_OF, is_mask
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.rules.linking.game import LinkedMemory

#: by the number of a thing: the one that takes its place; others keep theirs
Renamed = Mapping[int, int]


def exchange(m: Match, one: int, other: int) -> None:
    """Let two players exchange all that they have."""
    if one == other:
        return
    players = {one: other, other: one}
    stacks: dict[int, int] = {}
    for first in m.program.owned_stacks.values():
        stacks |= {first + one: first + other, first + other: first + one}
    figures = counterparts(m, one, other)
    m.points = _moved(m.points, players)
    seats = len(m.points) + 1
    holders = {
        kind + player + 1: kind + its + 1
        for kind in range(0, len(m.tokens), seats)
        for player, its in players.items()
    }
    m.tokens = _moved(m.tokens, holders)
    m.stacks = _moved(m.stacks, stacks)
    _exchange_places(m, figures, players, stacks)
    renamed = {"player": players, "figure": figures, "stack": stacks, "item stack": stacks}
    for slot, memory in enumerate(m.program.game.memory):
        if any(memory.exchanged):
            m.memory[slot] = _remembered(memory, m.memory[slot], renamed)
    if m.listeners:
        m.notify("exchange", one, other)


def counterparts(m: Match, one: int, other: int) -> dict[int, int]:
    """By figure of two players: the one of its kind that it exchanges places with."""
    pairs = [*zip(bits(m.of_player[one]), bits(m.of_player[other]), strict=True)]
    return {**dict(pairs), **{its: figure for figure, its in pairs}}


def _moved(row: list[Any], renamed: Renamed) -> list[Any]:
    """A row whose entries have moved."""
    return [row[renamed.get(number, number)] for number in range(len(row))]


def _exchange_places(m: Match, figures: Renamed, players: Renamed, stacks: Renamed) -> None:
    spots = {IN_FRONT_OF - player: IN_FRONT_OF - its for player, its in players.items()}
    spots |= {BESIDE_STACK - stack: BESIDE_STACK - its for stack, its in stacks.items()}
    m.spot = [spots.get(spot, spot) for spot in _moved(m.spot, figures)]
    m.facing = _moved(m.facing, figures)
    m.attached_to = [
        None if each is None else figures.get(each, each) for each in _moved(m.attached_to, figures)
    ]
    m.on_board, m.in_supply = _mask(m.on_board, figures), _mask(m.in_supply, figures)
    m.board.figures[:] = [_mask(mask, figures) for mask in m.board.figures]  # the board keeps it


def _mask(mask: int, renamed: Renamed) -> int:
    return sum(1 << renamed.get(member, member) for member in bits(mask)) if mask else 0


def _remembered(memory: LinkedMemory, value: Any, renamed: Mapping[str, Renamed]) -> Any:
    """The value of a memory after the things in it are renamed."""
    owners, values = (renamed.get(base, {}) for base in memory.exchanged)
    if memory.of:
        kept = [(owners.get(each, each), _named(memory.type, what, values)) for each, what in value]
        return tuple(sorted(kept, key=lambda pair: pair[0]))
    return _named(memory.type, value, values)


def _named(type_: Type, value: Any, renamed: Renamed) -> Any:
    if is_mask(type_):
        return _mask(value, renamed)
    if type_.many:
        return [renamed.get(each, each) for each in value]
    return renamed.get(value, value)
