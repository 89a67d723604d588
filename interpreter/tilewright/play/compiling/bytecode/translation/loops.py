"""Loops over sets: their members, the lists and sums that are made of them, tests of all at once.

A loop whose first tests have one of the forms here goes over the members that pass. These tests
neither fail nor change anything, so it makes no difference when they run.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.instructions import (
    EMPTY,
    FEATURE_COMPLETE,
    FEATURE_OF_KIND,
    FEATURE_WITH_FIGURE,
    FEATURE_WITH_SOME,
    INT,
    LIST,
    SEGMENT_WITH_SYMBOL,
    TILE_WITH_SYMBOL,
    T,
    Value,
    list_of,
)
from tilewright.play.compiling.bytecode.translation.writer import VALUES, Slot, Writer, enters


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
            while isinstance(source, f.Prim) and source.operation == op.METERED:
                source = source.arguments[0]
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


_ROWS = T("list", 3)
#: the bit of an instruction for rows that keeps those of features without figures
_FREE = 1 << 16
_TILE_OF_SEGMENT = p.ATTRIBUTE["segment", "tile"].form("")
_COMPLETE = p.ATTRIBUTE["feature", "complete"].form("")
_KIND_OF_FEATURE = p.FEATURE_KIND.form("")
_KIND_OF_SEGMENT = (p.SEGMENT_KIND.form(""), p.SEGMENT_KIND.form("recast"))
_ROLES_OF_KIND = p.HAS_ROLE.form("figure kind")
_OCCUPIED, _FIGURES = p.FEATURE_OCCUPIED.form(""), p.FEATURE_FIGURES.form("")
_TILE_HAS = p.RELATION["has", "tile", "symbol"].form("")
#: tests of PASSING, each of a thing and a number
_PLAIN_TESTS = {
    _TILE_HAS: TILE_WITH_SYMBOL,
    p.RELATION["has", "segment", "symbol"].form(""): SEGMENT_WITH_SYMBOL,
    p.RELATION["is", "feature", "feature kind"].form(""): FEATURE_OF_KIND,
}
#: those that look for any symbol of a mask
_OF_SYMBOLS = (TILE_WITH_SYMBOL, SEGMENT_WITH_SYMBOL)
_FIGURE_HAS = p.RELATION["has", "figure", "trait"].form("")
_IS_OF_KIND = p.RELATION["is", "segment", "feature kind"].form("")
_OF_PLAYER = p.RELATION["of", "figure", "player"].form("")
_OF_TRAIT = p.RELATION["of", "figure", "trait"].form("")
_OF_KIND = p.RELATION["of", "figure", "figure kind"].form("")

Names = Sequence[str]


def filtered(
    w: Writer, members: Value, names: Names, tests: Sequence[f.Expr]
) -> tuple[Value, list[f.Expr]]:
    """The members that pass the first tests, and the tests that are left for the loop."""
    rest = _tiles_first(names, [part for test in tests for part in parts_of(test)])
    while rest:
        passing = _passing(w, members, names, rest[0])
        if passing is None:
            break
        members = passing
        rest.pop(0)
    return members, rest


def with_own_values(w: Writer, members: Value, names: Names, tests: Sequence[f.Expr]) -> Value:
    """The members without those whose start values in memory fail the first of the tests."""
    if len(names) > 1 or (members.type.parts or 1) != 1 or not tests:
        return members
    first = parts_of(tests[0])[0]
    slot = fails_at_start(first, names[0], w.knowledge.program.kept_start)
    if slot is None:
        return members
    found = w.registers((1,))
    w.emit("KEPT_IN", found, members.at, k=slot)
    return Value(members.type, found)


def parts_of(test: f.Expr) -> list[f.Expr]:
    """The parts of a conjunction, in their order."""
    match test:
        case f.Logic(True, values):
            return [part for value in values for part in parts_of(value)]
        case f.Not(f.Not(inner)):
            return parts_of(inner)
    return [test]


def _turned(test: f.Expr) -> tuple[f.Expr, bool]:
    """A test without a `not` before it, and whether it has to hold."""
    return (test.value, False) if isinstance(test, f.Not) else (test, True)


def _passing(w: Writer, members: Value, names: Names, test: f.Expr) -> Value | None:
    if len(names) == 3:
        segment, feature, kind = names
        return _on_tiles(w, members, segment, test) or _of_rows(w, members, feature, kind, test)
    if len(names) == 1 and (members.type.parts or 1) == 1:
        return _of_numbers(w, members, names[0], test)
    return None


def _on_tiles(w: Writer, members: Value, segment: str, test: f.Expr) -> Value | None:
    """Whether the tile of a segment is in a set."""
    plain, is_on = _turned(test)
    tiles = _tiles_of(plain, segment)
    if tiles is None:
        return None
    found = w.registers(members.type.words)
    parts = members.type.parts or 1
    at = w.list_value(tiles).at
    w.emit("ON_TILES", found, members.at, at, parts << 1 | (not is_on))
    return Value(members.type, found)


def _of_numbers(w: Writer, members: Value, name: str, test: f.Expr) -> Value | None:
    """Tests of a list of numbers: of one fact, other than a number, of another tile, with a trait.

    Segments also: of a kind, on a tile of a set, on a tile without a symbol, in a role.
    """
    found = _on_tiles(w, members, name, test) or _of_symbols(w, members, name, test)
    if found is not None:
        return found
    plain = _plain_test(test, name)
    if plain is not None:
        found = Value(T(members.type.kind, 1) if members.type.parts else LIST, w.registers((1,)))
        w.emit("PASSING", found.at, members.at, *plain)
        return found
    match _turned(test):
        case f.Prim(operation, [f.Var(id_), f.Const() as kind]), True if (
            id_ == name and operation == _IS_OF_KIND
        ):
            return _made(w, "SEGS_KIND", members, w.register(kind))
        case f.Prim(operation, [f.Var(id_), trait]), True if (
            id_ == name and operation == _FIGURE_HAS and not calls(trait)
        ):
            return _made(w, "KEEP_TRAIT", members, w.register(trait))
        case f.Compare("=", f.Prim(operation, [f.Var(id_)]), f.Const() as kind), True if (
            id_ == name and operation == _KIND_OF_SEGMENT[1]
        ):
            return _made(w, "SEGS_KIND", members, w.register(kind))
        case f.Compare("!=" | "=" as sign, left, right), holds if (sign == "!=") is holds:
            for each, other in ((left, right), (right, left)):
                if name in f.read_names(other) or calls(other):
                    continue
                match each:
                    case f.Var(id_) if id_ == name:
                        return _made(w, "SDEL", members, w.register(other))
                    case f.Prim(operation, [f.Var(id_)]) if (
                        id_ == name and operation == _TILE_OF_SEGMENT
                    ):
                        return _made(w, "SEGS_OFF", members, w.register(other))
    return None


def _of_symbols(w: Writer, members: Value, name: str, test: f.Expr) -> Value | None:
    """Segments on a tile without a symbol, or not on one of some tiles with it; in a role."""
    match test:
        case f.Not(f.Prim() as inner):
            mask = _symbols_of(inner, name)
            if mask is not None:
                return _without(w, members, members.at, mask)
        case f.Not(f.Logic(True, [left, right])):
            mask, tiles = _symbols_of(left, name), _tiles_of(right, name)
            if mask is not None and tiles is not None:
                return _without(w, members, w.list_value(tiles).at, -1 - mask)
        case f.Prim(op.IN_ROLES, [f.Var(roles), kind]) if roles in w.roles and _is_kind_of(
            kind, name
        ):
            return _made(w, "SEGS_ROLE", members, w.register(w.roles[roles]))
    return None


def _without(w: Writer, members: Value, tiles: int, mask: int) -> Value:
    found = w.registers((1,))
    w.emit("SEGS_WITHOUT", found, members.at, tiles, mask)
    return Value(LIST, found)


def _of_rows(w: Writer, members: Value, feature: str, kind: str, test: f.Expr) -> Value | None:
    """Tests of rows (segment, feature, kind): a role there, nobody there."""
    if (k := _row_test(test, feature, kind)) is not None:
        return _rows(w, "ROWS", members, k=k)
    match test:
        case f.Prim(of_trait, [f.Prim(of_player, [figures, player]), f.Const(int(trait))]) if (
            of_trait == _OF_TRAIT and of_player == _OF_PLAYER and _is_figures_of(figures, feature)
        ):
            return _rows(w, "ROWS_OWN", members, w.register(player), -1 - trait)
    return None


def _rows(w: Writer, name: str, members: Value, c: int = 0, k: int = 0) -> Value:
    found = w.registers(_ROWS.words)
    w.emit(name, found, members.at, c, k)
    return Value(_ROWS, found)


def _made(w: Writer, name: str, members: Value, at: int) -> Value:
    found = w.registers((1,))
    w.emit(name, found, members.at, at)
    return Value(T(members.type.kind, 1) if members.type.parts else LIST, found)


# ------------------------------------------------------------------ forms of tests


def _tiles_first(names: Names, tests: list[f.Expr]) -> list[f.Expr]:
    """The tests of rows with those of tiles first: these leave few rows to look at."""
    if len(names) == 3:
        segment, feature, kind = names
        many = 0
        while many < len(tests) and _row_test(tests[many], feature, kind) is not None:
            many += 1
        if many < len(tests) and _tiles_of(tests[many], segment) is not None:
            return [tests[many], *tests[:many], *tests[many + 1 :]]
    return tests


def _row_test(test: f.Expr, feature: str, kind: str) -> int | None:
    """The number of a test of rows by `ROWS`: a role there, or nobody there."""
    match test:
        case f.Prim(op.IN_ROLES, [f.Prim(roles, [f.Const(int(figure_kind))]), f.Var(id_)]) if (
            id_ == kind and roles == _ROLES_OF_KIND
        ):
            return 1 + figure_kind
        case f.Not(f.Prim(operation, [f.Var(id_)])) if id_ == feature and operation == _OCCUPIED:
            return _FREE
    return None


def _tiles_of(node: f.Expr, name: str) -> f.Expr | None:
    """The tiles, under a name or in memory, that have to include the tile of a segment."""
    match node:
        case f.Prim(
            op.IN_MASK, [f.Prim(tile, [f.Var(id_)]), f.Var() | f.Prim(op.MEMORY) as tiles]
        ) if id_ == name and tile == _TILE_OF_SEGMENT:
            return None if isinstance(tiles, f.Var) and tiles.name == name else tiles
    return None


def _symbols_of(node: f.Expr, name: str) -> int | None:
    """The mask of symbols; the tile of a segment has to have one of them."""
    match node:
        case f.Prim(has, [f.Prim(tile, [f.Var(id_)]), f.Const(int(mask))]) if (
            id_ == name and has == _TILE_HAS and tile == _TILE_OF_SEGMENT and mask < 1 << 31
        ):
            return mask
    return None


def _plain_test(node: f.Expr, name: str) -> tuple[int, int] | None:
    """The number of a test of `PASSING`, and the symbols, kind or figures that it looks for."""
    match node:
        case f.Prim(operation, [f.Var(id_), f.Const(int(number))]) if (
            id_ == name and operation in _PLAIN_TESTS and number < 1 << 31
        ):
            return _PLAIN_TESTS[operation], number
        case f.Compare("=", f.Prim(operation, [f.Var(id_)]), f.Const(int(number))) if (
            id_ == name and operation == _KIND_OF_FEATURE
        ):
            return FEATURE_OF_KIND, number
        case f.Prim(operation, [f.Var(id_)]) if id_ == name and operation == _COMPLETE:
            return FEATURE_COMPLETE, 1
        case f.Not(f.Prim(operation, [f.Var(id_)])) if id_ == name and operation == _COMPLETE:
            return FEATURE_COMPLETE, 0
        case f.Logic(False, [*parts]):
            found = [each for part in parts if (each := _plain_test(part, name)) is not None]
            [test, *others] = {test for test, _ in found} or {-1}
            if len(found) == len(parts) and test in _OF_SYMBOLS and not others:
                return test, reduce(operator.or_, (mask for _, mask in found))
        case f.Prim(op.IN_MASK, [f.Const(int(figure)), figures]) if _is_figures_of(figures, name):
            return FEATURE_WITH_FIGURE, figure
        case f.Prim(operation, [figures, f.Const(int(number))]) if _is_figures_of(figures, name):
            some = {_OF_KIND: 1 + number, _OF_TRAIT: -1 - number}.get(operation)
            return None if some is None else (FEATURE_WITH_SOME, some)
    return None


def _is_kind_of(node: f.Expr, name: str) -> bool:
    """Whether this is the kind of the segment with a name."""
    match node:
        case f.Prim(operation, [f.Var(id_)]):
            return id_ == name and operation in _KIND_OF_SEGMENT
    return False


def _is_figures_of(node: f.Expr, feature: str) -> bool:
    """Whether these are the figures on the feature with a name."""
    match node:
        case f.Prim(operation, [f.Var(id_)]):
            return id_ == feature and operation == _FIGURES
    return False


def calls(node: f.Expr) -> bool:
    """Whether finding a value may count steps, which then must be counted for each member."""
    return any(
        isinstance(each, f.Call | f.Let)
        or (isinstance(each, f.Loop) and each.result != "list")
        or (isinstance(each, f.Prim) and each.operation.calls)
        for each in f.walk(node)
    )


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
        return None if _value_at_start(test, name, starts[slot]) else slot
    except _UnknownError:
        return None


def _slot_of(node: f.Node, name: str) -> int | None:
    """The slot of a memory of things that do not join, where this is what it keeps for the name."""
    match node:
        case f.Prim(op.KEPT, [f.Var(thing), f.Const(0), f.Const(int(slot))]) if thing == name:
            return slot
    return None


def _value_at_start(node: f.Expr, name: str, start: object) -> object:
    """The value of a test when memory has the start value. Raises _UnknownError."""
    if _slot_of(node, name) is not None:
        return start
    match node:
        case f.Const(value):
            return value
        case f.Not(inner):
            return not _value_at_start(inner, name, start)
        case f.Prim(op.ROOT_IF_ANY, [feature]):
            if _value_at_start(feature, name, start) is None:
                return None
        case f.IsNothing(value, is_not):
            return (_value_at_start(value, name, start) is None) is not is_not
        case f.Compare(sign, left, right):
            values = _value_at_start(left, name, start), _value_at_start(right, name, start)
            if None not in values:
                return _SIGNS[sign](*values)
    raise _UnknownError
