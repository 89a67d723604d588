"""Cases of a parametrized test that run by default, and those that run only with everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def slow_unless(is_quick: Callable[[Any], bool], cases: Iterable[Any]) -> list[Any]:
    """All cases; those that are not quick are marked `slow`. A tuple is one case of its parts."""
    return [
        case
        if is_quick(case)
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for case in cases
    ]


def with_some_house_rules(rulesets: Iterable[str]) -> list[str]:
    """All printed boxes, and each third house rule: each changes little of a box that is there."""
    ids = list(rulesets)
    house = [id_ for id_ in ids if id_.startswith("house/")]
    return [id_ for id_ in ids if id_ not in house or house.index(id_) % 3 == 1]


#: boxes of the second edition: the base, decisions in the middle of a turn, covers
SAMPLED = ("c2/base", "c2/princess-and-dragon", "c2/bridges")


def is_sampled(ruleset: str) -> bool:
    """Whether the default run takes this of all shipped rulesets: the third edition, and a few."""
    return ruleset.startswith("c3") or ruleset in SAMPLED
