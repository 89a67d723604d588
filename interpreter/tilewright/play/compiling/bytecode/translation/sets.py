"""Sets: Python holds those of figures and tiles as masks, and bytecode all of them as lists."""

from __future__ import annotations

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.instructions import (
    EMPTY,
    INT,
    LIST,
    MASK,
    T,
    Value,
    list_of,
)
from tilewright.play.compiling.bytecode.translation.calls import ON_BOARD
from tilewright.play.compiling.bytecode.translation.loops import counted, is_ascending
from tilewright.play.compiling.bytecode.translation.writer import (
    VALUES_OF,
    Slot,
    Writer,
    constant_of,
    enters,
)

_FIGURES = p.FEATURE_FIGURES.form("")
#: by attribute of a player: where its figures are
_PLACES = {p.GLOBAL["figures"].form(""): ON_BOARD}
_MANY = p.COUNT.form("mask")


@enters(VALUES_OF, op.BITS)
def _bits(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    whole = w.value(node.arguments[0], hint)
    at = whole.at if whole.type.is_list else w.list_value(node.arguments[0]).at
    return Value(LIST, at)


@enters(VALUES_OF, op.AS_MASK)
def _as_mask(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    (members,) = node.arguments
    whole = w.list_value(members)
    if is_ascending(members):
        return Value(MASK, whole.at)
    return w.operation("SORTU", [whole.at], MASK, hint)


@enters(VALUES_OF, op.DISTINCT)
def _distinct(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    return _without_doubles(w, w.list_value(node.arguments[0]), hint)


def _without_doubles(w: Writer, whole: Value, hint: Slot | None) -> Value:
    found = w.target(whole.type, hint)
    w.emit("LDIST", found, whole.at, k=whole.type.parts or 1)
    return Value(whole.type, found)


@enters(VALUES_OF, op.UNITED)
def _united(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    left, right = map(w.list_value, node.arguments)
    type_ = left.type if left.type != EMPTY else right.type
    both = w.registers(type_.words)
    w.emit("LCAT", both, left.at, right.at, type_.parts or 1)
    return _without_doubles(w, Value(type_, both), hint)


@enters(VALUES_OF, op.MASKS_UNITED)
def _masks_united(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    left = w.list_value(node.arguments[0])
    at = w.registers(MASK.words)
    w.emit("LCAT", at, left.at, w.list_value(node.arguments[1]).at, 1)
    w.emit("SORTU", at, at)
    return Value(MASK, at)


@enters(VALUES_OF, op.MASK_WITH)
def _mask_with(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    left = w.list_value(node.arguments[0])
    at = w.registers(MASK.words)
    w.emit("SADD", at, left.at, w.register(node.arguments[1]))
    return Value(MASK, at)


@enters(VALUES_OF, op.LIST_WITH)
def _list_with(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    whole, one = w.list_value(node.arguments[0]), w.value(node.arguments[1])
    type_ = list_of(one.type)
    found = w.target(type_, hint)
    w.emit("WITHONE", found, whole.at, w.at(one), type_.parts)
    return Value(type_, found)


@enters(VALUES_OF, op.STACKS_OF_PLAYERS)
def _stacks_of_players(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    (first,) = node.arguments
    end = f.prim(op.ADD, first, f.prim(op.LENGTH, f.prim(p.PLAYERS.form(""))))
    begin, last = w.register(first), w.registers((0,))
    w.emit("ADDI", last, w.register(end), k=-1)
    return w.operation("RANGE", [begin, last], LIST, hint)


@enters(VALUES_OF, op.MOST, op.LEAST)
def _most(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    rated = w.list_value(node.arguments[0])
    parts = rated.type.parts - 1
    found = w.target(T("list", parts), hint)
    w.emit("MOST", found, rated.at, int(node.operation == op.LEAST), parts)
    return Value(T("list", parts), found)


@enters(VALUES_OF, p.FUNCTION["cycle"].form(""))
def _cycle(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    whole, times = w.list_value(node.arguments[0]), w.register(node.arguments[1])
    type_ = T("list", whole.type.parts)
    found = w.target(type_, hint)
    w.emit("CYCLE", found, whole.at, times, type_.parts or 1)
    return Value(type_, found)


@enters(VALUES_OF, p.FIRST.form(""), p.FIRST.form("mask"))
def _first(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    return w.last_of("LFIRST", w.list_value(node.arguments[0]), hint)


@enters(VALUES_OF, op.DRAW_MEMBERS)
def _draw_members(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    stream, members, many = node.arguments
    whole, at = w.list_value(members), w.register(many)
    found = w.registers(whole.type.words)
    w.emit("LDRAW", found, whole.at, at, whole.type.parts << 24 | constant_of(stream))
    return Value(T("list", whole.type.parts), found)


@enters(VALUES_OF, p.PREVIOUS.form(""))
def _previous(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    players = f.prim(p.PLAYERS_FROM.form(""), *node.arguments)
    return w.last_of("LLAST", w.list_value(players), hint)


@enters(VALUES_OF, p.FIRST_OF.form(""))
def _first_of(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    members, many = node.arguments
    count = f.prim(p.FUNCTION["max"].form(""), many, f.Const(0))
    whole, at = w.list_value(members), w.register(count)
    found = w.registers(whole.type.words)
    w.emit("LTAKE", found, whole.at, at, whole.type.parts)
    return Value(whole.type, found)


# ------------------------------------------------------------------ figures of players and kinds


@enters(VALUES_OF, p.RELATION["of", "figure", "player"].form(""))
def _of_player(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    """The figures of a player on a feature, on the board, or among some."""
    figures, player = node.arguments
    if isinstance(figures, f.Prim):
        if figures.operation == _FIGURES:
            feature, who = w.register(figures.arguments[0]), w.register(player)
            return w.operation("B_FIGSP", [feature, who], MASK, hint)
        place = _PLACES.get(figures.operation)
        if place is not None:
            return w.operation("FIGS_PLAYER", [w.register(player), place], MASK, hint)
    at = w.list_value(figures).at
    return w.operation("KEEP_PLAYER", [at, w.register(player)], MASK, hint)


# ------------------------------------------------------------------ how many, and steps


@enters(VALUES_OF, op.LENGTH, _MANY)
def _length(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    (whole,) = node.arguments
    if isinstance(whole, f.Prim):
        if whole.operation == p.PLAYERS.form(""):
            return w.operation("NPLAYERS", [], INT, hint)
        if node.operation == _MANY and whole.operation == p.FEATURE_TILES.form(""):
            return w.operation("B_SIZE", [w.register(whole.arguments[0])], INT, hint)
    if isinstance(whole, f.Loop) and whole.result == "list" and isinstance(whole.value, f.Const):
        return counted(w, whole)
    if (rounds := times(w, whole)) is not None:
        none = w.registers((0,))
        w.load(none, 0)
        w.emit("MAX", rounds.at, rounds.at, none)
        return rounds
    return w.operation("LLEN", [w.list_value(whole).at], INT, hint)


def times(w: Writer, node: f.Expr) -> Value | None:
    """How many rounds a loop has that goes so many times, metered or not: none below 0."""
    match node:
        case f.Prim(op.METERED, [inner, f.Const(int(steps)), _]):
            rounds = times(w, inner)
            if rounds is not None:
                w.emit("METERN", w.at(rounds), k=steps)
            return rounds
        case f.Prim(op.ROUNDS, [count]):
            given, found = w.register(count), w.registers((0,))
            w.emit("ROUNDS", found, given)
            return Value(INT, found)
    return None


@enters(VALUES_OF, op.METERED, op.METERED_LONG)
def _metered(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    members = w.list_value(node.arguments[0])
    steps, is_long = constant_of(node.arguments[1]), node.operation == op.METERED_LONG
    w.emit("METER", members.at, int(is_long), k=steps)
    return members
