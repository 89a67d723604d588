"""Evaluates a call of a definition once where an expression contains it several times.

Definitions only read the match, so equal calls within one expression have equal values. The value
gets a name in the smallest part of the expression that contains all of them, if this part
evaluates one of them in any case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op


def with_names_of_calls(function: f.Function, definitions: Collection[str]) -> f.Function:
    """A function with names for the values of repeated calls in its expressions.

    `definitions` are the names of the functions that may be called several times.
    """
    if not definitions:
        return function

    def named(node: f.Node) -> f.Node:
        if isinstance(node, f.Members | f.Statement):
            return f.mapped(node, named)
        return _with_names(node, definitions)

    return f.with_statements(function, named)


def _with_names(whole: f.Node, definitions: Collection[str]) -> f.Node:
    """The same expression with names for the values of its repeated calls."""
    calls = [
        f.key(node)
        for node in f.by_level(whole)
        if isinstance(node, f.Call) and node.function in definitions
    ]
    if len(calls) < 2:
        return whole
    repeated = [call for call, times in Counter(calls).items() if times > 1]
    # a call comes before those in its arguments
    repeated.sort(key=lambda call: -len(repr(call)))
    for number, call in enumerate(repeated):
        whole = _Naming(call, f"h_known{number}", whole).visited(whole)
    return whole


class _Naming:
    """Names the value of a call, which is given as its key, in an expression."""

    def __init__(self, call: f.Key, name: str, whole: f.Node) -> None:
        self.call = call
        self.name = name
        self.holders: set[int] = set()
        self._find(whole)

    def _find(self, node: f.Node) -> bool:
        """Find the parts that contain the call."""
        found = [self._find(part) for part in f.parts(node)]
        if any(found) or self._is_it(node):
            self.holders.add(id(node))
            return True
        return False

    def _is_it(self, node: f.Node) -> TypeGuard[f.Call]:
        return isinstance(node, f.Call) and f.key(node) == self.call

    def visited(self, node: f.Node) -> f.Node:
        """The tree with the name where an expression in it contains the call several times."""
        held = [part for part in f.parts(node) if id(part) in self.holders]
        if len(held) > 1 and not isinstance(node, f.Members):
            if isinstance(node, f.Logic) and node.parts[0] is not held[0]:
                first = next(i for i, part in enumerate(node.parts) if part is held[0])
                rest = replace(node, parts=node.parts[first:])
                if (named := self._named(rest)) is not None:
                    return replace(node, parts=[*node.parts[:first], named])
            elif (named := self._named(node)) is not None:
                return named
        return f.mapped(node, self.visited) if held else node

    def _named(self, whole: f.Node) -> f.Let | None:
        """An expression with the name, or None if it may not evaluate the call."""
        call = next((node for node in _evaluated(whole) if self._is_it(node)), None)
        if call is None or not set(f.read_names(call)).isdisjoint(f.set_names(whole)):
            return None
        body: Any = self._replaced(whole)
        return f.Let(self.name, call, body, span=body.span)

    def _replaced(self, node: f.Node) -> f.Node:
        """The expression with the name in place of the call."""
        if self._is_it(node):
            return f.Var(self.name, span=node.span)
        return f.mapped(node, self._replaced)


def _evaluated(node: f.Node) -> Iterator[f.Node]:
    """The parts of an expression that are evaluated whenever it is."""
    yield node
    parts: Sequence[f.Node]
    match node:
        case f.Logic(_, values):
            parts = values[:1]
        case f.Either(test):
            parts = [test]
        case f.Loop(_, _, loops):
            parts = [loops[0].source]
        case f.Let(_, given, body):
            parts = [given, body]
        case f.Prim(op.LARGEST | op.SMALLEST, [results, _]):
            parts = [results]
        case _:
            parts = f.parts(node)
    for part in parts:
        yield from _evaluated(part)
