"""Operations of the table of primitives, and calls of functions of the game.

An operation that is one instruction has a signature: the operands in their order and the result.
`i` is a number, `m` a mask of figures or tiles, `l` a list of numbers, `p` a placement (its first
register), `k` a constant, `n` one in a register's place, `-` nothing, a number a constant beside
the operands (with `n` before it in a register's place); `P` and `T` are lists of placements and of
prints. Those of primitives follow from their rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Literal

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.facts import Facts
from tilewright.play.compiling.bytecode.instructions import (
    INT,
    LIST,
    MASK,
    NOTHING,
    PLACEMENT,
    PRINT,
    T,
    Value,
    list_of,
    type_of,
)
from tilewright.play.compiling.bytecode.translation.writer import (
    EXPANSIONS,
    JUMPS,
    JUMPS_OF,
    VALUES,
    VALUES_OF,
    Slot,
    Writer,
    constant_of,
    enters,
)
from tilewright.play.encoding import STRIDE
from tilewright.play.program import MAY_RESTRICT

RESULTS: dict[str, T] = {
    "i": INT,
    "m": MASK,
    "l": LIST,
    "P": list_of(PLACEMENT),
    "T": list_of(PRINT),
}
#: where figures are that `FIGS` and `FIGS_PLAYER` find
ANYWHERE, ON_BOARD, IN_SUPPLY = range(3)
#: more than any piece has layouts
MOST_LAYOUTS = 16
#: a signature: instruction, operands, result; the result of a change is ""
Signature = tuple[str, str, str]


def primitives() -> Iterator[tuple[p.Form, Signature]]:
    """Each form of a primitive that is one instruction, with its signature.

    The constant of a shared instruction is the place of the function in `shared`.
    """
    for form, (name, operands, result) in _declared():
        if name.islower():
            signature = _shared_by(operands, result)
            yield form, (signature, f"{operands}{shared()[signature].index(name)}", result)
        else:
            yield form, (name, operands, result)


@cache
def shared() -> dict[str, list[str]]:
    """The functions of the core that share an instruction, by its name."""
    found: dict[str, list[str]] = {}
    for _, (name, operands, result) in _declared():
        if name.islower() and name not in (
            names := found.setdefault(_shared_by(operands, result), [])
        ):
            names.append(name)
    return found


def _shared_by(operands: str, result: str) -> str:
    """The instruction for all functions with a form, such as `NUMBER1`, `LIST2` or `CHANGE2`."""
    return f"{ {'i': 'NUMBER', '': 'CHANGE'}.get(result, 'LIST') }{len(operands)}"


def _declared() -> Iterator[tuple[p.Form, Signature]]:
    """Each form of a primitive that is one instruction, with its signature as the row has it."""
    for row in (*p.ATTRIBUTES, *p.GLOBALS, *p.FUNCTIONS, p.RANGE, *p.RELATIONS, *p.VERBS):
        for form in (p.Form(row.python, row.native), *(form for _, form in row.forms)):
            if form.native:
                name, operands = _split(form.native)
                yield form, (name, operands or "i" * _operands(row), _result(row))


def _split(native: str) -> tuple[str, str]:
    name, _, operands = native.partition(" ")
    return name, operands


def _operands(row: p.Primitive) -> int:
    match row:
        case p.Function(parameters=parameters):
            return len(parameters)
        case p.VerbDecl(parts=parts):
            return 1 + len(parts)
        case p.Relation():
            return 2
    return int(isinstance(row, p.AttributeOf))


def _result(row: p.Primitive) -> str:
    """The letter of the result of a primitive, "" for a change without one."""
    match row:
        case p.AttributeOf(type=type_) | p.GlobalName(type=type_):
            text = str(type_)
        case p.Function(result=result):
            text = result
        case p.Relation(word=word, owner=owner):
            text = f"set of {owner}" if word == "of" else "truth"
        case p.VerbDecl(parts=parts):
            names = [each for _, types_, _ in parts for each in types_ if ": " in each]
            text = names[0].partition(": ")[2] if names else ""
        case _:
            raise AssertionError(row)
    if not text:
        return ""
    found = type_of(p.type_of(text))
    return next(letter for letter, each in RESULTS.items() if each == found)


def _of_primitives() -> dict[p.Form, Signature]:
    """The instructions of primitives that are one instruction alone."""
    attribute, function, name = p.ATTRIBUTE, p.FUNCTION, p.GLOBAL
    found = dict(primitives())
    # those whose instruction is one of several primitives, or passes on a number of its own
    found |= {
        attribute["figure", "tile"].form("alone"): ("FIG_AT", "i0", "i"),
        attribute["figure", "cell"].form("alone"): ("FIG_AT", "i1", "i"),
        attribute["figure", "holder"].form("alone"): ("FIG_AT", "i4", "i"),
        attribute["segment", "tile"].form(""): ("SHRI", "i5", "i"),
        attribute["segment", "kind"].form(""): ("SEG_KIND", "i", "i"),
        attribute["segment", "sides"].form(""): ("SEG_LIST", "in0", "l"),
        attribute["segment", "joined"].form(""): ("SEG_LIST", "in1", "l"),
        attribute["segment", "stretch"].form(""): ("SEG_LIST", "in2", "l"),
        attribute["segment", "corners"].form(""): ("SEG_LIST", "in3", "l"),
        attribute["segment", "touching"].form(""): ("SEG_LIST", "in7", "l"),
        attribute["segment", "left_halves"].form(""): ("SEG_LIST", "in8", "l"),
        attribute["segment", "right_halves"].form(""): ("SEG_LIST", "in9", "l"),
        attribute["tile", "whole"].form(""): ("SEG_LIST", "in4", "m"),
        function["turns"].form(""): ("SEG_LIST", "in5", "l"),
        function["swaps"].form(""): ("SEG_LIST", "in6", "m"),
        function["reveals"].form(""): ("SEG_LIST", "in10", "l"),
        attribute["feature", "size"].form(""): ("B_SIZE", "i", "i"),
        attribute["player", "supply"].form(""): ("FIGS_PLAYER", f"in{IN_SUPPLY}", "m"),
        attribute["player", "figures"].form(""): ("FIGS_PLAYER", f"in{ON_BOARD}", "m"),
        attribute["player", "owned"].form(""): ("FIGS_PLAYER", f"in{ANYWHERE}", "m"),
        p.FIRST_OF.form("mask"): ("SFIRSTN", "mi", "m"),
        p.COUNT.form("stack"): ("STACK_LEN", "i", "i"),
        function["holds"].form(""): ("HOLDS", "ii", "i"),
        p.RELATION["of", "figure", "figure kind"].form(""): ("KEEP_KIND", "mi", "m"),
        p.RELATION["of", "figure", "trait"].form(""): ("KEEP_TRAIT", "mi", "m"),
        name["figures"].form(""): ("FIGS", f"n0n{ON_BOARD}", "m"),
        name["all_figures"].form(""): ("FIGS", "", "m"),
        name["tiles"].form(""): ("TILES", "", "m"),
        name["tiles"].form("changed"): ("TILES", "", "m"),
        p.VERB["join"].form(""): ("CHANGE_BOARD", "ii1", ""),
        p.VERB["part"].form(""): ("CHANGE_BOARD", "ii0", ""),
    }
    return found


#: by operation that is one instruction: its signature
SIGNATURE: dict[op.Operation, Signature] = _of_primitives() | {
    operation: (*_split(operation.native), result) for operation, result in op.RESULTS.items()
}


_PIECE, _AT = f.Var("piece"), f.Var("at")
_MAY_LAY = f.Call("ask_may_lay", [_PIECE, _AT])


def _allowed(name: str, parameters: tuple[str, ...], places: f.Prim) -> f.Function:
    """Those of some placements that the rules allow."""
    those = f.Loop("list", _AT, [f.Members(("at",), places, [_MAY_LAY])])
    restricted = f.prim(op.IS_RESTRICTED, _PIECE)
    return f.Function(name, parameters, [f.If(restricted, [f.Return(those)]), f.Return(places)])


_PLACES = f.prim(op.PLACES, _PIECE)
_BESIDE = f.prim(op.PLACES_BESIDE, _PIECE, f.Var("lying"))
_FREE = f.Not(f.prim(op.IS_RESTRICTED, _PIECE))
_COUNTED = f.Compare(">", f.prim(op.PLACES_OF_PIECE, _PIECE), f.Const(0))
_ANY = f.Loop("any", _MAY_LAY, [f.Members(("at",), f.prim(op.REVERSED, _PLACES))])

#: by name
HELPERS: dict[str, f.Function] = {
    "allowed": _allowed("allowed", ("piece",), _PLACES),
    "beside_cover": _allowed("beside_cover", ("piece", "lying"), _BESIDE),
    "is_playable": f.Function(
        "is_playable", ("piece",), [f.If(_FREE, [f.Return(_COUNTED)]), f.Return(_ANY)]
    ),
}


@enters(JUMPS_OF, op.IS_RESTRICTED)
def _is_restricted(w: Writer, node: f.Prim, holds: bool, to: int) -> None:
    """Whether rules restrict the placements of a piece: always, or at the moment."""
    test: f.Expr = f.prim(op.IS_CONSTRAINED, *node.arguments)
    if MAY_RESTRICT in w.knowledge.trees:
        test = f.Logic(False, [test, f.Call(MAY_RESTRICT, node.arguments)])
    w.jump_if(test, holds, to)


#: an operand: its kind and, for a constant in a register's place, the constant
_OPERAND = re.compile(r"n\d+|[imlptkn-]")
#: the constant of the instruction itself, behind the operands
_CONSTANT = re.compile(r"(?:^|[imlptk-])(\d+)$")


@enters(VALUES, f.Prim)
def _prim(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    operation = node.operation
    if (own := VALUES_OF.get(operation)) is not None:
        return own(w, node, hint)
    if operation in EXPANSIONS:
        return w.value(w.expanded(node), hint)
    if (known := SIGNATURE.get(operation)) is not None:
        return primitive(w, known, node, hint)
    if operation in JUMPS_OF:
        return w.truth(node, hint)
    raise w.refuse(node)


@enters(JUMPS, f.Prim)
def _jump(w: Writer, node: f.Prim, holds: bool, to: int) -> None:
    if (own := JUMPS_OF.get(node.operation)) is not None:
        own(w, node, holds, to)
    elif node.operation in EXPANSIONS:
        w.jump_if(w.expanded(node), holds, to)
    else:
        w.jump_of_value(w.value(node), holds, to)


def primitive(w: Writer, known: Signature, node: f.Prim, hint: Slot | None) -> Value:
    """The value of one instruction."""
    name, roles, result = known
    operands, k = operands_of(w, roles, node)
    return w.operation(name, operands, RESULTS[result], hint, k)


def operands_of(w: Writer, roles: str, node: f.Prim) -> tuple[list[int], int]:
    """The operands in registers, and the constant of an instruction."""
    operands: list[int] = []
    number = _CONSTANT.search(roles)
    k = int(number[1]) if number else 0
    given = iter(node.arguments)
    for role in _OPERAND.findall(roles):
        if len(role) > 1:
            operands.append(int(role[1:]))
            continue
        argument = next(given)
        match role:
            case "k":
                k = constant_of(argument)
            case "n":
                operands.append(constant_of(argument))
            case "m" | "l":
                operands.append(w.list_value(argument).at)
            case "i" | "p":
                operands.append(w.operand(argument, 2 if role == "p" else 1))
    return operands, k


# ------------------------------------------------------------------ operations made of others

Expand = Callable[..., f.Expr]


def _of(owner: str, name: str) -> op.Operation:
    return p.ATTRIBUTE[owner, name].form("")


def _test(word: Literal["is", "has", "of"], owner: str, mark: str) -> op.Operation:
    return p.RELATION[word, owner, mark].form("")


def _part(row: f.Expr, number: int) -> f.Expr:
    return f.prim(op.PART_OF_ROW, row, f.Const(number))


def _packed(high: f.Expr, by: int, low: f.Expr) -> f.Expr:
    """Two numbers in one: `high + by * low`."""
    return f.prim(op.ADD, high, f.prim(op.MULTIPLY, f.Const(by), low))


def _lying(symbol: f.Expr, way: f.Expr) -> f.Expr:
    """A cover and how it lies, in one number."""
    return f.prim(op.ADD, f.prim(op.MULTIPLY, symbol, f.Const(4)), way)


def _turned(by: int, mask: int) -> Expand:
    """The expansion of a turn among four directions or eight headings."""
    return lambda a: f.prim(op.BITS_OF_BOTH, f.prim(op.ADD, a, f.Const(by)), f.Const(mask))


def _of_print(operation: op.Operation, a: f.Expr) -> f.Expr:
    """An operation with the shape and the segment of a print, which is evaluated once."""
    if not isinstance(a, f.Var):
        return f.Let("print", a, _of_print(operation, f.Var("print")))
    return f.prim(operation, _part(a, 1), _part(a, 2))


def _is_one(found: Expand) -> Expand:
    """The expansion of a test of what is found of a thing."""
    return lambda a, b: f.Compare("=", found(a), b)


def _has_one(symbols: Expand) -> Expand:
    """The expansion of a test of the symbols of a thing."""
    return lambda a, b: f.Compare("!=", f.prim(op.BITS_OF_BOTH, symbols(a), b), f.Const(0))


def _those(test: Expand) -> Expand:
    """The expansion of the members of a list that pass a test."""

    def expand(members: f.Expr, mark: f.Expr) -> f.Expr:
        each = f.Var("x")
        return f.Loop("list", each, [f.Members(("x",), members, [test(each, mark)])])

    return expand


_kind_of_feature = partial(f.prim, p.FEATURE_KIND.form(""))
_kind_of_print = partial(_of_print, op.KIND_OF_PRINT)

EXPANSIONS.update({
    _of("figure", "placed"): lambda a: f.Compare(">=", f.prim(op.SPOT, a), f.Const(0)),
    _of("segment", "cell"): lambda a: f.prim(
        _of("tile", "cell"), f.prim(_of("segment", "tile"), a)
    ),
    _of("print", "cell"): lambda a: _part(a, 0),
    _of("placement", "cell"): lambda a: _part(a, 0),
    _of("print", "sides"): partial(_of_print, op.SIDES_OF_PRINT),
    _of("direction", "opposite"): _turned(2, 3),
    _of("direction", "left"): _turned(3, 3),
    _of("direction", "right"): _turned(1, 3),
    _of("direction", "heading"): lambda a: f.prim(op.MULTIPLY, a, f.Const(2)),
    _of("heading", "opposite"): _turned(4, 7),
    _of("heading", "left"): _turned(7, 7),
    _of("heading", "right"): _turned(1, 7),
    _of("heading", "straight"): lambda a: f.Compare(
        "=", f.prim(op.BITS_OF_BOTH, a, f.Const(1)), f.Const(0)
    ),
    _test("has", "tile", "symbol"): _has_one(partial(f.prim, op.SYMBOLS_OF_TILE)),
    _test("has", "segment", "symbol"): _has_one(partial(f.prim, op.SYMBOLS_OF_SEGMENT)),
    _test("has", "piece", "symbol"): _has_one(partial(f.prim, op.SYMBOLS_OF_PIECE)),
    _test("has", "print", "symbol"): _has_one(partial(_of_print, op.SYMBOLS_OF_PRINT)),
    _test("is", "figure", "figure kind"): _is_one(partial(f.prim, p.FIGURE_KIND.form(""))),
    _test("is", "feature", "feature kind"): _is_one(_kind_of_feature),
    _test("is", "segment", "feature kind"): _is_one(
        partial(f.prim, p.SEGMENT_KIND.form("recast"))
    ),
    _test("is", "print", "feature kind"): _is_one(_kind_of_print),
    _test("of", "feature", "feature kind"): _those(_is_one(_kind_of_feature)),
    _test("of", "print", "feature kind"): _those(_is_one(_kind_of_print)),
    _test("of", "token", "trait"): _those(partial(f.prim, _test("has", "token", "trait"))),
    op.LIST_WITHOUT: _those(lambda a, b: f.Compare("!=", a, b)),
    op.HAS_PLACES: lambda a: f.Compare(">", f.prim(op.PLACES_OF_PIECE, a), f.Const(0)),
    op.IS_OCCUPIED_BY: lambda a, b: f.Compare(
        "!=",
        f.prim(_test("of", "figure", "trait"), f.prim(p.FEATURE_FIGURES.form(""), a), b),
        f.Const(0),
    ),
    op.IS_STACK_EMPTY: lambda a: f.Not(f.prim(p.COUNT.form("stack"), a)),
    p.CYCLE.form("mask"): lambda a, b: f.prim(p.FIRST_OF.form("mask"), a, f.prim(op.ROUNDED, b)),
    p.FUNCTION["cell_at"].form(""): lambda a, b, c: f.prim(op.CELL_AT, a, _packed(b, 8, c)),
    p.FUNCTION["within"].form(""): lambda a, b, c: f.prim(op.CELLS_TO, a, _packed(b, 8, c)),
    p.VERB["cover"].form(""): lambda a, b, c: f.prim(op.LAY_COVER, a, _lying(b, c)),
    p.REPLACE.form(""): lambda a, b, c: f.prim(op.LAY_IN_PLACE, a, _lying(b, c)),
    p.LIFT.form(""): lambda a: f.prim(op.LIFT_TILE, a, a),
    p.HIDE.form(""): lambda a: f.prim(op.HIDE_TILE, a, a),
    p.MOVE.form("cell"): lambda a, b: f.prim(p.MOVE.form("tile"), a, f.prim(op.TILE_IN, b)),
})  # fmt: skip


# ------------------------------------------------------------------ functions of the game


@enters(VALUES, f.Call)
def _call(w: Writer, node: f.Call, hint: Slot | None) -> Value:
    match node.arguments:
        case [f.Chosen()]:
            return _act(w, node)
        case [f.Prim(op.FRAME, [f.Const(int(unit)), f.ListOf(arguments)])]:
            return _start(w, node.function, unit, arguments)
    if node.function not in w.knowledge.trees:
        raise w.refuse(node, "an unknown function")
    return call_rule(w, node.function, node.arguments, hint)


def translated(w: Writer, name: str) -> Facts:
    """A function that this one calls, translated as far as it is known."""
    found = w.translate(name)
    found.callers.add(w.facts.function.name)
    return found


def call_rule(w: Writer, name: str, arguments: Sequence[f.Expr], hint: Slot | None = None) -> Value:
    """Call a function of the program."""
    callee = w.knowledge.function(name)
    known = callee.parameters
    slots = [w.bound.get(a.name) if isinstance(a, f.Var) else None for a in arguments]
    names = [slot for slot in slots if slot is not None]
    if None in known and len(names) == len(slots) and not w.facts.changed:
        w.knowledge.give(name, [slot.type for slot in names])
    window = _in_place(slots, known)
    if window is None:
        window = _window(w, name, arguments, known)
    callee = translated(w, name)
    result = callee.result or INT
    found = w.target(result, hint)
    w.emit("CALL", found, window).callee = name
    return Value(NOTHING if callee.result is None else result, found)


def _in_place(slots: list[Slot | None], known: list[T | None]) -> int | None:
    """The first register of arguments that are names in a row already, of the known types."""
    first = at = slots[0].at if slots and slots[0] is not None else 0
    for slot, type_ in zip(slots, known, strict=False):
        if slot is None or type_ is None or slot.at != at or slot.type.words != type_.words:
            return None
        if slot.type != type_:
            return None
        at += len(type_.words)
    return first if len(slots) == len(known) else None


def _window(
    w: Writer,
    name: str,
    arguments: Sequence[f.Expr],
    known: list[T | None],
) -> int:
    types = [each or INT for each in known]
    if len(types) != len(arguments):
        types = [INT for _ in arguments]
    first = at = w.registers([word for type_ in types for word in type_.words])
    values: list[tuple[Slot, Value]] = []
    for argument, type_ in zip(arguments, types, strict=True):
        slot = Slot(type_, at)
        values.append((slot, w.value(argument, slot)))
        at += len(type_.words)
    callee = w.knowledge.function(name)
    if not w.facts.changed:
        w.knowledge.give(name, [value.type for _, value in values])
    if not w.facts.changed and [each or INT for each in callee.parameters] == types:
        for slot, value in values:
            w.move(slot, value)
    else:  # translated again
        w.facts.changed = True
    return first


def arguments_of(w: Writer, nodes: Sequence[f.Expr]) -> list[Value]:
    """The values of arguments; those of an action are the parts of the chosen option."""
    match nodes:
        case [f.Chosen(name)]:
            slot = w.bound[name]
            at, found = slot.at + 1, []
            for type_ in w.facts.actions[name][w.action]:
                found.append(Value(type_, at))
                at += len(type_.words)
            return found
    return [w.value(node) for node in nodes]


def _start(w: Writer, name: str, unit: int, arguments: Sequence[f.Expr]) -> Value:
    """A call of a function that may wait, in a frame of its own."""
    callee = w.knowledge.function(name)
    values = arguments_of(w, arguments)
    known = callee.saved[0]
    before = list(known)
    if not w.facts.changed:
        w.knowledge.save(callee, 0, [value.type for value in values])
    if before != known:
        w.knowledge.stale(callee)
    w.emit("FSTART", k=unit)
    for value, type_ in zip(values, known, strict=False):
        save_value(w, value, type_ or INT)
    translated(w, name)
    found = w.registers((0,))
    w.emit("CALL", found, 0).callee = name
    return Value(INT, found)


def save_value(w: Writer, value: Value, type_: T) -> None:
    """Append a value to the frame that runs."""
    mark = w.mark()
    if value.type.words != type_.words or value.constant is not None:
        at = w.registers(type_.words)
        if not w.facts.changed:
            w.move(Slot(type_, at), value)
        value = Value(type_, at)
    if type_.is_list:
        w.emit("FSAVEL", value.at, c=type_.parts or 1)
    else:
        for word in range(len(type_.words)):
            w.emit("FSAVE", value.at + word)
    w.release(mark)


def _act(w: Writer, node: f.Call) -> Value:
    """A call with the parts of the chosen option, which are in a row already."""
    values = arguments_of(w, node.arguments)
    if not w.facts.changed:
        w.knowledge.give(node.function, [value.type for value in values])
    callee = translated(w, node.function)
    found = w.target(callee.result or INT, None)
    w.emit("CALL", found, values[0].at if values else 0).callee = node.function
    return Value(callee.result or NOTHING, found)


# ------------------------------------------------------------------ placements that rules restrict


def helper(w: Writer, name: str, arguments: list[f.Expr], hint: Slot | None) -> Value:
    """Call a function of the run-time library that calls a rule."""
    if not w.knowledge.restricted:
        plain = {
            "allowed": op.PLACES,
            "beside_cover": op.PLACES_BESIDE,
            "is_playable": op.PLACES_OF_PIECE,
        }[name]
        return primitive(w, SIGNATURE[plain], f.Prim(plain, arguments), hint)
    w.knowledge.function(name, HELPERS[name])
    return call_rule(w, name, arguments, hint)


@enters(VALUES_OF, p.PLACEMENTS.form(""))
def _placements(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    return helper(w, "allowed", list(node.arguments), hint)


@enters(VALUES_OF, p.PIECE_PLAYABLE.form(""))
def _is_playable(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    return helper(w, "is_playable", list(node.arguments), hint)


@enters(VALUES_OF, p.FUNCTION["beside_cover"].form(""))
def _beside_cover(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    a, b, c, d = node.arguments
    return helper(w, "beside_cover", [a, _packed(_lying(c, d), 4096, b)], hint)


@enters(
    VALUES_OF,
    p.FUNCTION["prints"].form(""),
    p.FUNCTION["joined"].form(""),
    op.PRINTS_OF_KIND,
    op.JOINED_OF_KIND,
)
def _prints(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    is_prints = node.operation in (p.FUNCTION["prints"].form(""), op.PRINTS_OF_KIND)
    name, result = ("PRINTS", T("list", 3)) if is_prints else ("JOINED", LIST)
    which, where, *kinds = node.arguments
    piece, placement = w.operand(which), w.operand(where, 2)
    kind = w.operand(kinds[0]) if kinds else -1
    return w.operation(name, [piece, placement], result, hint, kind)


@enters(VALUES_OF, p.FUNCTION["cell_away"].form(""))
def _cell_away(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    cell, heading, distance = node.arguments
    packed = f.Prim(node.operation, [cell, _packed(heading, 8, distance)])
    return primitive(w, SIGNATURE[node.operation], packed, hint)


@enters(VALUES_OF, p.FUNCTION["can_lie"].form(""))
def _fits(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    piece, where = node.arguments
    at = f.Var("at")
    packed = f.Let("at", where, _packed(_part(at, 1), MOST_LAYOUTS, _part(at, 0)))
    return primitive(w, SIGNATURE[node.operation], f.Prim(node.operation, [piece, packed]), hint)


@enters(VALUES_OF, p.FUNCTION["placement"].form(""))
def _placement(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    piece, cell, side = node.arguments
    rows = [
        row.get((0, direction), (0, 0, 0))
        for row in w.knowledge.program.shapes.spellings
        for direction in range(4)
    ]
    steps = tuple(x + y * STRIDE for _, x, y in rows)
    which = f.Var("which")
    first = f.prim(op.ADD, cell, f.looked_up(steps, which)) if any(steps) else cell
    found = f.Row([first, f.looked_up(tuple(layout for layout, _, _ in rows), which)])
    return w.value(f.Let("which", _packed(side, 4, piece), found), hint)


@enters(VALUES_OF, p.FUNCTION["north_of"].form(""))
def _turned_in(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    piece, where = node.arguments
    rows = w.knowledge.program.shapes.layout_turn
    turns = tuple(n for row in rows for n in (*row, *[0] * (MOST_LAYOUTS - len(row))))
    return w.value(f.looked_up(turns, _packed(_part(where, 1), MOST_LAYOUTS, piece)), hint)


@enters(VALUES_OF, _of("tile", "north"))
def _north(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    shape = f.prim(op.SHAPE_OF_TILE, *node.arguments)
    return w.value(f.looked_up(w.knowledge.program.shapes.turn_of, shape), hint)


@enters(VALUES_OF, p.FUNCTION["joins"].form(""))
def _joins(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    which, where, wanted = node.arguments
    piece, placement = w.operand(which), w.operand(where, 2)
    return w.operation("JOINS", [piece, placement], LIST, hint, w.operand(wanted, 3))
