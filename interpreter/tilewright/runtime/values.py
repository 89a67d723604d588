"""Validates data from outside: it must have the right type and name only existing things.

Saves and other foreign data are tested here before rules use them. Nothing is converted.
"""

from __future__ import annotations

from collections.abc import Sized
from itertools import pairwise
from typing import Any

from tilewright.language.types import BASES, Type
from tilewright.linking.game import LinkedMemory
from tilewright.runtime.board.board import xy_of
from tilewright.runtime.encoding import HALF, is_mask
from tilewright.runtime.limits import MAX_NUMBER
from tilewright.runtime.match import Match
from tilewright.runtime.sites import Held


def is_held(match: Match, held: Held | None, value: Any) -> bool:
    """Whether a value is valid for a local name of a waiting rule."""
    if held is None or held.type.base not in BASES:  # first `nothing` or `{}`, later any value
        return True
    if held.is_listed:
        return isinstance(value, list | tuple) and all(
            is_value(match, held.type.one, member) for member in value
        )
    if held.type.many and not is_mask(held.type) and isinstance(value, tuple):
        return is_value(match, held.type, list(value))
    return is_value(match, held.type, value)


def is_kept(match: Match, memory: LinkedMemory, value: Any) -> bool:
    """Whether a value is one of a memory that keeps something for each thing."""
    if not isinstance(value, tuple):
        return False
    if not all(isinstance(entry, tuple) and len(entry) == 2 for entry in value):
        return False
    things, of = [thing for thing, _ in value], Type(memory.of)
    start = match.program.kept_start[match.program.memory_number[memory.declaration.id]]
    return (
        all(is_value(match, of, thing) for thing in things)
        and all(one < other for one, other in pairwise(things))
        and all(is_value(match, memory.type, held) for _, held in value)
        and (memory.of == "feature" or all(held != start for _, held in value))
    )


def is_value(match: Match, type_: Type, value: Any) -> bool:
    """Whether a value is of a type and names only what this match has.

    Sets of figures and of tiles are masks, all others lists without equal members.
    """
    if value is None:
        return type_.optional
    if is_mask(type_):
        numbered = match.spot if type_.base == "figure" else match.board.tile_cell
        return type(value) is int and 0 <= value < 1 << len(numbered)
    if type_.many:
        return (
            isinstance(value, list)
            and all(is_value(match, type_.one, member) for member in value)
            and len(set(value)) == len(value)
        )
    match type_.base:
        case "truth":
            return type(value) is bool
        case "placement":
            return _is_placement(match, value)
        case "print":
            return _is_print(match, value)
    if type(value) is not int:
        return False
    match type_.base:
        case "number":
            return abs(value) <= MAX_NUMBER
        case "cell":
            return max(map(abs, xy_of(value))) < HALF
        case "segment":
            features = match.board.tile_features
            tile, index = value >> 5, value & 31
            return 0 <= tile < len(features) and index < len(features[tile])
    game = match.program.game
    if type_.base == "item":
        return len(game.pieces) <= value < len(game.stacked)
    if type_.base in ("stack", "item stack"):
        holds_items = type_.base == "item stack"
        is_stack = 0 <= value < len(game.stacks)
        return is_stack and (game.stacks[value].holds == "items") is holds_items
    return 0 <= value < _how_many(match, type_.base)


def _how_many(match: Match, base: str) -> int:
    """The number of things of a base type in a match; they are numbered from 0."""
    game, board = match.program.game, match.board
    collections: dict[str, Sized] = {
        "player": match.players,
        "direction": range(4),
        "heading": range(8),
        "tile": board.tile_cell,
        "piece": game.pieces,
        "feature": board.parent,
        "figure": match.spot,
        "feature kind": game.features,
        "figure kind": game.figures,
        "role": game.roles,
        "trait": game.traits,
        "symbol": game.symbols,
        "token": game.tokens,
        "action": game.actions,
    }
    return len(collections[base])


def _is_placement(match: Match, value: Any) -> bool:
    """Whether a value is (cell, layout) with a layout that some piece has."""
    if not _is_numbers(value, 2):
        return False
    cell, layout = value
    layouts = max(map(len, match.board.shapes.layout_turn), default=0)
    return max(map(abs, xy_of(cell))) < HALF and 0 <= layout < layouts


def _is_print(match: Match, value: Any) -> bool:
    """Whether a value is (cell, shape, segment) with a segment of that shape."""
    if not _is_numbers(value, 3):
        return False
    cell, shape, index = value
    names = match.board.shapes.segment_names
    return (
        max(map(abs, xy_of(cell))) < HALF
        and 0 <= shape < len(names)
        and 0 <= index < len(names[shape])
    )


def _is_numbers(value: Any, size: int) -> bool:
    return isinstance(value, tuple) and len(value) == size and all(type(n) is int for n in value)
