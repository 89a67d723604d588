"""Setup of a situation without play: tiles, joins, figures, points, stacks, memory.

The situation must be possible on the table (edges that fit, figures that exist); it is not checked
whether the rules can lead to it. A memory that keeps a value for each thing is named after the
thing: a tile by its cell, a segment or feature by a segment, a figure and a player by name. An
expression in the language of the rules may name the players by their seats.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tilewright.language.builtins import GLOBAL
from tilewright.language.source.diagnostics import Reporter, all_of, did_you_mean
from tilewright.language.source.text import OWNER, Code, code_without_file, words_of
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.scope import Scope
from tilewright.language.typing.typecheck import ExpressionChecker
from tilewright.play.board.board import cell_of
from tilewright.play.faults import RuleError
from tilewright.play.library.board_changes import become, conceal, link
from tilewright.play.library.kept import keep, kept, law_of
from tilewright.play.match import Match
from tilewright.play.notation import (
    DOWN,
    OTHER_FACE,
    read_recast,
    read_segment,
    seat_name,
    seat_number,
    spot_text,
    value_text,
)
from tilewright.rules.linking.game import Game
from tilewright.rules.model.geometry import SIDES, read_cell
from tilewright.rules.model.ruleset import Scenario
from tilewright.tools.explanation.legality import misfits


def evaluate(
    match: Match, text: str | Code, reporter: Reporter, want: Type | None = None
) -> tuple[Type, Any] | None:
    """The type and value of an expression in this position, or None after a diagnostic."""
    seats = {seat_name(match, player): player for player in match.players}
    term = typed(match.program.game, tuple(seats), text, reporter, want)
    if term is None:
        return None
    named = t.free_locals(term)
    found = match.program.evaluator(term, named)(match, *(seats[name] for name in named))
    return term.type, found


def typed(
    game: Game,
    seats: Sequence[str],
    text: str | Code,
    reporter: Reporter,
    want: Type | None = None,
) -> t.Expression | None:
    """An expression with the names of a game and of its seats, or None after a diagnostic."""
    code = code_without_file(text) if isinstance(text, str) else text
    mine = Reporter()
    node, term = parse_expression(code, mine), None
    if node is not None:
        env = game.environment
        declared = {*env.memory, *env.values, *env.constants, *GLOBAL}
        scope = Scope(tuple((seat, Type("player")) for seat in seats if seat not in declared))
        checker = ExpressionChecker(env, mine)
        if want is None:
            term = checker.expression(node, scope)
        else:
            term = checker.wanted(node, scope, want, "this")
    reporter.extend(mine.diagnostics)
    return None if mine.has_errors else term


def evaluated_text(match: Match, text: str | Code, reporter: Reporter) -> str | None:
    """The value of an expression, in the common notation."""
    found = evaluate(match, text, reporter)
    return None if found is None else value_text(match, *found)


# ------------------------------------------------------------------ a situation


#: the number of one of several figures of a kind
NUMBERED = re.compile(r"[0-9]{1,6}")
_BOARD_LINE = re.compile(
    rf"(?P<piece>\S+?(?:{OWNER})?)\s+(?P<cell>-?\d+,-?\d+)\s+"
    rf"((?P<north>[NESW])(?P<over>\s+{OTHER_FACE})?|{DOWN})\Z"
)


def lay_out(match: Match, scenario: Scenario, reporter: Reporter) -> bool:
    """Set up a scenario's situation on the table; False after reporting an impossible part."""
    before = reporter.error_count

    def report(problem: str, *keys: str) -> None:
        if problem:
            reporter.error("TW801", problem, scenario.place(*keys))

    if scenario.turn > 1 and not scenario.board:
        message = "without a `board` the game is set up and begins with turn 1"
        report(f"{message}, not {scenario.turn}", "turn")
    for line in scenario.board:
        report(_lay(match, line), "board", line)
    for pair in scenario.joined:
        report(_join(match, pair), "joined", pair)
    for text in scenario.recast:
        report(_recast(match, text), "recast", text)
    for problem, keys in _fill(match, scenario.stacks):
        report(problem, "stacks", *keys)
    # figures that stand beside others come last
    figures = sorted(scenario.figures, key=lambda pair: "beside" in pair[1])
    for name, place in figures:
        report(put_figure(match, name, place), "figures", name, place)
    for name, points in scenario.points:
        player = seat_number(match, name)
        if player is None:
            report(f"`{name}` is not a player here", "points", name)
        else:
            match.points[player] = points
    for name, count in scenario.tokens:
        report(_give(match, name, count), "tokens", name)
    match.turn = scenario.turn - 1
    match.has_left = False
    return reporter.error_count == before


