"""Witnesses that need no search: those of earlier runs, and those that come with the software.

The cache of the user has them while no ruleset has changed. The software has those of pairs of
editions, one file for each pair, whose name is a digest of what makes them true: the content hashes
of both games, and the rows in which they differ, with the rules and statements of each. Where this
changes, the file is not found. Scenarios lead a search and do not make a board true, so they are
not part of the name. Boards that are played with further rulesets have the hashes of these games in
the file.
"""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from dataclasses import replace

from tilewright.rules.reading.library import boards_folder
from tilewright.tools.scenarios.runner import Programs
from tilewright.tools.witness.attribution import wanted_rows
from tilewright.tools.witness.find import (
    DECISIONS,
    Heard,
    Progress,
    find_witnesses,
    silent,
    unheard,
)
from tilewright.tools.witness.storage import read_witnesses, scenario_of, witnesses_data
from tilewright.tools.workspace.cache import Cache, digest_of
from tilewright.tools.workspace.library_state import library_state
from tilewright.view.results.comparison import Comparison
from tilewright.view.results.divergence import Witnesses, keyed_rows

#: to be increased where an older file would be read as something else
_FORMAT = "1"
ENDING = ".boards"
#: digits of a digest that name a file
_DIGITS = 24


def all_witnesses(
    comparison: Comparison,
    games: Programs,
    cache: Cache,
    progress: Progress,
    *,
    is_searched: bool = False,
) -> list[Witnesses]:
    """The witnesses of the first side against each of the others, as `kept_witnesses` has them."""
    return [
        kept_witnesses(
            comparison, games, cache, right=number, progress=progress, is_searched=is_searched
        )
        for number in range(1, len(comparison.sides))
    ]


def kept_witnesses(
    comparison: Comparison,
    games: Programs,
    cache: Cache,
    *,
    left: int = 0,
    right: int = 1,
    decisions: int = DECISIONS,
    seconds: float | None = None,
    progress: Progress = silent,
    heard: Heard = unheard,
    state: tuple[str, ...] | None = None,
    is_searched: bool = False,
) -> Witnesses:
    """The witnesses of two sides: from the cache while no ruleset has changed, else those that come
    with the software unless `is_searched`, else searched. The result of a longer search is taken
    as well. A search that was cut short is not kept.

    Sides are known by their names, which must be those of games in the library of `games`; `state`
    is its `library_state`, where it is known; the rest is as in `find_witnesses`.
    """
    sides = comparison.sides[left], comparison.sides[right]
    if state is None:
        state = () if cache.folder is None else library_state(games.library)
    basis = (
        "witnesses", *state, f"{left} {right}", *(f"{side.name} {side.hash}" for side in sides),
        digest_of(key for key, _ in keyed_rows(comparison)),
    )  # fmt: skip
    kept = None
    for most in dict.fromkeys((DECISIONS, decisions)) if state else ():
        raw = cache.get(*basis, str(most)) if most >= decisions and kept is None else None
        # unreadable data is computed again
        with suppress(KeyError, TypeError, ValueError):
            kept = read_witnesses(json.loads(raw)) if raw is not None else kept
    if kept is not None:
        for witness in kept.witnesses:
            heard(witness)
        return kept
    if decisions <= DECISIONS and not is_searched:
        kept = shipped_witnesses(comparison, games, left, right, heard)
    if kept is not None:
        return kept
    found = find_witnesses(
        (sides[0].name, sides[1].name),
        comparison,
        games.library,
        left=left,
        right=right,
        decisions=decisions,
        seconds=seconds,
        progress=progress,
        heard=heard,
    )
    if state and not found.sought.stopped:
        cache.put(json.dumps(witnesses_data(found)).encode(), *basis, str(decisions))
    return found


# ------------------------------------------------------------------ those of the software


def shipped_name(comparison: Comparison, left: int = 0, right: int = 1) -> str:
    """The name of the file with the witnesses of two sides, which is there or not."""
    sides = comparison.sides[left], comparison.sides[right]
    rows = (
        " | ".join((row.key, *(" ".join(sorted(x)) for x in (*row.marks, *row.statements))))
        for row in wanted_rows(comparison, left, right)
    )
    names = (f"{side.name} {side.hash}" for side in sides)
    digest = digest_of((_FORMAT, str(DECISIONS), *names, *rows))
    return f"{digest[:_DIGITS]}{ENDING}"


def shipped_witnesses(
    comparison: Comparison,
    games: Programs,
    left: int = 0,
    right: int = 1,
    heard: Heard = unheard,
) -> Witnesses | None:
    """The witnesses of two sides that come with the software; None where there are none, or where
    a further game in which one is played has changed. Those of the two games alone are heard first.
    """
    try:
        packed = (boards_folder() / shipped_name(comparison, left, right)).read_bytes()
        data = json.loads(zlib.decompress(packed))
        found = read_witnesses(data["witnesses"])
        further = {
            int(number): [(text, tuple((k, v) for k, v in options), hash_)
                          for text, options, hash_ in others]
            for number, others in data["further"].items()
        }  # fmt: skip
    except (OSError, zlib.error, KeyError, TypeError, ValueError):
        return None
    for number in sorted(range(len(found.witnesses)), key=lambda each: each in further):
        for text, options, hash_ in further.get(number, ()):
            game, _ = games.linked(text, options)
            if game is None or game.hash != hash_:
                return None
        heard(found.witnesses[number])
    return replace(found, left=left, right=right)


def shipped_data(comparison: Comparison, found: Witnesses, games: Programs) -> bytes:
    """The content of the file for a complete result."""
    sides = comparison.sides[found.left], comparison.sides[found.right]
    own = [(side.name, ()) for side in sides]
    further = {}
    for number, witness in enumerate(found.witnesses):
        scenarios = map(scenario_of, witness.sides)
        named = [("+".join(scenario.rulesets), scenario.options) for scenario in scenarios]
        linked = [(*each, games.linked(*each)[0]) for each in named if each not in own]
        others = [(text, options, game.hash) for text, options, game in linked if game is not None]
        if others:
            further[number] = others
    data = {
        "games": [[side.name, side.hash] for side in sides],
        "further": further,
        "witnesses": witnesses_data(found),
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8"), 9)
