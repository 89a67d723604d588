"""Decisions, frames and units: where a function waits, and where it continues."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tilewright.compiling.bytecode.assembler import (
    BY_ACTIVE,
    MAY_PASS,
    NO_PASS,
    Instruction,
    Value,
)
from tilewright.compiling.bytecode.facts import Facts, Knowledge
from tilewright.compiling.bytecode.translation.calls import Calls
from tilewright.compiling.bytecode.translation.conditions import name_of_call, path_of
from tilewright.compiling.bytecode.translation.names import Slot
from tilewright.compiling.bytecode.types import INT, LIST, NOTHING, T


class Decisions(Calls):
    """Translates decisions, frames and calls of units."""

    def __init__(
        self, knowledge: Knowledge, facts: Facts, translate: Callable[[str], Facts]
    ) -> None:
        super().__init__(knowledge, facts, translate)
        self.block = 0
        self.block_saved = 0  # the block of the frame that is written
        self.blocks: dict[int, int] = {}  # label of each block
        self.todo: list[int] = []  # blocks that are not translated yet
        self.done: set[int] = set()  # those with code already
        self.repeats = 0  # how often a block was put on the list again
        self.asked = -1  # the site of the decision at hand
        self.offer: Instruction | None = None
        self.offered: dict[int, list[T]] = {}  # by action: types of an option's parts
        self.action = -1  # the action whose effects are at hand

    # -------------------------------------------------------------- blocks

    def label_of(self, block: int) -> int:
        """The label of a block; it will be translated."""
        if block not in self.blocks:
            self.blocks[block] = self.label()
            self.todo.append(block)
        return self.blocks[block]

    def repeat(self, block: int) -> None:
        """Translate a block again that has code already."""
        if block in self.done:
            self.done.remove(block)
            self.todo.append(block)
            self.repeats += 1

    def set_block(self, block: int) -> None:
        """`frame[1] = K`: the block at which the unit continues."""
        self.emit("FWAIT", k=block)
        self.block_saved = block
        self.facts.saved.setdefault(block, [])
        self.label_of(block)
        if self.asked >= 0:
            self.facts.sites[block] = self.asked

    def save_names(self, names: list[ast.expr]) -> None:
        """`frame[2:] = [...]`."""
        block = self.block_saved
        values = [self.value(name) for name in names]
        types = [value.type for value in values]
        if not self.facts.changed:
            self.knowledge.save(self.facts, block, types)
        for value, known in zip(values, self.facts.saved[block], strict=False):
            self.save_value(value, known or INT)

    def save_value(self, value: Value, type_: T) -> None:
        """Append a value to the frame that runs."""
        mark = self.mark()
        if value.type.words != type_.words or value.constant is not None:
            at = self.registers(type_.words)
            if not self.facts.changed:
                self.move(Slot(type_, at), value)
            value = Value(type_, at)
        if type_.is_list:
            self.emit("FSAVEL", value.at, c=type_.parts or 1)
        else:
            for word in range(len(type_.words)):
                self.emit("FSAVE", value.at + word)
        self.release(mark)

    def load_names(self, names: list[str]) -> None:
        """`_, _, a, b = frame`."""
        self.emit("FREAD")
        types = self.facts.saved.get(self.block, [])
        if len(types) != len(names):
            raise self.refuse(ast.Constant(self.block), "a frame of another length")
        for name, type_ in zip(names, types, strict=True):
            slot = self.slot(name, type_ or INT)
            self.bound[name] = slot
            if slot.type.is_list:
                self.emit("FLOADL", slot.at, c=slot.type.parts or 1)
            else:
                for word in range(len(slot.type.words)):
                    self.emit("FLOAD", slot.at + word)

    # -------------------------------------------------------------- calls of units

    def start(self, call: ast.Call, unit: int, arguments: list[ast.expr]) -> Value:
        """`r_x(m, m.start(unit, [...]))`."""
        name = name_of_call(call)
        callee = self.knowledge.function(name)
        values = self.arguments(arguments)
        known = callee.saved[0]
        before = list(known)
        if not self.facts.changed:
            self.knowledge.save(callee, 0, [value.type for value in values])
        if before != known:
            self.knowledge.stale(callee)
        self.emit("FSTART", k=unit)
        for value, type_ in zip(values, known, strict=False):
            self.save_value(value, type_ or INT)
        self.translated(name)
        found = self.registers((0,))
        self.emit("CALL", found, 0).callee = name
        return Value(INT, found)

    def arguments(self, nodes: list[ast.expr]) -> list[Value]:
        """The values of arguments; those of an action are the parts of the chosen option."""
        match nodes:
            case [ast.Starred(ast.Subscript(ast.Name(name)))]:
                slot = self.bound[name]
                at, found = slot.at + 1, []
                for type_ in self.facts.actions[name][self.action]:
                    found.append(Value(type_, at))
                    at += len(type_.words)
                return found
        return [self.value(node) for node in nodes]

    def act(self, name: str, nodes: list[ast.expr]) -> Value:
        """`r_x(m, *h_action[1:])`: the arguments are in a row already."""
        values = self.arguments(nodes)
        if not self.facts.changed:
            self.knowledge.give(name, [value.type for value in values])
        callee = self.translated(name)
        found = self.target(callee.result or INT, None)
        self.emit("CALL", found, values[0].at if values else 0).callee = name
        return Value(callee.result or NOTHING, found)

    def call(self, node: ast.Call, hint: Slot | None) -> Value:
        """Evaluate a call."""
        match node.args:
            case [ast.Name("m"), ast.Call(args=[ast.Constant(unit), ast.List(given)]) as start] if (
                name_of_call(start) == "m.start"
            ):
                return self.start(node, int(unit), given)  # type: ignore[arg-type]
            case [ast.Name("m"), ast.Starred() as starred]:
                return self.act(name_of_call(node), [starred])
        match name_of_call(node):
            case "m.ask":
                return self._ask(node.args)
            case "m.ask_placement":
                return self._ask_placement(node.args)
            case "m.ask_number":
                return self._ask_number(node.args)
        return super().call(node, hint)

    # -------------------------------------------------------------- decisions

    def _optional(self, node: ast.expr) -> int:
        """The bit of a decision for whether it may be passed; 0 after code that finds it out."""
        if isinstance(node, ast.Constant):
            return MAY_PASS if node.value else NO_PASS
        end = self.label()
        self.emit("MAYPASS", k=0)
        self.jump_if(node, False, end)
        self.emit("MAYPASS", k=1)
        self.place(end)
        return 0

    def _player(self, node: ast.expr) -> tuple[int, int]:
        """The register with the player who chooses, or a register with any number and a bit."""
        if isinstance(node, ast.Attribute) and path_of(node) == "m.active":
            return self.registers((0,)), BY_ACTIVE
        return self.register(node), 0

    def _site(self, node: ast.expr) -> int:
        assert isinstance(node, ast.Constant) and isinstance(node.value, int)
        # each site has an instruction, and the core refuses more than 65,536 of these
        assert node.value < BY_ACTIVE
        self.asked = node.value
        return self.asked

    def _ask(self, arguments: list[ast.expr]) -> Value:
        who, options, site, optional = arguments
        place = self._site(site)
        if isinstance(options, ast.Name) and options.id.startswith("h_options"):
            player, how = self._player(who)
            how |= self._optional(optional)
            parts = 1 + max(
                (sum(len(t.words) for t in p) for p in self.offered.values()), default=0
            )
            self.knowledge.site_parts[place] = parts
            self.knowledge.site_options[place] = self.offered
            assert self.offer is not None
            self.offer.k = parts
            found = self.registers((0,))
            self.emit("ASKOFFER", found, player, k=how | place)
            return Value(INT, found)
        player, how = self._player(who)
        listed = self.list_value(options)
        how |= self._optional(optional)
        return self._ask_list(player, listed, how, place)

    def _ask_list(self, player: int, listed: Value, how: int, place: int) -> Value:
        found = self.registers((0,))
        parts = listed.type.parts or 1
        self.knowledge.site_parts[place] = parts
        self.emit("ASK", found, player, listed.at, parts << 24 | how | place)
        return Value(INT, found)

    def _ask_number(self, arguments: list[ast.expr]) -> Value:
        who, first, last, site, optional = arguments
        place = self._site(site)
        player, how = self._player(who)
        ends = self.registers((0, 0))
        self.into(first, Slot(INT, ends))
        self.into(last, Slot(INT, ends + 1))
        how |= self._optional(optional)
        found = self.registers((0,))
        self.knowledge.site_parts[place] = 0
        self.emit("ASKNUMBER", found, player, ends, how | place)
        return Value(INT, found)

    def _ask_placement(self, arguments: list[ast.expr]) -> Value:
        who, piece, site, optional = arguments
        place = self._site(site)
        player, how = self._player(who)
        which = self.register(piece)
        how |= self._optional(optional)
        found = self.registers((0,))
        self.knowledge.site_parts[place] = 2
        after = self.label()
        if self.knowledge.restricted:
            edges = self.label()
            self.emit("PIECE_RESTRICTED", found, which)
            self.emit("JF", found, to=edges)
            self.emit("SETPIECE", which)
            name = "h_piece"
            self.bound[name] = Slot(INT, which)
            listed = self._helper("allowed", [ast.Name(name, ast.Load())], None)
            del self.bound[name]
            asked = self._ask_list(player, listed, how, place)
            self.emit("MOV", found, asked.at)
            self.emit("JMP", to=after)
            self.place(edges)
        self.emit("ASKPLACE", found, player, which, how | place)
        self.place(after)
        return Value(INT, found)

    def chosen(self, name: str, hint: Slot | None) -> Value:
        """`m.chosen`, stored under a name: the option that was chosen at the site of this block."""
        site = self.facts.sites[self.block]
        options = self.knowledge.site_options.get(site)
        if options is not None:
            parts = self.knowledge.site_parts[site]
            type_ = T("tuple", parts)
            self.facts.actions[name] = options
        else:
            type_ = self.knowledge.site_types[site]
            parts = len(type_.words)
        found = self.target(type_, hint)
        self.emit("CHOSEN", found, c=parts)
        return Value(type_, found)

    # -------------------------------------------------------------- lists of options

    def add_option(self, option: ast.Tuple) -> None:
        """`options.append((action, ...))`."""
        action, *rest = option.elts
        assert isinstance(action, ast.Constant) and isinstance(action.value, int)
        mark = self.mark()
        known = self.facts.options.get(action.value) or [INT for _ in rest]
        at = first = self.registers([0, *(word for type_ in known for word in type_.words)])
        self.load(first, action.value)
        at += 1
        types: list[T] = []
        for each, type_ in zip(rest, known, strict=True):
            value = self.value(each, Slot(type_, at))
            types.append(value.type if value.type.kind == "tuple" else INT)
            if value.type.words == type_.words:
                self.move(Slot(type_, at), value)
            at += len(type_.words)
        if types != known or action.value not in self.facts.options:
            if types != known:
                self.facts.changed = True
            self.facts.options[action.value] = types
        self.emit("OFFERADD", first, at - first)
        self.release(mark)

    def add_options(self, made: ast.ListComp) -> None:
        """`options += [(action, a, b) for b in ...]`: the option is put together in place."""
        assert isinstance(made.elt, ast.Tuple)
        elements, loop = made.elt.elts, made.generators[0]
        last, target = elements[-1], loop.target
        listed = self.list_value(loop.iter)
        if (
            listed.type not in (LIST, T("list", 0))
            or len(made.generators) > 1
            or loop.ifs
            or not (isinstance(last, ast.Name) and isinstance(target, ast.Name))
            or last.id != target.id
        ):
            option = made.elt
            self.loop(made.generators, lambda: self.add_option(option))
            return
        action = elements[0]
        assert isinstance(action, ast.Constant) and isinstance(action.value, int)
        first = self.registers((0,) * (len(elements) - 1))
        for i, each in enumerate(elements[:-1]):
            self.into(each, Slot(INT, first + i))
        self.facts.options.setdefault(action.value, [INT for _ in elements[1:]])
        self.emit("OFFERLIST", first, len(elements) - 1, listed.at)
