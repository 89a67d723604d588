"""Results are kept with the objects that they are made of, and go with them."""

from __future__ import annotations

import gc
import pickle
from dataclasses import dataclass, replace
from weakref import ref

import pytest

from tilewright.language.source import identity
from tilewright.language.source.identity import (
    KeepsResults,
    kept_by_identities,
    kept_by_identity,
    kept_by_identity_with,
)


@dataclass(frozen=True, slots=True)
class Thing(KeepsResults):
    name: str


class Result:
    """A result, which may hold what it was made of."""

    def __init__(self, *parts: object) -> None:
        self.parts = parts


@kept_by_identity
def one(thing: Thing) -> Result:
    return Result(thing)


@kept_by_identity_with
def number(thing: Thing, wanted: int) -> Result:
    return Result(thing, wanted)


@kept_by_identities
def both(thing: Thing, other: Thing) -> Result:
    return Result(thing, other)


def test_a_result_is_made_once_for_each_object() -> None:
    first, equal = Thing("a"), Thing("a")
    assert one(first) is one(first) and one(first) is not one(equal)
    assert number(first, 1) is number(first, 1) and number(first, 1) is not number(first, 2)
    assert both(first, equal) is both(first, equal) and both(equal, first) is not both(first, equal)


def test_results_go_with_their_object_also_when_they_hold_it() -> None:
    thing, other = Thing("a"), Thing("b")
    kept = [ref(one(thing)), ref(number(thing, 1)), ref(both(thing, other))]
    gc.collect()
    assert all(result() is not None for result in kept)
    del thing
    gc.collect()
    assert [result() for result in kept] == [None, None, None]


def test_an_object_keeps_few_results_of_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "MAX_FORMS", 4)
    thing = Thing("a")
    kept = [ref(number(thing, i)) for i in range(10)]
    others = [ref(both(thing, Thing(str(i)))) for i in range(10)]
    gc.collect()
    assert [result() is not None for result in kept] == [False] * 6 + [True] * 4
    assert [result() is not None for result in others] == [False] * 6 + [True] * 4


def test_results_are_no_part_of_the_data() -> None:
    thing = Thing("a")
    result = one(thing)
    copies = replace(thing), pickle.loads(pickle.dumps(thing))
    assert copies == (thing, thing) and repr(thing) == repr(Thing("a"))
    assert all(one(copy) is not result for copy in copies)
