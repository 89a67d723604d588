"""`show engine`: which engine plays a game, why, and what the native core cannot carry."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tilewright.faces.cli.output import bold, rows, say, wrapped
from tilewright.play.compiling.bytecode.instructions import LEFT_TO_PYTHON, NOT_CARRIED
from tilewright.play.compiling.native import InPython, native_game
from tilewright.play.native.engine import engine
from tilewright.play.program import Program


def engine_data(program: Program) -> dict[str, Any]:
    """The data of `show engine`; `image` is None when the Python engine plays the game."""
    found = native_game(program)
    in_python = isinstance(found, InPython)
    return {
        "game": program.game.id,
        "engine": "python" if in_python else "native",
        "reason": found.reason if isinstance(found, InPython) else engine().reason,
        "function": found.function if isinstance(found, InPython) else "",
        "image": None if isinstance(found, InPython) else asdict(found.size),
        "not_carried": list(NOT_CARRIED),
        "left_to_python": list(LEFT_TO_PYTHON),
    }


def print_engine(data: dict[str, Any]) -> None:
    """Print the data of `show engine`."""
    name = "plain Python" if data["engine"] == "python" else "native core"
    say(f"{bold(name)}: {data['reason']}")
    if data["function"]:
        say(f"  in the function {data['function']}")
    image = data["image"]
    if image is not None:
        table = [
            ("functions", f"{image['functions']:,}"),
            ("instructions", f"{image['instructions']:,}"),
            ("registers", f"{image['registers']:,} at most in a function"),
            ("size of the image", f"{image['bytes']:,} bytes"),
        ]
        say()
        say(rows(table))
    say()
    say("A game with one of these is played in Python as a whole:")
    for text in data["not_carried"]:
        say(wrapped(f"* {text}", 2, 2))
    say("A match that meets one of these is played again in Python, and goes on there:")
    for text in data["left_to_python"]:
        say(wrapped(f"* {text}", 2, 2))
