"""Single values: constants, names, arithmetic, memory, tables, one value or another."""

from __future__ import annotations

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode import types
from tilewright.play.compiling.bytecode.assembler import NONE_NUMBER, Value
from tilewright.play.compiling.bytecode.translation.conditions import constant_of
from tilewright.play.compiling.bytecode.translation.loops import add_to
from tilewright.play.compiling.bytecode.translation.names import MISSING_NUMBER, SMALL, Slot
from tilewright.play.compiling.bytecode.translation.writer import (
    VALUES,
    VALUES_OF,
    Writer,
    enters,
)
from tilewright.play.compiling.bytecode.types import INT, LIST, NOTHING, ZERO
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


@enters(VALUES, f.Missing)
def _missing(w: Writer, node: f.Missing, hint: Slot | None) -> Value:
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


@enters(VALUES, f.Memory)
def _memory(w: Writer, node: f.Memory, hint: Slot | None) -> Value:
    type_ = w.knowledge.memory[node.slot]
    found = w.target(type_, hint)
    if type_.is_list:
        w.emit("MLDL", found, c=type_.parts, k=node.slot)
    elif len(type_.words) > 1:
        w.emit("MLDN", found, c=len(type_.words), k=node.slot)
    else:
        w.emit("MLD", found, k=node.slot)
    return Value(type_, found)


@enters(VALUES, f.Table)
def _table(w: Writer, node: f.Table, hint: Slot | None) -> Value:
    at = w.register(node.index)
    found = w.target(INT, hint)
    values = tuple(NONE_NUMBER if each is None else each for each in node.values)
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
    found = w.target(types.PLACEMENT, hint)
    w.load(found, ORIGIN)
    w.load(found + 1, 0)
    return Value(types.PLACEMENT, found)


@enters(VALUES_OF, op.PART_OF_ROW)
def _part(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    whole, number = node.arguments
    return Value(INT, w.value(whole).at + constant_of(number))


@enters(VALUES_OF, op.ELEMENT)
def _element(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    """An element of a list."""
    members, index = node.arguments
    whole = w.value(members)
    if not whole.type.is_list or whole.type == types.MASK:
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


@enters(VALUES, f.Best)
def _best(w: Writer, node: f.Best, hint: Slot | None) -> Value:
    found = w.registers((0,))
    slot = Slot(INT, found)
    is_sure = False
    w.emit("LDC", found).values = (MISSING_NUMBER,)
    for call in node.calls:
        is_sure = _better(w, call, slot, node.which.upper(), is_sure)
    if not is_sure:
        after, missing = w.label(), w.registers((0,))
        w.emit("ISMISS", missing, found)
        w.emit("JF", missing, to=after)
        w.into(node.otherwise, slot)
        w.place(after)
    return Value(INT, found)