def _lay(match: Match, line: str) -> str:
    """Lay a tile; returns the error message, or an empty text."""
    match_ = _BOARD_LINE.match(line.strip())
    if match_ is None:
        return f"expected a tile written `PIECE X,Y NORTH`, found `{line}`"
    numbers = match.program.piece_number
    piece = numbers.get(match_["piece"])
    if piece is None:
        return f"unknown piece `{match_['piece']}`"
    face, is_down = 1 if match_["over"] else 0, match_["north"] is None
    spelled = match.board.shapes.layout_of(piece, face, match_["north"] or "N")
    place = read_cell(match_["cell"])
    if spelled is None or place is None:
        return f"`{match_['piece']}` has no side that is `{OTHER_FACE}`"
    layout, right, up = spelled
    beneath = match.board.shapes.beneath[piece]
    stack = next((s for s in match.stacks if beneath in s), None)
    if stack is None:
        return _none_left(match, beneath)
    if is_down and match.board.shapes.back < 0:
        return f"`{line}` cannot be laid: no rule of this game lays tiles face down"
    if is_down:
        stack.remove(beneath)
        match.loose.append(beneath)
        try:
            conceal(match, beneath, cell_of(*place))
        except RuleError as fault:
            return f"`{line}` cannot be laid: {fault.message}"
        return ""
    cell = cell_of(place[0] + right, place[1] + up)
    why = "; ".join(misfits(match, piece, (cell, layout), "en"))
    try:
        match.board.lay(piece, layout, cell)
    except ValueError:
        return f"`{line}` cannot be laid: {why or 'it does not fit'}"
    stack.remove(beneath)
    return ""


def _none_left(match: Match, piece: int) -> str:
    kind = match.program.game.stacked[piece]
    return f"no copy of `{kind.id}` is left: the game has {kind.count}"


def _join(match: Match, pair: str) -> str:
    """Join two segments; returns the error message, or an empty text."""
    found = []
    for text in pair.split():
        segment = read_segment(match, text)
        if segment is None:
            return _not_there(match, text)
        found.append(segment)
    try:
        link(match, found[0], found[1], joins=1)
    except RuleError as fault:
        return fault.message
    return ""


def _not_there(match: Match, text: str) -> str:
    """The message about a cell or segment that is not on the board."""
    cell, _, name = text.partition("/")
    place = read_cell(cell)
    if place is None:
        return f"`{text}` is not a place on the board"
    tile = match.board.tile_at.get(cell_of(*place))
    if tile is None:
        return f"no tile lies at {cell}"
    names = match.board.shapes.segment_names[match.board.tile_shape[tile]]
    return f"the tile at {cell} has no segment `{name}`: it has {all_of(names)}"


def _recast(match: Match, text: str) -> str:
    """Make a feature another kind; returns the error message, or an empty text."""
    found = read_recast(match, text)
    if found is None:
        segment, _, kind = text.partition(" ")
        unknown = f"unknown kind of feature `{kind.strip()}`"
        return _not_there(match, segment) if read_segment(match, segment) is None else unknown
    try:
        become(match, *found)
    except RuleError as fault:
        return fault.message
    return ""


