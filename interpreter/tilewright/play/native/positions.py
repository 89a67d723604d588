"""The row of a match: the numbers in which it goes to the native core and comes back.

Both engines write the same row of primary facts (`core/engine/src/row.rs`): numbers, lists with
their lengths, and values that have a type of their own, as digests have them. Facts that follow
from these are computed again on either side.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from tilewright.language.types import Type
from tilewright.play.board.board import Board
from tilewright.play.board.rebuild import laid_pieces, rebuilt
from tilewright.play.board.relaying import laid_again, numbers, take_numbers
from tilewright.play.encoding import IN_SUPPLY
from tilewright.play.fact_rows import NONE, fact_row, numbers_of, values_in
from tilewright.play.match import Match

if TYPE_CHECKING:
    from tilewright._core import Match as CoreMatch

#: the values of several numbers, and how many
_PARTS = {"placement": 2, "print": 3}


def match_row(match: Match, site_parts: Sequence[int]) -> array[int]:
    """The row of a match; by site, how many numbers an option has, 0 where they are a range."""
    board = match.board
    by_edges = match.to_move >= 0 and match.options_now is None
    parts = 2 if by_edges else site_parts[match.decision_site] if match.to_move >= 0 else 1
    decision = (
        match.active, match.turn, match.phase, match.to_move, match.decision_site, match.count,
        match.piece, match.spent, match.optional, match.passed, match.ending, match.has_left,
        match.has_chosen, by_edges, parts,
    )  # fmt: skip
    lists: Iterable[Sequence[int]] = (
        [*_flat(match.options_now or (), parts)],
        board.tile_cell,
        board.tile_shape,
        board.tile_piece,
        match.spot,
        *([*chain.from_iterable(pairs)] for pairs in (board.links, board.recasts, board.covers)),
        numbers(board),
        board.completed,
        match.points,
        match.tokens,
        match.loose,
        *match.stacks,
        match.log,
    )
    return fact_row(
        (decision, *chain.from_iterable(((len(each),), each) for each in lists)),
        (match.facing, match.attached_to, match.memory, match.streams, match.frames),
    )


def _flat(options: Sequence[Any], parts: int) -> Iterator[int]:
    """Options as numbers, so many for each."""
    if isinstance(options, range):
        yield from (options.start, len(options))
        return
    for option in options:
        given = option if isinstance(option, tuple) else (option,)
        yield from (NONE if n is None else n for n in given)
        yield from [NONE] * (parts - len(given))


class _Row:
    """The row of a match in the core, read from its beginning."""

    def __init__(self, core: CoreMatch) -> None:
        self._numbers = numbers_of(core.leave())
        self._at = 0

    def many(self, many: int) -> list[int]:
        """The next numbers."""
        begin, self._at = self._at, self._at + many
        return self._numbers[begin : self._at].tolist()

    def list(self) -> list[int]:
        """The next list, which has its length before it."""
        begin = self._at + 1
        self._at = begin + self._numbers[begin - 1]
        return self._numbers[begin : self._at].tolist()

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The next list, in pairs."""
        numbers = iter(self.list())
        return zip(numbers, numbers, strict=True)

    def values(self) -> Iterator[Any]:
        """The values in the rest of the row."""
        return values_in(iter(self._numbers[self._at :]))


def left(core: CoreMatch, start: Match) -> Match:
    """The match of the core in Python, without listeners; `start` is an earlier position of it."""
    match, row = start.fork(), _Row(core)
    _take_decision(match, row)
    board = Board(match.board.shapes)
    _take_tiles(board, row)
    match.spot = row.list()
    links, recasts, covers = ([*row.pairs()] for _ in range(3))
    told = row.list()
    on_segments = [(f, spot - 1 >> 5, spot - 1 & 31) for f, spot in _on_board(match) if spot & 31]
    if told:
        board.links, board.recasts, board.covers = tuple(links), tuple(recasts), tuple(covers)
        take_numbers(board, told)
        match.board = laid_again(board, match.spot)
    else:
        match.board = rebuilt(board.shapes, laid_pieces(board), on_segments, links, recasts, covers)
    match.board.completed = row.list()
    match.in_supply = sum(1 << f for f, spot in enumerate(match.spot) if spot == IN_SUPPLY)
    match.on_board = sum(1 << figure for figure, _ in _on_board(match))
    match.points, match.tokens, match.loose = (row.list() for _ in range(3))
    match.stacks = [row.list() for _ in match.stacks]
    match.log = row.list()
    facing, attached, memory, streams, frames = row.values()
    match.facing, match.attached_to, match.streams = [*facing], [*attached], [*streams]
    match.memory = [
        [*value] if isinstance(begun, list) else value
        for begun, value in zip(match.program.memory_start, memory, strict=True)
    ]
    match.frames = [
        [list(value) if isinstance(value, tuple) else value for value in frame] for frame in frames
    ]
    return match


def show(core: CoreMatch, match: Match) -> Match:
    """A match whose decision and its options can be written: the given one, which cannot be played
    on, or a new one where that is not enough.
    """
    row = _Row(core)
    _take_decision(match, row)
    types = match.program.sites[match.decision_site].types if match.to_move >= 0 else ()
    if any(type_.base == "feature" for type_ in types):
        return left(core, match)
    if match.to_move >= 0 and match.options_now is None:
        parts, data = core.options()
        match.options_now = _options(match, parts, numbers_of(data).tolist())
    _take_tiles(match.board, row)
    match.spot = row.list()
    return match


def _take_decision(match: Match, row: _Row) -> None:
    """Take the numbers that a row begins with, and the options, unless edges alone give these."""
    *numbers, parts = row.many(15)
    match.active, match.turn, match.phase, match.to_move, match.decision_site = numbers[:5]
    match.count, match.piece, match.spent = numbers[5:8]
    flags = map(bool, numbers[8:])
    match.optional, match.passed, match.ending, match.has_left, match.has_chosen, by_edges = flags
    options = row.list()
    is_listed = match.to_move >= 0 and not by_edges
    match.options_now = _options(match, parts, options) if is_listed else None


def _options(match: Match, parts: int, row: list[int]) -> Sequence[Any]:
    """The options of a decision, from a row with so many numbers for each."""
    site = match.program.sites[match.decision_site]
    if not parts:
        return range(row[0], row[0] + row[1])
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


def _take_tiles(board: Board, row: _Row) -> None:
    """Take the tiles of a row, and nothing that follows from them."""
    board.tile_cell, board.tile_shape, board.tile_piece = row.list(), row.list(), row.list()


def _on_board(match: Match) -> Iterator[tuple[int, int]]:
    return ((figure, spot) for figure, spot in enumerate(match.spot) if spot >= 0)
