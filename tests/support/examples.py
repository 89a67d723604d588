"""How many examples Hypothesis tries: what a test asks for, and many more when it explores."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
#: examples of the profile `fuzz` for each one of the others
MANY = 50 if PROFILE == "fuzz" else 1


def examples(count: int) -> Any:
    return settings(max_examples=count * MANY)
