"""Options, places and points in words: the meaning of a notation line, in one language.

The notation is the same in every language; these words are shown beside it. Names of things come
from the declarations in the game, in English where a language has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tilewright.language.locale.words import Words
from tilewright.language.source.text import words_of
from tilewright.language.types import Type
from tilewright.play.board.board import xy_of
from tilewright.play.board.relaying import seen_piece
from tilewright.play.encoding import BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY
from tilewright.play.library.functions import segment_kind
from tilewright.play.library.kept import all_kept
from tilewright.play.match import Match
from tilewright.play.notation import option_texts, seat_name, spot_text, thing_text, value_text
from tilewright.rules.linking.game import Game
from tilewright.rules.model.geometry import (
    HALVES,
    SIDES,
    border_places,
    cell_name,
    read_cell,
    turned,
)
from tilewright.rules.model.ruleset import (
    NO_LABEL,
    FeatureKind,
    FigureKind,
    ItemDecl,
    Labels,
    Reach,
    Role,
    StackDecl,
    SymbolDecl,
    TileFace,
    TokenDecl,
)

#: values that the notation beside the words shows already
_SAID_BESIDE = ("placement", "cell", "tile", "number")


# ------------------------------------------------------------------ things of a match


def seat_label(match: Match, player: int, language: str) -> str:
    """The label of a player: the colour of the seat."""
    seats = match.program.game.seats
    if player < len(seats):
        return seats[player].label.get(language) or seats[player].id
    return seat_name(match, player)


def figure_label(match: Match, figure: int, language: str, reader: int = -1) -> str:
    """A figure for people: what it is, and whose where that is not the reader."""
    kind = match.program.game.figures[match.figure_kind[figure]]
    owner, label = match.owner[figure], kind.label.get(language) or kind.id
    if owner is None or owner == reader:
        return label
    return f"{label} ({seat_label(match, owner, language)})"


def kept_lines(match: Match) -> list[tuple[str, str]]:
    """The values that memory keeps for things, with its name: (`depth: 2`, `0,-1`)."""
    return [
        (
            f"{memory.declaration.id}: {value_text(match, memory.type, value)}",
            thing_text(match, memory.of, thing),
        )
        for slot, memory in enumerate(match.program.game.memory)
        if memory.of and memory.declaration.per == "game"
        for thing, value in all_kept(match, slot)
    ]


def spot_label(match: Match, figure: int, language: str) -> str:
    """Where a figure is, in words: a place on the board keeps its notation."""
    spot = match.spot[figure]
    if spot == IN_SUPPLY:
        return Words(language)("match.home")
    if spot <= BESIDE_STACK:
        return Words(language)(
            "match.beside", stack=stack_label(match, BESIDE_STACK - spot, language)
        )
    if spot <= IN_FRONT_OF:
        return Words(language)(
            "match.front_of", player=seat_label(match, IN_FRONT_OF - spot, language)
        )
    if spot & 31:
        return f"{spot_text(match, figure)}  {segment_label(match, spot - 1, language)}"
    return spot_text(match, figure)


def stack_label(match: Match, stack: int, language: str) -> str:
    """The label of a stack."""
    declared = match.program.game.stacks[stack]
    return declared.label.get(language) or declared.id


def stacked_label(match: Match, number: int, language: str) -> str:
    """A thing drawn from a stack, in words: the label of an item, the id of a piece."""
    drawn = match.program.game.stacked[number]
    return _called(drawn.label, drawn.id, language) if isinstance(drawn, ItemDecl) else drawn.id


def token_label(match: Match, token: int, language: str) -> str:
    """The label of a token."""
    declared = match.program.game.tokens[token]
    return declared.label.get(language) or declared.id


def event_words(match: Match, event: str, facts: Sequence[Any], language: str) -> str:
    """An event of a match in words, with the same facts as its listeners; "" for events whose words
    depend on where they are shown.
    """
    words = Words(language)
    match event:
        case "turn":
            name = seat_label(match, facts[0], language)
            return words("match.turn_of", number=match.turn, player=name)
        case "final":
            return words("match.the_end")
        case "over":
            return words("match.game_over")
        case "home":
            return words("match.comes_home", figure=figure_label(match, facts[0], language))
        case "hand":
            figure = figure_label(match, facts[0], language)
            player = seat_label(match, facts[1], language)
            return words("match.goes_to", figure=figure, player=player)
        case "beside":
            figure, stack = figure_label(match, facts[0], language), facts[1]
            place = stack_label(match, stack, language)
            return words("match.stands_beside", figure=figure, stack=place)
        case "give" | "spend":
            token, player = token_label(match, facts[0], language), facts[1]
            key = "match.gets" if event == "give" else "match.spends"
            return words(key, player=seat_label(match, player, language), token=token)
        case "exchange":
            one, other = (seat_label(match, player, language) for player in facts)
            return words("match.exchanged", one=one, other=other)
        case "cover":
            label = match.program.game.symbols[facts[1]].label.get(language)
            cell = cell_name(*xy_of(match.board.tile_cell[facts[0]]))
            return words("match.covered", cover=label, cell=cell)
        case "lift" | "rotate" | "reveal" | "hide" | "conceal":
            key = {"lift": "lifted", "rotate": "rotated", "reveal": "revealed"}.get(event, event)
            cell = cell_name(*xy_of(match.board.tile_cell[facts[0]]))
            return words(f"match.{key}", tile=_tile_label(match, facts[0], language), cell=cell)
        case "swap" | "replace":
            one, other = (_tile_label(match, tile, language) for tile in facts)
            key = "match.swapped" if event == "swap" else "match.replaced"
            return words(key, one=one, other=other)
    return ""


def _tile_label(match: Match, tile: int, language: str) -> str:
    piece = seen_piece(match.board, tile)
    if piece is None:
        return Words(language)("match.face_down")
    return stacked_label(match, piece, language)


def segment_label(match: Match, segment: int, language: str = "en") -> str:
    """A segment for people: its kind, and the sides or half sides it takes, as it lies."""
    board, shapes = match.board, match.board.shapes
    shape, index = board.tile_shape[segment >> 5], segment & 31
    name = shapes.segment_names[shape][index]
    face = shapes.face_of[shape]
    return part_label(match.program.game, face, name, language, shapes.turn_of[shape])


def part_label(game: Game, face: TileFace, name: str, language: str, turn: int = 0) -> str:
    """A segment of a tile for people, when the tile was turned so many quarters clockwise."""
    part = next(s for s in face.segments if s.id == name)
    kind = next(k for k in game.features if k.id == part.kind)
    ports = {turned(port, turn) for port in part.ports}
    where = border_places(ports, in_halves=kind.reach is Reach.HALVES)
    if len(where) == len(HALVES):
        where = []
    return " ".join([kind.label.get(language) or kind.id, *where])


def part_lines(game: Game, face: TileFace, language: str, turn: int = 0) -> list[tuple[str, str]]:
    """The print of a tile: each segment's id, and its label with its marks."""
    kinds = {kind.id: kind for kind in game.features}
    symbols = {symbol.id: symbol.label for symbol in game.symbols}
    found = []
    for part in face.segments:
        if part.kind not in kinds:
            continue
        declared = {a.id: a.label for a in kinds[part.kind].attributes}
        marks = [
            _called(declared.get(id_), id_, language) + (f" ×{count}" if count > 1 else "")
            for id_, count in part.attributes
            if count
        ]
        marks += [_called(symbols.get(id_), id_, language) for id_ in part.symbols]
        label = part_label(game, face, part.id, language, turn)
        found.append((part.id, ", ".join([label, *marks])))
    found += [("", _called(symbols.get(id_), id_, language)) for id_ in face.symbols]
    return found


