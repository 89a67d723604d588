"""Statements, and whole functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.facts import NewFactsError
from tilewright.play.compiling.bytecode.instructions import (
    INT,
    LIST,
    NOTHING,
    Instruction,
    NotCarried,
    T,
    Value,
    list_of,
)
from tilewright.play.compiling.bytecode.passes.peephole import shortened
from tilewright.play.compiling.bytecode.translation.calls import SIGNATURE, operands_of, translated
from tilewright.play.compiling.bytecode.translation.decisions import add_option, chosen
from tilewright.play.compiling.bytecode.translation.loops import filtered
from tilewright.play.compiling.bytecode.translation.sets import times
from tilewright.play.compiling.bytecode.translation.values import kind_in
from tilewright.play.compiling.bytecode.translation.writer import (
    MISSING_NUMBER,
    STATEMENTS,
    Slot,
    Writer,
    constant_of,
    enters,
)

#: how often blocks of one function are translated again in one round; types only grow
MOST_REPEATS = 1000
_ROLES = (p.HAS_ROLE.form(""), p.HAS_ROLE.form("figure kind"))

# ------------------------------------------------------------------ changes


@enters(STATEMENTS, f.Do)
def _do(w: Writer, node: f.Do) -> None:
    call = w.expanded(node.value)
    match call:
        case f.Prim(op.AWARD, [number, who, feature, *_]):
            points, player = w.operand(number), w.operand(who)
            w.value(feature)  # the core has no listeners that see it, but its steps count
            w.emit("AWARD", points, player)
        case f.Prim(operation) if (known := SIGNATURE.get(operation)) and not known[2]:
            operands, k = operands_of(w, known[1], call)
            w.emit(known[0], *operands).k = k
        case f.Call(function) if _adds_options(w, function):
            w.emit("CALL", w.registers((0,))).callee = function
            w.offered |= translated(w, function).options
        case f.Call(function, arguments) if (
            function.startswith("measure_") and function not in w.knowledge.trees
        ):
            for argument in arguments:  # nobody hears the event, but this may fail
                w.value(argument)
        case _:
            w.value(call)


def _adds_options(w: Writer, name: str) -> bool:
    function = w.knowledge.trees.get(name)
    return function is not None and function.adds_options


@enters(STATEMENTS, f.Put)
def _put(w: Writer, node: f.Put) -> None:
    match node.part:
        case f.Prim(op.MEMORY, [f.Const(int(slot))]):
            _store(w, slot, node.value)
        case f.Prim(operation):
            w.emit(SIGNATURE[operation][0], w.operand(node.value))


@enters(STATEMENTS, f.Append)
def _append(w: Writer, node: f.Append) -> None:
    if node.name == "options":
        assert isinstance(node.value, f.Row)
        add_option(w, node.value.values)
        return
    value = w.value(node.value)
    slot = w.slot(node.name, list_of(value.type))
    w.emit("LAPP", slot.at, w.at(value), len(value.type.words))


@enters(STATEMENTS, f.Steady)
def _steady(w: Writer, node: f.Steady) -> None:
    w.run(w.once(node, lambda: with_facts_before_loops(node.body)))


# ------------------------------------------------------------------ branches


@enters(STATEMENTS, f.If)
def _if(w: Writer, node: f.If) -> None:
    outer_action = w.action
    match node.test:
        case f.Prim(op.IS_ACTION, [_, f.Const(int(action))]):
            w.action = action
    no, after = w.label(), w.label()
    w.jump_if(node.test, False, no)
    before = w.state()
    w.run(node.then)
    w.asked = -1
    w.action = outer_action
    states = [w.state()] if w.alive else []
    if node.otherwise and w.alive:
        w.emit("JMP", to=after)
    w.place(no)
    w.alive, w.bound = True, before
    w.run(node.otherwise)
    if w.alive:
        states.append(w.state())
    w.place(after)
    w.alive = bool(states)
    w.merge(states)


@enters(STATEMENTS, f.Goto)
def _goto(w: Writer, node: f.Goto) -> None:
    w.enter(node.block)
    w.emit("JMP", to=w.label_of(node.block))
    w.alive = False


@enters(STATEMENTS, f.Return)
def _return(w: Writer, node: f.Return) -> None:
    facts, known, returned = w.facts, w.facts.result, node.value
    w.alive = False
    if returned is None:
        # a caller may test the result even where every way through the function gives none
        at = w.registers((known or INT).words)
        w.load(at, 0)
        w.emit("RET", at)
        return
    slot = None
    if known is not None and not isinstance(returned, f.Var):
        slot = Slot(known, w.registers(known.words))
    value = w.value(returned, slot)
    if not facts.changed:
        _note_missing(w, returned, value)
        w.knowledge.returned(facts, value.type)
    result = facts.result
    if facts.changed or result is None:
        w.emit("RET", 0)
        return
    if value.constant is not None or value.type.words != result.words:
        at = slot.at if slot is not None else w.registers(result.words)
        w.move(Slot(result, at), value)
        value = Value(result, at)
    w.emit("RET", value.at)


def _may_miss(w: Writer, node: f.Expr) -> bool:
    """Whether this is a call of a function whose result may be missing."""
    if not isinstance(node, f.Call):
        return False
    callee = w.knowledge.functions.get(node.function)
    return callee is not None and callee.may_miss


def _note_missing(w: Writer, node: f.Expr, value: Value) -> None:
    is_missing = value.type == NOTHING and value.constant == MISSING_NUMBER
    if (is_missing or _may_miss(w, node)) and not w.facts.may_miss:
        w.facts.may_miss = True
        w.knowledge.stale(w.facts)


# ------------------------------------------------------------------ assignments


@enters(STATEMENTS, f.Set)
def _set(w: Writer, node: f.Set) -> None:
    name, value = node.name, node.value
    w.missable.discard(name)
    match value:
        case f.Prim(operation) if operation in _ROLES:
            kind = kind_in(value)
            kept = f.Var(f"{name}_kind")
            _set(w, f.Set(kept.name, kind))
            w.roles[name] = kind if isinstance(kind, f.Const) else kept
            return
        case f.Prim(op.NO_OPTIONS):
            w.offer, w.offered = w.emit("OFFER"), {}
            return
        case f.Prim(op.PLACED, [f.Var(places), number]):
            at, count = w.rows_of_lists[places]
            slot = w.slot(name, T("list"))
            w.emit("PICKL", slot.at, at, w.register(number), count)
            w.bound[name] = slot
            return
        case f.Prim(op.CHOSEN):
            if name in w.facts.read:
                types = w.facts.names.get(name, [])
                hint = w.numbered(name, 0) if len(types) == 1 else None
                mark = w.mark()
                option = chosen(w, name, hint)
                w.adopt(name, option, mark)
                _bind(w, name, option)
            return
    types = w.facts.names.get(name, [])
    hint = None
    if len(types) == 1 and (_is_step(value) or not _uses(value, name)):
        hint = w.numbered(name, 0)
    mark = w.mark()
    found = w.value(value, hint)
    if not w.facts.changed:
        w.adopt(name, found, mark)
    if _may_miss(w, value):
        w.missable.add(name)
    _bind(w, name, found)


def _bind(w: Writer, name: str, value: Value) -> None:
    slot = w.slot(name, value.type)
    if not w.facts.changed:
        w.move(slot, value)
    w.bound[name] = slot


def _uses(node: f.Expr, name: str) -> bool:
    """Whether an expression reads a name, or has an inner name like it."""
    return name in f.read_names(node) or name in f.set_names(node)


def _is_step(node: f.Expr) -> bool:
    """Whether this is the sum of a name and a number, one instruction."""
    match node:
        case f.Prim(op.ADD, [f.Var(), f.Const()]):
            return True
    return False


@enters(STATEMENTS, f.Places)
def _places(w: Writer, node: f.Places) -> None:
    w.missable.discard(node.name)
    at = w.registers((1,) * node.many)
    w.held.pop()  # until the function ends
    w.rows_of_lists[node.name] = (at, node.many)
    for i in range(node.many):
        w.emit("LNONE", at + i)


@enters(STATEMENTS, f.Stow)
def _stow(w: Writer, node: f.Stow) -> None:
    at, count = w.rows_of_lists[node.name]
    w.emit("STOWL", at, w.register(f.Var(node.place)), w.list_value(node.value).at, count)


def _store(w: Writer, slot: int, given: f.Expr) -> None:
    """Store a value in a slot of memory."""
    type_ = w.knowledge.memory[slot]
    if isinstance(given, f.Row) and not given.values:  # nothing is kept for anything
        given = f.ListOf()
    value = w.value(given)
    if value.constant is not None or value.type.words != type_.words:
        kept = Slot(type_, w.registers(type_.words))
        w.move(kept, value)
        value = Value(type_, kept.at)
    if type_.is_list:
        w.emit("MSTL", value.at, c=type_.parts or 1, k=slot)
    elif len(type_.words) > 1:
        w.emit("MSTN", value.at, c=len(type_.words), k=slot)
    else:
        w.emit("MST", value.at, k=slot)


# ------------------------------------------------------------------ whole functions


def written(w: Writer) -> list[Instruction]:
    """The code of the function."""
    facts, function = w.facts, w.facts.function
    for name, type_ in zip(function.parameters, facts.parameters, strict=False):
        given = type_ or INT
        at = w.registers(given.words, lasting=True)
        w.bound[name] = Slot(given, at)
    w.run(function.first)
    if f.goes_round(function):
        _blocks(w, dict(function.blocks), len(w.code))
    else:
        w.run(function.blocks[0][1] if function.blocks else function.body)
    if w.alive:
        _return(w, f.Return())
    words = (facts.result or INT).words
    return shortened(w.code, w.labels, returns_number=words == INT.words)


def _blocks(w: Writer, blocks: Mapping[int, Sequence[f.Stmt]], begin: int) -> None:
    """Translate the blocks that can be reached, behind the jump to the one to begin with.

    A block after which facts are new is translated again, and so are those that it changes. All
    go on until nothing is new; then this code is not kept. Raises NewFactsError in that case.
    """
    at_entry, facts = w.bound, w.facts
    w.label_of(0)
    resumed: list[int] = [0]
    refusal: Exception | None = None
    while w.todo:
        if w.repeats > MOST_REPEATS:
            raise NotCarried("types that never settle")
        block = w.todo.pop(0)
        before = (w.mark(), w.asked, w.action, len(w.exits))
        try:
            _block(w, block, blocks[block], at_entry)
        except (NewFactsError, NotCarried) as reason:
            mark, w.asked, w.action, many = before
            w.release(mark)
            del w.exits[many:]
            if facts.changed:
                facts.changed = False
                w.repeats += 1
                w.todo.insert(0, block)
            else:
                refusal = refusal or reason  # other blocks may have the facts that it lacks
        if block in facts.saved and block not in resumed:
            resumed.append(block)
    if w.repeats:
        raise NewFactsError
    if refusal is not None:
        raise refusal
    _dispatch(w, sorted(resumed), begin)


def _block(
    w: Writer, block: int, statements: Sequence[f.Stmt], at_entry: Mapping[str, Slot]
) -> None:
    w.place(w.blocks[block])
    w.done.add(block)
    w.block, w.alive, w.bound = block, True, dict(at_entry)
    for name, number in w.facts.entered.get(block, {}).items():
        w.bound[name] = w.numbered(name, number)
    w.run(statements)
    if w.alive:
        raise NotCarried("a block without an end")


def _dispatch(w: Writer, resumed: list[int], begin: int) -> None:
    """Put the choice of the block before the code of the blocks."""
    rest, w.code = w.code[begin:], w.code[:begin]
    mark = w.mark()
    where, same = w.registers((0,)), w.registers((0,))
    w.release(mark)
    if len(resumed) > 1:
        w.emit("FBLOCK", where)
    for block in resumed[:-1]:
        if block < 256:
            w.emit("JEQI", where, block, to=w.blocks[block])
        else:
            w.emit("EQI", same, where, k=block)
            w.emit("JT", same, to=w.blocks[block])
    w.emit("JMP", to=w.blocks[resumed[-1]])
    shift = len(w.code) - begin
    w.labels = [at + shift if at >= begin else at for at in w.labels]
    w.code += rest
    w.alive = False


#: operations that give the same as long as no name changes: they read the tables of the game alone
_STEADY = frozenset((
    op.ADD, op.SUBTRACT, op.MULTIPLY, op.NEGATIVE, op.IN_MASK, op.IN_LIST, op.IN_ROLES, op.ELEMENT,
    op.ORIGIN,
    p.HAS_ROLE.form("figure kind"),
    p.ATTRIBUTE["segment", "tile"].form(""),
    *(p.ATTRIBUTE["print", name].form("") for name in ("cell", "sides")),
    *(row.form("") for row in p.ATTRIBUTES if row.owner in ("direction", "heading")),
    *(p.RELATION["has", thing, "symbol"].form("") for thing in ("piece", "print")),
    p.RELATION["has", "figure", "trait"].form(""),
    p.RELATION["has", "token", "trait"].form(""),
    p.RELATION["is", "print", "feature kind"].form(""),
    *(p.GLOBAL[name].form("") for name in ("directions", "headings", "tokens")),
    p.ATTRIBUTE["piece", "kinds"].form(""),
    *(p.ATTRIBUTE["segment", name].form("") for name in ("kind", "sides", "corners")),
))  # fmt: skip


@enters(STATEMENTS, f.For)
def _for(w: Writer, node: f.For) -> None:
    names, source, body = node.names, node.source, node.body
    begin, after = w.label(), w.label()
    rounds = times(w, source)
    cursor = w.registers((0,))
    if rounds is not None:
        limit = w.at(rounds)
        w.emit("FORTO", cursor, limit, to=after)
    else:
        members = w.list_value(source)
        members, body = _filtered_body(w, members, names, body)
        if _whole(w, members, names, body):
            return
        one = members.type.member
        if isinstance(source, f.Var) and _sets(body, source.name):
            at = w.registers(members.type.words)
            w.move(Slot(members.type, at), members)
            members = Value(members.type, at)
        slot = _loop_names(w, names, one)
        w.emit("FOREACH", cursor, members.at, slot.at, len(one.words), after)
    w.place(begin)
    before = w.state()
    exits: list[dict[str, Slot]] = [before]
    w.exits.append((after, exits))
    w.run(body)
    w.exits.pop()
    if w.alive:
        _check_round(w, before)
        exits.append(w.state())
        if rounds is not None:
            w.emit("NEXTTO", cursor, limit, to=begin)
        else:
            w.emit("NEXT", cursor, members.at, slot.at, len(one.words), begin)
    w.alive = True
    w.place(after)
    w.merge(exits)


@enters(STATEMENTS, f.Break)
def _break(w: Writer, node: f.Break) -> None:
    label, states = w.exits[-1]
    states.append(w.state())
    w.emit("JMP", to=label)
    w.alive = False


def _filtered_body(
    w: Writer, members: Value, names: Sequence[str], body: Sequence[f.Stmt]
) -> tuple[Value, Sequence[f.Stmt]]:
    """The members that pass the first tests of the only statement, and what is left of it."""
    match body:
        case [f.If(test, then, []) as only]:
            if not (_only_adds(then) or _is_steady(test, then)):
                return members, body
            members, rest = filtered(w, members, names, [test])
            for part in reversed(rest):
                then = [replace(only, test=part, then=then)]
            return members, then
    return members, body


def _whole(w: Writer, members: Value, names: Sequence[str], body: Sequence[f.Stmt]) -> bool:
    """A loop that only adds every member to the options, or to a list."""
    match body:
        case [f.Append("options", f.Row([action, f.Var(last)]))] if (
            names == (last,) and (members.type.parts or 1) == 1
        ):
            number = constant_of(action)
            w.facts.options.setdefault(number, [INT])
            first = w.registers((0,))
            w.load(first, number)
            w.emit("OFFERLIST", first, 1, members.at)
            return True
        case [f.Append(made, f.Var(last))] if (
            len(names) > 1 and last == names[0] and made in w.bound
        ):
            w.emit("ROWS_FIRST", w.slot(made, LIST).at, members.at)
            return True
    return False


def _check_round(w: Writer, before: dict[str, Slot]) -> None:
    """The next round must find its names where the first one found them."""
    for name, slot in before.items():
        now = w.bound.get(name)
        if now is None or now.at != slot.at:
            raise NotCarried(f"`{name}` holds values of different types in a loop")


def _loop_names(w: Writer, names: Sequence[str], one: T) -> Slot:
    if len(names) == 1:
        slot = w.slot(names[0], one)
        w.bound[names[0]] = slot
        return slot
    at = w.registers(one.words)
    for i, name in enumerate(names):
        w.bound[name] = Slot(INT, at + i)
    return Slot(one, at)


def _sets(body: Sequence[f.Stmt], name: str) -> bool:
    """Whether statements set a name."""
    return any(name in f.set_names(statement) for statement in body)


def _only_adds(body: Sequence[f.Stmt]) -> bool:
    """Whether statements only add to lists, so that they change nothing of the match."""
    for statement in body:
        match statement:
            case f.Append() | f.AppendAll():
                pass
            case f.If(_, then, other) if _only_adds(then) and _only_adds(other):
                pass
            case f.For(_, _, inner) if _only_adds(inner):
                pass
            case _:
                return False
    return True


def _is_steady(test: f.Expr, body: Sequence[f.Stmt]) -> bool:
    """Whether a test reads nothing that the body of its loop can change."""
    for each in f.walk(test):
        match each:
            case f.Prim(operation) if operation in _STEADY:
                pass
            case (
                f.Const() | f.Var() | f.Logic() | f.Not() | f.Compare() | f.IsNothing() | f.Either()
                | f.ListOf() | f.Row()
            ):  # fmt: skip
                pass
            case f.Loop("list") | f.Members():
                pass
            case _:
                return False
    return not any(_sets(body, name) for name in f.read_names(test))


#: operations that find one fact of the match, if their operands are constants
_FACTS = frozenset((
    *(each.form("") for each in (p.ACTIVE, p.TURN, p.PLAYERS)),
    *(p.ATTRIBUTE["figure", name].form("") for name in ("owner", "facing", "companion")),
    op.ATTACHED, op.MEMORY,
))  # fmt: skip


def with_facts_before_loops(body: Sequence[f.Stmt]) -> list[f.Stmt]:
    """The statements, with a name for each fact that they need in loops."""
    facts = _Facts()
    rest = [facts.named(statement) for statement in body]
    return [*facts.found.values(), *rest]


class _Facts:
    """Names facts in loops."""

    def __init__(self) -> None:
        self.found: dict[f.Key, f.Set] = {}
        self.depth = 0

    def named(self, node: Any) -> Any:
        """A node with names in place of facts in its loops."""
        if self.depth and _is_fact(node):
            key = f.key(node)
            if key not in self.found:
                self.found[key] = f.Set(f"h_fact{len(self.found)}", node)
            return f.Var(self.found[key].name)
        is_loop = isinstance(node, f.For | f.Loop)
        self.depth += is_loop
        found = f.mapped(node, self.named)
        self.depth -= is_loop
        return found


def _is_fact(node: f.Node) -> bool:
    if isinstance(node, f.Prim):
        given = node.arguments
        return node.operation in _FACTS and all(isinstance(each, f.Const) for each in given)
    return False
