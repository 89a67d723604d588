"""A game to a program: the one entry of this package."""

from __future__ import annotations

from typing import Any

from tilewright.compiling.compiler import Compiler
from tilewright.compiling.draft import Draft
from tilewright.compiling.final_scoring import compile_ending
from tilewright.linking.game import Game
from tilewright.runtime.program import Program


def compile_game(
    game: Game, *, probes: bool = False, measures: bool = False, keep: bool = False
) -> Program:
    """The program of a linked game without errors.

    With `probes` it tells which rules are reached and how conditions come out, with `measures` the
    events on which the game's measures wait; with `keep` it has the syntax trees of its functions.
    """
    draft = Draft(game, probes=probes, measures=measures, keep=keep)
    compiler = Compiler(draft)
    compiler.compile()
    answered = game.definitions["may_lay"].amendments
    made: dict[str, Any] = {
        "may_lay": draft.definitions["may_lay"] if answered else None,
        "constrained": compiler.constrained(),
        "ending": compile_ending(compiler),
        "function_of": compiler.question,
        "made": {},
    }
    names = [name for name in Program.__match_args__ if name not in made]
    return Program(**made, **{name: getattr(draft, name) for name in names})
