"""Rewrites short forms of effects with the other effects; only the type checker calls it.

Each function takes nodes and returns nodes; parts keep their places in the text. Things without a
name in the short form get names that no author can write.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.language.builtins import ATTRIBUTE, RETURN, SPOKEN_VERB
from tilewright.language.syntax import ast as n
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t

#: the name of a thing without a name in the text
UNNAMED = "_"


def plain(effect: n.Effect) -> n.Effect:
    """The effect that a short form abbreviates; every other effect is returned unchanged.

    Parts of the effect, such as the effects of its block, are not rewritten.
    """
    match effect:
        case n.Decide(label, by, body, otherwise, span):
            yes = n.SetOf((n.Truth(True, span),), span)
            return n.Choose(True, UNNAMED, yes, by, label, body, otherwise, span)
        case n.ForWith(variable, source, attribute, value, body, span):
            found = n.Attribute(n.Name(variable, span), attribute, span)
            named = (n.Let(value, found, span), *body)
            test = n.If(n.Test(found, "something", False, span), named, (), span)
            return n.For(variable, source, (test,), span)
        case n.DrawInto():
            return _draw_into(effect)
        case n.Verb(verb, n.Restriction(count, token), parts, span) if _is_counted(verb):
            return n.Repeat(count, (n.Verb(verb, token, parts, span),), span)
    return effect


def _is_counted(verb: str) -> bool:
    """Whether a verb allows `3 of x`: its operand is a token."""
    return verb in SPOKEN_VERB and SPOKEN_VERB[verb].operand == "token"


def _draw_into(effect: n.DrawInto) -> n.Effect:
    stack, times, where, span = effect.stack, effect.times, effect.where, effect.span
    target = effect.target or UNNAMED
    put = n.Verb("put", n.Name(target, span), (("into", effect.into),), span)
    both = (n.Draw(target, stack, where, span), put)
    once = n.Number(1, span)
    if times is None:
        return n.Repeat(once, both, span)
    there: n.Expression = n.Call("count", (stack,), stack.span)
    if where is not None:
        there = n.Quantifier("count", target, stack, where, where.span)
    # no more often than there is a matching piece
    if_there = n.Repeat(n.Call("min", (once, there), stack.span), both, span)
    return n.Repeat(times, (if_there,), span)


def with_displaced(effect: t.Verb) -> t.Effect:
    """A verb that takes its tile off the board or turns it over; figures on it lose their places.

    Before that, each tile is announced, then each figure, which is returned if it is still there.
    """
    span, tiles = effect.span, ATTRIBUTE["tile", "whole"]
    lifted, tile = (t.Local(name, Type("tile"), span) for name in ("_lifted", "_tile"))
    figure = t.Local("_figure", Type("figure"), span)
    whole = t.Attribute(lifted, tiles, tiles.type, span)
    figures = ATTRIBUTE["tile", "figures"]
    on_tile = t.Attribute(tile, figures, figures.type, span)

    def each(done: t.Effect) -> t.Effect:
        return t.For(tile.name, whole, (t.For(figure.name, on_tile, (done,), span),), span)

    cleared = t.For(tile.name, whole, (t.Announce("cleared", (tile,), span),), span)
    announced = each(t.Announce("displaced", (figure,), span))
    returned = each(t.Verb(RETURN, figure, (), (), None, span))
    one = t.SetOf((effect.operand,), Type("tile").set, effect.operand.span)
    body = (cleared, announced, returned, replace(effect, operand=lifted))
    return t.For(lifted.name, one, body, span)
