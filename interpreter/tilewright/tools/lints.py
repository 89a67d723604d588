"""What is no error and yet most likely a slip, or something that its author still has to do."""

from __future__ import annotations

import re

from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Span

_TODO = re.compile(r"\bTODO\b[:)]*\s*(?P<what>[^\"'#]*)")


def lint_marks(text: str, file: str, reporter: Reporter) -> None:
    """Report every line of a file on which its author has left the mark `TODO`."""
    for number, line in enumerate(text.split("\n"), 1):
        found = _TODO.search(line)
        if found is not None:
            span = Span(file, number, found.start() + 1, number, found.start() + 5)
            what = " ".join(found["what"].split())
            reporter.warning("TW630", f"something is left to do: {what or 'see there'}", span)
