"""Places and pieces in the words of the page: a kind, and the sides or corners where it is."""

from __future__ import annotations

from tilewright.faces.studio.table.match_view import looks
from tilewright.language.locale.words import Words
from tilewright.play.match import Match
from tilewright.play.notation import cell_text
from tilewright.rules.linking.game import Game
from tilewright.rules.model.geometry import HEADINGS, border_places, turned
from tilewright.rules.model.ruleset import Reach, TileFace
from tilewright.view.match_phrases import part_lines, spot_label

#: by half of a side: the corner that it is at
_CORNERS = {
    "NNE": "NE", "ENE": "NE", "ESE": "SE", "SSE": "SE",
    "SSW": "SW", "WSW": "SW", "WNW": "NW", "NNW": "NW",
}  # fmt: skip


def part_words(match: Match, face: TileFace, name: str, language: str, turn: int) -> str:
    """A segment of a tile that lies turned: its kind and its sides or corners."""
    known, key = looks(match, language).part_words, (id(face), name, turn)
    if key not in known:
        known[key] = _part_words(match.program.game, face, name, language, turn)
    return known[key]


def _part_words(game: Game, face: TileFace, name: str, language: str, turn: int) -> str:
    part = next(each for each in face.segments if each.id == name)
    kind = next(each for each in game.features if each.id == part.kind)
    ports = {turned(port, turn) for port in part.ports}
    places = border_places(ports, in_halves=kind.reach is Reach.HALVES)
    # a half of a side is called by its corner
    found = {_CORNERS.get(place, place) for place in places}
    where = [Words(language)(f"studio.table_side_{side}") for side in HEADINGS if side in found]
    label = kind.label.get(language) or kind.id
    return ", ".join([label, *where]) if len(where) < 4 else label


def segment_words(match: Match, segment: int, language: str) -> str:
    """A segment on the board, and the tiles of its feature where these are several."""
    board, shapes = match.board, match.board.shapes
    shape, index = board.tile_shape[segment >> 5], segment & 31
    name, turn = shapes.segment_names[shape][index], shapes.turn_of[shape]
    found = part_words(match, shapes.face_of[shape], name, language, turn)
    tiles = board.tiles[board.find(board.tile_features[segment >> 5][index])].bit_count()
    if tiles < 2:
        return found
    return f"{found}, {Words(language).plural('studio.table_tiles', tiles)}"


def place_words(match: Match, figure: int, language: str) -> str:
    """Where a figure is."""
    spot = match.spot[figure]
    if spot > 0 and spot & 31:
        cell = cell_text(match.board.tile_cell[spot >> 5])
        board, shapes = match.board, match.board.shapes
        shape = board.tile_shape[spot >> 5]
        name, turn = shapes.segment_names[shape][(spot & 31) - 1], shapes.turn_of[shape]
        return f"{part_words(match, shapes.face_of[shape], name, language, turn)}, {cell}"
    return spot_label(match, figure, language)


def piece_words(match: Match, piece: int, language: str) -> str:
    """The print of a piece."""
    game = match.program.game
    return "; ".join(line for _, line in part_lines(game, game.pieces[piece].faces[0][0], language))
