"""Local names of a function: the registers that hold them, and which hold at which place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.play.compiling import form as f
from tilewright.play.compiling.bytecode.assembler import NONE_NUMBER, Assembler, Instruction, Value
from tilewright.play.compiling.bytecode.facts import Facts, Knowledge
from tilewright.play.compiling.bytecode.passes.peephole import fused
from tilewright.play.compiling.bytecode.types import (
    INT,
    NOTHING,
    ZERO,
    NotCarried,
    T,
    join,
)

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


class Names(Assembler):
    """An assembler that knows the local names of its function."""

    def __init__(self, knowledge: Knowledge, facts: Facts) -> None:
        super().__init__()
        self.knowledge = knowledge
        self.facts = facts
        self.bound: dict[str, Slot] = {}
        self.slots: dict[tuple[str, int], Slot] = {}
        self.missable: set[str] = set()  # names that may hold MISSING
        self.roles: dict[str, f.Expr] = {}  # names of rows of the table of roles
        self.alive = True  # whether the place at hand can be reached

    def refuse(self, node: object, why: str = "an unknown form") -> NotCarried:
        """The error for a form that is not carried."""
        return NotCarried(f"{why}: {_described(node)}")

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

    # -------------------------------------------------------------- instructions that become one

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

    # -------------------------------------------------------------- constants and moves

    def constant(self, number: int, type_: T = INT) -> Value:
        """A constant integer."""
        return Value(type_, -1, number)

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


def _described(node: object) -> str:
    """The kind of a node, for the reason why a game is not carried."""
    if isinstance(node, f.Prim):
        return f"`{node.operation.python}`"
    return f"`{type(node).__name__}`"
