"""Shortens the code of a function: two instructions that become one, jumps to jumps, dead code."""

from __future__ import annotations

from tilewright.play.compiling.bytecode.instructions import (
    AFTER_ACTIVE,
    ENDS,
    NONE_NUMBER,
    SEGMENT_OF_KIND,
    Instruction,
)

_TESTS = ("TEST", "FIGS", "KIND", "ROLE", "TRAIT", "IN", "COMPANION")
_TURNED = {
    "JT": "JF",
    "JF": "JT",
    "JEQ": "JNE",
    "JNE": "JEQ",
    "JEQI": "JNEI",
    "JNEI": "JEQI",
    "JNONE": "JSOME",
    "JSOME": "JNONE",
    "JEMPTY": "JFULL",
    "JFULL": "JEMPTY",
    "JLTI": "JGEI",
    "JGEI": "JLTI",
    **{f"J{name}": f"JN{name}" for name in _TESTS},
    **{f"JN{name}": f"J{name}" for name in _TESTS},
}
#: reading these again gives the same, if nothing happens in between
_OF_REGISTER = frozenset(("PIECE_SYMBOLS", "FIG_SPOT", "FIG_OWNER", "FIG_COMPANION"))
_PURE = _OF_REGISTER | {"LDI", "MLD", "ACTIVE", "OF_FIGURE", "STACK_SIZE"}
#: so many instructions are compared with those before a jump
_SAME = 5
#: numbers that fit into `b`
_SMALL = range(256)


def fused(one: Instruction, two: Instruction) -> Instruction | None:
    """One instruction for two, if there is one: the second uses the result of the first.

    The result is then in no register: the caller knows that nothing else reads it.
    """
    name = ""
    match two.name:
        case "JT" | "JF" if two.a == one.a:
            return _jump_of_test(one, two, two.name == "JT")
        case "JEQI" | "JNEI" if two.a == one.a and one.name == "B_KIND":
            name = "JKIND" if two.name == "JEQI" else "JNKIND"
            return Instruction(name, one.b, two.b, to=two.to)
        case "STACK_LEN" if one.name == "LDI" and two.b == one.a:
            return Instruction("STACK_SIZE", two.a, k=one.k)
        case "TILE_SYMBOLS" if one.name == "SHRI" and one.k == 5 and two.b == one.a:
            return Instruction("SEG_TILE_SYMBOLS", two.a, one.b)
        case "KEEP_KIND" if one.name == "LDI" and two.c == one.a:
            return Instruction("KEEP_FIGS", two.a, two.b, k=1 + one.k)
        case "KEEP_TRAIT" if one.name == "LDI" and two.c == one.a:
            return Instruction("KEEP_FIGS", two.a, two.b, k=-1 - one.k)
        case "KEEP_FIGS" if one.name in ("FIGS", "FIGS_PLAYER") and not one.k and two.b == one.a:
            return Instruction(one.name, two.a, one.b, one.c, two.k)
        case "SEGS_KIND" if one.name == "LDI" and two.c == one.a:
            return Instruction("PASSING", two.a, two.b, SEGMENT_OF_KIND, one.k)
        case "PASSING" if one.name == "SEGS_TILE" and two.b == one.a and two.c == SEGMENT_OF_KIND:
            return Instruction("SEGS_TILE_OF", two.a, one.b, k=two.k)
        case "KEEP_PLAYER" if one.name == "FIGS" and two.b == one.a:
            return Instruction("FIGS_PLAYER", two.a, two.c, one.c, one.k)
        case "ROWS" | "ROWS_FIRST" if one.name == "ROWS" and two.b == one.a and not one.k & two.k:
            return Instruction(two.name, two.a, one.b, k=one.k | two.k)
        case "MST" if two.a == one.a and one.name == "LDI" and one.k in _SMALL:
            return Instruction("MSTI", one.k, k=two.k)
        case "MST" if two.a == one.a and one.name == "LDC" and one.values == (NONE_NUMBER,):
            return Instruction("MSTI", b=1, k=two.k)
        case "FIG_COMPANION" if one.name == "LDI" and two.b == one.a:
            return Instruction("OF_FIGURE", two.a, k=one.k)
        case "FIG_SPOT" if one.name == "LDI" and two.b == one.a:
            return Instruction("OF_FIGURE", two.a, c=1, k=one.k)
        case "FIG_AT" if one.name == "LDI" and two.b == one.a:
            return Instruction("OF_FIGURE", two.a, c=2 + two.k, k=one.k)
        case "DRAW" if one.name == "LDI" and one.k >= 0 and two.b == one.a:
            return Instruction("DRAW", two.a, two.a, k=1 + one.k)
        case "LOOKUP" if one.name == "FIG_KIND" and two.b == one.a and not two.c:
            return Instruction("LOOKUP", two.a, one.b, 1)
        case "SETACTIVE" if one.name == "NEXTP" and two.a == one.a and not two.k:
            return Instruction("SETACTIVE", one.b, k=1)
        case "SETACTIVE" if one.name == "ACTIVE" and two.a == one.a and two.k == 1:
            return Instruction("SETACTIVE", two.a, k=AFTER_ACTIVE)
        case "MSTL" if one.name == "LNEW" and two.a == one.a:
            return Instruction("MSTL", two.a, 1, two.c, two.k)
        case "JNTEST" if one.name == "PIECE_SYMBOLS" and two.a == one.a:
            return Instruction("JNSYMBOL", one.b, two.b, to=two.to)
        case "KIND_ROLE" if one.name == "LDI" and one.k in _SMALL and two.b == one.a:
            return Instruction("ROLE", two.a, one.k, two.c)
    return None


