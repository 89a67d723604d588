"""Blocks of statements with jumps between them, made one piece of Python again.

A body that may wait is cut where it can be entered and where loops turn. Most blocks are reached
from a single place and go back there; what remains is found by its number.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tilewright.compiling.emit import assign, fill, load, number, placed_like, store


class Go(ast.stmt):
    """Stands for a jump to a block until it is known how each block is reached."""

    _fields = ()

    def __init__(self, block: int) -> None:
        super().__init__()
        self.block = block


def spliced(blocks: list[list[ast.stmt]], resumed: set[int]) -> list[tuple[int, list[ast.stmt]]]:
    """The blocks that must stay blocks; one that is reached from a single place is put there."""
    reached: dict[int, int] = dict.fromkeys(resumed, 2)
    found = list(resumed)
    for number_of_block in found:
        for statement in blocks[number_of_block]:
            for node in ast.walk(statement):
                if isinstance(node, Go):
                    node.block = _led_to(blocks, node.block)
                    if node.block not in reached:
                        found.append(node.block)
                    reached[node.block] = reached.get(node.block, 0) + 1

    def settle(statements: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            if isinstance(statement, Go):
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
    """Where a jump ends: blocks that do nothing but lead on are passed by."""
    while len(blocks[block]) == 1 and isinstance(onward := blocks[block][0], Go):
        block = onward.block
    return block


def branched(blocks: list[tuple[int, list[ast.stmt]]]) -> list[ast.stmt]:
    """Find the block by halving, so that late blocks are found as fast as early ones."""
    if len(blocks) == 1:
        return blocks[0][1]
    middle = len(blocks) // 2
    test = fill("at < A", A=number(blocks[middle][0]))
    return [ast.If(test, branched(blocks[:middle]), branched(blocks[middle:]))]


def loads(names: Sequence[str]) -> list[ast.stmt]:
    """Take saved names back from the frame."""
    if not names:
        return []
    target = ast.Tuple([store("_"), store("_"), *map(store, names)], ast.Store())
    return [ast.Assign([target], load("frame"))]
