"""The limits of rules: the largest number, list and repetition, and the steps after one choice."""

from __future__ import annotations

from tilewright.runtime.faults import RuleError

#: no rule needs more rounds or larger numbers; a rule that exceeds this is faulty
MAX_ROUNDS = 10_000
MAX_NUMBER = 10**12
#: the most members of a list that grows one by one
MAX_MEMBERS = 10_000
#: the most steps of metered rules between two choices
MAX_STEPS = 10_000_000


def bounded(number: int) -> int:
    """`number` itself, when it is within the limit; stops numbers that grow without end.

    Raises RuleError beyond `MAX_NUMBER`.
    """
    if not -MAX_NUMBER <= number <= MAX_NUMBER:
        raise RuleError(f"a number of a rule is beyond {MAX_NUMBER}")
    return number
