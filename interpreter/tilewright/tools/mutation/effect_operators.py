"""Mutation of effect text in one place: every small mistake that an author could have made.

A slip changes nodes into nodes, so the result can always be printed and parsed. The linker finds
invalid results (types, missing names). Slips equivalent to the original or to an earlier slip are
left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code, Span
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.syntax.unparse import print_effects, print_expression

N = TypeVar("N", bound=n.Node)
Block = tuple[n.Effect, ...]

#: longer texts are cut in reports
LONGEST = 72


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change and its place. `after` is empty for a removal."""

    operator: str
    span: Span
    before: str
    after: str


Mutations = Iterator[tuple[Mutation, N]]

_SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "="}
_OPPOSITE = {
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
    "=": "!=",
    "!=": "=",
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
}
_OTHER_KIND = {"any": "all", "all": "any", "most": "least", "least": "most"}
_OTHER_SIGN = {"+": "-", "-": "+", "*": "+"}
#: quantifiers whose body is a condition
_ASKING = ("any", "all", "count", "those")
_ACTIVE = "active"


def slips_in_condition(code: Code) -> Iterator[tuple[Mutation, Code | None]]:
    """A condition changed in one place; None where it is left out altogether."""
    node = parse_expression(code, Reporter.discarding())
    if node is None:
        return
    yield Mutation("condition", code.whole, shown(node), ""), None
    yield from _as_code(code, _in_value)


def slips_in_value(code: Code) -> Iterator[tuple[Mutation, Code]]:
    """An expression that is an answer, changed in one place."""
    return _as_code(code, _in_value)


def slips_in_source(code: Code) -> Iterator[tuple[Mutation, Code]]:
    """An expression of any sort, changed in one place."""
    return _as_code(code, _in_expression)


def slips_in_effects(code: Code) -> Iterator[tuple[Mutation, Code]]:
    """Effects changed in one place."""
    effects = parse_effects(code, Reporter.discarding())
    if effects is not None:
        found = ((slip, print_effects(block)) for slip, block in _in_block(effects))
        yield from _distinct(code, print_effects(effects), found)


def shown(node: n.Node) -> str:
    """A node as one line of text."""
    if isinstance(node, n.Effect):
        text = print_effects((node,))
    else:
        text = print_expression(cast(n.Expression, node))
    return one_line(text)


