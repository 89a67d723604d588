"""What a test has shown to be there, and which effects undo it.

A fact is an expression that was tested and found to be something. It is undone by an effect that
changes what the expression asks: memory and local names by their name, the rest by the words of the
`changes` column of the verbs. An effect that others may react to can change everything except local
names and what never changes, such as the owner of a figure. Nothing is typed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tilewright.language import ast as n
from tilewright.language.builtins import (
    ANYTHING,
    ATTRIBUTE,
    ATTRIBUTES,
    GLOBAL,
    READS,
    READS_OF_FUNCTIONS,
    READS_OF_GLOBALS,
    VERB,
)
from tilewright.language.environment import Names
from tilewright.language.types import TRUTH, Type
from tilewright.source.text import NOWHERE, Span

_ADJECTIVES = frozenset(a.name for a in ATTRIBUTES if a.type == TRUTH)
_SETTABLE_GLOBAL = "active"


@dataclass(frozen=True, slots=True)
class Undone:
    """A fact that holds no longer, and the effect that undid it.

    `follows` says that reactions, procedures or actions may have done it.
    """

    fact: n.Expression
    by: Span
    follows: bool


@dataclass(frozen=True, slots=True)
class _Change:
    """One effect: the names it sets and the parts of the game it changes."""

    what: frozenset[str]
    span: Span


def undone(
    facts: frozenset[n.Expression],
    effects: tuple[n.Effect, ...],
    names: Names,
    locals_: Mapping[str, Type],
) -> tuple[Undone, ...]:
    """The facts that some effects may undo, each with the first effect that does."""
    reading = _Reading(names, locals_)
    found: list[Undone] = []
    left = {fact: frozenset(reading.of(fact)) for fact in facts}
    for change in _changes(effects):
        for fact, asked in list(left.items()):
            if _is_touched(asked, change.what, names):
                found.append(Undone(fact, change.span, ANYTHING in change.what))
                del left[fact]
    return tuple(found)


def _is_touched(asked: frozenset[str], changed: frozenset[str], names: Names) -> bool:
    if asked & changed:
        return True
    if ANYTHING in asked:  # a definition may ask anything but local names
        return any(not _is_name(what) or _is_shared(what, names) for what in changed)
    if ANYTHING in changed:
        return any(not _is_name(what) or _is_shared(what, names) for what in asked)
    return False


def _name(name: str) -> str:
    return f"name {name}"


def _is_name(what: str) -> bool:
    return what.startswith("name ")


def _is_shared(what: str, names: Names) -> bool:
    """Whether a name is one that other rules can set."""
    name = what.removeprefix("name ")
    return name in names.memory or name == _SETTABLE_GLOBAL


# ------------------------------------------------------------------ what effects change


def _changes(effects: tuple[n.Effect, ...]) -> Iterator[_Change]:
    for effect in effects:
        changed = _changed_by(effect)
        if changed:
            yield _Change(frozenset(changed), effect.span)
        yield from _changes(_inner(effect))


def _changed_by(effect: n.Effect) -> set[str]:
    match effect:
        case n.Assign(target) | n.Add(_, target) | n.Drop(_, target):
            return {_name(target)}
        case n.Draw(target):
            return {_name(target), "stacks"}
        case n.Perform() | n.Announce() | n.Offer():
            return {ANYTHING}
        case n.Verb(verb, _, parts) if verb in VERB:
            declared = VERB[verb]
            found = {ANYTHING} if declared.announces else set(declared.changes)
            for word, types, _ in declared.parts:
                if types[0].startswith("target: "):
                    found |= {_name(path) for w, node in parts if w == word for path in _path(node)}
            return found
    return set()


def _inner(effect: n.Effect) -> tuple[n.Effect, ...]:
    match effect:
        case n.If(_, then, otherwise) | n.Choose(_, _, _, _, _, then, otherwise):
            return then + otherwise
        case n.For(_, _, body) | n.Repeat(_, body):
            return body
    return ()


# ------------------------------------------------------------------ what an expression asks


@dataclass(frozen=True, slots=True)
class _Reading:
    """Finds out what must stay as it is for an expression to stay something."""

    names: Names
    locals: Mapping[str, Type]

    def of(self, node: n.Expression) -> Iterator[str]:
        names = self.names
        match node:
            case n.Name(name):
                yield from self._of_name(name)
            case n.Attribute(base, name):
                path = "".join(_path(node))
                if path in names.memory:
                    yield _name(path)
                elif path in names.values:
                    yield from ("stacks",) if names.values[path].base == "stack" else ()
                else:
                    yield from self.of(base)
                    yield from self._of_attribute(base, name)
            case n.Call(name):
                if name in names.definitions:
                    yield ANYTHING
                yield from READS_OF_FUNCTIONS.get(name, ())
                yield from self._of_parts(node)
            case n.Belonging():
                yield "figures"  # a role is a matter of where a figure stands
                yield from self._of_parts(node)
            case n.Comparison(operator, left, right):
                if operator in ("is", "is not"):
                    yield "figures"
                    if isinstance(right, n.Name) and right.name in _ADJECTIVES:
                        yield from self._of_attribute(left, right.name)
                yield from self._of_parts(node)
            case _:
                yield from self._of_parts(node)

    def _of_parts(self, node: n.Node) -> Iterator[str]:
        for part in parts_of(node):
            yield from self.of(part)

    def _of_name(self, name: str) -> Iterator[str]:
        yield from READS_OF_GLOBALS.get(name, ())
        constant = self.names.constants.get(name)
        type_ = constant.type if constant is not None else self.names.values.get(name)
        if type_ is None:
            yield _name(name)
        elif type_.base == "stack":
            yield "stacks"

    def _of_attribute(self, base: n.Expression, name: str) -> Iterator[str]:
        """What an attribute asks; where the type of its owner is not known, for every owner."""
        owner = self._base_of(base)
        if owner:
            yield from READS.get((owner, name), ("board",) if name in self.names.declared else ())
            return
        for (_, other), reads in READS.items():
            yield from reads if other == name else ()
        if name in self.names.declared:
            yield "board"

    def _base_of(self, node: n.Expression) -> str:
        """The base of a type, where it is plain to see; else nothing."""
        names = self.names
        match node:
            case n.Name(name):
                constant = names.constants.get(name)
                known = self.locals.get(name) or names.memory.get(name) or names.values.get(name)
                if known is None and constant is not None:
                    known = constant.type
                if known is None and name in GLOBAL:
                    known = GLOBAL[name].type
                return known.base if known is not None else ""
            case n.Attribute(base, name):
                path = "".join(_path(node))
                known = names.memory.get(path) or names.values.get(path)
                if known is not None:
                    return known.base
                found = ATTRIBUTE.get((self._base_of(base), name))
                return found.type.base if found is not None else ""
            case n.Call(name):
                signature = names.definitions.get(name)
                if signature is not None and signature.result is not None:
                    return signature.result.base
        return ""


def parts_of(node: n.Node) -> Iterator[n.Expression]:
    """The expressions just inside a node."""
    for name in node.__match_args__:
        found = getattr(node, name)
        for part in found if isinstance(found, tuple) else (found,):
            if isinstance(part, n.Node):
                yield part  # type: ignore[misc]


def mentions(node: n.Expression, name: str) -> bool:
    """Whether a name, dotted or not, stands in an expression."""
    return name in _path(node) or any(mentions(part, name) for part in parts_of(node))


def _path(node: n.Expression) -> tuple[str, ...]:
    """`a.b.c` as a text; empty for what is no path."""
    if isinstance(node, n.Name):
        return (node.name,)
    if isinstance(node, n.Attribute):
        return tuple(f"{base}.{node.name}" for base in _path(node.base))
    return ()


def path_node(path: str) -> n.Expression:
    """`a.b.c` as an expression."""
    first, *rest = path.split(".")
    found: n.Expression = n.Name(first, NOWHERE)
    for name in rest:
        found = n.Attribute(found, name, NOWHERE)
    return found
