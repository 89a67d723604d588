"""Decisions, frames and units: where a function waits, and where it continues."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.instructions import (
    BY_ACTIVE,
    INT,
    LIST,
    MAY_PASS,
    NO_PASS,
    T,
    Value,
)
from tilewright.play.compiling.bytecode.translation.calls import helper, save_value
from tilewright.play.compiling.bytecode.translation.loops import loop
from tilewright.play.compiling.bytecode.translation.writer import (
    JUMPS_OF,
    STATEMENTS,
    VALUES_OF,
    Slot,
    Writer,
    constant_of,
    enters,
)

# ------------------------------------------------------------------ frames


@enters(STATEMENTS, f.Save)
def _save(w: Writer, node: f.Save) -> None:
    block = node.block
    w.emit("FWAIT", k=block)
    w.facts.saved.setdefault(block, [])
    w.label_of(block)
    if w.asked >= 0:
        w.facts.sites[block] = w.asked
    values = [w.value(f.Var(name)) for name in node.names]
    types = [value.type for value in values]
    if not w.facts.changed:
        w.knowledge.save(w.facts, block, types)
    for value, known in zip(values, w.facts.saved[block], strict=False):
        save_value(w, value, known or INT)


@enters(STATEMENTS, f.Restore)
def _restore(w: Writer, node: f.Restore) -> None:
    w.emit("FREAD")
    types = w.facts.saved.get(w.block, [])
    if len(types) != len(node.names):
        raise w.refuse(node, "a frame of another length")
    for name, type_ in zip(node.names, types, strict=True):
        slot = w.slot(name, type_ or INT)
        w.bound[name] = slot
        if slot.type.is_list:
            w.emit("FLOADL", slot.at, c=slot.type.parts or 1)
        else:
            for word in range(len(slot.type.words)):
                w.emit("FLOAD", slot.at + word)


# ------------------------------------------------------------------ decisions


def _may_pass(w: Writer, node: f.Expr) -> int:
    """The bit of a decision for whether it may be passed; 0 after code that finds it out."""
    if isinstance(node, f.Const):
        return MAY_PASS if node.value else NO_PASS
    end = w.label()
    w.emit("MAYPASS", k=0)
    w.jump_if(node, False, end)
    w.emit("MAYPASS", k=1)
    w.place(end)
    return 0


def _player(w: Writer, node: f.Expr) -> tuple[int, int]:
    """The register with the player who chooses, or a register with any number and a bit."""
    if isinstance(node, f.Prim) and node.operation == p.ACTIVE.form(""):
        return w.registers((0,)), BY_ACTIVE
    return w.register(node), 0


def _site(w: Writer, node: f.Expr) -> int:
    # each site has an instruction, and the core refuses more than 65,536 of these
    w.asked = constant_of(node)
    assert w.asked < BY_ACTIVE
    return w.asked


@enters(VALUES_OF, op.ASK_OFFERED)
def _ask_offered(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    who, _, site, optional = node.arguments
    place = _site(w, site)
    player, how = _player(w, who)
    how |= _may_pass(w, optional)
    parts = 1 + max((sum(len(t.words) for t in p) for p in w.offered.values()), default=0)
    w.knowledge.site_parts[place] = parts
    w.knowledge.site_options[place] = w.offered
    assert w.offer is not None
    w.offer.k = parts
    found = w.registers((0,))
    w.emit("ASKOFFER", found, player, k=how | place)
    return Value(INT, found)


@enters(VALUES_OF, op.ASK)
def _ask(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    who, options, site, optional = node.arguments
    place = _site(w, site)
    player, how = _player(w, who)
    listed = w.list_value(options)
    how |= _may_pass(w, optional)
    return _ask_list(w, player, listed, how, place)


def _ask_list(w: Writer, player: int, listed: Value, how: int, place: int) -> Value:
    found = w.registers((0,))
    parts = listed.type.parts or 1
    w.knowledge.site_parts[place] = parts
    w.emit("ASK", found, player, listed.at, parts << 24 | how | place)
    return Value(INT, found)


@enters(VALUES_OF, op.ASK_NUMBER)
def _ask_number(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    who, first, last, site, optional = node.arguments
    place = _site(w, site)
    player, how = _player(w, who)
    ends = w.registers((0, 0))
    w.into(first, Slot(INT, ends))
    w.into(last, Slot(INT, ends + 1))
    how |= _may_pass(w, optional)
    found = w.registers((0,))
    w.knowledge.site_parts[place] = 0
    w.emit("ASKNUMBER", found, player, ends, how | place)
    return Value(INT, found)


@enters(VALUES_OF, op.ASK_PLACEMENT)
def _ask_placement(w: Writer, node: f.Prim, hint: Slot | None) -> Value:
    who, piece, site, optional = node.arguments
    place = _site(w, site)
    player, how = _player(w, who)
    which = w.register(piece)
    how |= _may_pass(w, optional)
    found = w.registers((0,))
    w.knowledge.site_parts[place] = 2
    after = w.label()
    if w.knowledge.restricted:
        edges = w.label()
        name = "h_piece"
        w.bound[name] = Slot(INT, which)
        w.jump_if(f.prim(op.IS_RESTRICTED, f.Var(name)), False, edges)
        w.emit("SETPIECE", which)
        listed = helper(w, "allowed", [f.Var(name)], None)
        del w.bound[name]
        asked = _ask_list(w, player, listed, how, place)
        w.emit("MOV", found, asked.at)
        w.emit("JMP", to=after)
        w.place(edges)
    w.emit("ASKPLACE", found, player, which, how | place)
    w.place(after)
    return Value(INT, found)


def chosen(w: Writer, name: str, hint: Slot | None) -> Value:
    """The option that was chosen at the site of this block, to be stored under a name."""
    site = w.facts.sites[w.block]
    options = w.knowledge.site_options.get(site)
    if options is not None:
        parts = w.knowledge.site_parts[site]
        type_ = T("tuple", parts)
        w.facts.actions[name] = options
    else:
        type_ = w.knowledge.site_types[site]
        parts = len(type_.words)
    found = w.target(type_, hint)
    w.emit("CHOSEN", found, c=parts)
    return Value(type_, found)


@enters(JUMPS_OF, op.IS_ACTION)
def _is_action(w: Writer, node: f.Prim, holds: bool, to: int) -> None:
    option, action = node.arguments
    first = f.prim(op.PART_OF_ROW, option, f.Const(0))
    w.jump_if(f.Compare("=", first, action), holds, to)


# ------------------------------------------------------------------ lists of options


def add_option(w: Writer, option: Sequence[f.Expr]) -> None:
    """Add an option, which begins with the number of its action."""
    action, *rest = option
    number = constant_of(action)
    mark = w.mark()
    known = w.facts.options.get(number) or [INT for _ in rest]
    at = first = w.registers([0, *(word for type_ in known for word in type_.words)])
    w.load(first, number)
    at += 1
    types: list[T] = []
    for each, type_ in zip(rest, known, strict=True):
        value = w.value(each, Slot(type_, at))
        types.append(value.type if value.type.kind == "tuple" else INT)
        if value.type.words == type_.words:
            w.move(Slot(type_, at), value)
        at += len(type_.words)
    if types != known or number not in w.facts.options:
        if types != known:
            w.facts.changed = True
        w.facts.options[number] = types
    w.emit("OFFERADD", first, at - first)
    w.release(mark)


@enters(STATEMENTS, f.AppendAll)
def _add_options(w: Writer, node: f.AppendAll) -> None:
    """Add an option for each member of a list; it is put together in place."""
    made = node.members
    assert isinstance(made.value, f.Row)
    elements, members = made.value.values, made.loops[0]
    last, names = elements[-1], members.names
    listed = w.list_value(members.source)
    if (
        listed.type not in (LIST, T("list", 0))
        or len(made.loops) > 1
        or members.tests
        or not isinstance(last, f.Var)
        or (last.name,) != names
    ):
        loop(w, made.loops, lambda: add_option(w, elements))
        return
    number = constant_of(elements[0])
    first = w.registers((0,) * (len(elements) - 1))
    for i, each in enumerate(elements[:-1]):
        w.into(each, Slot(INT, first + i))
    w.facts.options.setdefault(number, [INT for _ in elements[1:]])
    w.emit("OFFERLIST", first, len(elements) - 1, listed.at)
