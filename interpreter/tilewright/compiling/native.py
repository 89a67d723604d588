"""Loads a program into the native core, where that is built and carries the game."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from tilewright.compiling.bytecode.image import image_of
from tilewright.compiling.bytecode.tallying import Tallying
from tilewright.compiling.bytecode.types import NotCarried
from tilewright.compiling.compile_game import compile_game
from tilewright.runtime.engine import engine, native_core
from tilewright.runtime.fact_rows import row_bytes
from tilewright.runtime.native import ImageSize, NativeGame
from tilewright.runtime.program import Program

#: numbers of a function in an image, and which of them counts its registers
_FUNCTION, _REGISTERS = 4, 2


@dataclass(frozen=True, slots=True)
class InPython:
    """Why the Python engine plays a game: the reason for people, and the function it is in."""

    reason: str
    function: str = ""


def native_game(program: Program) -> NativeGame | InPython:
    """The game of a program in the native core, or why Python plays it; made once."""
    if native_core() is None:
        return InPython(engine().reason)
    return program.cached(_loaded)


def _loaded(program: Program) -> NativeGame | InPython:
    return _in_core(with_trees(program))


def with_trees(program: Program) -> Program:
    """A program of the same game that keeps the trees of its functions and announces events."""
    is_silent = bool(program.game.measures) and not program.measured
    if program.asts is None or program.probes or is_silent:
        return compile_game(program.game, measures=True, keep=True)
    return program


def counting_game(program: Program, tallying: Tallying) -> NativeGame | InPython:
    """The game of a program that kept its trees in the native core, counted while it is played."""
    if native_core() is None:
        return InPython(engine().reason)
    return _in_core(program, tallying)


def _in_core(kept: Program, tallying: Tallying | None = None) -> NativeGame | InPython:
    core = native_core()
    assert core is not None
    numbers = {name: number for number, (name, _) in enumerate(core.instructions())}
    try:
        made = image_of(kept, numbers, tallying)
    except NotCarried as refusal:
        return InPython(refusal.reason, refusal.function)
    sections = made.sections
    saved: dict[tuple[int, int], list[int]] = {}
    rows = iter(sections["saved"])
    for unit in rows:
        block, many = next(rows), next(rows)
        saved[unit, block] = [next(rows) for _ in range(many)]
    image = {name: row_bytes(array("q", row)) for name, row in sections.items()}
    size = ImageSize(
        functions=len(sections["functions"]) // _FUNCTION,
        instructions=len(sections["code"]),
        registers=max(sections["functions"][_REGISTERS::_FUNCTION]),
        bytes=sum(map(len, image.values())),
    )
    try:
        game = core.Game(image)
    except ValueError as error:  # larger than the core can hold
        return InPython(f"the core does not take its image: {error}")
    return NativeGame(game, size, sections["memory_types"], saved, made.site_parts)
