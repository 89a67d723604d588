"""Findings about house rules that are private, and those that count once they are published.

A house rule without statements is private: nobody asks for the sentences and sources of its rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity
from tilewright.language.source.report import UNSTATED
from tilewright.rules.reading.library import Library


def private(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The findings without the notes about rules of private house rules."""
    return (each for each in found if not _is_note(each))


def published(
    found: Iterable[Diagnostic], library: Library, ids: Sequence[str]
) -> Iterator[Diagnostic]:
    """The findings, with a warning for each house rule and rule that names no statement."""
    for each in found:
        yield replace(each, severity=Severity.WARNING) if _is_note(each) else each
    quiet = Reporter.discarding()  # the check has reported what cannot be read
    for id_ in ids:
        own = library.load_rules(id_, quiet)
        if own is not None and own.module.kind == "house" and not own.statements:
            message = f"house rule `{id_}` has no statements"
            hint = "write them into statements.yaml, and their sources into module.yaml"
            yield Diagnostic(UNSTATED, Severity.WARNING, message, own.module.span, hint=hint)


def _is_note(each: Diagnostic) -> bool:
    return each.code == UNSTATED and each.severity is Severity.NOTE
