"""Finds facts of a thing without which a test of it fails, in the typed tree.

`those t in tiles: count(holders(t)) = 3` would evaluate `holders` for every tile of the board,
though it is empty on tiles without a mark that its only amendment requires. Evaluation begins with
that mark, so it may as well be tested before: loops then go over the few tiles that have it.
"""

from __future__ import annotations

from collections.abc import Callable

from tilewright.language import builtins as p
from tilewright.language.types import TRUTH
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Combine

_PLAIN = (t.Local, t.Constant, t.Literal, t.Memory, t.Attribute, t.IsNothing, t.Not, t.And, t.Has)


def with_needed(node: t.Expression, game: Game) -> t.Expression:
    """A test after the fact that it needs, if there is one; a sum over the things that have it."""
    match node:
        case t.Comparison(sign, t.BuiltinCall(p.COUNT, (counted,)), least) if _some(
            sign, least, game
        ):
            needed = _needed(counted, game)
        case t.Membership(t.Local() | t.Constant() | t.Attribute(t.Constant()), whole):
            needed = _needed(whole, game)
        case t.Not(t.IsEmpty(whole)):
            needed = _needed(whole, game)
        case t.Quantifier("sum", variable, source, t.BuiltinCall(p.COUNT, (counted,))):
            needed = _needed(counted, game)
            if needed is None or t.free_locals(needed) != (variable,):
                return node
            having = t.Quantifier("those", variable, source, needed, source.type, source.span)
            return t.Quantifier(
                "sum", variable, having, node.body, node.type, node.span, node.written or node
            )
        case _:
            return node
    return node if needed is None else t.And((needed, node), TRUTH, node.span)


def having_marks(loop: t.For, planned: Callable[[t.Expression], t.Expression]) -> t.Expression:
    """The things of a loop with a mark without which it does nothing; all, where there is none.

    `planned` is how a test is evaluated. The marks may not change while the loop runs.
    """
    marks: list[t.Expression] = []
    for effect in loop.body:
        match effect:
            case t.If(test, _, ()) if mark := _first_mark(planned(test), loop.variable):
                marks.append(mark)
            case _:
                return loop.source
    if not marks:
        return loop.source
    source, span = loop.source, loop.source.span
    test = marks[0] if len(marks) == 1 else t.Or(tuple(marks), TRUTH, span)
    return t.Quantifier("those", loop.variable, source, test, source.type, span)


def _first_mark(test: t.Expression, name: str) -> t.Has | None:
    """The mark of a thing that a test looks at before anything that may fail or takes long."""
    match test:
        case t.Has(t.Local(thing), t.Constant("symbol")) if thing == name:
            return test
        case t.And(parts):
            for part in parts:
                found = _first_mark(part, name)
                if found is not None or not all(map(_is_plain, t.walk(part))):
                    return found
    return None


def _is_plain(node: t.Expression) -> bool:
    """Whether a node neither fails nor takes long, if its parts do not."""
    return isinstance(node, _PLAIN) and not t.implied_by(node)


def _some(sign: str, least: t.Expression, game: Game) -> bool:
    """Whether a number compared in this way with another one is not 0."""
    while isinstance(least, t.Value):
        least = game.values[least.id].term
    match least:
        case t.Literal(int(number)):
            return number > 0 if sign in ("=", ">=") else number >= 0 and sign == ">"
    return False


def _needed(members: t.Expression, game: Game) -> t.Has | None:
    """The mark of a thing under a name without which a set is empty, and which is tested first."""
    match members:
        case t.Restriction(whole) | t.Quantifier("those", _, whole):
            return _needed(whole, game)
        case t.DefinitionCall(id_, arguments, _, _, ""):
            definition = game.definitions[id_]
            if definition.combine != Combine.UNION or definition.default is not None:
                return None
            match definition.amendments:
                case [only]:
                    given = dict(zip(only.parameters, arguments, strict=True))
                    return _mark(only.when, given)
    return None


def _mark(when: t.Expression | None, given: dict[str, t.Expression]) -> t.Has | None:
    """The mark of a given thing with a name that a condition looks at first."""
    match when:
        case t.And((first, *_)):
            return _mark(first, given)
        case t.Has(t.Local(name), t.Constant("symbol") as mark):
            thing = given.get(name)
            if isinstance(thing, t.Local) and thing.type.base in ("tile", "segment"):
                return t.Has(thing, mark, when.type, when.span)
    return None
