"""Leaves out the diagnostics that an author ignores, and reports ignores without a diagnostic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.text import Span
from tilewright.rules.model.ruleset import Ignore


@dataclass(frozen=True, slots=True)
class Inspected:
    """The diagnostics of one ruleset in the order of their discovery, before `ignore:` is applied.

    `own` are all ignores of the ruleset, `others` those in the other files with diagnostics.
    """

    diagnostics: tuple[Diagnostic, ...]
    own: tuple[Ignore, ...]
    others: tuple[Ignore, ...]


def with_ignores(found: Reporter, requested: Iterable[Ignore], all_: Iterable[Ignore]) -> Reporter:
    """The diagnostics that no author ignores, and the ignores of `requested` that are not used."""
    ignores: dict[str, dict[Ignore, None]] = {}
    for ignore in all_:
        ignores.setdefault(ignore.span.file, {})[ignore] = None
    used: set[Ignore] = set()
    left = Reporter()
    for diagnostic in found.diagnostics:
        amendments = [
            ignore
            for ignore in ignores.get(diagnostic.span.file, ())
            if ignore.code == diagnostic.code and _is_within(diagnostic.span, ignore.within)
        ]
        if diagnostic.severity == "error" or not amendments:
            left.add(diagnostic)
        else:
            used.update(amendments)
    stopped = any(d.severity == "error" and d.code[:3] != "TW6" for d in found.diagnostics)
    if not stopped:  # else there may be more to come
        for ignore in requested:
            if ignore not in used:
                message = f"there is no {ignore.code} here to ignore"
                left.warning("TW631", message, ignore.span)
    return left


def _is_within(span: Span, outer: Span | None) -> bool:
    if outer is not None and outer.column == 0:  # a comment
        return span.line == outer.line
    return outer is None or (
        (outer.line, outer.column) <= (span.line, span.column)
        and (span.end_line, span.end_column) <= (outer.end_line, outer.end_column)
    )
