"""Decides whether the order of two rules matters, and explains why.

Two rules commute when neither writes what the other reads or writes. Points are an exception: they
add up in any order. Tokens are not: a common supply may run out between two gifts. A choice may
depend on an earlier choice or draw, and the end of the game cuts off every later effect.
"""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.rules.analysis.side_effects import (
    ADDED,
    CHANCE,
    CHOICE,
    END,
    END_AT_ONCE,
    POINTS,
    AccessSets,
    Part,
)

#: parts that two rules may both write in any order
_ADDS_UP = frozenset((POINTS, CHANCE))
_ENDS = frozenset((END, END_AT_ONCE))
_FLOW = frozenset((CHOICE, CHANCE))


def why_order_matters(
    first: AccessSets, second: AccessSets, names: tuple[str, str], everything: frozenset[Part]
) -> str:
    """The reason why the order of two rules matters, as the start of a sentence; "" if it does not.

    `everything` holds all figures, tokens and stacks of the game: a complete set is not listed.
    """
    one, other = names
    changes = with_memory(first.writes), with_memory(second.writes)
    added = {("memory", id_) for state, id_ in first.writes & second.writes if state == ADDED}
    added -= first.writes | second.writes
    both = (changes[0] & changes[1]) - added - _ADDS_UP - _FLOW - _ENDS
    if both:
        return f"`{one}` and `{other}` both change {_words(both, everything)}"
    for written, by, writer, reader in (
        (changes[0], second, one, other),
        (changes[1], first, other, one),
    ):
        read = written & by.reads
        if read:
            words = _words(read, everything, quoted=True)
            return f"`{writer}` changes {words}, which `{reader}` reads,"
    for mine, theirs, writer, reader in (
        (first, second, one, other),
        (second, first, other, one),
    ):
        ends = mine.writes & _ENDS
        if ends and theirs.writes - ends:
            rest = with_memory(theirs.writes) - _FLOW - _ENDS
            what = f"changes {_words(rest, everything)}" if rest else "may end it at once"
            what = "lets a player choose" if not rest and CHOICE in theirs.writes else what
            return f"`{writer}` may end the game, and `{reader}` {what}"
    if CHOICE in first.writes & second.writes:
        return f"`{one}` and `{other}` both let a player choose"
    for mine, theirs, writer, reader in (
        (first, second, one, other),
        (second, first, other, one),
    ):
        if CHANCE in mine.writes and CHOICE in theirs.writes:
            return f"`{writer}` draws pieces, and `{reader}` lets a player choose"
    return ""


def with_memory(parts: Iterable[Part]) -> set[Part]:
    """The parts that are written, with memory that is only added to like any other."""
    return {("memory", id_) if state == ADDED else (state, id_) for state, id_ in parts}


def _words(parts: Iterable[Part], everything: frozenset[Part], *, quoted: bool = False) -> str:
    """A list of parts of a match as text; memory is named by its id."""
    by_state: dict[str, list[str]] = {}
    for state, id_ in sorted(parts):
        by_state.setdefault(state, []).append(id_)
    found: list[str] = []
    for state, ids in by_state.items():
        if state == "memory":
            found += [f"`{id_}`" if quoted else id_ for id_ in ids]
        elif ids == [""] or {i for s, i in everything if s == state} <= {*ids}:
            found.append(state)
        else:
            found += [f"{_OF[state]} {id_}" for id_ in ids]
    return ", ".join(found)


_OF = {
    "figures": "figures of",
    "companions": "companions of",
    "tokens": "tokens of",
    "stacks": "stack",
}
