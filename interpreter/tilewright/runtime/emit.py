"""Python syntax trees, built from fixed templates and never from text that an author wrote.

A template is a Python expression of ours with capital letters for its holes; the holes are filled
with trees. Every node gets the place of the rule it comes from, so that tracebacks and coverage
point into the rule's own file.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from tilewright.source.text import Span

N = TypeVar("N", bound=ast.AST)


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class _Fill(ast.NodeTransformer):
    def __init__(self, holes: dict[str, ast.expr]) -> None:
        self.holes = holes

    def visit_Name(self, node: ast.Name) -> ast.expr:
        filling = self.holes.get(node.id)
        if filling is None:
            return node
        if isinstance(filling, ast.Name):
            return ast.Name(filling.id, node.ctx)
        return copy.deepcopy(filling)


def fill(text: str, **holes: ast.expr) -> ast.expr:
    """An expression from a template: `fill("m.owner[A]", A=figure)`."""
    found: ast.expr = _Fill(holes).visit(copy.deepcopy(_parsed(text)))
    return found


def load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def constant(value: object) -> ast.Constant:
    return ast.Constant(value)  # type: ignore[arg-type]


def number(value: int) -> ast.expr:
    """A number as a tree (Python has no negative literals)."""
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([store(name)], value)


def put(text: str, value: ast.expr, **holes: ast.expr) -> ast.stmt:
    """An assignment to a place given by a template: `put("m.memory[A]", value, A=index)`."""
    target = fill(text, **holes)
    assert isinstance(target, ast.Attribute | ast.Subscript)
    target.ctx = ast.Store()
    return ast.Assign([target], value)


def do(text: str, **holes: ast.expr) -> ast.stmt:
    """A call for its effect."""
    return ast.Expr(fill(text, **holes))


def give(value: ast.expr | None) -> ast.stmt:
    return ast.Return(value)


def function_of(name: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """A function with these parameters."""
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(p) for p in parameters],
        vararg=None,
        kwonlyargs=[],
        kw_defaults=[],
        kwarg=None,
        defaults=[],
    )
    return ast.FunctionDef(name, arguments, body, [], None)


def compiled(function: ast.FunctionDef, file: str, scope: dict[str, Any]) -> Callable[..., Any]:
    """The function, made in a scope that it sees and nothing else."""
    code = compile(ast.Module([function], []), file, "exec")
    exec(code, scope)  # the tree holds nothing but templates of ours
    found: Callable[..., Any] = scope[function.name]
    return found


def place(node: N, span: Span) -> N:
    """Give a tree the place of a rule's text, wherever it has none yet."""
    for part in ast.walk(node):
        if hasattr(part, "lineno"):
            continue
        if isinstance(part, ast.expr | ast.stmt | ast.arg | ast.keyword | ast.comprehension):
            part.lineno, part.col_offset = span.line or 1, max(span.column - 1, 0)  # type: ignore[union-attr]
            part.end_lineno = span.end_line or span.line or 1  # type: ignore[union-attr]
            part.end_col_offset = max(span.end_column - 1, 0)  # type: ignore[union-attr]
    return node
