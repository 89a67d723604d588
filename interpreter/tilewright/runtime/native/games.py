"""Games and matches of the native core, and the way into one from a match in Python.

`Match` stays the truth: a native match begins with a seed or is entered from a match, and what
comes back is its log, which a match can play again. When a rule cannot be carried out, or a number
needs more than 64 bits, the core stops without a message; Python plays the log again and reports
the reason.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tilewright.runtime.fact_rows import row_bytes
from tilewright.runtime.library.sets import bits
from tilewright.runtime.match import Match
from tilewright.runtime.native.engine import native_core

if TYPE_CHECKING:
    from tilewright._core import Game, Lots, Simulator
    from tilewright._core import Match as CoreMatch

#: the value of the core for None
NONE = -(1 << 63)
_MASK, _PARTS = 64, 128  # codes of types: a mask, and a value of several parts less their number


@dataclass(frozen=True, slots=True)
class ImageSize:
    """The size of a game in bytecode; `registers` is the most that a function uses."""

    functions: int
    instructions: int
    registers: int
    bytes: int


@dataclass(frozen=True, slots=True)
class NativeGame:
    """A game in the core, with what is needed to enter a match of it."""

    core: Game
    size: ImageSize
    memory_types: Sequence[int]
    saved: Mapping[tuple[int, int], Sequence[int]]
    site_parts: Sequence[int]

    def entered(self, match: Match, *, without_prescribed: bool = False) -> CoreMatch:
        """A native match in the position of a match, with its log and its decision.

        Raises ValueError for a match that has failed, or whose draws are prescribed, unless it is
        to go on without these.
        """
        prescribed = match.forced_draws and not without_prescribed
        if prescribed or match.failed is not None:
            raise ValueError("a match with prescribed draws, or a failed one, is played in Python")
        row = array("q", self._row(match))
        found: CoreMatch = native_module().Match.enter(self.core, len(match.points), row_bytes(row))
        return found

    def _row(self, match: Match) -> Iterator[int]:
        """The numbers of a match in the order in which `core/engine/src/enter.rs` reads them."""
        board = match.board
        lists: Iterable[Sequence[int | None]] = (
            board.tile_cell,
            board.tile_shape,
            board.tile_piece,
            [number for pair in board.covers for number in pair],
            [segment for pair in board.links for segment in pair],
            [number for pair in board.recasts for number in pair],
            board.completed,
            match.spot,
            match.facing,
            match.attached_to,
            match.points,
            match.tokens,
            *match.stacks,
            match.loose,
            [n - (n >> 63 << 64) for n in match.streams],
            match.log,
        )
        for numbers in lists:
            yield len(numbers)
            yield from (NONE if n is None else n for n in numbers)
        for value, code in zip(match.memory, self.memory_types, strict=True):
            yield from _held(value, code)
        yield len(match.frames)
        for unit, block, *values in match.frames:
            yield from (unit, block)
            for value, code in zip(values, self.saved[unit, block], strict=True):
                yield from _held(value, code)
        yield from (13, match.active, match.turn, match.phase, match.to_move, match.decision_site)
        yield from (match.count, match.piece, match.spent, match.optional, match.passed)
        yield from (match.ending, match.has_left, match.has_chosen)
        yield from self._options(match)

    def _options(self, match: Match) -> Iterator[int]:
        if match.to_move >= 0 and match.options_now is None:
            yield from (1, 2, 0)
            return
        parts = self.site_parts[match.decision_site] if match.to_move >= 0 else 1
        options = match.options_now or ()
        if isinstance(options, range):
            yield from (0, 0, 2, options.start, len(options))
            return
        yield from (0, parts, parts * len(options))
        for option in options:
            given = option if isinstance(option, tuple) else (option,)
            yield from (NONE if n is None else n for n in given)
            yield from [NONE] * (parts - len(given))


def _held(value: Any, code: int) -> Iterator[int]:
    """A value of memory or of a frame, by the code of its type."""
    if code == _MASK:
        value, code = bits(value), 1
    if code > _PARTS:
        yield from [NONE] * (code - _PARTS) if value is None else value
    elif code:
        yield len(value)
        for member in value:
            yield from map(_number, member) if code > 1 else (member,)
    else:
        yield _number(value)


def _number(value: int | None) -> int:
    return NONE if value is None else int(value)


def simulator(
    game: NativeGame,
    players: int,
    deal: Iterable[Iterable[int]],
    depth: int = 0,
    plain: NativeGame | None = None,
) -> Simulator:
    """A simulator of a game with a tally; `deal` has the own numbers of pieces, by stack.

    All bots are greedy with a search of this depth, or with 0 random. Greedy bots try options in
    `plain`, the same game without a tally, which is faster. Raises ValueError when so many players
    cannot play.
    """
    rows = [row_bytes(array("q", (n - (n >> 63 << 64) for n in row))) for row in deal]
    found: Simulator = native_module().Simulator(
        game.core, players, depth, rows, plain and plain.core
    )
    return found


def numbers_of(data: bytes) -> array[int]:
    """The numbers of a row from the core."""
    row = array("q", data)
    if sys.byteorder == "big":
        row.byteswap()
    return row


def native_module() -> ModuleType:
    """The module of the native core. Raises RuntimeError when it is not in use."""
    core = native_core()
    if core is None:
        raise RuntimeError("the native core is not in use")
    return core


def seed_number(seed: int | str) -> int:
    """The number of a seed with which a native match begins, of 64 bits."""
    digest = hashlib.blake2b(str(seed).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def lots(seeds: Sequence[int | str]) -> Lots:
    """Sources of random numbers that give what `random.Random` gives for these seeds."""
    found: Lots = native_module().Lots([_key(seed) for seed in seeds])
    return found


def _key(seed: int | str) -> list[int]:
    """The number that Python makes of a seed, in words of 32 bits, the lowest first."""
    if isinstance(seed, str):
        text = seed.encode()
        number = int.from_bytes(text + hashlib.sha512(text).digest(), "big")
    else:
        number = abs(seed)
    words = -(-max(number.bit_length(), 1) // 32)
    return [number >> 32 * n & 0xFFFFFFFF for n in range(words)]
