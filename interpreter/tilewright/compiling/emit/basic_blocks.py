"""Turns basic blocks with jumps between them into structured Python statements.

A body that may wait is split where it can be resumed and where loops repeat. Most blocks have only
one predecessor and are inlined there; the others are selected by number.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tilewright.compiling.emit.trees import (
    assign,
    at_place_of,
    constant,
    do,
    fill,
    give,
    load,
    number,
    put,
    store,
    walk,
)
from tilewright.language.types import Type
from tilewright.runtime.sites import Held


class Jump(ast.stmt):
    """A placeholder for a jump to a block, until the predecessors of all blocks are known."""

    _fields = ()

    def __init__(self, block: int) -> None:
        super().__init__()
        self.block = block


def _spliced(blocks: list[list[ast.stmt]], resumed: set[int]) -> list[tuple[int, list[ast.stmt]]]:
    """Inline every block with a single predecessor, and return the remaining blocks."""
    reached: dict[int, int] = dict.fromkeys(resumed, 2)
    found = list(resumed)
    for number_of_block in found:
        for statement in blocks[number_of_block]:
            for node in walk(statement):
                if isinstance(node, Jump):
                    node.block = _led_to(blocks, node.block)
                    if node.block not in reached:
                        found.append(node.block)
                    reached[node.block] = reached.get(node.block, 0) + 1

    def settle(statements: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            if isinstance(statement, Jump):
                if reached[statement.block] == 1:
                    return found + settle(blocks[statement.block])
                jump = [assign("at", number(statement.block)), ast.Continue()]
                return found + [at_place_of(statement, node) for node in jump]
            if isinstance(statement, ast.If):
                statement.body = settle(statement.body)
                statement.orelse = settle(statement.orelse)
            found.append(statement)
        return found

    kept = [n for n in range(len(blocks)) if reached.get(n, 0) > 1]
    return [(n, settle(blocks[n]) or [ast.Pass()]) for n in kept]


def _led_to(blocks: list[list[ast.stmt]], block: int) -> int:
    """The final target of a jump, after skipping blocks that only jump."""
    while len(blocks[block]) == 1 and isinstance(onward := blocks[block][0], Jump):
        block = onward.block
    return block


def _select_block(blocks: list[tuple[int, list[ast.stmt]]]) -> list[ast.stmt]:
    """Select the block by binary search on its number."""
    if len(blocks) == 1:
        return blocks[0][1]
    middle = len(blocks) // 2
    test = fill("at < A", A=number(blocks[middle][0]))
    return [ast.If(test, _select_block(blocks[:middle]), _select_block(blocks[middle:]))]


def _loads(names: Sequence[str]) -> list[ast.stmt]:
    """Load saved names from the frame."""
    if not names:
        return []
    target = ast.Tuple([store("_"), store("_"), *map(store, names)], ast.Store())
    return [ast.Assign([target], load("frame"))]


def _goes_round(statements: list[ast.stmt]) -> bool:
    """Whether the last of the statements jumps back to the first."""
    return any(isinstance(node, ast.Continue) for s in statements for node in walk(s))


class Blocks:
    """The basic blocks of one function, and the local names that its frame holds.

    A function that is not resumable has one block and no frame.
    """

    def __init__(self, resumable: bool, parameters: Sequence[tuple[str, Type]]) -> None:
        self.resumable = resumable
        self.names: list[str] = [f"v_{name}" for name, _ in parameters]
        #: by Python name: the type it holds now, if known
        self.held: dict[str, Held | None] = {f"v_{name}": Held(type_) for name, type_ in parameters}
        #: by block: the types of the names that are saved before it is entered
        self.kept: dict[int, tuple[Held | None, ...]] = {}
        self.blocks: list[list[ast.stmt]] = [_loads(self.names) if resumable else []]
        self.here = 0
        self.resumed = {0}  # blocks at which the function may be entered
        self.fresh = 0

    def add(self, statement: ast.stmt) -> None:
        """Append a statement to the current block."""
        self.blocks[self.here].append(statement)

    def extend(self, statements: Sequence[ast.stmt]) -> None:
        """Append statements to the current block."""
        self.blocks[self.here].extend(statements)

    def new_block(self) -> int:
        """The number of a new, empty block."""
        self.blocks.append([])
        return len(self.blocks) - 1

    def go(self, block: int) -> list[ast.stmt]:
        """The statements that continue at a block."""
        return [Jump(block)]

    def fork_to(self, test: ast.expr, yes: int, no: int) -> None:
        """Continue at one of two blocks."""
        self.add(ast.If(test, self.go(yes), self.go(no)))

    def save(self, block: int) -> list[ast.stmt]:
        """Save the block to continue at and the present local names."""
        self.resumed.add(block)
        self.kept[block] = tuple(self.held[name] for name in self.names)
        kept: list[ast.stmt] = [put("frame[1]", number(block))]
        # also without names: the entry of an earlier wait is outdated
        kept.append(put("frame[2:]", ast.List([load(name) for name in self.names], ast.Load())))
        if self.names:
            self.blocks[block][:0] = _loads(self.names)
        return kept

    def local(self, name: str, type_: Type | None = None) -> str:
        """The Python name of a local name, with a place in the frame; `type_` is that of a new
        name, where it is known.
        """
        python = f"v_{name}"
        if type_ is not None or python not in self.names:
            self.held[python] = None if type_ is None else Held(type_)
        if self.resumable and python not in self.names:
            self.names.append(python)
        return python

    def hidden(self, what: str, held: Held | None = None) -> str:
        """A new Python name that no rule uses."""
        self.fresh += 1
        python = f"h_{what}{self.fresh}"
        self.held[python] = held
        if self.resumable:
            self.names.append(python)
        return python

    def finish(self) -> list[ast.stmt]:
        """The statements that end the body."""
        if not self.resumable:
            return [give(None)]
        return [do("m.frames.pop()"), give(constant(False))]

    def dispatch(self) -> list[ast.stmt]:
        """The body of the function: from block to block until it waits or is done."""
        blocks = _spliced(self.blocks, self.resumed)
        if len(blocks) == 1 and not _goes_round(blocks[0][1]):
            return blocks[0][1]
        begin = assign("at", fill("frame[1]"))
        return [begin, ast.While(constant(True), _select_block(blocks), [])]
