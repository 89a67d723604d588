"""The typed tree of effect text: its nodes, and functions that visit all parts of a tree.

Other modules need not know which attributes of a node hold parts. `typed_nodes` declares the nodes;
import them from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

from tilewright.language.builtins import ACTED, AWARD, AttributeOf, Function, GlobalName
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.types import NOTHING, Type
from tilewright.language.typing.typed_nodes import *  # noqa: F403
from tilewright.language.typing.typed_nodes import (
    Add,
    Announce,
    Assign,
    Attribute,
    Body,
    BuiltinCall,
    Draw,
    DrawMembers,
    Drop,
    Effect,
    Expression,
    Literal,
    Local,
    Node,
    Offer,
    Quantifier,
    Target,
    Verb,
)

_KINDS: tuple[type[Node], ...] = (*get_args(Expression), *get_args(Effect))


def _parts(holding: str) -> dict[type, tuple[str, ...]]:
    """By kind of node: the names of the attributes whose type contains a word."""
    return {
        kind: tuple(name for name, type_ in kind.__annotations__.items() if holding in str(type_))
        for kind in _KINDS
    }


_EXPRESSIONS, _BODIES = _parts("Expression"), _parts("Body")


# ------------------------------------------------------------------ walking


def children(node: Expression | Effect) -> tuple[Expression, ...]:
    """The expressions directly inside a node, in the order of the text."""
    found: list[Expression] = []
    for name in _EXPRESSIONS[type(node)]:
        part = getattr(node, name)
        if type(part) is tuple:
            found += part
        elif part is not None:
            found.append(part)
    return tuple(found)


def implied_by(node: Expression) -> str:
    """The definition that a node evaluates implicitly, such as `may_lay`; "" for none."""
    match node:
        case BuiltinCall(primitive) | Attribute(_, primitive):
            return primitive.evaluates
    return ""


def blocks(effect: Effect) -> tuple[Body, ...]:
    """The blocks of an effect: the first one, then the `else` block."""
    return tuple([getattr(effect, name) for name in _BODIES[type(effect)]])


def mapped(node: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The node with each of its parts changed; the node itself where all of them stay."""
    changed: dict[str, Any] = {}
    for name in _EXPRESSIONS[type(node)]:
        part = getattr(node, name)
        if type(part) is tuple:
            new: Any = tuple(map(change, part))
            is_changed = any(one is not other for one, other in zip(part, new, strict=True))
        else:
            new = None if part is None else change(part)
            is_changed = new is not part
        if is_changed:
            changed[name] = new
    if not changed:
        return node
    if isinstance(node, Quantifier):
        changed["written"] = node.written or node
    return replace(node, **changed)


@kept_by_identity
def walk(expression: Expression) -> tuple[Expression, ...]:
    """An expression and all its parts, outermost first."""
    found, waiting = list[Expression](), [expression]
    while waiting:
        here = waiting.pop()
        found.append(here)
        waiting.extend(reversed(children(here)))
    return tuple(found)


@kept_by_identity
def free_locals(expression: Expression) -> tuple[str, ...]:
    """The local names that an expression reads and does not bind, in the order of the text."""
    match expression:
        case Local(name):
            return (name,)
        case Quantifier(variable=variable, source=source, body=body):
            found = [*free_locals(source), *(n for n in free_locals(body) if n != variable)]
        case _:
            found = [name for part in children(expression) for name in free_locals(part)]
    return tuple(dict.fromkeys(found))


def walk_effects(body: Body) -> Iterator[Effect]:
    """All effects of a body, those inside blocks too, in the order of the text."""
    for effect in body:
        yield effect
        for block in blocks(effect):
            yield from walk_effects(block)


def walk_body(body: Body) -> list[Expression]:
    """Every expression of a body, with all its parts."""
    return [x for effect in walk_effects(body) for part in children(effect) for x in walk(part)]


def target_of(effect: Effect) -> Target | None:
    """The target that an effect assigns, or None."""
    match effect:
        case Assign(target) | Add(target) | Drop(target) | Verb(target=target):
            return target
        case Draw(target) | DrawMembers(target):
            return target
    return None


def announcement(effect: Effect) -> tuple[str, tuple[Expression, ...]]:
    """The event that an effect announces, explicitly or through its verb, with its arguments.

    The event is "" when there is none.
    """
    match effect:
        case Announce(event, arguments):
            return event, arguments
        case Verb(verb, number, (player, *feature)) if verb == AWARD:
            for_nothing = Literal(None, NOTHING, effect.span)
            return verb.announces, (player, number, *(feature or (for_nothing,)))
        case Verb(verb, operand):
            return verb.announces, (operand,)
        case Offer(player):
            return ACTED, (player, Literal(None, Type("action"), effect.span))
    return "", ()


Key = tuple[object, ...]
_NO_PLACES: Mapping[str, int] = {}
_NO_WORDS = {"type", "span", "written"}
_WORDS = {
    kind: [n for n in kind.__match_args__ if n not in _NO_WORDS.union(_EXPRESSIONS[kind])]
    for kind in get_args(Expression)
}


def words_of(node: Expression) -> Iterator[object]:
    """The content of a node without its parts: names, numbers, operators."""
    for name in _WORDS[type(node)]:
        word = getattr(node, name)
        yield word.name if isinstance(word, AttributeOf | Function | GlobalName) else word


def canonical_key(node: Expression, places: Mapping[str, int] = _NO_PLACES) -> Key:
    """A key that is equal for expressions with the same content.

    Types and spans are left out. A local name in `places` counts as its number there.
    """
    match node:
        case Local(name):
            return ("Local", places.get(name, name))
        case Literal(value):
            return ("Literal", type(value), value)  # `true` is not 1
    parts = (canonical_key(part, places) for part in children(node))
    return (type(node).__name__, *words_of(node), *parts)
