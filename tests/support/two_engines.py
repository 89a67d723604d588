"""Plays matches on both engines and finds the first decision at which they differ.

A difference is described in words: the game, the seed, the players, the number of the decision, and
the first fact that is not equal. Both engines must make the same facts, log, options and winners.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import pytest

from support.played import program_of
from tilewright.play.compiling.native import InPython, native_game
from tilewright.play.fact_rows import NONE, fact_row, row_bytes
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.native.engine import engine, native_core
from tilewright.play.native.games import NativeGame, seed_number
from tilewright.play.new_match import start_match
from tilewright.play.program import Program

if TYPE_CHECKING:
    from tilewright._core import Match as CoreMatch

#: a mark for tests that need the core; `pytest -rs` and `.ci/run` print the reason
needs_core = pytest.mark.skipif(
    native_core() is None, reason=f"the native core is not in use: {engine().reason}"
)


class DifferenceError(AssertionError):
    """The two engines differ; the text names the game, the decision and the fact."""


@dataclass(frozen=True, slots=True)
class Named:
    """The name of a match in messages."""

    game: str
    players: int
    seed: int | str

    def __str__(self) -> str:
        return f"{self.game}, {self.players} players, seed {self.seed}"


def loaded(program: Program) -> NativeGame:
    """The game of a program in the core; fails where Python would have to play it."""
    native = native_game(program)
    if isinstance(native, InPython):
        where = f" in `{native.function}`" if native.function else ""
        raise DifferenceError(f"{program.game.id} is played in Python: {native.reason}{where}")
    return native


@lru_cache(30)
def loaded_game(game: str) -> NativeGame:
    """The same by the name of a game."""
    return loaded(program_of(game))


def seats_of(program: Program) -> list[int]:
    """The numbers of players that a game allows, up to six."""
    return [number for number in range(1, 7) if not program.game.refusal(number)]


def begun(
    program: Program, players: int, seed: int | str, first: int = 0
) -> tuple[Match | None, CoreMatch]:
    """A match on each engine with the same seed; without the first if Python reports a fault."""
    core = native_core()
    assert core is not None
    other: CoreMatch = core.Match(loaded(program).core, players)
    went_on = other.start(seed_number(seed), first)
    try:
        match = start_match(program, players, seed, first=first)
    except RuleError as fault:
        _expect_fault(went_on, fault)
        return None, other
    if not went_on:
        raise DifferenceError("the core stops in the setup, Python goes on")
    return match, other


def play_both(
    match: Match,
    other: CoreMatch,
    named: Named,
    *,
    rng: random.Random,
    choices: int = 20_000,
    options: bool = False,
    every: int = 1,
) -> int:
    """Make the same choices by lot on both, comparing them at every decision; the number made.

    `options` compares the options of each decision too; `every` is 1, or more to compare fewer of
    very many decisions. Raises DifferenceError.
    """
    for number in range(choices):
        if number % every == 0 or match.to_move < 0:
            compare(match, other, f"{named}, decision {number}", options=options)
        if match.to_move < 0:
            return number
        k = int(rng.random() * match.count)
        if not chosen(match, other, k, f"{named}, choice {k} at decision {number}"):
            return number
    return choices


def chosen(match: Match, other: CoreMatch, k: int, where: str) -> bool:
    """Make a choice on both; False when it is a fault of the rules on both."""
    site = match.decision_site
    went_on = other.choose(k)
    try:
        match.choose_number(k)
    except RuleError as fault:
        _expect_fault(went_on, fault, where)
        return False
    if not went_on:
        raise DifferenceError(f"{where} at site {site}: the core stops, Python goes on")
    return True


def _expect_fault(went_on: bool, fault: RuleError, where: str = "the setup") -> None:
    if went_on:
        raise DifferenceError(f"{where}: the core goes on, Python reports: {fault}")


def compare(match: Match, other: CoreMatch, where: str, *, options: bool = False) -> None:
    """Compare two matches at one decision; raises DifferenceError."""
    if row_bytes(match.facts()) != other.facts():
        raise DifferenceError(f"{where}: {first_difference(match, other)}")
    pairs = [
        ("to_move", match.to_move, other.to_move),
        ("count", match.count, other.count),
        ("turn", match.turn, other.turn),
        ("the steps of rules", match.spent, other.spent),
        ("points", match.points, other.points),
        ("log", match.log, numbers(other.log())),
    ]
    if match.to_move >= 0:
        pairs += [
            ("site", match.decision_site, other.site),
            ("optional", bool(match.optional), other.optional),
        ]
        if options:
            pairs.append(("options", python_options(match, other), native_options(other)))
    else:
        pairs.append(("winners", match.winners(), other.winners()))
    for name, python, native in pairs:
        if python != native:
            raise DifferenceError(f"{where}: {name} is {python} in Python, {native} in the core")


def numbers(data: bytes) -> list[int]:
    """The 64-bit numbers in bytes of the core."""
    return [int.from_bytes(data[i : i + 8], "little", signed=True) for i in range(0, len(data), 8)]


def native_options(other: CoreMatch) -> list[tuple[int, ...]]:
    """The options of a decision in the core, without the pass."""
    parts, row = other.options()
    found = numbers(row)
    return [tuple(found[i : i + parts]) for i in range(0, len(found), parts)]


def python_options(match: Match, other: CoreMatch) -> list[tuple[int, ...]]:
    """The options of a decision in Python, each with as many parts as in the core."""
    return flat_options(match, other.options()[0])


def flat_options(match: Match, parts: int) -> list[tuple[int, ...]]:
    """The options of a decision in Python, each as so many numbers."""
    found = match.options_now
    if found is None:
        found = match.board.placements(match.piece)
    rows = [_flat(option) for option in found]
    return [row + (NONE,) * (parts - len(row)) for row in rows]


def _flat(value: Any) -> tuple[int, ...]:
    if isinstance(value, tuple):
        return tuple(number for part in value for number in _flat(part))
    return (NONE if value is None else int(value),)


# ------------------------------------------------------------------ words for a difference


def first_difference(match: Match, other: CoreMatch) -> str:
    """The first fact that differs, in words."""
    mine, theirs = list(match.facts()), numbers(other.facts())
    names = fact_names(match)
    for place, (one, two, name) in enumerate(zip_longest(mine, theirs, names)):
        if one != two:
            name = name or "beyond the last fact"
            return f"{name} (number {place}) is {one} in Python, {two} in the core"
    return "the rows of facts are equal"


def fact_names(match: Match) -> Iterator[str]:
    """A name for each number of the row of facts, in its order."""
    program, game = match.program, match.program.game
    for name, row in (
        ("cell of tile", match.board.tile_cell),
        ("shape of tile", match.board.tile_shape),
        ("spot of figure", match.spot),
        ("points of player", match.points),
        ("tokens in row", match.tokens),
    ):
        yield from (f"{name} {n}" for n in range(len(row)))
    for stack, pieces in zip(game.stacks, match.stacks, strict=True):
        yield f"size of stack `{stack.id}`"
        yield from (f"piece {n} of stack `{stack.id}`" for n in range(len(pieces)))
    yield from ("active player", "turn", "phase", "player to move", "number of options")
    memory = [f"memory `{kept.declaration.id}`" for kept in game.memory]
    stacks = [f"chance of stack `{stack.id}`" for stack in game.stacks]
    frames = [f"frame of `{program.units[frame[0]].__name__}`" for frame in match.frames]
    groups: list[tuple[str, list[str], list[Any]]] = [
        ("facings", [f"facing of figure {n}" for n in range(len(match.facing))], match.facing),
        ("companions", [f"companion of {n}" for n in range(len(match.spot))], match.attached_to),
        ("memory", memory, match.memory),
        ("chance", stacks, match.streams),
        ("frames", frames, match.frames),
    ]
    for name, parts, values in groups:
        yield from (f"mark of {name}", f"number of {name}")
        for part, value in zip(parts, values, strict=True):
            yield from (part for _ in fact_row((), (value,)))
