"""The intermediate form of compiled rules, which both engines share.

Typed trees are lowered to it once (`lowering/`), passes work on it, and two writers carry it on:
`python/` to code objects and `bytecode/` to instructions of the native core. It leaves open how
an engine holds a set, except where a form of the table of primitives does.

Nodes are plain data. A node with a span begins the text of its rule; one without belongs to the
nearest node above that has one. A node may be part of several nodes, and is not changed
after it was made, except that it may be given a span.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter, is_not
from typing import Any, Literal, TypeVar, get_args

from tilewright.language.source.text import Span
from tilewright.play.compiling.operations import LOOKED_UP, Operation

#: a constant of the form; a text is the id of a rule, for messages
Constant = int | bool | str | None
Comparing = Literal["=", "!=", "<", "<=", ">", ">="]
#: the value of a loop: whether any or all members pass, how many there are, a sum, or a list
Result = Literal["any", "all", "count", "sum", "list"]


@dataclass(slots=True, eq=False, kw_only=True)
class Node:
    """A part of a compiled rule."""

    span: Span | None = None


# ------------------------------------------------------------------ expressions


@dataclass(slots=True, eq=False)
class Const(Node):
    """A number, a truth value, nothing, or the id of a rule."""

    value: Constant


@dataclass(slots=True, eq=False)
class Var(Node):
    """A local name: one of a rule, or one that a pass has made."""

    name: str


@dataclass(slots=True, eq=False)
class Prim(Node):
    """An operation of the table of primitives, or of the compiler's own."""

    operation: Operation
    arguments: Sequence[Expr] = ()


@dataclass(slots=True, eq=False)
class Call(Node):
    """A call of another function of the game, with the match before its arguments."""

    function: str
    arguments: Sequence[Expr] = ()


@dataclass(slots=True, eq=False)
class Logic(Node):
    """Whether all of several conditions hold, or one of them; the first that decides ends it."""

    is_all: bool
    parts: Sequence[Expr]


@dataclass(slots=True, eq=False)
class Not(Node):
    """Whether a condition does not hold, or a set is empty."""

    value: Expr


@dataclass(slots=True, eq=False)
class Compare(Node):
    """A comparison of two values that are both there."""

    sign: Comparing
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class IsNothing(Node):
    """Whether a value is missing, or with `is_not` whether it is there."""

    value: Expr
    is_not: bool = False


@dataclass(slots=True, eq=False)
class Either(Node):
    """One of two values, by a condition."""

    test: Expr
    then: Expr
    otherwise: Expr


@dataclass(slots=True, eq=False)
class Let(Node):
    """A value with a name for another one, which is evaluated once."""

    name: str
    value: Expr
    body: Expr


@dataclass(slots=True, eq=False)
class Members(Node):
    """One of the loops inside each other: names for each member of a set that passes the tests.

    With several names each member is a row. With `is_once` the source is the only member.
    """

    names: tuple[str, ...]
    source: Expr
    tests: Sequence[Expr] = ()
    is_once: bool = False


@dataclass(slots=True, eq=False)
class Loop(Node):
    """The `result` of a value for each combination of members."""

    result: Result
    value: Expr
    loops: Sequence[Members]


@dataclass(slots=True, eq=False)
class ListOf(Node):
    """A list with these members."""

    members: Sequence[Expr] = ()


@dataclass(slots=True, eq=False)
class Row(Node):
    """Values in a row, as one value."""

    values: Sequence[Expr] = ()


@dataclass(slots=True, eq=False)
class Chosen(Node):
    """The parts of the chosen option that is kept under a name, as arguments."""

    name: str


Expr = (
    Const | Var | Prim | Call | Logic | Not | Compare | IsNothing | Either | Let | Loop | ListOf
    | Row | Chosen
)  # fmt: skip


# ------------------------------------------------------------------ statements


