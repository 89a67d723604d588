"""Flow narrowing: the optional expressions that a test has shown to have a value.

A fact is an expression that was tested and is something. An effect invalidates it by changing what
the expression reads: memory and local names by name, everything else by the parts of a match that
verbs change. An effect with reactions can change everything except local names and what never
changes, such as the owner of a figure. Nothing is typed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tilewright.language.builtins import (
    ANYTHING,
    ATTRIBUTE,
    ATTRIBUTES,
    FUNCTION,
    GLOBAL,
    LIFT,
    REPLACE,
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
    return False


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
            announces = declared.announces or declared in (LIFT, REPLACE)
            found = {ANYTHING} if announces else set(declared.changes)
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
