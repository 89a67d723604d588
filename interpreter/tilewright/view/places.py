"""The places and pieces of a board in words, as players call them: no coordinate, no id.

A feature is called by its kind, its tiles and its figures, a tile by the figures or features on it,
a figure by its role and its owner. All nouns are labels of the game. Nothing is named before it is
shown: names cost more than a choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from tilewright.language.locale.words import Words
from tilewright.language.source.identity import kept_by_identity_with
from tilewright.play.board.board import xy_of
from tilewright.play.board.relaying import is_face_down
from tilewright.play.encoding import BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY, OFFSETS
from tilewright.play.library.functions import segment_kind
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.notation import seat_name
from tilewright.rules.linking.game import Game
from tilewright.rules.model.geometry import HEADINGS, border_places, turned
from tilewright.rules.model.ruleset import ItemDecl, Labels, Reach, Role, TileFace

#: by half of a side: the corner that it is at
_CORNERS = {
    "NNE": "NE", "ENE": "NE", "ESE": "SE", "SSE": "SE",
    "SSW": "SW", "WSW": "SW", "WNW": "NW", "NNW": "NW",
}  # fmt: skip


def called(label: Labels | None, id_: str, language: str) -> str:
    """A label in a language, or the id of what has none."""
    return (label.get(language) if label is not None else "") or id_


def counted(names: Iterable[str], words: Words) -> list[str]:
    """Names, each once with its number: `a`, `b twice`."""
    return [_times(name, many, words) for name, many in Counter(names).items()]


def _times(name: str, many: int, words: Words) -> str:
    if many == 1:
        return name
    if many == 2:
        return words("place.twice", thing=name)
    return words.plural("place.times", many, thing=name)


# ------------------------------------------------------------------ players, figures, stacks


def seat_label(match: Match, player: int, language: str) -> str:
    """The label of a player: the colour of the seat."""
    seats = match.program.game.seats
    if player < len(seats):
        return seats[player].label.get(language) or seats[player].id
    return seat_name(match, player)


def stack_label(match: Match, stack: int, language: str) -> str:
    """The label of a stack."""
    declared = match.program.game.stacks[stack]
    return declared.label.get(language) or declared.id


def figure_label(match: Match, figure: int, language: str, reader: int = -1) -> str:
    """A figure by its kind, and whose it is where that is not the reader."""
    kind = match.program.game.figures[match.figure_kind[figure]]
    return _owned(match, figure, kind.label.get(language) or kind.id, language, reader)


def role_label(match: Match, figure: int, language: str, reader: int = -1) -> str:
    """A figure by its role where it is, else by its kind, and whose it is."""
    role = role_of(match, figure)
    label = "" if role is None else role_words(match, figure, role, language)
    if not label:
        return figure_label(match, figure, language, reader)
    return _owned(match, figure, label, language, reader)


def role_words(match: Match, figure: int, role: Role, language: str) -> str:
    """The label of the role of a figure; its kind alone where that begins the label, which then
    only adds the place. "" where the role has none."""
    label = role.label.get(language)
    kind = match.program.game.figures[match.figure_kind[figure]].label.get(language)
    return kind if kind and label.startswith(f"{kind} ") else label


def _owned(match: Match, figure: int, label: str, language: str, reader: int) -> str:
    owner = match.owner[figure]
    if owner is None or owner == reader:
        return label
    name = seat_label(match, owner, language)
    return Words(language)("place.owned", owner=name, figure=label)


def definite(names: Iterable[str], words: Words) -> list[str]:
    """Names as those of known things, where a language has articles; equal ones one after the
    other: `the a`, `another a`."""
    return _each(names, "place.the", words)


def indefinite(names: Iterable[str], words: Words) -> list[str]:
    """Names as those of things of a kind, where a language has articles; equal ones one after the
    other: `an a`, `another a`."""
    return _each(names, "place.a", words)


def _each(names: Iterable[str], key: str, words: Words) -> list[str]:
    return [
        words("place.another" if number else key, thing=name)
        for name, many in Counter([*names]).items()
        for number in range(many)
    ]


def role_of(match: Match, figure: int, segment: int | None = None) -> Role | None:
    """The role of a figure on a segment, or where it is."""
    spot = match.spot[figure]
    if segment is None and spot > 0 and spot & 31:
        segment = spot - 1
    if segment is None:
        return None
    game = match.program.game
    on = match.board.shapes.kind_ids[segment_kind(match, segment)]
    kind = game.figures[match.figure_kind[figure]].id
    return next((r for r in game.roles if r.on == on and kind in r.figures), None)


# ------------------------------------------------------------------ features and their parts


def part_label(game: Game, face: TileFace, name: str, language: str, turn: int = 0) -> str:
    """A segment of a tile that lies turned: its kind and its sides or corners."""
    known, key = _part_labels(game, language), (id(face), name, turn)
    if key not in known:
        known[key] = ", ".join(_part(game, face, name, language, turn))
    return known[key]


@kept_by_identity_with
def _part_labels(game: Game, language: str) -> dict[tuple[int, str, int], str]:
    """By the identity of a face of the game, the name of a segment, and a turn; filled in use."""
    return {}


def _part(game: Game, face: TileFace, name: str, language: str, turn: int) -> list[str]:
    part = next(each for each in face.segments if each.id == name)
    kind = next(each for each in game.features if each.id == part.kind)
    return [kind.label.get(language) or kind.id, *_sides(face, name, kind.reach, language, turn)]


def _sides(face: TileFace, name: str, reach: Reach, language: str, turn: int) -> list[str]:
    """The sides and corners of a segment; none where it has all."""
    part = next(each for each in face.segments if each.id == name)
    ports = {turned(port, turn) for port in part.ports}
    places = border_places(ports, in_halves=reach is Reach.HALVES)
    # a half of a side is called by its corner
    found = {_CORNERS.get(place, place) for place in places}
    where = [Words(language)(f"place.side_{side}") for side in HEADINGS if side in found]
    return where if len(where) < 4 else []


def feature_label(match: Match, feature: int, language: str) -> str:
    """A feature by its kind, its tiles, and the figures on it."""
    root = match.board.find(feature)
    return _with(match, bits(match.board.figures[root]), _sized(match, root, language), language)


def segment_label(match: Match, segment: int, language: str, without: int = -1) -> str:
    """A segment by its feature and its sides, as it lies, and the figures on the feature other
    than one."""
    board, shapes = match.board, match.board.shapes
    tile, index = segment >> 5, segment & 31
    shape = board.tile_shape[tile]
    if index >= len(shapes.segment_names[shape]):  # it lies face down by now
        return Words(language)("match.face_down")
    root, name = board.find(board.tile_features[tile][index]), shapes.segment_names[shape][index]
    face, turn = shapes.face_of[shape], shapes.turn_of[shape]
    reach = match.program.game.features[board.kind[root]].reach
    figures = (each for each in bits(board.figures[root]) if each != without)
    place, sides = _sized(match, root, language), _sides(face, name, reach, language, turn)
    if sides:
        words = Words(language)
        place = words("place.in", place=place, sides=words.listed(sides))
    return _with(match, figures, place, language)


def _sized(match: Match, root: int, language: str) -> str:
    """The kind of a feature, and its tiles where it has several."""
    board = match.board
    kind = match.program.game.features[board.kind[root]]
    label, tiles = called(kind.label, kind.id, language), board.tiles[root].bit_count()
    return Words(language).plural("place.sized", tiles, kind=label) if tiles > 1 else label


def _with(match: Match, figures: Iterable[int], place: str, language: str) -> str:
    words = Words(language)
    labels = (role_label(match, figure, language) for figure in figures)
    names = definite(counted(labels, words), words)
    return words("place.with", place=place, figures=words.listed(names)) if names else place


# ------------------------------------------------------------------ tiles and cells


def tile_words(game: Game, face: TileFace, language: str) -> str:
    """The kinds and marks on a tile, each once, in a list."""
    kinds = {kind.id: kind.label for kind in game.features}
    symbols = {symbol.id: symbol.label for symbol in game.symbols}
    names: list[str] = []
    for part in face.segments:
        names.append(called(kinds.get(part.kind), part.kind, language))
        names += (called(symbols.get(id_), id_, language) for id_ in part.symbols)
    names += (called(symbols.get(id_), id_, language) for id_ in face.symbols)
    words = Words(language)
    return words.listed(indefinite(dict.fromkeys(names), words))


def stacked_label(match: Match, number: int, language: str) -> str:
    """A thing drawn from a stack: the label of an item, a piece by what is printed on it."""
    game = match.program.game
    drawn = game.stacked[number]
    if isinstance(drawn, ItemDecl):
        return called(drawn.label, drawn.id, language)
    words = Words(language)
    printed = "; ".join(tile_words(game, cell, language) for cell in drawn.faces[0])
    return words("place.tile_with", things=printed) if printed else words("place.blank_tile")


def tile_label(match: Match, tile: int, language: str, without: int = -1) -> str:
    """A tile on the board by the figures on it other than one, else by what is printed there."""
    words = Words(language)
    if is_face_down(match.board, tile):
        return words("match.face_down")
    there = (figure for figure, spot in enumerate(match.spot) if spot >= 0 and spot >> 5 == tile)
    figures = [role_label(match, figure, language) for figure in there if figure != without]
    if figures:
        named = definite(counted(figures, words), words)
        return words("place.tile_with", things=words.listed(named))
    sizes = _sizes(match, _features_of(match, tile), language)
    things = indefinite([*_landmarks(match, tile, language), *sizes], words)
    return words("place.tile_with", things=words.listed(things)) if things else words("place.tile")


def _landmarks(match: Match, tile: int, language: str) -> list[str]:
    """The landmarks on a tile, each once."""
    face = match.board.shapes.face_of[match.board.tile_shape[tile]]
    printed = {*face.symbols, *(id_ for part in face.segments for id_ in part.symbols)}
    return [
        called(symbol.label, symbol.id, language)
        for symbol in match.program.game.symbols
        if symbol.is_landmark and symbol.id in printed
    ]


def cell_label(match: Match, cell: int, language: str) -> str:
    """A cell by its tile, or by the features that a tile there would touch."""
    tile, words = match.board.tile_at.get(cell), Words(language)
    if tile is not None:
        return tile_label(match, tile, language)
    touched = indefinite(_sizes(match, _touching(match, cell), language), words)
    if touched:
        return words("place.beside", features=words.listed(touched))
    return words("place.free")


def placement_label(match: Match, cell: int, layout: int, language: str) -> str:
    """A placement of the piece in hand, found by laying it on a copy of the match."""
    trial = match.fork()
    laid = trial.board.lay(match.piece, layout, cell)
    return laid_label(trial, (laid & -laid).bit_length() - 1, language)


def laid_label(match: Match, tile: int, language: str) -> str:
    """A tile that was just laid, by the features that it finishes and continues."""
    board, words = match.board, Words(language)
    grown = _notable(
        match, (f for f in _features_of(match, tile) if board.tiles[f].bit_count() > 1)
    )
    parts = {
        "finishes": [feature for feature in grown if board.is_complete(feature)],
        "continues": [feature for feature in grown if not board.is_complete(feature)],
    }
    named = [
        words(f"place.{key}", features=words.listed(names))
        for key, features in parts.items()
        if (names := definite((feature_label(match, each, language) for each in features), words))
    ]
    return "; ".join(named) or words("place.lays", tile=tile_label(match, tile, language))


def _notable(match: Match, features: Iterable[int]) -> list[int]:
    """Features, each once, without those of kinds that never end if there are others."""
    shapes, kind = match.board.shapes, match.board.kind
    found = list(dict.fromkeys(features))
    return [feature for feature in found if shapes.closes[kind[feature]]] or found


def _sizes(match: Match, features: Iterable[int], language: str) -> list[str]:
    """Features by their kinds and tiles."""
    return [_sized(match, feature, language) for feature in _notable(match, features)]


def _features_of(match: Match, tile: int) -> Iterator[int]:
    return map(match.board.find, match.board.tile_features[tile])


def _touching(match: Match, cell: int) -> Iterator[int]:
    """The features that a tile on a cell would touch."""
    board = match.board
    for side, step in enumerate(OFFSETS):
        tile = board.tile_at.get(cell + step)
        if tile is not None and not is_face_down(board, tile):
            sides = board.shapes.segment_sides[board.tile_shape[tile]]
            for feature, own in zip(board.tile_features[tile], sides, strict=True):
                if side ^ 2 in own:
                    yield board.find(feature)


def bearing(origin: int, cell: int, words: Words) -> str:
    """The side or corner of a cell at which another one is; "" where they do not touch."""
    (x, y), (to_x, to_y) = xy_of(origin), xy_of(cell)
    north = {1: "N", 0: "", -1: "S"}.get(to_y - y, " ")
    east = {1: "E", 0: "", -1: "W"}.get(to_x - x, " ")
    side = f"{north}{east}"
    return words(f"place.side_{side}") if side in HEADINGS else ""


# ------------------------------------------------------------------ where a figure is


def spot_label(match: Match, figure: int, language: str) -> str:
    """Where a figure is."""
    spot, words = match.spot[figure], Words(language)
    if spot == IN_SUPPLY:
        return words("match.home")
    if spot <= BESIDE_STACK:
        return words("match.beside", stack=stack_label(match, BESIDE_STACK - spot, language))
    if spot <= IN_FRONT_OF:
        return words("match.front_of", player=seat_label(match, IN_FRONT_OF - spot, language))
    if spot & 31:
        return segment_label(match, spot - 1, language, without=figure)
    other = match.attached_to[figure]
    if other is not None:
        return role_label(match, other, language)
    return tile_label(match, spot >> 5, language, without=figure)
