"""Lets loops skip what gives the same in every round: the first instructions of their bodies.

A body often begins with facts about things outside of the loop. They are found in the first
round, and their registers keep them if nothing else writes there and the loop changes nothing
that they read.
"""

from __future__ import annotations

from collections.abc import Callable

from tilewright.play.compiling.bytecode.assembler import Instruction

#: jumps that read numbers alone
JUMPS = frozenset(
    ("JMP", "JT", "JF", "JEQ", "JNE", "JLT", "JLE", "JEQI", "JNEI", "JLTI", "JGEI", "JTEST",
     "JNTEST", "JNONE", "JSOME")
)  # fmt: skip
#: these depend on their operands and on what never changes in a match
FIXED = frozenset(
    ("NOP", "LDI", "LDC", "MOV", "EQI", "NEI", "LTI", "GEI", "EQP", "ISMISS", "ANDI", "SHRI",
     "FIG_KIND", "FIG_OWNER", "FIG_TRAIT", "ROLE", "KIND_ROLE", "PIECE_SYMBOLS", "PRINT_KIND",
     "CELL_AROUND", "PIECE_KINDS")
)  # fmt: skip
#: these read the match as well
FACTS = frozenset(
    ("ACTIVE", "MLD", "STACK_SIZE", "FIG_SPOT", "FIG_COMPANION", "OF_FIGURE", "FIG_AT",
     "SEG_FEATURE", "SEG_KIND", "TILE_PIECE", "TILE_SYMBOLS", "TILE_CELL", "B_KIND", "B_SIZE",
     "B_HASFIGS", "B_COMPLETE", "B_OPEN", "B_FILLED", "POINTS", "PASSED", "HASLEFT")
)  # fmt: skip
#: these leave all that `FACTS` read as it is
HARMLESS = frozenset(
    ("ADD", "SUB", "MUL", "AND", "ADDI", "MULI", "QUO", "REM", "MIN", "MAX", "METER", "LAPP",
     "LNEW", "LLEN", "FOREACH", "NEXT", "JFIGS", "JNFIGS", "JKIND", "JNKIND", "JROLE", "JNROLE",
     "JTRAIT", "JNTRAIT", "JIN", "JNIN", "JCOMPANION", "JNCOMPANION", "JNSYMBOL", "JEMPTY",
     "JFULL", "OFFERADD")
)  # fmt: skip


def skip_known(
    code: list[Instruction],
    read: Callable[[Instruction], int],
    changed: Callable[[Instruction], int],
) -> bool:
    """Let the end of each loop jump behind the instructions that would find the same again.

    `read` and `changed` give masks of registers, some of them too many. True when a jump changed.
    """
    found = False
    for end, last in enumerate(code):
        if last.name != "NEXT":
            continue
        begin = last.to
        if begin > end or _is_entered(code, begin, end):
            continue
        onward = _behind_known(code, begin, end, read, changed)
        found |= onward > begin
        last.to = onward
    return found


def _is_entered(code: list[Instruction], begin: int, end: int) -> bool:
    """Whether a jump from outside leads into a body, or the body is not behind its beginning."""
    first = code[begin - 1]
    if first.name != "FOREACH" or first.a != code[end].a:
        return True
    return any(begin <= each.to <= end and not begin - 1 <= i <= end for i, each in enumerate(code))


def _behind_known(
    code: list[Instruction],
    begin: int,
    end: int,
    read: Callable[[Instruction], int],
    changed: Callable[[Instruction], int],
) -> int:
    """The place behind the longest first part of a body that finds the same in every round."""
    names = {each.name for each in code[begin:end]}
    known = JUMPS | FIXED
    if names <= known | FACTS | HARMLESS:
        known |= FACTS
    best = begin
    for place in range(begin + 1, end):
        each = code[place - 1]
        if each.name not in known:
            break
        if each.to >= 0 and not place <= each.to < end:
            break
        if _is_closed(code, begin, place, end) and _is_kept(code, begin, place, end, read, changed):
            best = place
    return best


def _is_closed(code: list[Instruction], begin: int, place: int, end: int) -> bool:
    """Whether all ways through the first part of a body lead to its end, and none back into it."""
    if code[place - 1].name == "JMP" and code[place - 1].to != place:
        return False
    if any(each.to > place for each in code[begin:place]):
        return False
    return not any(begin < each.to < place for each in code[place : end + 1])


def _is_kept(
    code: list[Instruction],
    begin: int,
    place: int,
    end: int,
    read: Callable[[Instruction], int],
    changed: Callable[[Instruction], int],
) -> bool:
    """Whether the rest of a loop writes no register that its first part uses."""
    used = written = 0
    for each in code[begin:place]:
        if read(each) & ~written & _written_in(code, begin, place, changed):
            return False
        used |= read(each)
        written |= changed(each)
    others = _element(code[end])
    for each in code[place:end]:
        others |= _element(each) if each.name in ("FOREACH", "NEXT") else changed(each)
    return not others & (used | written)


def _written_in(
    code: list[Instruction], begin: int, place: int, changed: Callable[[Instruction], int]
) -> int:
    found = 0
    for each in code[begin:place]:
        found |= changed(each)
    return found


def _element(each: Instruction) -> int:
    """The mask of the registers that a loop writes: its counter and the element."""
    return 1 << each.a | ((1 << each.k) - 1) << each.c
