"""Simplifies conditions of figures in advance, by the kind of figure.

Kind, traits and owner of a figure never change. Where the amendments of `occupies` depend on these
alone, `x.occupied` is one test of a mask. Otherwise each figure on the feature is tested.
"""

from __future__ import annotations

from tilewright.language import builtins as p
from tilewright.language.types import TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling.facts.number_bounds import Magnitudes
from tilewright.play.compiling.passes.inlining import Inliner, costs_of_definitions
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import FigureKind


def of_kind(node: t.Expression, name: str, figure: FigureKind, game: Game) -> t.Expression:
    """An expression where a local name stands for a figure of some kind."""
    node = t.mapped(node, lambda part: of_kind(part, name, figure, game))
    match node:
        case t.Attribute(t.Local(of), p.FIGURE_KIND) if of == name:
            return t.Constant("figure kind", figure.id, node.type, node.span)
        case t.IsNothing(t.Attribute(t.Local(of), p.FIGURE_OWNER)) if of == name:
            return t.Literal(not figure.owned, TRUTH, node.span)
        case t.IsKind(t.Local(of), t.Constant("figure kind", kind)) if of == name:
            return t.Literal(kind == figure.id, TRUTH, node.span)
        case t.Has(t.Local(of), t.Constant("trait", trait)) if of == name:
            return t.Literal(trait in figure.traits, TRUTH, node.span)
        case t.BuiltinCall(p.HAS_ROLE, (t.Local(of) as local, segment)) if of == name:
            kind_class = t.Constant(
                "figure kind", _same_roles(figure, game), Type("figure kind"), local.span
            )
            return t.BuiltinCall(p.HAS_ROLE, (kind_class, segment), TRUTH, node.span)
        case t.Comparison("=" | "!=" as sign, t.Constant(_, one), t.Constant(_, other)):
            return t.Literal((one == other) is (sign == "="), TRUTH, node.span)
        case t.Not(t.Literal(value)):
            return t.Literal(not value, TRUTH, node.span)
        case t.And(parts) | t.Or(parts):
            return _settled(node, parts)
    return node


def _settled(node: t.And | t.Or, parts: tuple[t.Expression, ...]) -> t.Expression:
    """The node without constant parts; the constant itself when one part decides."""
    rest = [part for part in parts if not isinstance(part, t.Literal)]
    goes_on = isinstance(node, t.And)
    if any(isinstance(part, t.Literal) and bool(part.value) is not goes_on for part in parts):
        return t.Literal(not goes_on, TRUTH, node.span)
    if not rest:
        return t.Literal(goes_on, TRUTH, node.span)
    if len(rest) == len(parts):
        return node
    return rest[0] if len(rest) == 1 else type(node)(tuple(rest), TRUTH, node.span)


def _same_roles(figure: FigureKind, game: Game) -> str:
    """The first kind of figure that may stand on the same kinds of feature as another."""
    roles = {f.id: {role.on for role in game.roles if f.id in role.figures} for f in game.figures}
    return next(id_ for id_, on in roles.items() if on == roles[figure.id])


def occupying_kinds(game: Game) -> tuple[bool, ...] | None:
    """By kind of figure, whether it occupies; None when this depends on more than the kind.

    The tuple is empty when no rule amends `occupies`, so every figure does.
    """
    if not game.is_amended(p.OCCUPIES):
        return ()
    inliner = Inliner(game, Magnitudes(game), lambda name: None, costs_of_definitions(game))
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
