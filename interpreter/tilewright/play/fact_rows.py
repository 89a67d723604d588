"""The facts of a match as one row of integers: what its digest is made of.

The row holds the laid tiles, the spots of figures, points, tokens and stacks as they are, and then
every value that has a type of its own, with a mark before it: 0 is None, 1 an integer of 64 bits, 2
a larger one with the number of its 64-bit words, lowest first, and 3 a list with its length. Truth
values are integers, and tuples are lists. Every engine must make the same row.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

#: the value of the native core for None, in plain integers
NONE = -(1 << 63)
_LARGEST = (1 << 63) - 1
_WORD = (1 << 64) - 1


def fact_row(numbers: Iterable[Iterable[int]], values: Iterable[Any]) -> array[int]:
    """The row of these plain integers, and then of these values."""
    row = array("q", chain.from_iterable(numbers))
    for value in values:
        _put(value, row)
    return row


def row_bytes(row: array[int]) -> bytes:
    """The row as bytes, the lowest byte of each integer first."""
    if sys.byteorder == "big":
        row = row[:]
        row.byteswap()
    return row.tobytes()


def numbers_of(data: bytes) -> array[int]:
    """The row of these bytes."""
    row = array("q", data)
    if sys.byteorder == "big":
        row.byteswap()
    return row


def values_in(row: Iterator[int]) -> Iterator[Any]:
    """The values in the rest of a row, with tuples for lists."""
    for mark in row:
        yield _value(mark, row)


def _value(mark: int, row: Iterator[int]) -> Any:
    if mark == 0:
        return None
    many = next(row)
    if mark == 1:
        return many
    if mark == 2:
        return sum((word & _WORD) << 64 * n for n, word in enumerate(islice(row, many)))
    return tuple(_value(next(row), row) for _ in range(many))


def _put(value: Any, row: array[int]) -> None:
    if value is None:
        row.append(0)
    elif isinstance(value, list | tuple):
        row.extend((3, len(value)))
        for part in value:
            _put(part, row)
    elif -_LARGEST <= value <= _LARGEST:
        row.extend((1, value))
    else:
        many = -(-value.bit_length() // 64)
        words = ((value >> 64 * n) & _WORD for n in range(many))
        row.extend((2, many, *(word - (word >> 63 << 64) for word in words)))
