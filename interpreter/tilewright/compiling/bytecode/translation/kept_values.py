"""Which tests of a thing are false while memory keeps nothing for it.

Most things have the start value of a memory with `of`, and one instruction finds those that have a
value of their own. A test that is false for the start value needs to run for these alone.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any

_OPERATORS: dict[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


class _UnknownError(Exception):
    """The value of an expression depends on more than the start value."""


def fails_at_start(test: ast.expr, name: str, starts: Sequence[object]) -> int | None:
    """The number of the memory whose start value makes a test of a thing false, or None.

    `name` is the thing in the test, and `starts` are the start values of the memories of things.
    """
    slots = {slot for node in ast.walk(test) if (slot := _slot_of(node, name)) is not None}
    if len(slots) != 1:
        return None
    slot = slots.pop()
    try:
        return None if _value(test, name, starts[slot]) else slot
    except _UnknownError:
        return None


def _slot_of(node: ast.AST, name: str) -> int | None:
    """SLOT in `kept(m, name, 0, SLOT)`: a memory of things that do not join."""
    match node:
        case ast.Call(
            ast.Name("kept"),
            [_, ast.Name(thing), ast.Constant(0), ast.Constant(int(slot))],
        ) if thing == name:
            return slot
    return None


def _value(node: ast.expr, name: str, start: object) -> object:
    """The value of a test when memory has the start value. Raises _UnknownError."""
    if _slot_of(node, name) is not None:
        return start
    match node:
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.Not(), inner):
            return not _value(inner, name, start)
        case ast.Call(ast.Name("current_root"), [_, feature]):
            if _value(feature, name, start) is None:
                return None
        case ast.Compare(left, [comparison], [right]) if type(comparison) in _OPERATORS:
            values = _value(left, name, start), _value(right, name, start)
            if None not in values or isinstance(comparison, ast.Is | ast.IsNot):
                return _OPERATORS[type(comparison)](*values)
    raise _UnknownError
