"""Calls: functions of the run-time library, methods of the match, functions of the program."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tilewright.compiling.bytecode.assembler import Value
from tilewright.compiling.bytecode.facts import Facts, Knowledge
from tilewright.compiling.bytecode.translation.conditions import name_of_call, path_of, row_of
from tilewright.compiling.bytecode.translation.expressions import Expressions
from tilewright.compiling.bytecode.translation.helpers import HELPERS
from tilewright.compiling.bytecode.translation.names import Slot
from tilewright.compiling.bytecode.translation.primitives import CALLS, RESULTS, Signature
from tilewright.compiling.bytecode.types import (
    EMPTY,
    INT,
    LIST,
    MASK,
    NOTHING,
    T,
    list_of,
)

_PRINTS = {"prints": "PRINTS", "joined": "JOINED"}


class Calls(Expressions):
    """Translates calls that have a value."""

    def __init__(
        self, knowledge: Knowledge, facts: Facts, translate: Callable[[str], Facts]
    ) -> None:
        super().__init__(knowledge, facts)
        self.translate = translate

    def call(self, node: ast.Call, hint: Slot | None) -> Value:
        """Evaluate a call."""
        name, arguments = name_of_call(node), node.args
        if isinstance(node.func, ast.Attribute) and node.func.attr == "bit_count":
            return self._size(node.func.value, hint)
        if isinstance(node.func, ast.Lambda):
            return self._let(node.func, arguments[0], hint)
        if arguments and isinstance(arguments[0], ast.Name) and arguments[0].id == "m":
            if name in self.knowledge.trees:
                return self.call_rule(name, arguments[1:], hint)
            arguments = arguments[1:]
        own = getattr(self, f"_call_{name}", None)
        if own is not None and not (name in ("min", "max") and not node.keywords):
            found: Value = own(node, arguments, hint)
            return found
        known = CALLS.get(name)
        if known is None or not known[2]:
            raise self.refuse(node)
        return self._primitive(known, arguments, hint)

    def _primitive(self, known: Signature, arguments: list[ast.expr], hint: Slot | None) -> Value:
        name, roles, result = known
        operands, k = self.operands(roles, arguments)
        return self.operation(name, operands, RESULTS[result], hint, k)

    def operands(self, roles: str, arguments: list[ast.expr]) -> tuple[list[int], int]:
        """The operands in registers, and the constant of an instruction."""
        operands: list[int] = []
        letters = roles.rstrip("0123456789")
        k = int(roles[len(letters) :] or 0)
        for role, argument in zip(letters, arguments, strict=True):
            if role == "-":
                continue
            if role in "kn":
                assert isinstance(argument, ast.Constant) and isinstance(argument.value, int)
                if role == "k":
                    k = argument.value
                else:
                    operands.append(argument.value)
            elif role in "ml":
                operands.append(self.list_value(argument).at)
            else:
                operands.append(self.operand(argument, 2 if role == "p" else 1))
        return operands, k

    def operand(self, node: ast.expr, words: int = 1) -> int:
        """The first register of a value that is not a list and takes so many registers."""
        value = self.value(node)
        if value.type.is_list or (value.constant is None and len(value.type.words) != words):
            raise self.refuse(node, f"not a value of {words} parts")
        return self.at(value)

    # -------------------------------------------------------------- functions of the program

    def translated(self, name: str) -> Facts:
        """A function that this one calls, translated as far as it is known."""
        found = self.translate(name)
        found.callers.add(self.facts.tree.name)
        return found

    def call_rule(self, name: str, arguments: list[ast.expr], hint: Slot | None = None) -> Value:
        """Call a function of the program."""
        callee = self.knowledge.function(name)
        known = callee.parameters
        slots = [self.bound.get(a.id) if isinstance(a, ast.Name) else None for a in arguments]
        names = [slot for slot in slots if slot is not None]
        if None in known and len(names) == len(slots) and not self.facts.changed:
            self.knowledge.give(name, [slot.type for slot in names])
        window = self._in_place(slots, known)
        if window is None:
            window = self._window(name, arguments, known)
        callee = self.translated(name)
        result = callee.result or INT
        found = self.target(result, hint)
        self.emit("CALL", found, window).callee = name
        return Value(NOTHING if callee.result is None else result, found)

    def _in_place(self, slots: list[Slot | None], known: list[T | None]) -> int | None:
        """The first register of arguments that are names in a row already, of the known types."""
        first = at = slots[0].at if slots and slots[0] is not None else 0
        for slot, type_ in zip(slots, known, strict=False):
            if slot is None or type_ is None or slot.at != at or slot.type.words != type_.words:
                return None
            if slot.type != type_:
                return None
            at += len(type_.words)
        return first if len(slots) == len(known) else None

    def _window(self, name: str, arguments: list[ast.expr], known: list[T | None]) -> int:
        types = [each or INT for each in known]
        if len(types) != len(arguments):
            types = [INT for _ in arguments]
        first = at = self.registers([word for type_ in types for word in type_.words])
        values: list[tuple[Slot, Value]] = []
        for argument, type_ in zip(arguments, types, strict=True):
            slot = Slot(type_, at)
            value = self.value(argument, slot)
            if value.constant is None and value.at == at:
                value = Value(value.type, at)
            values.append((slot, value))
            at += len(type_.words)
        callee = self.knowledge.function(name)
        if not self.facts.changed:
            self.knowledge.give(name, [value.type for _, value in values])
        if not self.facts.changed and [each or INT for each in callee.parameters] == types:
            for slot, value in values:
                self.move(slot, value)
        else:  # translated again
            self.facts.changed = True
        return first

    def _call_allowed(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        return self._helper("allowed", arguments, hint)

    def _call_beside_cover(
        self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None
    ) -> Value:
        return self._helper("beside_cover", arguments, hint)

    def _call_is_playable(
        self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None
    ) -> Value:
        return self._helper("is_playable", arguments, hint)

    def _helper(self, name: str, arguments: list[ast.expr], hint: Slot | None) -> Value:
        if not self.knowledge.restricted:
            plain = {
                "allowed": CALLS["places"],
                "beside_cover": CALLS["places_beside"],
                "is_playable": CALLS["m.board.count"],
            }[name]
            return self._primitive(plain, arguments, hint)
        self.knowledge.function(name, HELPERS[name])
        return self.call_rule(name, arguments, hint)

    # -------------------------------------------------------------- functions of sets

    def _size(self, whole: ast.expr, hint: Slot | None) -> Value:
        row = row_of(whole)
        if row is not None and row[0] == "m.board.tiles":
            return self.operation("B_SIZE", [self.register(row[1])], INT, hint)
        return self.operation("LLEN", [self.list_value(whole).at], INT, hint)

    def _let(self, function: ast.Lambda, given: ast.expr, hint: Slot | None) -> Value:
        found: list[Value] = []
        self.with_let(
            function.args.args[0].arg, given, lambda: found.append(self.value(function.body, hint))
        )
        return found[0]

    def _call_len(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        whole = arguments[0]
        row = row_of(whole)
        if row is not None and row[0] == "m.stacks":
            return self.operation("STACK_LEN", [self.register(row[1])], INT, hint)
        if path_of(whole) == "m.players":
            return self.operation("NPLAYERS", [], INT, hint)
        if isinstance(whole, ast.ListComp) and isinstance(whole.elt, ast.Constant):
            return self.counted(whole)
        if (times := self.times(whole)) is not None:
            none = self.registers((0,))
            self.load(none, 0)
            self.emit("MAX", times.at, times.at, none)
            return times
        return self.operation("LLEN", [self.list_value(whole).at], INT, hint)

    def times(self, node: ast.expr) -> Value | None:
        """The number of rounds of `range(rounds(A))`, metered or not: none if it is below 0."""
        match node:
            case ast.Call(ast.Name("metered"), [_, inner, ast.Constant(steps), _]):
                rounds = self.times(inner)
                if rounds is not None:
                    assert isinstance(steps, int)
                    self.emit("METERN", self.at(rounds), k=steps)
                return rounds
            case ast.Call(ast.Name("range"), [ast.Call(ast.Name("rounds"), [count])]):
                given, found = self.register(count), self.registers((0,))
                self.emit("ROUNDS", found, given)
                return Value(INT, found)
        return None

    def _call_sum(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        if isinstance(arguments[0], ast.ListComp):
            return self.summed(arguments[0])
        raise self.refuse(node)

    def _call_any(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        return self.truth(node, hint)

    _call_all = _call_any

    def _call_bits(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        whole = self.value(arguments[0], hint)
        return Value(LIST, self.list_value(arguments[0]).at if not whole.type.is_list else whole.at)

    def _call_mask_of(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        whole = self.list_value(arguments[0])
        if self.is_ascending(arguments[0]):
            return Value(MASK, whole.at)
        return self.operation("SORTU", [whole.at], MASK, hint)

    def _call_distinct(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        match arguments[0]:
            case ast.Call(ast.Name("map"), [_, features]):
                return self.operation("CURROOTS", [self.list_value(features).at], LIST, hint)
            case ast.List([ast.Starred(one), ast.Starred(two)]):
                left, right = self.list_value(one), self.list_value(two)
                type_ = left.type if left.type != EMPTY else right.type
                both = self.registers(type_.words)
                self.emit("LCAT", both, left.at, right.at, type_.parts or 1)
                whole = Value(type_, both)
            case _:
                whole = self.list_value(arguments[0])
        found = self.target(whole.type, hint)
        self.emit("LDIST", found, whole.at, k=whole.type.parts or 1)
        return Value(whole.type, found)

    def _call_first_of(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        return self.last_of("LFIRST", self.list_value(arguments[0]), hint)

    _call_first_bit = _call_first_of

    def _call_most(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        rated = self.list_value(arguments[0])
        parts = rated.type.parts - 1
        found = self.target(T("list", parts), hint)
        self.emit("MOST", found, rated.at, int(name_of_call(node) == "least"), parts)
        return Value(T("list", parts), found)

    _call_least = _call_most

    def _call_metered(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        members = self.list_value(arguments[0])
        assert isinstance(arguments[1], ast.Constant) and isinstance(arguments[1].value, int)
        self.emit("METER", members.at, k=arguments[1].value)
        return members

    def _call_metered_long(
        self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None
    ) -> Value:
        members = self.list_value(arguments[0])
        assert isinstance(arguments[1], ast.Constant) and isinstance(arguments[1].value, int)
        self.emit("METER", members.at, 1, k=arguments[1].value)
        return members

    def _call_with_one_more(
        self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None
    ) -> Value:
        whole, one = self.list_value(arguments[0]), self.value(arguments[1])
        type_ = list_of(one.type)
        found = self.target(type_, hint)
        self.emit("WITHONE", found, whole.at, self.at(one), type_.parts)
        return Value(type_, found)

    def _call_with_features(
        self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None
    ) -> Value:
        type_ = T("list", 3)
        return self.operation("WITHFEATURES", [self.list_value(arguments[0]).at], type_, hint)

    def _call_cycle(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        whole, times = self.list_value(arguments[0]), self.register(arguments[1])
        type_ = T("list", whole.type.parts)
        found = self.target(type_, hint)
        self.emit("CYCLE", found, whole.at, times, type_.parts or 1)
        return Value(type_, found)

    def _call_sorted(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        row = row_of(arguments[0])
        if row is None or row[0] != "m.stacks":
            raise self.refuse(node)
        return self.operation("STACK_SORTED", [self.register(row[1])], LIST, hint)

    def _call_prints(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        name = name_of_call(node)
        result = T("list", 3) if name == "prints" else LIST
        piece, where = self.operand(arguments[0]), self.operand(arguments[1], 2)
        kind = self.operand(arguments[2]) if len(arguments) > 2 else -1
        return self.operation(_PRINTS[name], [piece, where], result, hint, kind)

    _call_joined = _call_prints

    def _call_joins(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        piece, where = self.operand(arguments[0]), self.operand(arguments[1], 2)
        wanted = self.operand(arguments[2], 3)
        return self.operation("JOINS", [piece, where], LIST, hint, wanted)

    # -------------------------------------------------------------- the best of amendments

    def _call_min(self, node: ast.Call, arguments: list[ast.expr], hint: Slot | None) -> Value:
        """`min([x for x in [...] if x is not MISSING], default=...)`."""
        match arguments[0]:
            case ast.ListComp(_, [ast.comprehension(_, ast.List(calls))]):
                pass
            case _:
                raise self.refuse(node)
        best = self.registers((0,))
        slot = Slot(INT, best)
        is_sure = False
        self.emit("LDC", best).values = (-(1 << 63) + 1,)
        for call in calls:
            is_sure = self._better(call, slot, name_of_call(node).upper(), is_sure)
        if not is_sure:
            after, missing = self.label(), self.registers((0,))
            self.emit("ISMISS", missing, best)
            self.emit("JF", missing, to=after)
            self.into(node.keywords[0].value, slot)
            self.place(after)
        return Value(INT, best)

    def _better(self, call: ast.expr, best: Slot, name: str, is_sure: bool) -> bool:
        """Take a value into account; whether there is a value for certain then."""
        mark = self.mark()
        value = self.value(call)
        callee = self.knowledge.functions.get(name_of_call(call))
        may_miss = callee is None or callee.may_miss
        next_, first = self.label(), self.label()
        missing = self.registers((0,))
        if may_miss:
            self.emit("ISMISS", missing, self.at(value))
            self.emit("JT", missing, to=next_)
        if not is_sure:
            self.emit("ISMISS", missing, best.at)
            self.emit("JT", missing, to=first)
        self.emit(name, best.at, best.at, self.at(value))
        self.emit("JMP", to=next_)
        self.place(first)
        self.move(best, value)
        self.place(next_)
        self.release(mark)
        return is_sure or not may_miss

    _call_max = _call_min
