"""Brings a match back from the native core, whole or only the facts that notation reads.

The core sends a row of numbers, `core/engine/src/leave.rs`, with the primary facts. Derived facts
are computed again, as for a match that is entered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from tilewright.language.types import Type
from tilewright.runtime.board.board import Board
from tilewright.runtime.board.rebuild import laid_pieces, rebuilt
from tilewright.runtime.encoding import IN_SUPPLY
from tilewright.runtime.fact_rows import values_in
from tilewright.runtime.match import Match
from tilewright.runtime.native.games import NONE, numbers_of

if TYPE_CHECKING:
    from tilewright._core import Match as CoreMatch

#: how the core gives options that are not listed: by edges alone, and as a range of numbers
_BY_EDGES, _RANGE = 1, 2
#: the values of several numbers, and how many
_PARTS = {"placement": 2, "print": 3}


def left(core: CoreMatch, start: Match) -> Match:
    """The match of the core in Python, without listeners; `start` is an earlier position of it."""
    match, row = start.fork(), iter(numbers_of(core.leave()))
    by_edges = _take_decision(match, core, row)
    board = Board(match.board.shapes)
    _take_tiles(board, row)
    match.spot = _list(row)
    links, recasts, covers = (_pairs(row) for _ in range(3))
    on_segments = [(f, spot - 1 >> 5, spot - 1 & 31) for f, spot in _on_board(match) if spot & 31]
    match.board = rebuilt(board.shapes, laid_pieces(board), on_segments, links, recasts, covers)
    match.board.completed = _list(row)
    match.in_supply = sum(1 << f for f, spot in enumerate(match.spot) if spot == IN_SUPPLY)
    match.on_board = sum(1 << figure for figure, _ in _on_board(match))
    match.points, match.tokens, match.loose = (_list(row) for _ in range(3))
    match.stacks = [_list(row) for _ in match.stacks]
    facing, attached, memory, streams, frames = values_in(row)
    match.facing, match.attached_to, match.streams = [*facing], [*attached], [*streams]
    match.memory = [
        [*value] if isinstance(begun, list) else value
        for begun, value in zip(match.program.memory_start, memory, strict=True)
    ]
    match.frames = [
        [list(value) if isinstance(value, tuple) else value for value in frame] for frame in frames
    ]
    match.log = numbers_of(core.log()).tolist()
    if by_edges:
        match.options_now = None
    return match


def show(core: CoreMatch, match: Match) -> Match:
    """A match whose decision and its options can be written: the given one, which cannot be played
    on, or a new one where that is not enough.
    """
    row = iter(numbers_of(core.leave()))
    _take_decision(match, core, row)
    types = match.program.sites[match.decision_site].types if match.to_move >= 0 else ()
    if any(type_.base == "feature" for type_ in types):
        return left(core, match)
    _take_tiles(match.board, row)
    match.spot = _list(row)
    return match


def _take_decision(match: Match, core: CoreMatch, row: Iterator[int]) -> bool:
    """Take the numbers that a row begins with, and the options; whether edges alone give these."""
    match.active, match.turn, match.phase, match.to_move = islice(row, 4)
    match.decision_site, match.count, match.piece, match.spent = islice(row, 4)
    flags = map(bool, islice(row, 5))
    match.optional, match.passed, match.ending, match.has_left, match.has_chosen = flags
    how, match.options_now = next(row), None
    if match.to_move >= 0:
        found = _options(match, *core.options())
        match.options_now = range(found[0], found[-1] + 1) if how == _RANGE else found
    return how == _BY_EDGES


def _options(match: Match, parts: int, data: bytes) -> Sequence[Any]:
    """The options of a decision, from a row with so many numbers for each."""
    row, site = numbers_of(data).tolist(), match.program.sites[match.decision_site]
    if parts == 1 and not site.actions:
        return row
    options = zip(*[iter(row)] * parts, strict=True)
    if not site.actions:
        return list(options)
    types = [[source.type.one for _, source in action.offer] for action in site.actions]
    return [(action, *_parts(values, types[action])) for action, *values in options]


def _parts(numbers: Sequence[int], types: Sequence[Type]) -> Iterator[Any]:
    """The values of these types that a row of numbers begins with."""
    row = iter(numbers)
    for type_ in types:
        value = tuple(islice(row, _PARTS.get(type_.base, 1)))
        yield None if value[0] == NONE else value if len(value) > 1 else value[0]


def _take_tiles(board: Board, row: Iterator[int]) -> None:
    """Take the tiles of a row, and nothing that follows from them."""
    board.tile_cell, board.tile_shape = _list(row), _list(row)


def _on_board(match: Match) -> Iterator[tuple[int, int]]:
    return ((figure, spot) for figure, spot in enumerate(match.spot) if spot >= 0)


def _list(row: Iterator[int]) -> list[int]:
    return list(islice(row, next(row)))


def _pairs(row: Iterator[int]) -> list[tuple[int, int]]:
    numbers = iter(_list(row))
    return list(zip(numbers, numbers, strict=True))
