"""The board with one option on it: the tile as it would lie, and the places concerned.

Only the option itself is read. Nothing is played, so no drawing and no hidden fact is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tilewright.language.types import Type
from tilewright.render.board.scene import Focus, Scene, Spot, TilePicture
from tilewright.render.board.view import figure_mark
from tilewright.runtime.board.board import xy_of
from tilewright.runtime.encoding import is_mask
from tilewright.runtime.library.sets import bits
from tilewright.runtime.match import Match


def previewed(match: Match, number: int, scene: Scene) -> Scene:
    """The scene of a match with one option of the decision at hand in focus."""
    if match.to_move < 0 or (match.optional and number == match.count - 1):
        return scene
    pairs = list(_parts(match, number))
    laid = [tile for type_, value in pairs for tile in _laid(match, type_, value)]
    cells = [(tile.x, tile.y) for tile in laid]
    spots: list[Spot] = []
    mark = ""
    for type_, value in pairs:
        if value is None:
            continue
        members = [value]
        if type_.many:
            members = list(bits(value)) if is_mask(type_) else list(value)
        for each in members:
            for spot in _places(match, type_.base, each):
                cells.append((spot.x, spot.y))
                spots += [spot] if spot.segment is not None else []
        if type_.base == "figure" and not type_.many:
            mark = figure_mark(match, value, scene.language)
    filled = set(cells)
    return replace(
        scene,
        tiles=(*scene.tiles, *laid),
        highlights=tuple(h for h in scene.highlights if not laid or (h.x, h.y) not in filled),
        focus=Focus(tuple(dict.fromkeys(cells)), tuple(dict.fromkeys(spots)), mark),
    )


def shown_piece(match: Match, number: int) -> tuple[int, int]:
    """The piece that an option is about, and its layout; -1 and 0 where there is none."""
    if match.to_move < 0:
        return -1, 0
    is_pass = match.optional and number == match.count - 1
    for type_, value in () if is_pass else _parts(match, number):
        if type_.many or value is None:
            continue
        if type_.base == "piece":
            return value, 0
        if type_.base == "placement" and match.piece >= 0:
            return match.piece, value[1]
    site = match.program.sites[match.decision_site]
    is_placement = not site.actions and site.type.base == "placement"
    return (match.piece if is_placement else -1), 0


def _parts(match: Match, number: int) -> Iterable[tuple[Type, Any]]:
    """The values of an option with their types."""
    site = match.program.sites[match.decision_site]
    value = match.values()[number]
    if site.actions:
        offered = site.actions[value[0]].offer
        return [(source.type.one, v) for (_, source), v in zip(offered, value[1:], strict=True)]
    return [(site.type, value)]


def _laid(match: Match, type_: Type, value: Any) -> list[TilePicture]:
    """The tiles of a placement as they would lie."""
    if type_.base != "placement" or type_.many or value is None or match.piece < 0:
        return []
    shapes, (cell, layout) = match.board.shapes, value
    x, y = xy_of(cell)
    name = shapes.piece_ids[match.piece]
    return [
        TilePicture(shapes.face_of[shape], shapes.turn_of[shape], x + dx, y + dy, name)
        for (dx, dy), shape in shapes.layouts[match.piece][layout]
    ]


def _places(match: Match, base: str, value: Any) -> list[Spot]:
    """The places of a value on the board."""
    board = match.board
    match base:
        case "cell":
            return [Spot(*xy_of(value))]
        case "tile":
            return [_tile(match, value)]
        case "segment":
            return [_segment(match, value)]
        case "feature":
            return [_tile(match, tile) for tile in bits(board.tiles[board.find(value)])]
        case "print":
            cell, shape, index = value
            return [Spot(*xy_of(cell), board.shapes.segment_names[shape][index])]
        case "figure" if match.spot[value] >= 0:
            spot = match.spot[value]
            return [_segment(match, spot - 1) if spot & 31 else _tile(match, spot >> 5)]
    return []


def _tile(match: Match, tile: int) -> Spot:
    return Spot(*xy_of(match.board.tile_cell[tile]))


def _segment(match: Match, segment: int) -> Spot:
    board, tile = match.board, segment >> 5
    name = board.shapes.segment_names[board.tile_shape[tile]][segment & 31]
    return Spot(*xy_of(board.tile_cell[tile]), name)
