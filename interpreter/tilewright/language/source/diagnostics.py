"""Diagnostics: problems with their place and, if known, a fix.

Every stage reports into one `Reporter` and continues: one run reports every problem. A diagnostic
that only follows from an earlier one is dropped. A diagnostic is data: `report` formats it for a
terminal or as JSON, and `codes` has the long explanation of its code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tilewright.language.locale.words import ENGLISH, Words
from tilewright.language.source.text import Span

LONGEST_NAME = 80  # of a name that is worth a search for its neighbours
#: and names are compared with at most so many
MAX_CANDIDATES = 10_000


class Severity(StrEnum):
    """How bad it is: an error stops the game, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


_SEVERITIES = tuple(Severity)


@dataclass(frozen=True, slots=True)
class Note:
    """A second place of a diagnostic, with a note that explains it."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A safe change: the stretch of text to replace, and by what."""

    span: Span
    replacement: str
    title: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two that disagree: a smallest situation in which both apply, and lines that settle it.

    `lines` are YAML, ready for a ruleset; `where` is a sentence that names the ruleset.
    """

    situation: str
    where: str
    lines: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One diagnostic. Diagnostics sort by severity, errors first, then by place and code.

    `unknown` is the name that nothing has, if it is about one and no hint explains it already.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    notes: tuple[Note, ...] = ()
    hint: str = ""
    fix: Fix | None = None
    conflict: Conflict | None = None
    unknown: str = ""

    @property
    def rank(self) -> tuple[int, str, int, int, str, str]:
        """The sort key of diagnostics."""
        at = self.span
        severity = _SEVERITIES.index(self.severity)
        return (severity, at.file, at.line, at.column, self.code, self.message)

    def __lt__(self, other: Diagnostic) -> bool:
        return self.rank < other.rank

    def __str__(self) -> str:
        return f"{self.span}: {self.severity}[{self.code}]: {self.message}"


class Reporter:
    """Collects diagnostics, and returns each once, errors first, in the order of the files."""

    __slots__ = ("_found", "_poisoned", "calls", "error_count")

    def __init__(self) -> None:
        self._found: dict[tuple[str, Span, str], Diagnostic] = {}
        self._poisoned: dict[str, list[Span]] = {}
        self.error_count = 0
        self.calls = 0  # diagnostics that were reported, those that are not kept included

    @classmethod
    def discarding(cls) -> Reporter:
        """A reporter whose diagnostics nobody reads: they are known already, or do not matter."""
        return cls()

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        notes: tuple[Note, ...] = (),
        hint: str = "",
        fix: Fix | None = None,
        conflict: Conflict | None = None,
        unknown: str = "",
    ) -> None:
        """Report what stops the game, unless it only follows from an earlier error."""
        severity = Severity.ERROR
        self.add(Diagnostic(code, severity, message, span, notes, hint, fix, conflict, unknown))

    def warning(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        notes: tuple[Note, ...] = (),
        hint: str = "",
        fix: Fix | None = None,
    ) -> None:
        """Report what is probably a mistake."""
        self.add(Diagnostic(code, Severity.WARNING, message, span, notes, hint, fix))

    def note(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        notes: tuple[Note, ...] = (),
        hint: str = "",
        fix: Fix | None = None,
    ) -> None:
        """Report what is worth knowing."""
        self.add(Diagnostic(code, Severity.NOTE, message, span, notes, hint, fix))

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a diagnostic unless it was reported before, or its place is poisoned."""
        self.calls += 1
        key = (diagnostic.code, diagnostic.span, diagnostic.message)
        if key in self._found or self.is_poisoned(diagnostic.span):
            return
        self._found[key] = diagnostic
        self.error_count += diagnostic.severity is Severity.ERROR

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Keep the diagnostics that another reporter has collected."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def poison(self, span: Span) -> None:
        """Drop later diagnostics inside this span: they would only follow from an earlier one."""
        self._poisoned.setdefault(span.file, []).append(span)

    def is_poisoned(self, span: Span) -> bool:
        """Whether a diagnostic at this place would only follow from an earlier one."""
        return any(_encloses(outer, span) for outer in self._poisoned.get(span.file, ()))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics, sorted, each once."""
        return tuple(sorted(self._found.values()))

    def in_order_of_report(self) -> tuple[Diagnostic, ...]:
        """All diagnostics, each once, in the order in which they were reported."""
        return tuple(self._found.values())

    @property
    def has_errors(self) -> bool:
        """Whether an error was reported."""
        return self.error_count > 0


def _encloses(outer: Span, inner: Span) -> bool:
    return (outer.line, outer.column) <= (inner.line, inner.column) and (
        inner.end_line,
        inner.end_column,
    ) <= (outer.end_line, outer.end_column)


def at_least(diagnostics: Iterable[Diagnostic], severity: Severity) -> tuple[Diagnostic, ...]:
    """The diagnostics of this severity or worse."""
    ranks = list(Severity)
    return tuple(d for d in diagnostics if ranks.index(d.severity) <= ranks.index(severity))


# ------------------------------------------------------------------ words for messages


def quoted(text: str, longest: int = 60) -> str:
    """The author's words between backticks, cut where they are long."""
    first = text.split("\n", 1)[0]
    if len(first) > longest or first != text:
        return f"`{first[: longest - 1]}…`"
    return f"`{first}`"


