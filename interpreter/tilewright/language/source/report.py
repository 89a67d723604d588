"""Formats diagnostics as text for people, as JSON for programs, and as SARIF for code hosts.

Each function returns one string and prints nothing. Control characters in the author's text are
made visible, and long lines are cut around the place.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from tilewright.language.locale.words import ENGLISH, Words
from tilewright.language.source.about import VERSION
from tilewright.language.source.catalogue import CodeInfo, codes
from tilewright.language.source.diagnostics import Conflict, Diagnostic, Fix, Note, Severity
from tilewright.language.source.fingerprints import FINGERPRINT, fingerprints
from tilewright.language.source.text import Span

ReadSource = Callable[[str], str | None]

TAB = 4  # columns a tab is shown as
WIDEST = 120  # columns shown of a source line

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_DIM, _BOLD = "34", "1"


# ------------------------------------------------------------------ text


def as_text(
    diagnostics: Iterable[Diagnostic],
    read_source: ReadSource,
    colour: bool = False,
    language: str = ENGLISH,
) -> str:
    """Each diagnostic with its place, the underlined source line, second places and help.

    In other languages than English the title of the code is the headline, and the message, which
    is English, follows the source line.
    """
    page = _Page(read_source, colour, Words(language))
    return "\n".join(page.diagnostic(diagnostic) for diagnostic in diagnostics)


#: the code of a rule that names no statement
UNSTATED = "TW603"
#: gaps: a statement without a rule, a rule without a statement or a scenario
GAPS = ("TW601", UNSTATED, "TW604", "TW639")
#: the code of lines that an author has marked as unfinished
UNFINISHED = "TW630"
#: gaps of one code that are printed in full, and places that are listed for the others
_MAX_IN_FULL, _MAX_PLACES = 1, 10


def as_short_text(
    diagnostics: Iterable[Diagnostic],
    read_source: ReadSource,
    colour: bool = False,
    language: str = ENGLISH,
) -> tuple[str, bool]:
    """The same with gaps last, many gaps of one code on one line, and unfinished lines on one each.

    The second result is whether any were left out.
    """
    page, found = _Page(read_source, colour, Words(language)), tuple(diagnostics)
    out = [page.diagnostic(each) for each in found if each.code not in (*GAPS, UNFINISHED)]
    unfinished = [page.in_one_line(each) for each in found if each.code == UNFINISHED]
    is_short = bool(unfinished)
    out += ["\n".join(unfinished)] if unfinished else []
    for code in GAPS:
        gaps = [each for each in found if each.code == code]
        # one more in full takes no more room than a line about it
        cut = _MAX_IN_FULL if len(gaps) > _MAX_IN_FULL + 1 else len(gaps)
        out += [page.diagnostic(each) for each in gaps[:cut]]
        if gaps[cut:]:
            is_short = True
            places = _places(gaps[cut:])
            more = page.words.plural("report.more_like_it", len(gaps) - cut, places=places)
            out.append(f"{code}: {more}\n")
    return "\n".join(out), is_short


def _places(diagnostics: Iterable[Diagnostic]) -> str:
    """The places of the first diagnostics: `rules/turn.yaml:3, 9; rules/end.yaml:4, ...`."""
    spans = [diagnostic.span for diagnostic in diagnostics]
    lines: dict[str, list[str]] = {}
    for span in spans[:_MAX_PLACES]:
        lines.setdefault(span.file, []).append(str(span.line))
    files = (f"{visible(file)}:{', '.join(found)}" for file, found in lines.items())
    return "; ".join(files) + (", ..." if len(spans) > _MAX_PLACES else "")


def summary(diagnostics: Iterable[Diagnostic], language: str = ENGLISH) -> str:
    """The number of each severity: "2 errors, 1 warning", or "no findings"."""
    words = Words(language)
    found = Counter(diagnostic.severity for diagnostic in diagnostics)
    shown = [
        words.plural(f"report.count.{severity.value}s", found[severity])
        for severity in Severity
        if found[severity]
    ]
    return ", ".join(shown) or words("report.no_findings")


class _Page:
    """Formats diagnostics; reads each source file once."""

    def __init__(self, read_source: ReadSource, colour: bool, words: Words) -> None:
        self.words = words
        self.read_source = read_source
        self.colour = colour
        self.sources: dict[str, list[str]] = {}

    def in_one_line(self, diagnostic: Diagnostic) -> str:
        """The place and the message of one diagnostic."""
        place = f"{diagnostic.span.file}:{diagnostic.span.line}"
        return f"{visible(place)}: {visible(diagnostic.message)}"

    def diagnostic(self, diagnostic: Diagnostic) -> str:
        """One diagnostic with its places and help."""
        tint = _COLOURS[diagnostic.severity]
        places = (diagnostic.span, *(note.span for note in diagnostic.notes))
        margin = len(str(max(place.line for place in places)))
        severity = self.words(f"report.severity.{diagnostic.severity.value}")
        head = self.paint(f"{severity}[{diagnostic.code}]", f"{_BOLD};{tint}")
        message, title = visible(diagnostic.message), f"diagnostic.{diagnostic.code}"
        is_translated = title in self.words
        out = [f"{head}: {self.paint(self.words(title) if is_translated else message, _BOLD)}"]
        out += self.excerpt(diagnostic.span, margin, tint)
        bar = self.paint(f"{' ' * margin} =", _DIM)
        out += [f"{bar} {self.words('report.message')}: {message}"] if is_translated else []
        for note in diagnostic.notes:
            second = self.paint(self.words("report.severity.note"), f"{_BOLD};36")
            out.append(f"{second}: {visible(note.message)}")
            out += self.excerpt(note.span, margin, "36")
        if diagnostic.conflict:
            out += self.conflict(diagnostic.conflict, bar)
        if diagnostic.hint:
            out.append(f"{bar} {self.words('report.help')}: {visible(diagnostic.hint)}")
        if diagnostic.fix:
            fix = diagnostic.fix
            change = self.words("report.remove")
            if fix.replacement:
                change = self.words("report.write", text=visible(fix.replacement))
            out.append(f"{bar} {self.words('report.fix')}: {visible(fix.title) or change}")
        return "\n".join(out) + "\n"

    def conflict(self, conflict: Conflict, bar: str) -> list[str]:
        """The situation of a conflict, and the lines that resolve it."""
        out = [f"{bar} {self.words('report.both')}: {visible(conflict.situation)}"]
        if conflict.lines:
            settle = self.words("report.settle", where=visible(conflict.where))
            out.append(f"{bar} {settle}:")
            out += [f"{' ' * 8}{visible(line)}" for line in conflict.lines.split("\n")]
        return out

    def excerpt(self, span: Span, margin: int, tint: str) -> list[str]:
        """The place, and its source line with the span underlined."""
        if not span.file:
            return []
        arrow = self.paint(f"{' ' * margin}-->", _DIM)
        if span.line < 1:
            return [f"{arrow} {visible(span.file)}"]
        out = [f"{arrow} {visible(str(span))}"]
        line = self.line(span)
        if line is None:
            return out
        end = span.end_column - 1 if span.end_line == span.line else len(line)
        shown, start, width = _window(line, span.column - 1, end)
        bar = self.paint(f"{' ' * margin} |", _DIM)
        number = self.paint(f"{span.line:>{margin}} |", _DIM)
        underline = self.paint("^" * width, f"{_BOLD};{tint}")
        return [*out, bar, f"{number} {shown}".rstrip(), f"{bar} {' ' * start}{underline}"]

    def line(self, span: Span) -> str | None:
        """The source line of a place; None when it cannot be read."""
        if span.file not in self.sources:
            text = self.read_source(span.file)
            normal = None if text is None else text.removeprefix("\ufeff").replace("\r\n", "\n")
            self.sources[span.file] = [] if normal is None else normal.split("\n")
        lines = self.sources[span.file]
        return lines[span.line - 1] if span.line <= len(lines) else None

    def paint(self, text: str, style: str) -> str:
        """The text in an ANSI style, if colours are on."""
        return f"\x1b[{style}m{text}\x1b[0m" if self.colour else text


def visible(text: str) -> str:
    """Text without line breaks, tabs, control characters and marks that change its direction."""
    return "".join(_seen(character) for character in text)


def _seen(character: str) -> str:
    if character == "\t":
        return " " * TAB
    if character == "\n":
        return " "
    kind = unicodedata.category(character)
    # Cf has the marks that change the direction of text; scripts need its joiners
    if kind in ("Cc", "Cs", "Zl", "Zp") or (kind == "Cf" and character not in "\u200c\u200d\xad"):
        return "\ufffd"
    return character


def _width(character: str) -> int:
    """The number of terminal columns of a character."""
    if character == "\t":
        return TAB
    if unicodedata.combining(character) or character in "\u200c\u200d\xad\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _window(line: str, start: int, end: int) -> tuple[str, int, int]:
    """The part of a line worth showing, and the column and the width of the underline in it."""
    start = min(max(start, 0), len(line))
    end = min(max(end, start), len(line))
    first = 0
    if len(line) > WIDEST and end > WIDEST - 10:
        first = max(0, start - WIDEST // 3)
    last = min(len(line), first + WIDEST)
    before = "…" if first else ""
    after = "…" if last < len(line) else ""
    shown = before + visible(line[first:last]) + after
    column = len(before) + sum(_width(c) for c in line[first:start])
    width = sum(_width(c) for c in line[start : min(end, last)])
    return shown, column, max(width, 1)


# ------------------------------------------------------------------ JSON


def as_json(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON list of objects; the keys are the same for every diagnostic and do not change."""
    found = [_object(diagnostic) for diagnostic in diagnostics]
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def _object(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "name": codes()[diagnostic.code].name if diagnostic.code in codes() else "",
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        **_place(diagnostic.span),
        "notes": [{"message": note.message, **_place(note.span)} for note in diagnostic.notes],
        "hint": diagnostic.hint,
        "fix": _fix(diagnostic.fix),
        "quarrel": _conflict(diagnostic.conflict),
    }


