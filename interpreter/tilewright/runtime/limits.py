"""How far rules may go: the greatest number, list and repetition, and the steps of one choice."""

from __future__ import annotations

from tilewright.runtime.faults import RuleError

#: no rule needs more rounds, or greater numbers; one that asks for more has run away
MAX_ROUNDS = 10_000
MAX = 10**12
#: a list that grows one by one has no more members
MAX_MEMBERS = 10_000
#: how much may be gone through from one choice to the next by rules that could go far
MAX_STEPS = 10_000_000


def bounded(number: int) -> int:
    """A number that may be kept or handed on: one that grows without end is stopped.

    Raises RuleError when it is beyond `MOST`.
    """
    if not -MAX <= number <= MAX:
        raise RuleError(f"a number of a rule is beyond {MAX}")
    return number
