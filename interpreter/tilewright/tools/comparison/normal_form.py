"""The normal form of a thing, independent of names: nested plain data with names as leaves.

Two shapes are equal when they differ only in the names of locals, in the order of unordered parts,
and in equivalent notations such as `not (a < b)` and `a >= b`. The meaning of other names is left
to the caller. Labels and sentences are not part of the shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import LinkedAction, LinkedAmendment, LinkedRule
from tilewright.rules.model import ruleset as m

#: a tuple, a `Unordered`, a `Ref`, or a word or number
Shape = object
#: the number of locals declared before each local name
Levels = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ref:
    """The name of a thing that a game declares."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Unordered:
    """Parts without a significant order."""

    parts: tuple[Shape, ...]


def painted(shape: Shape, paint: Callable[[Ref], str]) -> str:
    """A shape as text: equal texts, equal shapes, if `paint` gives equal things equal names."""
    match shape:
        case Ref():
            return paint(shape)
        case Unordered(parts):
            return "{" + ",".join(sorted(painted(part, paint) for part in parts)) + "}"
        case tuple():
            return "(" + ",".join(painted(part, paint) for part in shape) + ")"
    return repr(shape)


def refs_in(shape: Shape, path: str = "") -> Iterator[tuple[Ref, str]]:
    """Every name in a shape, with the way to it; parts in any order have the same way."""
    match shape:
        case Ref():
            yield shape, path
        case Unordered(parts):
            for part in parts:
                yield from refs_in(part, f"{path}/*")
        case tuple():
            word = shape[0] if shape and isinstance(shape[0], str) else ""
            for i, part in enumerate(shape):
                yield from refs_in(part, f"{path}/{word}{i}")


# ------------------------------------------------------------------ expressions

_KINDS = {"feature kind": "kind", "piece": "tile", "figure kind": "figure"}
#: comparisons by the one that is their opposite; `a > b` is turned to `b < a` first
_TURNED = {">": "<", ">=": "<="}


def term_shape(node: t.Expression, levels: Levels, negated: bool = False) -> Shape:
    """An expression, or its opposite."""
    match node:
        case t.Not(value):
            return term_shape(value, levels, not negated)
        case t.And() | t.Or():
            word = "and" if isinstance(node, t.And) is not negated else "or"
            return (word, Unordered(tuple(_chain(node, word, levels, negated))))
        case t.Comparison("=" | "!=" as sign, left, right):
            sides = Unordered((term_shape(left, levels), term_shape(right, levels)))
            return _opposite(("compare", sides), negated ^ (sign == "!="))
        case t.Comparison(sign, left, right):
            operator, one, other = str(sign), term_shape(left, levels), term_shape(right, levels)
            if operator in _TURNED:
                operator, one, other = _TURNED[operator], other, one
            if negated:
                operator, one, other = ("<=" if operator == "<" else "<"), other, one
            return ("compare", operator, one, other)
        case t.Literal(bool() as value):
            return ("literal", value ^ negated)
        case t.Quantifier():
            return _quantifier(node, levels, negated)
        case t.Conditional(test, then, otherwise):
            is_turned = _is_turned(test)
            ways = (otherwise, then) if is_turned else (then, otherwise)
            shapes = (term_shape(way, levels, negated) for way in ways)
            return ("conditional", term_shape(test, levels, is_turned), *shapes)
    return _opposite(_plain(node, levels), negated)


def _opposite(shape: Shape, negated: bool) -> Shape:
    return ("not", shape) if negated else shape


def _plain(node: t.Expression, levels: Levels) -> Shape:
    match node:
        case t.Local(name):
            return ("local", levels.get(name, name))
        case t.Constant("direction", id_):
            return ("direction", id_)
        case t.Constant(category, id_):
            return Ref(_KINDS.get(category, category), id_)
        case t.Memory(id_, owner=owner):
            kept = Ref("memory", id_)
            return kept if owner is None else ("kept", kept, term_shape(owner, levels))
        case t.Value(id_):
            return Ref("value", id_)
        case t.Printed(owner, id_):
            return ("printed", Ref("attribute", id_), term_shape(owner, levels))
        case t.DefinitionCall(id_, arguments):
            parts = (term_shape(part, levels) for part in arguments)
            return ("answer", Ref("definition", id_), *parts)
        case t.SetOf(members):
            return ("set", Unordered(tuple(term_shape(member, levels) for member in members)))
        case t.Arithmetic("+" | "-"):
            return ("sum", Unordered(tuple(_summands(node, levels, True))))
        case t.Arithmetic("*"):
            return ("product", Unordered(tuple(_factors(node, levels))))
    parts = (term_shape(part, levels) for part in t.children(node))
    return (type(node).__name__, *t.words_of(node), *parts)


def _chain(node: t.And | t.Or, op: str, levels: Levels, negated: bool) -> Iterator[Shape]:
    """The parts of `a and b and c`, however they are bracketed."""
    for part in node.parts:
        shape = term_shape(part, levels, negated)
        match shape:
            case (str(word), Unordered(parts)) if word == op:
                yield from parts
            case _:
                yield shape


def _summands(node: t.Expression, levels: Levels, is_added: bool) -> Iterator[Shape]:
    match node:
        case t.Arithmetic("+" | "-" as sign, left, right):
            yield from _summands(left, levels, is_added)
            yield from _summands(right, levels, is_added ^ (sign == "-"))
        case t.Negative(value):
            yield from _summands(value, levels, not is_added)
        case _:
            yield ("+" if is_added else "-", term_shape(node, levels))


