"""Printing: lines, tables, colours, diagnostics in several formats.

Standard output contains only the result, for scripts to read. Usage errors and progress go to
standard error. Colours are used only on terminals.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

from tilewright.faces.cli.exit_codes import PROBLEMS, SUCCESS, UNREADABLE, USAGE, Stop
from tilewright.faces.cli.written_files import write_result
from tilewright.language.source.files import read_whole
from tilewright.language.source.yaml.tree import MAX_FILE_BYTES

if TYPE_CHECKING:
    from rich.console import Console

    from tilewright.language.source.diagnostics import Diagnostic, Severity
    from tilewright.play.faults import RuleError

#: diagnostics printed by a verb whose result is something else
_MAX_BESIDE = 5
#: diagnostics of files that cannot be read or written, or are not text
_NOT_READ = frozenset(("TW107", "TW109", "TW114", "TW226", "TW942"))


def colour_wanted(stream: TextIO | None = None) -> bool:
    """Whether a stream is a terminal that shows colours."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    target = stream or sys.stdout
    return target.isatty() and os.environ.get("TERM") != "dumb"


def colour_depth() -> int:
    """The colours of the terminal, in bits: 4, 8 or 24; those of a pipe with colours are all."""
    forced = {"2": 8, "3": 24}.get(os.environ.get("FORCE_COLOR", ""))
    if forced is not None:
        return forced
    kind = os.environ.get("TERM", "")
    if os.environ.get("COLORTERM") in ("truecolor", "24bit") or not kind:
        return 24
    return 8 if "256" in kind else 4


#: their names in Rich
_SYSTEMS: dict[int, Literal["standard", "256", "truecolor"]] = {
    4: "standard",
    8: "256",
    24: "truecolor",
}


def can_draw() -> bool:
    """Whether the letters of boards can be written on standard output."""
    try:
        "▒═╬┏◆●".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


_SGR = re.compile(r"\x1b\[([\d;]*8;2;[\d;]*)m")
_RGB = re.compile(r"([34])8;2;(\d+);(\d+);(\d+)")


def fitted(text: str) -> str:
    """Text with its 24-bit colours replaced by the nearest that the terminal has."""
    depth = colour_depth() if "8;2;" in text else 24
    return text if depth == 24 else _SGR.sub(lambda found: _nearest(found[1], depth), text)


@cache
def _nearest(codes: str, depth: int) -> str:
    """A sequence in the colours of 4 or 8 bits; a letter never vanishes in its ground."""
    from rich.color import Color, ColorSystem

    system = ColorSystem.STANDARD if depth == 4 else ColorSystem.EIGHT_BIT
    found: dict[str, Color] = {}
    for layer, *rgb in _RGB.findall(codes):
        found[layer] = Color.from_rgb(*map(int, rgb)).downgrade(system)
    if "3" in found and found["3"] == found.get("4"):
        red, green, blue = next(rgb for layer, *rgb in _RGB.findall(codes) if layer == "4")
        is_light = 299 * int(red) + 587 * int(green) + 114 * int(blue) > 140_000
        found["3"] = Color.from_ansi(0 if is_light else 15)
    rest = [code for code in _RGB.sub("", codes).split(";") if code]
    for layer, colour in found.items():
        rest += colour.get_ansi_codes(layer == "3")
    return f"\x1b[{';'.join(rest)}m"


#: forms of results whose letters may be those of a terminal
_FOR_PEOPLE = frozenset(("text", "markdown"))
#: limits of the width of a page, in columns
_NARROWEST, _WIDEST = 20, 1_000


def width(without_terminal: int = 100) -> int:
    """The width of the page in columns: that of `COLUMNS`, of the terminal or the given one."""
    columns = shutil.get_terminal_size((without_terminal, 40)).columns
    return min(max(columns, _NARROWEST), _WIDEST)


def say(text: str = "") -> None:
    """Print one or more lines of the result on standard output."""
    sys.stdout.write(fitted(text if text.endswith("\n") else text + "\n"))


def through_pager(text: str) -> bool:
    """Show a text in the pager of the person, if there is one; whether it was shown."""
    command = os.environ.get("TILEWRIGHT_PAGER", os.environ.get("PAGER", "less"))
    if command in ("", "cat") or os.environ.get("TERM") == "dumb" or not sys.stdin.isatty():
        return False
    import shlex
    import signal
    import subprocess

    try:
        # as git does: colours stay, and so does the text when the pager ends
        pager = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, env={"LESS": "FRX", **os.environ}
        )
    except (OSError, ValueError):
        return False
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the pager
    try:
        pager.communicate(text.encode(sys.stdout.encoding or "utf-8", "replace"))
    finally:
        signal.signal(signal.SIGINT, before)
    return True


def as_data(form: str) -> None:
    """From here on standard output is UTF-8 if a form is for programs."""
    if form not in _FOR_PEOPLE and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def say_json(data: Any) -> None:
    """Print data as indented JSON."""
    import json

    as_data("json")
    say(json.dumps(data, ensure_ascii=False, indent=2))


