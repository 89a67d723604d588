"""Turns basic blocks with jumps between them into structured Python statements.

A body that may wait is split where it can be resumed and where loops repeat. Most blocks have only
one predecessor and are inlined there; the others are selected by number.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tilewright.compiling.emit import assign, fill, load, number, placed_like, store


class Jump(ast.stmt):
    """A placeholder for a jump to a block, until the predecessors of all blocks are known."""

    _fields = ()

    def __init__(self, block: int) -> None:
        super().__init__()
        self.block = block


def spliced(blocks: list[list[ast.stmt]], resumed: set[int]) -> list[tuple[int, list[ast.stmt]]]:
    """Inline every block with a single predecessor, and return the remaining blocks."""
    reached: dict[int, int] = dict.fromkeys(resumed, 2)
    found = list(resumed)
    for number_of_block in found:
        for statement in blocks[number_of_block]:
            for node in ast.walk(statement):
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
                return found + [placed_like(node, statement) for node in jump]
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


def select_block(blocks: list[tuple[int, list[ast.stmt]]]) -> list[ast.stmt]:
    """Select the block by binary search on its number."""
    if len(blocks) == 1:
        return blocks[0][1]
    middle = len(blocks) // 2
    test = fill("at < A", A=number(blocks[middle][0]))
    return [ast.If(test, select_block(blocks[:middle]), select_block(blocks[middle:]))]


def loads(names: Sequence[str]) -> list[ast.stmt]:
    """Load saved names from the frame."""
    if not names:
        return []
    target = ast.Tuple([store("_"), store("_"), *map(store, names)], ast.Store())
    return [ast.Assign([target], load("frame"))]
