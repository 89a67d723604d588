"""Builds Python syntax trees from fixed templates, never from text that an author wrote.

A template is a Python expression with capital letters as placeholders, which are filled with trees.
Every node gets the place of its rule, therefore tracebacks and coverage point into the rule's
file. A function may contain code of several files: an inlined amendment, a condition of a patch,
the rules of a phase. Python has one file for each function, and a line of another file has the
number of that file in its upper bits.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from tilewright.runtime.code import LINES_OF_A_FILE
from tilewright.source.text import Span

N = TypeVar("N", bound=ast.AST)

#: the kinds of nodes that have a place
_PLACED = (ast.expr, ast.stmt, ast.arg, ast.keyword, ast.comprehension)


@cache
def _parsed(text: str) -> ast.expr:
    """The parsed tree of a template, without places: each use gets those of its rule."""
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            node.__dict__.pop(name, None)
    return tree


def fill(text: str, **holes: ast.expr) -> ast.expr:
    """An expression from a template: `fill("m.owner[A]", A=figure)`."""
    found: ast.expr = _filled(_parsed(text), holes)
    return found


def cloned(tree: N) -> N:
    """A copy of a tree, with the places that it has."""
    copied: N = _filled(tree, {})
    return copied


#: attributes without a part that has a place, and whose value is never changed in place
_PLAIN = frozenset(("id", "attr", "arg", "name", "ctx", "op", "ops", "is_async", "type_comment"))


@cache
def _parts_of(kind: Any) -> tuple[str, ...]:
    """The attributes of a kind of node that can hold nodes with a place."""
    return () if kind is ast.Constant else tuple(f for f in kind._fields if f not in _PLAIN)


def _filled(tree: Any, holes: Mapping[str, ast.expr]) -> Any:
    """A copy of a tree with its placeholders filled (`copy.deepcopy` is far slower)."""
    kind = tree.__class__
    if holes and kind is ast.Name and (filling := holes.get(tree.id)) is not None:
        return ast.Name(filling.id, tree.ctx) if isinstance(filling, ast.Name) else cloned(filling)
    copied = kind.__new__(kind)
    parts = copied.__dict__
    parts.update(tree.__dict__)
    for name in _parts_of(kind):
        value = parts.get(name)
        if value.__class__ is list:
            parts[name] = [_filled(v, holes) if isinstance(v, ast.AST) else v for v in value]
        elif value is not None:
            parts[name] = _filled(value, holes)
    return copied


def load(name: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(name, ast.Load())


def store(name: str) -> ast.Name:
    """A name that is assigned."""
    return ast.Name(name, ast.Store())


def constant(value: object) -> ast.Constant:
    """A constant as a tree."""
    return ast.Constant(value)  # type: ignore[arg-type]


def number(value: int) -> ast.expr:
    """A number as a tree (Python has no negative literals)."""
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def assign(name: str, value: ast.expr) -> ast.stmt:
    """An assignment to a local name."""
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
    """A `return` of a value."""
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


def place(node: N, span: Span) -> N:
    """Give a new tree the place of a rule's text, if it has none.

    Its parts get the place of the nearest one above that has one, when the function is finished.
    """
    held = node.__dict__
    if "lineno" not in held:
        held.update(_place_of(span))
    return node


def _place_of(span: Span) -> dict[str, Any]:
    """The attributes of a node that has the place of a text."""
    return {
        "lineno": span.line or 1,
        "col_offset": max(span.column - 1, 0),
        "end_lineno": span.end_line or span.line or 1,
        "end_col_offset": max(span.end_column - 1, 0),
        "file": span.file,
    }


def _children(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that can have a place (`ast.iter_child_nodes` is far slower)."""
    found: list[ast.AST] = []
    held = node.__dict__
    kind: Any = node.__class__
    for name in _parts_of(kind):
        value = held.get(name)
        if value.__class__ is list:
            found += [each for each in value if isinstance(each, ast.AST)]
        elif value is not None:
            found.append(value)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A tree and all its parts that can have a place (`ast.walk` is far slower)."""
    parts = [node]
    for part in parts:
        parts += _children(part)
    return parts


def at_place_of(other: ast.expr | ast.stmt, node: N) -> N:
    """Give a new node the place of another node, if that has one."""
    if (file := getattr(other, "file", None)) is not None:
        ast.copy_location(node, other)
        node.file = file  # type: ignore[attr-defined]
    return node


def place_all(function: ast.FunctionDef, span: Span, number_of: Callable[[str], int]) -> None:
    """Give all parts of a finished function a place: that of the nearest part above that has one.

    Lines of a file other than the function's own get the number of that file in their upper bits.
    """
    first_line = {span.file: 0}
    parts: list[tuple[ast.AST, dict[str, Any]]] = [(function, _place_of(span))]
    for part, above in parts:
        held = part.__dict__
        if "lineno" not in held:
            if isinstance(part, _PLACED):
                held.update(above)
        elif (file := held.get("file")) is not None:
            if file not in first_line:
                first_line[file] = number_of(file) * LINES_OF_A_FILE
            first = first_line[file]
            above = {
                "lineno": first + held["lineno"] % LINES_OF_A_FILE,
                "col_offset": held["col_offset"],
                "end_lineno": first + held["end_lineno"] % LINES_OF_A_FILE,
                "end_col_offset": held["end_col_offset"],
                "file": file,
            }
            held.update(above)
        parts += [(child, above) for child in _children(part)]


def joined(all_of: bool, parts: list[ast.expr]) -> ast.expr:
    """The `and` or `or` of conditions, without constant ones."""
    open_parts = []
    for part in parts:
        if isinstance(part, ast.Constant):
            if part.value is not all_of:
                return part
            continue
        open_parts.append(part)
    if not open_parts:
        return constant(all_of)
    if len(open_parts) == 1:
        return open_parts[0]
    return ast.BoolOp(ast.And() if all_of else ast.Or(), open_parts)
