"""Reads YAML into a tree of texts, lists and maps with their places; a catalogue is one text.

It reads the events of the C parser (or of the Python one), with an explicit stack and limits, so
that a hostile file gives a diagnostic quickly and never a traceback. Plain scalars stay text: `on`,
`no`, `012` and `1:30` are not converted. Anchors, aliases, tags, merge keys and duplicate keys are
errors. This module does not interpret the tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from tilewright.language.source.diagnostics import Note, Reporter, quoted
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.error_messages import report_syntax_error
from tilewright.language.source.yaml.nodes import (
    YList,
    YMap,
    YNode,
    YText,
    as_int,
    as_number,
    as_truth,
    is_null,
    plain,
    texts_in,
)

__all__ = [
    "UNSEEN",
    "ReadFile",
    "YList",
    "YMap",
    "YNode",
    "YText",
    "as_int",
    "as_number",
    "as_truth",
    "is_null",
    "plain",
    "read_text",
    "read_yaml",
    "read_yaml_file",
]

MAX_DEPTH = 24
MAX_FILE_BYTES = 1 << 20
MAX_TEXT_LENGTH = 1 << 16
MAX_NODES = 50_000
MAX_DIAGNOSTICS = 200

# Control characters, line breaks that editors do not show, marks that change the direction of text
# and invisible characters are errors: places or text would differ from what the author sees.
UNSEEN = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u200a\u200c\u200d\u2010-\u2027\u202f-\u205f\u2070-\ud7ff"
    "\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_BLANK = re.compile(r"[ \t]*")

#: reads a file (path, its name in diagnostics): `read_yaml_file`, or a function that knows the
#: unsaved text of an editor
ReadFile = Callable[[Path, str, Reporter], YNode | None]


# ------------------------------------------------------------------ reading


def read_yaml_file(path: Path, name: str, reporter: Reporter) -> YNode | None:
    """The tree of a file with this name in diagnostics; None when it cannot be read."""
    text = read_text(path, name, reporter)
    return None if text is None else read_yaml(text, name, reporter)


def read_text(path: Path, name: str, reporter: Reporter) -> str | None:
    """The text of a file; None, after a diagnostic, when it is missing or not text."""
    start = Span(name, 1, 1, 1, 1)
    try:
        if not path.is_file():
            missing = "is not an ordinary file" if path.exists() else "is not there"
            if path.is_symlink() and not path.exists():
                missing = "is a link to nothing"
            reporter.error("TW114", f"{quoted(name)} {missing}", Span(name, 0, 0, 0, 0))
            return None
        with path.open("rb") as stream:
            raw = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        reporter.error("TW114", f"{quoted(name)} cannot be read: {reason}", Span(name, 0, 0, 0, 0))
        return None
    if len(raw) > MAX_FILE_BYTES:
        _report_size(start, reporter)
        return None
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        good = raw[: error.start].decode("utf-8").replace("\r\n", "\n")
        place = _place(name, good, len(good))
        byte = raw[error.start]
        reporter.error("TW109", f"expected UTF-8, found the byte 0x{byte:02x}", place)
        return None


def read_yaml(text: str, file: str, reporter: Reporter) -> YNode | None:
    """The tree of a text; None, after a diagnostic, when the text is not valid. That of a catalogue
    (`.po`) is its text.

    Duplicate keys, anchors and tags are reported and left out of the tree.
    """
    if len(text) > MAX_FILE_BYTES or (
        not text.isascii() and len(text.encode("utf-8", "surrogatepass")) > MAX_FILE_BYTES
    ):
        _report_size(Span(file, 1, 1, 1, 1), reporter)
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    unseen = UNSEEN.search(text)
    if unseen:
        message = f"an invisible character: U+{ord(unseen[0]):04X}"
        reporter.error("TW109", message, _place(file, text, unseen.start()))
        return None
    if file.endswith(".po"):
        return YText(text, Span(file, 1, 1, 1, 1), False)
    reading = _TreeReader(text.split("\n"), file, reporter)
    try:
        root = reading.read(text)
        if isinstance(root, YMap) and _REMARK.search(text):
            return replace(root, remarks=tuple(_remarks(reading.lines, file, root)))
        return root
    except _TooMuchError:
        return None
    except yaml.YAMLError as error:
        report_syntax_error(error, reading.lines, file, reporter)
        return None


#: a comment for this program
_REMARK = re.compile(r"(?:^|(?<=\s))#[ \t]*tilewright:[ \t]*(.*?)[ \t]*$", re.MULTILINE)


def _remarks(lines: list[str], file: str, root: YNode) -> Iterator[tuple[str, Span, int]]:
    """The comments for this program: their texts, their places, and the lines they are about.

    One behind something is about its own line, one on a line of its own about the next line that
    holds more than a comment.
    """
    quotes = [text.span for text in texts_in(root) if text.style in ("'", '"')]
    for number, line in enumerate(lines, 1):
        found = _REMARK.search(line)
        while found is not None and any(_is_in(span, number, found.start()) for span in quotes):
            found = _REMARK.search(line, found.start() + 1)
        if found is not None:
            about = number
            while about <= len(lines) and lines[about - 1].lstrip()[:1] in ("", "#"):
                about += 1
            place = Span(file, number, found.start() + 1, number, found.end() + 1)
            yield found[1], place, about


def _is_in(span: Span, line: int, column: int) -> bool:
    """Whether a character of a line, from 0, is in a span."""
    return (span.line, span.column) <= (line, column + 1) < (span.end_line, span.end_column)


def _report_size(span: Span, reporter: Reporter) -> None:
    reporter.error("TW107", f"the file is larger than {MAX_FILE_BYTES} bytes", span)


def _place(file: str, text: str, index: int) -> Span:
    """The place of one character of a text."""
    line = text.count("\n", 0, index) + 1
    column = index - text.rfind("\n", 0, index)
    return Span(file, line, column, line, column + 1)


# ------------------------------------------------------------------ events to nodes


_WORD, _MAP_START, _LIST_START = yaml.ScalarEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent


class _TooMuchError(Exception):
    """Reading stops here."""


class _Open:
    """A list or map whose end has not been met; a map with a `key` waits for its value."""

    __slots__ = ("entries", "is_map", "items", "key", "seen", "start", "waits")

    def __init__(self, is_map: bool, start: Span) -> None:
        self.is_map = is_map
        self.start = start
        self.items: list[YNode] = []
        self.entries: list[tuple[YText, YNode]] = []
        self.seen: dict[str, YText] = {}
        self.waits = False  # a key has been met
        self.key: YText | None = None  # that key; None if it was refused


class _TreeReader:
    """The tree of one file while its events come in."""

    __slots__ = ("enough", "file", "lines", "nodes", "reporter", "root", "stack", "trusted")

    def __init__(self, lines: list[str], file: str, reporter: Reporter) -> None:
        self.lines = lines
        self.file = file
        self.reporter = reporter
        self.stack: list[_Open] = []
        self.root: YNode | None = None
        self.nodes = 0
        self.enough = reporter.error_count + MAX_DIAGNOSTICS
        self.trusted = True

    def read(self, text: str) -> YNode | None:
        """The root of the tree, or None when it is not to be trusted."""
        next_event = _events_of(text)
        file, put = self.file, self.put
        word, map_start, list_start = _WORD, _MAP_START, _LIST_START
        while True:
            event: Any = next_event()
            kind = type(event)
            if kind is word:
                value = event.value
                if (
                    event.implicit[0]
                    and event.tag is None
                    and event.anchor is None
                    and len(value) <= MAX_TEXT_LENGTH
                    and event.start_mark.line == event.end_mark.line
                ):
                    # most events are plain words, so they have a short path
                    start, end = event.start_mark, event.end_mark
                    line = start.line + 1
                    span = Span(file, line, start.column + 1, end.line + 1, end.column + 1)
                    put(YText(value, span))
                else:
                    self.scalar(event)
            elif kind is map_start or kind is list_start:
                self.begin(event, kind is map_start)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self.end(event)
            elif kind is yaml.AliasEvent:
                self.alias(event)
            elif kind is yaml.DocumentStartEvent:
                if self.root is not None:
                    message = "a second document begins here; expected one in a file"
                    self.reporter.error("TW108", message, self.span(event))
                    break
            elif kind is yaml.StreamEndEvent:
                break
        root = self.root
        if root is None or (isinstance(root, YText) and is_nothing(root)):
            if self.trusted:
                self.reporter.error("TW111", "the file is empty", Span(self.file, 1, 1, 1, 1))
            return None
        return root if self.trusted else None

    def span(self, event: Any) -> Span:
        """The place of a libyaml event."""
        start, end = event.start_mark, event.end_mark
        return Span(self.file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    # ---- one kind of event each

    def scalar(self, event: Any) -> None:
        """Add a scalar that is not a short plain word."""
        value: str = event.value
        node = self.marked_text(event)
        if event.anchor is not None or event.tag is not None:
            self.refuse_marks(event, node.span)
        if len(value) > MAX_TEXT_LENGTH:
            span = node.span
            head = Span(span.file, span.line, span.column, span.line, span.column + 1)
            message = f"a text of {len(value)} characters; expected at most {MAX_TEXT_LENGTH}"
            self.reporter.error("TW112", message, head)
            self.trusted = False
        self.put(node)

    def marked_text(self, event: Any) -> YText:
        """A scalar that is quoted, a block, very long, or has an anchor or a tag."""
        value: str = event.value
        style: str = event.style or ""
        span = self.span(event)
        indent = 0
        if event.anchor is not None or event.tag is not None:
            span = self.past_marks(span)
        if style in ("|", ">"):
            span, indent = self.block(value, style, span)
        elif style == '"':
            unseen = UNSEEN.search(value)
            if unseen:
                message = f"an escape for an invisible character: U+{ord(unseen[0]):04X}"
                self.reporter.error("TW109", message, span)
                value = UNSEEN.sub("\ufffd", value)
        folded: tuple[str, ...] = ()
        if span.end_line > span.line and style != "|":
            folded = tuple(self.lines[span.line - 1 : span.end_line])
        return YText(value, span, not style, style, indent, folded)

    def past_marks(self, span: Span) -> Span:
        """The place of a scalar without the anchor and tag before it, on the same line."""
        line = self.lines[span.line - 1] if span.line <= len(self.lines) else ""
        marks = re.compile(r"(?:[&!]\S*\s+)+").match(line, span.column - 1)
        if marks is None or (span.line, marks.end() + 1) > (span.end_line, span.end_column):
            return span
        return Span(span.file, span.line, marks.end() + 1, span.end_line, span.end_column)

    def block(self, value: str, style: str, span: Span) -> tuple[Span, int]:
        """The true end of a block, and the indentation that YAML has stripped from it."""
        lines = self.lines
        last = span.end_line - 1
        if last >= len(lines) or span.end_column == 1:
            last = min(last, len(lines)) - 1
        while last >= span.line and not lines[last].strip():
            last -= 1
        if last < span.line:  # the block is empty
            end = len(lines[span.line - 1]) + 1
            return Span(span.file, span.line, span.column, span.line, end), 0
        indent = 0
        for offset, shown in enumerate(value.split("\n")):
            if not shown:
                continue
            first = lines[span.line + offset]
            blank = _BLANK.match(first)
            # a line of a literal block is the line of the file without its indentation
            indent = len(first) - len(shown) if style == "|" else blank.end() if blank else 0
            break
        end = len(lines[last]) + 1
        return Span(span.file, span.line, span.column, last + 1, end), max(indent, 0)

    def begin(self, event: Any, is_map: bool) -> None:
        """Open a list or map."""
        span = self.span(event)
        if event.anchor is not None or event.tag is not None:
            self.refuse_marks(event, span)
        self.stack.append(_Open(is_map, span))
        if len(self.stack) > MAX_DEPTH:
            message = f"lists and maps are nested more than {MAX_DEPTH} deep"
            self.reporter.error("TW106", message, span)
            raise _TooMuchError

    def end(self, event: Any) -> None:
        """Close the open list or map, and add it."""
        done = self.stack.pop()
        start, end = done.start, event.end_mark
        end_line, end_column = end.line + 1, end.column + 1
        if event.start_mark.index == end.index:
            # in block style the event ends at the next part, the list or map at its last one
            if done.is_map:
                last = done.entries[-1][1].span if done.entries else start
            else:
                last = done.items[-1].span if done.items else start
            end_line, end_column = last.end_line, last.end_column
        span = Span(self.file, start.line, start.column, end_line, end_column)
        if done.is_map:
            self.put(YMap(tuple(done.entries), span))
        else:
            self.put(YList(tuple(done.items), span))

    def alias(self, event: Any) -> None:
        """Report an alias."""
        self.trusted = False
        span = self.span(event)
        above = self.stack[-1] if self.stack else None
        if not (above and above.waits and above.key and above.key.value == "<<"):
            message = f"the alias {quoted('*' + event.anchor)}; expected the value itself"
            self.reporter.error("TW104", message, span, hint="write the value out")
        self.put(YText("", span))

    def refuse_marks(self, event: Any, span: Span) -> None:
        """Report an anchor or a tag before a value."""
        place = self.span(event)
        place = Span(place.file, place.line, place.column, place.line, place.column + 1)
        if event.anchor is not None:
            message = f"the anchor {quoted('&' + event.anchor)}; expected the value alone"
            self.reporter.error("TW103", message, self.mark_place(place, "&"))
        if event.tag is not None:
            written = self.mark_place(place, "!")
            shown = self.lines[written.line - 1][written.column - 1 : written.end_column - 1]
            named = f"the tag {quoted(shown)}" if shown.startswith("!") else "a tag"
            message = f"{named}; expected the value alone"
            hint = "put the value in quotes to keep it as text"
            self.reporter.error("TW105", message, written, hint=hint)

    def mark_place(self, place: Span, sign: str) -> Span:
        """The place of the word that begins with a sign, at or after a place on its line."""
        line = self.lines[place.line - 1]
        found = re.compile(re.escape(sign) + r"[^\s,\]}]*").search(line, place.column - 1)
        if found is None:
            return place
        return Span(place.file, place.line, found.start() + 1, place.line, found.end() + 1)

    # ---- finished nodes

    def put(self, node: YNode) -> None:
        """Add a finished node to the open list or map, as an item, a key or a value."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            message = f"expected at most {MAX_NODES} values in a file"
            self.reporter.error("TW116", message, node.span)
            raise _TooMuchError
        if self.reporter.error_count > self.enough:
            message = f"more than {MAX_DIAGNOSTICS} errors; the rest of the file is not read"
            self.reporter.error("TW116", message, node.span)
            raise _TooMuchError
        if not self.stack:
            self.root = node
            return
        above = self.stack[-1]
        if not above.is_map:
            above.items.append(node)
        elif not above.waits:
            above.waits = True
            above.key = self.as_key(node, above)
        else:
            above.waits = False
            if above.key is not None:
                above.entries.append((above.key, node))

    def as_key(self, node: YNode, above: _Open) -> YText | None:
        """A node as a key of the open map, or None after a diagnostic."""
        if not isinstance(node, YText) or node.style in ("|", ">") or is_nothing(node):
            if self.trusted:  # an alias as key is already reported
                self.refuse_key(node)
            return None
        if node.plain and node.value == "<<":
            self.reporter.error("TW113", "a merge key; expected the entries themselves", node.span)
            return node
        first = above.seen.setdefault(node.value, node)
        if first is node:
            return node
        message = f"{quoted(node.value)} is given twice"
        self.reporter.error("TW102", message, node.span, notes=(Note(first.span, "first here"),))
        return None

    def refuse_key(self, node: YNode) -> None:
        """Report a key that is not a word."""
        hint = "put text with brackets in quotes"
        match node:
            case YList():
                found = "a list"
            case YMap():
                found = "a map"
            case YText():
                found, hint = "nothing" if is_nothing(node) else "a block of text", ""
        self.reporter.error("TW115", f"expected a word as key, found {found}", node.span, hint=hint)


def is_nothing(text: YText) -> bool:
    """Whether the place of a scalar is empty."""
    return text.plain and not text.value


def _events_of(text: str) -> Any:
    """A function that gives the next event of a text."""
    parser: Any = getattr(yaml, "CLoader", None) or yaml.Loader
    return parser(text).get_event
