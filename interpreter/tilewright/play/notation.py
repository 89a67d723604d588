"""The text notation: one line for each option, figure and place.

Scenarios, logs, errors, the command line and all other interfaces use the same lines. Reading
compares a line with the texts of the options, and a line never means anything else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.language import builtins
from tilewright.language.source.diagnostics import did_you_mean
from tilewright.language.source.text import words_of
from tilewright.language.types import Type
from tilewright.language.typing.desugar import UNNAMED
from tilewright.play.board.board import cell_of, xy_of
from tilewright.play.board.joining import feature_at
from tilewright.play.encoding import BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.match_state import PrescribedDraw
from tilewright.play.program import Program
from tilewright.rules.model.geometry import HEADINGS, SIDES, cell_name, read_cell

PASS = builtins.PASS
#: an option of a log whose text others have too, with its place among them
_NUMBERED = re.compile(r"(.+) \(([2-9]|[1-9]\d+)\)")
OTHER_FACE = "turned over"
DOWN = "face down"


def seat_name(match: Match, player: int) -> str:
    """The id of a player's seat: its colour."""
    return match.program.game.seat_name(player)


def seat_number(match: Match, name: str) -> int | None:
    """The player at the seat of that name."""
    return next((p for p in match.players if seat_name(match, p) == name), None)


def stacks_in_play(match: Match) -> list[int]:
    """The stacks, without those that belong to empty seats."""
    program = match.program
    seats = range(len(match.players), program.game.players_most)
    unused = {first + seat for first in program.owned_stacks.values() for seat in seats}
    return [stack for stack in range(len(match.stacks)) if stack not in unused]


def stack_holder(match: Match, stack: int) -> int | None:
    """The player who owns a stack, if any."""
    declared = match.program.game.stacks[stack]
    name = words_of(declared.id)[-1]
    return stack - match.program.owned_stacks[name] if declared.owned else None


def cell_text(cell: int) -> str:
    """A cell by its coordinates: `2,-1`."""
    return cell_name(*xy_of(cell))


def segment_text(match: Match, segment: int) -> str:
    """A segment by its cell and its id on the tile: `2,-1/c1`."""
    return f"{cell_text(match.board.tile_cell[segment >> 5])}/{segment_name(match, segment)}"


def segment_name(match: Match, segment: int) -> str:
    """The name of a segment on its tile; `?` where that lies face down by now."""
    names = match.board.shapes.segment_names[match.board.tile_shape[segment >> 5]]
    return names[segment & 31] if segment & 31 < len(names) else "?"


def place_on_board(match: Match, base: str, value: Any) -> tuple[int, str | None] | None:
    """Where a value of a type is: a cell, and the name of a segment there; None for values that
    are nowhere on the board. The place of a feature is its first segment.
    """
    cells = match.board.tile_cell
    match base:
        case "cell":
            return value, None
        case "placement":
            return value[0], None
        case "tile":
            return cells[value], None
        case "segment":
            return cells[value >> 5], segment_name(match, value)
        case "print":
            cell, shape, index = value
            return cell, match.board.shapes.segment_names[shape][index]
        case "feature":
            first = first_segment(match, match.board.find(value))
            return None if first < 0 else (cells[first >> 5], segment_name(match, first))
        case "figure" if (spot := match.spot[value]) >= 0:
            return cells[spot >> 5], segment_name(match, spot - 1) if spot & 31 else None
    return None


def joins_text(match: Match) -> list[str]:
    """The joins of a board, each as `0,0/a1 2,-1/b2`."""
    return [" ".join(segment_text(match, each) for each in pair) for pair in match.board.links]


def recasts_text(match: Match) -> list[str]:
    """The features of a board that are of another kind than printed: `0,0/a1 kind` each."""
    board = match.board
    return [
        f"{segment_text(match, one)} {board.shapes.kind_ids[kind]}" for one, kind in board.recasts
    ]


def read_recast(match: Match, text: str) -> tuple[int, int] | None:
    """The feature and the kind that a text such as `2,-1/c1 kind` names."""
    place, _, kind = text.partition(" ")
    segment, ids = read_segment(match, place), match.board.shapes.kind_ids
    if segment is None or kind.strip() not in ids:
        return None
    return feature_at(match.board, segment), ids.index(kind.strip())


def read_segment(match: Match, text: str) -> int | None:
    """The segment that a text such as `2,-1/c1` names, if it takes part in the game."""
    cell, _, name = text.partition("/")
    place = read_cell(cell)
    if place is None:
        return None
    board = match.board
    tile = board.tile_at.get(cell_of(*place))
    if tile is None:
        return None
    names = board.shapes.segment_names[board.tile_shape[tile]]
    return (tile << 5) + names.index(name) if name in names else None


