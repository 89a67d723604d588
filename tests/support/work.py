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
    before = sys.getprofile()

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal left
        if event == "call":
            left -= 1
            if left < 0:
                sys.setprofile(before)
                raise TooMuchWorkError(f"more than {most:,} calls")

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
