"""Conditions become jumps: no truth value is kept in a register unless somebody stores it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.assembler import Value
from tilewright.play.compiling.bytecode.translation.loops import loop
from tilewright.play.compiling.bytecode.translation.names import Slot
from tilewright.play.compiling.bytecode.translation.signatures import (
    COMPARISONS,
    EXCHANGED,
    IMMEDIATE,
    OPPOSITE,
)
from tilewright.play.compiling.bytecode.translation.writer import (
    JUMPS,
    JUMPS_OF,
    VALUES,
    Writer,
    enters,
)
from tilewright.play.compiling.bytecode.types import NOTHING, ZERO


@enters(VALUES, f.Not, f.Logic, f.Compare, f.IsNothing)
def _truth(w: Writer, node: f.Expr, hint: Slot | None) -> Value:
    return w.truth(node, hint)


@enters(JUMPS, f.Const)
def _const(w: Writer, node: f.Const, holds: bool, to: int) -> None:
    if bool(node.value) is holds:
        w.emit("JMP", to=to)


@enters(JUMPS, f.Not)
def _not(w: Writer, node: f.Not, holds: bool, to: int) -> None:
    w.jump_if(node.value, not holds, to)


@enters(JUMPS, f.Logic)
def _logic(w: Writer, node: f.Logic, holds: bool, to: int) -> None:
    _of_parts(w, node.parts, node.is_all, holds, to)


def _of_parts(w: Writer, parts: Sequence[f.Expr], is_all: bool, holds: bool, to: int) -> None:
    if is_all is not holds:  # one part decides
        for part in parts:
            w.jump_if(part, holds, to)
        return
    after = w.label()
    for part in parts[:-1]:
        w.jump_if(part, not holds, after)
    w.jump_if(parts[-1], holds, to)
    w.place(after)


@enters(JUMPS, f.Either)
def _either(w: Writer, node: f.Either, holds: bool, to: int) -> None:
    no, after = w.label(), w.label()
    w.jump_if(node.test, False, no)
    w.jump_if(node.then, holds, to)
    w.emit("JMP", to=after)
    w.place(no)
    w.jump_if(node.otherwise, holds, to)
    w.place(after)


@enters(JUMPS, f.Let)
def _let(w: Writer, node: f.Let, holds: bool, to: int) -> None:
    w.with_let(node.name, node.value, lambda: w.jump_if(node.body, holds, to))


@enters(JUMPS, f.Loop)
def _loop(w: Writer, node: f.Loop, holds: bool, to: int) -> None:
    """`any` and `all`: the first member that decides ends the loop."""
    if node.result not in ("any", "all"):
        w.jump_of_value(w.value(node), holds, to)
        return
    is_any, element = node.result == "any", node.value
    # a test that only depends on names outside of the loop is made before it
    if isinstance(element, f.Either) and _is_outside(element.test, node.loops):
        one = replace(node, value=element.then)
        other = replace(node, value=element.otherwise)
        w.jump_if(f.Either(element.test, one, other), holds, to)
        return
    # the last test of the members, so it may be one that is carried out for all of them at once
    *outer, last = node.loops
    decisive = element if is_any else f.Not(element)
    loops = [*outer, replace(last, tests=[*last.tests, decisive])]
    if is_any is holds:
        loop(w, loops, lambda: _jump(w, to))
        return
    decided = w.label()
    loop(w, loops, lambda: _jump(w, decided))
    w.emit("JMP", to=to)
    w.place(decided)


def _jump(w: Writer, to: int) -> None:
    w.emit("JMP", to=to)


def _is_outside(test: f.Expr, loops: Sequence[f.Members]) -> bool:
    """Whether a test is a name from outside of these loops."""
    return isinstance(test, f.Var) and all(test.name not in each.names for each in loops)


# ------------------------------------------------------------------ comparisons


@enters(JUMPS, f.IsNothing)
def _is_nothing(w: Writer, node: f.IsNothing, holds: bool, to: int) -> None:
    is_it = holds is not node.is_not
    if node.of_amendment:
        _is_missing(w, node.value, is_it, to)
        return
    value = w.value(node.value)
    if value.constant is not None:
        if (value.type == NOTHING) is is_it:
            w.emit("JMP", to=to)
    else:
        w.emit("JNONE" if is_it else "JSOME", value.at, to=to)


def _is_missing(w: Writer, node: f.Expr, is_it: bool, to: int) -> None:
    assert isinstance(node, f.Var)
    if node.name not in w.missable:
        if not is_it:
            w.emit("JMP", to=to)
        return
    found = w.registers((0,))
    w.emit("ISMISS", found, w.value(node).at)
    w.emit("JT" if is_it else "JF", found, to=to)


@enters(JUMPS, f.Compare)
def _compare(w: Writer, node: f.Compare, holds: bool, to: int) -> None:
    sign = node.sign if holds else OPPOSITE[node.sign]
    one, two = w.value(node.left), w.value(node.right)
    if one.constant is not None and two.constant is None and not two.type.is_list:
        one, two, sign = two, one, EXCHANGED[sign]
    if one.type.is_list or two.type.is_list:
        _of_lists(w, one, two, sign == "=", to)
    elif len(one.type.words) > 1 or len(two.type.words) > 1:
        _of_tuples(w, one, two, sign == "=", to)
    else:
        _of_numbers(w, one, two, sign, to)


def _of_numbers(w: Writer, one: Value, two: Value, sign: f.Comparing, to: int) -> None:
    number = two.constant
    if number is not None and sign in ("=", "!="):
        if two.type == NOTHING:
            w.emit("JNONE" if sign == "=" else "JSOME", w.at(one), to=to)
            return
        if number == 0 and one.type != NOTHING:
            w.emit("JF" if sign == "=" else "JT", w.at(one), to=to)
            return
    if number is not None:
        immediate, added = IMMEDIATE[sign]
        if 0 <= number + added < 256:
            w.emit(f"J{immediate}", w.at(one), number + added, to=to)
            return
        if -(1 << 31) <= number + added < 1 << 31:
            found = w.registers((0,))
            w.emit(immediate, found, w.at(one), k=number + added)
            w.emit("JT", found, to=to)
            return
    if sign in (">", ">="):
        one, two, sign = two, one, EXCHANGED[sign]
    w.emit("J" + COMPARISONS[sign], w.at(one), w.at(two), to=to)


def _of_lists(w: Writer, one: Value, two: Value, is_equal: bool, to: int) -> None:
    for value, other in ((one, two), (two, one)):
        if value.type == ZERO and value.constant == 0:
            w.emit("JEMPTY" if is_equal else "JFULL", other.at, to=to)
            return
    if not (one.type.is_list and two.type.is_list):
        if is_equal:
            return
        w.emit("JMP", to=to)
        return
    found = w.registers((0,))
    w.emit("LEQ", found, one.at, two.at, max(one.type.parts, two.type.parts, 1))
    w.emit("JT" if is_equal else "JF", found, to=to)


def _of_tuples(w: Writer, one: Value, two: Value, is_equal: bool, to: int) -> None:
    if NOTHING in (one.type, two.type):
        other = two if one.type == NOTHING else one
        w.emit("JNONE" if is_equal else "JSOME", other.at, to=to)
        return
    if one.type.words != two.type.words:
        raise w.refuse("=", "values of different types compared")
    after = w.label()
    size = len(one.type.words)
    for i in range(size):
        last = i == size - 1
        if is_equal:
            w.emit("JEQ" if last else "JNE", one.at + i, two.at + i, to=to if last else after)
        else:
            w.emit("JNE", one.at + i, two.at + i, to=to)
    w.place(after)


# ------------------------------------------------------------------ members


@enters(JUMPS_OF, op.IN_MASK)
def _in_mask(w: Writer, node: f.Prim, holds: bool, to: int) -> None:
    member, mask = node.arguments
    whole = w.list_value(mask)
    w.jump_of_member(w.value(member), whole, holds, to)


@enters(JUMPS_OF, op.IN_LIST)
def _in_list(w: Writer, node: f.Prim, holds: bool, to: int) -> None:
    member, members = node.arguments
    if isinstance(members, f.Row):
        tests = [f.Compare("=", member, each) for each in members.values]
        _of_parts(w, tests, False, holds, to)
        return
    whole = w.list_value(members)
    w.jump_of_member(w.value(member), whole, holds, to)


@enters(JUMPS_OF, op.HAS_COMPANION)
def _has_companion(w: Writer, node: f.Prim, holds: bool, to: int) -> None:
    w.emit("JCOMPANION" if holds else "JNCOMPANION", w.register(node.arguments[0]), to=to)


@enters(JUMPS_OF, p.FEATURE_OCCUPIED.form(""))
def _occupied(w: Writer, node: f.Prim, holds: bool, to: int) -> None:
    found = w.registers((0,))
    w.emit("B_HASFIGS", found, w.register(node.arguments[0]))
    w.emit("JT" if holds else "JF", found, to=to)


@enters(JUMPS_OF, p.RELATION["has", "figure", "trait"].form(""))
def _has_trait(w: Writer, node: f.Prim, holds: bool, to: int) -> None:
    figure, trait = node.arguments
    found = w.registers((0,))
    w.emit("FIG_TRAIT", found, w.register(figure), k=constant_of(trait))
    w.emit("JT" if holds else "JF", found, to=to)


@enters(JUMPS_OF, p.RELATION["has", "token", "trait"].form(""))
def _token_has_trait(w: Writer, node: f.Prim, holds: bool, to: int) -> None:
    token, trait = node.arguments
    found = w.registers((0,))
    w.emit("TOKEN_TRAIT", found, w.register(token), k=constant_of(trait))
    w.emit("JT" if holds else "JF", found, to=to)


def constant_of(node: f.Expr) -> int:
    """The number that a constant is."""
    assert isinstance(node, f.Const) and isinstance(node.value, int)
    return node.value
