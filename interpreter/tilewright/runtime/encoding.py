"""The encoding of a match in numbers: cells, spots off the board, sets as bit masks."""

from __future__ import annotations

from typing import Final

from tilewright.language.types import Type

STRIDE = 1024
#: offset from a cell's number to its neighbour's, by side
OFFSETS = (STRIDE, 1, -STRIDE, -1)
#: the same for all eight cells around, clockwise from the north
AROUND = (STRIDE, STRIDE + 1, 1, 1 - STRIDE, -STRIDE, -STRIDE - 1, -1, STRIDE - 1)

#: the spot of a figure in its owner's supply
HOME: Final = -1
#: a figure in front of player p has the spot FRONT - p, one beside stack s the spot BESIDE - s
FRONT: Final = -2
BESIDE: Final = -1000

#: sets of these are bit masks; all other sets are lists
MASKS = ("figure", "tile")


def is_mask(type_: Type) -> bool:
    """Whether a set of this type is a bit mask."""
    return type_.many and type_.base in MASKS
