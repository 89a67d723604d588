"""Results that are kept with the object they are made of, found by its identity.

For frozen data whose hash would cost as much as the result. A result lives as long as its object:
nothing here is global, so what nobody uses any more goes with everything that was made of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

#: results of one function for one object that differ in its other arguments
MAX_FORMS = 64


class KeepsResults:
    """A base of frozen data; its instances keep what the functions below make of them.

    Results do not belong to the data: they are neither compared nor copied nor stored.
    """

    __slots__ = ("_results",)
    _results: dict[Any, Any]  # by function; made with the first result

    def __getstate__(self) -> object:
        """The data alone, for copies and other processes."""
        state = super().__getstate__()
        if isinstance(state, tuple):
            values, slots = state
            slots = {name: value for name, value in slots.items() if name != "_results"}
            return (values, slots) if slots else values
        return state


_Item = TypeVar("_Item", bound=KeepsResults)
_Rest = ParamSpec("_Rest")
_Result = TypeVar("_Result")
_Form = TypeVar("_Form", bound=tuple[object, ...])


def _results_of(item: KeepsResults) -> dict[Any, Any]:
    if not hasattr(item, "_results"):
        object.__setattr__(item, "_results", {})
    return item._results


def kept_by_identity(make: Callable[[_Item], _Result]) -> Callable[[_Item], _Result]:
    """A decorator: the function is called once for each object. The objects must not change."""

    @wraps(make)
    def kept(item: _Item) -> _Result:
        found: _Result
        try:
            found = item._results[make]
        except (AttributeError, KeyError):
            pass
        else:
            return found
        found = _results_of(item)[make] = make(item)
        return found

    return kept


def _forms(make: Callable[..., object], item: KeepsResults) -> dict[Any, Any]:
    """The results of a function for an object, by its other arguments."""
    try:
        found: dict[Any, Any] = item._results[make]
    except (AttributeError, KeyError):
        found = _results_of(item)[make] = {}
    return found


def _keep(forms: dict[Any, Any], key: object, form: _Form) -> _Form:
    """Keep a form, in the place of the oldest one where `MAX_FORMS` are kept."""
    if len(forms) >= MAX_FORMS:
        oldest, *_ = forms  # one step, also where other threads keep forms
        forms.pop(oldest, None)
    forms[key] = form
    return form


def kept_by_identity_with(
    make: Callable[Concatenate[_Item, _Rest], _Result],
) -> Callable[Concatenate[_Item, _Rest], _Result]:
    """Like `kept_by_identity`, for functions with more arguments, which are compared by value."""

    @wraps(make)
    def kept(item: _Item, /, *rest: _Rest.args, **none: _Rest.kwargs) -> _Result:
        forms = _forms(make, item)
        found = forms.get(rest)
        if found is None:
            found = _keep(forms, rest, (make(item, *rest, **none),))
        result: _Result = found[0]
        return result

    return kept


def kept_by_identities(
    make: Callable[Concatenate[_Item, _Rest], _Result],
) -> Callable[Concatenate[_Item, _Rest], _Result]:
    """Like `kept_by_identity`, for functions of several objects.

    The first one keeps the result, and meanwhile the others, so that no other object can have the
    same identity.
    """

    @wraps(make)
    def kept(item: _Item, /, *others: _Rest.args, **none: _Rest.kwargs) -> _Result:
        forms = _forms(make, item)
        key = tuple(map(id, others))
        found = forms.get(key)
        if found is None:
            found = _keep(forms, key, (others, make(item, *others, **none)))
        result: _Result = found[1]
        return result

    return kept
