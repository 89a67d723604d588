"""The entry of this package: compiles a game to a program."""

from __future__ import annotations

from typing import Any

from tilewright.compiling.bodies import compile_bodies
from tilewright.compiling.compiler import Compiler
from tilewright.compiling.definitions import compile_definitions, constrained_pieces
from tilewright.compiling.draft import Draft
from tilewright.compiling.final_scoring import compile_ending
from tilewright.linking.game import Game
from tilewright.runtime.program import Program


def compile_game(
    game: Game, *, probes: bool = False, measures: bool = False, keep: bool = False
) -> Program:
    """The program of a linked game without errors.

    With `probes` the program records the rules that ran and the results of conditions, with
    `measures` it notifies listeners of the events of measures, and with `keep` it keeps the syntax
    trees of its functions.
    """
    draft = Draft(game, probes=probes, measures=measures, keep=keep)
    compiler = Compiler(draft)
    compile_definitions(compiler)
    compile_bodies(compiler)
    may_lay = game.definitions["may_lay"].amendments
    made: dict[str, Any] = {
        "may_lay": draft.definitions["may_lay"] if may_lay else None,
        "constrained": constrained_pieces(compiler),
        "ending": compile_ending(compiler),
        "function_of": compiler.evaluator,
        "made": {},
    }
    names = [name for name in Program.__match_args__ if name not in made]
    return Program(**made, **{name: getattr(draft, name) for name in names})
