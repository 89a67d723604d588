"""Shortens the code of a function: jumps to jumps, jumps to the next instruction, dead code."""

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
}


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