def _jump_of_test(one: Instruction, two: Instruction, holds: bool) -> Instruction | None:
    """A jump by the truth of what the first instruction finds."""
    not_ = "" if holds else "N"
    match one.name:
        case "B_HASFIGS":
            return Instruction(f"J{not_}FIGS", one.b, to=two.to)
        case "B_KIND":  # of kind 0
            return Instruction("JNKIND" if holds else "JKIND", one.b, 0, to=two.to)
        case "FIG_TRAIT" if one.k in _SMALL:
            return Instruction(f"J{not_}TRAIT", one.b, one.k, to=two.to)
        case "ANDI" if one.k in _SMALL:
            return Instruction(f"J{not_}TEST", one.b, one.k, to=two.to)
        case "LIN" if one.k == 1:
            return Instruction(f"J{not_}IN", one.c, one.b, to=two.to)
        case "EQI" | "NEI" if one.k in _SMALL:
            name = "JEQI" if holds is (one.name == "EQI") else "JNEI"
            return Instruction(name, one.b, one.k, to=two.to)
        case "ROLE":
            return Instruction(f"J{not_}ROLE", one.c, one.b, to=two.to)
    return None


def shortened(
    code: list[Instruction], labels: list[int], *, returns_number: bool
) -> list[Instruction]:
    """The same code with fewer instructions; `to` becomes an index into the result."""
    for each in code:
        if each.to >= 0:
            each.to = labels[each.to]
    _begin_lists(code)
    while True:
        _thread(code)
        _turn(code)
        if returns_number:
            _return_numbers(code)
        shorter = _without_dead(code)
        if len(shorter) == len(code):
            return shorter
        code = shorter


def _begin_lists(code: list[Instruction]) -> None:
    """A new list that is continued at once needs no instruction."""
    targets = {each.to for each in code}
    for i in range(len(code) - 1):
        one, two = code[i], code[i + 1]
        is_pair = (one.name, two.name) == ("LNEW", "ROWS_FIRST") and one.a == two.a
        if is_pair and i + 1 not in targets:
            code[i], two.c = Instruction("NOP"), 1


def _return_numbers(code: list[Instruction]) -> None:
    """A constant that is returned at once needs no register."""
    for i in range(len(code) - 1):
        one, two = code[i], code[i + 1]
        if one.name == "LDI" and two.name == "RET" and one.a == two.a:
            code[i] = Instruction("RETI", k=one.k)


def _thread(code: list[Instruction]) -> None:
    targets = {each.to for each in code}
    for i, each in enumerate(code):
        seen = 0
        while each.to >= 0 and seen < len(code):
            target = code[each.to]
            onward = target.to if target.name == "JMP" else _known(code, i, targets)
            if onward < 0:
                break
            each.to = onward
            targets.add(onward)
            seen += 1
    for i, each in enumerate(code):
        if each.name == "JMP" and code[each.to].name in ("RET", "RETI"):
            code[i] = code[each.to].copy()


def _known(code: list[Instruction], i: int, targets: set[int]) -> int:
    """Where a jump leads if its target reads the same again and tests it in the same way, or -1."""
    jump, to = code[i], code[i].to
    tests = {jump.name, _TURNED.get(jump.name, jump.name)}
    if len(tests) < 2 and jump.name != "JNSYMBOL":
        return -1
    written: set[int] = set()
    read: set[int] = set()
    for length in range(min(_SAME, len(code) - to, i + 1)):
        again, first = code[to + length], code[i - length : i]
        if again.name in tests:
            is_known = (
                first == code[to : to + length]
                and not any(place in targets for place in range(i - length + 1, i + 1))
                and (again.a, again.b, again.c, again.k) == (jump.a, jump.b, jump.c, jump.k)
                and not read & written
            )
            if not is_known:
                return -1
            return again.to if again.name == jump.name else to + length + 1
        if again.name not in _PURE:
            return -1
        if again.name in _OF_REGISTER and again.b not in written:
            read.add(again.b)
        written.add(again.a)
    return -1


def _turn(code: list[Instruction]) -> None:
    """A conditional jump over an unconditional one becomes the opposite jump."""
    targets = {each.to for each in code}
    for i in range(len(code) - 2):
        first, second = code[i], code[i + 1]
        if (
            first.name in _TURNED
            and first.to == i + 2
            and second.name == "JMP"
            and i + 1 not in targets
        ):
            first.name, first.to = _TURNED[first.name], second.to
            code[i + 1] = Instruction("NOP")


def _reached(code: list[Instruction]) -> set[int]:
    reached: set[int] = set()
    todo = [0]
    while todo:
        i = todo.pop()
        while i not in reached and i < len(code):
            reached.add(i)
            each = code[i]
            if each.to >= 0:
                todo.append(each.to)
            if each.name in ENDS:
                break
            i += 1
    return reached


def _without_dead(code: list[Instruction]) -> list[Instruction]:
    reached = _reached(code)
    kept: list[int] = []
    following = len(code)  # the next instruction that does something
    for i in range(len(code) - 1, -1, -1):
        each = code[i]
        if i in reached and each.name != "NOP":
            if each.name != "JMP" or not i < each.to <= following:
                kept.append(i)
            following = i
    if len(kept) == len(code):
        return code
    kept.reverse()
    place: list[int] = []
    for at, i in enumerate((*kept, len(code))):
        place += [at] * (i + 1 - len(place))
    found = [code[i] for i in kept]
    for each in found:
        if each.to >= 0:
            each.to = place[each.to]
    return found
