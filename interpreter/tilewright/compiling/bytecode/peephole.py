"""Shortens the code of a function: two instructions that become one, jumps to jumps, dead code."""

from __future__ import annotations

from tilewright.compiling.bytecode.assembler import ENDS, Instruction

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
    "JLEI": "JGTI",
    "JGTI": "JLEI",
    **{f"J{name}": f"JN{name}" for name in ("TEST", "FIGS", "KIND", "ROLE", "TRAIT", "IN")},
    **{f"JN{name}": f"J{name}" for name in ("TEST", "FIGS", "KIND", "ROLE", "TRAIT", "IN")},
}
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
        case "KEEP_TRAIT" if one.name == "LDI" and two.c == one.a:
            return Instruction("KEEP_TRAITI", two.a, two.b, k=one.k)
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


def shortened(code: list[Instruction], labels: list[int]) -> list[Instruction]:
    """The same code with fewer instructions; `to` becomes an index into the result."""
    for each in code:
        if each.to >= 0:
            each.to = labels[each.to]
    while True:
        _thread(code)
        _turn(code)
        shorter = _without_dead(code)
        if len(shorter) == len(code):
            return shorter
        code = shorter


def _thread(code: list[Instruction]) -> None:
    for each in code:
        seen = 0
        while each.to >= 0 and code[each.to].name == "JMP" and seen < len(code):
            each.to = code[each.to].to
            seen += 1
    for i, each in enumerate(code):
        if each.name == "JMP" and code[each.to].name == "RET":
            onward = code[each.to]
            code[i] = Instruction("RET", onward.a, onward.b, onward.c, onward.k)


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
    for i, each in enumerate(code):
        if i in reached and each.name != "NOP" and not _goes_to_next(code, i, reached):
            kept.append(i)
    place: dict[int, int] = {}
    at = 0
    for i in range(len(code) + 1):
        place[i] = at
        if at < len(kept) and kept[at] == i:
            at += 1
    found = [code[i] for i in kept]
    for each in found:
        if each.to >= 0:
            each.to = place[each.to]
    return found


def _goes_to_next(code: list[Instruction], i: int, reached: set[int]) -> bool:
    if code[i].name != "JMP":
        return False
    between = range(i + 1, code[i].to)
    return code[i].to > i and not any(j in reached and code[j].name != "NOP" for j in between)
