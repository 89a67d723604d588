"""Leaves out instructions that find again what a register still holds.

An instruction is left out when, on every path to it, the same one ran before, and nothing since
then wrote the registers that it reads or the one that it wrote, or changed the facts of the match
that it reads. A result that is in another register is copied from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.play.compiling.bytecode.assembler import ENDS, Instruction
from tilewright.play.compiling.bytecode.passes.invariants import FACTS, FIXED, HARMLESS, JUMPS
from tilewright.play.library.sets import bits as bits_of

#: further instructions that depend on their operands and on what never changes in a match
_FIXED = (FIXED - {"NOP", "MOV"}) | frozenset(
    ("ADD", "SUB", "MUL", "AND", "ADDI", "MULI", "QUO", "REM", "MIN", "MAX", "BOUNDED", "LOOKUP",
     "PIECE_RESTRICTED", "NPLAYERS", "NEXTP", "LLEN")
)  # fmt: skip
#: the same with lists as results
_FIXED_LISTS = frozenset(("PIECE_KINDS", "PLAYERS", "PLAYERSFROM", "PRINT_SIDES"))
#: further instructions that read the match
_FACTS = FACTS | {"CELL_TILE", "TILE_SHAPE", "TURN", "SEG_TILE_SYMBOLS", "SEG_COMPLETE"}
#: the same with lists as results
_FACT_LISTS = frozenset(
    ("FIGS", "FIGS_PLAYER", "SEGS_TILE", "SEGS_TILE_OF", "CELL_AROUND", "CELL_NEIGHBOURS", "TILES",
     "B_FIGS", "B_FIGSP", "B_TILES", "FIGS_READY", "TILE_FIGS", "CELL_FIGS", "TILE_FEATURES")
)  # fmt: skip
_LISTS = _FIXED_LISTS | _FACT_LISTS
_ALL = _FIXED | _FACTS | _LISTS
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
         "OFFERLIST", "CHOSEN", "MLDL", "MLDN", "KEPT", "KEPT_IN", "SEGS_KIND", "SEGS_OF",
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
        if name not in _FIXED and name not in _FIXED_LISTS:
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
