"""Old words of the effect language and their replacements.

The type checker names the new word when it finds an old one; `tilewright fmt --upgrade` rewrites
texts. No other module knows old words.
"""

from __future__ import annotations

from tilewright.language.syntax import ast as n
from tilewright.language.syntax.unparse import print_effects, print_expression


def modern(effect: n.Verb) -> str:
    """The present form of an effect with an old word; empty for every other effect.

    The grammar reads `do f(x)`, `remove f` and `shuffle a into b` as unknown verbs.
    """
    match effect:
        case n.Verb("do", n.Call() as call, ()):
            return print_expression(call)
        case n.Verb("remove", operand, (), span):
            return print_effects((n.Verb("return quietly", operand, (), span),)).strip()
        case n.Verb("shuffle", operand, (("into", _),) as parts, span):
            return print_effects((n.Verb("move all of", operand, parts, span),)).strip()
    return ""
