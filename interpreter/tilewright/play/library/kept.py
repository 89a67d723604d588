"""The values that memory keeps for single things: a number of each tile, a mark of each feature.

This memory is a tuple of pairs, the number of a thing and its value, in the order of the things.
Start values are left out, so equal memories are equal tuples; a change replaces the tuple. Only
features also keep the start value: a feature that was given a value has it, whatever it joins.
An entry belongs to the feature that its own one has joined, or that holds its first segment.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from tilewright.play.board.relaying import lies, shows
from tilewright.play.match import Match
from tilewright.rules.linking.game import LinkedMemory

Entries = tuple[tuple[int, Any], ...]

#: how the values of features that have become one are combined, by number; 0 for other things
ALONE, SUM, MAX, MIN, FIRST = range(5)
LAWS = {"": ALONE, "sum": SUM, "max": MAX, "any": MAX, "min": MIN, "all": MIN, "first": FIRST}


def law_of(memory: LinkedMemory) -> int:
    """The number of the law of a memory."""
    return LAWS[memory.declaration.combine]


def all_kept(m: Match, slot: int) -> list[tuple[int, Any]]:
    """The things for which a memory keeps a value, each with it; joined features only once."""
    memory, board = m.program.game.memory[slot], m.board
    law = law_of(memory)
    if not law:
        is_there = {"tile": lies, "segment": shows}.get(memory.of) if board.relaid else None
        entries = m.memory[slot]
        return [each for each in entries if is_there is None or is_there(board, each[0])]
    roots = dict.fromkeys(board.find(part) for part, _ in m.memory[slot])
    if board.relaid:
        roots = {root: None for root in roots if board.tiles[root]}
    return [(root, kept(m, root, law, slot)) for root in roots]


def kept(m: Match, thing: int, law: int, slot: int) -> Any:
    """The value that a memory keeps for a thing."""
    if law:
        return _kept_of_feature(m, thing, law, slot)
    entries = m.memory[slot]
    at = bisect_left(entries, (thing,))
    if at < len(entries) and entries[at][0] == thing:
        return entries[at][1]
    return m.program.kept_start[slot]


def keep(m: Match, thing: int, value: Any, law: int, slot: int) -> None:
    """Let a memory keep a value for a thing."""
    if law:
        _keep_of_feature(m, thing, value, slot)
        return
    entries = m.memory[slot]
    at = bisect_left(entries, (thing,))
    rest = at + (at < len(entries) and entries[at][0] == thing)
    new = () if value == m.program.kept_start[slot] else ((thing, value),)
    m.memory[slot] = (*entries[:at], *new, *entries[rest:])


def _kept_of_feature(m: Match, feature: int, law: int, slot: int) -> Any:
    """The values that a memory keeps for the parts of a feature, combined."""
    root = m.board.find(feature)
    values = [value for part, value in m.memory[slot] if m.board.find(part) == root]
    if not values:
        return m.program.kept_start[slot]
    if law == SUM:
        return sum(values)
    if law == FIRST:
        return values[0]
    return max(values) if law == MAX else min(values)


def _keep_of_feature(m: Match, feature: int, value: Any, slot: int) -> None:
    """Let a memory keep a value for a feature, in place of the values of its parts."""
    root = m.board.find(feature)
    rest = [(part, old) for part, old in m.memory[slot] if m.board.find(part) != root]
    m.memory[slot] = tuple(sorted([*rest, (root, value)]))
