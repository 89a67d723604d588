"""Loads a program into the native core, where that is built and carries the game.

The image of a game can be kept with its program. It then comes from the same private place and
is as trusted as the code there; its bytecode is verified each time.
"""

from __future__ import annotations

import marshal
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.fact_rows import row_bytes
from tilewright.play.native.engine import engine, native_core
from tilewright.play.native.games import ImageSize, NativeGame
from tilewright.play.program import Program

if TYPE_CHECKING:
    from tilewright.play.compiling.bytecode.facts import Tallying

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


def ready_game(program: Program) -> NativeGame | None:
    """The game in the core where it is loaded already, or its image is kept; nothing is made."""
    if native_core() is None or program.probes:
        return None
    if _loaded not in program.made and (program.images is None or program.images.get() is None):
        return None
    found = native_game(program)
    return found if isinstance(found, NativeGame) else None


def _loaded(program: Program) -> NativeGame | InPython:
    store = program.images
    data = store.get() if store is not None else None
    if data is None:
        made = _image(with_forms(program))
        if store is not None:
            store.put(marshal.dumps(made))
    else:
        made = marshal.loads(data)
    return _in_core(made)


def with_forms(program: Program) -> Program:
    """A program of the same game that has the forms of its functions; mostly this one."""
    if program.forms is not None and not program.probes:
        return program
    return compile_game(program.game, measures=bool(program.measured))


def announcing(program: Program) -> Program:
    """A program of the same game that has its forms and announces the events of its measures."""
    if program.game.measures and not program.measured:
        return compile_game(program.game, measures=True)
    return with_forms(program)


def counting_game(program: Program, tallying: Tallying) -> NativeGame | InPython:
    """The game of a program with its forms in the native core, counted while it is played."""
    if native_core() is None:
        return InPython(engine().reason)
    return _in_core(_image(program, tallying))


def _image(kept: Program, tallying: Tallying | None = None) -> dict[str, Any]:
    """The parts of a native game, or why and in which function it has none, for `marshal`."""
    # an image that was kept is loaded without the compiler
    from tilewright.play.compiling.bytecode.image import image_of
    from tilewright.play.compiling.bytecode.instructions import NotCarried

    core = native_core()
    assert core is not None
    try:
        made = image_of(kept, core.instructions(), tallying)
    except NotCarried as refusal:
        return {"reason": refusal.reason, "function": refusal.function}
    sections = made.sections
    image = {name: row_bytes(array("q", row)) for name, row in sections.items()}
    size = {
        "functions": len(sections["functions"]) // _FUNCTION,
        "instructions": len(sections["code"]),
        "registers": max(sections["functions"][_REGISTERS::_FUNCTION]),
        "bytes": sum(map(len, image.values())),
    }
    return {"image": image, "size": size, "site_parts": made.site_parts}


def _in_core(made: dict[str, Any]) -> NativeGame | InPython:
    core = native_core()
    assert core is not None
    if "reason" in made:
        return InPython(made["reason"], made["function"])
    try:
        game = core.Game(made["image"])
    except ValueError as error:  # larger than the core can hold
        return InPython(f"the core does not take its image: {error}")
    return NativeGame(game, ImageSize(**made["size"]), made["site_parts"])