def _factors(node: t.Expression, levels: Levels) -> Iterator[Shape]:
    match node:
        case t.Arithmetic("*", left, right):
            yield from _factors(left, levels)
            yield from _factors(right, levels)
        case _:
            yield term_shape(node, levels)


def _quantifier(node: t.Quantifier, levels: Levels, negated: bool) -> Shape:
    kind = str(node.kind)
    source = term_shape(node.source, levels)
    inner = {**levels, node.variable: len(levels)}
    if kind in ("any", "all"):  # `not (all x: a)` is `any x: not a`
        kind = kind if not negated else ("all" if kind == "any" else "any")
        return ("quantifier", kind, source, term_shape(node.body, inner, negated))
    return _opposite(("quantifier", kind, source, term_shape(node.body, inner)), negated)


def _is_turned(test: t.Expression) -> bool:
    """Whether a test must be inverted, so that both notations have one form."""
    match term_shape(test, {}):
        case ("not", _) | ("or", _) | ("compare", "<=", _, _) | ("quantifier", "all", _, _):
            return True
    return False


# ------------------------------------------------------------------ effects


def body_shape(body: t.Body, levels: Levels) -> Shape:
    """A body, with locals by level."""
    here, found = dict(levels), []
    for effect in body:
        found.append(_effect_shape(effect, here))
        match effect:
            case (
                t.Let(name)
                | t.Draw(t.Target("local", name))
                | t.DrawMembers(t.Target("local", name))
            ):
                here.setdefault(name, len(here))
    return tuple(found)


def _effect_shape(effect: t.Effect, levels: Levels) -> Shape:
    def shapes(*parts: t.Expression) -> Shape:
        return tuple(term_shape(part, levels) for part in parts)

    match effect:
        case t.Let(_, value):
            return ("let", shapes(value))
        case t.Assign(target, value, owner=owner, adds=adds):
            parts = (value,) if owner is None else (value, owner)
            return ("grow" if adds else "set", _target(target, levels), shapes(*parts))
        case t.Add(target, value):
            return ("add", _target(target, levels), shapes(value))
        case t.Drop(target, value):
            return ("drop", _target(target, levels), shapes(value))
        case t.Draw(target, stack, where):
            inner = {**levels, target.name: levels.get(target.name, len(levels))}
            condition = None if where is None else term_shape(where, inner)
            return ("draw", _target(target, inner), shapes(stack), condition)
        case t.DrawMembers(target, source, times):
            inner = {**levels, target.name: levels.get(target.name, len(levels))}
            many = None if times is None else term_shape(times, levels)
            return ("draw members", _target(target, inner), shapes(source), many)
        case t.For(variable, source, body):
            return ("for", shapes(source), body_shape(body, {**levels, variable: len(levels)}))
        case t.Repeat(count, body):
            return ("repeat", shapes(count), body_shape(body, levels))
        case t.Choose(optional, variable, source, by, _, body, otherwise):
            then = body_shape(body, {**levels, variable: len(levels)})
            return ("choose", optional, shapes(source, by), then, body_shape(otherwise, levels))
        case t.If(test, then, otherwise):
            is_turned = _is_turned(test)
            sides = (otherwise, then) if is_turned else (then, otherwise)
            blocks = (body_shape(side, levels) for side in sides)
            return ("if", term_shape(test, levels, is_turned), *blocks)
        case t.Stop(test):
            return ("stop", None if test is None else shapes(test))
        case t.Offer(by):
            return ("offer", shapes(by))
        case t.EndGame(at_once):
            return ("end", at_once)
        case t.ProcedureCall(procedure, arguments):
            return ("perform", Ref("procedure", procedure), shapes(*arguments))
        case t.Announce(event, arguments):
            return ("announce", Ref("event", event), shapes(*arguments))
        case t.Verb(verb, operand, arguments, prepositions, target):
            into = None if target is None else _target(target, levels)
            return (verb.name, prepositions, into, shapes(operand, *arguments))
        case _:
            assert_never(effect)


def _target(target: t.Target, levels: Levels) -> Shape:
    if target.place == "local":
        return ("local", levels.get(target.name, target.name))
    return Ref("memory", target.name)


# ------------------------------------------------------------------ rules


def levels_of(names: Sequence[str]) -> dict[str, int]:
    """The levels of parameters."""
    return {name: i for i, name in enumerate(names)}


def rule_shape(rule: LinkedAmendment | LinkedRule | LinkedAction) -> Shape:
    """The place of a rule, its condition, and its effects."""
    hook: Shape
    body: Shape
    match rule:
        case LinkedAmendment():
            levels = levels_of(rule.parameters)
            hook = ("amend", Ref("definition", rule.rule.definition))
            body = term_shape(rule.value, levels)
        case LinkedAction():
            levels, offered = {}, list[Shape]()
            for name, source in rule.offer:
                offered.append(term_shape(source, levels))
                levels[name] = len(levels)
            hook = ("action", Ref("step", rule.rule.step))
            where = None if rule.where is None else term_shape(rule.where, levels)
            body = (tuple(offered), where, body_shape(rule.effects, levels))
            levels = {}
        case LinkedRule():
            levels = levels_of([name for name, _ in rule.parameters])
            hook = _hook(rule)
            body = body_shape(rule.effects, levels)
    when = None if rule.when is None else term_shape(rule.when, levels)
    return (hook, when, body)


def _hook(rule: LinkedRule) -> Shape:
    match rule.rule:
        case m.StepRule():
            return ("step", Ref("step", rule.rule.step))
        case m.Reaction():
            return ("on", Ref("event", rule.rule.event))
        case m.Procedure():
            types = tuple(str(type_) for _, type_ in rule.parameters)
            return ("procedure", Ref("procedure", rule.rule.declaration.id), types)
