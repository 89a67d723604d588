"""The local names at a place in a text, and the facts known there.

Flow narrowing: the optional expressions that a test has shown to have a value.

A fact is an expression that was tested and is something. An effect invalidates it by changing what
the expression reads: memory and local names by name, everything else by the parts of a match that
verbs change. An effect with reactions can change everything except local names and what never
changes, such as the owner of a figure. Nothing is typed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tilewright.language.builtins import (
    ANYTHING,
    ATTRIBUTE,
    ATTRIBUTES,
    DISPLACING,
    FUNCTION,
    GLOBAL,
    SPOKEN_VERB,
    VERBS,
    Primitive,
)
from tilewright.language.source.text import NOWHERE, Span
from tilewright.language.syntax import ast as n
from tilewright.language.types import TRUTH, Type
from tilewright.language.typing.desugar import plain
from tilewright.language.typing.environment import Environment

_ADJECTIVES = frozenset(a.name for a in ATTRIBUTES if a.type == TRUTH)
_SETTABLE_GLOBAL = "active"
_MEMORY = "memory"
_CHANGED_BY_VERBS = frozenset(part for verb in VERBS for part in verb.changes)


@dataclass(frozen=True, slots=True)
class Invalidated:
    """A fact that no longer holds, and the place of the effect that invalidated it.

    `follows` is true when reactions, procedures or actions may have done it.
    """

    fact: n.Expression
    by: Span
    follows: bool


@dataclass(frozen=True, slots=True)
class _Change:
    """One effect: the names it sets and the parts of the game it changes."""

    parts: frozenset[str]
    span: Span


def invalidated(
    facts: frozenset[n.Expression],
    effects: tuple[n.Effect, ...],
    env: Environment,
    locals_: Mapping[str, Type],
) -> tuple[Invalidated, ...]:
    """The facts that some effects may invalidate, each with the first effect that may."""
    reading = _Reading(env, locals_)
    found: list[Invalidated] = []
    left = {fact: frozenset(reading.of(fact)) for fact in facts}
    for change in _changes(effects):
        for fact, reads in list(left.items()):
            if _is_changed(reads, change.parts, env):
                found.append(Invalidated(fact, change.span, ANYTHING in change.parts))
                del left[fact]
    return tuple(found)


def _is_changed(reads: frozenset[str], changed: frozenset[str], env: Environment) -> bool:
    if reads & changed:
        return True
    if ANYTHING in reads:  # a definition may read anything but local names
        return any(not _is_name(part) or _is_shared(part, env) for part in changed)
    if ANYTHING in changed:
        return any(not _is_name(part) or _is_shared(part, env) for part in reads)
    # memory that is kept for one thing may be that of another one now
    return _MEMORY in changed and any(part.startswith(_kept("")) for part in reads)


def _name(name: str) -> str:
    return f"name {name}"


def _kept(name: str) -> str:
    """Memory that is kept for things, all of them."""
    return _name(f".{name}")


def _is_name(part: str) -> bool:
    return part.startswith("name ")


def _is_shared(part: str, env: Environment) -> bool:
    """Whether a name is one that other rules can set."""
    name = part.removeprefix("name ")
    return name in env.memory or name == _SETTABLE_GLOBAL or name.startswith(".")


# ------------------------------------------------------------------ changes of effects


def _changes(effects: tuple[n.Effect, ...]) -> Iterator[_Change]:
    for effect in map(plain, effects):
        changed = _changed_by(effect)
        if changed:
            yield _Change(frozenset(changed), effect.span)
        yield from _changes(inner_effects(effect))


def _changed_by(effect: n.Effect) -> set[str]:
    match effect:
        case n.Assign(target) | n.Add(_, target) | n.Drop(_, target):
            head, _, last = target.rpartition(".")
            return {_name(target), *([_kept(last)] if head else ())}
        case n.Draw(target):
            return {_name(target), "stacks"}
        case n.ProcedureCall() | n.Announce() | n.Offer():
            return {ANYTHING}
        case n.Verb(verb, _, parts) if verb in SPOKEN_VERB:
            declared = SPOKEN_VERB[verb]
            announces = declared.announces or declared in DISPLACING
            found = {ANYTHING} if announces else set[str](declared.changes)
            for word, types, _ in declared.parts:
                if types[0].startswith("target: "):
                    found |= {_name(path) for w, node in parts if w == word for path in _path(node)}
            return found
    return set()


def inner_effects(effect: n.Effect) -> tuple[n.Effect, ...]:
    """The effects in the blocks of an effect."""
    match effect:
        case n.If(_, then, otherwise) | n.Choose(_, _, _, _, _, then, otherwise):
            return then + otherwise
        case n.For(_, _, body) | n.Repeat(_, body):
            return body
    return ()


# ------------------------------------------------------------------ reads of expressions


@dataclass(frozen=True, slots=True)
class _Reading:
    """Finds the names and the parts of a match that an expression reads."""

    env: Environment
    locals: Mapping[str, Type]

    def of(self, node: n.Expression) -> Iterator[str]:
        """The names and parts that an expression reads."""
        env = self.env
        match node:
            case n.Name(name):
                yield from self._of_name(name)
            case n.Attribute(base, name):
                path = "".join(_path(node))
                if path in env.memory:
                    yield _name(path)
                elif path in env.values:
                    yield from ("stacks",) if env.values[path].base == "stack" else ()
                else:
                    yield from self.of(base)
                    yield from self._of_attribute(base, name)
            case n.Call(name):
                if name in env.definitions:
                    yield ANYTHING
                if name in FUNCTION:
                    yield from _parts(FUNCTION[name])
                yield from self._of_parts(node)
            case n.Restriction():
                yield from ("figures", "kinds")  # roles depend on the place of a figure
                yield from self._of_parts(node)
            case n.Comparison(operator, left, right):
                if operator in ("is", "is not"):
                    yield from ("figures", "kinds")
                    if isinstance(right, n.Name) and right.name in _ADJECTIVES:
                        yield from self._of_attribute(left, right.name)
                yield from self._of_parts(node)
            case _:
                yield from self._of_parts(node)

    def _of_parts(self, node: n.Node) -> Iterator[str]:
        for part in parts_of(node):
            yield from self.of(part)

    def _of_name(self, name: str) -> Iterator[str]:
        if name in GLOBAL:
            yield from _parts(GLOBAL[name])
        constant = self.env.constants.get(name)
        type_ = constant.type if constant is not None else self.env.values.get(name)
        if type_ is None:
            yield _name(name)
        elif type_.base == "stack":
            yield "stacks"

    def _of_attribute(self, base: n.Expression, name: str) -> Iterator[str]:
        """The parts that an attribute reads; for every owner when the type is not known."""
        owner = self._base_of(base)
        for attribute in ATTRIBUTES:
            if attribute.name == name and owner in ("", attribute.owner):
                yield from attribute_reads(attribute.owner, name)
        found = ATTRIBUTE.get((owner, name))
        if name in self.env.attributes and (found is None or not found.reads):
            yield "board"
        if name in self.env.kept and owner in ("", self.env.kept[name].of):
            yield _kept(name)

    def _base_of(self, node: n.Expression) -> str:
        """The base of an expression's type if it is known without checking, else ""."""
        env = self.env
        match node:
            case n.Name(name):
                constant = env.constants.get(name)
                known = self.locals.get(name) or env.memory.get(name) or env.values.get(name)
                if known is None and constant is not None:
                    known = constant.type
                if known is None and name in GLOBAL:
                    known = GLOBAL[name].type
                return known.base if known is not None else ""
            case n.Attribute(base, name):
                path = "".join(_path(node))
                known = env.memory.get(path) or env.values.get(path)
                if known is not None:
                    return known.base
                owner = self._base_of(base)
                found = ATTRIBUTE.get((owner, name))
                kept = env.kept.get(name)
                if found is None and kept is not None and kept.of == owner:
                    return kept.type.base
                return found.type.base if found is not None else ""
            case n.Call(name):
                signature = env.definitions.get(name)
                if signature is not None and signature.result is not None:
                    return signature.result.base
        return ""


