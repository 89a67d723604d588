"""What effect text means: a tree with names resolved, each node of its own kind and with its type.

An expression is pure; an effect changes the match or directs what happens next. Only the checker
makes nodes, and they never change. `children`, `walk` and their like see every part of a tree, so
that nobody else has to know which fields hold parts. How a node is computed is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, cast, get_args
from typing import Literal as OneOf

from tilewright.language.primitives import AttributeOf, Function, GlobalName, VerbDecl
from tilewright.language.types import Type
from tilewright.source.text import Span

ArithmeticOperator = OneOf["+", "-", "*", "div", "mod"]
ComparisonOperator = OneOf["=", "!=", "<", "<=", ">", ">="]
QuantifierKind = OneOf["any", "all", "sum", "count", "those", "most", "least", "collect"]


class Node:
    __slots__ = ()

    @property
    def op(self) -> str:
        if isinstance(self, Assign):
            return f"set_{self.target.place}"
        return _OPS[type(self).__name__]

    @property
    def args(self) -> tuple[Expression, ...]:
        return children(self)  # type: ignore[arg-type]

    @property
    def terms(self) -> tuple[Expression, ...]:
        return children(self)  # type: ignore[arg-type]

    @property
    def blocks(self) -> tuple[Body, ...]:
        return blocks(self)  # type: ignore[arg-type]

    @property
    def data(self) -> object:
        s: Any = self
        match type(self).__name__:
            case "Literal":
                return s.value
            case "Constant":
                return (s.category, s.id)
            case "Local" | "Let":
                return s.name
            case "Memory" | "Value" | "Printed":
                return s.id
            case "Global":
                return s.builtin.name
            case "Attribute":
                return s.attribute.name
            case "DefinitionCall":
                return s.definition
            case "BuiltinCall":
                return s.function.name
            case "Arithmetic" | "Comparison":
                return s.operator
            case "Quantifier":
                return (s.kind, s.variable)
            case "Assign":
                return s.target.name
            case "Add" | "Drop" | "Draw":
                return (s.target.place, s.target.name)
            case "For":
                return s.variable
            case "Choose":
                return (s.optional, s.variable, s.label)
            case "Perform":
                return s.procedure
            case "Announce":
                return s.event
            case "EndGame":
                return s.at_once
            case "Verb":
                target = None if s.target is None else (s.target.place, s.target.name)
                return (s.verb.name, s.prepositions, target)
        return None

    @property
    def pair(self) -> tuple[str, str]:
        return cast("tuple[str, str]", self.data)

    @property
    def choice(self) -> tuple[bool, str, str]:
        return cast("tuple[bool, str, str]", self.data)

    @property
    def old_verb(self) -> tuple[str, tuple[str, ...], tuple[str, str] | None]:
        return cast("tuple[str, tuple[str, ...], tuple[str, str] | None]", self.data)


# ------------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A number, a truth, or nothing."""

    value: int | bool | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """A declared thing: a kind, a symbol, a stack, a figure that is the only one of its kind."""

    category: str
    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Local(Node):
    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Memory(Node):
    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Value(Node):
    """A named value of the game, which options and patches may set."""

    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Global(Node):
    """A name that every rule may use: `active`, `players`."""

    builtin: GlobalName
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`owner.name`"""

    owner: Expression
    attribute: AttributeOf
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Printed(Node):
    """A number that rulesets print on segments, of a segment or summed over a feature."""

    owner: Expression
    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class DefinitionCall(Node):
    definition: str
    arguments: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class BuiltinCall(Node):
    function: Function
    arguments: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class SetOf(Node):
    """`{a, b}`"""

    members: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class PiecesIn(Node):
    """A stack, taken as the pieces in it."""

    stack: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Negative(Node):
    value: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    operator: ArithmeticOperator
    left: Expression
    right: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    operator: ComparisonOperator
    left: Expression
    right: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Membership(Node):
    """`member in whole`"""

    member: Expression
    whole: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Has(Node):
    """`thing has mark`, where the mark is a symbol or a trait."""

    thing: Expression
    mark: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class IsKind(Node):
    """`thing is kind`, where the kind is that of a figure or a feature, or a role."""

    thing: Expression
    kind: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class IsNothing(Node):
    value: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class IsEmpty(Node):
    """Whether a set or a stack is empty."""

    value: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Not(Node):
    value: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class And(Node):
    parts: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Or(Node):
    parts: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Belonging(Node):
    """`whole of owner`: those of a set, or the stack of a player."""

    whole: Expression
    owner: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """`any x in source: body`"""

    kind: QuantifierKind
    variable: str
    source: Expression
    body: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    test: Expression
    then: Expression
    otherwise: Expression
    type: Type
    span: Span


Expression = (
    Literal
    | Constant
    | Local
    | Memory
    | Value
    | Global
    | Attribute
    | Printed
    | DefinitionCall
    | BuiltinCall
    | SetOf
    | PiecesIn
    | Negative
    | Arithmetic
    | Comparison
    | Membership
    | Has
    | IsKind
    | IsNothing
    | IsEmpty
    | Not
    | And
    | Or
    | Belonging
    | Quantifier
    | Conditional
)


# ------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class Target:
    """What takes a value: a local name, or memory (to which `active` belongs)."""

    place: OneOf["local", "memory"]
    name: str


@dataclass(frozen=True, slots=True)
class Let(Node):
    name: str
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Assign(Node):
    target: Target
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Add(Node):
    """One more member of a set."""

    target: Target
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Drop(Node):
    """One member less of a set."""

    target: Target
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class If(Node):
    test: Expression
    then: Body
    otherwise: Body
    span: Span


@dataclass(frozen=True, slots=True)
class For(Node):
    variable: str
    source: Expression
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    count: Expression
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Stop(Node):
    """Leave the innermost loop, or, outside any, the rule."""

    test: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Draw(Node):
    """Chance takes one piece out of a stack; `where` is asked of each, under the target's name."""

    target: Target
    stack: Expression
    where: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Offer(Node):
    """A player may do one of the actions of this step."""

    by: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Perform(Node):
    procedure: str
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Announce(Node):
    event: str
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class EndGame(Node):
    at_once: bool  # without the final phase
    span: Span