def _fill(
    match: Match, stacks: tuple[tuple[str, tuple[str, ...]], ...]
) -> list[tuple[str, tuple[str, ...]]]:
    """Fill stacks with exactly these pieces, taken out of the others; problems with their keys.

    Pieces that were in the named stacks and are named nowhere take no part in the game.
    """
    numbers = match.program.stack_number
    problems: list[tuple[str, tuple[str, ...]]] = []
    named = {numbers[name] for name, _ in stacks if name in numbers}
    spare = [piece for number in named for piece in match.stacks[number]]
    sources = [spare, *(s for number, s in enumerate(match.stacks) if number not in named)]
    for number in named:
        match.stacks[number] = []
    for name, pieces in stacks:
        if name not in numbers:
            problems.append((f"unknown stack `{name}`", (name,)))
            continue
        for id_ in pieces:
            piece = match.program.piece_number.get(id_)
            if piece is None:
                problems.append((f"unknown piece `{id_}`", (name, id_)))
            elif (source := next((s for s in sources if piece in s), None)) is None:
                problems.append((_none_left(match, piece), (name, id_)))
            else:
                source.remove(piece)
                match.stacks[numbers[name]].append(piece)
    return problems


def _give(match: Match, name: str, count: int) -> str:
    """Give a player tokens of the supply; returns the error message, or an empty text."""
    slot = token_slot(match, name)
    if slot is None or slot[0] == slot[1]:
        return f"`{name}` names no player's tokens"
    left = match.tokens[slot[0]]
    if not 0 <= count <= left:
        return f"`{name}` cannot have {count}: {left} are left in the supply"
    match.tokens[slot[0]] -= count
    match.tokens[slot[1]] += count
    return ""


# ------------------------------------------------------------------ figures and tokens by name


def token_slot(match: Match, name: str) -> tuple[int, int] | None:
    """Where tokens of a name are counted in `match.tokens`: in the supply, and the ones meant.

    `bead` means those in the common supply, `red bead` those of a player.
    """
    words = words_of(name)
    kinds = [token.id for token in match.program.game.tokens]
    if not 1 <= len(words) <= 2 or words[-1] not in kinds:
        return None
    supply = kinds.index(words[-1]) * (len(match.players) + 1)
    if len(words) == 1:
        return supply, supply
    player = seat_number(match, words[0])
    return None if player is None else (supply, supply + player + 1)


def figures_named(match: Match, name: str) -> list[int]:
    """The figures that a seat and a kind, numbered or not, or a neutral one's name may mean."""
    words = words_of(name)
    wanted = None
    if len(words) > 1 and NUMBERED.fullmatch(words[-1]):
        wanted = int(words[-1]) - 1
        words = words[:-1]
    owner = seat_number(match, words[0]) if len(words) > 1 else None
    kind = words[-1]
    kinds = [figure.id for figure in match.program.game.figures]
    if kind not in kinds or (len(words) > 1 and owner is None) or len(words) > 2:
        return []
    number = kinds.index(kind)
    found = [
        figure
        for figure, its_kind in enumerate(match.figure_kind)
        if its_kind == number and match.owner[figure] == owner
    ]
    if wanted is None:
        return found
    return found[wanted : wanted + 1]


