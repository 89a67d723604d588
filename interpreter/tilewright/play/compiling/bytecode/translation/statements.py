"""Statements, and whole functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.assembler import Instruction, Value
from tilewright.play.compiling.bytecode.facts import NewFactsError
from tilewright.play.compiling.bytecode.passes.peephole import shortened
from tilewright.play.compiling.bytecode.translation.calls import operands_of
from tilewright.play.compiling.bytecode.translation.decisions import add_option, chosen
from tilewright.play.compiling.bytecode.translation.names import MISSING_NUMBER, Slot
from tilewright.play.compiling.bytecode.translation.signatures import SIGNATURE
from tilewright.play.compiling.bytecode.translation.steady import with_facts_before_loops
from tilewright.play.compiling.bytecode.translation.values import kind_in
from tilewright.play.compiling.bytecode.translation.writer import STATEMENTS, Writer, enters
from tilewright.play.compiling.bytecode.types import INT, NOTHING, NotCarried, T, list_of

#: how often blocks of one function are translated again in one round; types only grow
MOST_REPEATS = 1000
_PACKED = (p.VERB["cover"].form(""), p.REPLACE.form(""))
_LIFT = p.LIFT.form("")
_MOVE_TO_CELL, _MOVE_TO_TILE = p.MOVE.form("cell"), p.MOVE.form("tile")
_ROLES = (p.HAS_ROLE.form(""), p.HAS_ROLE.form("figure kind"))

# ------------------------------------------------------------------ changes


@enters(STATEMENTS, f.Do)
def _do(w: Writer, node: f.Do) -> None:
    call = node.value
    match call:
        case f.Prim(op.SPEND, [f.Const(int(steps)), _]):
            w.emit("STEPS", k=steps)
        case f.Prim(operation) if (known := SIGNATURE.get(operation)) and not known[2]:
            _change(w, known[0], known[1], _unpacked(call))
        case f.Prim(operation) if operation == _MOVE_TO_CELL:
            figure, cell = call.arguments
            tile = f.prim(op.TILE_IN, cell)
            name, roles, _ = SIGNATURE[_MOVE_TO_TILE]
            _change(w, name, roles, f.Prim(_MOVE_TO_TILE, [figure, tile]))
        case f.Call(function, arguments) if (
            function.startswith("measure_") and function not in w.knowledge.trees
        ):
            for argument in arguments:  # nobody hears the event, but this may fail
                w.value(argument)
        case _:
            w.value(call)


def _unpacked(change: f.Prim) -> f.Prim:
    """A change with the operands of its instruction."""
    if change.operation == _LIFT:
        return f.Prim(change.operation, [*change.arguments, *change.arguments])
    if change.operation not in _PACKED:
        return change
    a, b, c = change.arguments
    lying = f.prim(op.ADD, f.prim(op.MULTIPLY, b, f.Const(4)), c)
    return f.Prim(change.operation, [a, lying])


def _change(w: Writer, name: str, roles: str, change: f.Prim) -> None:
    operands, k = operands_of(w, roles, change)
    w.emit(name, *operands).k = k


@enters(STATEMENTS, f.Award)
def _award(w: Writer, node: f.Award) -> None:
    points, player = w.operand(node.points), w.operand(node.player)
    w.value(node.feature)  # the core has no listeners that see it, but its steps count
    w.emit("AWARD", points, player)


@enters(STATEMENTS, f.Put)
def _put(w: Writer, node: f.Put) -> None:
    w.emit(SIGNATURE[node.operation][0], w.operand(node.value))


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
    if isinstance(node.test, f.IsAction):
        w.action = node.test.action
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
        case f.Placed(places, number):
            at, count = w.rows_of_lists[places]
            slot = w.slot(name, T("list"))
            w.emit("PICKL", slot.at, at, w.register(f.Var(number)), count)
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


@enters(STATEMENTS, f.Store)
def _store(w: Writer, node: f.Store) -> None:
    type_ = w.knowledge.memory[node.slot]
    given = node.value
    if isinstance(given, f.Row) and not given.values:  # nothing is kept for anything
        given = f.ListOf()
    value = w.value(given)
    if value.constant is not None or value.type.words != type_.words:
        slot = Slot(type_, w.registers(type_.words))
        w.move(slot, value)
        value = Value(type_, slot.at)
    if type_.is_list:
        w.emit("MSTL", value.at, c=type_.parts or 1, k=node.slot)
    elif len(type_.words) > 1:
        w.emit("MSTN", value.at, c=len(type_.words), k=node.slot)
    else:
        w.emit("MST", value.at, k=node.slot)


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
