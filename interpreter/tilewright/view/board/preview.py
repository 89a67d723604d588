"""The board with one option on it: the tile as it would lie, and the places concerned.

Only the option itself is read. Nothing is played, so no drawing and no hidden fact is shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tilewright.language.types import Type
from tilewright.play.board.board import xy_of
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.notation import option_parts, place_on_board
from tilewright.view.board.scene import Focus, Scene, Spot, TilePicture
from tilewright.view.board.view import figure_mark


def previewed(match: Match, number: int, scene: Scene) -> Scene:
    """The scene of a match with one option of the decision at hand in focus."""
    if match.to_move < 0 or (match.optional and number == match.count - 1):
        return scene
    pairs = option_parts(match, number)
    laid = [tile for type_, value in pairs for tile in _laid(match, type_, value)]
    cells = [(tile.x, tile.y) for tile in laid]
    spots: list[Spot] = []
    mark = ""
    for type_, value in pairs:
        if value is None:
            continue
        for spot in _places(match, type_.base, value):
            cells.append((spot.x, spot.y))
            spots += [spot] if spot.segment is not None else []
        if type_.base == "figure":
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
    for type_, value in () if is_pass else option_parts(match, number):
        if type_.base == "piece" and value is not None:
            return value, 0
        if type_.base == "placement" and value is not None and match.piece >= 0:
            return match.piece, value[1]
    site = match.program.sites[match.decision_site]
    is_placement = not site.actions and site.type.base == "placement"
    return (match.piece if is_placement else -1), 0


def _laid(match: Match, type_: Type, value: Any) -> list[TilePicture]:
    """The tiles of a placement as they would lie."""
    if type_.base != "placement" or value is None or match.piece < 0:
        return []
    shapes, (cell, layout) = match.board.shapes, value
    x, y = xy_of(cell)
    name = shapes.piece_ids[match.piece]
    return [
        TilePicture(shapes.face_of[shape], shapes.turn_of[shape], x + dx, y + dy, name)
        for (dx, dy), shape in shapes.layouts[match.piece][layout]
    ]


def _places(match: Match, base: str, value: Any) -> list[Spot]:
    """The places of a value on the board, but for those where a tile would lie."""
    board = match.board
    if base == "feature":
        tiles = bits(board.tiles[board.find(value)])
        return [Spot(*xy_of(board.tile_cell[tile])) for tile in tiles]
    place = None if base == "placement" else place_on_board(match, base, value)
    return [] if place is None else [Spot(*xy_of(place[0]), place[1])]
