"""Evaluates a call of a definition once where an expression contains it several times.

Definitions only read the match, so equal calls within one expression have equal values. The value
gets a name in the smallest part of the expression that contains all of them, if this part
evaluates one of them in any case.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import cast

from tilewright.compiling.emit import load

#: the functions of definitions have names that begin with this
_DEFINITION = "ask_"


def name_repeated_calls(function: ast.FunctionDef) -> None:
    """Name the values of calls that an expression of a function contains several times."""
    calls = [node for node in ast.walk(function) if _is_of_definition(node)]
    if len(calls) < 2:
        return
    repeated = [call for call, times in Counter(map(ast.dump, calls)).items() if times > 1]
    # a call comes before those in its arguments
    repeated.sort(key=len, reverse=True)
    for number, call in enumerate(repeated):
        _Naming(call, f"h_known{number}").visit(function)


class _Naming(ast.NodeTransformer):
    """Names the value of a call, which is given as its dump."""

    def __init__(self, call: str, name: str) -> None:
        self.call = call
        self.name = name

    def visit(self, node: ast.AST) -> ast.AST:
        """The tree with the name where an expression in it contains the call several times."""
        parts = [part for part in ast.iter_child_nodes(node) if self._first(ast.walk(part))]
        if len(parts) > 1 and isinstance(node, ast.expr):
            if isinstance(node, ast.BoolOp) and node.values[0] is not parts[0]:
                first = node.values.index(cast(ast.expr, parts[0]))
                rest = _placed(ast.BoolOp(node.op, node.values[first:]), node)
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
        body = _Replacing(self.call, self.name).visit(whole)
        parameters = ast.arguments(
            posonlyargs=[], args=[ast.arg(self.name)], kwonlyargs=[], kw_defaults=[], defaults=[]
        )
        return _placed(ast.Call(_placed(ast.Lambda(parameters, body), body), [call], []), body)

    def _first(self, nodes: Iterator[ast.AST]) -> ast.Call | None:
        return next((n for n in nodes if _is_of_definition(n) and ast.dump(n) == self.call), None)


class _Replacing(ast.NodeTransformer):
    """Replaces a call by a name."""

    def __init__(self, call: str, name: str) -> None:
        self.call = call
        self.name = name

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if _is_of_definition(node) and ast.dump(node) == self.call:
            return _placed(load(self.name), node)
        return self.generic_visit(node)


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that are evaluated whenever it is."""
    yield node
    match node:
        case ast.BoolOp(_, values):
            parts: list[ast.expr] = values[:1]
        case ast.IfExp(test):
            parts = [test]
        case ast.Compare(left, _, others):
            parts = [left, others[0]]
        case ast.GeneratorExp(_, loops) | ast.ListComp(_, loops):
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
    used = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
    for node in ast.walk(whole):
        if isinstance(node, ast.arg) and node.arg in used:
            return True
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in used:
            return True
    return False


def _is_of_definition(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Name(name)):
            return name.startswith(_DEFINITION)
    return False


def _placed(node: ast.expr, other: ast.AST) -> ast.expr:
    """A new node at the place of another, if that has one."""
    ast.copy_location(node, other)
    if (file := getattr(other, "file", None)) is not None:
        node.file = file  # type: ignore[attr-defined]
    return node