def tile_words(game: Game, face: TileFace, language: str) -> str:
    """The kinds and marks on a tile, each once."""
    kinds = {kind.id: kind.label for kind in game.features}
    symbols = {symbol.id: symbol.label for symbol in game.symbols}
    names: list[str] = []
    for part in face.segments:
        names.append(_called(kinds.get(part.kind), part.kind, language))
        names += (_called(symbols.get(id_), id_, language) for id_ in part.symbols)
    names += (_called(symbols.get(id_), id_, language) for id_ in face.symbols)
    return ", ".join(dict.fromkeys(names))


def choice_words(match: Match, number: int, language: str) -> str:
    """A choice of the player who decides, in words, with the cells that it names."""
    words, text = Words(language), option_texts(match)[number]
    act, parts = option_phrase(match, number, language)
    cells = [word.partition("/")[0] for word in text.split()]
    named = [*parts, *(cell for cell in cells if read_cell(cell) is not None)]
    side = text.split()[-1]
    if side in SIDES and len(named) == 1:
        name = words(f"match.side.{side}")
        act, named = words("match.lies_at", cell=named[0], side=name), []
    player = seat_label(match, match.to_move, language)
    return f"{player}: {act}" + (f": {', '.join(named)}" if named else "")


def feature_text(game: Game, text: str, language: str) -> str:
    """A feature's text with its kind in a language: `kind 0,0/s1` is the notation."""
    kind, *place = words_of(text) or [""]
    found = next((k.label.get(language) for k in game.features if k.id == kind), "")
    return " ".join([found or kind, *place])


def step_label(game: Game, step: str, language: str) -> str:
    """The label of a step."""
    found = next((s.declaration.label.get(language) for s in game.steps if s.id == step), "")
    return found or step


