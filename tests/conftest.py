"""Profiles of Hypothesis, and one reading of the shipped rulesets for each process.

`default` and `ci` try the same examples in every run. `HYPOTHESIS_PROFILE=fuzz pytest tests/...`
explores: it tries fifty times as many, and others each time.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from support.examples import PROFILE
from support.read_once import read_each_ruleset_once

#: wholly made programs and games are large, and the machine may be busy
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
REPEATABLE = settings(PATIENT, derandomize=True, database=None)
settings.register_profile("default", REPEATABLE)
settings.register_profile("ci", REPEATABLE)
settings.register_profile("fuzz", PATIENT)
settings.load_profile(PROFILE)

# no test is answered from what an earlier run kept at home
os.environ["TILEWRIGHT_CACHE"] = ""

read_each_ruleset_once()
