"""Games and matches of the native core, and the way into one from a match in Python.

`Match` stays the truth: a native match begins with a seed or is entered from a match, and what
comes back is its log, which a match can play again. When a rule cannot be carried out, or a number
needs more than 64 bits, the core stops without a message; Python plays the log again and reports
the reason.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from tilewright.play.fact_rows import row_bytes
from tilewright.play.match import Match
from tilewright.play.native.engine import native_core
from tilewright.play.native.positions import match_row

if TYPE_CHECKING:
    from tilewright._core import Game, Lots, Simulator
    from tilewright._core import Match as CoreMatch


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
    site_parts: Sequence[int]

    def entered(self, match: Match, *, without_prescribed: bool = False) -> CoreMatch:
        """A native match in the position of a match, with its log and its decision.

        Raises ValueError for a match that has failed, or whose draws are prescribed, unless it is
        to go on without these.
        """
        prescribed = match.forced_draws and not without_prescribed
        if prescribed or match.failed is not None:
            raise ValueError("a match with prescribed draws, or a failed one, is played in Python")
        row = match_row(match, self.site_parts)
        found: CoreMatch = native_module().Match.enter(self.core, len(match.points), row_bytes(row))
        return found


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
