"""The oracle's values: a number, a truth, None, a `Thing`, or a list of things.

The type of a thing is its `sort`. The match's own values, numbers and masks, are converted to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tilewright.play.board.board import xy_of
from tilewright.play.match import Match
from tilewright.rules.linking.game import Game

Value = Any


class Thing(NamedTuple):
    kind: str
    key: Any


Env = dict[str, Value]


def distinct(values: Sequence[Value]) -> list[Value]:
    found: list[Value] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def as_set(values: Sequence[Value]) -> list[Value]:
    """A set in its fixed order: figures and tiles by number, others as they came."""
    if values and all(isinstance(v, Thing) and v.kind in ("figure", "tile") for v in values):
        return sorted(set(values))
    return list(values)


# ------------------------------------------------------------------ the match's values, as things


def seen_feature(match: Match, feature: int) -> Thing:
    """A feature by a segment of it, found among the tiles' own rows."""
    wanted = match.board.find(feature)
    for tile, row in enumerate(match.board.tile_features):
        for index, own in enumerate(row):
            if match.board.find(own) == wanted:
                return Thing("feature", (tile, index))
    raise AssertionError(feature)


def seen_part(match: Match, part: int) -> Thing:
    """A part of a feature, by the segment with which it began."""
    for tile, row in enumerate(match.board.tile_features):
        if part in row:
            return Thing("feature", (tile, row.index(part)))
    raise AssertionError(part)


def seen(game: Game, match: Match, value: Any, base: str, many: bool = False) -> Value:
    """A value of the match as the oracle has it."""
    if value is None or base in ("number", "truth"):
        return value
    if many and base in ("figure", "tile"):
        return [Thing(base, i) for i in range(value.bit_length()) if value >> i & 1]
    if many:
        found = [seen(game, match, v, base) for v in value]
        return distinct(found) if base == "feature" else found
    match base:
        case "cell":
            return Thing(base, xy_of(value))
        case "segment":
            return Thing(base, divmod(value, 32))
        case "feature":
            return seen_feature(match, value)
        case "placement":
            return Thing(base, (xy_of(value[0]), value[1]))
        case "piece":
            return Thing(base, game.pieces[value].id)
        case "feature kind":
            return Thing(base, match.program.shapes.kind_ids[value])
        case "figure kind":
            return Thing(base, game.figures[value].id)
        case "role":
            return Thing(base, game.roles[value].id)
        case "trait":
            return Thing(base, game.traits[value])
        case "action":
            return Thing(base, game.actions[value])
        case "symbol":
            return Thing(base, game.symbols[value].id)
        case "stack":
            return Thing(base, game.stacks[value].id)
        case "token":
            return Thing(base, game.tokens[value].id)
        case "print":
            cell, shape, index = value
            shapes = match.program.shapes
            piece = game.pieces[shapes.piece_of[shape]].id
            return Thing(base, (xy_of(cell), piece, shapes.turn_of[shape], index))
    return Thing(base, value)