def put_figure(match: Match, name: str, place: str) -> str:
    """Place a figure; returns the error message, or an empty text."""
    found = figures_named(match, name)
    if not found:
        return f"unknown figure `{name}`"
    figure = found[0]
    words = place.split()
    numbers_of_stacks = match.program.stack_number
    if place == "home":
        match.send_home(figure)
        return ""
    if place.startswith("front of "):
        player = seat_number(match, place.removeprefix("front of "))
        if player is None:
            return f"`{place}` does not name a player"
        match.hand(figure, player)
        return ""
    if place.startswith("beside ") and place.removeprefix("beside ") in numbers_of_stacks:
        match.move_beside(figure, numbers_of_stacks[place.removeprefix("beside ")])
        return ""
    if place.startswith("beside "):
        others = [
            f for f in figures_named(match, place.removeprefix("beside ")) if match.spot[f] >= 0
        ]
        if not others:
            return f"`{place}` names no figure on the board"
        match.attach(figure, others[0])
        return ""
    segment = read_segment(match, words[0])
    cell = read_cell(words[0])
    if segment is not None:
        match.move_to_segment(figure, segment)
    elif cell is not None and cell_of(*cell) in match.board.tile_at:
        match.move_to_tile(figure, match.board.tile_at[cell_of(*cell)])
    else:
        return _not_there(match, words[0])
    if len(words) == 3 and words[1] == "facing" and words[2] in SIDES:
        kind = match.program.game.figures[match.figure_kind[figure]]
        if "facing" not in kind.carries:
            return f"`{name}` cannot face `{words[2]}`: a `{kind.id}` has no facing in this game"
        match.face(figure, SIDES.index(words[2]))
    elif len(words) > 1:
        return f"`{place}` is not a place; a direction is written `0,0 facing N`"
    return ""


def where_is(match: Match, name: str) -> list[str]:
    """The places of the figures with that name, with direction and companion."""
    found = []
    for figure in figures_named(match, name):
        text = spot_text(match, figure)
        side, other = match.facing[figure], match.attached_to[figure]
        if side is not None and match.spot[figure] >= 0:
            text += f" facing {SIDES[side]}"
        if other is not None:
            text += f" beside {match.figure_name(other)}"
        found.append(text)
    return found


# ------------------------------------------------------------------ memory


def remember(match: Match, name: str, text: str) -> tuple[str, str]:
    """Set a memory to the value of an expression; the problem and its reason, or empty texts."""
    place = _place(match, name)
    if isinstance(place, str):
        return place, ""
    slot, thing = place
    memory = match.program.game.memory[slot]
    mine = Reporter()
    found = evaluate(match, text, mine, memory.type)
    if found is None:
        why = "; ".join(each.message for each in mine.diagnostics)
        return f"`{text}` is not a {memory.type} for `{name}`", why
    if thing is None:
        match.memory[slot] = found[1]
    else:
        keep(match, thing, found[1], law_of(memory), slot)
    return "", ""


def remembered(match: Match, name: str) -> str:
    """The value of a memory as text, or why there is none."""
    place = _place(match, name)
    if isinstance(place, str):
        return place
    slot, thing = place
    memory = match.program.game.memory[slot]
    value = match.memory[slot] if thing is None else kept(match, thing, law_of(memory), slot)
    return value_text(match, memory.type, value)


def _place(match: Match, name: str) -> tuple[int, int | None] | str:
    """The slot of a memory, and the thing that it is kept for; a message for an unknown name."""
    words = words_of(name)
    slot = match.program.memory_number.get(words[-1]) if words else None
    if slot is None:
        known = did_you_mean(words[-1] if words else "", match.program.memory_number)
        return f"unknown memory `{name}`{known}"
    base, thing = match.program.game.memory[slot].of, " ".join(words[:-1])
    if not base:
        return (slot, None) if not thing else f"`{words[-1]}` is kept once, not for `{thing}`"
    if not thing:
        return f"`{name}` is kept for each {base}: write which one before it"
    number = _thing(match, base, thing)
    return f"`{thing}` is not a {base} here" if number is None else (slot, number)


def _thing(match: Match, base: str, text: str) -> int | None:
    """The number of a thing that a text names."""
    match base:
        case "player":
            return seat_number(match, text)
        case "figure":
            return next(iter(figures_named(match, text)), None)
        case "tile":
            place = read_cell(text)
            return None if place is None else match.board.tile_at.get(cell_of(*place))
    segment = read_segment(match, text)
    if segment is None or base == "segment":
        return segment
    return match.board.find(match.board.tile_features[segment >> 5][segment & 31])
