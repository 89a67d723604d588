"""The limits of rules: the largest number, list and repetition, and the steps after one choice."""

from __future__ import annotations

from tilewright.play.faults import RuleError

#: no rule needs more rounds or larger numbers; a rule that exceeds this is faulty
MAX_ROUNDS = 10_000
MAX_NUMBER = 10**12
#: the most members of a set that rules make
MAX_MEMBERS = 10_000
#: the most options of a decision, eighty times those of any shipped game
MAX_OFFERED = 100_000
#: how often tiles can be lifted or replaced in a match
MAX_LIFTED = 4_000
#: the most steps of rules that the turns have not paid for
MAX_STEPS = 100_000_000
#: the steps that a turn pays for, if somebody chose in it: more than the rules of any shipped game
#: take in a turn, so that what accumulates comes from a rule that runs away
TURN_STEPS = 3_000_000
#: the steps of a turn in which nobody chose: five hundred of them are too many
IDLE_STEPS = MAX_STEPS // 500
#: the steps of a choice: its options, and its entry in the log
CHOICE_STEPS = 1_000


def takes_too_long(rule: str) -> RuleError:
    """The error of a rule that takes more steps than the turns allow."""
    return RuleError(
        f"`{rule}` takes too long: the rules may take {TURN_STEPS:,} steps a turn,"
        f" and once {MAX_STEPS:,} more"
    )


def turns_take_too_long(has_choices: bool) -> RuleError:
    """The error of turns that take more steps than they allow."""
    if not has_choices:
        return RuleError(f"nobody had a choice in {MAX_STEPS // IDLE_STEPS} turns")
    return RuleError(
        f"the turns take too long: the rules may take {TURN_STEPS:,} steps a turn,"
        f" and once {MAX_STEPS:,} more"
    )


def too_many_options(many: int, kind: str, most: int) -> RuleError:
    """The error of a decision with more options than are allowed."""
    return RuleError(f"a player would choose from {many} {kind}; at most {most} are allowed")


def bounded(number: int) -> int:
    """`number` itself, when it is within the limit; stops numbers that grow without end.

    Raises RuleError beyond `MAX_NUMBER`.
    """
    if not -MAX_NUMBER <= number <= MAX_NUMBER:
        raise RuleError(f"a number of a rule is beyond {MAX_NUMBER}")
    return number
