"""The table as data for a page: tiles, figures, players, stacks, and places in words. Reads a match
only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tilewright.faces.studio.protocol import table as t
from tilewright.language.locale.words import Words
from tilewright.language.source.identity import kept_by_identity_with
from tilewright.language.types import Type
from tilewright.play.board.board import xy_of
from tilewright.play.board.joining import feature_at
from tilewright.play.board.recasting import segments_of
from tilewright.play.board.relaying import is_face_down
from tilewright.play.encoding import IN_SUPPLY
from tilewright.play.library.kept import all_kept
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.notation import (
    seat_name,
    segment_name,
    stack_holder,
    stacks_in_play,
)
from tilewright.play.observation import figure_state, stack_state
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import TileFace
from tilewright.view.board.curves import Point
from tilewright.view.board.scene import TilePicture
from tilewright.view.board.tile_layout import figure_places, place_on, segment_at, token_places
from tilewright.view.board.view import (
    scene_of,
    shows_tokens,
    spoken_kinds,
    spoken_symbols,
    tile_states,
)
from tilewright.view.match_phrases import (
    event_words,
    memory_label,
    part_lines,
    recast_words,
    token_label,
    value_words,
)
from tilewright.view.places import figure_label, role_of, spot_label, stack_label, stacked_label

#: by cell: the choices before it was laid, and the seat that laid it
Laid = Mapping[tuple[int, int], tuple[int, str]]
#: by half of a side: the corner that it is at
_CORNERS = {
    "NNE": "NE", "ENE": "NE", "ESE": "SE", "SSE": "SE",
    "SSW": "SW", "WSW": "SW", "WNW": "NW", "NNW": "NW",
}  # fmt: skip
#: the piece of a tile that lies face down, among the drawings of a game
BACK_ID = ""
#: by figure on the board: its place on its tile, (u, v) from 0 to 1
Stands = Mapping[int, list[float]]


class Looks:
    """The look of a game, computed once: its faces by number, its kinds in a language."""

    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        self.language = language
        self.kinds = spoken_kinds(game, language)
        self.symbols = spoken_symbols(game, language)
        self.parts: dict[tuple[int, int], tuple[int, int]] = {
            (number, id(cell)): (face_number, part)
            for number, piece in enumerate(game.pieces)
            for face_number, face in enumerate(piece.faces)
            for part, cell in enumerate(face)
        }

    def part(self, piece: int, face: TileFace) -> tuple[int, int]:
        """The number of a face of a piece, and that of the cell in it."""
        found = self.parts.get((piece, id(face)))
        if found is not None:
            return found
        faces = self.game.pieces[piece].faces
        return next(
            (n, part) for n, cells in enumerate(faces) for part, c in enumerate(cells) if c == face
        )

    def place(self, tile: TilePicture, segment: str | None) -> list[float]:
        """Where a figure on a segment of a tile stands, (u, v) from 0 to 1."""
        if segment is None:
            return [0.5, 0.5]
        return as_share(place_on(tile.face, self.kinds, self.symbols, segment, tile.turn))

    def segment(self, tile: TilePicture, at: Sequence[float]) -> str | None:
        """The segment of a tile at (u, v), each from 0 to 1."""
        point = (min(max(at[0], 0), 0.999) * 100, min(max(at[1], 0), 0.999) * 100)
        return segment_at(tile.face, self.kinds, self.symbols, point, tile.turn)


@kept_by_identity_with
def _looks_of(game: Game, language: str) -> Looks:
    return Looks(game, language)


def looks(match: Match, language: str) -> Looks:
    """The looks of a match's game in a language."""
    return _looks_of(match.program.game, language)


def as_share(point: Point) -> list[float]:
    """A point on a tile, from 0 to 1."""
    return [round(point[0] / 100, 4), round(point[1] / 100, 4)]


# ------------------------------------------------------------------ the board


def board_state(
    match: Match,
    language: str = "en",
    laid: Laid | None = None,
    stands: Stands | None = None,
    scored: Iterable[tuple[str, int]] = (),
) -> t.BoardState:
    """The board: every cell of every piece, tokens, and the figures that are not at home; `scored`
    as in `scene_of`.
    """
    if stands is None:
        stands = figure_stands(match)
    tiles = _tiles(match, language, laid or {}, scored)
    xs, ys = [tile["cell"][0] for tile in tiles], [tile["cell"][1] for tile in tiles]
    bounds = [min(xs), max(xs), min(ys), max(ys)] if tiles else [0, 0, 0, 0]
    return {
        "tiles": tiles,
        "figures": _figures(match, language, stands),
        "tokens": _tokens(match, language),
        "joins": _joins(match, language),
        "recasts": _recasts(match, language),
        "bounds": bounds,
    }