class Statement(Node):
    """A part of a rule that changes something, or decides what runs next."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Set(Statement):
    """Store a value under a local name."""

    name: str
    value: Expr


@dataclass(slots=True, eq=False)
class Put(Statement):
    """Set a part of the match, such as a slot of memory."""

    part: Prim
    value: Expr


@dataclass(slots=True, eq=False)
class Do(Statement):
    """Evaluate something for its effect."""

    value: Expr


@dataclass(slots=True, eq=False)
class If(Statement):
    """Statements by a condition."""

    test: Expr
    then: Sequence[Stmt]
    otherwise: Sequence[Stmt] = ()


@dataclass(slots=True, eq=False)
class For(Statement):
    """Statements for each member of a set; several names are those of the parts of a row."""

    names: tuple[str, ...]
    source: Expr
    body: Sequence[Stmt]


@dataclass(slots=True, eq=False)
class Return(Statement):
    """End the function, with a value or without."""

    value: Expr | None = None


@dataclass(slots=True, eq=False)
class Break(Statement):
    """Leave the innermost loop."""


@dataclass(slots=True, eq=False)
class Goto(Statement):
    """Go on at a block of the function."""

    block: int


@dataclass(slots=True, eq=False)
class Save(Statement):
    """Keep the names in the frame, with the block at which the function goes on later."""

    block: int
    names: Sequence[str]


@dataclass(slots=True, eq=False)
class Restore(Statement):
    """Take the names from the frame again."""

    names: Sequence[str]


@dataclass(slots=True, eq=False)
class Append(Statement):
    """Add a member to the list under a name, or to the options."""

    name: str
    value: Expr


@dataclass(slots=True, eq=False)
class AppendAll(Statement):
    """Add the members that a loop makes to the options."""

    name: str
    members: Loop


@dataclass(slots=True, eq=False)
class Places(Statement):
    """So many places for lists under a name, all of them empty."""

    name: str
    many: int


@dataclass(slots=True, eq=False)
class Stow(Statement):
    """Keep a list in one of the places under a name; another name has the number of the place."""

    name: str
    place: str
    value: Expr


@dataclass(slots=True, eq=False)
class Steady(Statement):
    """Statements that change nothing of the match, so that one look at a part of it is enough."""

    body: Sequence[Stmt]


Stmt = (
    Set | Put | Do | If | For | Return | Break | Goto | Save | Restore | Append | AppendAll
    | Places | Stow | Steady
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Function(Node):
    """A function of the game. Its first parameter is the match.

    One that may wait has numbered blocks in place of a body, and goes on at the block in its frame;
    `parameters` is then empty. One that lists options adds them to the list `options`.
    """

    name: str
    parameters: tuple[str, ...]
    body: Sequence[Stmt]
    blocks: Sequence[tuple[int, Sequence[Stmt]]] = ()
    adds_options: bool = False
    #: statements that a function with blocks runs each time that it is called
    first: Sequence[Stmt] = ()


# ------------------------------------------------------------------ small parts

N = TypeVar("N", bound=Node)


def prim(operation: Operation, *arguments: Expr) -> Prim:
    """An operation with its arguments; a name among them has the place of the operation."""
    return Prim(operation, [bare(each) for each in arguments])


def looked_up(numbers: Iterable[int | None], index: Expr) -> Prim:
    """The number at an index of a table of constants."""
    return prim(LOOKED_UP, Row([Const(each) for each in numbers]), index)


def bare(node: Expr) -> Expr:
    """A name without a place of its own; any other expression as it is."""
    return Var(node.name) if node.__class__ is Var and node.span is not None else node


def negated(value: Expr) -> Expr:
    """The opposite of a condition, or whether a set is empty."""
    return Not(bare(value))


def joined(is_all: bool, parts: Sequence[Expr]) -> Expr:
    """The `and` or `or` of conditions, without constant ones."""
    rest: list[Expr] = []
    for part in parts:
        if isinstance(part, Const):
            if part.value is not is_all:
                return part
            continue
        rest.append(part)
    if not rest:
        return Const(is_all)
    return rest[0] if len(rest) == 1 else Logic(is_all, rest)


def place(node: N, span: Span) -> N:
    """Give a new node the place of a rule's text, if it has none."""
    if node.span is None:
        node.span = span
    return node


# ------------------------------------------------------------------ walking

_PARTS_OF_NODES = ("Expr", "Stmt", "Members", "Loop")


def _attributes(kind: type) -> tuple[str, ...]:
    """The attributes of a kind of node that hold one part, and with a star those with several."""
    found = []
    for name, type_ in kind.__annotations__.items():
        one = type_.removeprefix("Sequence[").removesuffix("]")
        if one in _PARTS_OF_NODES:
            found.append(name if one == type_ else f"*{name}")
    return tuple(found)


_ATTRIBUTES = {kind: _attributes(kind) for kind in (*get_args(Expr), Members, *get_args(Stmt))}
_NO_PARTS: tuple[Node, ...] = ()


