"""The code of one function while it is made: instructions, labels, and the use of registers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tilewright.play.compiling.bytecode.types import NotCarried, T

#: `None` in a register
NONE_NUMBER = -(1 << 63)
#: bits beside the site of a decision, the module `decision` of `core/engine/src/instructions.rs`
BY_ACTIVE, NO_PASS, MAY_PASS = 1 << 21, 1 << 22, 1 << 23
#: with this `k` SETACTIVE goes on from the active player
AFTER_ACTIVE = 2
#: registers of one function
MAX_REGISTERS = 256
#: after these the next instruction does not run
ENDS = frozenset(("JMP", "RET", "RETI"))


@dataclass(slots=True)
class Instruction:
    """An instruction; `to` is the label of its target, and `callee` the function that it calls."""

    name: str
    a: int = 0
    b: int = 0
    c: int = 0
    k: int = 0
    to: int = -1
    callee: str = ""
    values: tuple[int, ...] | None = None  # a constant, or a list of constants

    def copy(self) -> Instruction:
        """An equal instruction (`dataclasses.replace` is far slower)."""
        return Instruction(
            self.name, self.a, self.b, self.c, self.k, self.to, self.callee, self.values
        )


@dataclass(frozen=True, slots=True)
class Value:
    """A value in registers from `at` on, or a constant integer."""

    type: T
    at: int
    constant: int | None = None


@dataclass(slots=True)
class Assembler:
    """Appends instructions and allots registers."""

    code: list[Instruction] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)  # the types of registers
    in_use: list[bool] = field(default_factory=list)
    held: list[tuple[int, int]] = field(default_factory=list)  # temporary: first, number

    def emit(
        self, name: str, a: int = 0, b: int = 0, c: int = 0, k: int = 0, to: int = -1
    ) -> Instruction:
        """Append an instruction."""
        made = Instruction(name, a, b, c, k, to)
        self.code.append(made)
        return made

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

    def release(self, mark: int, keep: Iterable[int] = ()) -> None:
        """Free the temporary registers allotted since the mark, except those to keep."""
        kept = set(keep)
        still: list[tuple[int, int]] = []
        for first, size in self.held[mark:]:
            if kept.intersection(range(first, first + size)):
                still.append((first, size))
            else:
                self.in_use[first : first + size] = [False] * size
        self.held[mark:] = still