def tile_pictures(match: Match) -> dict[tuple[int, int], TilePicture]:
    """The tiles on the board by cell."""
    board, shapes = match.board, match.board.shapes
    found = {}
    for cell, tile in board.tile_at.items():
        x, y = xy_of(cell)
        shape = board.tile_shape[tile]
        found[x, y] = TilePicture(shapes.face_of[shape], shapes.turn_of[shape], x, y)
    return found


def _tiles(
    match: Match, language: str, laid: Laid, scored: Iterable[tuple[str, int]]
) -> list[t.BoardTile]:
    board, shapes, look = match.board, match.board.shapes, looks(match, language)
    found: list[t.BoardTile] = []
    states = tile_states(match, scored)
    for number in board.lying():
        shape = board.tile_shape[number]
        piece, is_down = shapes.piece_of[shape], is_face_down(board, number)
        x, y = xy_of(board.tile_cell[number])
        face, part = (0, 0) if is_down else look.part(piece, shapes.face_of[shape])
        tile: t.BoardTile = {
            "cell": [x, y],
            "piece": BACK_ID if is_down else shapes.piece_ids[piece],
            "face": face,
            "part": part,
            "turn": shapes.turn_of[shape],
        }
        if (x, y) in laid:
            tile["laid"], tile["by"] = laid[x, y]
        if number in states and not is_down:
            tile["finished"] = sorted(states[number].finished)
            flags = sorted(states[number].flags.items())
            if flags:
                tile["flags"] = [{"segment": n, "colours": list(has)} for n, has in flags]
            owners = sorted(states[number].owners.items())
            tile["owners"] = [
                {"segment": n, "colours": [one.colour for one in has]} for n, has in owners
            ]
        found.append(tile)
    return found


def figure_stands(match: Match) -> Stands:
    """Where every figure on the board stands, clear of the others."""
    places = figure_places(scene_of(match, with_options=False))
    on_board = [figure for figure, spot in enumerate(match.spot) if spot >= 0]
    return {figure: as_share(at) for figure, at in zip(on_board, places, strict=True)}


def _figures(match: Match, language: str, stands: Stands) -> list[t.BoardFigure]:
    found = [_figure(match, figure, language, at) for figure, at in stands.items()]
    away = (figure for figure, spot in enumerate(match.spot) if spot < IN_SUPPLY)
    return found + [_figure(match, figure, language, [0.5, 0.5]) for figure in away]


def _tokens(match: Match, language: str) -> list[t.BoardToken]:
    if not any(map(shows_tokens, match.program.game.memory)):
        return []
    scene = scene_of(match, language=language, with_options=False)
    return [
        {
            "kind": token.kind.id,
            "label": token.kind.label.get() or token.kind.id,
            "count": token.count,
            "cell": [token.x, token.y],
            "at": as_share(at),
        }
        for token, at in zip(scene.tokens, token_places(scene), strict=True)
    ]


def _joins(match: Match, language: str) -> list[t.BoardJoin]:
    found: list[t.BoardJoin] = []
    for pair in match.board.links:
        places = [segment_place(match, segment, language) for segment in pair]
        cells, at = [cell for cell, _ in places], [spot for _, spot in places]
        found.append(
            {"cells": cells, "at": at, "words": event_words(match, "join", pair, language)}
        )
    return found


def _recasts(match: Match, language: str) -> list[t.BoardRecast]:
    board, found = match.board, list[t.BoardRecast]()
    for first, kind in board.recasts:
        segments = segments_of(board, feature_at(board, first))
        places = [segment_place(match, segment, language) for segment in segments]
        cells, at = [cell for cell, _ in places], [spot for _, spot in places]
        colour = match.program.game.features[kind].colour
        words = recast_words(match, feature_at(board, first), kind, language)
        found.append({"cells": cells, "at": at, "colour": colour, "words": words})
    return found


def segment_place(match: Match, segment: int, language: str) -> tuple[list[int], list[float]]:
    """The cell of a segment, and the place of a figure on it, (u, v) from 0 to 1."""
    board, shapes = match.board, match.board.shapes
    tile, shape = segment >> 5, board.tile_shape[segment >> 5]
    x, y = xy_of(board.tile_cell[tile])
    picture = TilePicture(shapes.face_of[shape], shapes.turn_of[shape], x, y)
    return [x, y], looks(match, language).place(picture, segment_name(match, segment))


