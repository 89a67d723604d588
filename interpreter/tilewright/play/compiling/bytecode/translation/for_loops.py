"""Loops that are statements: over the members of a set, or so many times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.assembler import Value
from tilewright.play.compiling.bytecode.translation.conditions import constant_of
from tilewright.play.compiling.bytecode.translation.filters import filtered
from tilewright.play.compiling.bytecode.translation.names import Slot
from tilewright.play.compiling.bytecode.translation.sets import times
from tilewright.play.compiling.bytecode.translation.writer import STATEMENTS, Writer, enters
from tilewright.play.compiling.bytecode.types import INT, LIST, NotCarried, T

#: operations that give the same as long as no name changes: they read the tables of the game alone
_STEADY = frozenset((
    op.ADD, op.SUBTRACT, op.MULTIPLY, op.NEGATIVE, op.IN_MASK, op.IN_LIST, op.IN_ROLES, op.ELEMENT,
    op.ORIGIN,
    p.HAS_ROLE.form("figure kind"),
    p.ATTRIBUTE["segment", "tile"].form(""),
    *(p.ATTRIBUTE["print", name].form("") for name in ("cell", "sides")),
    *(row.form("") for row in p.ATTRIBUTES if row.owner in ("direction", "heading")),
    *(p.RELATION["has", thing, "symbol"].form("") for thing in ("tile", "piece", "print")),
    p.RELATION["has", "figure", "trait"].form(""),
    p.RELATION["has", "token", "trait"].form(""),
    p.RELATION["is", "print", "feature kind"].form(""),
    *(p.GLOBAL[name].form("") for name in ("directions", "headings", "tokens")),
    p.ATTRIBUTE["piece", "kinds"].form(""),
    *(p.ATTRIBUTE["segment", name].form("") for name in ("kind", "sides", "corners")),
))  # fmt: skip


@enters(STATEMENTS, f.For)
def _for(w: Writer, node: f.For) -> None:
    names, source, body = node.names, node.source, node.body
    begin, after = w.label(), w.label()
    rounds = times(w, source)
    cursor = w.registers((0,))
    if rounds is not None:
        limit = w.at(rounds)
        w.emit("FORTO", cursor, limit, to=after)
    else:
        members = w.list_value(source)
        members, body = _filtered_body(w, members, names, body)
        if _whole(w, members, names, body):
            return
        one = members.type.member
        if isinstance(source, f.Var) and _sets(body, source.name):
            at = w.registers(members.type.words)
            w.move(Slot(members.type, at), members)
            members = Value(members.type, at)
        slot = _loop_names(w, names, one)
        w.emit("FOREACH", cursor, members.at, slot.at, len(one.words), after)
    w.place(begin)
    before = w.state()
    exits: list[dict[str, Slot]] = [before]
    w.exits.append((after, exits))
    w.run(body)
    w.exits.pop()
    if w.alive:
        _check_round(w, before)
        exits.append(w.state())
        if rounds is not None:
            w.emit("NEXTTO", cursor, limit, to=begin)
        else:
            w.emit("NEXT", cursor, members.at, slot.at, len(one.words), begin)
    w.alive = True
    w.place(after)
    w.merge(exits)


@enters(STATEMENTS, f.Break)
def _break(w: Writer, node: f.Break) -> None:
    label, states = w.exits[-1]
    states.append(w.state())
    w.emit("JMP", to=label)
    w.alive = False


def _filtered_body(
    w: Writer, members: Value, names: Sequence[str], body: Sequence[f.Stmt]
) -> tuple[Value, Sequence[f.Stmt]]:
    """The members that pass the first tests of the only statement, and what is left of it."""
    match body:
        case [f.If(test, then, []) as only]:
            if not (_only_adds(then) or _is_steady(test, then)):
                return members, body
            members, rest = filtered(w, members, names, [test])
            for part in reversed(rest):
                then = [replace(only, test=part, then=then)]
            return members, then
    return members, body


def _whole(w: Writer, members: Value, names: Sequence[str], body: Sequence[f.Stmt]) -> bool:
    """A loop that only adds every member to the options, or to a list."""
    match body:
        case [f.Append("options", f.Row([action, f.Var(last)]))] if (
            names == (last,) and (members.type.parts or 1) == 1
        ):
            number = constant_of(action)
            w.facts.options.setdefault(number, [INT])
            first = w.registers((0,))
            w.load(first, number)
            w.emit("OFFERLIST", first, 1, members.at)
            return True
        case [f.Append(made, f.Var(last))] if (
            len(names) > 1 and last == names[0] and made in w.bound
        ):
            w.emit("ROWS_FIRST", w.slot(made, LIST).at, members.at)
            return True
    return False


def _check_round(w: Writer, before: dict[str, Slot]) -> None:
    """The next round must find its names where the first one found them."""
    for name, slot in before.items():
        now = w.bound.get(name)
        if now is None or now.at != slot.at:
            raise NotCarried(f"`{name}` holds values of different types in a loop")


def _loop_names(w: Writer, names: Sequence[str], one: T) -> Slot:
    if len(names) == 1:
        slot = w.slot(names[0], one)
        w.bound[names[0]] = slot
        return slot
    at = w.registers(one.words)
    for i, name in enumerate(names):
        w.bound[name] = Slot(INT, at + i)
    return Slot(one, at)


def _sets(body: Sequence[f.Stmt], name: str) -> bool:
    """Whether statements set a name."""
    return any(name in f.set_names(statement) for statement in body)


def _only_adds(body: Sequence[f.Stmt]) -> bool:
    """Whether statements only add to lists, so that they change nothing of the match."""
    for statement in body:
        match statement:
            case f.Append() | f.AppendAll():
                pass
            case f.If(_, then, other) if _only_adds(then) and _only_adds(other):
                pass
            case f.For(_, _, inner) if _only_adds(inner):
                pass
            case _:
                return False
    return True


def _is_steady(test: f.Expr, body: Sequence[f.Stmt]) -> bool:
    """Whether a test reads nothing that the body of its loop can change."""
    for each in f.walk(test):
        match each:
            case f.Prim(operation) if operation in _STEADY:
                pass
            case (
                f.Const() | f.Var() | f.Logic() | f.Not() | f.Compare() | f.IsNothing() | f.Either()
                | f.ListOf() | f.Row()
            ):  # fmt: skip
                pass
            case f.Loop("list") | f.Members():
                pass
            case _:
                return False
    return not any(_sets(body, name) for name in f.read_names(test))