def spot_text(match: Match, figure: int) -> str:
    """Where a figure is: `2,-1/c1`, `2,-1`, `home`, `front of red`, `beside pile`."""
    spot = match.spot[figure]
    if spot == IN_SUPPLY:
        return "home"
    if spot <= BESIDE_STACK:
        return f"beside {match.program.game.stacks[BESIDE_STACK - spot].id}"
    if spot <= IN_FRONT_OF:
        return f"front of {seat_name(match, IN_FRONT_OF - spot)}"
    if spot & 31:
        return segment_text(match, spot - 1)
    return cell_text(match.board.tile_cell[spot >> 5])


def figure_id(match: Match, figure: int) -> str:
    """The unique id of a figure: seat, kind and number, without the parts that are not needed."""
    kind, owner = match.figure_kind[figure], match.owner[figure]
    alike = [
        other
        for other in range(len(match.spot))
        if match.figure_kind[other] == kind and match.owner[other] == owner
    ]
    name = match.figure_name(figure)
    return name if len(alike) == 1 else f"{name} {alike.index(figure) + 1}"


def figure_text(match: Match, figure: int, reader: int = -1) -> str:
    """A figure with its place; the owner is left out when it is the reader."""
    declared = match.program.game.figures[match.figure_kind[figure]]
    kind, owner = declared.id, match.owner[figure]
    alone = owner is None or owner == reader
    name = kind if alone else f"{seat_name(match, owner or 0)} {kind}"
    is_only_one = owner is None and declared.count == 1
    return (
        name
        if is_only_one or match.spot[figure] == IN_SUPPLY
        else f"{name} {spot_text(match, figure)}"
    )


def placement_text(match: Match, piece: int, at: tuple[int, int]) -> str:
    """A placement: the cell, and the side to which the printed north points.

    When the piece is unknown (-1, or one without this layout), its direction is too, and the text
    is `2,-1 layout 3`.
    """
    cell, layout = at
    if piece < 0 or layout >= len(match.board.shapes.layout_turn[piece]):
        return f"{cell_text(cell)} layout {layout + 1}"
    face, north = match.board.shapes.spelled(piece, layout)
    return f"{cell_text(cell)} {north}" + (f" {OTHER_FACE}" if face else "")


def value_text(match: Match, type_: Type, value: Any, reader: int = -1, piece: int = -1) -> str:
    """Any value of the rules as text; sets in braces.

    `reader` is the player whose figures are written without owner, `piece` the piece of placements;
    -1 means none.
    """
    if value is None:
        return "nothing"
    game = match.program.game
    if type_.many:
        from tilewright.play.encoding import is_mask
        from tilewright.play.library.sets import bits

        members = bits(value) if is_mask(type_) else list(value)
        shown = (value_text(match, type_.one, v, reader, piece) for v in members)
        return "{" + ", ".join(shown) + "}"
    match type_.base:
        case "player":
            return seat_name(match, value)
        case "cell":
            return cell_text(value)
        case "direction":
            return SIDES[value]
        case "heading":
            return HEADINGS[value]
        case "tile":
            return cell_text(match.board.tile_cell[value])
        case "segment":
            return segment_text(match, value)
        case "figure":
            return figure_text(match, value, reader)
        case "placement":
            return placement_text(match, piece, value)
        case "piece":
            return str(game.pieces[value].id)
        case "item":
            return str(game.stacked[value].id)
        case "stack" | "item stack":
            return str(game.stacks[value].id)
        case "feature kind":
            return str(game.features[value].id)
        case "figure kind":
            return str(game.figures[value].id)
        case "role":
            return str(game.roles[value].id)
        case "token":
            return str(game.tokens[value].id)
        case "print":
            cell, shape, index = value
            return f"{cell_text(cell)}/{match.board.shapes.segment_names[shape][index]}"
        case "action":
            return str(game.actions[value])
        case "trait":
            return str(game.traits[value])
        case "symbol":
            return str(game.symbols[value].id)
        case "feature":
            return feature_text(match, value)
        case "truth":
            return "true" if value else "false"
    return str(value)


@dataclass(frozen=True, slots=True)
class MemberText:
    """A member of a set that is prescribed for a draw, by its text then."""

    text: str

    def index(self, match: Match, type_: Type, members: Sequence[Any]) -> int:
        """The place of the member; raises RuleError when no member has this text."""
        texts = [value_text(match, type_, member) for member in members]
        if self.text not in texts:
            near = did_you_mean(self.text, texts)
            message = f"`{self.text}` is not among the {len(texts)} members to draw{near}"
            raise RuleError(message, self.text)
        return texts.index(self.text)


def prescribed_draw(program: Program, text: str) -> PrescribedDraw | None:
    """The draw that a text prescribes, of a piece or of a member of a set; None for neither."""
    number = program.piece_number.get(text)
    return MemberText(text) if number is None and program.drawn_types else number


def prescribed_text(program: Program, drawn: PrescribedDraw) -> str:
    """The text of a prescribed draw; "" of one that chance gives."""
    if not isinstance(drawn, int):
        return "" if drawn is None else drawn.text
    return str(program.game.stacked[drawn].id)