def attribute_reads(owner: str, name: str) -> frozenset[str]:
    """The parts of a match that an attribute reads, as in `changes` of verbs, or `ANYTHING`."""
    return _parts(ATTRIBUTE[owner, name])


def _parts(primitive: Primitive) -> frozenset[str]:
    """The parts as verbs name them; everything when a definition is evaluated."""
    if primitive.evaluates:
        return frozenset((ANYTHING,))
    parts = {"figures" if part == "companions" else part for part in primitive.reads}
    return _CHANGED_BY_VERBS & parts


def parts_of(node: n.Node) -> Iterator[n.Expression]:
    """The expressions just inside a node."""
    for name in node.__match_args__:
        found = getattr(node, name)
        for part in found if isinstance(found, tuple) else (found,):
            if isinstance(part, n.Node):
                yield part  # type: ignore[misc]


def mentions(node: n.Expression, name: str) -> bool:
    """Whether an expression contains a name, dotted or not."""
    return name in _path(node) or any(mentions(part, name) for part in parts_of(node))


def _path(node: n.Expression) -> tuple[str, ...]:
    """`a.b.c` as text; empty when the node is not a path."""
    if isinstance(node, n.Name):
        return (node.name,)
    if isinstance(node, n.Attribute):
        return tuple(f"{base}.{node.name}" for base in _path(node.base))
    return ()


def path_node(path: str, span: Span = NOWHERE) -> n.Expression:
    """`a.b.c` as an expression."""
    first, *rest = path.split(".")
    found: n.Expression = n.Name(first, span)
    for name in rest:
        found = n.Attribute(found, name, span)
    return found


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
