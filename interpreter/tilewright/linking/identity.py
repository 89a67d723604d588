"""Results kept by the identity of an object: for frozen data whose hash would cost as much."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

_Item = TypeVar("_Item")
_Rest = ParamSpec("_Rest")
_Result = TypeVar("_Result")

#: results of one function that are kept; many games of one check have the same declarations
MAX_KEPT = 16_384
_MAX_IDENTITIES = 16 * MAX_KEPT

_STORES: list[dict[Any, Any]] = []


def registered(store: dict[_Item, _Result]) -> dict[_Item, _Result]:
    """A dictionary that `forget_all` empties."""
    _STORES.append(store)
    return store


def forget_all() -> None:
    """Forget every kept result; all of them can be made again."""
    for store in _STORES:
        store.clear()


def kept_by_identity(make: Callable[[_Item], _Result]) -> Callable[[_Item], _Result]:
    """A decorator: the function is called once for each object.

    The objects must not change. They are kept with their results, so no other object can have the
    same identity meanwhile.
    """
    known: dict[int, tuple[_Item, _Result]] = registered({})

    @wraps(make)
    def kept(item: _Item) -> _Result:
        found = known.get(id(item))
        if found is None:
            result = make(item)
            if len(known) >= MAX_KEPT:
                known.clear()
            found = known[id(item)] = (item, result)
        return found[1]

    return kept


def kept_by_identity_with(
    make: Callable[Concatenate[_Item, _Rest], _Result],
) -> Callable[Concatenate[_Item, _Rest], _Result]:
    """Like `kept_by_identity`, for functions with more arguments, which are compared by value."""
    known: dict[tuple[object, ...], tuple[_Item, _Result]] = registered({})

    @wraps(make)
    def kept(item: _Item, /, *rest: _Rest.args, **none: _Rest.kwargs) -> _Result:
        key = (id(item), *rest)
        found = known.get(key)
        if found is None:
            result = make(item, *rest, **none)
            if len(known) >= MAX_KEPT:
                known.clear()
            found = known[key] = (item, result)
        return found[1]

    return kept


def kept_by_identities(make: Callable[_Rest, _Result]) -> Callable[_Rest, _Result]:
    """Like `kept_by_identity`, for functions of several objects."""
    known: dict[tuple[int, ...], tuple[tuple[object, ...], _Result]] = registered({})
    size = 0  # identities in all keys, which may be long

    @wraps(make)
    def kept(*items: _Rest.args, **none: _Rest.kwargs) -> _Result:
        nonlocal size
        key = tuple(map(id, items))
        found = known.get(key)
        if found is None:
            result = make(*items, **none)
            size = (size if known else 0) + len(key)
            if size > _MAX_IDENTITIES:
                known.clear()
                size = len(key)
            found = known[key] = (items, result)
        return found[1]

    return kept
