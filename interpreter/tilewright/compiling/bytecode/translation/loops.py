"""Loops over sets: comprehensions, sums, and the lists that they make."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from tilewright.compiling.bytecode.assembler import Value
from tilewright.compiling.bytecode.translation.conditions import Conditions, name_of_call
from tilewright.compiling.bytecode.translation.names import Slot
from tilewright.compiling.bytecode.types import EMPTY, INT, LIST, T, list_of

#: the code for one member, with the tests that it has to pass
Body = Callable[[Sequence[ast.expr]], None]


class Loops(Conditions):
    """Translates comprehensions."""

    def call_rule(self, name: str, arguments: list[ast.expr], hint: Slot | None = None) -> Value:
        """Call a function of the program."""
        raise NotImplementedError

    def loop(
        self,
        generators: list[ast.comprehension],
        inner: Callable[[], None],
    ) -> None:
        """Run code for each combination of the members of loops."""
        first, *rest = generators
        next_ = self.label()

        def body(tests: Sequence[ast.expr]) -> None:
            for test in tests:
                self.jump_if(test, False, next_)
            if rest:
                self.loop(rest, inner)
            else:
                inner()

        before = dict(self.bound)
        mark = self.mark()
        self._members(first.target, first.iter, first.ifs, body, next_)
        self.release(mark)
        self.bound = before

    def filtered(
        self, members: Value, target: ast.expr, tests: Sequence[ast.expr]
    ) -> tuple[Value, list[ast.expr]]:
        """The members that pass the first tests, and the tests that are left for the loop."""
        raise NotImplementedError

    def with_own_values(self, members: Value, target: ast.expr, tests: Sequence[ast.expr]) -> Value:
        """The members without those whose start values in memory fail the first of the tests."""
        raise NotImplementedError

    def _members(
        self,
        target: ast.expr,
        source: ast.expr,
        tests: list[ast.expr],
        body: Body,
        next_: int,
    ) -> None:
        """Run code for each member of a set; it goes on at the label `next_`."""
        match source:
            case ast.List([once]) if not isinstance(once, ast.Starred):
                value = self.value(once)
                self._bind(target, value.type, self.at(value))
                body(tests)
                self.place(next_)
            case ast.ListComp(element, inner):
                self._nested(target, element, inner, lambda: body(tests), next_)
            case ast.Call(ast.Name("reversed"), [listed]):
                self._backwards(target, self.list_value(listed), lambda: body(tests), next_)
            case _:
                members, rest = self.filtered(self.list_value(source), target, tests)
                members = self.with_own_values(members, target, rest)
                self._forwards(target, members, lambda: body(rest), next_)

    def _bind(self, target: ast.expr, type_: T, at: int) -> None:
        """Let the names of a target mean registers."""
        match target:
            case ast.Name(name):
                self.bound[name] = Slot(type_, at)
                self.missable.discard(name)
            case ast.Tuple(elements):
                for i, each in enumerate(elements):
                    assert isinstance(each, ast.Name)
                    self.bound[each.id] = Slot(INT, at + i)
            case _:
                raise self.refuse(target)

    def _forwards(
        self, target: ast.expr, members: Value, body: Callable[[], None], next_: int
    ) -> None:
        one = members.type.member
        cursor, each = self.registers((0,)), self.registers(one.words)

        def bound() -> None:
            self._bind(target, one, each)
            body()

        self.each(cursor, members, each, bound, next_)

    def each(
        self, cursor: int, members: Value, each: int, body: Callable[[], None], next_: int
    ) -> None:
        """A loop over a list; each element is in the registers from `each` on."""
        parts = len(members.type.member.words)
        begin, after = self.label(), self.label()
        self.emit("FOREACH", cursor, members.at, each, parts, after)
        self.place(begin)
        body()
        self.place(next_)
        self.emit("NEXT", cursor, members.at, each, parts, begin)
        self.place(after)

    def _backwards(
        self, target: ast.expr, members: Value, body: Callable[[], None], next_: int
    ) -> None:
        one = members.type.member
        index, each = self.registers((0,)), self.registers(one.words)
        after = self.label()
        self.emit("LLEN", index, members.at)
        self.place(next_)
        self.emit("JF", index, to=after)
        self.emit("ADDI", index, index, k=-1)
        self.emit("LGET", each, members.at, index, len(one.words))
        self._bind(target, one, each)
        body()
        self.emit("JMP", to=next_)
        self.place(after)

    def _nested(
        self,
        target: ast.expr,
        element: ast.expr,
        inner: list[ast.comprehension],
        body: Callable[[], None],
        next_: int,
    ) -> None:
        """A loop over the members of a comprehension needs no list."""

        def each() -> None:
            value = self.value(element)
            outer = self.bound
            self.bound = dict(outer)
            self._bind(target, value.type, self.at(value))
            body()
            self.place(next_)
            self.bound = outer

        self.loop(inner, each)

    # -------------------------------------------------------------- results of loops

    def summed(self, node: ast.ListComp) -> Value:
        """The sum of the numbers of a comprehension."""
        total = self.registers((0,))
        self.load(total, 0)
        self.loop(node.generators, lambda: self.add_to(total, node.elt))
        return Value(INT, total)

    def add_to(self, total: int, node: ast.expr) -> None:
        """Add a number to a register; parts that are 0 are skipped."""
        mark = self.mark()
        match node:
            case ast.BinOp(left, ast.Add(), right):
                self.add_to(total, left)
                self.add_to(total, right)
            case ast.IfExp(test, then, ast.Constant(0)):
                after = self.label()
                self.jump_if(test, False, after)
                self.add_to(total, then)
                self.place(after)
            case _:
                value = self.value(node)
                if value.constant is None:
                    self.emit("ADD", total, total, value.at)
                elif value.constant:
                    self.emit("ADDI", total, total, k=value.constant)
        self.release(mark)

    def counted(self, node: ast.ListComp) -> Value:
        """The number of members of a comprehension."""
        total = self.registers((0,))
        self.load(total, 0)
        self.loop(node.generators, lambda: (self.emit("ADDI", total, total, k=1), None)[1])
        return Value(INT, total)

    def listed(self, node: ast.ListComp, hint: Slot | None) -> Value:
        """The list of a comprehension."""
        match node:
            case ast.ListComp(
                ast.Name(one), [ast.comprehension(ast.Name(other) as target, source, tests)]
            ) if one == other and _is_one_set(source):
                members, rest = self.filtered(self.list_value(source), target, tests)
                if not rest:
                    return members
                members = self.with_own_values(members, target, rest)
                return self._new_list(
                    node, hint, lambda append: self._forwards_if(target, members, rest, append)
                )
        return self._new_list(node, hint, lambda append: self.loop(node.generators, append))

    def _forwards_if(
        self,
        target: ast.expr,
        members: Value,
        tests: Sequence[ast.expr],
        inner: Callable[[], None],
    ) -> None:
        """Run code for each member of a list that passes the tests."""
        next_ = self.label()

        def body() -> None:
            for test in tests:
                self.jump_if(test, False, next_)
            inner()

        before = dict(self.bound)
        mark = self.mark()
        self._forwards(target, members, body, next_)
        self.release(mark)
        self.bound = before

    def _new_list(
        self, node: ast.ListComp, hint: Slot | None, fill: Callable[[Callable[[], None]], None]
    ) -> Value:
        """A new list of the elements for which `fill` runs the code."""
        type_ = self.assumed(node, LIST)
        found = self.target(type_, hint)
        self.emit("LNEW", found)

        def append() -> None:
            mark = self.mark()
            value = self.row(node.elt)
            self.tell(node, list_of(value.type), type_)
            self.emit("LAPP", found, self.at(value), len(value.type.words))
            self.release(mark)

        fill(append)
        return Value(type_, found)

    def row(self, node: ast.expr) -> Value:
        """The value of a member of a list, in registers in a row."""
        if not isinstance(node, ast.Tuple):
            return self.value(node)
        types = [self.assumed(each, INT) for each in node.elts]
        found = self.registers([word for type_ in types for word in type_.words])
        at = found
        for each, type_ in zip(node.elts, types, strict=True):
            value = self.value(each, Slot(type_, at))
            is_tuple = value.type.kind == "tuple"
            self.tell(each, T("tuple", value.type.parts) if is_tuple else INT, type_)
            if not self.facts.changed:
                self.move(Slot(type_, at), value)
            at += len(type_.words)
        return Value(T("tuple", at - found), found)

    def is_ascending(self, node: ast.expr) -> bool:
        """Whether the members of a comprehension are those of a mask, in their order."""
        if not isinstance(node, ast.ListComp) or not isinstance(node.elt, ast.Name):
            return False
        target, source = node.generators[-1].target, node.generators[-1].iter
        while name_of_call(source) == "metered":
            assert isinstance(source, ast.Call)
            source = source.args[1]
        lets = all(
            isinstance(each.iter, ast.List) and len(each.iter.elts) == 1
            for each in node.generators[:-1]
        )
        is_it = isinstance(target, ast.Name) and target.id == node.elt.id
        return lets and is_it and name_of_call(source) == "bits"

    def literal(self, node: ast.List | ast.Tuple, hint: Slot | None) -> Value:
        """A list with these members."""
        if not node.elts:
            found = self.target(EMPTY, hint)
            self.emit("LNEW", found)
            return Value(EMPTY, found)
        match node.elts:
            case [ast.Starred(ast.Call(ast.Name("range"), [first, end]))]:
                begin, last = self.register(first), self.registers((0,))
                self.emit("ADDI", last, self.register(end), k=-1)
                found = self.target(LIST, hint)
                self.emit("RANGE", found, begin, last)
                return Value(LIST, found)
        type_ = self.assumed(node, LIST)
        found = self.registers(type_.words)
        if all(isinstance(each, ast.Constant) and type(each.value) is int for each in node.elts):
            values = (each.value for each in node.elts if isinstance(each, ast.Constant))
            self.emit("LCONST", found).values = tuple(values)  # type: ignore[arg-type]
            return Value(LIST, found)
        self.emit("LNEW", found)
        for each in node.elts:
            mark = self.mark()
            value = self.value(each)
            self.tell(node, list_of(value.type), type_)
            self.emit("LAPP", found, self.at(value), len(value.type.words))
            self.release(mark)
        return Value(type_, found)


def _is_one_set(source: ast.expr) -> bool:
    """Whether the members of a loop are those of one list, in its order."""
    match source:
        case ast.ListComp() | ast.Call(ast.Name("reversed")):
            return False
        case ast.List([once]):
            return isinstance(once, ast.Starred)
    return True
