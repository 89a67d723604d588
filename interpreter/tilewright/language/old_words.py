"""Words that rulesets used to be written with, and what is written now.

The type checker names the new word when it meets an old one; `tilewright fmt --upgrade` rewrites
texts. Old words have no meaning: they are known here alone.
"""

from __future__ import annotations

from tilewright.language import ast as n
from tilewright.language.unparse import print_effects, print_expression


def modern(effect: n.Verb) -> str:
    """What is written now for an effect with an old word; empty for every other effect.

    The grammar takes `do f(x)`, `remove f` and `shuffle a into b` for verbs that nobody knows.
    """
    match effect:
        case n.Verb("do", n.Call() as call, ()):
            return print_expression(call)
        case n.Verb("remove", operand, (), span):
            return print_effects((n.Verb("return quietly", operand, (), span),)).strip()
        case n.Verb("shuffle", operand, (("into", _),) as parts, span):
            return print_effects((n.Verb("move all of", operand, parts, span),)).strip()
    return ""
