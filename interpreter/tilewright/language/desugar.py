"""Short forms of effects in terms of the others, so that only the type checker has to know them.

Each function takes nodes and gives nodes; parts keep their places in the text. Names that no author
can write stand for what the short form leaves unnamed.
"""

from __future__ import annotations

from tilewright.language import ast as n
from tilewright.language.builtins import SPOKEN_VERB

#: the name of a thing that an effect does not name
UNNAMED = "_"


def plain(effect: n.Effect) -> n.Effect:
    """The effect that a short form stands for; every other effect is returned unchanged.

    Parts of the effect, such as the effects of its block, are not looked at.
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
        case n.Verb(verb, n.Belonging(count, token), parts, span) if _is_counted(verb):
            return n.Repeat(count, (n.Verb(verb, token, parts, span),), span)
    return effect


def _is_counted(verb: str) -> bool:
    """Whether `3 of x` may stand behind a verb: where one is about a single thing of many."""
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
    # no more often than there is such a piece
    if_there = n.Repeat(n.Call("min", (once, there), stack.span), both, span)
    return n.Repeat(times, (if_there,), span)
