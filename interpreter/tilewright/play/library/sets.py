"""Sets, numbers and the metering of loops, for compiled rules.

Sets of figures and of tiles are bit masks, all other sets are lists in a fixed order. `spend`
counts steps; nothing else here changes a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from tilewright.play.faults import RuleError
from tilewright.play.limits import MAX_MEMBERS, MAX_ROUNDS, MAX_STEPS, takes_too_long
from tilewright.play.match import Match

T = TypeVar("T")

#: the result of a conditional amendment whose condition is false
MISSING = object()


_BITS: dict[int, tuple[int, ...]] = {}
MAX_BITS = 20_000  # size at which the cache is emptied


def bits(mask: int) -> tuple[int, ...]:
    """The members of a bit mask, lowest first; cached, because the same few masks return often."""
    known = _BITS.get(mask)
    if known is not None:
        return known
    found = []
    rest = mask
    while rest:
        low = rest & -rest
        found.append(low.bit_length() - 1)
        rest ^= low
    if len(_BITS) > MAX_BITS:
        _BITS.clear()
    known = _BITS[mask] = tuple(found)
    return known


def mask_of(members: Iterable[int]) -> int:
    """The bit mask of these members."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def distinct(members: Iterable[T]) -> list[T]:
    """The members without repetitions, in their order."""
    return list(dict.fromkeys(members))


def first_bit(mask: int) -> int | None:
    """The lowest member of a mask, or None when it is empty."""
    return (mask & -mask).bit_length() - 1 if mask else None


def first_of(members: Sequence[T]) -> T | None:
    """The first member of a list, or None when it is empty."""
    return members[0] if members else None


def first_bits(mask: int, count: int) -> int:
    """The lowest members of a mask: so many, or all of them."""
    found = 0
    while mask and count > 0:
        lowest = mask & -mask
        found, mask, count = found | lowest, mask ^ lowest, count - 1
    return found


def number_range(first: int, last: int) -> list[int]:
    """The whole numbers from one to another; the linker has bounded how many there are."""
    return list(range(first, last + 1))


def most(rated: list[tuple[int, int]]) -> list[int]:
    """The members with the highest rating, from pairs (rating, member)."""
    best = max((rating for rating, _ in rated), default=0)
    return [member for rating, member in rated if rating == best]


def least(rated: list[tuple[int, int]]) -> list[int]:
    """The members with the lowest rating, from pairs (rating, member)."""
    best = min((rating for rating, _ in rated), default=0)
    return [member for rating, member in rated if rating == best]


#: lists that are not longer than this are not metered by themselves
SHORT = 100


def rounds(times: int) -> int:
    """`times` itself; raises RuleError when it is above `MAX_ROUNDS`."""
    if times > MAX_ROUNDS:
        raise RuleError(f"a rule needs {times} repetitions; at most {MAX_ROUNDS} are allowed")
    return times


def metered(m: Match, members: Sequence[T], each: int, rule: str) -> Sequence[T]:
    """`members` itself, after counting `each` steps for each member."""
    m.spent += len(members) * each
    if m.spent > MAX_STEPS:
        raise takes_too_long(rule)
    return members


def spend(m: Match, steps: int, rule: str) -> None:
    """Count steps; raises RuleError beyond `MAX_STEPS` that the turns have not paid for."""
    m.spent += steps
    if m.spent > MAX_STEPS:
        raise takes_too_long(rule)


def metered_long(m: Match, members: Sequence[T], each: int, rule: str) -> Sequence[T]:
    """`members` itself; a long list counts `each` steps for each member, and has a limit."""
    if len(members) > SHORT:
        spend(m, len(members) * each, rule)
        if len(members) > MAX_MEMBERS:
            raise RuleError(f"a set grows beyond {MAX_MEMBERS} members")
    return members


def with_one_more(m: Match, members: list[T], one: T, rule: str) -> list[T]:
    """The list with one more member, unless it has it already; a long list is metered."""
    if len(members) > SHORT:
        spend(m, len(members), rule)
        if len(members) >= MAX_MEMBERS:
            raise RuleError(f"a set grows beyond {MAX_MEMBERS} members")
    return members if one in members else [*members, one]


def cycle(members: Sequence[T], times: int) -> list[T]:
    """`times` members, starting again at the first one after the last."""
    rounds(times)
    return [members[i % len(members)] for i in range(times)] if members else []


def quotient(left: int, right: int) -> int:
    """Integer division, rounded towards minus infinity; 0 when `right` is 0."""
    return left // right if right else 0


def remainder(left: int, right: int) -> int:
    """The remainder of `quotient`; `left` when `right` is 0."""
    return left % right if right else left
