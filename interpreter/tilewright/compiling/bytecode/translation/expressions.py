"""Values of expressions, by the form of the tree. The forms are those of the templates."""

from __future__ import annotations

import ast
import re

from tilewright.compiling.bytecode import types
from tilewright.compiling.bytecode.assembler import NONE_NUMBER, Value
from tilewright.compiling.bytecode.translation.conditions import path_of, row_of
from tilewright.compiling.bytecode.translation.filters import Filters
from tilewright.compiling.bytecode.translation.names import MISSING_NUMBER, Slot
from tilewright.compiling.bytecode.translation.primitives import (
    CALLS,
    FACTS,
    ON_BOARD,
    RESULTS,
    ROWS,
)
from tilewright.compiling.bytecode.types import INT, LIST, MASK, NOTHING, ZERO, T
from tilewright.runtime.encoding import ORIGIN

#: lists of `SEG_LIST` by their table; the others are in `runtime/library/functions.py`
_LISTS_OF = {"SEGMENT_SIDES": 0, "SEGMENT_CORNERS": 3}
#: places of a figure that is the only one of its kind
_PLACES = {
    re.compile(r"m\.spot\[(\d+)\] >> 5 if m\.spot\[\1\] >= 0 else None"): "tile_of",
    re.compile(
        r"m\.board\.tile_cell\[m\.spot\[(\d+)\] >> 5\] if m\.spot\[\1\] >= 0 else None"
    ): "cell_of",
    re.compile(r"-2 - m\.spot\[(\d+)\] if -1000 < m\.spot\[\1\] <= -2 else None"): "holder_of",
}


