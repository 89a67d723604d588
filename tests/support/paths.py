"""Where tests find the project and the data beside them."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
DATA = TESTS / "data"
#: small rulesets for tests; `trial/table` is a whole game
TRIALS = DATA / "rulesets"
TABLE = TRIALS / "trial" / "table"
