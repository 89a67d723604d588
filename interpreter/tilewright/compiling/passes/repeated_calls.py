"""Evaluates a call of a definition once where an expression contains it several times.

Definitions only read the match, so equal calls within one expression have equal values. The value
gets a name in the smallest part of the expression that contains all of them, if this part
evaluates one of them in any case.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import cast

from tilewright.compiling.emit.trees import at_place_of, load, walk


def name_repeated_calls(function: ast.FunctionDef, definitions: Collection[str]) -> None:
    """Name the values of repeated calls in the expressions of a function.

    `definitions` are the names of the functions that may be called several times.
    """
    if not definitions:
        return
    for statement in [node for node in walk(function) if isinstance(node, ast.stmt)]:
        for attribute, value in list(vars(statement).items()):
            if isinstance(value, ast.expr):
                setattr(statement, attribute, _with_names(value, definitions))


def _with_names(whole: ast.expr, definitions: Collection[str]) -> ast.expr:
    """The same expression with names for the values of its repeated calls."""
    calls = [ast.dump(node) for node in walk(whole) if _callee(node) in definitions]
    if len(calls) < 2:
        return whole
    repeated = [call for call, times in Counter(calls).items() if times > 1]
    # a call comes before those in its arguments
    repeated.sort(key=len, reverse=True)
    for number, call in enumerate(repeated):
        whole = cast(ast.expr, _Naming(call, f"h_known{number}", whole).visit(whole))
    return whole


class _Naming(ast.NodeTransformer):
    """Names the value of a call, which is given as its dump, in an expression."""

    def __init__(self, call: str, name: str, whole: ast.expr) -> None:
        self.call = call
        self.name = name
        self.holders: set[ast.AST] = set()
        self._find(whole)

    def _find(self, node: ast.AST) -> bool:
        """Find the parts that contain the call."""
        found = [self._find(part) for part in ast.iter_child_nodes(node)]
        if any(found) or self._first([node]):
            self.holders.add(node)
        return node in self.holders

    def visit(self, node: ast.AST) -> ast.AST:
        """The tree with the name where an expression in it contains the call several times."""
        parts = [part for part in ast.iter_child_nodes(node) if part in self.holders]
        if len(parts) > 1 and isinstance(node, ast.expr):
            if isinstance(node, ast.BoolOp) and node.values[0] is not parts[0]:
                first = node.values.index(cast(ast.expr, parts[0]))
                rest = at_place_of(node, ast.BoolOp(node.op, node.values[first:]))
                if (named := self._named(rest)) is not None:
                    node.values[first:] = [named]
                    return node
            elif (named := self._named(node)) is not None:
                return named
        return self.generic_visit(node) if parts else node

    def _named(self, whole: ast.expr) -> ast.expr | None:
        """An expression with the name, or None if it may not evaluate the call."""
        call = self._first(_evaluated(whole))
        if call is None or _takes_a_name(whole, call):
            return None
        body = cast(ast.expr, _Replacing(self.call, self.name).visit(whole))
        parameters = ast.arguments(
            posonlyargs=[], args=[ast.arg(self.name)], kwonlyargs=[], kw_defaults=[], defaults=[]
        )
        function = at_place_of(body, ast.Lambda(parameters, body))
        return at_place_of(body, ast.Call(function, [call], []))

    def _first(self, nodes: Iterable[ast.AST]) -> ast.Call | None:
        """The first of some nodes that is the call."""
        for node in nodes:
            if isinstance(node, ast.Call) and _callee(node) and ast.dump(node) == self.call:
                return node
        return None


class _Replacing(ast.NodeTransformer):
    """Replaces a call, which is given as its dump, by a name."""

    def __init__(self, call: str, name: str) -> None:
        self.call = call
        self.name = name

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The name instead of the call; another call with its parts replaced."""
        if _callee(node) and ast.dump(node) == self.call:
            return at_place_of(node, load(self.name))
        return self.generic_visit(node)


def _callee(node: ast.AST) -> str:
    """The name of the function that a node calls, or nothing."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return ""


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that are evaluated whenever it is."""
    yield node
    match node:
        case ast.BoolOp(_, values):
            parts = values[:1]
        case ast.IfExp(test):
            parts = [test]
        case ast.Compare(left, _, others):
            parts = [left, others[0]]
        case ast.GeneratorExp(_, loops) | ast.ListComp(_, loops) | ast.SetComp(_, loops):
            parts = [loops[0].iter]
        case ast.Call(ast.Lambda(_, body), given):
            parts = [*given, body]
        case ast.Lambda():
            parts = []
        case _:
            parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    for part in parts:
        yield from _evaluated(part)


def _takes_a_name(whole: ast.expr, call: ast.Call) -> bool:
    """Whether a loop in an expression captures a name in a call."""
    used = {node.id for node in walk(call) if isinstance(node, ast.Name)}
    for node in walk(whole):
        match node:
            case ast.arg(name) | ast.Name(name, ast.Store()):
                if name in used:
                    return True
    return False
