"""The local names at a place in a text, and the facts known there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tilewright.language.builtins import ATTRIBUTES
from tilewright.language.source.text import Span
from tilewright.language.syntax import ast as n
from tilewright.language.types import Type
from tilewright.language.typing.environment import Environment
from tilewright.language.typing.narrowing import (
    Invalidated,
    inner_effects,
    invalidated,
    mentions,
)

Facts = frozenset[n.Expression]


@dataclass(frozen=True, slots=True)
class Scope:
    """The local names at a place, and the facts known there."""

    locals: tuple[tuple[str, Type], ...] = ()
    known: Facts = frozenset()
    invalidated: tuple[Invalidated, ...] = ()
    #: the effects of the whole text, for hints about names
    text: tuple[n.Effect, ...] = ()

    def local(self, name: str) -> Type | None:
        """The type of a local name."""
        return dict(self.locals).get(name)

    def with_local(self, name: str, type_: Type) -> Scope:
        """The scope with one more local name; facts about an earlier one of that name are lost."""
        rest = tuple(pair for pair in self.locals if pair[0] != name)
        known = frozenset(fact for fact in self.known if not mentions(fact, name))
        return replace(self, locals=(*rest, (name, type_)), known=known)

    def knowing(self, facts: Facts) -> Scope:
        """The scope with more facts."""
        return replace(self, known=self.known | facts)

    def after(self, effects: tuple[n.Effect, ...], env: Environment) -> Scope:
        """The scope after some effects, without the facts that they may invalidate."""
        gone = invalidated(self.known, effects, env, dict(self.locals))
        known = self.known.difference(each.fact for each in gone)
        return replace(self, known=known, invalidated=(*gone, *self.invalidated))

    def named_elsewhere(self, name: str, span: Span) -> str:
        """A hint for a name that the text gives only after a place, or only inside a block."""
        places = [effect.span for effect in _naming(self.text, name)]
        if not places:
            return ""
        if all((each.line, each.column) > (span.line, span.column) for each in places):
            return f"`{name}` is named only in a later line"
        return f"`{name}` is known only inside the braces where it is named"


def _naming(effects: tuple[n.Effect, ...], name: str) -> Iterator[n.Effect]:
    """The effects that give a local name."""
    for effect in effects:
        match effect:
            case n.Let(given, _) | n.For(given, _, _) | n.Choose(_, given) if given == name:
                yield effect
        yield from _naming(inner_effects(effect), name)


def facts(node: n.Expression, holds: bool) -> Facts:
    """The expressions that have a value when a condition holds (or does not hold)."""
    nothing: Facts = frozenset()
    match node:
        case n.And(parts) if holds:
            return nothing.union(*(facts(part, True) for part in parts))
        case n.Or(parts) if not holds:
            return nothing.union(*(facts(part, False) for part in parts))
        case n.Not(value):
            return facts(value, not holds)
        case n.Test(value, "something", negated):
            return frozenset({value}) if holds != negated else nothing
        case n.Comparison("is" | "is not" | "=" | "!=" as operator, left, right):
            equal = holds == (operator in ("is", "="))
            tested = compared_with_nothing(node)
            if tested is not None:
                return nothing if equal else frozenset({tested})
            if not equal:
                return nothing
            # comparison with nothing is false
            return _is_facts(left, right) if operator.startswith("is") else frozenset({left})
        case n.Comparison("has", left, _) if holds:
            return frozenset({left})
    return nothing


def compared_with_nothing(node: n.Comparison) -> n.Expression | None:
    """The other side of a comparison with `nothing`; None for other comparisons."""
    if isinstance(node.right, n.Nothing):
        return node.left
    return node.right if isinstance(node.left, n.Nothing) else None


def _is_facts(left: n.Expression, right: n.Expression) -> Facts:
    found: Facts = frozenset({left})
    if isinstance(right, n.Name):
        for attribute in ATTRIBUTES:
            if attribute.name == right.name:
                found |= {n.Attribute(left, name, left.span) for name in attribute.implies}
    return found