def one_of(words: Iterable[str]) -> str:
    """A list in words: `a`, `b` or `c`."""
    return _listed(words, "or")


def all_of(words: Iterable[str]) -> str:
    """A list in words: `a`, `b` and `c`."""
    return _listed(words, "and")


def _listed(words: Iterable[str], conjunction: str) -> str:
    shown = [f"`{word}`" for word in words]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} {conjunction} {shown[-1]}"


def with_article(noun: str) -> str:
    """A noun with its article: `an item`."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def did_you_mean(name: str, candidates: Iterable[str], language: str = ENGLISH) -> str:
    """The end of a message about an unknown name: "; did you mean `x`?", or nothing."""
    found = nearest(name, candidates)
    return "" if found is None else f"; {Words(language)('report.did_you_mean', name=found)}"


def same_prefix_hint(name: str, candidates: Iterable[str], most: int = 8) -> str:
    """A hint that lists the known names with the same first word before a dot, or nothing."""
    head = name.split(".")[0] + "."
    found = sorted(c for c in set(candidates) if c.startswith(head))
    if not found or "." not in name:
        return ""
    shown = ", ".join(f"`{c}`" for c in found[:most])
    return f"there is {shown}" + (" ..." if len(found) > most else "")


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The known name that is closest to a misspelt one, or None when none is close.

    The same for every order of the candidates: among equally close ones the first of the alphabet,
    those with the same first letter before others. None too beyond `MAX_CANDIDATES`, which would
    take seconds.
    """
    if not name or len(name) > LONGEST_NAME:
        return None
    known = frozenset(candidates)
    return _nearest(name, known) if len(known) <= MAX_CANDIDATES else None


# a name is often misspelt the same way many times
@lru_cache(maxsize=256)
def _nearest(name: str, candidates: frozenset[str]) -> str | None:
    wanted = _folded(name)
    known = sorted(
        (c for c in candidates if c != name and len(c) <= LONGEST_NAME),
        key=lambda c: (_folded(c)[:1] != wanted[:1], c),
    )
    for candidate in known:
        if _folded(candidate) == wanted:
            return candidate
    limit = max(1, len(wanted) // 3)
    best: str | None = None
    for candidate in known:
        distance = _distance(wanted, _folded(candidate), limit)
        if distance <= limit and distance < max(len(wanted), len(candidate)):
            best, limit = candidate, distance - 1
    if limit > 0 and len(wanted) > 3:  # no name is only one letter away
        parts = {c: c.split("_") for c in known if "_" in c}
        whole = (c for c, words in parts.items() if name in words)
        begun = (
            c
            for c, words in parts.items()
            if any(w.startswith(name[:-1]) and len(w) <= len(name) + 2 for w in words)
        )
        best = next(whole, best or next(begun, None))
    if best is None:
        ending = [c for c in known if c.endswith((f".{name}", f"/{name}"))]
        best = ending[0] if len(ending) == 1 else None
    return best


def _folded(name: str) -> str:
    return name.casefold().replace("_", "-").replace(" ", "-")


def _distance(a: str, b: str, limit: int) -> int:
    """How many letters to insert, drop, change or put behind their neighbour; above the limit
    any number above it."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]
