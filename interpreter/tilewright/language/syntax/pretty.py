"""A document algebra in the manner of Wadler: text with possible line breaks, and its rendering.

A clause is on one line when it fits; otherwise all its own breaks become new lines, while inner
clauses may still fit. Nothing here knows effects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

#: the text of a break in a clause on one line
Flat = Literal["", " "]


@dataclass(frozen=True, slots=True)
class Break:
    """A possible new line, required when `flat` is None, with a number of empty lines after it."""

    flat: Flat | None = " "
    empty: int = 0


@dataclass(frozen=True, slots=True)
class TrailingComment:
    """A comment at the end of a line; its width is not counted."""

    text: str


@dataclass(frozen=True)
class Clause:
    """Parts that are broken together; later lines are indented by `indent` columns."""

    parts: tuple[Doc, ...]
    indent: int = 0

    @cached_property
    def is_broken(self) -> bool:
        """Whether a part of it needs several lines."""
        return _is_broken(self.parts)


@dataclass(frozen=True)
class Inset:
    """An indented part of a clause; its breaks belong to the clause around it."""

    parts: tuple[Doc, ...]
    indent: int = 2

    @cached_property
    def is_broken(self) -> bool:
        """Whether a part of it needs several lines."""
        return _is_broken(self.parts)


def _is_broken(parts: tuple[Doc, ...]) -> bool:
    return any(
        part.flat is None if isinstance(part, Break) else part.is_broken
        for part in parts
        if isinstance(part, Break | Clause | Inset)
    )


Doc = str | Break | TrailingComment | Clause | Inset

#: a part, the column of its lines, and whether its clause is on one line
_Todo = tuple[Doc, int, bool]


def render(doc: Doc, width: int) -> list[str]:
    """The lines of a document, of at most `width` columns where breaks allow it."""
    lines: list[str] = []
    line, used = "", 0
    todo: list[_Todo] = [(doc, 0, False)]
    while todo:
        part, indent, flat_clause = todo.pop()
        match part:
            case str():
                line += part
                used += len(part)
            case TrailingComment(text):
                line += text if line.strip() else text.lstrip()
            case Break(flat, empty):
                if flat_clause and flat is not None:
                    line += flat
                    used += len(flat)
                    continue
                if line.strip():  # the second of two successive breaks only changes the indentation
                    lines += [line.rstrip(), *[""] * empty]
                line, used = " " * indent, indent
            case Inset(parts, more):
                todo += [(inner, indent + more, flat_clause) for inner in reversed(parts)]
            case Clause(parts, more):
                fits = flat_clause or (not part.is_broken and _fits(part, todo, width - used))
                todo += [(inner, indent + more, fits) for inner in reversed(parts)]
    lines.append(line.rstrip())
    return lines


def _fits(clause: Clause, after: list[_Todo], room: int) -> bool:
    """Whether a clause in one line, with what follows up to the next break, takes no more room."""
    todo: list[_Todo] = [(part, 0, True) for part in reversed(clause.parts)]
    rest = len(after)
    while room >= 0:
        if not todo:
            if not rest:
                return True
            rest -= 1
            todo.append(after[rest])
        part, _, flat_clause = todo.pop()
        match part:
            case str():
                room -= len(part)
            case TrailingComment():
                pass
            case Break(flat, _):
                if not flat_clause or flat is None:
                    return True
                room -= len(flat)
            case Inset(parts, _):
                todo += [(inner, 0, flat_clause) for inner in reversed(parts)]
            case Clause(parts, _):
                todo += [(inner, 0, flat_clause or not part.is_broken) for inner in reversed(parts)]
    return False
