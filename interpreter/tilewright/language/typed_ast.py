"""What effect text means: names resolved, every part with its type. Frozen; made only by the
checker.

A term is pure; a deed changes the game or directs what happens next. `op` says which; `data`
carries what is not a term (a name, a number, a declared id). The compiler matches on `op`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from tilewright.language.types import Type
from tilewright.source.text import Span

TermOp = Literal[
    "literal",  # data: int, bool or None
    "constant",  # data: (category, id)
    "local",  # data: name
    "memory",  # data: id
    "value",  # data: id
    "global",  # data: name
    "attribute",  # args: owner; data: attribute name
    "declared",  # args: feature or segment; data: attribute id
    "answer",  # args: arguments; data: definition id
    "function",  # args: arguments; data: function name
    "set",  # args: members
    "pieces",  # args: a stack, taken as the pieces in it
    "negative",
    "arithmetic",  # data: operator
    "compare",  # data: operator; equality and order
    "in",  # args: member, set
    "has",  # args: thing, symbol or trait
    "is_kind",  # args: thing, kind or role
    "is_nothing",
    "is_empty",
    "not",
    "and",
    "or",
    "of",  # args: set of figures or pieces, kind, role or player
    "quantifier",  # args: source, body; data: (kind, variable)
    "conditional",  # args: test, then, otherwise
]

DeedOp = Literal[
    "let",  # data: name
    "set_local",  # data: name
    "set_memory",  # data: id; `active` too
    "add",  # data: (local or memory, name)
    "drop",
    "if",  # terms: test; blocks: then, otherwise
    "for",  # terms: source; blocks: body; data: variable
    "repeat",
    "stop",  # terms: test or none
    "choose",  # terms: source, by; blocks: body, otherwise; data: (optional, variable, label)
    "draw",  # terms: stack, where or none; data: (local or memory, name)
    "offer",  # terms: by
    "perform",  # data: procedure id
    "announce",  # data: event id
    "end_game",
    "verb",  # terms: operand, parts; data: (verb, prepositions, target or none)
]


@dataclass(frozen=True, slots=True)
class Term:
    op: TermOp
    type: Type
    args: tuple[Term, ...]
    data: object
    span: Span

    @property
    def pair(self) -> tuple[str, str]:
        """The `data` of a constant (category, id) or of a quantifier (kind, variable)."""
        return cast("tuple[str, str]", self.data)


@dataclass(frozen=True, slots=True)
class Deed:
    op: DeedOp
    terms: tuple[Term, ...]
    blocks: tuple[tuple[Deed, ...], ...]
    data: object
    span: Span

    @property
    def pair(self) -> tuple[str, str]:
        """The `data` of `add`, `drop` and `draw`: (local or memory, name)."""
        return cast("tuple[str, str]", self.data)

    @property
    def choice(self) -> tuple[bool, str, str]:
        """The `data` of `choose`: (optional, variable, label)."""
        return cast("tuple[bool, str, str]", self.data)

    @property
    def verb(self) -> tuple[str, tuple[str, ...], tuple[str, str] | None]:
        """The `data` of a verb: (its name, prepositions, target or none)."""
        return cast("tuple[str, tuple[str, ...], tuple[str, str] | None]", self.data)


def terms_within(term: Term) -> list[Term]:
    """A term and all its parts, outermost first."""
    found, waiting = [], [term]
    while waiting:
        here = waiting.pop()
        found.append(here)
        waiting.extend(reversed(here.args))
    return found


def deeds_within(deeds: tuple[Deed, ...]) -> list[Deed]:
    """All deeds of a body, those inside blocks too, in the order of the text."""
    found: list[Deed] = []
    for deed in deeds:
        found.append(deed)
        for block in deed.blocks:
            found.extend(deeds_within(block))
    return found


def terms_of(deeds: tuple[Deed, ...]) -> list[Term]:
    """Every term of a body."""
    return [t for deed in deeds_within(deeds) for term in deed.terms for t in terms_within(term)]
