"""Loops that are statements: over the members of a set, or so many times."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tilewright.compiling.bytecode.assembler import Value
from tilewright.compiling.bytecode.facts import Facts, Knowledge
from tilewright.compiling.bytecode.translation.conditions import path_of
from tilewright.compiling.bytecode.translation.decisions import Decisions
from tilewright.compiling.bytecode.translation.names import Slot
from tilewright.compiling.bytecode.types import INT, LIST, NotCarried, T

#: parts of a match that never change
_FIXED = frozenset(("m.of_trait", "m.board.tile_shape"))


class ForLoops(Decisions):
    """Translates `for` statements."""

    def __init__(
        self, knowledge: Knowledge, facts: Facts, translate: Callable[[str], Facts]
    ) -> None:
        super().__init__(knowledge, facts, translate)
        #: of each loop around: the label after it, and the names that hold where it is left
        self.exits: list[tuple[int, list[dict[str, Slot]]]] = []

    def run(self, statements: list[ast.stmt]) -> None:
        """Translate statements."""
        raise NotImplementedError

    def for_loop(self, target: ast.expr, source: ast.expr, body: list[ast.stmt]) -> None:
        begin, after = self.label(), self.label()
        times = self.times(source)
        cursor = self.registers((0,))
        if times is not None:
            limit = self.at(times)
            self.emit("FORTO", cursor, limit, to=after)
        else:
            members = self.list_value(source)
            members, body = self._filtered_body(members, target, body)
            if self._whole(members, target, body):
                return
            one = members.type.member
            if isinstance(source, ast.Name) and _assigns(body, source.id):
                at = self.registers(members.type.words)
                self.move(Slot(members.type, at), members)
                members = Value(members.type, at)
            slot = self._loop_names(target, one)
            self.emit("FOREACH", cursor, members.at, slot.at, len(one.words), after)
        self.place(begin)
        before = self.state()
        exits: list[dict[str, Slot]] = [before]
        self.exits.append((after, exits))
        self.run(body)
        self.exits.pop()
        if self.alive:
            self._round(before)
            exits.append(self.state())
            if times is not None:
                self.emit("NEXTTO", cursor, limit, to=begin)
            else:
                self.emit("NEXT", cursor, members.at, slot.at, len(one.words), begin)
        self.alive = True
        self.place(after)
        self.merge(exits)

    def _filtered_body(
        self, members: Value, target: ast.expr, body: list[ast.stmt]
    ) -> tuple[Value, list[ast.stmt]]:
        """The members that pass the first tests of the only statement, and what is left of it."""
        match body:
            case [ast.If(test, then, [])]:
                if not (_only_adds(then) or _is_steady(test, then)):
                    return members, body
                members, rest = self.filtered(members, target, [test])
                for part in reversed(rest):
                    then = [ast.If(part, then, [])]
                return members, then
        return members, body

    def _whole(self, members: Value, target: ast.expr, body: list[ast.stmt]) -> bool:
        """A loop that only adds every member to the options, or to a list."""
        match target, body:
            case (
                ast.Name(name),
                [
                    ast.Expr(
                        ast.Call(ast.Attribute(ast.Name("options"), "append"), [ast.Tuple(row)])
                    )
                ],
            ):
                match row:
                    case [ast.Constant(int(action)), ast.Name(last)] if (
                        last == name and (members.type.parts or 1) == 1
                    ):
                        self.facts.options.setdefault(action, [INT])
                        first = self.registers((0,))
                        self.load(first, action)
                        self.emit("OFFERLIST", first, 1, members.at)
                        return True
            case (
                ast.Tuple([ast.Name(name), *_]),
                [ast.Expr(ast.Call(ast.Attribute(ast.Name(made), "append"), [ast.Name(last)]))],
            ) if last == name and made in self.bound:
                self.emit("ROWS_FIRST", self.slot(made, LIST).at, members.at)
                return True
        return False

    def _round(self, before: dict[str, Slot]) -> None:
        """The next round must find its names where the first one found them."""
        for name, slot in before.items():
            now = self.bound.get(name)
            if now is None or now.at != slot.at:
                raise NotCarried(f"`{name}` holds values of different types in a loop")

    def _loop_names(self, target: ast.expr, one: T) -> Slot:
        match target:
            case ast.Name(name):
                slot = self.slot(name, one)
                self.bound[name] = slot
                return slot
            case ast.Tuple(names):
                at = self.registers(one.words)
                for i, each in enumerate(names):
                    assert isinstance(each, ast.Name)
                    self.bound[each.id] = Slot(INT, at + i)
                return Slot(one, at)
        raise self.refuse(target)


def _assigns(body: list[ast.stmt], name: str) -> bool:
    """Whether statements assign a name."""
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for statement in body
        for node in ast.walk(statement)
    )


def _only_adds(body: list[ast.stmt]) -> bool:
    """Whether statements only add to lists, so that they change nothing of the match."""
    for statement in body:
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(), "append"))):
                pass
            case ast.AugAssign(ast.Name("options"), ast.Add()):
                pass
            case ast.If(_, then, other) if _only_adds(then) and _only_adds(other):
                pass
            case ast.For(_, _, inner) if _only_adds(inner):
                pass
            case _:
                return False
    return True


def _is_steady(test: ast.expr, body: list[ast.stmt]) -> bool:
    """Whether a test reads nothing that the body of its loop can change."""
    read = {path_of(each) for each in ast.walk(test) if isinstance(each, ast.Attribute)}
    read.discard("m.board")  # the beginning of a path, which is read itself
    calls = any(isinstance(each, ast.Call) for each in ast.walk(test))
    names = {each.id for each in ast.walk(test) if isinstance(each, ast.Name)}
    return read <= _FIXED and not calls and not any(_assigns(body, name) for name in names)
