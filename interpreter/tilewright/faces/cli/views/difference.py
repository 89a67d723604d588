"""The page of a difference: a chapter for each impact, both sides of each change, and places."""

from __future__ import annotations

from tilewright.faces.cli.output import bold, colour_wanted, dim, heading, say, wrapped
from tilewright.view.comparison.difference import counted, detail, headline, places
from tilewright.view.results.difference import Change, Difference
from tilewright.view.results.impact import MEANING, Impact

_COLOURS = {"-": 31, "+": 32}


def print_difference(found: Difference) -> None:
    """Print a difference as text."""
    say(f"{bold(found.old.name)} → {bold(found.new.name)}")
    line = counted(found)
    if found.old.hash:
        is_same = found.old.hash == found.new.hash
        line += f"; hash {found.old.hash[:8]}" + ("" if is_same else f" → {found.new.hash[:8]}")
    say(line)
    for impact in Impact:
        changes = found.of(impact)
        if changes:
            heading(impact.value)
            say(dim(wrapped(MEANING[impact], 2)))
            for change in changes:
                _print(change)


def _print(change: Change) -> None:
    inner = " " * (4 + len(change.fingerprint))
    say(f"  {dim(change.fingerprint)}  {wrapped(headline(change), len(inner)).lstrip()}")
    for sign, line in detail(change):
        text = f"{inner}{sign} {line}"
        say(f"\x1b[{_COLOURS[sign]}m{text}\x1b[0m" if sign != " " and colour_wanted() else text)
    if change.why:
        say(wrapped(change.why, len(inner)))
    where = places(change)
    if where:
        say(dim(inner + where))
