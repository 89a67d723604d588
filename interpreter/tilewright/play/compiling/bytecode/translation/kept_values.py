"""Which tests of a thing are false while memory keeps nothing for it.

Most things have the start value of a memory with `of`, and one instruction finds those that have a
value of their own. A test that is false for the start value needs to run for these alone.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op

_SIGNS: dict[f.Comparing, Callable[[Any, Any], object]] = {
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


class _UnknownError(Exception):
    """The value of an expression depends on more than the start value."""


def fails_at_start(test: f.Expr, name: str, starts: Sequence[object]) -> int | None:
    """The number of the memory whose start value makes a test of a thing false, or None.

    `name` is the thing in the test, and `starts` are the start values of the memories of things.
    """
    slots = {slot for node in f.walk(test) if (slot := _slot_of(node, name)) is not None}
    if len(slots) != 1:
        return None
    slot = slots.pop()
    try:
        return None if _value(test, name, starts[slot]) else slot
    except _UnknownError:
        return None


def _slot_of(node: f.Node, name: str) -> int | None:
    """The slot of a memory of things that do not join, where this is what it keeps for the name."""
    match node:
        case f.Prim(op.KEPT, [f.Var(thing), f.Const(0), f.Const(int(slot))]) if thing == name:
            return slot
    return None


def _value(node: f.Expr, name: str, start: object) -> object:
    """The value of a test when memory has the start value. Raises _UnknownError."""
    if _slot_of(node, name) is not None:
        return start
    match node:
        case f.Const(value):
            return value
        case f.Not(inner):
            return not _value(inner, name, start)
        case f.Prim(op.ROOT_IF_ANY, [feature]):
            if _value(feature, name, start) is None:
                return None
        case f.IsNothing(value, is_not):
            return (_value(value, name, start) is None) is not is_not
        case f.Compare(sign, left, right):
            values = _value(left, name, start), _value(right, name, start)
            if None not in values:
                return _SIGNS[sign](*values)
    raise _UnknownError
