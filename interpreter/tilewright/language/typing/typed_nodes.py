"""The nodes of the typed tree: one frozen dataclass per kind, with names resolved and types.

Expressions are pure; effects change the match or the control flow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from tilewright.language.builtins import AttributeOf, Function, GlobalName, VerbDecl
from tilewright.language.source.identity import KeepsResults
from tilewright.language.source.text import Span
from tilewright.language.types import Type

ArithmeticOperator = OneOf["+", "-", "*", "div", "mod"]
ComparisonOperator = OneOf["=", "!=", "<", "<=", ">", ">="]
QuantifierKind = OneOf["any", "all", "sum", "count", "those", "most", "least", "collect"]


class Node(KeepsResults):
    """The base of all nodes, compared by identity; see `canonical_key`."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({parts})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Literal(Node):
    """A number, a truth, or nothing."""

    value: int | bool | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant(Node):
    """A declared thing: a kind, a symbol, a stack, or a single figure."""

    category: str
    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Local(Node):
    """A local name."""

    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Memory(Node):
    """A variable of the match, or with `owner` the value that is kept for one thing."""

    id: str
    type: Type
    span: Span
    owner: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Value(Node):
    """A named value of the game, which options and patches may set."""

    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Global(Node):
    """A name that every rule may use: `active`, `players`."""

    builtin: GlobalName
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Attribute(Node):
    """`owner.name`"""

    owner: Expression
    attribute: AttributeOf
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Printed(Node):
    """A declared attribute of a segment, or combined over a feature."""

    owner: Expression
    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DefinitionCall(Node):
    """The value of a definition, or, where a pass made the node, of one of its amendments."""

    definition: str
    arguments: tuple[Expression, ...]
    type: Type
    span: Span
    amendment: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BuiltinCall(Node):
    """A call of a function of the language."""

    function: Function
    arguments: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SetOf(Node):
    """`{a, b}`"""

    members: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PiecesIn(Node):
    """A stack, taken as the pieces in it."""

    stack: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Negative(Node):
    """`-value`"""

    value: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Arithmetic(Node):
    """`left operator right`"""

    operator: ArithmeticOperator
    left: Expression
    right: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Node):
    """`left operator right`"""

    operator: ComparisonOperator
    left: Expression
    right: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Membership(Node):
    """`member in whole`"""

    member: Expression
    whole: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Has(Node):
    """`thing has mark`, where the mark is a symbol or a trait."""

    thing: Expression
    mark: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IsKind(Node):
    """`thing is kind`, where the kind is that of a figure or a feature, or a role."""

    thing: Expression
    kind: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IsNothing(Node):
    """`value is nothing`"""

    value: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IsEmpty(Node):
    """Whether a set or a stack is empty."""

    value: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Not(Node):
    """`not value`"""

    value: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class And(Node):
    """`a and b`, with two parts or more."""

    parts: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Or(Node):
    """`a or b`, with two parts or more."""

    parts: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Restriction(Node):
    """`whole of owner`: the matching members of a set, or the stack of a player."""

    whole: Expression
    owner: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Quantifier(Node):
    """`any x in source: body`"""

    kind: QuantifierKind
    variable: str
    source: Expression
    body: Expression
    type: Type
    span: Span
    written: Quantifier | None = None  # the node of the rule from which a pass made this one


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Conditional(Node):
    """`if test then a else b`"""

    test: Expression
    then: Expression
    otherwise: Expression
    type: Type
    span: Span


Expression = (
    Literal | Constant | Local | Memory | Value | Global | Attribute | Printed | DefinitionCall
    | BuiltinCall | SetOf | PiecesIn | Negative | Arithmetic | Comparison | Membership | Has
    | IsKind | IsNothing | IsEmpty | Not | And | Or | Restriction | Quantifier | Conditional
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an assignment: a local name, or memory (including `active`)."""

    place: OneOf["local", "memory"]
    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Let(Node):
    """`let name = value`"""

    name: str
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Assign(Node):
    """`set target = value`, or `add value to target` for a number; `owner` as in `Memory`."""

    target: Target
    value: Expression
    span: Span
    owner: Expression | None = None
    adds: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Add(Node):
    """Adds a member to a set."""

    target: Target
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Drop(Node):
    """Removes a member from a set."""

    target: Target
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class If(Node):
    """`if test { ... } else { ... }`"""

    test: Expression
    then: Body
    otherwise: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class For(Node):
    """`for variable in source { ... }`"""

    variable: str
    source: Expression
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Repeat(Node):
    """`repeat count { ... }`"""

    count: Expression
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Stop(Node):
    """Leave the innermost loop or, outside of loops, the rule."""

    test: Expression | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Choose(Node):
    """A player must (or, when `optional`, may) choose one of `source`."""

    optional: bool
    variable: str
    source: Expression
    by: Expression
    label: str
    body: Body
    otherwise: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Draw(Node):
    """Takes a random piece out of a stack; `where` tests each piece under the target's name."""

    target: Target
    stack: Expression
    where: Expression | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DrawMembers(Node):
    """Finds a random member of a set, or several of them; nothing leaves the set."""

    target: Target
    source: Expression
    times: Expression | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Offer(Node):
    """A player may choose one of the actions at this step."""

    by: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProcedureCall(Node):
    """`procedure(arguments)`"""

    procedure: str
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Announce(Node):
    """`announce event(arguments)`"""

    event: str
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EndGame(Node):
    """`end game` or `end game at once`"""

    at_once: bool  # without the final phase
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Verb(Node):
    """A primitive: `move f to s`. Each argument has its preposition."""

    verb: VerbDecl
    operand: Expression
    arguments: tuple[Expression, ...]
    prepositions: tuple[str, ...]
    target: Target | None
    span: Span


Effect = (
    Let | Assign | Add | Drop | If | For | Repeat | Stop | Choose | Draw | DrawMembers | Offer
    | ProcedureCall | Announce | EndGame | Verb
)  # fmt: skip
Body = tuple[Effect, ...]
