"""Single values and conditions.

Conditions become jumps: no truth value is kept in a register unless somebody stores it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.instructions import (
    INT,
    LIST,
    MASK,
    NONE_NUMBER,
    NOTHING,
    PLACEMENT,
    ZERO,
    Value,
)
from tilewright.play.compiling.bytecode.translation.loops import add_to, loop
from tilewright.play.compiling.bytecode.translation.writer import (
    JUMPS,
    JUMPS_OF,
    MISSING_NUMBER,
    SMALL,
    VALUES,
    VALUES_OF,
    Slot,
    Writer,
    constant_of,
    enters,
)
from tilewright.play.encoding import ORIGIN

_KIND_OF_FIGURE = p.FIGURE_KIND.form("")


@enters(VALUES, f.Const)
def _const(w: Writer, node: f.Const, hint: Slot | None) -> Value:
    if node.value is None:
        return Value(NOTHING, -1, NONE_NUMBER)
    if isinstance(node.value, bool):
        return Value(INT, -1, int(node.value))
    if isinstance(node.value, int):
        return Value(ZERO if node.value == 0 else INT, -1, node.value)
    raise w.refuse(node, "a text")


@enters(VALUES_OF, op.MISSING)
def _missing(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    return Value(NOTHING, -1, MISSING_NUMBER)


@enters(VALUES, f.Var)
def _var(w: Writer, node: f.Var, hint: Slot | None) -> Value:
    slot = w.bound.get(node.name)
    if slot is None:
        raise w.refuse(node, "a name that holds values of different types")
    return Value(slot.type, slot.at)


@enters(VALUES, f.Let)
def _let(w: Writer, node: f.Let, hint: Slot | None) -> Value:
    found: list[Value] = []
    w.with_let(node.name, node.value, lambda: found.append(w.value(node.body, hint)))
    return found[0]


@enters(VALUES, f.Either)
def _either(w: Writer, node: f.Either, hint: Slot | None) -> Value:
    type_ = w.assumed(node, INT)
    at = w.target(type_, hint)
    slot = Slot(type_, at)
    no, after = w.label(), w.label()
    w.jump_if(node.test, False, no)
    for branch, is_last in ((node.then, False), (node.otherwise, True)):
        mark = w.mark()
        value = w.value(branch, slot)
        w.tell(node, value.type, type_)
        if not w.facts.changed:
            w.move(slot, value)
        w.release(mark)
        if not is_last:
            w.emit("JMP", to=after)
            w.place(no)
    w.place(after)
    return Value(w.facts.types.get(id(node), type_), at)


@enters(VALUES_OF, op.MEMORY)
def _memory(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    slot = constant_of(node.arguments[0])
    type_ = w.knowledge.memory[slot]
    found = w.target(type_, hint)
    if type_.is_list:
        w.emit("MLDL", found, c=type_.parts, k=slot)
    elif len(type_.words) > 1:
        w.emit("MLDN", found, c=len(type_.words), k=slot)
    else:
        w.emit("MLD", found, k=slot)
    return Value(type_, found)


@enters(VALUES_OF, op.LOOKED_UP)
def _table(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    row, index = node.arguments
    assert isinstance(row, f.Row)
    at = w.register(index)
    found = w.target(INT, hint)
    numbers = [each.value for each in row.values if isinstance(each, f.Const)]
    values = tuple(NONE_NUMBER if each is None else int(each) for each in numbers)
    w.emit("LOOKUP", found, at).values = values
    return Value(INT, found)


# ------------------------------------------------------------------ arithmetic


@enters(VALUES_OF, op.NEGATIVE)
def _negative(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    value = w.value(node.arguments[0])
    if value.constant is not None:
        return Value(INT, -1, -value.constant)
    return w.operation("MULI", [value.at], INT, hint, -1)


@enters(VALUES_OF, op.ADD, op.SUBTRACT, op.MULTIPLY)
def _arithmetic(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    if node.operation == op.ADD and _has_condition(node):
        total = w.target(INT, hint)
        w.load(total, 0)
        add_to(w, total, node)
        return Value(INT, total)
    left, right = map(w.value, node.arguments)
    for value in (left, right):
        if value.type.is_list or len(value.type.words) > 1:
            raise w.refuse(node)
    one, two = left.constant, right.constant
    name = {op.ADD: "ADD", op.SUBTRACT: "SUB", op.MULTIPLY: "MUL"}[node.operation]
    if one is not None and two is not None:
        both = {"ADD": one + two, "SUB": one - two, "MUL": one * two}[name]
        return Value(INT, -1, both)
    if two is None and one is not None and name != "SUB":
        left, right, two = right, left, one
    if two is not None and -SMALL < two < SMALL:
        if two == (1 if name == "MUL" else 0):
            return Value(INT, left.at)
        if name == "MUL":
            if two == 0:
                return Value(INT, -1, 0)
            return w.operation("MULI", [left.at], INT, hint, two)
        return w.operation("ADDI", [left.at], INT, hint, two if name == "ADD" else -two)
    return w.operation(name, [w.at(left), w.at(right)], INT, hint)


def _has_condition(node: f.Expr) -> bool:
    """Whether a sum has a part that counts under a condition only."""
    match node:
        case f.Prim(op.ADD, [left, right]):
            return _has_condition(left) or _has_condition(right)
        case f.Either(_, _, f.Const(0)):
            return True
    return False


@enters(VALUES_OF, op.BITS_OF_BOTH)
def _bits_of_both(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    left, right = map(w.value, node.arguments)
    if left.constant is not None and right.constant is not None:
        return Value(INT, -1, left.constant & right.constant)
    at = w.target(INT, hint)
    if right.constant is not None and -SMALL <= right.constant < SMALL:
        w.emit("ANDI", at, w.at(left), k=right.constant)
    else:
        w.emit("AND", at, w.at(left), w.at(right))
    return Value(INT, at)


# ------------------------------------------------------------------ values of several parts


@enters(VALUES_OF, p.GLOBAL["origin"].form(""))
def _origin(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    found = w.target(PLACEMENT, hint)
    w.load(found, ORIGIN)
    w.load(found + 1, 0)
    return Value(PLACEMENT, found)


@enters(VALUES_OF, op.PART_OF_ROW)
def _part(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    whole, number = node.arguments
    return Value(INT, w.value(whole).at + constant_of(number))


@enters(VALUES_OF, op.ELEMENT)
def _element(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    """An element of a list."""
    members, index = node.arguments
    whole = w.value(members)
    if not whole.type.is_list or whole.type == MASK:
        raise w.refuse(node)
    one = whole.type.member
    at = w.register(index)
    found = w.target(one, hint)
    w.emit("LGET", found, whole.at, at, len(one.words))
    return Value(one, found)


@enters(VALUES_OF, op.IN_ROLES)
def _in_roles(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    """Whether the roles of a figure, or of a kind of figures, include a kind of feature."""
    roles, feature_kind = node.arguments
    if isinstance(roles, f.Var):
        figure_kind = w.roles[roles.name]
    else:
        assert isinstance(roles, f.Prim)
        figure_kind = kind_in(roles)
    kind = w.register(feature_kind)
    if isinstance(figure_kind, f.Const):
        on = w.knowledge.program.roles[constant_of(figure_kind)]
        if all(on) or not any(on):
            return Value(INT, -1, int(all(on)))
        if sum(on) == 1:
            return w.operation("EQI", [kind], INT, hint, on.index(True))
        if sum(on) == len(on) - 1:
            return w.operation("NEI", [kind], INT, hint, on.index(False))
    return w.operation("KIND_ROLE", [w.register(figure_kind), kind], INT, hint)


def kind_in(roles: f.Prim) -> f.Expr:
    """The kind of figures whose roles these are."""
    (thing,) = roles.arguments
    if roles.operation == p.HAS_ROLE.form("figure kind"):
        return thing
    return f.prim(_KIND_OF_FIGURE, thing)


@enters(VALUES_OF, *(p.GLOBAL[name].form("") for name in ("directions", "headings", "tokens")))
def _constants(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    values = tuple(w.knowledge.program.scope[node.operation.python])
    found = w.target(LIST, hint)
    w.emit("LCONST", found).values = values
    return Value(LIST, found)


def _better(w: Writer, call: f.Expr, slot: Slot, name: str, is_sure: bool) -> bool:
    """Take a result of an amendment into account; whether there is one for certain then."""
    mark = w.mark()
    value = w.value(call)
    callee = w.knowledge.functions.get(call.function) if isinstance(call, f.Call) else None
    may_miss = callee is None or callee.may_miss
    next_, first = w.label(), w.label()
    missing = w.registers((0,))
    if may_miss:
        w.emit("ISMISS", missing, w.at(value))
        w.emit("JT", missing, to=next_)
    if not is_sure:
        w.emit("ISMISS", missing, slot.at)
        w.emit("JT", missing, to=first)
    w.emit(name, slot.at, slot.at, w.at(value))
    w.emit("JMP", to=next_)
    w.place(first)
    w.move(slot, value)
    w.place(next_)
    w.release(mark)
    return is_sure or not may_miss


@enters(VALUES_OF, op.LARGEST, op.SMALLEST)
def _best(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    results, otherwise = node.arguments
    assert isinstance(results, f.ListOf)
    name = "MAX" if node.operation == op.LARGEST else "MIN"
    found = w.registers((0,))
    slot = Slot(INT, found)
    is_sure = False
    w.emit("LDC", found).values = (MISSING_NUMBER,)
    for call in results.members:
        is_sure = _better(w, call, slot, name, is_sure)
    if not is_sure:
        after, missing = w.label(), w.registers((0,))
        w.emit("ISMISS", missing, found)
        w.emit("JF", missing, to=after)
        w.into(otherwise, slot)
        w.place(after)
    return Value(INT, found)


#: by sign: the instruction that compares two numbers
_COMPARISONS = {"=": "EQ", "!=": "NE", "<": "LT", "<=": "LE"}
#: the comparison with its sides exchanged, and its opposite
_EXCHANGED: dict[f.Comparing, f.Comparing] = {
    "=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<=",
}  # fmt: skip
_OPPOSITE: dict[f.Comparing, f.Comparing] = {
    "=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
#: the instruction that compares with a constant, and what is added to the constant
_IMMEDIATE = {
    "=": ("EQI", 0),
    "!=": ("NEI", 0),
    "<": ("LTI", 0),
    "<=": ("LTI", 1),
    ">": ("GEI", 1),
    ">=": ("GEI", 0),
}


@enters(VALUES, f.Not, f.Logic, f.Compare, f.IsNothing)
def _truth(w: Writer, node: f.Expr, hint: Slot | None) -> Value:
    return w.truth(node, hint)


@enters(JUMPS, f.Const)
def _jump_by_const(w: Writer, node: f.Const, holds: bool, to: int) -> None:
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
def _jump_by_either(w: Writer, node: f.Either, holds: bool, to: int) -> None:
    no, after = w.label(), w.label()
    w.jump_if(node.test, False, no)
    w.jump_if(node.then, holds, to)
    w.emit("JMP", to=after)
    w.place(no)
    w.jump_if(node.otherwise, holds, to)
    w.place(after)


@enters(JUMPS, f.Let)
def _jump_in_let(w: Writer, node: f.Let, holds: bool, to: int) -> None:
    w.with_let(node.name, node.value, lambda: w.jump_if(node.body, holds, to))


@enters(JUMPS, f.Loop)
def _jump_by_loop(w: Writer, node: f.Loop, holds: bool, to: int) -> None:
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
    value = w.value(node.value)
    if value.constant is not None:
        if (value.type == NOTHING) is is_it:
            w.emit("JMP", to=to)
    else:
        w.emit("JNONE" if is_it else "JSOME", value.at, to=to)


@enters(JUMPS_OF, op.APPLIES)
def _applies(w: Writer, node: f.Prim, holds: bool, to: int) -> None:
    (result,) = node.arguments
    assert isinstance(result, f.Var)
    if result.name not in w.missable:
        if holds:
            w.emit("JMP", to=to)
        return
    found = w.registers((0,))
    w.emit("ISMISS", found, w.value(result).at)
    w.emit("JF" if holds else "JT", found, to=to)


@enters(JUMPS, f.Compare)
def _compare(w: Writer, node: f.Compare, holds: bool, to: int) -> None:
    sign = node.sign if holds else _OPPOSITE[node.sign]
    one, two = w.value(node.left), w.value(node.right)
    if one.constant is not None and two.constant is None and not two.type.is_list:
        one, two, sign = two, one, _EXCHANGED[sign]
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
        immediate, added = _IMMEDIATE[sign]
        if 0 <= number + added < 256:
            w.emit(f"J{immediate}", w.at(one), number + added, to=to)
            return
        if -(1 << 31) <= number + added < 1 << 31:
            found = w.registers((0,))
            w.emit(immediate, found, w.at(one), k=number + added)
            w.emit("JT", found, to=to)
            return
    if sign in (">", ">="):
        one, two, sign = two, one, _EXCHANGED[sign]
    w.emit("J" + _COMPARISONS[sign], w.at(one), w.at(two), to=to)


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
