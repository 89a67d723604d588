"""Profiles of Hypothesis, and one reading of the shipped rulesets for each worker.

`HYPOTHESIS_PROFILE=fuzz pytest tests/...` explores new examples; without it a run is repeatable.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from support.read_once import read_each_ruleset_once

#: the same examples in every run, whatever the machine does meanwhile
REPEATABLE = settings(
    derandomize=True,
    print_blob=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("default", REPEATABLE)
settings.register_profile("ci", REPEATABLE)
settings.register_profile(
    "fuzz",
    max_examples=2_000,
    print_blob=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# what a test asks is never answered from what an earlier run kept at home
os.environ["TILEWRIGHT_CACHE"] = ""

read_each_ruleset_once()