def _figure(match: Match, figure: int, language: str, at: list[float]) -> t.BoardFigure:
    seen, spot = figure_state(match, figure), match.spot[figure]
    role = role_of(match, figure) if spot >= 0 else None
    found: t.BoardFigure = {
        "id": seen["id"],
        "kind": seen["kind"],
        "label": figure_label(match, figure, language),
        "owner": seen["owner"],
        "cell": figure_cell(match, figure),
        "at": at,
        "place": spot_label(match, figure, language),
        "lying": role is not None and role.posture == "lying",
    }
    if role is not None:
        found["role"] = role.label.get(language) or role.id
    if spot >= 0 and spot & 31:
        found["segment"] = segment_name(match, spot - 1)
    if "facing" in seen:
        found["facing"] = seen["facing"]
    if "beside" in seen:
        found["beside"] = seen["beside"]
    return found


def figure_cell(match: Match, figure: int) -> list[int] | None:
    """The cell of a figure on the board."""
    spot = match.spot[figure]
    return list(xy_of(match.board.tile_cell[spot >> 5])) if spot >= 0 else None


# ------------------------------------------------------------------ beside the board


def figures_of(match: Match, player: int, language: str) -> list[t.Holding]:
    """The figures of a player by kind: how many, and how many are not at home."""
    found: list[t.Holding] = []
    for number, kind in enumerate(match.program.game.figures):
        mine = match.of_kind[number] & match.of_player[player]
        if kind.owned and mine:
            home = (match.in_supply & mine).bit_count()
            label = kind.label.get(language) or kind.id
            count = mine.bit_count()
            found.append({"id": kind.id, "label": label, "count": count, "out": count - home})
    return found


def tokens_of(match: Match, holder: int, language: str) -> list[t.Holding]:
    """The tokens of a player, or with -1 those of the common supply."""
    found = []
    for number, token in enumerate(match.program.game.tokens):
        count = match.token_count(number, holder)
        holding: t.Holding = {
            "id": token.id,
            "label": token_label(match, number, language),
            "count": count,
            "out": token.count - count if holder < 0 else 0,
        }
        if count or holder < 0:
            found.append(holding)
    return found


def stacks_of(match: Match, viewer: int | None, language: str) -> list[t.StackRow]:
    """The stacks in play; their pieces where the viewer may see them."""
    found: list[t.StackRow] = []
    for number in stacks_in_play(match):
        view, holder = stack_state(match, number, viewer), stack_holder(match, number)
        row: t.StackRow = {
            "id": match.program.game.stacks[number].id,
            "label": stack_label(match, number, language),
            "count": view["count"],
            "owner": None if holder is None else seat_name(match, holder),
        }
        if "pieces" in view and match.program.game.stacks[number].holds == "items":
            row["items"] = _items(match, number, language)
        elif "pieces" in view:
            row["pieces"] = view["pieces"]
        found.append(row)
    return found


def _items(match: Match, stack: int, language: str) -> list[t.StackedItem]:
    """The items of a stack by kind, in the order in which the kinds are declared."""
    game, held = match.program.game, match.stacks[stack]
    return [
        {
            "id": game.stacked[item].id,
            "label": stacked_label(match, item, language),
            "count": held.count(item),
        }
        for item in sorted(set(held))
    ]


def memory_of(match: Match, language: str) -> list[t.Remembered]:
    """The memory of the game in words; that of things has each thing with its value."""
    words = Words(language)
    found: list[t.Remembered] = []
    for slot, known in enumerate(match.program.game.memory):
        if known.of:
            of, type_ = known.of, known.type
            value = "; ".join(
                f"{value_words(match, Type(of), thing, words)}: "
                f"{value_words(match, type_, kept, words)}"
                for thing, kept in all_kept(match, slot)
            )
        else:
            value = value_words(match, known.type, match.memory[slot], words)
        label = memory_label(known.declaration, language)
        found.append({"id": known.declaration.id, "label": label, "value": value})
    return found


def feature_cells(match: Match, feature: int) -> list[list[int]]:
    """The cells of a feature."""
    board = match.board
    return [list(xy_of(board.tile_cell[tile])) for tile in bits(board.tiles[board.find(feature)])]


def piece_words(match: Match, piece: int, language: str) -> str:
    """The print of a piece."""
    game = match.program.game
    return "; ".join(line for _, line in part_lines(game, game.pieces[piece].faces[0][0], language))
