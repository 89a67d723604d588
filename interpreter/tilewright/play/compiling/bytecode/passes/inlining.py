"""Writes short functions into those that call them, and removes instructions without use.

Works on the finished code of all functions. The registers of a called function get numbers behind
those of its caller, except parameters that it only reads: they stay where the caller put them. A
constant result that is tested at once becomes a jump. The core verifies what comes out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tilewright.play.compiling.bytecode.instructions import (
    AFTER_ACTIVE,
    BY_ACTIVE,
    ENDS,
    MAX_REGISTERS,
    Instruction,
)
from tilewright.play.compiling.bytecode.passes.peephole import shortened
from tilewright.play.compiling.bytecode.passes.repeats import leave_out_repeats, skip_known

#: a function that is longer stays one, unless it is called at one place alone
_SHORT = 16
_ONCE = 80
#: parts of an element, and registers of a print or of a placement
_PARTS = 8
#: of the instructions with the roles `*`, those whose first operand is a result in one register
_RESULTS = frozenset(
    ("MOVL", "ISMISS", "LDIST", "MOST", "WITHFEATURES", "ROWS", "PLACES", "LIN", "LEQ",
     "BESIDE_COVER", "LDRAW",
     "LCAT", "LTAKE", "CYCLE", "WITHONE", "ON_TILES", "ROWS_OWN", "CELLS", "COMPLETED_BY", "LAY",
     "PRINTS", "JOINED", "JOINS", "MLDL", "FLOADL")
)  # fmt: skip
#: without their result these do nothing
_PURE = frozenset(
    ("LDI", "LDC", "MOV", "MOVL", "LNEW", "LNONE", "MLD", "ACTIVE", "STACK_SIZE", "LCONST", "EQI",
     "NEI", "LTI", "GEI", "EQP", "ISMISS", "ANDI", "SHRI", "MIN", "MAX")
)  # fmt: skip
_TESTS = frozenset(("JT", "JF", "JEQI", "JNEI", "JNONE", "JSOME"))


@dataclass(slots=True)
class Routine:
    """The code of a function, the types of its registers, and of what it takes and returns."""

    code: list[Instruction]
    words: list[int]
    parameters: int
    returns: tuple[int, ...]


class Inliner:
    """Writes functions into their callers; `roles` has the operands of each instruction."""

    def __init__(self, roles: Mapping[str, str], routines: dict[str, Routine]) -> None:
        self.roles = roles
        self.operands_of = {name: _operands(found) for name, found in roles.items()}
        self.routines = routines
        self.calls: dict[str, int] = {}
        for routine in routines.values():
            for each in routine.code:
                if each.callee:
                    self.calls[each.callee] = self.calls.get(each.callee, 0) + 1
        self.done: set[str] = set()
        self.open: set[str] = set()

    def inline(self, name: str) -> None:
        """Complete a function, after those that it calls."""
        if name in self.done or name in self.open:
            return
        self.open.add(name)
        routine = self.routines[name]
        for callee in sorted({each.callee for each in routine.code if each.callee}):
            self.inline(callee)
        self.open.discard(name)
        self.done.add(name)
        self._write(routine)

    def _is_short(self, name: str) -> bool:
        if name not in self.done:  # it calls itself by way of others
            return False
        routine = self.routines[name]
        longest = _ONCE if self.calls.get(name) == 1 else _SHORT
        is_plain = len(routine.returns) == 1
        return is_plain and len(routine.code) <= longest and routine.code[0].name != "FBLOCK"

    def written(self, each: Instruction) -> int:
        """The mask of a register that an instruction writes without reading it, or 0."""
        roles = self.roles[each.name]
        if each.name in _RESULTS or roles[0] in "ILS" or (each.callee and each.a >= 0):
            return 1 << each.a
        return 0

    def read(self, each: Instruction) -> int:
        """The mask of the registers that an instruction may read, some of them too many."""
        roles = self.roles[each.name]
        if each.callee:
            many = self.routines[each.callee].parameters
            return ((1 << many) - 1) << each.b
        is_row = roles[0] == "*"
        found = 0
        ignored = _ignored(each)
        for operand in self.operands_of[each.name]:
            if operand == "a" and (self.written(each) or each.name in _WRITERS):
                continue
            if operand == ignored:
                continue
            at = getattr(each, operand)
            if at < 0:
                continue
            many = 1
            if is_row:
                many = 1 if each.name in _SINGLE else _PARTS
                many = max(many, each.b if each.name.startswith("OFFER") else 0)
                many = each.c if each.name == "MOVN" else many
                many = each.k if each.name in ("PICKL", "STOWL") else many
            found |= ((1 << max(many, 1)) - 1) << at
        return found

    def _write(self, routine: Routine) -> None:
        code: list[Instruction] = []
        labels: list[int] = []
        area: list[int] = []
        places: dict[int, int] = {}
        for i, each in enumerate(routine.code):
            places[i] = len(code)
            if each.callee and self._is_short(each.callee):
                body = self._body(routine, each, area, labels, len(code))
                if body is not None:
                    code += body
                    continue
            code.append(each.copy())
        places[len(routine.code)] = len(code)
        # labels of bodies are places already, and those of the caller follow them
        first = len(labels)
        for i in range(len(routine.code) + 1):
            labels.append(places[i])
        for i, each in enumerate(routine.code):
            made = code[places[i]]
            if each.to >= 0:
                made.to = first + each.to
        routine.words = routine.words + area
        routine.code = self._cleaned(code, labels, routine)

    def _body(
        self,
        caller: Routine,
        call: Instruction,
        area: list[int],
        labels: list[int],
        begin: int,
    ) -> list[Instruction] | None:
        """The code of a called function with registers of its caller, None if there are too few."""
        callee = self.routines[call.callee]
        count = callee.parameters
        changed = 0
        for each in callee.code:
            changed |= self._changed(each)
        keeps = not changed & ((1 << count) - 1)
        words = callee.words[count:] if keeps else callee.words
        at = _place(area, words)
        first = len(caller.words) + at
        if first + len(words) > MAX_REGISTERS:
            return None
        area += words[len(area) - at :]
        shift = first - count if keeps else first

        def register(number: int) -> int:
            return call.b + number if keeps and number < count else shift + number

        body: list[Instruction] = []
        if not keeps:
            for i, word in enumerate(callee.words[:count]):
                body.append(_move(first + i, call.b + i, word))
        start = len(labels)
        labels += [0] * (len(callee.code) + 1)
        end = start + len(callee.code)
        for i, each in enumerate(callee.code):
            labels[start + i] = begin + len(body)
            if each.name == "RETI":
                body.append(Instruction("LDI", call.a, k=each.k))
                body.append(Instruction("JMP", to=end))
            elif each.name == "RET":
                body.append(_move(call.a, register(each.a), callee.returns[0]))
                body.append(Instruction("JMP", to=end))
            else:
                made = each.copy()
                made.to = start + each.to if each.to >= 0 else -1
                for operand in self.operands_of[each.name]:
                    number = getattr(each, operand)
                    if number >= 0:
                        setattr(made, operand, register(number))
                body.append(made)
        labels[end] = begin + len(body)
        return body

    def _changed(self, each: Instruction) -> int:
        """The mask of the registers that an instruction may write, some of them too many."""
        roles = self.roles[each.name]
        if roles[0] != "*":
            found = 1 << each.a if roles[0] in "ILS" else 0
            # loops that count write what they count in
            return found | (1 << each.a if each.name == "NEXTTO" else 0)
        found = 0
        for operand in self.operands_of[each.name]:
            if operand == "a" or (operand == "c" and each.name in ("FOREACH", "NEXT")):
                many = max(_PARTS, each.c if each.name == "MOVN" else 1)
                many = max(many, each.k if each.name == "STOWL" else 1)
                if each.name in _RESULTS or each.name == "LAPP":
                    many = 1  # one register with a list
                found |= ((1 << many) - 1) << getattr(each, operand)
        return 0 if each.name in _READERS else found

    # -------------------------------------------------------------- instructions without use

    def _cleaned(
        self, code: list[Instruction], labels: list[int], routine: Routine
    ) -> list[Instruction]:
        is_number = routine.returns == (0,)
        code = shortened(code, labels, returns_number=is_number)
        while True:
            tested = _known_tests(code)
            self._read_originals(code)
            dead = self._unused(code)
            is_done = not tested and not dead
            # last, because the other passes look for instructions that this one leaves out
            if is_done and not leave_out_repeats(code, self.read, self._changed):
                skip_known(code, self.read, self._changed)
                return code
            for i in dead:
                code[i] = Instruction("NOP")
            code = shortened(code, list(range(len(code) + 1)), returns_number=is_number)

    def _read_originals(self, code: list[Instruction]) -> None:
        """Read a register itself and not its copy, as long as both are the same."""
        targets = {each.to for each in code}
        copies: dict[int, int] = {}
        for i, each in enumerate(code):
            if i in targets:
                copies.clear()
            roles = self.roles[each.name]
            if copies and roles[0] != "*":
                for operand, role in zip("abc", roles, strict=False):
                    at = getattr(each, operand)
                    # a counter stays the register that the loop adds to
                    is_counter = operand == "a" and each.name == "NEXTTO"
                    if role in "ils" and at in copies and not is_counter:
                        setattr(each, operand, copies[at])
            changed = self._changed(each)
            copies = {
                to: at for to, at in copies.items() if not (changed >> to | changed >> at) & 1
            }
            if each.name in ("MOV", "MOVL") and each.a != each.b:
                copies[each.a] = copies.get(each.b, each.b)

    def _unused(self, code: list[Instruction]) -> list[int]:
        """The instructions whose only result nobody reads."""
        live = [0] * (len(code) + 1)
        masks = [(self.read(each), ~self.written(each)) for each in code]
        is_new = True
        while is_new:
            is_new = False
            for i in range(len(code) - 1, -1, -1):
                after = self._after(code, i, live)
                read, kept = masks[i]
                found = read | after & kept
                if found != live[i]:
                    live[i], is_new = found, True
        return [
            i
            for i, each in enumerate(code)
            if each.name in _PURE and not self._after(code, i, live) >> each.a & 1
        ]

    def _after(self, code: list[Instruction], i: int, live: list[int]) -> int:
        each = code[i]
        found = 0 if each.name in ENDS else live[i + 1]
        return found | live[each.to] if each.to >= 0 else found


#: instructions whose first operand is only written: the first of several registers, or not always
_WRITERS = frozenset(("CHOSEN", "LGET", "LLAST", "LFIRST", "MLDN", "MOVN", "FOREACH", "PICKL"))
#: instructions with roles `*` that read one register of each operand
_SINGLE = frozenset(("JNONE", "JSOME", "ISMISS"))
#: instructions whose first operand is only read
_READERS = frozenset(("JNONE", "JSOME", "RET", "OFFERADD", "OFFERLIST", "MSTL", "MSTN", "FSAVEL"))


def _operands(roles: str) -> str:
    """Which operands of an instruction with these roles are registers."""
    if roles[0] == "*":
        return roles[1:]
    return "".join(o for o, r in zip("abc", roles, strict=False) if r in "iIlLsS")


def _ignored(each: Instruction) -> str:
    """The operand that an instruction does not look at, so that its register may hold anything."""
    match each.name:
        case "ASK" | "ASKPLACE" | "ASKNUMBER" | "ASKOFFER" if each.k & BY_ACTIVE:
            return "b"
        case "DRAW" if each.k:
            return "b"
        case "SETACTIVE" if each.k == AFTER_ACTIVE:
            return "a"
        case "MSTL" if each.b:
            return "a"
        case "ROWS_FIRST" if each.c:
            return "a"
    return ""


def _known_tests(code: list[Instruction]) -> bool:
    """Let a constant that is tested at once decide where to go on."""
    found = False
    targets = {each.to for each in code}
    for i in range(len(code) - 1):
        one, two = code[i], code[i + 1]
        if one.name != "LDI":
            continue
        if two.name in _TESTS and two.a == one.a and i + 1 not in targets:
            to = two.to if _holds(two, one.k) else i + 2
            code[i + 1] = Instruction("JMP", to=to)
            targets.add(to)
            found = True
        elif two.name == "JMP" and (test := code[two.to]).name in _TESTS and test.a == one.a:
            two.to = test.to if _holds(test, one.k) else two.to + 1
            targets.add(two.to)
            found = True
    return found


def _holds(test: Instruction, number: int) -> bool:
    """Whether a conditional jump jumps when its register holds a number."""
    return {
        "JT": number != 0,
        "JF": number == 0,
        "JEQI": number == test.b,
        "JNEI": number != test.b,
        "JNONE": False,
        "JSOME": True,
    }[test.name]


def _move(to: int, at: int, word: int) -> Instruction:
    if word == 0:
        return Instruction("MOV", to, at)
    return Instruction("MOVL", to, at, word)


def _place(area: Sequence[int], words: Sequence[int]) -> int:
    """The first place in an area for registers of these types; the area may have to grow."""
    for first in range(len(area) + 1):
        if all(a == b for a, b in zip(area[first:], words, strict=False)):
            return first
    return len(area)


def inlined(
    roles: Mapping[str, str], routines: dict[str, Routine], roots: Collection[str]
) -> dict[str, Routine]:
    """The functions that are still called, with short ones written into their callers."""
    inliner = Inliner(roles, routines)
    for name in routines:
        inliner.inline(name)
    kept: list[str] = list(roots)
    for name in kept:
        kept += sorted({e.callee for e in routines[name].code if e.callee} - set(kept))
    return {name: routine for name, routine in routines.items() if name in kept}
