"""Sets of figures and tiles, which Python holds as masks and bytecode as ascending lists."""

from __future__ import annotations

import ast

from tilewright.compiling.bytecode.assembler import Value
from tilewright.compiling.bytecode.translation.conditions import path_of, row_of
from tilewright.compiling.bytecode.translation.loops import Loops
from tilewright.compiling.bytecode.translation.names import Slot
from tilewright.compiling.bytecode.translation.primitives import ANYWHERE, IN_SUPPLY, ON_BOARD
from tilewright.compiling.bytecode.types import INT, MASK

_KEEP = {"m.of_player": "KEEP_PLAYER", "m.of_kind": "KEEP_KIND"}


def shifted_bit(node: ast.expr) -> ast.expr | None:
    """B in `1 << B`."""
    match node:
        case ast.BinOp(ast.Constant(1), ast.LShift(), bit):
            return bit
    return None


class Masks(Loops):
    """Translates the operations on masks."""

    def jump_of_bit(self, left: ast.expr, right: ast.expr, holds: bool, to: int) -> bool:
        """Jump by a test of one bit, or of the figures of a feature; False for other forms."""
        if not isinstance(right, ast.Constant) or right.value != 0:
            return False
        row = row_of(left)
        if row is not None and row[0] == "m.board.figures":
            found = self.registers((0,))
            self.emit("B_HASFIGS", found, self.register(row[1]))
            self.emit("JT" if holds else "JF", found, to=to)
            return True
        match left:
            case ast.BinOp(ast.BinOp(mask, ast.RShift(), member), ast.BitAnd(), ast.Constant(1)):
                self._jump_of_member(mask, member, holds, to)
                return True
        return False

    def _jump_of_member(self, mask: ast.expr, member: ast.expr, holds: bool, to: int) -> None:
        row = row_of(mask)
        if row is not None and row[0] == "m.of_trait" and isinstance(row[1], ast.Constant):
            found = self.registers((0,))
            self.emit("FIG_TRAIT", found, self.register(member), k=int(row[1].value))  # type: ignore[arg-type]
            self.emit("JT" if holds else "JF", found, to=to)
            return
        whole = self.list_value(mask)
        self.jump_of_member(self.value(member), whole, holds, to)

    def mask_of_row(self, path: str, index: ast.expr, hint: Slot | None) -> Value:
        """The figures of a player, of a kind, or with a trait."""
        if path == "m.of_player":
            at = self.register(index)
            found = self.target(MASK, hint)
            self.emit("FIGS_PLAYER", found, at)
            return Value(MASK, found)
        every = self.registers((1,))
        self.emit("FIGS", every, c=ANYWHERE)
        return self._kept(Value(MASK, every), path, index, hint)

    def _kept(self, whole: Value, path: str, index: ast.expr, hint: Slot | None) -> Value:
        at = self.register(index)
        found = self.target(MASK, hint)
        self.emit(_KEEP.get(path, "KEEP_TRAIT"), found, whole.at, at)
        return Value(MASK, found)

    def both(self, node: ast.BinOp, hint: Slot | None) -> Value:
        """`A & B`: of masks the members of both, or the bits of two numbers."""
        row = row_of(node.right)
        if row is not None and row[0] in ("m.of_player", "m.of_kind", "m.of_trait"):
            if row[0] == "m.of_player":
                found = self._of_player(node.left, row[1], hint)
                if found is not None:
                    return found
            return self._kept(self.list_value(node.left), row[0], row[1], hint)
        match node.right:
            case ast.UnaryOp(ast.Invert(), ast.BinOp() as one) if (
                bit := shifted_bit(one)
            ) is not None:
                whole, member = self.list_value(node.left), self.register(bit)
                at = self.target(MASK, hint)
                self.emit("SDEL", at, whole.at, member)
                return Value(MASK, at)
        left, right = self.value(node.left), self.value(node.right)
        if left.type.is_list or right.type.is_list:
            at = self.target(MASK, hint)
            self.emit("SAND", at, left.at, right.at)
            return Value(MASK, at)
        if left.constant is not None and right.constant is not None:
            return Value(INT, -1, left.constant & right.constant)
        at = self.target(INT, hint)
        if right.constant is not None and -(1 << 31) <= right.constant < 1 << 31:
            self.emit("ANDI", at, self.at(left), k=right.constant)
        else:
            self.emit("AND", at, self.at(left), self.at(right))
        return Value(INT, at)

    def _of_player(self, whole: ast.expr, player: ast.expr, hint: Slot | None) -> Value | None:
        """The figures of a player on a feature, on the board, in the supply."""
        row = row_of(whole)
        if row is not None and row[0] == "m.board.figures":
            feature, who = self.register(row[1]), self.register(player)
            at = self.target(MASK, hint)
            self.emit("B_FIGSP", at, feature, who)
            return Value(MASK, at)
        place = {"m.on_board": ON_BOARD, "m.in_supply": IN_SUPPLY}.get(path_of(whole))
        if place is None:
            return None
        who = self.register(player)
        at = self.target(MASK, hint)
        self.emit("FIGS_PLAYER", at, who, place)
        return Value(MASK, at)

    def either(self, node: ast.BinOp, hint: Slot | None) -> Value:
        """`A | B` of masks."""
        left = self.list_value(node.left)
        at = self.registers(MASK.words)
        if (bit := shifted_bit(node.right)) is not None:
            self.emit("SADD", at, left.at, self.register(bit))
        else:
            self.emit("LCAT", at, left.at, self.list_value(node.right).at, 1)
            self.emit("SORTU", at, at)
        return Value(MASK, at)

    def every_bit(self, node: ast.BinOp, hint: Slot | None) -> Value | None:
        """`(1 << len(A)) - 1`: all figures, or all tiles."""
        match node:
            case ast.BinOp(
                ast.BinOp(ast.Constant(1), ast.LShift(), ast.Call(ast.Name("len"), [rows])),
                ast.Sub(),
                ast.Constant(1),
            ):
                name = {"m.spot": "FIGS", "m.board.tile_cell": "TILES"}[path_of(rows)]
                at = self.target(MASK, hint)
                self.emit(name, at)
                return Value(MASK, at)
        return None
