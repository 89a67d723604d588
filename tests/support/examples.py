"""How many examples Hypothesis tries: all that a test asks for in `.ci/run`, fewer by default."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

from hypothesis import settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
_SHARES = {"default": Fraction(1, 10), "ci": Fraction(1), "fuzz": Fraction(50)}


def scaled(count: int) -> int:
    """How many examples the profile of this run tries of so many."""
    return max(2, int(count * _SHARES[PROFILE]))


def examples(count: int) -> Any:
    return settings(max_examples=scaled(count))
