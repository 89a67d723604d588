"""The entry of this package: compiles a game to a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling.bodies import compile_bodies
from tilewright.play.compiling.compiler import Compiler
from tilewright.play.compiling.definitions import compile_definitions, constrained_pieces
from tilewright.play.compiling.draft import Draft
from tilewright.play.compiling.final_scoring import compile_ending
from tilewright.play.compiling.reuse import Memo
from tilewright.play.program import FinalRule, Program
from tilewright.rules.linking.game import Game


def compile_game(
    game: Game,
    *,
    probes: bool = False,
    measures: bool = False,
    memo: Memo | None = None,
) -> Program:
    """The program of a linked game without errors.

    With `probes` the program records the rules that ran and the results of conditions, and with
    `measures` it notifies listeners of the events of measures. `memo` has the functions of similar
    games for a program without probes.
    """
    draft = Draft(game, probes=probes, measures=measures)
    compiler = Compiler(draft, None if probes else memo)
    compile_definitions(compiler)
    compile_bodies(compiler)
    constrained = constrained_pieces(compiler)
    return finished(draft, constrained, compile_ending(compiler), compiler.evaluator)


def finished(
    draft: Draft,
    constrained: tuple[bool, ...],
    ending: tuple[FinalRule, ...],
    function_of: Callable[[t.Expression, Sequence[str]], Callable[..., Any]],
) -> Program:
    """The program of a draft whose functions are complete."""
    amendments = draft.game.definitions["may_lay"].amendments
    made: dict[str, Any] = {
        "may_lay": draft.definitions["may_lay"] if amendments else None,
        "constrained": constrained,
        "ending": ending,
        "function_of": function_of,
        "made": {},
        "images": None,
    }
    names = [name for name in Program.__match_args__ if name not in made]
    return Program(**made, **{name: getattr(draft, name) for name in names})
