"""Tests of the members of a list that one instruction carries out for all of them at once.

A loop whose first tests have one of these forms goes over the members that pass. These tests
neither fail nor change anything, so it makes no difference when they run.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tilewright.compiling.bytecode.assembler import Value
from tilewright.compiling.bytecode.translation.conditions import path_of, row_of
from tilewright.compiling.bytecode.translation.kept_values import fails_at_start
from tilewright.compiling.bytecode.translation.masks import Masks
from tilewright.compiling.bytecode.types import LIST, T

_ROWS = T("list", 3)
#: the bit of an instruction for rows that keeps those of features without figures
_FREE = 1 << 16


class Filters(Masks):
    """Filters lists before loops."""

    def filtered(
        self, members: Value, target: ast.expr, tests: Sequence[ast.expr]
    ) -> tuple[Value, list[ast.expr]]:
        """The members that pass the first tests, and the tests that are left for the loop."""
        rest = _tiles_first(target, [part for test in tests for part in parts_of(test)])
        while rest:
            passing = self._passing(members, target, rest[0])
            if passing is None:
                break
            members = passing
            rest.pop(0)
        return members, rest

    def with_own_values(self, members: Value, target: ast.expr, tests: Sequence[ast.expr]) -> Value:
        """The members without those whose start values in memory fail the first of the tests."""
        if not isinstance(target, ast.Name) or (members.type.parts or 1) != 1 or not tests:
            return members
        first = parts_of(tests[0])[0]
        slot = fails_at_start(first, target.id, self.knowledge.program.kept_start)
        if slot is None:
            return members
        found = self.registers((1,))
        self.emit("KEPT_IN", found, members.at, k=slot)
        return Value(members.type, found)

    def _passing(self, members: Value, target: ast.expr, test: ast.expr) -> Value | None:
        match target:
            case ast.Name(name) if (members.type.parts or 1) == 1:
                return self._of_numbers(members, name, test)
            case ast.Tuple([ast.Name(segment), ast.Name(feature), ast.Name(kind)]):
                return self._on_tiles(members, segment, test) or self._of_rows(
                    members, feature, kind, test
                )
        return None

    def _on_tiles(self, members: Value, segment: str, test: ast.expr) -> Value | None:
        """Whether the tile of a segment is in a set."""
        match _plain(test):
            case ast.Compare(left, [ast.NotEq() | ast.Eq() as operator], [ast.Constant(0)]):
                tiles = _tiles_of(left, segment)
                if tiles is None:
                    return None
                found = self.registers(members.type.words)
                parts = members.type.parts or 1
                is_off = isinstance(operator, ast.Eq)
                at = self.list_value(tiles).at
                self.emit("ON_TILES", found, members.at, at, parts << 1 | is_off)
                return Value(members.type, found)
        return None

    def _of_numbers(self, members: Value, name: str, test: ast.expr) -> Value | None:
        """Tests of a list of numbers: other than a number, of another tile, with a trait.

        Segments also: of a kind, on a tile of a set, on a tile without a symbol, in a role.
        """
        found = self._on_tiles(members, name, test) or self._of_symbols(members, name, test)
        if found is not None:
            return found
        match _plain(test):
            case ast.Compare(
                ast.Call(ast.Name("segment_kind"), [ast.Name("m"), ast.Name(id_)]),
                [ast.Eq()],
                [ast.Constant() as kind],
            ) if id_ == name:
                return self._made("SEGS_KIND", members, self.register(kind))
            case ast.Compare(left, [ast.NotEq()], [right]):
                for each, other in ((left, right), (right, left)):
                    if _uses(other, name) or _calls(other):
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
                        if row is not None and row[0] == "m.of_trait" and not _calls(row[1]):
                            return self._made("KEEP_TRAIT", members, self.register(row[1]))
        return None

    def _of_symbols(self, members: Value, name: str, test: ast.expr) -> Value | None:
        """Segments on a tile without a symbol, or not on one of some tiles with it; in a role."""
        match _plain(test):
            case ast.Compare(left, [ast.Eq()], [ast.Constant(0)]):
                mask = _symbols_of(left, name)
                if mask is not None:
                    return self._without(members, members.at, mask)
            case ast.UnaryOp(
                ast.Not(),
                ast.BoolOp(
                    ast.And(),
                    [
                        ast.Compare(left, [ast.NotEq()], [ast.Constant(0)]),
                        ast.Compare(right, [ast.NotEq()], [ast.Constant(0)]),
                    ],
                ),
            ):
                mask, tiles = _symbols_of(left, name), _tiles_of(right, name)
                if mask is not None and tiles is not None:
                    return self._without(members, self.list_value(tiles).at, -1 - mask)
            case ast.Subscript(ast.Name(roles), kind) if roles in self.roles and _is_kind_of(
                kind, name
            ):
                return self._made("SEGS_ROLE", members, self.register(self.roles[roles]))
        return None

    def _without(self, members: Value, tiles: int, mask: int) -> Value:
        found = self.registers((1,))
        self.emit("SEGS_WITHOUT", found, members.at, tiles, mask)
        return Value(LIST, found)

    def _of_rows(self, members: Value, feature: str, kind: str, test: ast.expr) -> Value | None:
        """Tests of rows (segment, feature, kind): a role there, nobody there."""
        if (k := _row_test(test, feature, kind)) is not None:
            return self._rows("ROWS", members, k=k)
        match _plain(test):
            case ast.BinOp(ast.BinOp(figures, ast.BitAnd(), of_player), ast.BitAnd(), of_trait) if (
                _is_figures_of(figures, feature)
            ):
                match row_of(of_player), row_of(of_trait):
                    case ("m.of_player", player), ("m.of_trait", ast.Constant(int(trait))):
                        return self._rows("ROWS_OWN", members, self.register(player), -1 - trait)
        return None

    def _rows(self, name: str, members: Value, c: int = 0, k: int = 0) -> Value:
        found = self.registers(_ROWS.words)
        self.emit(name, found, members.at, c, k)
        return Value(_ROWS, found)

    def _made(self, name: str, members: Value, at: int) -> Value:
        found = self.registers((1,))
        self.emit(name, found, members.at, at)
        return Value(T(members.type.kind, 1) if members.type.parts else LIST, found)


def _tiles_first(target: ast.expr, tests: list[ast.expr]) -> list[ast.expr]:
    """The tests of rows with those of tiles first: these leave few rows to look at."""
    match target:
        case ast.Tuple([ast.Name(segment), ast.Name(feature), ast.Name(kind)]):
            many = 0
            while many < len(tests) and _row_test(tests[many], feature, kind) is not None:
                many += 1
            if many < len(tests) and _is_on_tiles(tests[many], segment):
                return [tests[many], *tests[:many], *tests[many + 1 :]]
    return tests


def _is_on_tiles(test: ast.expr, segment: str) -> bool:
    match _plain(test):
        case ast.Compare(left, [ast.NotEq()], [ast.Constant(0)]):
            return _tiles_of(left, segment) is not None
    return False


def _row_test(test: ast.expr, feature: str, kind: str) -> int | None:
    """The number of a test of rows by `ROWS`: a role there, or nobody there."""
    match _plain(test):
        case ast.Subscript(
            ast.Subscript(ast.Name("ROLES"), ast.Constant(int(figure_kind))), ast.Name(id_)
        ) if id_ == kind:
            return 1 + figure_kind
        case ast.Compare(left, [ast.Eq()], [ast.Constant(0)]) if _is_figures_of(left, feature):
            return _FREE
    return None


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


def _tiles_of(node: ast.expr, name: str) -> ast.expr | None:
    """TILES, a name or a slot of memory, in `TILES >> (name >> 5) & 1`."""
    match node:
        case ast.BinOp(
            ast.BinOp(
                tiles,
                ast.RShift(),
                ast.BinOp(ast.Name(id_), ast.RShift(), ast.Constant(5)),
            ),
            ast.BitAnd(),
            ast.Constant(1),
        ) if id_ == name:
            match tiles:
                case ast.Name(other) if other != name:
                    return tiles
                case ast.Subscript(slice=ast.Constant()) if path_of(tiles.value) == "m.memory":
                    return tiles
    return None


def _symbols_of(node: ast.expr, name: str) -> int | None:
    """MASK in `SYMBOLS[shape of the tile of name] & MASK`."""
    match node:
        case ast.BinOp(
            ast.Subscript(ast.Name("SYMBOLS"), shape), ast.BitAnd(), ast.Constant(int(mask))
        ) if _is_shape_of(shape, name) and 0 <= mask < 1 << 31:
            return mask
    return None


def _is_shape_of(node: ast.expr, name: str) -> bool:
    """`m.board.tile_shape[name >> 5]`."""
    row = row_of(node)
    if row is None or row[0] != "m.board.tile_shape":
        return False
    match row[1]:
        case ast.BinOp(ast.Name(id_), ast.RShift(), ast.Constant(5)):
            return id_ == name
    return False


def _is_kind_of(node: ast.expr, name: str) -> bool:
    """`SEGMENT_KIND[shape of the tile of name][name & 31]` or `segment_kind(m, name)`."""
    match node:
        case ast.Call(ast.Name("segment_kind"), [ast.Name("m"), ast.Name(id_)]):
            return id_ == name
        case ast.Subscript(
            ast.Subscript(ast.Name("SEGMENT_KIND"), shape),
            ast.BinOp(ast.Name(id_), ast.BitAnd(), ast.Constant(31)),
        ):
            return id_ == name and _is_shape_of(shape, name)
    return False


def _is_figures_of(node: ast.expr, feature: str) -> bool:
    """`m.board.figures[feature]`."""
    match row_of(node):
        case ("m.board.figures", ast.Name(id_)):
            return id_ == feature
    return False


def _uses(node: ast.expr, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _calls(node: ast.expr) -> bool:
    """Whether finding a value may count steps, which then must be counted for each member."""
    return any(isinstance(each, ast.Call) for each in ast.walk(node))
