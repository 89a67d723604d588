"""Finds before play which kinds of figures make the feature that they are on occupied.

Kind, traits and owner of a figure never change. Where the amendments of `occupies` depend on these
alone, `x.occupied` is one test of a mask. Otherwise each figure on the feature is tested.
"""

from __future__ import annotations

from tilewright.language import builtins as p
from tilewright.language.types import TRUTH
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling.facts.number_bounds import Magnitudes
from tilewright.play.compiling.passes.inlining import Inliner
from tilewright.play.compiling.passes.per_kind import of_kind
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import FigureKind


def occupying_kinds(game: Game) -> tuple[bool, ...] | None:
    """By kind of figure, whether it occupies; None when this depends on more than the kind.

    The tuple is empty when no rule amends `occupies`, so every figure does.
    """
    if not game.is_amended(p.OCCUPIES):
        return ()
    inliner = Inliner(game, Magnitudes(game), lambda name: None)
    found = [_occupies(game, inliner, figure) for figure in game.figures]
    return None if None in found else tuple(map(bool, found))


def _occupies(game: Game, inliner: Inliner, figure: FigureKind) -> bool | None:
    """Whether the figures of a kind occupy; None when their kind does not decide it."""
    is_open = False
    for amendment in game.definitions[p.OCCUPIES].amendments:
        (name,) = amendment.parameters
        value = amendment.value
        if amendment.when is not None:
            barred = t.Not(amendment.when, TRUTH, amendment.when.span)
            value = t.Or((barred, value), TRUTH, value.span)
        match of_kind(inliner.inlined(value), name, figure, game):
            case t.Literal(bool(holds)):
                if not holds:
                    return False
            case _:
                is_open = True
    return None if is_open else True