@dataclass(frozen=True, slots=True)
class Verb(Node):
    """A primitive: `move f to s`. Each argument stands behind its preposition."""

    verb: VerbDecl
    operand: Expression
    arguments: tuple[Expression, ...]
    prepositions: tuple[str, ...]
    target: Target | None
    span: Span


Effect = (
    Let
    | Assign
    | Add
    | Drop
    | If
    | For
    | Repeat
    | Stop
    | Choose
    | Draw
    | Offer
    | Perform
    | Announce
    | EndGame
    | Verb
)
Body = tuple[Effect, ...]

_KINDS: tuple[type[Node], ...] = (*get_args(Expression), *get_args(Effect))


def _fields(holding: str) -> dict[type, tuple[str, ...]]:
    """By kind of node the fields that hold parts of some sort."""
    return {k: tuple(f.name for f in fields(k) if holding in str(f.type)) for k in _KINDS}  # type: ignore[arg-type]


_EXPRESSIONS, _BODIES = _fields("Expression"), _fields("Body")
_OPS = {
    **{k.__name__: k.__name__.lower() for k in _KINDS},
    "Printed": "declared",
    "DefinitionCall": "answer",
    "BuiltinCall": "function",
    "SetOf": "set",
    "PiecesIn": "pieces",
    "Comparison": "compare",
    "Membership": "in",
    "IsKind": "is_kind",
    "IsNothing": "is_nothing",
    "IsEmpty": "is_empty",
    "Belonging": "of",
    "EndGame": "end_game",
}
Term = Expression
Deed = Effect


# ------------------------------------------------------------------ walking


def children(node: Expression | Effect) -> tuple[Expression, ...]:
    """The expressions that a node is made of, in the order of the text."""
    found: list[Expression] = []
    for name in _EXPRESSIONS[type(node)]:
        part = getattr(node, name)
        if type(part) is tuple:
            found += part
        elif part is not None:
            found.append(part)
    return tuple(found)


def blocks(effect: Effect) -> tuple[Body, ...]:
    """The blocks of an effect: what is done, then what is done otherwise."""
    return tuple([getattr(effect, name) for name in _BODIES[type(effect)]])


def walk(expression: Expression) -> list[Expression]:
    """An expression and all its parts, outermost first."""
    found, waiting = [], [expression]
    while waiting:
        here = waiting.pop()
        found.append(here)
        waiting.extend(reversed(children(here)))
    return found


def walk_effects(body: Body) -> Iterator[Effect]:
    """All effects of a body, those inside blocks too, in the order of the text."""
    for effect in body:
        yield effect
        for block in blocks(effect):
            yield from walk_effects(block)


def walk_body(body: Body) -> list[Expression]:
    """Every expression of a body, with all its parts."""
    return [x for effect in walk_effects(body) for part in children(effect) for x in walk(part)]


def target_of(effect: Effect) -> Target | None:
    """What an effect gives another value."""
    match effect:
        case Assign(target) | Add(target) | Drop(target) | Draw(target) | Verb(target=target):
            return target
    return None


Key = tuple[object, ...]
_NO_PLACES: Mapping[str, int] = {}
_WORDS = {
    kind: tuple(n for n in kind.__match_args__ if n not in ("type", "span", *_EXPRESSIONS[kind]))
    for kind in get_args(Expression)
}


def canonical_key(expression: Expression, places: Mapping[str, int] = _NO_PLACES) -> Key:
    """What an expression says, to compare: two with one key say the same, wherever they stand.

    Types and spans are left out. A local name in `places` is known by its number there.
    """
    match expression:
        case Literal(value):
            return ("Literal", type(value), value)  # `true` is not 1
        case Local(name):
            return ("Local", places.get(name, name))
        case Attribute(owner, attribute):
            return ("Attribute", attribute.name, canonical_key(owner, places))
        case BuiltinCall(function, arguments):
            parts = (canonical_key(part, places) for part in arguments)
            return ("BuiltinCall", function.name, *parts)
    kind = type(expression)
    said = (getattr(expression, name) for name in _WORDS[kind])
    parts = (canonical_key(part, places) for part in children(expression))
    return (kind.__name__, *said, *parts)


terms_within, terms_of = walk, walk_body


def deeds_within(deeds: Body) -> list[Effect]:
    return list(walk_effects(deeds))
