"""Writes one function of the intermediate form as bytecode: what all forms have in common.

The modules beside this one know how each form is carried out. They enter their functions into the
tables here, by the class of a node, and by the operation of a primitive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.facts import Facts, Knowledge, NewFactsError
from tilewright.play.compiling.bytecode.instructions import (
    INT,
    MAX_REGISTERS,
    NONE_NUMBER,
    NOTHING,
    ZERO,
    Instruction,
    NotCarried,
    T,
    Value,
    join,
)
from tilewright.play.compiling.bytecode.passes.peephole import fused

#: numbers of instructions that fit into `k`
SMALL = 1 << 31
MISSING_NUMBER = NONE_NUMBER + 1


@dataclass(frozen=True, slots=True)
class Slot:
    """Registers that hold a name. `number` is the index of the type among those of the name; -1
    for a register that belongs to one loop only."""

    type: T
    at: int
    number: int = -1


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


class Writer:
    """The code of one function while it is written."""

    def __init__(
        self, knowledge: Knowledge, facts: Facts, translate: Callable[[str], Facts]
    ) -> None:
        self.knowledge = knowledge
        self.facts = facts
        self.translate = translate
        self.code: list[Instruction] = []
        self.labels: list[int] = []
        self.words: list[int] = []  # the types of registers
        self.in_use: list[bool] = []
        self.held: list[tuple[int, int]] = []  # temporary registers: first, number
        self.bound: dict[str, Slot] = {}  # the local names that hold here
        self.slots: dict[tuple[str, int], Slot] = {}
        self.missable: set[str] = set()  # names that may hold MISSING
        self.roles: dict[str, f.Expr] = {}  # names of rows of the table of roles
        self.alive = True  # whether the place at hand can be reached
        self.block = 0
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

    # -------------------------------------------------------------- instructions and registers

    def emit(
        self, name: str, a: int = 0, b: int = 0, c: int = 0, k: int = 0, to: int = -1
    ) -> Instruction:
        """Append an instruction, as one with the last where it only uses the result of that."""
        made = Instruction(name, a, b, c, k, to)
        while self.code and len(self.code) not in self.labels:
            joined = fused(self.code[-1], made)
            if joined is None or not self._is_passing(self.code[-1].a):
                break
            self.code.pop()
            made = joined
        self.code.append(made)
        return made

    def _is_passing(self, at: int) -> bool:
        """Whether a register only passes a result on."""
        held = any(first <= at < first + size for first, size in self.held)
        return held and all(slot.at != at for slot in self.bound.values())

    def label(self) -> int:
        """A new label, not placed yet."""
        self.labels.append(-1)
        return len(self.labels) - 1

    def place(self, label: int) -> None:
        """Put a label before the next instruction."""
        self.labels[label] = len(self.code)

    def registers(self, words: Sequence[int], *, lasting: bool = False) -> int:
        """The first of free registers in a row with these types.

        Raises NotCarried when there are not enough.
        """
        size, first = len(words), self._first_fitting(words)
        if first + size > MAX_REGISTERS:
            raise NotCarried("a rule needs more registers than there are")
        for i, word in enumerate(words):
            if first + i == len(self.words):
                self.words.append(word)
                self.in_use.append(True)
            self.in_use[first + i] = True
        if not lasting:
            self.held.append((first, size))
        return first

    def _first_fitting(self, words: Sequence[int]) -> int:
        """The first register from which on registers with these types are free, or can be new."""
        known = len(self.words)
        for first in range(known if words else 0):
            if self.in_use[first] or self.words[first] != words[0]:
                continue
            for at, word in enumerate(words, first):
                if at < known and (self.in_use[at] or self.words[at] != word):
                    break
            else:
                return first
        return known if words else 0

    def mark(self) -> int:
        """The state of temporary registers, for `release`."""
        return len(self.held)

    def release(self, mark: int) -> None:
        """Free the temporary registers allotted since the mark."""
        for first, size in self.held[mark:]:
            self.in_use[first : first + size] = [False] * size
        del self.held[mark:]

    # -------------------------------------------------------------- names

    def slot(self, name: str, type_: T) -> Slot:
        """The registers for a name with a value of this type."""
        types = self.facts.names.setdefault(name, [])
        if self.facts.changed and types:
            return self.numbered(name, 0)  # this code is not kept
        for number, known in enumerate(types):
            joined = join(known, type_)
            if joined is not None:
                if joined != known:
                    types[number] = joined
                    self.facts.changed = True
                break
        else:
            number = len(types)
            types.append(type_)
        return self.numbered(name, number)

    def numbered(self, name: str, number: int) -> Slot:
        """The registers of one of the types of a name."""
        key = (name, number)
        type_ = self.facts.names[name][number]
        if key not in self.slots or self.slots[key].type.words != type_.words:
            at = self.registers(type_.words, lasting=True)
            self.slots[key] = Slot(type_, at, number)
        return Slot(type_, self.slots[key].at, number)

    def adopt(self, name: str, value: Value, mark: int) -> None:
        """Let a new name have the temporary registers in which its first value was made."""
        given = (value.at, len(value.type.words))
        is_new = (name, 0) not in self.slots and name not in self.facts.names
        if value.constant is None and is_new and given in self.held[mark:]:
            self.held.remove(given)
            self.facts.names[name] = [value.type]
            self.slots[name, 0] = Slot(value.type, value.at, 0)

    def state(self) -> dict[str, Slot]:
        """The names that hold now."""
        return dict(self.bound)

    def merge(self, states: Sequence[dict[str, Slot]]) -> None:
        """Continue with the names that are the same in all these states."""
        if not states:
            return
        first, *others = states
        self.bound = {
            name: slot
            for name, slot in first.items()
            if all(name in s and s[name].at == slot.at for s in others)
        }

    # -------------------------------------------------------------- constants and moves

    def load(self, at: int, number: int) -> None:
        """Load a constant into a register."""
        if -SMALL <= number < SMALL:
            self.emit("LDI", at, k=number)
        else:
            self.emit("LDC", at).values = (number,)

    def at(self, value: Value) -> int:
        """The first register of a value."""
        if value.constant is None:
            return value.at
        found = self.registers((0,))
        self.load(found, value.constant)
        return found

    def target(self, type_: T, hint: Slot | None) -> int:
        """Registers for a result: those of the hint, if they fit."""
        if hint is not None and hint.type.words == type_.words:
            return hint.at
        return self.registers(type_.words)

    def move(self, to: Slot, value: Value) -> None:
        """Put a value into registers, as a value of their type."""
        wanted, given = to.type, value.type
        if value.constant is not None:
            self._move_constant(to, value.constant, given)
        elif wanted.words == given.words:
            if value.at == to.at:
                return
            if wanted.is_list:
                self.emit("MOVL", to.at, value.at, wanted.parts or 1)
            elif len(wanted.words) > 1:
                self.emit("MOVN", to.at, value.at, len(wanted.words))
            else:
                self.emit("MOV", to.at, value.at)
        elif given.is_list and given.parts == 0 and wanted.is_list:
            self.emit("LNEW", to.at)
        elif given == NOTHING:
            self._move_constant(to, NONE_NUMBER, given)
        elif given == ZERO and wanted.is_list:
            self.emit("LNEW", to.at)
        else:
            raise NotCarried(f"a value of type {given} as one of type {wanted}")

    def _move_constant(self, to: Slot, number: int, given: T) -> None:
        if not to.type.is_list:
            if len(to.type.words) > 1 and given != NOTHING:
                raise NotCarried("a number as a placement")
            for word in range(len(to.type.words)):
                self.load(to.at + word, number)
        elif given == NOTHING:
            self.emit("LNONE", to.at, k=int(number == MISSING_NUMBER))
        elif given == ZERO:
            self.emit("LNEW", to.at)
        else:
            raise NotCarried("a number as a set")

    # -------------------------------------------------------------- types of parts

    def assumed(self, node: object, otherwise: T) -> T:
        """The type of a node with several parts, as far as it is known."""
        known = self.facts.types.get(id(node))
        return otherwise if known in (None, NOTHING, ZERO) else known

    def tell(self, node: object, type_: T, assumed: T) -> None:
        """Teach the type of a part of a node whose code assumes a type."""
        if self.facts.changed:
            return  # this code is not kept, and its types may be wrong
        known = self.facts.types.get(id(node), type_)
        joined = join(known, type_)
        if joined is None:
            raise self.refuse(node, f"values of two types ({known}, {type_})")
        self.facts.types[id(node)] = joined
        if joined not in (assumed, NOTHING, ZERO):
            self.facts.changed = True

    def refuse(self, node: object, why: str = "an unknown form") -> NotCarried:
        """The error for a form that is not carried."""
        return NotCarried(f"{why}: {_described(node)}")


def constant_of(node: f.Expr) -> int:
    """The number that a constant is."""
    assert isinstance(node, f.Const) and isinstance(node.value, int)
    return node.value


def _described(node: object) -> str:
    """The kind of a node, for the reason why a game is not carried."""
    if isinstance(node, f.Prim):
        return f"`{node.operation.python}`"
    return f"`{type(node).__name__}`"
