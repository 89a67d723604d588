"""Messages for the author of a file that the YAML parser cannot read.

The parser's own messages name its tokens; these name what the author probably meant. Messages that
are not in the table here are passed on unchanged.
"""

from __future__ import annotations

import re
from typing import Any

from tilewright.language.source.diagnostics import Note, Reporter
from tilewright.language.source.text import Span

# by message of the parser: our message, a hint, and whether to report the place where it began
_WORDS: dict[str, tuple[str, str, bool]] = {
    "mapping values are not allowed": (
        "a `:` is not allowed here",
        "put text that contains `: ` in quotes, and begin every key on its own line",
        False,
    ),
    "found unexpected ':'": (
        "a `:` is not allowed here",
        "put text that contains `:` in quotes",
        False,
    ),
    "could not find expected ':'": (
        "expected a `:` after this key",
        "write `key: value`; put text of several lines into an indented `|` block",
        True,
    ),
    "did not find expected key": (
        "expected a key of the map that is open here",
        "the keys of one map begin in the same column",
        False,
    ),
    "did not find expected '-' indicator": (
        "expected a `-` of the list that is open here",
        "the items of one list begin in the same column",
        False,
    ),
    "did not find expected ',' or ']'": ("expected `,` or `]`", "", False),
    "did not find expected ',' or '}'": ("expected `,` or `}`", "", False),
    "found unexpected end of stream": ("this quote is never closed", "", True),
    "found unexpected document indicator": ("this quote is never closed", "", True),
    "found character that cannot start any token": (
        "a value cannot begin with this character",
        "put the text in quotes",
        False,
    ),
    "did not find expected node content": ("expected a value here", "", False),
    "block sequence entries are not allowed": (
        "a list cannot begin here",
        "begin the list on the next line, indented",
        False,
    ),
    "mapping keys are not allowed": (
        "a map cannot begin here",
        "begin the map on the next line, indented",
        False,
    ),
    "found unknown escape character": (
        "an unknown escape after `\\`",
        "write `\\\\` for a backslash, or use single quotes",
        False,
    ),
    "did not find expected <document start>": (
        "expected the end of the file",
        "a file is one map, one list or one text",
        False,
    ),
    "did not find expected comment or line break": (
        "expected the end of the line",
        "the text of a block begins on the next line",
        False,
    ),
}

#: a key and a text that goes on to the end of the line, with a `: ` in it
_BARE_TEXT = re.compile(r"[ -]*(\w+): +([^\s\"'\[{|>][^\"\\]*: [^\"\\]*\S)\s*$")


def report_syntax_error(error: Any, lines: list[str], file: str, reporter: Reporter) -> None:
    """Report the error that ended the parser, by the code that fits it best."""
    problem = str(getattr(error, "problem", None) or "the text cannot be read")
    context = str(getattr(error, "context", None) or "")
    place = _span(getattr(error, "problem_mark", None), lines, file)
    began = _span(getattr(error, "context_mark", None), lines, file)
    place = place or began or Span(file, 1, 1, 1, 1)
    tab = _tab_in_indentation(lines, place)
    if tab is not None or "tab character" in problem:
        message = "a tab in the indentation; expected spaces"
        reporter.error("TW110", message, tab or place)
        return
    for word, code, thing in (
        ("anchor", "TW103", "an anchor"),
        ("alias", "TW104", "an alias"),
        ("tag", "TW105", "a tag"),
        ("%TAG", "TW105", "a tag"),
    ):
        if f"a {word}" in context or f"an {word}" in context or f"undefined {word}" in problem:
            message = f"{thing} is not allowed here"
            hint = "put text that begins with this character in quotes"
            reporter.error(code, message, began or place, hint=hint)
            return
    message, hint, at_start = f"not YAML: {problem.lower()}", "", False
    for beginning, words in _WORDS.items():
        if problem.startswith(beginning):
            message, hint, at_start = words
            break
    bare = _BARE_TEXT.match(lines[place.line - 1])
    if problem.startswith("mapping values") and bare:
        hint = f'put text that contains `: ` in quotes: `{bare[1]}: "{bare[2]}"`'
    if _is_too_deep(problem, lines, place):
        message = "this line is indented more than the key above it"
        hint = "the keys of one map begin in the same column"
    if problem == "did not find expected key" and lines[place.line - 1][: place.column - 1].strip():
        message = "expected the end of the line"
        hint = "put the whole of a text with quotes, brackets or marks in quotes"
    notes: tuple[Note, ...] = ()
    if at_start and began is not None:
        place = began
    elif began is not None and began.line != place.line:
        notes = (Note(began, "it began here"),)
    reporter.error("TW101", message, place, notes=notes, hint=hint)


def _is_too_deep(problem: str, lines: list[str], place: Span) -> bool:
    """Whether a `:` is an error because its line is indented more than the key with a value above.

    Only the first `: ` of a line counts, after one word: it is meant as a key.
    """
    if not problem.startswith("mapping values") or place.line < 2:
        return False
    here, above = lines[place.line - 1], lines[place.line - 2]
    key = here[: place.column - 1].strip()
    before = above.lstrip(" -")
    is_key = key.isidentifier() and ": " in before and before.split(":")[0].isidentifier()
    return is_key and len(here) - len(here.lstrip()) > len(above) - len(before)


def _span(mark: Any, lines: list[str], file: str) -> Span | None:
    """The character at a mark; the end of the last line with text when it is beyond that."""
    if mark is None:
        return None
    line, column = mark.line, mark.column
    if line >= len(lines) or (line == len(lines) - 1 and not lines[line]):
        line = min(line, len(lines) - 1)
        while line > 0 and not lines[line].strip():
            line -= 1
        column = len(lines[line].rstrip())
    return Span(file, line + 1, column + 1, line + 1, column + 2)


def _tab_in_indentation(lines: list[str], place: Span) -> Span | None:
    """The first tab before the first word of the line, if there is one."""
    line = lines[place.line - 1]
    blank = line[: len(line) - len(line.lstrip(" \t"))]
    if "\t" not in blank:
        return None
    column = blank.index("\t") + 1
    return Span(place.file, place.line, column, place.line, column + 1)
