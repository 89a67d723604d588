"""Text that may be broken into lines, and the shape it takes on a page of a given width.

A clause stands on one line when it fits and has all its breaks otherwise; a clause inside may still
be whole. Nothing here knows what the words mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

#: what a break is when its clause stays whole
Flat = Literal["", " "]


@dataclass(frozen=True, slots=True)
class Break:
    """A place for a new line; a break without a flat form always is one. Empty lines may follow."""

    flat: Flat | None = " "
    empty: int = 0


@dataclass(frozen=True, slots=True)
class Aside:
    """A comment at the end of a line: it takes no room."""

    text: str


@dataclass(frozen=True)
class Clause:
    """What is broken together, its lines after the first further in by `indent` columns."""

    parts: tuple[Doc, ...]
    indent: int = 0

    @cached_property
    def is_broken(self) -> bool:
        """Whether something in it cannot stand on one line."""
        return _is_broken(self.parts)


@dataclass(frozen=True)
class Inset:
    """Part of a clause that begins further in; its breaks are those of the clause around it."""

    parts: tuple[Doc, ...]
    indent: int = 2

    @cached_property
    def is_broken(self) -> bool:
        """Whether something in it cannot stand on one line."""
        return _is_broken(self.parts)


def _is_broken(parts: tuple[Doc, ...]) -> bool:
    return any(
        part.flat is None if isinstance(part, Break) else part.is_broken
        for part in parts
        if isinstance(part, Break | Clause | Inset)
    )


Doc = str | Break | Aside | Clause | Inset

#: a part, the column its lines begin in, and whether its clause stays whole
_Todo = tuple[Doc, int, bool]


def set_out(doc: Doc, width: int) -> list[str]:
    """The lines of a text on a page of this many columns, as far as words can be broken."""
    lines: list[str] = []
    line, used = "", 0
    todo: list[_Todo] = [(doc, 0, False)]
    while todo:
        part, indent, whole = todo.pop()
        match part:
            case str():
                line += part
                used += len(part)
            case Aside(text):
                line += text if line.strip() else text.lstrip()
            case Break(flat, empty):
                if whole and flat is not None:
                    line += flat
                    used += len(flat)
                    continue
                if line.strip():  # of two breaks after another the second only moves in or out
                    lines += [line.rstrip(), *[""] * empty]
                line, used = " " * indent, indent
            case Inset(parts, more):
                todo += [(inner, indent + more, whole) for inner in reversed(parts)]
            case Clause(parts, more):
                fits = whole or (not part.is_broken and _fits(part, todo, width - used))
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
        part, _, whole = todo.pop()
        match part:
            case str():
                room -= len(part)
            case Aside():
                pass
            case Break(flat, _):
                if not whole or flat is None:
                    return True
                room -= len(flat)
            case Inset(parts, _):
                todo += [(inner, 0, whole) for inner in reversed(parts)]
            case Clause(parts, _):
                todo += [(inner, 0, whole or not part.is_broken) for inner in reversed(parts)]
    return False
