"""Tests of the members of a list that one instruction carries out for all of them at once.

A loop whose first tests have one of these forms goes over the members that pass. These tests
neither fail nor change anything, so it makes no difference when they run.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tilewright.compiling.bytecode.assembler import Value
from tilewright.compiling.bytecode.conditions import row_of
from tilewright.compiling.bytecode.masks import Masks
from tilewright.compiling.bytecode.types import LIST, T

_ROWS = T("list", 3)


class Filters(Masks):
    """Filters lists before loops."""

    def filtered(
        self, members: Value, target: ast.expr, tests: Sequence[ast.expr]
    ) -> tuple[Value, list[ast.expr]]:
        """The members that pass the first tests, and the tests that are left for the loop."""
        rest = [part for test in tests for part in parts_of(test)]
        while rest:
            passing = self._passing(members, target, rest[0])
            if passing is None:
                break
            members = passing
            rest.pop(0)
        return members, rest

    def _passing(self, members: Value, target: ast.expr, test: ast.expr) -> Value | None:
        match target:
            case ast.Name(name) if (members.type.parts or 1) == 1:
                return self._of_numbers(members, name, test)
            case ast.Tuple([ast.Name(), ast.Name(feature), ast.Name(kind)]):
                return self._of_rows(members, feature, kind, test)
        return None

    def _of_numbers(self, members: Value, name: str, test: ast.expr) -> Value | None:
        """Tests of a list of numbers: other than a number, of another tile, with a trait."""
        match _plain(test):
            case ast.Compare(left, [ast.NotEq()], [right]):
                for each, other in ((left, right), (right, left)):
                    if _uses(other, name):
                        continue
                    match each:
                        case ast.Name(id_) if id_ == name:
                            return self._made("SDEL", members, self.register(other))
                        case ast.BinOp(ast.Name(id_), ast.RShift(), ast.Constant(5)) if id_ == name:
                            return self._made("SEGS_OFF", members, self.register(other))
                match left, right:
                    case (
                        ast.BinOp(
                            ast.BinOp(mask, ast.RShift(), ast.Name(id_)),
                            ast.BitAnd(),
                            ast.Constant(1),
                        ),
                        ast.Constant(0),
                    ) if id_ == name:
                        row = row_of(mask)
                        if row is not None and row[0] == "m.of_trait":
                            return self._made("KEEP_TRAIT", members, self.register(row[1]))
        return None

    def _of_rows(self, members: Value, feature: str, kind: str, test: ast.expr) -> Value | None:
        """Tests of rows (segment, feature, kind): a role there, nobody there."""
        match _plain(test):
            case ast.Subscript(
                ast.Subscript(ast.Name("ROLES"), ast.Constant(figure_kind)), ast.Name(id_)
            ) if id_ == kind and isinstance(figure_kind, int):
                found = self.registers(_ROWS.words)
                self.emit("ROWS_ROLE", found, members.at, k=figure_kind)
                return Value(_ROWS, found)
            case ast.Compare(left, [ast.Eq()], [ast.Constant(0)]):
                match row_of(left):
                    case ("m.board.figures", ast.Name(id_)) if id_ == feature:
                        found = self.registers(_ROWS.words)
                        self.emit("ROWS_FREE", found, members.at)
                        return Value(_ROWS, found)
        return None

    def _made(self, name: str, members: Value, at: int) -> Value:
        found = self.registers((1,))
        self.emit(name, found, members.at, at)
        return Value(T(members.type.kind, 1) if members.type.parts else LIST, found)


def parts_of(test: ast.expr) -> list[ast.expr]:
    """The parts of a conjunction, in their order."""
    match test:
        case ast.BoolOp(ast.And(), values):
            return [part for value in values for part in parts_of(value)]
        case ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), inner)):
            return parts_of(inner)
    return [test]


def _plain(test: ast.expr) -> ast.expr:
    """The test without `not` before a comparison."""
    match test:
        case ast.UnaryOp(ast.Not(), ast.Compare(left, [ast.Eq()], right)):
            return ast.Compare(left, [ast.NotEq()], right)
        case ast.UnaryOp(ast.Not(), ast.Compare(left, [ast.NotEq()], right)):
            return ast.Compare(left, [ast.Eq()], right)
    return test


def _uses(node: ast.expr, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))