def drawn_text(match: Match, event: str, facts: tuple[Any, ...]) -> str | None:
    """The text of what an event draws out of a stack or from a set; None for other events."""
    match event:
        case "draw":
            return str(match.program.game.stacked[facts[1]].id)
        case "draw member":
            return value_text(match, *facts)
    return None


def feature_text(match: Match, feature: int) -> str:
    """A feature by its kind and its first segment: `kind 0,0/s1`."""
    board = match.board
    root = board.find(feature)
    segment = first_segment(match, root)
    if segment < 0:
        return f"feature {root}"
    return f"{board.shapes.kind_ids[board.kind[root]]} {segment_text(match, segment)}"


def first_segment(match: Match, feature: int) -> int:
    """The first segment of a feature, in the order in which tiles were laid; -1 for none."""
    board = match.board
    tiles = board.tiles[feature]
    tile = (tiles & -tiles).bit_length() - 1
    row = board.tile_features[tile] if tiles else ()
    found = (index for index, part in enumerate(row) if board.find(part) == feature)
    return next((tile << 5 | index for index in found), -1)


def thing_text(match: Match, base: str, thing: int) -> str:
    """A thing for which memory is kept; a feature by its first segment."""
    match base:
        case "player":
            return seat_name(match, thing)
        case "figure":
            return figure_id(match, thing)
        case "tile":
            return cell_text(match.board.tile_cell[thing])
        case "segment":
            return segment_text(match, thing)
    return segment_text(match, first_segment(match, thing))


def option_texts(match: Match) -> list[str]:
    """The options of the decision, in their order; a pass, if there is one, is the last."""
    if match.to_move < 0:
        return []
    texts = [option_text(match, value) for value in match.values()]
    return [*texts, PASS] if match.optional else texts


def option_value(match: Match, number: int) -> Any:
    """The value of an option by its number, which is not that of a pass."""
    if match.options_now is None:
        return match.board.locate(match.piece, number)
    return match.options_now[number]


def option_parts(match: Match, number: int) -> list[tuple[Type, Any]]:
    """The values that an option names, with their types, by a number that is not that of a pass."""
    return match.program.sites[match.decision_site].parts(option_value(match, number))


def numbered_option_text(match: Match, number: int) -> str:
    """The text of an option by its number; a pass, if there is one, is the last."""
    is_pass = match.optional and number == match.count - 1
    return PASS if is_pass else option_text(match, option_value(match, number))


def option_text(match: Match, value: Any) -> str:
    """The text of one option of the decision."""
    site = match.program.sites[match.decision_site]
    if not site.actions and site.variable != UNNAMED:  # the only part, as `parts` has it
        named = value_text(match, site.type, value, -1, match.piece)
        return f"{site.label or site.variable} {named}"
    reader, piece = match.to_move, match.piece
    parts = [value_text(match, type_, v, reader, piece) for type_, v in site.parts(value)]
    return " ".join([site.verb(value), *parts])


def logged_option_text(match: Match, number: int) -> str:
    """The text of an option by its number in a log, where no two options have one text.

    Figures of one kind and owner in one place have equal texts: the second of them gets ` (2)`.
    """
    text = numbered_option_text(match, number)
    if match.options_now is None or text == PASS:
        return text
    if not any(type_.base == "figure" for type_, _ in option_parts(match, number)):
        return text
    before = [option_text(match, option_value(match, other)) for other in range(number)]
    return f"{text} ({before.count(text) + 1})" if text in before else text


def find_option(match: Match, text: str) -> int | None:
    """The number of the option with this text, as in a log too, or None when there is none."""
    found = _nth_option(match, text, 1)
    if found is None and (numbered := _NUMBERED.fullmatch(" ".join(text.split()))):
        return _nth_option(match, numbered[1], int(numbered[2]))
    return found


def _nth_option(match: Match, text: str, nth: int) -> int | None:
    if match.to_move < 0:
        return None
    words = text.split()
    wanted, site = " ".join(words), match.program.sites[match.decision_site]
    # placements are many, and most are at a cell that the text does not name
    is_placed = not site.actions and site.type.one.base == "placement"
    cells = {cell_of(*place) for place in map(read_cell, words) if place is not None}
    for number, value in enumerate(match.values()):
        if is_placed and value[0] not in cells:
            continue
        nth -= option_text(match, value) == wanted
        if not nth:
            return number
    return match.count - 1 if match.optional and wanted == PASS else None


def split_seat(match: Match, text: str) -> tuple[str, str]:
    """The seat before a choice such as `red: pass`, or "", and the choice.

    A choice whose label begins in this way is read whole where it is offered.
    """
    seat, colon, choice = text.partition(": ")
    if colon and seat_number(match, seat) is not None and find_option(match, text) is None:
        return seat, choice
    return "", text
