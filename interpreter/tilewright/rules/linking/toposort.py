"""Sorts rules by `after` and steps by insertion; the order of reading does not matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")


def sorted_after(
    items: Sequence[T], key: Callable[[T], str], after: Callable[[T], Iterable[str]]
) -> tuple[list[T], list[str]]:
    """Sort items so that each comes after those it names, and otherwise by key.

    The second result has the members of a cycle, if there is one (then the order is by key).
    """
    by_key = {key(item): item for item in items}
    waiting = {k: {a for a in after(item) if a in by_key} for k, item in by_key.items()}
    if not any(waiting.values()):
        return [by_key[k] for k in sorted(by_key)], []
    done: list[T] = []
    placed: set[str] = set()
    while waiting:
        free = sorted(k for k, before in waiting.items() if before <= placed)
        if not free:
            rest = sorted(waiting)
            return done + [by_key[k] for k in rest], circle(waiting)
        done.append(by_key[free[0]])
        placed.add(free[0])
        del waiting[free[0]]
    return done, []


def circle(edges: Mapping[str, Iterable[str]]) -> list[str]:
    """The members of one cycle in a graph, in order; empty when there is none."""
    done: set[str] = set()
    for node in sorted(edges):
        path: list[str] = []
        waiting = [iter((node,))]
        while waiting:
            target = next(waiting[-1], None)
            if target is None:
                waiting.pop()
                if path:
                    done.add(path.pop())
            elif target in path:
                return path[path.index(target) :]
            elif target not in done:
                path.append(target)
                waiting.append(iter(sorted(edges.get(target, ()))))
    return []


def bottom_up(edges: Mapping[str, Iterable[str]]) -> list[str]:
    """The nodes of an acyclic graph, each after all nodes that it leads to."""
    found: dict[str, None] = {}
    for node in sorted(edges):
        waiting = [node]
        while waiting:
            here = waiting[-1]
            below = [n for n in sorted(edges[here]) if n in edges and n not in found]
            if here in found or not below:
                found.setdefault(here)
                waiting.pop()
            else:
                waiting += below
    return list(found)


def closure(edges: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """For each node, all nodes that can be reached from it (transitive closure)."""
    found: dict[str, set[str]] = {}
    for start in edges:
        seen: set[str] = set()
        waiting = list(edges[start])
        while waiting:
            here = waiting.pop()
            if here not in seen:
                seen.add(here)
                waiting += edges.get(here, ())
        found[start] = seen
    return found


@lru_cache(1024)
def inserted(
    steps: tuple[tuple[str, int, tuple[str, ...], tuple[str, ...]], ...],
    pairs: tuple[tuple[str, str], ...] = (),
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Step ids in turn order from (id, depth, after, before).

    Each step is put directly after the last of the steps it comes after, or else directly before
    the first of those it comes before. Steps of rulesets that others build on (lower depth) are
    inserted first. In each of `pairs` the first comes before the second, not necessarily directly.
    The second result has the members of a cycle, if there is one.
    """
    edges: dict[str, set[str]] = {}
    known = {step[0] for step in steps}
    for id_, _, after, before in steps:
        edges.setdefault(id_, set()).update(a for a in after if a in known)
        for b in before:
            if b in known:
                edges.setdefault(b, set()).add(id_)
    earlier: dict[str, set[str]] = {}
    for first, second in pairs:
        if first in known and second in known:
            earlier.setdefault(second, set()).add(first)
            edges.setdefault(second, set()).add(first)
    looped = circle(edges)
    if looped:
        return tuple(sorted(known)), tuple(looped)
    before_it = closure(edges)
    depth = {step[0]: step[1] for step in steps}
    order: list[str] = []
    pending = sorted(steps, key=lambda step: (step[1], step[0]))
    while pending:
        step = next(
            (
                s
                for s in pending
                if all(a in order or a not in known for a in (*s[2], *earlier.get(s[0], ())))
            ),
            pending[0],
        )
        pending.remove(step)
        id_, _, after, ahead_of = step
        places_before = [order.index(b) for b in ahead_of if b in order]
        places_after = [order.index(a) for a in after if a in order]
        if places_after:
            at = max(places_after) + 1
            limit = min(places_before, default=len(order))
            # after steps of the same depth that were inserted at the same place
            while at < limit and depth[order[at]] == depth[id_] and depth[id_] > 0:
                at += 1
        else:
            at = min(places_before, default=len(order))
        # the declarations of other steps, also through others, leave at least one place for it
        floor = max((order.index(a) + 1 for a in before_it[id_] if a in order), default=0)
        ceiling = min((order.index(b) for b in order if id_ in before_it[b]), default=len(order))
        order.insert(min(max(at, floor), ceiling), id_)
    return tuple(order), ()
