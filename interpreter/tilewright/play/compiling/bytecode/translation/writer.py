"""Writes one function of the intermediate form as bytecode: what all forms have in common.

The modules beside this one know how each form is carried out. They enter their functions into the
tables here, by the class of a node, and by the operation of a primitive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.assembler import Instruction, Value
from tilewright.play.compiling.bytecode.facts import Facts, Knowledge, NewFactsError
from tilewright.play.compiling.bytecode.translation.names import Names, Slot
from tilewright.play.compiling.bytecode.types import INT, MASK, NOTHING, ZERO, T

#: by class of a node: its value, a jump by it, a statement
ToValue = Callable[["Writer", Any, Slot | None], Value]
ToJump = Callable[["Writer", Any, bool, int], None]
Run = Callable[["Writer", Any], None]
VALUES: dict[type, ToValue] = {}
JUMPS: dict[type, ToJump] = {}
STATEMENTS: dict[type, Run] = {}
#: by operation: the same, and the form that carries it out
VALUES_OF: dict[op.Operation, ToValue] = {}
JUMPS_OF: dict[op.Operation, ToJump] = {}
EXPANSIONS: dict[op.Operation, Callable[..., f.Expr]] = {}

_Entry = TypeVar("_Entry", bound=Callable[..., Any])


def enters(table: dict[Any, Any], *keys: object) -> Callable[[_Entry], _Entry]:
    """Enter a function into a table."""

    def entered(function: _Entry) -> _Entry:
        table.update(dict.fromkeys(keys, function))
        return function

    return entered


class Writer(Names):
    """The code of one function while it is written."""

    def __init__(
        self, knowledge: Knowledge, facts: Facts, translate: Callable[[str], Facts]
    ) -> None:
        super().__init__(knowledge, facts)
        self.translate = translate
        self.block = 0
        self.block_saved = 0  # the block of the frame that is written
        self.blocks: dict[int, int] = {}  # label of each block
        self.todo: list[int] = []  # blocks that are not translated yet
        self.done: set[int] = set()  # those with code already
        self.repeats = 0  # how often a block was put on the list again
        self.asked = -1  # the site of the decision at hand
        self.offer: Instruction | None = None
        self.offered: dict[int, list[T]] = {}  # by action: types of an option's parts
        self.action = -1  # the action whose effects are at hand
        #: of each loop around: the label after it, and the names that hold where it is left
        self.exits: list[tuple[int, list[dict[str, Slot]]]] = []
        #: rows of list registers with a name: the first one, and how many
        self.rows_of_lists: dict[str, tuple[int, int]] = {}

    # -------------------------------------------------------------- any node

    def value(self, node: f.Expr, hint: Slot | None = None) -> Value:
        """Evaluate an expression, into the registers of the hint if that is possible."""
        found = VALUES.get(node.__class__)
        if found is None:
            raise self.refuse(node)
        return found(self, node, hint)

    def jump_if(self, node: f.Expr, holds: bool, to: int) -> None:
        """Jump when a condition is as wanted."""
        mark = self.mark()
        found = JUMPS.get(node.__class__)
        if found is None:
            self.jump_of_value(self.value(node), holds, to)
        else:
            found(self, node, holds, to)
        self.release(mark)

    def run(self, statements: Any) -> None:
        """Translate statements in their order.

        Raises NewFactsError after a statement with which facts about the function are new.
        """
        for statement in statements:
            if not self.alive:
                return
            mark = self.mark()
            self.statement(statement)
            if self.facts.changed:
                raise NewFactsError
            self.release(mark)

    def statement(self, node: f.Stmt) -> None:
        """Translate one statement."""
        found = STATEMENTS.get(node.__class__)
        if found is None:
            raise self.refuse(node)
        found(self, node)

    def once(self, node: f.Node, make: Callable[[], Any]) -> Any:
        """The result of `make` for a node: the same each time that the function is translated."""
        known = self.facts.made.get(id(node))
        if known is None or known[0] is not node:
            known = self.facts.made[id(node)] = (node, make())
        return known[1]

    def expanded(self, node: f.Expr) -> f.Expr:
        """The parts of an operation that consists of others; any other expression as it is."""
        if isinstance(node, f.Prim) and (expand := EXPANSIONS.get(node.operation)) is not None:
            found: f.Expr = self.once(node, lambda: expand(*node.arguments))
            return found
        return node

    # -------------------------------------------------------------- values

    def into(self, node: f.Expr, to: Slot) -> None:
        """Evaluate an expression into registers."""
        mark = self.mark()
        self.move(to, self.value(node, to))
        self.release(mark)

    def register(self, node: f.Expr) -> int:
        """The register of the value of an expression that takes one register."""
        value = self.value(node)
        if len(value.type.words) != 1:
            raise self.refuse(node, "a value of several parts")
        return self.at(value)

    def operand(self, node: f.Expr, words: int = 1) -> int:
        """The first register of a value that is not a list and takes so many registers."""
        value = self.value(node)
        if value.type.is_list or (value.constant is None and len(value.type.words) != words):
            raise self.refuse(node, f"not a value of {words} parts")
        return self.at(value)

    def list_value(self, node: f.Expr) -> Value:
        """The value of an expression that is a set."""
        value = self.value(node)
        if not value.type.is_list:
            if value.type in (ZERO, NOTHING):
                at = self.registers((1,))
                slot = Slot(T("mask"), at)
                self.move(slot, value)
                return Value(slot.type, at)
            raise self.refuse(node, "not a set")
        return value

    def operation(
        self, name: str, operands: list[int], result: T, hint: Slot | None, k: int = 0
    ) -> Value:
        """One instruction with a result."""
        found = self.target(result, hint)
        one, two = (*operands, 0, 0)[:2]
        self.emit(name, found, one, two, k)
        return Value(result, found)

    def kept(self, members: Value, name: str, at: int, hint: Slot | None) -> Value:
        """The members of a mask that an instruction keeps."""
        found = self.target(MASK, hint)
        self.emit(name, found, members.at, at)
        return Value(MASK, found)

    def last_of(self, name: str, whole: Value, hint: Slot | None) -> Value:
        """The first or last element of a list, or None."""
        one = whole.type.member
        found = self.target(one, hint)
        self.emit(name, found, whole.at, k=len(one.words))
        return Value(one, found)

    def with_let(self, name: str, given: f.Expr, inner: Callable[[], None]) -> None:
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

    # -------------------------------------------------------------- truth

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

    def jump_of_member(self, member: Value, whole: Value, is_in: bool, to: int) -> None:
        """Jump when a value is in a list."""
        found = self.registers((0,))
        self.emit("LIN", found, whole.at, self.at(member), whole.type.parts or 1)
        self.emit("JT" if is_in else "JF", found, to=to)

    def truth(self, node: f.Expr, hint: Slot | None) -> Value:
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

    # -------------------------------------------------------------- blocks

    def label_of(self, block: int) -> int:
        """The label of a block; it will be translated."""
        if block not in self.blocks:
            self.blocks[block] = self.label()
            self.todo.append(block)
        return self.blocks[block]

    def enter(self, block: int) -> None:
        """Join the names that hold now into those at the entry of a block."""
        if self.facts.changed:
            return  # this code is not kept
        now = {name: slot.number for name, slot in self.bound.items() if slot.number >= 0}
        known = self.facts.entered.get(block)
        merged = now if known is None else {n: i for n, i in known.items() if now.get(n) == i}
        if merged != known:
            self.facts.entered[block] = merged
            if known is not None and block in self.done:  # it has code already
                self.done.remove(block)
                self.todo.append(block)
                self.repeats += 1
