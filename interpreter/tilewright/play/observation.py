"""The visible part of a match, as plain data of known types.

Points, figures, tokens, tiles and the memory of the game are public. The content and order of a
face-down stack, the seed, and the hands of other players are hidden: a program that decides for a
player may get the view of that player and learns no more. The types below match
`schemas/state.schema.json`.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from tilewright.language.types import Type
from tilewright.play.board.board import xy_of
from tilewright.play.board.rebuild import FACE_DOWN, laid_pieces
from tilewright.play.encoding import IN_SUPPLY, is_mask
from tilewright.play.library.kept import all_kept
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.match_state import FINAL, OVER, SETUP, TURN
from tilewright.play.notation import (
    figure_id,
    option_texts,
    seat_name,
    segment_text,
    spot_text,
    stacks_in_play,
    thing_text,
    value_text,
)
from tilewright.play.visibility import sees_options, sees_stack
from tilewright.rules.model.geometry import SIDES

North = Literal["N", "E", "S", "W"]
NORTHS: tuple[North, ...] = ("N", "E", "S", "W")
Phase = Literal["setup", "turn", "final", "over"]
PHASES: dict[int, Phase] = {SETUP: "setup", TURN: "turn", FINAL: "final", OVER: "over"}
#: a value that the game remembers: a cell is a list of its x and y, a set a list
Value = int | bool | str | None | list[int] | list[str] | list[list[int]]


class PlayerState(TypedDict):
    """A player: points, tokens in hand, and figures at home by their kinds."""

    seat: str
    points: int
    tokens: dict[str, int]
    supply: dict[str, int]


class LaidState(TypedDict):
    """A piece on the board: the cell of its first tile, and where its printed north points.

    `piece` is nothing for one that lies face down.
    """

    piece: str | None
    cell: list[int]
    north: North
    face: int


class FigureState(TypedDict):
    """A figure: `id` is unique, `place` is `2,-1/c1`, `home`, `front of red`..."""

    id: str
    figure: str
    kind: str
    owner: str | None
    place: str
    facing: NotRequired[North]
    beside: NotRequired[str]


class FeatureState(TypedDict):
    """Connected segments of one kind, each as `2,-1/c1`, with the ids of the figures on them."""

    kind: str
    segments: list[str]
    tiles: int
    complete: bool
    numbers: dict[str, int]
    figures: list[str]


class StackState(TypedDict):
    """A stack: `pieces` only where they lie open to whoever looks.

    Pieces that are drawn in order are in this order, others in that of their names.
    """

    count: int
    pieces: NotRequired[list[str]]


class PieceState(TypedDict):
    """How many of a piece there are, are laid, and are where nobody can see them."""

    count: int
    laid: int
    unseen: int


class State(TypedDict):
    """A match as everybody at the table sees it, or as one player does."""

    game: str
    turn: int
    phase: Phase
    step: str
    active: str
    decides: str | None
    decision: str | None
    to_lay: str | None
    options: list[str]
    over: bool
    winners: list[str]
    players: list[PlayerState]
    supply: dict[str, int]
    board: list[LaidState]
    features: list[FeatureState]
    figures: list[FigureState]
    stacks: dict[str, StackState]
    pieces: dict[str, PieceState]
    memory: dict[str, Value | dict[str, Value]]


def public_view(match: Match, player: int | None = None) -> State:
    """A match as a JSON object: the public view, or the view of a player with a hand.

    Options that would reveal a hidden hand are visible to its owner alone.
    """
    game = match.program.game
    seats = [seat_name(match, each) for each in match.players]
    decider = match.to_move
    is_told = player in (None, decider) and sees_options(match, player)
    return {
        "game": game.id,
        "turn": match.turn,
        "phase": PHASES[match.phase],
        "step": match.step,
        "active": seats[match.active],
        "decides": seats[decider] if decider >= 0 else None,
        "decision": match.program.sites[match.decision_site].rule or match.step
        if decider >= 0
        else None,
        "to_lay": piece_to_lay(match),
        "options": option_texts(match) if is_told else [],
        "over": match.is_over,
        "winners": [seats[each] for each in match.winners()] if match.is_over else [],
        "players": [_player(match, each) for each in match.players],
        "supply": _tokens(match, -1),
        "board": [_laid(match, *laid) for laid in laid_pieces(match.board)],
        "features": _features(match),
        "figures": [figure_state(match, figure) for figure in range(len(match.spot))],
        "stacks": {game.stacks[n].id: stack_state(match, n, player) for n in stacks_in_play(match)},
        "pieces": _pieces(match, player),
        "memory": {
            known.declaration.id: _remembered(match, slot) for slot, known in enumerate(game.memory)
        },
    }


def _remembered(match: Match, slot: int) -> Value | dict[str, Value]:
    """The value of a memory, or the values of things for which it keeps one."""
    memory = match.program.game.memory[slot]
    if not memory.of:
        return plain_value(match, memory.type, match.memory[slot])
    return {
        thing_text(match, memory.of, thing): plain_value(match, memory.type, value)
        for thing, value in all_kept(match, slot)
    }


def piece_to_lay(match: Match) -> str | None:
    """The piece whose place is to be chosen now, if that is the question."""
    if match.to_move < 0 or match.piece < 0:
        return None
    types = match.program.sites[match.decision_site].types
    if all(type_.base != "placement" for type_ in types):
        return None
    return match.program.game.pieces[match.piece].id


def plain_value(match: Match, type_: Type, value: Any) -> Value:
    """A value of the rules as JSON: numbers and truths as they are, cells as [x, y], else text."""
    if value is None:
        return None
    if type_.many:
        members = bits(value) if is_mask(type_) else value
        found: Any = [plain_value(match, type_.one, member) for member in members]
        return found  # type: ignore[no-any-return]
    if type_.base == "truth":
        return bool(value)
    if type_.base == "number":
        return int(value)
    if type_.base == "cell":
        return list(xy_of(value))
    return value_text(match, type_.one, value)


# ------------------------------------------------------------------ parts


def _player(match: Match, player: int) -> PlayerState:
    figures = match.program.game.figures
    home = [f for f in bits(match.in_supply) if match.owner[f] == player]
    return {
        "seat": seat_name(match, player),
        "points": match.points[player],
        "tokens": _tokens(match, player),
        "supply": {
            kind.id: sum(match.figure_kind[f] == n for f in home)
            for n, kind in enumerate(figures)
            if kind.owned
        },
    }


def _tokens(match: Match, holder: int) -> dict[str, int]:
    """By kind: the tokens of a player, or with -1 those of the common supply."""
    tokens = match.program.game.tokens
    return {token.id: match.token_count(number, holder) for number, token in enumerate(tokens)}


def _laid(match: Match, piece: int, layout: int, cell: int) -> LaidState:
    if layout == FACE_DOWN:
        return {"piece": None, "cell": [*xy_of(cell)], "north": "N", "face": 0}
    face, north = match.board.shapes.spelled(piece, layout)
    return {
        "piece": match.program.game.pieces[piece].id,
        "cell": list(xy_of(cell)),
        "north": NORTHS[SIDES.index(north)],
        "face": face,
    }


def _features(match: Match) -> list[FeatureState]:
    board = match.board
    shapes = board.shapes
    segments: dict[int, list[str]] = {}
    for tile in board.lying():
        for index, part in enumerate(board.tile_features[tile]):
            segments.setdefault(board.find(part), []).append(segment_text(match, tile * 32 + index))
    return [
        {
            "kind": shapes.kind_ids[board.kind[root]],
            "segments": names,
            "tiles": board.tiles[root].bit_count(),
            "complete": bool(board.is_complete(root)),
            "numbers": {
                name: board.attributes[n][root]
                for n, (kind, name) in enumerate(shapes.attribute_ids)
                if kind == shapes.kind_ids[board.kind[root]]
            },
            "figures": [figure_id(match, figure) for figure in bits(board.figures[root])],
        }
        for root, names in segments.items()
    ]


def figure_state(match: Match, figure: int) -> FigureState:
    """A figure as everybody sees it."""
    owner = match.owner[figure]
    found: FigureState = {
        "id": figure_id(match, figure),
        "figure": match.figure_name(figure),
        "kind": match.program.game.figures[match.figure_kind[figure]].id,
        "owner": None if owner is None else seat_name(match, owner),
        "place": "home" if match.spot[figure] == IN_SUPPLY else spot_text(match, figure),
    }
    facing, beside = match.facing[figure], match.attached_to[figure]
    if facing is not None:
        found["facing"] = NORTHS[facing]
    if beside is not None:
        found["beside"] = figure_id(match, beside)
    return found


def stack_state(match: Match, number: int, player: int | None) -> StackState:
    """A stack as a player sees it, or everybody (None)."""
    pieces = match.stacks[number]
    if not sees_stack(match, number, player):
        return {"count": len(pieces)}
    names = [match.program.game.stacked[piece].id for piece in pieces]
    in_order = match.program.in_order[number]
    return {"count": len(pieces), "pieces": names if in_order else sorted(names)}


def _pieces(match: Match, player: int | None) -> dict[str, PieceState]:
    """Every kind of piece, counted from the viewer's knowledge."""
    kinds = match.program.game.pieces
    laid, unseen = [0] * len(kinds), [0] * len(kinds)
    for piece, layout, _ in laid_pieces(match.board):
        counted = unseen if layout == FACE_DOWN else laid
        counted[match.board.shapes.beneath[piece]] += 1
    for stack in stacks_in_play(match):
        if not sees_stack(match, stack, player):
            for piece in match.stacks[stack]:
                if piece < len(kinds):  # the numbers of items follow
                    unseen[piece] += 1
    return {
        kind.id: {"count": kind.count, "laid": laid[n], "unseen": unseen[n]}
        for n, kind in enumerate(kinds)
    }
