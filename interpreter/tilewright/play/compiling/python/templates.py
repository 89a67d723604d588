"""Makers of Python's syntax trees for the forms of the table of primitives.

A form is a Python expression with capital letters for its operands. It is parsed once, and becomes
a function that makes its tree with the operands and one place for all nodes. No text of an author
is ever parsed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

#: the place of a node: line, column, last line, column behind it
Place = tuple[int, int, int, int]
#: builds the tree of a form with its operands at a place
Maker = Callable[..., ast.expr]

LOAD, STORE = ast.Load(), ast.Store()
OPERANDS = "ABCDE"
#: the kinds of nodes that have a place
_PLACED = (ast.expr, ast.arg, ast.keyword)
_AT = "lineno=_l, col_offset=_c, end_lineno=_e, end_col_offset=_d"
_SCOPE: dict[str, Any] = {
    name: value for name, value in vars(ast).items() if isinstance(value, type)
}
_SCOPE |= {"_load": LOAD, "_store": STORE}


@cache
def parsed(form: str) -> ast.expr:
    """The tree of a form, with its capitals as names."""
    return ast.parse(form, mode="eval").body


@cache
def maker(form: str) -> Maker:
    """The function that makes the tree of a form from its operands and a place."""
    return _built(parsed(form), "_load")


@cache
def target_maker(form: str) -> Maker:
    """The same for a place that is assigned."""
    return _built(parsed(form), "_store")


def _built(tree: ast.expr, context: str) -> Maker:
    parameters = ", ".join(f"{letter}=None" for letter in OPERANDS)
    text = f"lambda _l, _c, _e, _d, {parameters}: {_source(tree, context)}"
    found: Maker = eval(text, _SCOPE)  # made of the package's own forms alone
    return found


def _source(node: Any, context: str = "_load") -> str:
    """The Python text that makes a tree like this one."""
    if isinstance(node, list):
        return f"[{', '.join(map(_source, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.Name) and node.id in OPERANDS:
        return node.id
    if isinstance(node, ast.Load | ast.Store):
        return "_store" if isinstance(node, ast.Store) else context
    values = [
        f"{name}={_source(getattr(node, name), context if name == 'ctx' else '_load')}"
        for name in node._fields
        if getattr(node, name, None) is not None or isinstance(node, ast.Constant)
    ]
    if isinstance(node, _PLACED):
        values.append(_AT)
    return f"{type(node).__name__}({', '.join(values)})"


@cache
def repeated(form: str) -> tuple[int, ...]:
    """The numbers of the operands that a form has several times."""
    names = [node.id for node in ast.walk(parsed(form)) if isinstance(node, ast.Name)]
    return tuple(i for i, letter in enumerate(OPERANDS) if names.count(letter) > 1)


def path_of(node: ast.expr, operands: Sequence[Any]) -> str:
    """The text of a path in the match, such as `m.memory[3]`; "" for anything else.

    `operands` are the numbers that a path may contain, by operand of the form.
    """
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == "m":
            return f"m.{node.attr}"
        before = path_of(node.value, operands)
        return f"{before}.{node.attr}" if before else ""
    if isinstance(node, ast.Subscript):
        before, index = path_of(node.value, operands), node.slice
        number: Any = index.value if isinstance(index, ast.Constant) else None
        if isinstance(index, ast.Name) and index.id in OPERANDS:
            number = operands[OPERANDS.index(index.id)]
        return f"{before}[{number}]" if before and number is not None else ""
    return ""


def name_of_path(path: str) -> str:
    """The local name that stands for a path."""
    return re.sub(r"\W+", "_", path).strip("_") + "_"
