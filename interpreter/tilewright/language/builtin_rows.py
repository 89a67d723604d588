"""The rows of the table of primitives: what an attribute, a name, a function, a verb and a test is.

A row has all that the package knows of a primitive. `python` is its form in compiled rules; the
capitals A, B, C stand for its operands in order, and a call is one of a function of the run-time
library or a method of the match. `native` is its instruction in the native core, when it is one
alone: the name, and how the operands of the Python call are passed where it is not one number for
each operand of the primitive. `i` is a number, `m` a set of figures or tiles, `l` another set, `p`
a placement, `k` and `n` a constant, `-` nothing; a number at the end is a constant of the
instruction itself. The core has at most 256 instructions, so primitives that few rules use share
one with others of their form: `native` is then the name of a function of the core. Types, results
and the rest follow from the row (`bytecode/translation/calls.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from tilewright.language.types import UNKNOWN, Type, parse_type

#: a part of a match that effects change. `figures` are the places and facings of figures,
#: `companions` their attachments, `board` the laid pieces and the features that they form,
#: `kinds` the kinds of these features, on which roles depend, `positions` how laid tiles lie,
#: `memory` the players and their things in the memory of the game
State = Literal[
    "board", "kinds", "positions", "figures", "companions", "points", "tokens", "stacks", "active",
    "turn", "memory",
]  # fmt: skip
Reads = tuple[State, ...]
#: members of sets that are small on every board: sides, parts of one piece or tile
FEW = "few"


def type_of(text: str) -> Type:
    """The type that a text of these tables names."""
    found = parse_type(text)
    assert found is not None, text
    return found


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a primitive for operands of one type or representation."""

    python: str
    native: str = ""

    @property
    def reads_match(self) -> bool:
        """Whether the form depends on the match, and not only on its operands and the game."""
        return re.search(r"\bm\b", self.python) is not None

    @property
    def calls(self) -> bool:
        """Whether the form calls a function of the run-time library or a method of the match."""
        return "(" in self.python


@dataclass(frozen=True, slots=True, kw_only=True)
class Primitive:
    """A row of the table. Rows are compared by their names alone.

    A primitive that reads nothing gives the same value in the whole match.
    """

    python: str = field(default="", compare=False)
    native: str = field(default="", compare=False)
    #: the parts of a match that it reads, and the definition that it evaluates implicitly
    reads: Reads = field(default=(), compare=False)
    evaluates: str = field(default="", compare=False)
    #: the things of the game that it looks at one by one, if it does: a base type
    visits: str = field(default="", compare=False)
    #: how many members its set may have: `FEW`, or as many as there are things of a base type
    members: str = field(default="", compare=False)
    #: whether its numbers are limited as all numbers are, and not by the size of a board
    unbounded: bool = field(default=False, compare=False)
    #: by a word for the operand: other forms than `python` and `native`
    forms: tuple[tuple[str, Form], ...] = field(default=(), compare=False)

    def form(self, operand: str) -> Form:
        """The form for operands that a word names, or the usual one."""
        for word, found in self.forms:
            if word == operand:
                return found
        return Form(self.python, self.native)


@dataclass(frozen=True, slots=True)
class AttributeOf(Primitive):
    """`owner.name`. When it is true, the optional attributes in `implies` have a value."""

    owner: str
    name: str
    type: Type = field(default=UNKNOWN, compare=False)
    doc: str = field(default="", compare=False)
    implies: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class GlobalName(Primitive):
    """A name that every rule may use."""

    name: str
    type: Type = field(default=UNKNOWN, compare=False)
    doc: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Function(Primitive):
    """`name(arguments)`: a pure function. `T` in a type means any base type."""

    name: str
    parameters: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    result: str = field(default="", compare=False)
    doc: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Relation(Primitive):
    """`owner WORD mark`: a test of a thing (`is`, `has`), or the members of a set (`of`)."""

    word: Literal["is", "has", "of"]
    owner: str
    mark: str


@dataclass(frozen=True, slots=True)
class VerbDecl(Primitive):
    """`verb operand preposition part ...`: a change of the game.

    Each part is (preposition, allowed types, required); a type `target: X` is a name to be set.
    `changes` names the parts of a match that it changes; `announces` is the event that follows.
    `words` is the form that authors write, with `...` for the operand, if it is not `name ...`.
    """

    name: str
    operand: str = field(default="", compare=False)
    parts: tuple[tuple[str, tuple[str, ...], bool], ...] = field(default=(), compare=False)
    changes: tuple[str, ...] = field(default=(), compare=False)
    doc: str = field(default="", compare=False)
    announces: str = field(default="", compare=False)
    words: str = field(default="", compare=False)

    @property
    def spoken(self) -> str:
        """The words of the verb alone, such as `return quietly`: its name in syntax trees."""
        return " ".join(self.words.replace("...", " ").split()) or self.name

    def written(self, operand: str, *parts: str) -> str:
        """The verb with its operand and its parts: `return FIGURE quietly`."""
        before, _, after = (self.words or f"{self.name} ...").partition("...")
        return " ".join(filter(None, (before.strip(), operand, *parts, after.strip())))
