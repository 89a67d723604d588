"""The untyped syntax tree of effect text: frozen nodes, each with its place in the file.

Equality ignores places, so that tests can compare `parse(print(x))` with `x`. Names are not
resolved here and nothing has a type: `typecheck` does both.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.language.source.text import Span


class Node:
    """The base of all nodes. Two nodes are equal when only their places differ."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def _content(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__ if name != "span")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._content()))


# ------------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True, eq=False)
class Number(Node):
    """A whole number."""

    value: int
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Truth(Node):
    """`true` or `false`"""

    value: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Nothing(Node):
    """`nothing`"""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Name(Node):
    """A name, not resolved."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Attribute(Node):
    """`base.name`"""

    base: Expression
    name: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """`name(arguments)`: a definition or a function."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SetOf(Node):
    """`{a, b}`"""

    items: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Negative(Node):
    """`-value`"""

    value: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Arithmetic(Node):
    """`operator` is one of + - * div mod."""

    operator: str
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Restriction(Node):
    """`whole of owner`: `figures of active`, `supply of kind`"""

    whole: Expression
    owner: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Node):
    """`operator` is one of = != < <= > >=, in, `not in`, has, is, `is not`."""

    operator: str
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Test(Node):
    """`value is empty`, `value is something`; `word` is that last word."""

    value: Expression
    word: str
    negated: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Not(Node):
    """`not value`"""

    value: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class And(Node):
    """`a and b`, with two parts or more."""

    parts: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Or(Node):
    """`a or b`, with two parts or more."""

    parts: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Quantifier(Node):
    """`any x in source: body`; `kind` is any, all, sum, count, those, most, least or collect."""

    kind: str
    variable: str
    source: Expression
    body: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class FirstOf(Node):
    """`first count of source`: as many members of a set, in its order, as there are."""

    count: Expression
    source: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Range(Node):
    """`first..last`: the whole numbers from one to another, both included."""

    first: Expression
    last: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(Node):
    """`if test then a else b`"""

    test: Expression
    then: Expression
    otherwise: Expression
    span: Span


Expression = (
    Number
    | Truth
    | Nothing
    | Name
    | Attribute
    | Call
    | SetOf
    | Negative
    | Arithmetic
    | Restriction
    | Comparison
    | Test
    | Not
    | And
    | Or
    | Quantifier
    | FirstOf
    | Range
    | Conditional
)


def denied(value: Expression, span: Span) -> Expression:
    """The node of `not value`: `x is not y` and `not (x is y)` have the same node."""
    match value:
        case Comparison("is" | "in" as operator, left, right):
            return Comparison("is not" if operator == "is" else "not in", left, right, span)
        case Test(tested, word, False):
            return Test(tested, word, True, span)
    return Not(value, span)


# ------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True, eq=False)
class Let(Node):
    """`let name = value`"""

    name: str
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Node):
    """`set target = value`"""

    target: str
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Add(Node):
    """`add value to target`"""

    value: Expression
    target: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Drop(Node):
    """`drop value from target`"""

    value: Expression
    target: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class If(Node):
    """`if test { ... } else { ... }`"""

    test: Expression
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class For(Node):
    """`for variable in source { ... }`"""

    variable: str
    source: Expression
    body: tuple[Effect, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ForWith(Node):
    """`for variable in source with attribute value`: only members whose optional attribute has a
    value, which gets a name.
    """

    variable: str
    source: Expression
    attribute: str
    value: str
    body: tuple[Effect, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Repeat(Node):
    """`repeat count { ... }`"""

    count: Expression
    body: tuple[Effect, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Stop(Node):
    """Leave the innermost loop or, outside of loops, the rule."""

    test: Expression | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Choose(Node):
    """A player must (or, when `optional`, may) choose one of `source`."""

    optional: bool
    variable: str
    source: Expression
    by: Expression
    label: str
    body: tuple[Effect, ...]
    otherwise: tuple[Effect, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Decide(Node):
    """`may "label" by player`: a player decides yes or no."""

    label: str
    by: Expression
    body: tuple[Effect, ...]
    otherwise: tuple[Effect, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Draw(Node):
    """Takes a random piece out of a stack, or finds random members of a set."""

    target: str
    stack: Expression
    where: Expression | None
    span: Span
    times: Expression | None = None  # only of a set


@dataclass(frozen=True, slots=True, eq=False)
class DrawInto(Node):
    """Moves random pieces between stacks. `target` names each piece in `where`, or is empty."""

    target: str
    stack: Expression
    into: Expression
    times: Expression | None
    where: Expression | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Offer(Node):
    """A player may choose one of the actions at this step."""

    by: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ProcedureCall(Node):
    """`procedure(arguments)`"""

    procedure: str
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Announce(Node):
    """`announce event(arguments)`"""

    event: str
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class EndGame(Node):
    """`end game` or `end game at once`"""

    span: Span
    at_once: bool = False  # without the final phase


@dataclass(frozen=True, slots=True, eq=False)
class Verb(Node):
    """A primitive: `move f to s`. `parts` holds each preposition with its expression.

    `verb` is its name in the table of verbs, such as `move`, `move all of` or `return quietly`.
    """

    verb: str
    operand: Expression
    parts: tuple[tuple[str, Expression], ...]
    span: Span


Effect = (
    Let
    | Assign
    | Add
    | Drop
    | If
    | For
    | ForWith
    | Repeat
    | Stop
    | Choose
    | Decide
    | Draw
    | DrawInto
    | Offer
    | ProcedureCall
    | Announce
    | EndGame
    | Verb
)


def dotted_name(node: Expression) -> str | None:
    """`a.b.c` as text, or None when the node is not a path."""
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Attribute):
        base = dotted_name(node.base)
        return None if base is None else f"{base}.{node.name}"
    return None
