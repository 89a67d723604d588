"""From a match to a scene: the placed tiles, the figures, the open cells, one option on the board.

Only reads the match, and nothing is played, so no drawing and no hidden fact is shown. Colours,
labels and postures come from the declarations in the game; figures on one tile are drawn in the
order of their numbers. `text` and `svg` decide the look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tilewright.language.source.identity import kept_by_identity_with
from tilewright.language.types import Type
from tilewright.play.board.board import xy_of
from tilewright.play.board.joining import feature_at
from tilewright.play.board.recasting import segments_of
from tilewright.play.board.relaying import seen_piece
from tilewright.play.library.functions import segment_kind
from tilewright.play.library.kept import all_kept
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.notation import (
    option_parts,
    place_on_board,
    read_segment,
    segment_name,
    stack_holder,
    stacks_in_play,
)
from tilewright.play.visibility import sees_stack
from tilewright.rules.linking.game import Game, LinkedMemory
from tilewright.rules.model.ruleset import (
    FeatureKind,
    ItemDecl,
    Labels,
    PieceKind,
    SymbolDecl,
    TileFace,
    TokenDecl,
)
from tilewright.view.board.glyphs import DASHES, distinct_letters
from tilewright.view.board.scene import (
    FigurePicture,
    Focus,
    Highlight,
    Recent,
    Scene,
    ScoreLine,
    Spot,
    TilePicture,
    TokenPicture,
)
from tilewright.view.board.tile_state import OPEN, Owner, TileState
from tilewright.view.places import seat_label

#: how many cells wide or high a picture of one choice may be
_CLOSE = 6


def scene_of(
    match: Match,
    *,
    title: str = "",
    language: str = "en",
    with_options: bool = True,
    scored: Iterable[tuple[str, int]] = (),
) -> Scene:
    """The whole table; `scored` has features, as `feature_text` names them, and the players who
    had points for them, whose flags are there.
    """
    game = match.program.game
    return Scene(
        tiles=_tiles(match, scored),
        figures=_figures(match, language),
        kinds=spoken_kinds(game, language),
        symbols=spoken_symbols(game, language),
        highlights=tuple(_open_cells(match)) if with_options else (),
        title=title,
        scores=_scores(match, language),
        language=language,
        tokens=_tokens(match, language),
        joins=tuple((_spot(match, one), _spot(match, other)) for one, other in match.board.links),
    )


# the same objects for every scene of a game: layouts of tiles are kept by them
@kept_by_identity_with
def spoken_kinds(game: Game, language: str) -> Mapping[str, FeatureKind]:
    """The kinds of feature with their labels in one language: drawings ask for no other."""
    return {
        kind.id: replace(
            kind,
            label=_spoken(kind.label, language),
            attributes=tuple(replace(a, label=_spoken(a.label, language)) for a in kind.attributes),
        )
        for kind in game.features
    }


@kept_by_identity_with
def spoken_symbols(game: Game, language: str) -> Mapping[str, SymbolDecl]:
    """The symbols with their labels in one language."""
    return {s.id: replace(s, label=_spoken(s.label, language)) for s in game.symbols}


def _spoken(label: Labels, language: str) -> Labels:
    return Labels((("en", label.get(language)),))


def _tiles(match: Match, scored: Iterable[tuple[str, int]]) -> tuple[TilePicture, ...]:
    board, shapes = match.board, match.board.shapes
    found = []
    became, states = recast_segments(match), tile_states(match, scored)
    for tile in board.lying():
        shape, piece = board.tile_shape[tile], seen_piece(board, tile)
        x, y = xy_of(board.tile_cell[tile])
        name, face = "" if piece is None else shapes.piece_ids[piece], shapes.face_of[shape]
        if tile in became:
            face = _recast(face, tuple(became[tile].items()))
        state = states.get(tile, OPEN)
        found.append(TilePicture(face, shapes.turn_of[shape], x, y, name, state))
    return tuple(found)


def tile_states(match: Match, scored: Iterable[tuple[str, int]] = ()) -> dict[int, TileState]:
    """By tile: the finished features with those who `scored` them (see `scene_of`), and the owners
    of others, those with most figures first.
    """
    board, seats = match.board, match.program.game.seats
    owners: dict[int, Counter[int]] = {}
    for figure, spot in enumerate(match.spot):
        owner = match.owner[figure]
        if spot >= 0 and spot & 31 and owner is not None and owner < len(seats):
            owners.setdefault(feature_at(board, spot - 1), Counter())[owner] += 1
    by_feature = {
        feature: tuple(
            Owner(seats[owner].colour, DASHES[owner % len(DASHES)])
            for owner, _ in counted.most_common()
        )
        for feature, counted in owners.items()
    }
    roots, closes = board.roots(), board.shapes.closes
    flags: dict[int, dict[str, None]] = {}
    for feature, player in scored:
        segment = read_segment(match, feature.rpartition(" ")[2])
        if segment is not None and player < len(seats):
            flags.setdefault(feature_at(board, segment), {})[seats[player].colour] = None
    found = {}
    for tile in board.lying():
        features = [roots[feature] for feature in board.tile_features[tile]]
        finished = frozenset(
            number
            for number, root in enumerate(features)
            if not board.open_ends[root] and closes[board.kind[root]]
        )
        owned = {
            number: by_feature[root]
            for number, root in enumerate(features)
            if root in by_feature and number not in finished
        }
        waving = {n: tuple(flags[features[n]]) for n in finished if features[n] in flags}
        if finished or owned:
            found[tile] = TileState(finished, owned, waving)
    return found


def recast_segments(match: Match) -> dict[int, dict[str, str]]:
    """By tile: the names of the segments that are of another kind than printed, and the kinds."""
    board, found = match.board, dict[int, dict[str, str]]()
    for first, kind in board.recasts:
        for segment in segments_of(board, feature_at(board, first)):
            name = segment_name(match, segment)
            found.setdefault(segment >> 5, {})[name] = board.shapes.kind_ids[kind]
    return found


@kept_by_identity_with
def _recast(face: TileFace, became: tuple[tuple[str, str], ...]) -> TileFace:
    """A face with segments of other kinds than are printed."""
    kinds = dict(became)
    segments = tuple(replace(s, kind=kinds.get(s.id, s.kind)) for s in face.segments)
    return replace(face, segments=segments)


def _figures(match: Match, language: str) -> tuple[FigurePicture, ...]:
    game, board, shapes = match.program.game, match.board, match.board.shapes
    letters, owners = _kind_letters(match, language), seat_marks(match, language)
    found = []
    for figure, spot in enumerate(match.spot):
        if spot < 0:
            continue
        kind = game.figures[match.figure_kind[figure]]
        owner = match.owner[figure]
        tile = spot >> 5
        x, y = xy_of(board.tile_cell[tile])
        segment: str | None = None
        posture = "standing"
        if spot & 31:
            segment = segment_name(match, spot - 1)
            on = shapes.kind_ids[segment_kind(match, spot - 1)]
            role = next((r for r in game.roles if r.on == on and kind.id in r.figures), None)
            posture = role.posture if role is not None else posture
        colour = kind.colour
        if owner is not None:
            colour = game.seats[owner].colour if owner < len(game.seats) else kind.colour
        found.append(
            FigurePicture(
                kind,
                colour if owner is not None else "",
                x,
                y,
                segment,
                posture,
                match.facing[figure],
                kind.label.get(language),
                "" if owner is None else seat_label(match, owner, language),
                letters[match.figure_kind[figure]] + ("" if owner is None else owners[owner]),
                owner,
            )
        )
    return tuple(found)


def _spot(match: Match, segment: int) -> Spot:
    return Spot(*xy_of(match.board.tile_cell[segment >> 5]), segment_name(match, segment))


def shows_tokens(memory: LinkedMemory) -> bool:
    """Whether a memory counts the tokens on tiles or segments, or names the one that lies there."""
    on_board = memory.of in ("tile", "segment")
    return on_board and bool(memory.declaration.token or memory.type.base == "token")


def _tokens(match: Match, language: str) -> tuple[TokenPicture, ...]:
    """The tokens that memory counts or names on tiles and segments."""
    game, board = match.program.game, match.board
    kinds = {token.id: token for token in game.tokens}
    found = []
    for slot, memory in enumerate(game.memory):
        if not shows_tokens(memory):
            continue
        for thing, value in all_kept(match, slot):
            if memory.declaration.token:
                kind, count = kinds[memory.declaration.token], value
            else:
                kind, count = game.tokens[value], 1
            kind = replace(kind, label=_spoken(kind.label, language))
            tile = thing if memory.of == "tile" else thing >> 5
            segment = segment_name(match, thing) if memory.of == "segment" else None
            if count > 0:
                found.append(TokenPicture(kind, count, *xy_of(board.tile_cell[tile]), segment))
    return tuple(found)


def figure_mark(match: Match, figure: int, language: str) -> str:
    """Two letters for a figure on pages of text: its kind, and its owner if it has one."""
    owner = match.owner[figure]
    kind = _kind_letters(match, language)[match.figure_kind[figure]]
    return kind if owner is None else kind + seat_marks(match, language)[owner]


def _kind_letters(match: Match, language: str) -> list[str]:
    kinds = match.program.game.figures
    return distinct_letters([kind.label.get(language) or kind.id for kind in kinds])


def seat_marks(match: Match, language: str) -> list[str]:
    """A small letter for each player."""
    labels = [seat_label(match, player, language) for player in match.players]
    return [letter.lower() for letter in distinct_letters(labels)]


def _scores(match: Match, language: str) -> tuple[ScoreLine, ...]:
    seats = match.program.game.seats
    on_turn = match.to_move if match.to_move >= 0 else match.active
    marks = seat_marks(match, language)
    return tuple(
        ScoreLine(
            seat_label(match, player, language),
            seats[player].colour if player < len(seats) else "",
            match.points[player],
            player == on_turn and not match.is_over,
            marks[player],
            tuple(_store(match, player)),
        )
        for player in match.players
    )


def _store(match: Match, player: int) -> Iterator[tuple[TokenDecl | ItemDecl, int]]:
    """The tokens of a player, and the items in his stacks that are not hidden."""
    game = match.program.game
    for number, token in enumerate(game.tokens):
        if count := match.token_count(number, player):
            yield token, count
    for stack in stacks_in_play(match):
        is_seen = game.stacks[stack].holds == "items" and sees_stack(match, stack, None)
        if is_seen and stack_holder(match, stack) == player:
            held = match.stacks[stack]
            for item in sorted(set(held)):
                kind = game.stacked[item]
                if isinstance(kind, ItemDecl):
                    yield kind, held.count(item)


def placement_cells(match: Match) -> dict[int, list[int]]:
    """Where the piece in hand may go: the numbers of the options, from 1, by their first cell."""
    found: dict[int, list[int]] = {}
    if match.to_move < 0 or match.program.sites[match.decision_site].type.base != "placement":
        return found
    for number, (cell, _) in enumerate(match.values(), 1):
        found.setdefault(cell, []).append(number)
    return found


def _open_cells(match: Match) -> Iterable[Highlight]:
    for cell, numbers in placement_cells(match).items():
        x, y = xy_of(cell)
        if cell not in match.board.tile_at:
            yield Highlight(x, y, caption(numbers))


def caption(numbers: list[int], room: int = 5) -> str:
    """The numbers of some options, as many as there is room for: `3`, `3-6`, `3,9`, `3…`."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        text = f"{numbers[0]}-{numbers[-1]}"
    else:
        text = ",".join(map(str, numbers))
    return text if len(text) <= room else f"{numbers[0]}…"


