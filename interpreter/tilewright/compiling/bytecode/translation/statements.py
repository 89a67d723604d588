"""Statements, and whole functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from tilewright.compiling.bytecode.assembler import Instruction, Value
from tilewright.compiling.bytecode.facts import Facts, Knowledge, NewFactsError
from tilewright.compiling.bytecode.passes.peephole import shortened
from tilewright.compiling.bytecode.translation.conditions import name_of_call, path_of, row_of
from tilewright.compiling.bytecode.translation.for_loops import ForLoops
from tilewright.compiling.bytecode.translation.names import MISSING_NUMBER, Slot
from tilewright.compiling.bytecode.translation.primitives import CALLS
from tilewright.compiling.bytecode.types import INT, NOTHING, NotCarried, T, list_of

#: how often blocks of one function are translated again in one round; types only grow
MOST_REPEATS = 1000


class Statements(ForLoops):
    """Translates the statements of one function."""

    def __init__(
        self, knowledge: Knowledge, facts: Facts, translate: Callable[[str], Facts]
    ) -> None:
        super().__init__(knowledge, facts, translate)
        #: rows of list registers with a name: the first one, and how many
        self.rows_of_lists: dict[str, tuple[int, int]] = {}

    def run(self, statements: list[ast.stmt]) -> None:
        """Translate statements in their order.

        Raises NewFactsError after a statement with which facts about the function are new.
        """
        for statement in statements:
            if not self.alive:
                return
            mark = self.mark()
            self.statement(statement)
            if self.facts.changed:
                raise NewFactsError
            self.release(mark)

    def statement(self, node: ast.stmt) -> None:
        """Translate one statement."""
        match node:
            case ast.Expr(ast.Call() as call):
                self._do(call)
            case ast.If():
                self._if(node)
            case ast.Assign([target], value):
                self._assign(target, value)
            case ast.AugAssign(ast.Name("options"), ast.Add(), ast.ListComp() as made):
                self.add_options(made)
            case ast.For(target, source, body):
                self.for_loop(target, source, body)
            case ast.Return(value):
                self._return(value)
            case ast.Break():
                label, states = self.exits[-1]
                states.append(self.state())
                self.emit("JMP", to=label)
                self.alive = False
            case ast.Pass() | ast.Continue():
                pass
            case _:
                raise self.refuse(node)

    # -------------------------------------------------------------- calls for their effect

    def _do(self, call: ast.Call) -> None:
        name, arguments = name_of_call(call), call.args
        known = CALLS.get(name)
        if known is not None and not known[2]:
            instruction, roles, _ = known
            # a function of the library has the match before its operands
            many = len(roles.rstrip("0123456789"))
            operands, k = self.operands(roles, arguments[len(arguments) - many :])
            self.emit(instruction, *operands).k = k
        elif name == "m.end_at_once":
            self.emit("ENDGAME", k=1)
        elif name in ("note", "measured"):
            self._count("NOTE" if name == "note" else "MEASURE", arguments)
        elif name == "spend":
            assert isinstance(arguments[1], ast.Constant) and isinstance(arguments[1].value, int)
            self.emit("STEPS", k=arguments[1].value)
        elif name == "m.frames.pop":
            self.emit("FPOP")
        elif name.startswith("measure_") and name not in self.knowledge.trees:
            self._arguments_alone(arguments[1:])
        elif name.startswith("offer_") and len(arguments) == 2:
            self.emit("CALL", self.registers((0,))).callee = name
            self.offered |= self.translated(name).options
        elif name == "options.append":
            assert isinstance(arguments[0], ast.Tuple)
            self.add_option(arguments[0])
        elif name.endswith(".append"):
            self._append(name.removesuffix(".append"), arguments[0])
        else:
            self.value(call)

    def _count(self, name: str, arguments: list[ast.expr]) -> None:
        """Add to a tally: `note(m, points, player, feature, ENTRY)`, `measured(m, value, N)`."""
        *values, number = arguments[1:]
        assert isinstance(number, ast.Constant) and isinstance(number.value, int)
        made = self.emit(name, *[self.operand(value) for value in values])
        made.k = number.value

    def _arguments_alone(self, arguments: list[ast.expr]) -> None:
        """An event that nobody hears: only its arguments are evaluated, since they may fail."""
        for argument in arguments:
            self.value(argument)

    def _append(self, name: str, member: ast.expr) -> None:
        value = self.value(member)
        slot = self.slot(name, list_of(value.type))
        self.emit("LAPP", slot.at, self.at(value), len(value.type.words))

    # -------------------------------------------------------------- branches and loops

    def _if(self, node: ast.If) -> None:
        outer_action = self.action
        match node.test:
            case ast.Compare(
                ast.Subscript(ast.Name(name), ast.Constant(0)), [ast.Eq()], [ast.Constant(action)]
            ) if name.startswith("h_action"):
                self.action = int(action)  # type: ignore[arg-type]
        no, after = self.label(), self.label()
        self.jump_if(node.test, False, no)
        before = self.state()
        self.run(node.body)
        self.asked = -1
        self.action = outer_action
        states = [self.state()] if self.alive else []
        if node.orelse and self.alive:
            self.emit("JMP", to=after)
        self.place(no)
        self.alive, self.bound = True, before
        self.run(node.orelse)
        if self.alive:
            states.append(self.state())
        self.place(after)
        self.alive = bool(states)
        self.merge(states)

    def _return(self, node: ast.expr | None) -> None:
        facts, known = self.facts, self.facts.result
        self.alive = False
        if node is None:
            # a caller may test the result even where every way through the function gives none
            at = self.registers((known or INT).words)
            self.load(at, 0)
            self.emit("RET", at)
            return
        slot = None
        if known is not None and not isinstance(node, ast.Name):
            slot = Slot(known, self.registers(known.words))
        value = self.value(node, slot)
        if not facts.changed:
            self._note_missing(node, value)
            self.knowledge.returned(facts, value.type)
        result = facts.result
        if facts.changed or result is None:
            self.emit("RET", 0)
            return
        if value.constant is not None or value.type.words != result.words:
            at = slot.at if slot is not None else self.registers(result.words)
            self.move(Slot(result, at), value)
            value = Value(result, at)
        self.emit("RET", value.at)

    def _note_missing(self, node: ast.expr, value: Value) -> None:
        may_miss = value.type == NOTHING and value.constant == MISSING_NUMBER
        if isinstance(node, ast.Call):
            callee = self.knowledge.functions.get(name_of_call(node))
            may_miss = may_miss or (callee is not None and callee.may_miss)
        if may_miss and not self.facts.may_miss:
            self.facts.may_miss = True
            self.knowledge.stale(self.facts)

    # -------------------------------------------------------------- assignments

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Name("at"):
                self._go(value)
            case ast.Name(name):
                self._assign_name(name, value)
            case ast.Tuple(names):
                self.load_names([n.id for n in names[2:] if isinstance(n, ast.Name)])
            case ast.Attribute():
                name = {"m.active": "SETACTIVE", "m.piece": "SETPIECE"}[path_of(target)]
                self.emit(name, self.operand(value))
            case ast.Subscript(ast.Name("frame"), ast.Slice()):
                assert isinstance(value, ast.List)
                self.save_names(value.elts)
            case ast.Subscript(ast.Name("frame")):
                assert isinstance(value, ast.Constant) and isinstance(value.value, int)
                self.set_block(value.value)
            case ast.Subscript(ast.Name(shared), index):
                self._stow(shared, index, value)
            case _ if (row := row_of(target)) is not None and row[0] == "m.memory":
                self._store(row[1], value)
            case _:
                raise self.refuse(target)

    def _go(self, value: ast.expr) -> None:
        """`at = K`, which `continue` follows."""
        assert isinstance(value, ast.Constant) and isinstance(value.value, int)
        self.enter(value.value)
        self.emit("JMP", to=self.label_of(value.value))
        self.alive = False

    def _assign_name(self, name: str, node: ast.expr) -> None:
        self.missable.discard(name)
        match node:
            case ast.List([]) if name.startswith("h_options"):
                self.offer, self.offered = self.emit("OFFER"), {}
                return
            case ast.List([ast.Constant(None), *_]):
                self._begin_shared(name, len(node.elts))
                return
            case ast.Subscript(ast.Name("ROLES"), kind):
                index = ast.Name(f"{name}_kind", ast.Load())
                self._assign_name(index.id, kind)
                self.roles[name] = kind if isinstance(kind, ast.Constant) else index
                return
            case ast.Subscript(ast.Name(shared), index) if shared in self.rows_of_lists:
                self._pick(name, shared, index)
                return
        if path_of(node) == "m.chosen":
            if name in self.facts.read:
                types = self.facts.names.get(name, [])
                hint = self.numbered(name, 0) if len(types) == 1 else None
                mark = self.mark()
                chosen = self.chosen(name, hint)
                self.adopt(name, chosen, mark)
                self._put(name, chosen)
            return
        types = self.facts.names.get(name, [])
        hint = None
        if len(types) == 1 and (_is_step(node) or not _reads(node, name)):
            hint = self.numbered(name, 0)
        mark = self.mark()
        value = self.value(node, hint)
        if not self.facts.changed:
            self.adopt(name, value, mark)
        if isinstance(node, ast.Call):
            callee = self.knowledge.functions.get(name_of_call(node))
            if callee is not None and callee.may_miss:
                self.missable.add(name)
        self._put(name, value)

    def _put(self, name: str, value: Value) -> None:
        slot = self.slot(name, value.type)
        if not self.facts.changed:
            self.move(slot, value)
        self.bound[name] = slot

    def _begin_shared(self, name: str, count: int) -> None:
        at = self.registers((1,) * count)
        self.held.pop()  # until the function ends
        self.rows_of_lists[name] = (at, count)
        for i in range(count):
            self.emit("LNONE", at + i)

    def _pick(self, name: str, shared: str, index: ast.expr) -> None:
        at, count = self.rows_of_lists[shared]
        slot = self.slot(name, T("list"))
        self.emit("PICKL", slot.at, at, self.register(index), count)
        self.bound[name] = slot

    def _stow(self, shared: str, index: ast.expr, value: ast.expr) -> None:
        at, count = self.rows_of_lists[shared]
        self.emit("STOWL", at, self.register(index), self.list_value(value).at, count)

    def _store(self, index: ast.expr, node: ast.expr) -> None:
        assert isinstance(index, ast.Constant) and isinstance(index.value, int)
        type_ = self.knowledge.memory[index.value]
        if isinstance(node, ast.Tuple) and not node.elts:  # nothing is kept for anything
            node = ast.List([], ast.Load())
        value = self.value(node)
        if value.constant is not None or value.type.words != type_.words:
            slot = Slot(type_, self.registers(type_.words))
            self.move(slot, value)
            value = Value(type_, slot.at)
        if type_.is_list:
            self.emit("MSTL", value.at, c=type_.parts or 1, k=index.value)
        elif len(type_.words) > 1:
            self.emit("MSTN", value.at, c=len(type_.words), k=index.value)
        else:
            self.emit("MST", value.at, k=index.value)

    # -------------------------------------------------------------- whole functions

    def function(self) -> list[Instruction]:
        """The code of the function."""
        facts = self.facts
        for argument, type_ in zip(facts.tree.args.args[1:], facts.parameters, strict=False):
            given = type_ or INT
            at = self.registers(given.words, lasting=True)
            self.bound[argument.arg] = Slot(given, at)
        match facts.body:
            case [*first, ast.Assign([ast.Name("at")]), ast.While(_, [select])]:
                self.run(first)
                self._unit(select, len(self.code))
            case [*first, ast.Assign([ast.Name("at")]), ast.While(_, block)]:
                self.run(first)
                self._blocks({0: block}, len(self.code))
            case _:
                self.run(facts.body)
        if self.alive:
            self._return(None)
        words = (facts.result or INT).words
        return shortened(self.code, self.labels, returns_number=words == INT.words)

    def _unit(self, select: ast.stmt, begin: int) -> None:
        blocks: dict[int, list[ast.stmt]] = {}
        _blocks_of([select], 0, blocks)
        self._blocks(blocks, begin)

    def _blocks(self, blocks: dict[int, list[ast.stmt]], begin: int) -> None:
        """Translate the blocks that can be reached, behind the jump to the one to begin with.

        A block after which facts are new is translated again, and so are those that it changes. All
        go on until nothing is new; then this code is not kept. Raises NewFactsError in that case.
        """
        at_entry, facts = self.bound, self.facts
        self.label_of(0)
        resumed: list[int] = [0]
        refusal: Exception | None = None
        while self.todo:
            if self.repeats > MOST_REPEATS:
                raise NotCarried("types that never settle")
            block = self.todo.pop(0)
            before = (self.mark(), self.asked, self.action, len(self.exits))
            try:
                self._block(block, blocks[block], at_entry)
            except (NewFactsError, NotCarried) as reason:
                mark, self.asked, self.action, many = before
                self.release(mark)
                del self.exits[many:]
                if facts.changed:
                    facts.changed = False
                    self.repeats += 1
                    self.todo.insert(0, block)
                else:
                    refusal = refusal or reason  # other blocks may have the facts that it lacks
            if block in facts.saved and block not in resumed:
                resumed.append(block)
        if self.repeats:
            raise NewFactsError
        if refusal is not None:
            raise refusal
        self._dispatch(sorted(resumed), begin)

    def _block(self, block: int, statements: list[ast.stmt], at_entry: Mapping[str, Slot]) -> None:
        self.place(self.blocks[block])
        self.done.add(block)
        self.block, self.alive, self.bound = block, True, dict(at_entry)
        for name, number in self.facts.entered.get(block, {}).items():
            self.bound[name] = self.numbered(name, number)
        self.run(statements)
        if self.alive:
            raise NotCarried("a block without an end")

    def _dispatch(self, resumed: list[int], begin: int) -> None:
        """Put the choice of the block before the code of the blocks."""
        rest, self.code = self.code[begin:], self.code[:begin]
        mark = self.mark()
        where, same = self.registers((0,)), self.registers((0,))
        self.release(mark)
        if len(resumed) > 1:
            self.emit("FBLOCK", where)
        for block in resumed[:-1]:
            if block < 256:
                self.emit("JEQI", where, block, to=self.blocks[block])
            else:
                self.emit("EQI", same, where, k=block)
                self.emit("JT", same, to=self.blocks[block])
        self.emit("JMP", to=self.blocks[resumed[-1]])
        shift = len(self.code) - begin
        self.labels = [at + shift if at >= begin else at for at in self.labels]
        self.code += rest
        self.alive = False


def _blocks_of(body: list[ast.stmt], number: int, found: dict[int, list[ast.stmt]]) -> None:
    """The blocks among which a search by number chooses."""
    match body:
        case [ast.If(ast.Compare(ast.Name("at"), [ast.Lt()], [ast.Constant(middle)]), low, high)]:
            _blocks_of(low, number, found)
            _blocks_of(high, int(middle), found)  # type: ignore[arg-type]
        case _:
            found[number] = body


def _reads(node: ast.expr, name: str) -> bool:
    """Whether an expression reads a name."""
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _is_step(node: ast.expr) -> bool:
    """Whether this is the sum of a name and a number, one instruction."""
    match node:
        case ast.BinOp(ast.Name(), ast.Add(), ast.Constant()):
            return True
    return False
