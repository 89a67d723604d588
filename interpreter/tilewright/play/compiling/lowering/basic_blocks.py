"""The basic blocks of a function, with jumps between them.

A body that may wait is split where it can be resumed and where loops repeat. Most blocks have only
one predecessor and are inlined there; the others are selected by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.language.types import Type
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.sites import Held

Block = list[f.Stmt]


def _spliced(blocks: list[Block], resumed: set[int]) -> list[tuple[int, Block]]:
    """Inline every block with a single predecessor, and return the remaining blocks."""
    reached: dict[int, int] = dict.fromkeys(resumed, 2)
    found = list(resumed)
    for number in found:
        for statement in blocks[number]:
            for node in f.walk(statement):
                if isinstance(node, f.Goto):
                    block = _led_to(blocks, node.block)
                    if block not in reached:
                        found.append(block)
                    reached[block] = reached.get(block, 0) + 1

    def settled(statements: Sequence[f.Stmt]) -> Block:
        found: Block = []
        for statement in statements:
            if isinstance(statement, f.Goto):
                block = _led_to(blocks, statement.block)
                if reached[block] == 1:
                    return found + settled(blocks[block])
                return [*found, replace(statement, block=block)]
            if isinstance(statement, f.If):
                then, otherwise = settled(statement.then), settled(statement.otherwise)
                statement = replace(statement, then=then, otherwise=otherwise)
            found.append(statement)
        return found

    kept = [n for n in range(len(blocks)) if reached.get(n, 0) > 1]
    return [(n, settled(blocks[n])) for n in kept]


def _led_to(blocks: list[Block], block: int) -> int:
    """The final target of a jump, after skipping blocks that only jump."""
    while len(blocks[block]) == 1 and isinstance(onward := blocks[block][0], f.Goto):
        block = onward.block
    return block


class Blocks:
    """The basic blocks of one function, and the local names that its frame holds.

    A function that is not resumable has one block and no frame.
    """

    def __init__(self, resumable: bool, parameters: Sequence[tuple[str, Type]]) -> None:
        self.resumable = resumable
        self.names: list[str] = [f"v_{name}" for name, _ in parameters]
        #: by name: the type it holds now, if known
        self.held: dict[str, Held | None] = {f"v_{name}": Held(type_) for name, type_ in parameters}
        #: by block: the types of the names that are saved before it is entered
        self.kept: dict[int, tuple[Held | None, ...]] = {}
        self.blocks: list[Block] = [self._restored() if resumable else []]
        self.here = 0
        self.resumed = {0}  # blocks at which the function may be entered
        self.fresh = 0

    def add(self, statement: f.Stmt) -> None:
        """Append a statement to the current block."""
        self.blocks[self.here].append(statement)

    def extend(self, statements: Sequence[f.Stmt]) -> None:
        """Append statements to the current block."""
        self.blocks[self.here].extend(statements)

    def new_block(self) -> int:
        """The number of a new, empty block."""
        self.blocks.append([])
        return len(self.blocks) - 1

    def go(self, block: int) -> list[f.Stmt]:
        """The statements that continue at a block."""
        return [f.Goto(block)]

    def fork_to(self, test: f.Expr, yes: int, no: int) -> None:
        """Continue at one of two blocks."""
        self.add(f.If(test, self.go(yes), self.go(no)))

    def save(self, block: int) -> list[f.Stmt]:
        """Save the block to continue at and the present local names."""
        self.resumed.add(block)
        self.kept[block] = tuple(self.held[name] for name in self.names)
        self.blocks[block][:0] = self._restored()
        # also without names: the entry of an earlier wait is outdated
        return [f.Save(block, tuple(self.names))]

    def _restored(self) -> list[f.Stmt]:
        """Take the present names from the frame."""
        return [f.Restore(tuple(self.names))] if self.names else []

    def local(self, name: str, type_: Type | None = None) -> str:
        """The name in the form of a local name, with a place in the frame; `type_` is that of a new
        name, where it is known.
        """
        python = f"v_{name}"
        if type_ is not None or python not in self.names:
            self.held[python] = None if type_ is None else Held(type_)
        if self.resumable and python not in self.names:
            self.names.append(python)
        return python

    def hidden(self, what: str, held: Held | None = None) -> str:
        """A new name that no rule uses."""
        self.fresh += 1
        python = f"h_{what}{self.fresh}"
        self.held[python] = held
        if self.resumable:
            self.names.append(python)
        return python

    def finish(self) -> list[f.Stmt]:
        """The statements that end the body."""
        if not self.resumable:
            return [f.Return()]
        return [f.Do(f.prim(op.END_UNIT)), f.Return(f.Const(False))]

    def dispatch(self) -> list[tuple[int, Block]]:
        """The blocks of the function: from one to another until it waits or is done."""
        return _spliced(self.blocks, self.resumed)
