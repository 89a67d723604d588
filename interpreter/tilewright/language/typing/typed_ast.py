"""The typed tree of effect text: its nodes, and functions that visit all parts of a tree.

Expressions are pure; effects change the match or the control flow.

Other modules need not know which attributes of a node hold parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args
from typing import Literal as OneOf

from tilewright.language.builtins import ACTED, AWARD, AttributeOf, Function, GlobalName, VerbDecl
from tilewright.language.source.identity import KeepsResults, kept_by_identity
from tilewright.language.source.text import Span
from tilewright.language.types import NOTHING, Type

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


_KINDS: tuple[type[Node], ...] = (*get_args(Expression), *get_args(Effect))


def _parts(holding: str) -> dict[type, tuple[str, ...]]:
    """By kind of node: the names of the attributes whose type contains a word."""
    return {
        kind: tuple(name for name, type_ in kind.__annotations__.items() if holding in str(type_))
        for kind in _KINDS
    }


_EXPRESSIONS, _BODIES = _parts("Expression"), _parts("Body")


# ------------------------------------------------------------------ walking


def children(node: Expression | Effect) -> tuple[Expression, ...]:
    """The expressions directly inside a node, in the order of the text."""
    found: list[Expression] = []
    for name in _EXPRESSIONS[type(node)]:
        part = getattr(node, name)
        if type(part) is tuple:
            found += part
        elif part is not None:
            found.append(part)
    return tuple(found)


def implied_by(node: Expression) -> str:
    """The definition that a node evaluates implicitly, such as `may_lay`; "" for none."""
    match node:
        case BuiltinCall(primitive) | Attribute(_, primitive):
            return primitive.evaluates
    return ""


def blocks(effect: Effect) -> tuple[Body, ...]:
    """The blocks of an effect: the first one, then the `else` block."""
    return tuple([getattr(effect, name) for name in _BODIES[type(effect)]])


def mapped(node: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The node with each of its parts changed; the node itself where all of them stay."""
    changed: dict[str, Any] = {}
    for name in _EXPRESSIONS[type(node)]:
        part = getattr(node, name)
        if type(part) is tuple:
            new: Any = tuple(map(change, part))
            is_changed = any(one is not other for one, other in zip(part, new, strict=True))
        else:
            new = None if part is None else change(part)
            is_changed = new is not part
        if is_changed:
            changed[name] = new
    if not changed:
        return node
    if isinstance(node, Quantifier):
        changed["written"] = node.written or node
    return replace(node, **changed)


@kept_by_identity
def walk(expression: Expression) -> tuple[Expression, ...]:
    """An expression and all its parts, outermost first."""
    found, waiting = list[Expression](), [expression]
    while waiting:
        here = waiting.pop()
        found.append(here)
        waiting.extend(reversed(children(here)))
    return tuple(found)


@kept_by_identity
def free_locals(expression: Expression) -> tuple[str, ...]:
    """The local names that an expression reads and does not bind, in the order of the text."""
    match expression:
        case Local(name):
            return (name,)
        case Quantifier(variable=variable, source=source, body=body):
            found = [*free_locals(source), *(n for n in free_locals(body) if n != variable)]
        case _:
            found = [name for part in children(expression) for name in free_locals(part)]
    return tuple(dict.fromkeys(found))


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
    """The target that an effect assigns, or None."""
    match effect:
        case Assign(target) | Add(target) | Drop(target) | Draw(target) | Verb(target=target):
            return target
    return None


def announcement(effect: Effect) -> tuple[str, tuple[Expression, ...]]:
    """The event that an effect announces, explicitly or through its verb, with its arguments.

    The event is "" when there is none.
    """
    match effect:
        case Announce(event, arguments):
            return event, arguments
        case Verb(verb, number, (player, *feature)) if verb == AWARD:
            for_nothing = Literal(None, NOTHING, effect.span)
            return verb.announces, (player, number, *(feature or (for_nothing,)))
        case Verb(verb, operand):
            return verb.announces, (operand,)
        case Offer(player):
            return ACTED, (player, Literal(None, Type("action"), effect.span))
    return "", ()


Key = tuple[object, ...]
_NO_PLACES: Mapping[str, int] = {}
_NO_WORDS = {"type", "span", "written"}
_WORDS = {
    kind: [n for n in kind.__match_args__ if n not in _NO_WORDS.union(_EXPRESSIONS[kind])]
    for kind in get_args(Expression)
}


def words_of(node: Expression) -> Iterator[object]:
    """The content of a node without its parts: names, numbers, operators."""
    for name in _WORDS[type(node)]:
        word = getattr(node, name)
        yield word.name if isinstance(word, AttributeOf | Function | GlobalName) else word


def canonical_key(node: Expression, places: Mapping[str, int] = _NO_PLACES) -> Key:
    """A key that is equal for expressions with the same content.

    Types and spans are left out. A local name in `places` counts as its number there.
    """
    match node:
        case Local(name):
            return ("Local", places.get(name, name))
        case Literal(value):
            return ("Literal", type(value), value)  # `true` is not 1
    parts = (canonical_key(part, places) for part in children(node))
    return (type(node).__name__, *words_of(node), *parts)