def _place(span: Span) -> dict[str, Any]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _conflict(conflict: Conflict | None) -> dict[str, str] | None:
    if conflict is None:
        return None
    return {"situation": conflict.situation, "where": conflict.where, "lines": conflict.lines}


def _fix(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    return {"title": fix.title, "replacement": fix.replacement, **_place(fix.span)}


# ------------------------------------------------------------------ SARIF


#: the base of relative file names, which a code host replaces by the folder of its copy
_ROOT = "%SRCROOT%"


def as_sarif(diagnostics: Iterable[Diagnostic]) -> str:
    """One SARIF 2.1.0 run, with the whole catalogue of codes as its rules.

    The fingerprints of results do not change when lines move.
    """
    found = tuple(diagnostics)
    others = sorted({each.code for each in found} - codes().keys())  # of schemas of the author
    numbers = {code: number for number, code in enumerate((*codes(), *others))}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "tilewright",
                        "version": VERSION,
                        "rules": [
                            *(_rule(info) for info in codes().values()),
                            *({"id": code} for code in others),
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {
                    _ROOT: {"description": {"text": "The folder in which the program was run."}}
                },
                "results": [
                    {
                        **_result(each, numbers[each.code]),
                        "partialFingerprints": {FINGERPRINT: fingerprint},
                    }
                    for each, fingerprint in zip(found, fingerprints(found), strict=True)
                ],
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(info: CodeInfo) -> dict[str, Any]:
    wrong, mended = info.failing.strip("\n"), info.mended.strip("\n")
    examples = f"Wrong:\n\n{wrong}\n\nMended:\n\n{mended}"
    fenced = f"Wrong:\n\n```yaml\n{wrong}\n```\n\nMended:\n\n```yaml\n{mended}\n```"
    return {
        "id": info.code,
        "name": info.name,
        "shortDescription": {"text": info.title},
        "fullDescription": {"text": info.explanation},
        "help": {
            "text": f"{info.explanation}\n\n{examples}\n",
            "markdown": f"{info.explanation}\n\n{fenced}\n",
        },
    }


def _result(diagnostic: Diagnostic, number: int) -> dict[str, Any]:
    message = diagnostic.message + (f"; {diagnostic.hint}" if diagnostic.hint else "")
    if diagnostic.conflict:
        found = diagnostic.conflict
        message += f"\n\nBoth: {found.situation}"
        message += f"\n\nTo settle it, {found.where}:\n\n{found.lines}" if found.lines else ""
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": number,
        "level": diagnostic.severity.value,
        "message": {"text": message},
    }
    if _is_file(diagnostic.span):
        result["locations"] = [_location(diagnostic.span)]
    related = [_related(note) for note in diagnostic.notes if _is_file(note.span)]
    if related:
        result["relatedLocations"] = related
    if diagnostic.fix:
        result["fixes"] = [_change(diagnostic.fix)]
    return result


def _location(span: Span) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(span)}
    if span.line > 0:
        place["region"] = _region(span)
    return {"physicalLocation": place}


def _is_file(span: Span) -> bool:
    """Whether a place is in a file and not on the command line."""
    return bool(span.file) and not span.file.startswith("<")


def _artifact(span: Span) -> dict[str, str]:
    path = PurePath(span.file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix()), "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _related(note: Note) -> dict[str, Any]:
    return {**_location(note.span), "message": {"text": note.message}}


def _change(fix: Fix) -> dict[str, Any]:
    replacement = {
        "deletedRegion": _region(fix.span),
        "insertedContent": {"text": fix.replacement},
    }
    change = {"artifactLocation": _artifact(fix.span), "replacements": [replacement]}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}