def _reader(names: Sequence[str]) -> Callable[[Any], Sequence[Node]]:
    """The function that lists the parts of a node with these attributes."""
    if len(names) == 1 and names[0].startswith("*"):
        return attrgetter(names[0][1:])
    if len(names) > 1 and not any(each.startswith("*") for each in names):
        return attrgetter(*names)

    def read(node: Any) -> Sequence[Node]:
        found: list[Node] = []
        for name in names:
            if name.startswith("*"):
                found += getattr(node, name[1:])
            else:
                found.append(getattr(node, name))
        return found

    return read


_PARTS = {kind: _reader(names) for kind, names in _ATTRIBUTES.items() if names}


def parts(node: Node) -> Sequence[Node]:
    """The expressions, loops and statements directly in a node."""
    if node.__class__ is Return:
        return _NO_PARTS if node.value is None else (node.value,)
    read = _PARTS.get(node.__class__)
    return _NO_PARTS if read is None else read(node)


def mapped(node: N, change: Callable[[Any], Any]) -> N:
    """A node with its parts changed; the node itself, if none of them is.

    A part in a row, such as a statement, may become several.
    """
    if isinstance(node, Return):
        names: Sequence[str] = ("value",) if node.value is not None else ()
    else:
        names = _ATTRIBUTES.get(node.__class__, ())
    changed: dict[str, Any] = {}
    for each in names:
        name = each.removeprefix("*")
        before = getattr(node, name)
        if each.startswith("*"):
            after: Any = _changed(before, change)
            if len(after) != len(before) or any(map(is_not, before, after)):
                changed[name] = after
        elif (after := change(before)) is not before:
            changed[name] = after
    return replace(node, **changed) if changed else node


def _changed(before: Sequence[Node], change: Callable[[Any], Any]) -> list[Any]:
    found: list[Any] = []
    for part in before:
        after = change(part)
        found += after if isinstance(after, list) else [after]
    return found


def with_statements(function: Function, change: Callable[[Any], Any]) -> Function:
    """A function with its statements changed."""
    return replace(
        function,
        first=_changed(function.first, change),
        body=_changed(function.body, change),
        blocks=[(number, _changed(block, change)) for number, block in function.blocks],
    )


def walk(node: Node) -> Iterator[Node]:
    """A node and everything in it."""
    yield node
    for part in parts(node):
        yield from walk(part)


def by_level(node: Node) -> list[Node]:
    """A node and everything in it, outer parts first."""
    found = [node]
    for each in found:
        found += parts(each)
    return found


def statements_of(function: Function) -> Iterator[Stmt]:
    """The outermost statements of a function."""
    yield from function.first
    yield from function.body
    for _, block in function.blocks:
        yield from block


#: the content of a node: its class, and all of its attributes but the span
Key = tuple[Any, ...]


def key(node: Node) -> Key:
    """The key of a node: two have the same one if they mean the same."""
    found: list[Any] = [node.__class__]
    names: tuple[str, ...] = type(node).__match_args__
    for name in names:  # all but the span
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(key(value))
        elif isinstance(value, list | tuple) and any(isinstance(each, Node) for each in value):
            found.append(tuple(map(key, value)))
        else:
            found.append((value.__class__, tuple(value) if isinstance(value, list) else value))
    return tuple(found)


def read_names(node: Node) -> Iterator[str]:
    """The local names that a node reads."""
    for each in walk(node):
        match each:
            case Var(name) | Chosen(name):
                yield name
            case Stow(name, number):
                yield from (name, number)
            case Save(_, names):
                yield from names


def set_names(node: Node) -> Iterator[str]:
    """The local names that a node sets."""
    for each in walk(node):
        match each:
            case Set(name) | Let(name) | Places(name):
                yield name
            case Members(names) | For(names) | Restore(names):
                yield from names


def goes_round(function: Function) -> bool:
    """Whether a function goes from block to block; one that is entered at one place may not."""
    blocks = function.blocks
    if len(blocks) != 1:
        return len(blocks) > 1
    return any(isinstance(each, Goto) for statement in blocks[0][1] for each in walk(statement))


def reads_match(node: Node) -> bool:
    """Whether an expression depends on more than its local names and the constants of the game."""
    return any(
        isinstance(each, Call) or (isinstance(each, Prim) and each.operation.reads_match)
        for each in walk(node)
    )
