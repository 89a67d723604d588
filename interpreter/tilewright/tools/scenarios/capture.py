"""Captures a position of a match as a scenario, and writes a scenario as the data of its file.

A scenario begins with a turn, so it has the position at the start of the turn, and the draws and
choices up to the requested moment are its play. Where a scenario cannot express the position (a
memory of places), it begins a turn earlier, if necessary at the start of the game. Every scenario
is tested before it is returned: it must reach the same position. Comments and layout of a file are
not kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE
from tilewright.language.source.yaml.dump import Commented
from tilewright.play.board.rebuild import laid_pieces, pieces_on
from tilewright.play.encoding import IN_SUPPLY
from tilewright.play.library.kept import all_kept
from tilewright.play.match import Match
from tilewright.play.notation import (
    drawn_text,
    joins_text,
    option_texts,
    placement_text,
    recasts_text,
    seat_name,
    spot_text,
    thing_text,
    value_text,
)
from tilewright.play.replay import Log, fresh, moments, replayed
from tilewright.rules.linking.game import Game, LinkedMemory
from tilewright.rules.model.geometry import SIDES
from tilewright.rules.model.ruleset import Expectation, Line, Scenario
from tilewright.rules.reading.files.scenarios import EXPECTATION, SCENARIO, drawn_piece
from tilewright.rules.reading.files.writing import written
from tilewright.tools.scenarios.runner import played_out
from tilewright.tools.scenarios.setup import evaluate, figures_named, where_is

#: comments for lines of the play, by their number from zero
Comments = Mapping[int, str]


#: the order of an expectation for readers: what has happened, then who decides what
_EXPECTED = (
    "points", "gained", "figures", "supply", "tokens", "stacks", "tiles", "memory", "values",
    "decides", "step", "options", "offered", "refused", "over", "winners",
)  # fmt: skip


def scenario_data(scenario: Scenario, comments: Comments | None = None) -> dict[str, Any]:
    """A scenario as one item of the list `scenarios`."""
    active = scenario.active if (scenario.active,) != scenario.players[:1] else ""
    found = written(SCENARIO, replace(scenario, active=active, lines=()))
    comment_of = comments or {}
    play = [_line(line, comment_of.get(n, "")) for n, line in enumerate(scenario.lines)]
    return {key: value for key, value in {**found, "play": play}.items() if value}


def _line(line: Line, comment: str) -> Any:
    if line.expect is None:
        is_draw = line.verb == "draw"
        text = f"draw {line.text}" if is_draw else line.text
        # a draw of several words, or a choice that reads like a draw
        is_keyed = is_draw != bool(drawn_piece(text))
        text = line.text if is_keyed else text
        shown = Commented(text, comment) if comment else text
        return {line.verb: shown} if is_keyed else shown
    data = expectation_data(line.expect)
    if comment:  # diagnostics point to the first key, so the comment is beside it
        key = next(iter(data))
        data[key] = Commented(data[key], comment)
    return {"expect": data}


def expectation_data(expect: Expectation) -> dict[str, Any]:
    """The expectation as a map."""
    found = written(EXPECTATION, expect)
    return {key: found[key] for key in _EXPECTED if key in found}


# ------------------------------------------------------------------ positions


#: so many options are listed; of more only the first few are asked for
_MAX_OPTIONS = 12
_FEW_OPTIONS = 3


@dataclass(frozen=True, slots=True)
class _Start:
    """A match as one of its turns began, and how many lines of play came before."""

    match: Match
    lines: int


@dataclass(frozen=True, slots=True)
class _Course:
    """A match from its log: the start of each turn, every draw and choice, and where it ends."""

    starts: tuple[_Start, ...]
    lines: tuple[Line, ...]
    decisions: tuple[tuple[int, Match], ...]  # every decision: lines before it, the match there
    end: Match


def position(start: Match, log: Log, *, turn: int | None = None, id_: str = "") -> Scenario:
    """A turn of a match as a scenario that passes: its start, its choices, and expectations.

    `start` is the match before its first step. Without a `turn` it is the one at which the log
    ends, up to that point. `says` mentions where a scenario begins earlier. Raises LogError where
    the rules do not follow the log, ValueError where the match has no turn of that number.
    """
    program = start.program
    course = _course(start, log, turn)
    numbers = [start.match.turn for start in course.starts]
    wanted = numbers[-1] if turn is None and numbers else turn
    if wanted is None or wanted not in numbers:
        raise ValueError(f"the match has no turn {wanted}")
    at = numbers.index(wanted)
    options = options_of(program.game)
    seats = tuple(seat_name(course.end, player) for player in course.end.players)
    id_, says = id_ or f"turn-{wanted}", f"turn {wanted} of a match"
    blank = Scenario(id_, says, options=options, players=seats, active=seats[0])
    for scenario, begins in _candidates(blank, course, at):
        reporter = Reporter()
        ended = played_out(scenario, program, reporter)
        if ended is None or reporter.diagnostics or facts(ended) != facts(course.end):
            continue
        if scenario.turn != wanted:
            begin = f"turn {scenario.turn}" if scenario.board else "its start"
            scenario = replace(scenario, says=f"{scenario.says}, played from {begin} on")
        return _with_expectations(scenario, course, begins, course.starts[at].lines)
    # no scenario exists with another first player, or for a game whose start cannot be expressed
    raise ValueError("no scenario can describe the position")


def position_of(match: Match, **more: Any) -> Scenario:
    """The same for a match that began at the beginning."""
    return position(fresh(match), match.log, **more)


def options_of(game: Game) -> tuple[tuple[str, str], ...]:
    """The options of a game that differ from their defaults."""
    defaults = {o.id: o.default for ruleset in game.rulesets for o in ruleset.module.options}
    return tuple((name, value) for name, value in game.options if defaults.get(name) != value)


# ------------------------------------------------------------------ the way there


def _course(start: Match, log: Log, turn: int | None) -> _Course:
    starts: list[_Start] = []
    lines: list[Line] = []
    decisions: list[tuple[int, Match]] = []

    def listen(match: Match, event: str, values: tuple[Any, ...]) -> None:
        if event == "turn":
            starts.append(_Start(match.fork(), len(lines)))
        elif (drawn := drawn_text(match, event, values)) is not None:
            lines.append(Line("draw", drawn, None, NOWHERE))

    end: int | None = None
    for moment in moments(start, log, listeners=(listen,)):
        if turn is not None and moment.match.turn > turn:
            end = moment.at
            decisions.append((len(lines), moment.match.fork()))
            return _Course(tuple(starts), tuple(lines), tuple(decisions), decisions[-1][1])
        decisions.append((len(lines), moment.match.fork()))
        lines.append(Line("choose", moment.option, None, NOWHERE))
    last = replayed(start, log, end)
    decisions.append((len(lines), last))
    return _Course(tuple(starts), tuple(lines), tuple(decisions), last)


def _candidates(blank: Scenario, course: _Course, at: int) -> Iterator[tuple[Scenario, int]]:
    """Scenarios that may come to the position, shortest first, with the lines they leave out."""
    for start in reversed(course.starts[: at + 1]):
        if not start.match.board.tile_cell:
            continue
        laid = laid_out(blank, start.match)
        if laid is not None:
            yield replace(laid, lines=course.lines[start.lines :]), start.lines
    if course.end.set_up is not None:
        begin = course.end.set_up.situation
        yield replace(begin, id=blank.id, says=blank.says, lines=course.lines), 0
    else:
        first = seat_name(course.end, course.end.first_player)
        yield replace(blank, active=first, lines=course.lines), 0


def laid_out(blank: Scenario, match: Match) -> Scenario | None:
    """The situation of a match as a turn begins; None where a scenario has no words for it."""
    seats = [seat_name(match, player) for player in match.players]
    memory = _memory(match)
    if memory is None:
        return None
    points = tuple((seat, n) for seat, n in zip(seats, match.points, strict=True) if n)
    return replace(
        blank,
        active=seats[match.active],
        turn=match.turn,
        board=tuple(tiles_laid(match)),
        joined=tuple(joins_text(match)),
        recast=tuple(recasts_text(match)),
        figures=tuple(
            (numbered(match, figure), place_text(match, figure))
            for figure, spot in enumerate(match.spot)
            if spot != IN_SUPPLY
        ),
        points=points,
        tokens=tuple(tokens_held(match).items()),
        stacks=_stacks(match),
        memory=memory,
    )


def tiles_laid(match: Match, known: Container[int] = ()) -> Iterator[str]:
    """The pieces on the board as a scenario lists them, but for those on cells that are known."""
    for piece, layout, cell in laid_pieces(match.board):
        if cell not in known:
            name = match.program.game.pieces[piece].id
            yield f"{name} {placement_text(match, piece, (cell, layout))}"


def tokens_held(match: Match) -> dict[str, int]:
    """The tokens of the players, by seat and kind."""
    return {
        f"{seat_name(match, player)} {token.id}": count
        for kind, token in enumerate(match.program.game.tokens)
        for player in match.players
        if (count := match.token_count(kind, player))
    }


def numbered(match: Match, figure: int) -> str:
    """A figure by its name, numbered where the name alone means another one of its kind."""
    name = match.figure_name(figure)
    number = figures_named(match, name).index(figure)
    return f"{name} {number + 1}" if number else name


def place_text(match: Match, figure: int) -> str:
    """Where a figure is, in words that put it there again."""
    other, side = match.attached_to[figure], match.facing[figure]
    if other is not None:
        return f"beside {numbered(match, other)}"
    text = spot_text(match, figure)
    return text if side is None else f"{text} facing {SIDES[side]}"


def _stacks(match: Match) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The stacks that hold something else than all their tiles but those on the board."""
    game, fresh = match.program.game, Match(match.program, len(match.players), 0)
    for piece in pieces_on(match.board):
        next((s for s in fresh.stacks if piece in s), [piece]).remove(piece)
    pieces = game.stacked
    return tuple(
        (stack.id, tuple(pieces[n].id for n in sorted(held)))
        for stack, held, usual in zip(game.stacks, match.stacks, fresh.stacks, strict=True)
        if Counter(held) != Counter(usual)
    )


