"""Profiles of Hypothesis, and one reading of the shipped rulesets for each process.

Bytecode is kept below the cache of pytest, also where the environment switches it off: else every
worker and every run of the program in a process of its own compiles all that it imports.

`default` and `ci` try the same examples in every run, `ci` ten times as many.
`HYPOTHESIS_PROFILE=fuzz pytest tests/...` explores: fifty times as many as `ci`, others each time.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

from support.examples import PROFILE, scaled
from support.make_once import make_each_once

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

# most objects of a test run stay to its end, so looking for garbage often finds little of it
gc.set_threshold(20_000, 20, 50)

BYTECODE = Path(__file__).parent.parent / ".pytest_cache" / "bytecode"
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)

# no test is answered from what an earlier run kept at home
os.environ["TILEWRIGHT_CACHE"] = ""
# nor changed by a configuration file above the folder of the tests
os.environ["TILEWRIGHT_CONFIG"] = ""

make_each_once()
