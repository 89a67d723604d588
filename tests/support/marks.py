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


def is_edition(ruleset: str) -> bool:
    """Whether a shipped ruleset is of a printed edition: no house rule, no variant."""
    return not ruleset.startswith(("house/", "variants/"))
