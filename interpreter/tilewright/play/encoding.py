"""The encoding of a match in numbers: cells, spots off the board, sets as bit masks."""

from __future__ import annotations

from typing import Final

from tilewright.language.types import Type

STRIDE = 1024
HALF = STRIDE // 2
#: the first cell of the board
ORIGIN = HALF * STRIDE + HALF
#: offset from a cell's number to its neighbour's, by side
OFFSETS = (STRIDE, 1, -STRIDE, -1)
#: the same for all eight cells around, clockwise from the north
AROUND = (STRIDE, STRIDE + 1, 1, 1 - STRIDE, -STRIDE, -STRIDE - 1, -1, STRIDE - 1)

#: the spot of a figure in its owner's supply
IN_SUPPLY: Final = -1
#: the spot of a figure in front of player p is IN_FRONT_OF - p, beside stack s BESIDE_STACK - s
IN_FRONT_OF: Final = -2
BESIDE_STACK: Final = -1000

#: sets of these are bit masks; all other sets are lists
MASKS = ("figure", "tile")


def is_mask(type_: Type) -> bool:
    """Whether a set of this type is a bit mask."""
    return type_.many and type_.base in MASKS
