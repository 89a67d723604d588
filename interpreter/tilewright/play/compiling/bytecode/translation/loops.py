"""Loops over sets: which members they go over, and the lists and sums that are made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.assembler import Value
from tilewright.play.compiling.bytecode.translation.filters import filtered, with_own_values
from tilewright.play.compiling.bytecode.translation.names import Slot
from tilewright.play.compiling.bytecode.translation.writer import VALUES, Writer, enters
from tilewright.play.compiling.bytecode.types import EMPTY, INT, LIST, T, list_of


def loop(w: Writer, loops: Sequence[f.Members], inner: Callable[[], None]) -> None:
    """Run code for each combination of the members of loops."""
    first, *rest = loops
    next_ = w.label()

    def body(tests: Sequence[f.Expr]) -> None:
        for test in tests:
            w.jump_if(test, False, next_)
        if rest:
            loop(w, rest, inner)
        else:
            inner()

    before = dict(w.bound)
    mark = w.mark()
    _members(w, first, body, next_)
    w.release(mark)
    w.bound = before


def _only_member(members: f.Members) -> f.Expr | None:
    """The member of a set that is known to have one."""
    if members.is_once:
        return members.source
    match members.source:
        case f.ListOf([once]):
            return once
    return None


def _members(
    w: Writer, members: f.Members, body: Callable[[Sequence[f.Expr]], None], next_: int
) -> None:
    """Run code for each member of a set; it goes on at the label `next_`."""
    names, tests = members.names, members.tests
    once = _only_member(members)
    if once is not None:
        value = w.value(once)
        bind(w, names, value.type, w.at(value))
        body(tests)
        w.place(next_)
        return
    match w.expanded(members.source):
        case f.Loop("list", element, inner):
            _nested(w, names, element, inner, lambda: body(tests), next_)
        case f.Prim(op.REVERSED, [listed]):
            _backwards(w, names, w.list_value(listed), lambda: body(tests), next_)
        case source:
            whole, rest = filtered(w, w.list_value(source), names, tests)
            whole = with_own_values(w, whole, names, rest)
            _forwards(w, names, whole, lambda: body(rest), next_)


def bind(w: Writer, names: Sequence[str], type_: T, at: int) -> None:
    """Let the names of a member mean registers."""
    if len(names) == 1:
        w.bound[names[0]] = Slot(type_, at)
        w.missable.discard(names[0])
        return
    for i, name in enumerate(names):
        w.bound[name] = Slot(INT, at + i)


def _forwards(
    w: Writer, names: Sequence[str], members: Value, body: Callable[[], None], next_: int
) -> None:
    one = members.type.member
    cursor, each = w.registers((0,)), w.registers(one.words)
    parts = len(one.words)
    begin, after = w.label(), w.label()
    w.emit("FOREACH", cursor, members.at, each, parts, after)
    w.place(begin)
    bind(w, names, one, each)
    body()
    w.place(next_)
    w.emit("NEXT", cursor, members.at, each, parts, begin)
    w.place(after)


def _backwards(
    w: Writer, names: Sequence[str], members: Value, body: Callable[[], None], next_: int
) -> None:
    one = members.type.member
    index, each = w.registers((0,)), w.registers(one.words)
    after = w.label()
    w.emit("LLEN", index, members.at)
    w.place(next_)
    w.emit("JF", index, to=after)
    w.emit("ADDI", index, index, k=-1)
    w.emit("LGET", each, members.at, index, len(one.words))
    bind(w, names, one, each)
    body()
    w.emit("JMP", to=next_)
    w.place(after)


def _nested(
    w: Writer,
    names: Sequence[str],
    element: f.Expr,
    inner: Sequence[f.Members],
    body: Callable[[], None],
    next_: int,
) -> None:
    """A loop over the members that another loop makes needs no list."""

    def each() -> None:
        value = w.value(element)
        outer = w.bound
        w.bound = dict(outer)
        bind(w, names, value.type, w.at(value))
        body()
        w.place(next_)
        w.bound = outer

    loop(w, inner, each)


# ------------------------------------------------------------------ results of loops


@enters(VALUES, f.Loop)
def _loop(w: Writer, node: f.Loop, hint: Slot | None) -> Value:
    match node.result:
        case "any" | "all":
            return w.truth(node, hint)
        case "sum":
            return _summed(w, node)
        case "count":
            return counted(w, node)
    return _listed(w, node, hint)


def _summed(w: Writer, node: f.Loop) -> Value:
    total = w.registers((0,))
    w.load(total, 0)
    loop(w, node.loops, lambda: add_to(w, total, node.value))
    return Value(INT, total)


def add_to(w: Writer, total: int, node: f.Expr) -> None:
    """Add a number to a register; parts that are 0 are skipped."""
    mark = w.mark()
    match node:
        case f.Prim(op.ADD, [left, right]):
            add_to(w, total, left)
            add_to(w, total, right)
        case f.Either(test, then, f.Const(0)):
            after = w.label()
            w.jump_if(test, False, after)
            add_to(w, total, then)
            w.place(after)
        case _:
            value = w.value(node)
            if value.constant is None:
                w.emit("ADD", total, total, value.at)
            elif value.constant:
                w.emit("ADDI", total, total, k=value.constant)
    w.release(mark)


def counted(w: Writer, node: f.Loop) -> Value:
    """The number of members of a loop."""
    total = w.registers((0,))
    w.load(total, 0)
    loop(w, node.loops, lambda: (w.emit("ADDI", total, total, k=1), None)[1])
    return Value(INT, total)


def _listed(w: Writer, node: f.Loop, hint: Slot | None) -> Value:
    """The list of a loop."""
    match node.value, node.loops:
        case f.Var(name), [f.Members((other,)) as only] if name == other and _is_one_set(w, only):
            members, rest = filtered(w, w.list_value(only.source), only.names, only.tests)
            if not rest:
                return members
            members = with_own_values(w, members, only.names, rest)
            return _new_list(
                w, node, hint, lambda append: _forwards_if(w, only.names, members, rest, append)
            )
    return _new_list(w, node, hint, lambda append: loop(w, node.loops, append))


def _is_one_set(w: Writer, members: f.Members) -> bool:
    """Whether the members of a loop are those of one list, in its order."""
    match w.expanded(members.source):
        case f.Loop("list") | f.Prim(op.REVERSED):
            return False
    return _only_member(members) is None


def _forwards_if(
    w: Writer,
    names: Sequence[str],
    members: Value,
    tests: Sequence[f.Expr],
    inner: Callable[[], None],
) -> None:
    """Run code for each member of a list that passes the tests."""
    next_ = w.label()

    def body() -> None:
        for test in tests:
            w.jump_if(test, False, next_)
        inner()

    before = dict(w.bound)
    mark = w.mark()
    _forwards(w, names, members, body, next_)
    w.release(mark)
    w.bound = before


def _new_list(
    w: Writer, node: f.Loop, hint: Slot | None, fill: Callable[[Callable[[], None]], None]
) -> Value:
    """A new list of the elements for which `fill` runs the code."""
    type_ = w.assumed(node, LIST)
    found = w.target(type_, hint)
    w.emit("LNEW", found)

    def append() -> None:
        mark = w.mark()
        value = _member(w, node.value)
        w.tell(node, list_of(value.type), type_)
        w.emit("LAPP", found, w.at(value), len(value.type.words))
        w.release(mark)

    fill(append)
    return Value(type_, found)


def _member(w: Writer, node: f.Expr) -> Value:
    return row(w, node) if isinstance(node, f.Row) else w.value(node)


@enters(VALUES, f.Row)
def _row(w: Writer, node: f.Row, hint: Slot | None) -> Value:
    return row(w, node)


def row(w: Writer, node: f.Row) -> Value:
    """Several values in registers in a row."""
    types = [w.assumed(each, INT) for each in node.values]
    found = w.registers([word for type_ in types for word in type_.words])
    at = found
    for each, type_ in zip(node.values, types, strict=True):
        value = w.value(each, Slot(type_, at))
        is_tuple = value.type.kind == "tuple"
        w.tell(each, T("tuple", value.type.parts) if is_tuple else INT, type_)
        if not w.facts.changed:
            w.move(Slot(type_, at), value)
        at += len(type_.words)
    return Value(T("tuple", at - found), found)


def is_ascending(node: f.Expr) -> bool:
    """Whether the members that a loop lists are those of a mask, in their order."""
    match node:
        case f.Loop("list", f.Var(name), [*lets, f.Members((target,), source)]):
            while isinstance(source, f.Metered) and not source.is_long:
                source = source.members
            is_bits = isinstance(source, f.Prim) and source.operation == op.BITS
            return name == target and is_bits and all(map(_only_member, lets))
    return False


@enters(VALUES, f.ListOf)
def _list_of(w: Writer, node: f.ListOf, hint: Slot | None) -> Value:
    """A list with these members."""
    if not node.members:
        found = w.target(EMPTY, hint)
        w.emit("LNEW", found)
        return Value(EMPTY, found)
    type_ = w.assumed(node, LIST)
    found = w.registers(type_.words)
    constants = [each.value for each in node.members if isinstance(each, f.Const)]
    if len(constants) == len(node.members) and all(type(each) is int for each in constants):
        w.emit("LCONST", found).values = tuple(constants)  # type: ignore[arg-type]
        return Value(LIST, found)
    w.emit("LNEW", found)
    for each in node.members:
        mark = w.mark()
        value = w.value(each)
        w.tell(node, list_of(value.type), type_)
        w.emit("LAPP", found, w.at(value), len(value.type.words))
        w.release(mark)
    return Value(type_, found)