def _memory(match: Match) -> tuple[tuple[str, str], ...] | None:
    """The memory that outlasts the turn, as expressions; None where it has no expression."""
    found = []
    for memory, name, value in _remembered(match):
        begin = match.program.memory_start[match.program.memory_number[memory.declaration.id]]
        if memory.declaration.per == "turn" or (not memory.of and value == begin):
            continue
        text = value_text(match, memory.type, value)
        result = evaluate(match, text, Reporter.discarding(), memory.type)
        if result is None or result[1] != value:
            return None
        found.append((name, text))
    return tuple(found)


def _remembered(match: Match) -> Iterator[tuple[LinkedMemory, str, Any]]:
    """Every value of the memory with its name."""
    for slot, memory in enumerate(match.program.game.memory):
        id_ = memory.declaration.id
        if not memory.of:
            yield memory, id_, match.memory[slot]
            continue
        for thing, value in all_kept(match, slot):
            yield memory, f"{thing_text(match, memory.of, thing)} {id_}", value


def facts(match: Match) -> dict[str, object]:
    """All of a position that rules can distinguish, except chance."""
    return {
        "board": laid_pieces(match.board),
        "joined": joins_text(match),
        "recast": recasts_text(match),
        "covered": match.board.covers,
        "figures": (
            [spot_text(match, figure) for figure in range(len(match.spot))],
            match.facing,
            match.attached_to,
        ),
        "points": match.points,
        "tokens": match.tokens,
        "stacks": [sorted(held) for held in match.stacks],
        "memory": [
            f"{name} {value_text(match, memory.type, value)}"
            for memory, name, value in _remembered(match)
        ],
        "to_move": (match.to_move, match.active, match.step, match.phase),
        "options": option_texts(match),
        "turn": match.turn,
    }


