"""The present form of an effect that is written with an old word.

The type checker names it; `tilewright fmt --upgrade` rewrites texts. The words are in `source`.
"""

from __future__ import annotations

from tilewright.language.source.old_words import old_words
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.unparse import print_effects, print_expression


def modern(effect: n.Verb) -> str:
    """The present form of an effect with an old verb; empty for every other effect.

    The grammar reads `do f(x)`, `remove f` and `shuffle a into b` as unknown verbs.
    """
    new = old_words().verbs.get(effect.verb)
    if new is None or tuple(word for word, _ in effect.parts) != new.prepositions:
        return ""
    if not new.before:
        return print_expression(effect.operand) if isinstance(effect.operand, n.Call) else ""
    verb = f"{new.before} {new.after}".strip()
    return print_effects((n.Verb(verb, effect.operand, effect.parts, effect.span),)).strip()
