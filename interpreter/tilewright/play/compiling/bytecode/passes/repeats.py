"""Leaves out instructions that find again what a register still holds.

An instruction is left out when, on every path to it, the same one ran before, and nothing since
then wrote the registers that it reads or the one that it wrote, or changed the facts of the match
that it reads. A result that is in another register is copied from there.

The end of a loop jumps behind the first instructions of its body that give the same in every
round: often facts about things outside of the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.play.compiling.bytecode.instructions import ENDS, Instruction
from tilewright.play.library.sets import bits as bits_of

#: jumps that read numbers alone
JUMPS = frozenset(
    ("JMP", "JT", "JF", "JEQ", "JNE", "JLT", "JLE", "JEQI", "JNEI", "JLTI", "JGEI", "JTEST",
     "JNTEST", "JNONE", "JSOME")
)  # fmt: skip
#: these depend on their operands and on what never changes in a match
FIXED = frozenset(
    ("NOP", "LDI", "LDC", "MOV", "EQI", "NEI", "LTI", "GEI", "EQP", "ISMISS", "ANDI", "SHRI",
     "FIG_KIND", "FIG_OWNER", "FIG_TRAIT", "ROLE", "KIND_ROLE", "PIECE_SYMBOLS", "PRINT_KIND",
     "CELL_AROUND", "PIECE_KINDS", "PLAYERS")
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


#: further instructions that depend on their operands and on what never changes in a match
_FIXED_NUMBERS = (FIXED - {"NOP", "MOV"}) | frozenset(
    ("ADD", "SUB", "MUL", "AND", "ADDI", "MULI", "QUO", "REM", "MIN", "MAX", "BOUNDED", "LOOKUP",
     "PIECE_RESTRICTED", "NPLAYERS", "NEXTP", "LLEN")
)  # fmt: skip
#: the same with lists as results
_FIXED_LISTS = frozenset(("PIECE_KINDS", "PLAYERS", "PLAYERSFROM", "PRINT_SIDES"))
#: further instructions that read the match
_FACT_NUMBERS = FACTS | {"CELL_TILE", "TILE_SHAPE", "TURN", "SEG_TILE_SYMBOLS", "SEG_COMPLETE"}
#: the same with lists as results
_FACT_LISTS = frozenset(
    ("FIGS", "FIGS_PLAYER", "SEGS_TILE", "SEGS_TILE_OF", "CELL_AROUND", "CELL_NEIGHBOURS", "TILES",
     "B_FIGS", "B_FIGSP", "B_TILES", "FIGS_READY", "TILE_FIGS", "CELL_FIGS", "TILE_FEATURES")
)  # fmt: skip
_LISTS = _FIXED_LISTS | _FACT_LISTS
_ALL = _FIXED_NUMBERS | _FACT_NUMBERS | _LISTS
#: these change nothing that `_ALL` read of the match; `MSTL`, `MSTN` and `KEEP` change memory that
#: no instruction of `_ALL` reads
_KEEPING = (
    JUMPS
    | HARMLESS
    | _ALL
    | frozenset(
        ("NOP", "MOV", "MOVL", "MOVN", "LNONE", "LGET", "LLAST", "LFIRST", "LCONST", "LIN", "LEQ",
         "LDIST", "LCAT", "LTAKE", "CYCLE", "MOST", "SORTU", "SADD", "SDEL", "SFIRSTN",
         "SAND", "RANGE", "PICKL", "STOWL", "ROUNDS", "FORTO", "NEXTTO", "FBLOCK", "FREAD",
         "FLOAD", "FLOADL", "FSAVE", "FSAVEL", "FWAIT", "MAYPASS", "SETPIECE", "OFFER",
         "OFFERLIST", "CHOSEN", "MLDL", "MLDN", "KEPT", "KEPT_IN", "SEGS_KIND", "PASSING",
         "SEGS_OFF", "SEGS_WITHOUT", "SEGS_ROLE", "SEG_LIST", "KEEP_PLAYER", "KEEP_KIND",
         "KEEP_TRAIT", "KEEP_FIGS", "PRINTS", "STEPS", "METERN", "NOTE", "NOTED", "MEASURE",
         "MSTL", "MSTN", "KEEP")
    )
)  # fmt: skip
#: these change one kind of fact: the instruction that reads it, and whether `k` must be the same
_CHANGING = {
    "MST": ("MLD", True),
    "MSTI": ("MLD", True),
    "SETACTIVE": ("ACTIVE", False),
    "AWARD": ("POINTS", False),
}
#: a copy takes as long as these
_CHEAP = frozenset(("LDI", "LDC"))

_Key = tuple[str, int, int, int, tuple[int, ...] | None]


def leave_out_repeats(
    code: list[Instruction],
    read: Callable[[Instruction], int],
    changed: Callable[[Instruction], int],
) -> bool:
    """Replace what a register holds already by nothing or by a copy; true when something was.

    `read` and `changed` give masks of registers, some of them too many.
    """
    bits = _bits(code, read)
    if not bits:
        return False
    known = _known_before(code, _effects(code, bits, read, changed), (1 << len(bits)) - 1)
    holders: dict[_Key, list[tuple[int, int]]] = {}
    for (at, key), bit in bits.items():
        holders.setdefault(key, []).append((at, bit))
    found = False
    for i, each in enumerate(code):
        if each.name not in _ALL:
            continue
        before = known[i]
        key = _key(each)
        where = [at for at, bit in holders.get(key, ()) if before >> bit & 1]
        if each.a in where:
            code[i] = Instruction("NOP")
        elif where and each.name not in _CHEAP and each.name not in _LISTS:
            code[i] = Instruction("MOV", each.a, where[0])
        else:
            continue
        found = True
    return found


def _key(each: Instruction) -> _Key:
    return each.name, each.b, each.c, each.k, each.values


def _bits(
    code: Sequence[Instruction], read: Callable[[Instruction], int]
) -> dict[tuple[int, _Key], int]:
    """A number for each register and what it may hold, of what is found more than once."""
    times: dict[_Key, int] = {}
    for each in code:
        if each.name in _ALL:
            times[_key(each)] = times.get(_key(each), 0) + 1
    bits: dict[tuple[int, _Key], int] = {}
    for each in code:
        if each.name in _ALL and times[_key(each)] > 1 and not read(each) >> each.a & 1:
            bits.setdefault((each.a, _key(each)), len(bits))
    return bits


def _effects(
    code: Sequence[Instruction],
    bits: dict[tuple[int, _Key], int],
    read: Callable[[Instruction], int],
    changed: Callable[[Instruction], int],
) -> list[tuple[int, int]]:
    """By instruction: the mask of what it leaves known, and of what it makes known."""
    uses: dict[int, int] = {}  # by register: what depends on it
    lists = facts = 0
    kinds: dict[str, int] = {}
    slots: dict[tuple[str, int], int] = {}
    operands: dict[_Key, int] = {}
    for each in code:
        if each.name in _ALL:
            operands.setdefault(_key(each), read(each))
    for (at, key), bit in bits.items():
        mask, name = 1 << bit, key[0]
        for register in bits_of(operands[key] | 1 << at):
            uses[register] = uses.get(register, 0) | mask
        if name in _LISTS or name == "LLEN":
            lists |= mask
        if name not in _FIXED_NUMBERS and name not in _FIXED_LISTS:
            facts |= mask
        kinds[name] = kinds.get(name, 0) | mask
        slots[name, key[3]] = slots.get((name, key[3]), 0) | mask
    found: list[tuple[int, int]] = []
    for each in code:
        lost = made = 0
        for register in bits_of(changed(each)):
            lost |= uses.get(register, 0)
        if each.name in _CHANGING:
            name, is_slot = _CHANGING[each.name]
            lost |= slots.get((name, each.k), 0) if is_slot else kinds.get(name, 0)
        elif each.name not in _KEEPING:
            lost |= facts | lists
        if each.name == "LAPP":  # another register may hold the same list
            lost |= lists
        if each.name in _ALL:
            bit = bits.get((each.a, _key(each)), -1)
            made = 1 << bit if bit >= 0 else 0
        found.append((~lost, made))
    return found


def _known_before(
    code: Sequence[Instruction], effects: Sequence[tuple[int, int]], everything: int
) -> list[int]:
    """By instruction: what is known before it on every way that leads there."""
    known = [everything] * (len(code) + 1)
    known[0] = 0
    is_new = True
    while is_new:
        is_new = False
        for i, each in enumerate(code):
            left, made = effects[i]
            after = known[i] & left | made
            if each.name not in ENDS and known[i + 1] & ~after:
                known[i + 1] &= after
                is_new = True
            if each.to >= 0 and known[each.to] & ~after:
                known[each.to] &= after
                is_new |= each.to <= i
    return known