# ----------------------------------------------------------------------- expectations


def _with_expectations(scenario: Scenario, course: _Course, left_out: int, turn: int) -> Scenario:
    """The scenario with what must be true at the first decision of its turn and at the end."""
    first = next(
        ((at, match) for at, match in course.decisions if at >= turn), course.decisions[-1]
    )
    lines = list(scenario.lines)
    lines.append(Line("expect", "", outcome(course.end, first[1]), NOWHERE))
    if first[0] < len(course.lines) or course.end is not first[1]:
        lines.insert(first[0] - left_out, Line("expect", "", decision(first[1]), NOWHERE))
    return replace(scenario, lines=tuple(lines))


def decision(match: Match) -> Expectation:
    """The player who must choose, the step and the options."""
    if match.to_move < 0:
        winners = tuple(seat_name(match, player) for player in match.winners())
        return Expectation(over=True, winners=winners)
    options = tuple(option_texts(match))
    is_short = len(options) <= _MAX_OPTIONS
    return Expectation(
        decides=seat_name(match, match.to_move),
        step=match.step or None,
        options=options if is_short else None,
        offered=() if is_short else options[:_FEW_OPTIONS],
    )


def outcome(match: Match, before: Match) -> Expectation:
    """The expectations of a position: all points, and the other facts that changed."""
    game = match.program.game
    moved = [
        numbered(match, figure)
        for figure in range(len(match.spot))
        if place_text(match, figure) != place_text(before, figure)
    ]
    seats = [seat_name(match, player) for player in match.players]
    return replace(
        decision(match),
        points=tuple(zip(seats, match.points, strict=True)),
        figures=tuple((name, where_is(match, name)[0]) for name in moved),
        tiles=len(match.board.tile_at),
        stacks=tuple(
            (stack.id, len(held))
            for stack, held, old in zip(game.stacks, match.stacks, before.stacks, strict=True)
            if len(held) != len(old)
        ),
    )
