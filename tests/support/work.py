"""A limit on work that is the same on every machine: calls of Python functions, not seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooMuchWorkError(Exception):
    """More functions were called than a test allows."""


@contextmanager
def at_most_calls(most: int) -> Iterator[None]:
    """Stop what runs inside as soon as it has called more than so many Python functions."""
    left = most
    before = sys.gettrace()

    def count(_frame: FrameType, _event: str, _arg: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooMuchWorkError(f"more than {most:,} calls")

    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)
