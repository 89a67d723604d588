"""A YAML file with its comments and empty lines, each beside the part it belongs to.

The tree of `tree` has places but no comments. They are found between its texts, and belong to the
entry or item that follows, or to the one whose line they end. `format` prints the result, possibly
in another order or layout; meanings do not matter.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tilewright.language.source.yaml.nodes import YList, YMap, YNode, YText, texts_in

_HASH = re.compile(r"(?:^|(?<=[ \t]))#")
#: a function from a width in columns to the lines of effect text
LayOut = Callable[[int], list[str]]


class Part:
    """An entry of a map, or an item of a list (without a key).

    `before` holds comments and empty lines (as "") above it, `beside` the comment at the end of its
    first line, `after` those below it that are indented deeper than the next part. `code` is set
    when the value is effect text, and `is_block` when that is more than an expression.
    """

    __slots__ = (
        "after", "before", "beside", "code", "column", "is_block", "key", "line", "value",
    )  # fmt: skip

    def __init__(self, key: YText | None, value: YText | Group, line: int, column: int) -> None:
        self.key = key
        self.value = value
        self.line = line
        self.column = column
        self.before: list[str] = []
        self.beside: list[str] = []
        self.after: list[str] = []
        self.code: LayOut | None = None
        self.is_block = False

    @property
    def end(self) -> tuple[int, int]:
        """The line and column behind its value."""
        span = self.value.node.span if isinstance(self.value, Group) else self.value.span
        return span.end_line, span.end_column


@dataclass(slots=True, eq=False)
class Group:
    """A list or a map; `is_flow` is true when it is written between brackets."""

    is_map: bool
    is_flow: bool
    node: YList | YMap
    parts: list[Part]

    def all_parts(self) -> Iterator[Part]:
        """The parts in it, and those in them, in the order of the file."""
        for part in self.parts:
            yield part
            if isinstance(part.value, Group):
                yield from part.value.all_parts()


@dataclass(slots=True)
class Page:
    """A file: the comments at its top, its root, and the comments below all else."""

    top: list[str]
    root: YText | Group
    bottom: list[str]


def page_of(text: str, node: YNode) -> Page:
    """The file of this tree; its text has ordinary line ends and no mark at its start."""
    lines = text.split("\n")
    root = _grown(node, lines)
    if isinstance(root, YText):
        return Page(comments(text, node), root, [])
    return _Attaching(lines, root).page(_remarks(lines, texts_in(node)))


def comments(text: str, node: YNode) -> list[str]:
    """All comments of a file outside its texts, in order."""
    return [comment for _, _, comment, _ in _remarks(text.split("\n"), texts_in(node))]


def _grown(node: YNode, lines: list[str]) -> YText | Group:
    if isinstance(node, YText):
        return node
    span = node.span
    line = lines[span.line - 1]
    is_flow = line[span.column - 1 : span.column] in ("{", "[")
    if isinstance(node, YMap):
        parts = [
            Part(key, _grown(value, lines), key.span.line, key.span.column)
            for key, value in node.entries
        ]
        return Group(True, is_flow, node, parts)
    parts = []
    for item in node.items:
        # an item begins at its dash, in the column of the list
        column = item.span.column if is_flow else span.column
        parts.append(Part(None, _grown(item, lines), item.span.line, column))
    return Group(False, is_flow, node, parts)


#: line (from 1), column (from 1), the comment, and whether it has the line to itself
_Remark = tuple[int, int, str, bool]


def _remarks(lines: list[str], texts: Iterator[YText]) -> list[_Remark]:
    """The comments of a file, found outside of its texts."""
    covered: dict[int, list[tuple[int, int]]] = {}
    blocks: set[int] = set()
    for text in texts:
        span = text.span
        if text.style in ("|", ">"):
            blocks.update(range(span.line + 1, span.end_line + 1))
            continue
        for number in range(span.line, span.end_line + 1):
            start = span.column - 1 if number == span.line else 0
            end = span.end_column - 1 if number == span.end_line else len(lines[number - 1])
            covered.setdefault(number, []).append((start, end))
    found = []
    for number, line in enumerate(lines, 1):
        if "#" not in line or number in blocks:
            continue
        at = _outside(line, covered.get(number, ()))
        if at is not None:
            found.append((number, at + 1, line[at:].rstrip(), not line[:at].strip()))
    return found


def _outside(line: str, texts: Sequence[tuple[int, int]]) -> int | None:
    """The column (from 0) of a comment: a `#` after a space and outside of these ranges."""
    here = 0
    for start, end in (*texts, (len(line), len(line))):
        found = _HASH.search(line, here, start)
        if found is not None:
            return found.start()
        here = end
    return None


def _place(part: Part) -> tuple[int, int]:
    return part.line, part.column


class _Attaching:
    """Gives the comments and empty lines of a file to its parts."""

    def __init__(self, lines: list[str], root: Group) -> None:
        self.lines = lines
        self.root = root
        self.parts = sorted(root.all_parts(), key=_place)
        self.on_line: dict[int, list[Part]] = {}
        for part in self.parts:
            self.on_line.setdefault(part.line, []).append(part)

    def page(self, remarks: list[_Remark]) -> Page:
        """The page with all comments attached."""
        bottom: list[str] = []
        for line, column, comment, is_alone in remarks:
            if not is_alone and self.beside(line, column, comment):
                continue
            following = self.following(line, column)
            outer = following.column if following is not None else 0
            above = self.above(line, column, outer) if is_alone else None
            if above is not None:
                rows = above.after
            elif following is not None:
                rows = following.before
            else:
                rows = bottom
            rows += ["", comment] if self.is_empty_above(line) else [comment]
        for part in self.parts:
            if self.is_empty_above(part.line) and self.starts_line(part):
                part.before.append("")
        first = self.root.parts[0].before if self.root.parts else []
        return Page(self.top(first), self.root, bottom)

    def top(self, before: list[str]) -> list[str]:
        """Remove and return the comments above the first part that are about the whole file."""
        cut = len(before)
        if "" in before[:-1] and before[-1]:
            cut = len(before) - before[::-1].index("")
        found, before[:] = before[:cut], before[cut:]
        return found

    # ---- where a comment belongs

    def beside(self, line: int, column: int, comment: str) -> bool:
        """Attach a comment to the part that ends or begins on its line; whether there is one."""
        here = [
            part
            for part in self.on_line.get(line, ())
            if part.column < column
            # a comment on the line of an item that is a map or a list belongs to its first part
            and not (part.key is None and isinstance(part.value, Group) and not part.value.is_flow)
        ]
        done = [part for part in here if part.end <= (line, column)]
        home = done[0] if done else here[-1] if here else None
        if home is not None:
            (home.before if home.beside else home.beside).append(comment)
        return home is not None

    def following(self, line: int, column: int) -> Part | None:
        """The outermost part that begins after a place."""
        number = bisect_right(self.parts, (line, column), key=_place)
        return self.parts[number] if number < len(self.parts) else None

    def above(self, line: int, column: int, outer: int) -> Part | None:
        """The part above a comment that is indented deeper than the next part."""
        here: Group | YText = self.root
        found = None
        while isinstance(here, Group) and not here.is_flow:
            number = bisect_left(here.parts, (line, column), key=_place)
            if not number:
                break
            last = here.parts[number - 1]
            if outer < last.column <= column:
                found, outer = last, last.column
            here = last.value
        return found

    # ---- empty lines

    def is_empty_above(self, line: int) -> bool:
        """Whether the line above is empty."""
        return line > 1 and not self.lines[line - 2].strip()

    def starts_line(self, part: Part) -> bool:
        """Whether nothing is before a part on its line."""
        return not self.lines[part.line - 1][: part.column - 1].strip()