class Expressions(Filters):
    """Translates expressions that are not calls."""

    def value(self, node: ast.expr, hint: Slot | None = None) -> Value:
        """Evaluate an expression, into the registers of the hint if that is possible."""
        match node:
            case ast.Constant():
                return self._literal(node)
            case ast.Name():
                return self._name(node, hint)
            case ast.UnaryOp(ast.USub(), operand):
                return self._negative(operand, hint)
            case ast.UnaryOp(ast.Not()) | ast.BoolOp() | ast.Compare():
                return self.truth(node, hint)
            case ast.BinOp():
                return self._arithmetic(node, hint)
            case ast.IfExp():
                return self._conditional(node, hint)
            case ast.Attribute():
                return self._fact(node, hint)
            case ast.Subscript():
                return self._subscript(node, hint)
            case ast.Call():
                return self.call(node, hint)
            case ast.List():
                return self.literal(node, hint)
            case ast.Tuple():
                return self.row(node)
            case ast.ListComp():
                return self.listed(node, hint)
        raise self.refuse(node)

    def call(self, node: ast.Call, hint: Slot | None) -> Value:
        """Evaluate a call."""
        raise NotImplementedError

    def operation(
        self, name: str, operands: list[int], result: T, hint: Slot | None, k: int = 0
    ) -> Value:
        """One instruction with a result."""
        found = self.target(result, hint)
        one, two = (*operands, 0, 0)[:2]
        self.emit(name, found, one, two, k)
        return Value(result, found)

    def _literal(self, node: ast.Constant) -> Value:
        if node.value is None:
            return Value(NOTHING, -1, NONE_NUMBER)
        if isinstance(node.value, bool):
            return Value(INT, -1, int(node.value))
        if isinstance(node.value, int):
            return Value(ZERO if node.value == 0 else INT, -1, node.value)
        raise self.refuse(node, "a text")

    def _name(self, node: ast.Name, hint: Slot | None) -> Value:
        slot = self.bound.get(node.id)
        if slot is not None:
            return Value(slot.type, slot.at)
        match node.id:
            case "MISSING":
                return Value(NOTHING, -1, MISSING_NUMBER)
            case "DIRECTIONS" | "HEADINGS" | "TOKENS":
                values = tuple(self.knowledge.program.scope[node.id])
                found = self.target(LIST, hint)
                self.emit("LCONST", found).values = values
                return Value(LIST, found)
            case "ORIGIN_PLACEMENT":
                found = self.target(types.PLACEMENT, hint)
                self.load(found, ORIGIN)
                self.load(found + 1, 0)
                return Value(types.PLACEMENT, found)
        raise self.refuse(node, "a name that holds values of different types")

    # -------------------------------------------------------------- arithmetic

    def _negative(self, operand: ast.expr, hint: Slot | None) -> Value:
        value = self.value(operand)
        if value.constant is not None:
            return Value(INT, -1, -value.constant)
        return self.operation("MULI", [value.at], INT, hint, -1)

    def _arithmetic(self, node: ast.BinOp, hint: Slot | None) -> Value:
        match node.op:
            case ast.BitAnd():
                return self.both(node, hint)
            case ast.BitOr():
                return self.either(node, hint)
            case ast.Sub() if (every := self.every_bit(node, hint)) is not None:
                return every
            case ast.Add() if _has_condition(node):
                total = self.target(INT, hint)
                self.load(total, 0)
                self.add_to(total, node)
                return Value(INT, total)
            case ast.RShift() if isinstance(node.right, ast.Constant):
                left = self.register(node.left)
                return self.operation("SHRI", [left], INT, hint, int(node.right.value))  # type: ignore[arg-type]
        left_value, right_value = self.value(node.left), self.value(node.right)
        for value in (left_value, right_value):
            if value.type.is_list or len(value.type.words) > 1:
                raise self.refuse(node)
        return self._computed(node.op, left_value, right_value, node, hint)

    def _computed(
        self, operator: ast.operator, left: Value, right: Value, node: ast.expr, hint: Slot | None
    ) -> Value:
        one, two = left.constant, right.constant
        name = {ast.Add: "ADD", ast.Sub: "SUB", ast.Mult: "MUL"}.get(type(operator))
        if name is None:
            raise self.refuse(node)
        if one is not None and two is not None:
            both = {"ADD": one + two, "SUB": one - two, "MUL": one * two}[name]
            return Value(INT, -1, both)
        if two is None and one is not None and name != "SUB":
            left, right, two = right, left, one
        if two is not None and -(1 << 31) < two < 1 << 31:
            if two == (1 if name == "MUL" else 0):
                return Value(INT, left.at)
            if name == "MUL":
                if two == 0:
                    return Value(INT, -1, 0)
                return self.operation("MULI", [left.at], INT, hint, two)
            return self.operation("ADDI", [left.at], INT, hint, two if name == "ADD" else -two)
        return self.operation(name, [self.at(left), self.at(right)], INT, hint)

    def _conditional(self, node: ast.IfExp, hint: Slot | None) -> Value:
        if isinstance(node.orelse, ast.Constant) and node.orelse.value is None:
            text = ast.unparse(node)
            for form, name in _PLACES.items():
                if found := form.fullmatch(text):
                    figure = self.registers((0,))
                    self.load(figure, int(found[1]))
                    instruction, which, _ = CALLS[name]
                    return self.operation(instruction, [figure], INT, hint, int(which[1:]))
        type_ = self.assumed(node, INT)
        at = self.target(type_, hint)
        slot = Slot(type_, at)
        no, after = self.label(), self.label()
        self.jump_if(node.test, False, no)
        for branch, is_last in ((node.body, False), (node.orelse, True)):
            mark = self.mark()
            value = self.value(branch, slot)
            self.tell(node, value.type, type_)
            if not self.facts.changed:
                self.move(slot, value)
            self.release(mark)
            if not is_last:
                self.emit("JMP", to=after)
                self.place(no)
        self.place(after)
        return Value(self.facts.types.get(id(node), type_), at)

    # -------------------------------------------------------------- facts of the match

    def _fact(self, node: ast.Attribute, hint: Slot | None) -> Value:
        known = FACTS.get(path_of(node))
        if known is None:
            raise self.refuse(node)
        operands = [0, ON_BOARD] if known[0] == "FIGS" else []
        return self.operation(known[0], operands, RESULTS[known[2]], hint)

    def _subscript(self, node: ast.Subscript, hint: Slot | None) -> Value:
        row = row_of(node)
        if row is not None and row[0] in ROWS:
            path, index = row
            if path == "m.tokens" and (held := self._tokens_held(index, hint)) is not None:
                return held
            name, _, result = ROWS[path]
            if path == "m.of_player":
                return self.mask_of_row(path, index, hint)
            return self.operation(name, [self.register(index)], RESULTS[result], hint)
        if row is not None:
            match row[0]:
                case "m.of_kind" | "m.of_trait":
                    return self.mask_of_row(row[0], row[1], hint)
                case "m.memory":
                    return self.memory(row[1], hint)
                case "m.stacks":  # only whether it is empty
                    return self.operation("STACK_LEN", [self.register(row[1])], INT, hint)
                case "SYMBOLS":
                    shape = row_of(row[1])
                    assert shape is not None and shape[0] == "m.board.tile_shape"
                    return self.operation("TILE_SYMBOLS", [self.register(shape[1])], INT, hint)
        if (table := self._table(node, hint)) is not None:
            return table
        return self._element(node, hint)

    def memory(self, index: ast.expr, hint: Slot | None) -> Value:
        """A memory of the match."""
        assert isinstance(index, ast.Constant) and isinstance(index.value, int)
        type_ = self.knowledge.memory[index.value]
        found = self.target(type_, hint)
        if type_.is_list:
            self.emit("MLDL", found, c=type_.parts, k=index.value)
        elif len(type_.words) > 1:
            self.emit("MLDN", found, c=len(type_.words), k=index.value)
        else:
            self.emit("MLD", found, k=index.value)
        return Value(type_, found)

    def _tokens_held(self, index: ast.expr, hint: Slot | None) -> Value | None:
        match index:
            case ast.BinOp(
                ast.BinOp(ast.BinOp(kind, ast.Mult(), _), ast.Add(), player),
                ast.Add(),
                ast.Constant(1),
            ):
                who, token = self.register(player), self.register(kind)
                return self.operation("HOLDS", [who, token], INT, hint)
        return None

    def _table(self, node: ast.Subscript, hint: Slot | None) -> Value | None:
        """A look-up in a table of the game that has two indices."""
        if isinstance(node.value, ast.Name) and node.value.id in self.roles:
            return self._role(self.roles[node.value.id], node.slice, hint)
        if not isinstance(node.value, ast.Subscript):
            return None
        path, first = path_of(node.value.value), node.value.slice
        match path:
            case "SEGMENT_KIND" | "SEGMENT_SIDES" | "SEGMENT_CORNERS":
                return self._of_segment(path, first, node.slice, hint)
            case "SEGMENT_SYMBOLS":
                operands = [self.register(first), self.register(node.slice)]
                return self.operation("PRINT_KIND", operands, INT, hint, 1)
            case "ROLES":
                return self._role(first, node.slice, hint)
            case "m.board.attributes":
                assert isinstance(first, ast.Constant) and isinstance(first.value, int)
                return self.operation("B_ATTR", [self.register(node.slice)], INT, hint, first.value)
        return None

    def _of_segment(self, table: str, shape: ast.expr, index: ast.expr, hint: Slot | None) -> Value:
        result = INT if table == "SEGMENT_KIND" else LIST
        row = row_of(shape)
        if row is not None and row[0] == "m.board.tile_shape":
            assert isinstance(row[1], ast.BinOp)
            segment = self.register(row[1].left)
            if table == "SEGMENT_KIND":
                return self.operation("SEG_KIND", [segment], result, hint)
            return self.operation("SEG_LIST", [segment, _LISTS_OF[table]], result, hint)
        name = "PRINT_KIND" if table == "SEGMENT_KIND" else "PRINT_SIDES"
        return self.operation(name, [self.register(shape), self.register(index)], result, hint)

    def _role(self, figure_kind: ast.expr, feature_kind: ast.expr, hint: Slot | None) -> Value:
        kind = self.register(feature_kind)
        if isinstance(figure_kind, ast.Constant):
            on = self.knowledge.program.roles[int(figure_kind.value)]  # type: ignore[arg-type]
            if all(on) or not any(on):
                return Value(INT, -1, int(all(on)))
            if sum(on) == 1:
                return self.operation("EQI", [kind], INT, hint, on.index(True))
            if sum(on) == len(on) - 1:
                return self.operation("NEI", [kind], INT, hint, on.index(False))
        return self.operation("KIND_ROLE", [self.register(figure_kind), kind], INT, hint)

    def _element(self, node: ast.Subscript, hint: Slot | None) -> Value:
        """An element of a tuple or a list."""
        match node.slice:
            case ast.Slice(None, ast.expr() as end, None):
                whole, count = self.list_value(node.value), self.register(end)
                found = self.registers(whole.type.words)
                self.emit("LTAKE", found, whole.at, count, whole.type.parts)
                return Value(whole.type, found)
            case ast.UnaryOp(ast.USub(), ast.Constant(1)):
                whole = self.list_value(node.value)
                return self.last_of("LLAST", whole, hint)
        if isinstance(node.value, ast.Tuple):
            values = tuple(
                NONE_NUMBER if each.value is None else each.value
                for each in node.value.elts
                if isinstance(each, ast.Constant) and isinstance(each.value, int | None)
            )
            at = self.register(node.slice)
            found = self.target(INT, hint)
            self.emit("LOOKUP", found, at).values = values
            return Value(INT, found)
        whole = self.value(node.value)
        if whole.type.kind == "tuple":
            assert isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
            return Value(INT, whole.at + node.slice.value)
        if not whole.type.is_list or whole.type == MASK:
            raise self.refuse(node)
        one = whole.type.member
        index = self.register(node.slice)
        found = self.target(one, hint)
        self.emit("LGET", found, whole.at, index, len(one.words))
        return Value(one, found)

    def last_of(self, name: str, whole: Value, hint: Slot | None) -> Value:
        """The first or last element of a list, or None."""
        one = whole.type.member
        found = self.target(one, hint)
        self.emit(name, found, whole.at, k=len(one.words))
        return Value(one, found)


def _has_condition(node: ast.expr) -> bool:
    """Whether a sum has a part that counts under a condition only."""
    match node:
        case ast.BinOp(left, ast.Add(), right):
            return _has_condition(left) or _has_condition(right)
        case ast.IfExp(_, _, ast.Constant(0)):
            return True
    return False
