"""Profiles of Hypothesis, and one reading of the shipped rulesets for each process.

`default` and `ci` try the same examples in every run, `ci` ten times as many.
`HYPOTHESIS_PROFILE=fuzz pytest tests/...` explores: fifty times as many as `ci`, others each time.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from support.examples import PROFILE, scaled
from support.read_once import read_each_ruleset_once

#: whole programs and games are large examples, and the machine may be busy
PATIENT = settings(
    print_blob=True,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
        HealthCheck.large_base_example,
    ],
)
REPEATABLE = settings(PATIENT, max_examples=scaled(100), derandomize=True, database=None)
settings.register_profile("default", REPEATABLE)
settings.register_profile("ci", REPEATABLE)
settings.register_profile("fuzz", PATIENT, max_examples=scaled(100))
settings.load_profile(PROFILE)

# no test is answered from what an earlier run kept at home
os.environ["TILEWRIGHT_CACHE"] = ""

read_each_ruleset_once()