# ------------------------------------------------------------------ one option on the board


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


def choice_scene(match: Match, number: int, language: str) -> Scene | None:
    """The places of an option close by, with a tile as it would lie and the land around them.

    None where it has no place, or where its places are far from one another.
    """
    scene = previewed(match, number, scene_of(match, language=language, with_options=False))
    if scene.focus is None or not scene.focus.cells:
        return None
    xs, ys = ({cell[axis] for cell in scene.focus.cells} for axis in (0, 1))
    west, south, east, north = min(xs) - 1, min(ys) - 1, max(xs) + 1, max(ys) + 1
    if max(east - west, north - south) >= _CLOSE:
        return None

    def is_near(each: TilePicture | FigurePicture | TokenPicture) -> bool:
        return west <= each.x <= east and south <= each.y <= north

    colour = match.program.game.seats[match.to_move].colour
    return Scene(
        tuple(filter(is_near, scene.tiles)),
        tuple(filter(is_near, scene.figures)),
        scene.kinds,
        scene.symbols,
        spots=scene.focus.spots,
        recent=tuple(Recent(x, y, colour) for x, y in scene.focus.cells),
        tokens=tuple(filter(is_near, scene.tokens)),
        language=language,
    )


def tile_scene(game: Game, piece: PieceKind, language: str) -> Scene:
    """One tile, as it is drawn: its first face."""
    tiles = tuple(TilePicture(cell, 0, cell.x, cell.y, piece.id) for cell in piece.faces[0])
    return Scene(tiles, (), spoken_kinds(game, language), spoken_symbols(game, language),
                 language=language)  # fmt: skip


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
