"""Instructions, and the static types of the values in their registers.

A number, a truth value or the number of a thing takes one register of integers; a placement or a
print takes several in a row; a set takes one register of lists. Python holds some sets as masks:
the type remembers this, although the registers are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tilewright.language.types import Type
from tilewright.play.encoding import is_mask
from tilewright.play.sites import Held


class NotCarried(Exception):  # noqa: N818 - a refusal, not a fault
    """A form that bytecode cannot express; the whole game then runs in Python."""

    def __init__(self, reason: str, function: str = "") -> None:
        super().__init__(reason, function)
        self.reason = reason
        self.function = function


@dataclass(frozen=True, slots=True)
class T:
    """A static type. `nothing` is the type of `None`, and `zero` that of a literal 0, which may be
    a number or an empty mask; `parts` is the length of a tuple or of the members of a list, and 0
    for a list that is known to be empty only."""

    kind: Literal["nothing", "zero", "int", "tuple", "list", "mask"]
    parts: int = 1

    @property
    def is_list(self) -> bool:
        """Whether the value is in a register of lists."""
        return self.kind in ("list", "mask")

    @property
    def words(self) -> tuple[int, ...]:
        """The types of its registers: 0 for an integer, n for a list of n parts."""
        if self.is_list:
            return (self.parts or 1,)
        return (0,) * (self.parts if self.kind == "tuple" else 1)

    @property
    def code(self) -> int:
        """The number of this type in images."""
        if self.kind == "mask":
            return 64
        if self.kind == "tuple":
            return 128 + self.parts
        return (self.parts or 1) if self.is_list else 0

    @property
    def member(self) -> T:
        """The type of a member of this list."""
        return INT if self.parts <= 1 else T("tuple", self.parts)


NOTHING = T("nothing")
ZERO = T("zero")
INT = T("int")
MASK = T("mask")
LIST = T("list")
EMPTY = T("list", 0)
#: memory with a value for each thing: pairs of a thing and its value
ENTRIES = T("list", 2)
PLACEMENT = T("tuple", 2)
PRINT = T("tuple", 3)


def list_of(member: T) -> T:
    """The type of a list with members of a type."""
    return T("list", member.parts if member.kind == "tuple" else 1)


def join(one: T, other: T) -> T | None:
    """The type of a value that is of one type or the other; None when registers cannot hold it."""
    if one == other or other == NOTHING:
        return one
    if one == NOTHING:
        return other
    if ZERO in (one, other):
        rest = other if one == ZERO else one
        return rest if rest in (INT, MASK) else None
    if EMPTY in (one, other):
        rest = other if one == EMPTY else one
        return rest if rest.is_list else None
    return None


def type_of(type_: Type) -> T:
    """The static type of values of a type of the language."""
    if is_mask(type_):
        return MASK
    one = {"placement": PLACEMENT, "print": PRINT}.get(type_.base, INT)
    return list_of(one) if type_.many else one


def type_of_held(held: Held | None) -> T | None:
    """The static type of a saved name, if it is known."""
    if held is None or held.type.base in ("nothing", "unknown"):
        return None
    return list_of(type_of(held.type.one)) if held.is_listed else type_of(held.type)


#: `None` in a register
NONE_NUMBER = -(1 << 63)
#: bits beside the site of a decision, the module `decision` of `core/engine/src/instructions.rs`
BY_ACTIVE, NO_PASS, MAY_PASS = 1 << 21, 1 << 22, 1 << 23
#: with this `k` SETACTIVE goes on from the active player
AFTER_ACTIVE = 2
#: the tests of PASSING, as in `core/engine/src/queries.rs`: a tile or a segment with a symbol, a
#: segment of a kind, a feature of a kind, with a figure, with some of a kind or trait, complete or
#: not
(
    TILE_WITH_SYMBOL, SEGMENT_WITH_SYMBOL, SEGMENT_OF_KIND,
    FEATURE_OF_KIND, FEATURE_WITH_FIGURE, FEATURE_WITH_SOME, FEATURE_COMPLETE,
) = range(7)  # fmt: skip
#: registers of one function
MAX_REGISTERS = 256
#: after these the next instruction does not run
ENDS = frozenset(("JMP", "RET", "RETI"))


@dataclass(slots=True)
class Instruction:
    """An instruction; `to` is the label of its target, and `callee` the function that it calls."""

    name: str
    a: int = 0
    b: int = 0
    c: int = 0
    k: int = 0
    to: int = -1
    callee: str = ""
    values: tuple[int, ...] | None = None  # a constant, or a list of constants

    def copy(self) -> Instruction:
        """An equal instruction (`dataclasses.replace` is far slower)."""
        return Instruction(
            self.name, self.a, self.b, self.c, self.k, self.to, self.callee, self.values
        )


@dataclass(frozen=True, slots=True)
class Value:
    """A value in registers from `at` on, or a constant integer."""

    type: T
    at: int
    constant: int | None = None


# ------------------------------------------------------------------ limits of bytecode

#: why bytecode cannot carry a game and Python plays it, a closed list: by cause, the first words
#: of the messages of `NotCarried` that belong to it; a test compares it with the package
NOT_CARRIED: dict[str, tuple[str, ...]] = {
    "an effect or expression of a form that the translator does not know": (
        "an unknown form",
        "an unknown function",
        "a text",
        "a block without an end",
        "a frame of another length",
    ),
    "a name, parameter, result or comparison with values of two types, as a number and a set": (
        "a name that holds values of different types",
        "` holds values of different types in a loop",
        "values of different types compared",
        "values of two types",
        "a value of type",
        "a parameter of `",
        "a saved name with two types",
        "a function with results of two types",
        "types that never settle",
    ),
    "a placement, a print or a set where a plain value is expected, or the reverse": (
        "a value of several parts",
        "a number as a placement",
        "a number as a set",
        "not a set",
        "not a value of",
        "a call of `",
    ),
    "a rule that needs more than 256 registers": ("a rule needs more registers than there are",),
    "a written number beyond 64 bits": ("a constant of more than 64 bits",),
    "rules that call each other more deeply than the translator follows": (
        "too many calls inside each other",
    ),
    "a game with more than 63 symbols or 254 kinds of edges": ("a game with more than",),
}

#: limits that a match of a carried game can meet: the native match then stops, and Python plays
#: its log again and goes on
LEFT_TO_PYTHON = (
    "a number beyond 64 bits before it is checked",
    "more than 128 calls inside each other",
    "lists of more than 2^22 numbers at one decision",
)
