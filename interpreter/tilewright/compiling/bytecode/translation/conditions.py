"""Conditions become jumps: no truth value is kept in a register unless somebody stores it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from tilewright.compiling.bytecode.assembler import Value
from tilewright.compiling.bytecode.translation.names import Names, Slot
from tilewright.compiling.bytecode.translation.primitives import (
    COMPARISONS,
    EXCHANGED,
    IMMEDIATE,
    OPPOSITE,
)
from tilewright.compiling.bytecode.types import INT, NOTHING, ZERO


def path_of(node: ast.expr) -> str:
    """The dotted path of attributes of a name, or ""."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = path_of(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""


def row_of(node: ast.expr) -> tuple[str, ast.expr] | None:
    """The path and the index of a subscript of a path."""
    if isinstance(node, ast.Subscript) and (path := path_of(node.value)):
        return path, node.slice
    return None


def name_of_call(node: ast.expr) -> str:
    """The name or path of a called function, or ""."""
    return path_of(node.func) if isinstance(node, ast.Call) else ""


class Conditions(Names):
    """Evaluates conditions."""

    def loop(
        self,
        generators: list[ast.comprehension],
        inner: Callable[[], None],
    ) -> None:
        """Run code for each combination of the members of loops."""
        raise NotImplementedError

    def jump_if(self, node: ast.expr, holds: bool, to: int) -> None:
        """Jump when a condition is as wanted."""
        mark = self.mark()
        match node:
            case ast.Constant(value):
                if bool(value) is holds:
                    self.emit("JMP", to=to)
            case ast.UnaryOp(ast.Not(), inner):
                self.jump_if(inner, not holds, to)
            case ast.BoolOp(operator, parts):
                self._jump_of_parts(parts, isinstance(operator, ast.And), holds, to)
            case ast.IfExp(test, then, otherwise):
                no, after = self.label(), self.label()
                self.jump_if(test, False, no)
                self.jump_if(then, holds, to)
                self.emit("JMP", to=after)
                self.place(no)
                self.jump_if(otherwise, holds, to)
                self.place(after)
            case ast.Compare(left, [operator], [right]):
                self.jump_of_comparison(left, operator, right, holds, to)
            case ast.Call(ast.Name("any" | "all" as kind), [ast.GeneratorExp(element, loops)]):
                self._jump_of_loop(element, loops, kind == "any", holds, to)
            case ast.Call(ast.Lambda(parameters, body), [given]):
                self.with_let(parameters.args[0].arg, given, lambda: self.jump_if(body, holds, to))
            case _:
                self.jump_of_value(self.value(node), holds, to)
        self.release(mark)

    def with_let(self, name: str, given: ast.expr, inner: Callable[[], None]) -> None:
        """Run code with a name for a value."""
        before = self.bound.get(name)
        value = self.value(given)
        slot = Slot(value.type, self.at(value))
        self.bound[name] = slot
        inner()
        if before is None:
            del self.bound[name]
        else:
            self.bound[name] = before

    def jump_of_value(self, value: Value, holds: bool, to: int) -> None:
        """Jump when a value is true, or when it is not."""
        if value.constant is not None:
            is_true = value.constant != 0 and value.type != NOTHING
            if is_true is holds:
                self.emit("JMP", to=to)
        elif value.type.is_list:
            self.emit("JFULL" if holds else "JEMPTY", value.at, to=to)
        else:
            self.emit("JT" if holds else "JF", value.at, to=to)

    def _jump_of_parts(self, parts: list[ast.expr], is_all: bool, holds: bool, to: int) -> None:
        if is_all is not holds:  # one part decides
            for part in parts:
                self.jump_if(part, holds, to)
            return
        after = self.label()
        for part in parts[:-1]:
            self.jump_if(part, not holds, after)
        self.jump_if(parts[-1], holds, to)
        self.place(after)

    def _jump_of_loop(
        self, element: ast.expr, loops: list[ast.comprehension], is_any: bool, holds: bool, to: int
    ) -> None:
        """`any` and `all`: the first member that decides ends the loop."""
        # a test that only depends on names outside of the loop is made before it
        if isinstance(element, ast.IfExp) and _is_outside(element.test, loops):
            kind = ast.Name("any" if is_any else "all")
            one, other = (
                ast.Call(kind, [ast.GeneratorExp(part, loops)], [])
                for part in (element.body, element.orelse)
            )
            self.jump_if(ast.IfExp(element.test, one, other), holds, to)
            return
        # the last test of the members, so it may be one that is carried out for all of them at once
        *outer, last = loops
        decisive = element if is_any else ast.UnaryOp(ast.Not(), element)
        tests = [*last.ifs, decisive]
        loops = [*outer, ast.comprehension(last.target, last.iter, tests, last.is_async)]
        if is_any is holds:
            self.loop(loops, lambda: self._jump(to))
            return
        decided = self.label()
        self.loop(loops, lambda: self._jump(decided))
        self.emit("JMP", to=to)
        self.place(decided)

    def _jump(self, to: int) -> None:
        self.emit("JMP", to=to)

    # -------------------------------------------------------------- comparisons

    def jump_of_comparison(
        self, left: ast.expr, operator: ast.cmpop, right: ast.expr, holds: bool, to: int
    ) -> None:
        """Jump when a comparison is as wanted."""
        name = type(operator).__name__
        if name in ("Is", "IsNot"):
            self._jump_of_identity(left, right, holds is (name == "Is"), to)
        elif name in ("In", "NotIn"):
            self._jump_of_membership(left, right, holds is (name == "In"), to)
        elif name not in ("Eq", "NotEq") or not self.jump_of_bit(
            left, right, holds is (name == "NotEq"), to
        ):
            self._jump_of_order(left, name if holds else OPPOSITE[name], right, to)

    def jump_of_bit(self, left: ast.expr, right: ast.expr, holds: bool, to: int) -> bool:
        """Forms with masks that are compared with 0; False when this is not one of them."""
        raise NotImplementedError

    def _jump_of_identity(self, left: ast.expr, right: ast.expr, is_it: bool, to: int) -> None:
        if isinstance(right, ast.Name) and right.id == "MISSING":
            self._jump_of_missing(left, is_it, to)
            return
        value = self.value(left)
        if value.constant is not None:
            if (value.type == NOTHING) is is_it:
                self.emit("JMP", to=to)
        else:
            self.emit("JNONE" if is_it else "JSOME", value.at, to=to)

    def _jump_of_missing(self, left: ast.expr, is_it: bool, to: int) -> None:
        assert isinstance(left, ast.Name)
        if left.id not in self.missable:
            if not is_it:
                self.emit("JMP", to=to)
            return
        found = self.registers((0,))
        self.emit("ISMISS", found, self.value(left).at)
        self.emit("JT" if is_it else "JF", found, to=to)

    def _jump_of_membership(self, left: ast.expr, right: ast.expr, is_in: bool, to: int) -> None:
        if isinstance(right, ast.Tuple):
            tests: list[ast.expr] = [ast.Compare(left, [ast.Eq()], [each]) for each in right.elts]
            self._jump_of_parts(tests, False, is_in, to)
            return
        if path_of(right) == "m.attached_to":
            self._jump_of_companion(left, is_in, to)
            return
        row = row_of(right)
        if row is not None and row[0] == "TOKENS_OF" and isinstance(row[1], ast.Constant):
            found = self.registers((0,))
            self.emit("TOKEN_TRAIT", found, self.register(left), k=int(row[1].value))  # type: ignore[arg-type]
            self.emit("JT" if is_in else "JF", found, to=to)
            return
        whole = self.list_value(right)
        self.jump_of_member(self.value(left), whole, is_in, to)

    def jump_of_member(self, member: Value, whole: Value, is_in: bool, to: int) -> None:
        """Jump when a value is in a list."""
        found = self.registers((0,))
        self.emit("LIN", found, whole.at, self.at(member), whole.type.parts or 1)
        self.emit("JT" if is_in else "JF", found, to=to)

    def _jump_of_companion(self, figure: ast.expr, is_in: bool, to: int) -> None:
        """Whether some figure is attached to this one."""
        self.emit("JCOMPANION" if is_in else "JNCOMPANION", self.register(figure), to=to)

    def _jump_of_order(self, left: ast.expr, name: str, right: ast.expr, to: int) -> None:
        one, two = self.value(left), self.value(right)
        if one.constant is not None and two.constant is None and not two.type.is_list:
            one, two, name = two, one, EXCHANGED[name]
        if one.type.is_list or two.type.is_list:
            self._jump_of_lists(one, two, name == "Eq", to)
        elif len(one.type.words) > 1 or len(two.type.words) > 1:
            self._jump_of_tuples(one, two, name == "Eq", to)
        else:
            self._jump_of_numbers(one, two, name, to)

    def _jump_of_numbers(self, one: Value, two: Value, name: str, to: int) -> None:
        number = two.constant
        if number is not None and name in ("Eq", "NotEq"):
            if two.type == NOTHING:
                self.emit("JNONE" if name == "Eq" else "JSOME", self.at(one), to=to)
                return
            if number == 0 and one.type != NOTHING:
                self.emit("JF" if name == "Eq" else "JT", self.at(one), to=to)
                return
        if number is not None:
            immediate, added = IMMEDIATE[name]
            if 0 <= number + added < 256:
                self.emit(f"J{immediate}", self.at(one), number + added, to=to)
                return
            if -(1 << 31) <= number + added < 1 << 31:
                found = self.registers((0,))
                self.emit(immediate, found, self.at(one), k=number + added)
                self.emit("JT", found, to=to)
                return
        if name in ("Gt", "GtE"):
            one, two, name = two, one, EXCHANGED[name]
        self.emit("J" + COMPARISONS[name], self.at(one), self.at(two), to=to)

    def _jump_of_lists(self, one: Value, two: Value, is_equal: bool, to: int) -> None:
        for value, other in ((one, two), (two, one)):
            if value.type == ZERO and value.constant == 0:
                self.emit("JEMPTY" if is_equal else "JFULL", other.at, to=to)
                return
        if not (one.type.is_list and two.type.is_list):
            if is_equal:
                return
            self.emit("JMP", to=to)
            return
        found = self.registers((0,))
        self.emit("LEQ", found, one.at, two.at, max(one.type.parts, two.type.parts, 1))
        self.emit("JT" if is_equal else "JF", found, to=to)

    def _jump_of_tuples(self, one: Value, two: Value, is_equal: bool, to: int) -> None:
        if NOTHING in (one.type, two.type):
            other = two if one.type == NOTHING else one
            self.emit("JNONE" if is_equal else "JSOME", other.at, to=to)
            return
        if one.type.words != two.type.words:
            raise self.refuse(ast.Constant("="), "values of different types compared")
        after = self.label()
        size = len(one.type.words)
        for i in range(size):
            last = i == size - 1
            if is_equal:
                self.emit(
                    "JEQ" if last else "JNE", one.at + i, two.at + i, to=to if last else after
                )
            else:
                self.emit("JNE", one.at + i, two.at + i, to=to)
        self.place(after)

    def truth(self, node: ast.expr, hint: Slot | None) -> Value:
        """A condition as a number, 0 or 1."""
        found = self.target(INT, hint)
        no, after = self.label(), self.label()
        self.jump_if(node, False, no)
        self.load(found, 1)
        self.emit("JMP", to=after)
        self.place(no)
        self.load(found, 0)
        self.place(after)
        return Value(INT, found)


def _is_outside(test: ast.expr, loops: Sequence[ast.comprehension]) -> bool:
    """Whether a test is a name from outside of these loops."""
    if not isinstance(test, ast.Name):
        return False
    targets = (each for loop in loops for each in ast.walk(loop.target))
    return not any(isinstance(each, ast.Name) and each.id == test.id for each in targets)
