"""The hints of type errors: what to write instead."""

from __future__ import annotations

from tilewright.language.builtins import ATTRIBUTE, GLOBAL
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.unparse import print_expression
from tilewright.language.types import Type, fits
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Environment
from tilewright.language.typing.scope import Scope

#: names of `count` in other languages
COUNTING = ("count", "len", "length", "number", "size")


def habit_hint(name: str) -> str:
    """A hint for names of other languages, such as `random` or `null`; empty for other names."""
    if name in ("random", "rand", "dice", "die", "roll", "shuffled", "coin_flip"):
        return "only drawing is random: `draw p from STACK`"
    if name in ("null", "nil", "none", "undefined"):
        return "write `nothing`, or `is empty` for a set"
    if name in ("yes", "on", "no", "off"):
        return f"write `{'true' if name in ('yes', 'on') else 'false'}`"
    return "write `count(SET)`" if name in COUNTING else ""


def compared_again(before: n.Expression | None, part: n.Expression) -> str:
    """A hint for `x is A or B`: the comparison of the part before, with this part."""
    if not isinstance(before, n.Comparison):
        return ""
    again = n.Comparison(before.operator, before.left, part, part.span)
    return f"write the comparison again: `{print_expression(again)}`"


def of_each(node: n.Expression, found: Type, want: Type) -> str:
    """A hint for a set where one of its members is expected; empty otherwise."""
    if not found.many or not fits(found.one, want):
        return ""
    text = print_expression(node)
    return f"this is a set: `for x in {text} {{ ... }}` takes each, `first({text})` one of them"


def instead(term: t.Expression) -> str:
    """A hint for a name that means several things; empty for other expressions."""
    match term:
        case t.Constant(id=kind, type=Type("figure kind")):
            return (
                f"`figures of {kind}` are those on the board,"
                f" `all_figures of {kind}` all figures, `first(...)` is one of them"
            )
        case t.Constant(id=stack, type=Type("stack" | "item stack", many=True)):
            return f"every player has one: name the player, like `{stack} of active`"
    return ""


def owner_hint(name: str, scope: Scope, env: Environment) -> str:
    """A hint for the name of an attribute that a name here has; empty for other names."""
    things = [*reversed(scope.locals), *((each.name, each.type) for each in GLOBAL.values())]
    for owner, type_ in things:
        if not type_.many and _has_attribute(type_.base, name, env):
            return f"write whose it is: `{owner}.{name}`"
    return ""


def _has_attribute(owner: str, name: str, env: Environment) -> bool:
    kept = env.kept.get(name)
    is_printed = owner in ("feature", "segment") and name in env.attributes
    return (owner, name) in ATTRIBUTE or is_printed or (kept is not None and kept.of == owner)
