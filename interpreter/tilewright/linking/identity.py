"""Results kept by the identity of an object: for frozen data whose hash would cost as much."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def kept_by_identity(
    most: int,
) -> Callable[[Callable[[_Item], _Result]], Callable[[_Item], _Result]]:
    """A decorator: the function is called once for each object, as long as at most `most` are kept.

    The objects must not change. They are kept with their results, so no other object can have the
    same identity meanwhile.
    """

    def decorate(make: Callable[[_Item], _Result]) -> Callable[[_Item], _Result]:
        known: dict[int, tuple[_Item, _Result]] = {}

        @wraps(make)
        def kept(item: _Item) -> _Result:
            found = known.get(id(item))
            if found is None:
                if len(known) >= most:
                    known.clear()
                found = known[id(item)] = (item, make(item))
            return found[1]

        return kept

    return decorate
