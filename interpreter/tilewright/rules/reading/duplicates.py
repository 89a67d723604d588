"""Reports things of one category with the same name."""

from __future__ import annotations

from tilewright.language.source.diagnostics import Note, Reporter
from tilewright.language.source.text import Span


class UniqueNames:
    """The names of one category so far, to report a second thing with the same name."""

    __slots__ = ("_places", "_reporter", "_what")

    def __init__(self, what: str, reporter: Reporter) -> None:
        self._what = what
        self._reporter = reporter
        self._places: dict[str, Span] = {}

    def add(self, name: str, span: Span, code: str = "TW223") -> None:
        """Add a name, and report it when there is one already."""
        first = self._places.setdefault(name, span)
        if first != span:
            self._reporter.error(
                code,
                f"there are two {self._what} with the name `{name}`",
                span,
                notes=(Note(first, "the first one is here"),),
            )