def put(made: str | bytes, out: Path | None, form: str) -> None:
    """Write a result to a file, whole or not at all, or to standard output.

    Raises `Stop` for a PNG on a terminal.
    """
    if out is None:
        as_data(form)
        if isinstance(made, bytes):
            if sys.stdout.isatty():
                raise Stop(USAGE, "a PNG is not written to a terminal; add `--out FILE`")
            sys.stdout.buffer.write(made)
        else:
            say(made)
        return
    data = made if isinstance(made, bytes) else (made.rstrip("\n") + "\n").encode()
    with writing(out):
        write_result(out, data, form)
    mention(f"{form} written to {out}")


@contextmanager
def result_to(out: Path | None, form: str) -> Iterator[None]:
    """Everything that is printed inside as the result goes to a file, whole or not at all."""
    if out is None:
        as_data(form)
        yield
        return
    import io
    from contextlib import redirect_stdout

    import typer

    made = io.StringIO()
    try:
        with redirect_stdout(made):
            yield
    except typer.Exit:
        put(made.getvalue(), out, form)
        raise
    put(made.getvalue(), out, form)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raises `Stop` where a file or a folder cannot be written."""
    try:
        yield
    except OSError as refused:
        reason = (refused.strerror or str(refused)).lower()
        raise Stop(UNREADABLE, f"cannot write `{path}`: {reason}") from None


def place(file: str, line: int = 0) -> str:
    """A place to show: shipped files from the folder of all rulesets on, others as they are."""
    from tilewright.rules.reading.library import short_path

    short = short_path(file)
    return f"{short}:{line}" if line else short


#: the lines of progress that standard error shows at present
_LIVE: list[object] = []


@contextmanager
def line_below(drawn: object) -> Iterator[None]:
    """While this lasts, something draws a line of progress below all that is mentioned."""
    _LIVE.append(drawn)
    try:
        yield
    finally:
        _LIVE.remove(drawn)


def mention(text: str) -> None:
    """Print one or more lines on standard error."""
    sys.stdout.flush()
    if _LIVE:
        sys.stderr.write("\r\x1b[K")  # the line of progress is drawn again below the text
    sys.stderr.write(text if text.endswith("\n") else text + "\n")


def bold(text: str) -> str:
    """The text in bold, where colours are used."""
    return f"\x1b[1m{text}\x1b[0m" if colour_wanted() else text


def dim(text: str) -> str:
    """The text in a faint colour, where colours are used."""
    return f"\x1b[2m{text}\x1b[0m" if colour_wanted() else text


def heading(text: str) -> None:
    """Print a heading after an empty line."""
    say()
    say(bold(text))


#: text in lines of a width, as one text or as a list; words stay whole
filled = partial(textwrap.fill, break_long_words=False, break_on_hyphens=False)
in_lines = partial(textwrap.wrap, break_long_words=False, break_on_hyphens=False)


def wrapped(text: str, indent: int = 0, hanging: int | None = None) -> str:
    """Text in the width of the page; indents are numbers of spaces."""
    first = " " * indent
    rest = " " * (indent if hanging is None else hanging)
    room = max(40, min(width(), 110))
    return filled(" ".join(text.split()), room, initial_indent=first, subsequent_indent=rest)


def fitting(text: str, words: str) -> str:
    """A text with words beside it, or below where the page is too narrow for both."""
    plain = re.sub(r"\x1b\[[\d;]*m", "", words)
    return text + (words if len(text + plain) <= width() else f"\n{dim(wrapped(plain, 4, 6))}")


def rows(table: Iterable[Sequence[str]], indent: int = 2) -> str:
    """A table with wrapped cells in the width of the page.

    Where words do not fit into the columns, the cells of a row are placed below one another.
    """
    lines = [tuple(row) for row in table]
    if not lines:
        return ""
    room = max(40, min(width(), 140))
    count = max(len(row) for row in lines)
    columns = [[row[i] for row in lines if i < len(row)] for i in range(count)]
    # the last cell of a short row takes the remaining room and does not widen a column
    inner = [[row[i] for row in lines if i < len(row) - 1] for i in range(count - 1)]
    widest = [max(map(len, cells), default=0) for cells in (*inner, columns[-1])]
    least = [max((len(w) for cell in cells for w in cell.split()), default=0) for cells in columns]
    left = room - indent - 2 * (count - 1)
    if sum(widest[:-1]) + max(min(24, widest[-1]), least[-1]) <= left:
        widths = [*widest[:-1], max(24, left - sum(widest[:-1]))]
    else:
        widths = _shared(widest, least, left)
    if not widths:
        return "\n".join(_stacked(row, indent, room) for row in lines)
    return "\n".join(line for row in lines for line in _row(row, widths, indent))


def _shared(widest: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths of columns that share the room, long ones equally; empty where words do not fit."""
    for cap in range(max(widest, default=0), 11, -1):
        widths = [max(small, min(wide, cap)) for wide, small in zip(widest, least, strict=True)]
        if sum(widths) <= room:
            return widths
    return []