def fuller(step: str, act: str) -> str:
    """The label of a step instead of an act, if it begins with the act."""
    return step if f"{step} ".startswith(f"{act} ") else act


def question_label(match: Match, language: str) -> str:
    """The decision at hand in words: for actions and places of a tile its step, else its label."""
    step = step_label(match.program.game, match.step, language)
    site = match.program.sites[match.decision_site]
    if site.actions or site.type.base == "placement":
        return step
    label = site_label(match, language)
    found = fuller(step, label)
    named, text = site.label.casefold(), found.casefold()
    if language == "en" and named not in text and text not in named:
        found = f"{found} ({site.label})"  # a rule may have several decisions, each with a name
    return found


def _called(label: Labels | None, id_: str, language: str) -> str:
    return (label.get(language) if label is not None else "") or id_


# ------------------------------------------------------------------ options


def option_words(match: Match, number: int, language: str) -> str:
    """One option of the decision at hand in words; its places are in the notation beside it."""
    act, parts = option_phrase(match, number, language)
    return f"{act}: {', '.join(parts)}" if parts else act


def option_phrase(match: Match, number: int, language: str) -> tuple[str, list[str]]:
    """The act of an option, and what it is done with, in words."""
    if match.optional and number == match.count - 1:
        return Words(language)("match.pass"), []
    site = match.program.sites[match.decision_site]
    value = match.values()[number]
    return act_label(match, value, language), _parts(match, site.parts(value), language)


def act_label(match: Match, value: Any, language: str) -> str:
    """The label of the action of an option, or of the decision."""
    site = match.program.sites[match.decision_site]
    if not site.actions:
        return site_label(match, language)
    name: str = site.verb(value)
    return site.actions[value[0]].rule.head.label.get(language) or name


def site_label(match: Match, language: str) -> str:
    """The label of a decision that offers no actions."""
    site = match.program.sites[match.decision_site]
    label = match.program.game.labels.get(site.rule, NO_LABEL).get(language)
    return label or site.label or site.variable


def _parts(match: Match, values: Iterable[tuple[Type, Any]], language: str) -> list[str]:
    """Values in words: a figure that goes to a segment is called what it will be there."""
    found, pairs = [], list(values)
    segments = [v for t, v in pairs if t.base == "segment" and v is not None]
    words = Words(language)
    for type_, value in pairs:
        if type_.base in _SAID_BESIDE and value is not None:
            continue
        text = value_words(match, type_, value, words)
        if type_.base == "figure" and value is not None:
            role = _role(match, value, segments[0] if segments else None, language)
            text += f", {role}" if role else ""
        found.append(text)
    return found


def _role(match: Match, figure: int, segment: int | None, language: str) -> str:
    """The label of a figure on a segment, or its place."""
    found = role_of(match, figure, segment)
    return "" if found is None else found.label.get(language)


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


def value_words(match: Match, type_: Type, value: Any, words: Words) -> str:
    """A value of the rules in words."""
    game, language = match.program.game, words.language
    if value is None:
        return words("match.nothing")
    if type_.many:
        return value_text(match, type_, value, match.to_move, match.piece)
    match type_.base:
        case "player":
            return seat_label(match, value, language)
        case "direction":
            return words(f"match.side.{SIDES[value]}")
        case "segment":
            return segment_label(match, value, language)
        case "print":
            shapes, (_, shape, index) = match.board.shapes, value
            part, turn = shapes.segment_names[shape][index], shapes.turn_of[shape]
            return part_label(game, shapes.face_of[shape], part, language, turn)
        case "figure":
            return figure_label(match, value, language, match.to_move)
        case "feature":
            return feature_text(game, value_text(match, type_, value), language)
        case "truth":
            return words("match.true" if value else "match.false")
        case "item":
            return stacked_label(match, value, language)
        case "piece":
            cover = game.stacked[value].cover if value < len(game.pieces) else None
            if cover is not None:
                symbol = next(each for each in game.symbols if each.id == cover.symbol)
                return f"{symbol.label.get(language)} {SIDES[cover.side]}-{SIDES[cover.side + 2]}"
    declared = _declared(game, type_.base)
    if declared:
        return _called(declared[value].label, declared[value].id, language)
    return value_text(match, type_, value, match.to_move, match.piece)


def _declared(
    game: Game, base: str
) -> Sequence[FeatureKind | FigureKind | Role | StackDecl | SymbolDecl | TokenDecl]:
    """The declarations behind the values of a type, where they have labels."""
    match base:
        case "stack" | "item stack":
            return game.stacks
        case "feature kind":
            return game.features
        case "figure kind":
            return game.figures
        case "role":
            return game.roles
        case "symbol":
            return game.symbols
        case "token":
            return game.tokens
    return ()