def one_line(text: str) -> str:
    """Text on one line, cut when it is long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else flat[: LONGEST - 4] + " ..."


def _as_code(
    code: Code, slips: Callable[[n.Expression], Iterator[tuple[Mutation, n.Expression]]]
) -> Iterator[tuple[Mutation, Code]]:
    node = parse_expression(code, Reporter.discarding())
    if node is not None:
        found = ((slip, print_expression(changed)) for slip, changed in slips(node))
        yield from _distinct(code, print_expression(node), found)


def _distinct(
    code: Code, original: str, found: Iterator[tuple[Mutation, str]]
) -> Iterator[tuple[Mutation, Code]]:
    seen = {original}
    for slip, text in found:
        if text not in seen:
            seen.add(text)
            yield slip, replace(code, text=text)


# ------------------------------------------------------------------ expressions


def _instead(
    operator: str, node: n.Expression, other: n.Expression
) -> tuple[Mutation, n.Expression]:
    return Mutation(operator, node.span, shown(node), shown(other)), other


def _in_condition(
    node: n.Expression, *, can_go: bool = True
) -> Iterator[tuple[Mutation, n.Expression]]:
    """Left out, negated, or changed inside."""
    if can_go:
        yield Mutation("condition", node.span, shown(node), ""), n.Truth(True, node.span)
    yield from _in_value(node)


def _in_value(node: n.Expression) -> Iterator[tuple[Mutation, n.Expression]]:
    """Negated where that can be, and changed inside."""
    opposite = _negated(node)
    if opposite is not None:
        yield _instead("negate", node, opposite)
    yield from _in_expression(node)


def _negated(node: n.Expression) -> n.Expression | None:
    match node:
        case n.Comparison(operator, left, right, span) if operator in _OPPOSITE:
            return n.Comparison(_OPPOSITE[operator], left, right, span)
        case n.Test(value, word, is_not, span):
            return n.Test(value, word, not is_not, span)
        case n.Truth(value, span):
            return n.Truth(not value, span)
        case n.Not(value):
            return value
        case n.Quantifier(kind) if kind not in ("any", "all"):
            return None
        case n.Number() | n.Nothing() | n.SetOf() | n.Negative() | n.Arithmetic() | n.Restriction():
            return None
        case n.Conditional():
            return None
    return n.Not(node, node.span)


def _in_expression(node: n.Expression) -> Iterator[tuple[Mutation, n.Expression]]:
    yield from _own(node)
    match node:
        case n.And(parts) | n.Or(parts):
            for i, part in enumerate(parts):
                rest = (*parts[:i], *parts[i + 1 :])
                left = rest[0] if len(rest) == 1 else _with(node, "parts", rest)
                yield Mutation("condition", part.span, shown(part), ""), left
                for slip, changed in _in_condition(part, can_go=False):
                    yield slip, _with(node, "parts", (*parts[:i], changed, *parts[i + 1 :]))
        case n.Quantifier(kind, _, source, body):
            yield from _inside(node, "source", _in_expression(source))
            # `those` without its condition is its source, which is tried anyway
            can_go = kind != "those"
            is_asking = kind in _ASKING
            slips = _in_condition(body, can_go=can_go) if is_asking else _in_expression(body)
            yield from _inside(node, "body", slips)
        case n.Not(value):
            for slip, changed in _in_expression(value):
                if changed != _negated(value):  # equivalent to the removal of the `not`
                    yield slip, _with(node, "value", changed)
        case n.Conditional(test):
            yield from _inside(node, "test", _in_condition(test))
            for name in ("then", "otherwise"):
                yield from _inside(node, name, _in_expression(getattr(node, name)))
        case _:
            yield from _in_parts(node)


def _in_parts(node: N) -> Mutations[N]:
    """Changes in the expressions that a node has, one at a time."""
    for name in node.__match_args__:
        held = getattr(node, name)
        if isinstance(held, n.Node):
            yield from _inside(node, name, _in_expression(cast(n.Expression, held)))
        elif isinstance(held, tuple):
            for i, item in enumerate(held):
                word, inner = item if isinstance(item, tuple) else ("", item)
                for slip, changed in _in_expression(inner):
                    new = (word, changed) if isinstance(item, tuple) else changed
                    yield slip, _with(node, name, (*held[:i], new, *held[i + 1 :]))


def _own(node: n.Expression) -> Iterator[tuple[Mutation, n.Expression]]:
    """The possible changes of this node itself."""
    match node:
        case n.Number(value, span):
            yield _instead("number", node, n.Number(value + 1, span))
            less: n.Expression = n.Number(abs(value - 1), span)
            yield _instead("number", node, less if value > 0 else n.Negative(less, span))
        case n.Truth(value, span):
            yield _instead("truth", node, n.Truth(not value, span))
        case n.Comparison(operator, left, right, span):
            if operator in _SHIFTED:
                other = n.Comparison(_SHIFTED[operator], left, right, span)
                yield _instead("comparison", node, other)
            else:
                yield _instead("comparison", node, _negated(node) or node)
        case n.Test():
            yield _instead("comparison", node, _negated(node) or node)
        case n.Not(value):
            yield _instead("negate", node, value)
        case n.And(parts, span):
            yield _instead("and-or", node, n.Or(parts, span))
        case n.Or(parts, span):
            yield _instead("and-or", node, n.And(parts, span))
        case n.Quantifier(kind, variable, source, body, span):
            if kind in _OTHER_KIND:
                other_kind = n.Quantifier(_OTHER_KIND[kind], variable, source, body, span)
                yield _instead("quantifier", node, other_kind)
            elif kind == "those":
                yield _instead("quantifier", node, source)
        case n.Arithmetic(operator, left, right, span) if operator in _OTHER_SIGN:
            yield _instead("sign", node, n.Arithmetic(_OTHER_SIGN[operator], left, right, span))
        case n.Negative(value):
            yield _instead("sign", node, value)
        case n.Conditional(test, then, otherwise, span):
            yield _instead("branches", node, n.Conditional(test, otherwise, then, span))
        case n.SetOf(items, span) if len(items) > 1:
            for i, item in enumerate(items):
                rest = n.SetOf((*items[:i], *items[i + 1 :]), span)
                yield Mutation("member", item.span, shown(item), ""), rest


# ------------------------------------------------------------------ effects


def _in_block(block: Block) -> Iterator[tuple[Mutation, Block]]:
    for i, effect in enumerate(block):
        before, after = block[:i], block[i + 1 :]
        yield Mutation("effect", effect.span, shown(effect), ""), (*before, *after)
        if after and not _do_not_meet(effect, after[0]):
            slip = Mutation(
                "order", effect.span, shown(effect), f"{shown(after[0])}; {shown(effect)}"
            )
            yield slip, (*before, after[0], effect, *after[1:])
        for slip, changed in _in_effect(effect):
            yield slip, (*before, changed, *after)


def _do_not_meet(first: n.Effect, second: n.Effect) -> bool:
    """Whether the order of two effects certainly makes no difference.

    Decided only for effects with plain targets: names, stacks, points.
    """
    if isinstance(first, n.Let) and isinstance(second, n.Let):
        return True
    one, other = _touched(first), _touched(second)
    if one is None or other is None:
        return False
    changed, read = one
    changed_too, read_too = other
    return changed.isdisjoint(changed_too | read_too) and changed_too.isdisjoint(read)


def _touched(effect: n.Effect) -> tuple[set[str], set[str]] | None:
    """The names that an effect changes and those that it reads; None where they are not plain."""
    match effect:
        case n.Assign(target, value) if (read := _plain_names(value)) is not None:
            return {target}, read
        case n.Verb("take" | "put" | "move all of" | "award" as verb, operand, parts):
            names = [_plain_names(part) for part in (operand, *(p for _, p in parts))]
            if any(found is None for found in names):
                return None
            read, *rest = [found or set() for found in names]
            if verb == "award":
                return {"the points"}, read.union(*rest)
            stacks = set().union(*rest)
            return (stacks | read, set()) if verb == "move all of" else (stacks, read)
    return None


def _plain_names(node: n.Expression) -> set[str] | None:
    """The paths that an expression is made of, or nothing for a number or a truth; else None.

    A stack that every player has counts as one, whoever's it is.
    """
    if isinstance(node, n.Number | n.Truth | n.Nothing):
        return set()
    if isinstance(node, n.Restriction):
        whole, owner = _plain_names(node.whole), _plain_names(node.owner)
        return None if whole is None or owner is None else whole | owner
    path = n.dotted_name(node)
    return None if path is None else {path}


def _in_effect(effect: n.Effect) -> Iterator[tuple[Mutation, n.Effect]]:
    match effect:
        case n.If(test, then, otherwise):
            yield from _inside(effect, "test", _in_condition(test))
            yield from _blocks_of(effect, then=then, otherwise=otherwise)
        case n.For(_, source, body) | n.ForWith(_, source, _, _, body):
            yield from _inside(effect, "source", _in_expression(source))
            yield from _blocks_of(effect, body=body)
        case n.Repeat(count, body):
            yield from _inside(effect, "count", _in_expression(count))
            yield from _blocks_of(effect, body=body)
        case n.Stop(test):
            if test is not None:
                bare = n.Stop(None, effect.span)
                yield Mutation("condition", test.span, "if " + shown(test), ""), bare
                yield from _inside(effect, "test", _in_condition(test, can_go=False))
        case n.Choose(optional, _, source, by, _, body, otherwise):
            word = "choose" if optional else "may choose"
            was = "may choose" if optional else "choose"
            yield Mutation("may", effect.span, was, word), replace(effect, optional=not optional)
            yield from _inside(effect, "source", _in_expression(source))
            yield from _inside(effect, "by", _of_player(by))
            yield from _blocks_of(effect, body=body, otherwise=otherwise)
        case n.Decide(_, by, body, otherwise):
            yield from _inside(effect, "by", _of_player(by))
            yield from _blocks_of(effect, body=body, otherwise=otherwise)
        case n.Draw(_, _, where) | n.DrawInto(_, _, _, _, where):
            if effect.times is not None:
                yield from _inside(effect, "times", _in_expression(effect.times))
            if where is not None:
                slip = Mutation("condition", where.span, "where " + shown(where), "")
                yield slip, replace(effect, where=None)
                yield from _inside(effect, "where", _in_condition(where, can_go=False))
        case n.Offer(by):
            yield from _inside(effect, "by", _of_player(by))
        case n.Verb("award", operand, parts):
            yield from _inside(effect, "operand", _in_expression(operand))
            for i, (word, part) in enumerate(parts):
                found = _of_player(part) if word == "to" else _in_expression(part)
                for slip, changed in found:
                    new = (*parts[:i], (word, changed), *parts[i + 1 :])
                    yield slip, _with(effect, "parts", new)
        case _:
            yield from _in_parts(effect)


def _of_player(node: n.Expression) -> Iterator[tuple[Mutation, n.Expression]]:
    """Somebody else instead, and changes inside."""
    span = node.span
    active = n.Name(_ACTIVE, span)
    yield _instead("player", node, n.Call("next", (active,), span) if node == active else active)
    yield from _in_expression(node)


def _inside(effect: N, name: str, found: Iterator[tuple[Mutation, n.Expression]]) -> Mutations[N]:
    for slip, changed in found:
        yield slip, _with(effect, name, changed)


def _blocks_of(effect: N, **blocks: Block) -> Mutations[N]:
    for name, block in blocks.items():
        for slip, changed in _in_block(block):
            yield slip, _with(effect, name, changed)


def _with(node: N, name: str, value: object) -> N:
    change: Callable[..., Any] = replace
    return cast(N, change(node, **{name: value}))