def _row(row: Sequence[str], widths: Sequence[int], indent: int) -> list[str]:
    """One row of columns as lines; the last cell takes the room of all remaining columns."""
    cells = []
    for i, cell in enumerate(row):
        is_last = i == len(row) - 1
        room = sum(widths[i:]) + 2 * (len(widths) - 1 - i) if is_last else widths[i]
        cells.append(in_lines(cell, max(1, room)) or [""])
    lines = []
    for number in range(max(map(len, cells), default=0)):
        parts = [cell[number] if number < len(cell) else "" for cell in cells]
        text = "  ".join(part.ljust(wide) for part, wide in zip(parts, widths, strict=False))
        lines.append((" " * indent + text).rstrip())
    return lines


def _stacked(row: Sequence[str], indent: int, room: int) -> str:
    """One row with its cells below one another."""
    found = []
    for number, cell in enumerate(row):
        margin = " " * (indent + (4 if number else 0))
        found.append(filled(cell, room, initial_indent=margin, subsequent_indent=margin))
    return "\n".join(text for text in found if text.strip())


def console() -> Console:
    """A Rich console for tables; wider where the output is not a terminal."""
    from rich.console import Console

    wide, high = None, None
    if not sys.stdout.isatty():  # without both Rich would query the system at every line
        wide, high = width(120), 40
    return Console(
        file=sys.stdout,
        width=wide,
        height=high,
        color_system=_SYSTEMS[colour_depth()] if colour_wanted() else "auto",
        no_color=not colour_wanted(),
        highlight=False,
    )


def read_source(file: str) -> str | None:
    """The text of the file of a diagnostic; None when it cannot be read."""
    try:
        return read_whole(Path(file), MAX_FILE_BYTES)
    except (OSError, ValueError):
        return None


def print_diagnostics(
    diagnostics: Iterable[Diagnostic],
    form: str = "text",
    *,
    beside: bool = False,
    is_short: bool = False,
    language: str = "en",
    before: Mapping[str, str] | None = None,
) -> None:
    """Print diagnostics; `beside` on standard error, `is_short` folds gaps of one kind. `before`
    has the texts of files that were rewritten since, which the diagnostics are about.
    """
    from tilewright.language.locale.words import Words
    from tilewright.language.source.report import as_json, as_sarif, as_short_text, as_text, summary
    from tilewright.language.source.report_ci import as_github

    found = tuple(diagnostics)
    earlier = before or {}

    def read(name: str) -> str | None:
        return earlier[name] if name in earlier else read_source(name)

    as_data(form)
    put = mention if beside else say
    if form == "json":
        put(as_json(found))
    elif form == "sarif":
        put(as_sarif(found))
    elif form == "github":
        if found:
            put(as_github(found))
        put(summary(found))
    else:
        colour = colour_wanted(sys.stderr if beside else sys.stdout)
        has_more = False
        if is_short:
            text, has_more = as_short_text(found, read, colour, language)
        else:
            text = as_text(found, read, colour, language)
        if found:
            put(text)
        more = f"; {Words(language)('report.full_lists_all')}" if has_more else ""
        put(summary(found, language) + more)


def print_fault(fault: RuleError) -> None:
    """Print a run-time fault on standard error, with its rule underlined."""
    from tilewright.language.source.report import as_text
    from tilewright.tools.explanation.faults import diagnostic_of

    mention("tilewright: the rules cannot be carried out")
    mention(as_text([diagnostic_of(fault)], read_source, colour_wanted(sys.stderr)))


def code_for(diagnostics: Iterable[Diagnostic], fail_on: Severity | None = None) -> int:
    """The exit code for diagnostics; those below `fail_on`, by default notes, do not count."""
    from tilewright.language.source.diagnostics import Severity, at_least

    found = tuple(diagnostics)
    if any(d.code in _NOT_READ for d in found):
        return UNREADABLE
    return PROBLEMS if at_least(found, fail_on or Severity.WARNING) else SUCCESS


def refuse(diagnostics: Iterable[Diagnostic]) -> Stop:
    """Print the errors of a game that could not be made; the exception that ends the run."""
    found = tuple(d for d in diagnostics if d.severity.value == "error")
    if found and all(d.span.file in ("", "<asked for>") for d in found):
        return Stop(USAGE, "; ".join(d.message for d in found), found[0].hint)
    print_diagnostics(found[:_MAX_BESIDE], beside=True)
    if len(found) > _MAX_BESIDE:
        mention(f"and {len(found) - _MAX_BESIDE} more; `tilewright check` shows all of them")
    return Stop(UNREADABLE if any(d.code in _NOT_READ for d in found) else PROBLEMS)


@contextmanager
def refusing(*errors: type[Exception], code: int = USAGE) -> Iterator[None]:
    """Errors of a tool in the block end the run: with the diagnostics that they have, as `refuse`
    prints them, or with their message and hint.
    """
    try:
        yield
    except errors as error:
        diagnostics = getattr(error, "diagnostics", ())
        if diagnostics:
            raise refuse(diagnostics) from None
        raise Stop(code, str(error), getattr(error, "hint", "")) from None
