"""An instruction that finds again what a register still holds is left out."""

from __future__ import annotations

from tilewright.play.compiling.bytecode.instructions import Instruction
from tilewright.play.compiling.bytecode.passes.inlining import Inliner
from tilewright.play.compiling.bytecode.passes.repeats import leave_out_repeats

ROLES = {
    "LDI": "I--k", "MOV": "Ii--", "MOVL": "*ab", "ADD": "Iii-", "ADDI": "Ii-k", "JT": "i--j",
    "JMP": "---j", "RET": "*a", "HOME": "i---", "FIG_OWNER": "Ii--", "FIG_SPOT": "Ii--",
    "MLD": "I--k", "MST": "i--k", "POINTS": "Ii--", "AWARD": "*ab", "TILES": "S---",
    "LLEN": "Il--", "LAPP": "*ab", "SETACTIVE": "i---", "ACTIVE": "I---", "ROWS_FIRST": "*ab",
    "FWAIT": "---k", "FLOAD": "I---", "NOP": "----",
}  # fmt: skip


def after(*code: Instruction) -> list[str]:
    """The instructions of a function in short, without the repeated ones."""
    inliner, found = Inliner(ROLES, {}), [each.copy() for each in code]
    leave_out_repeats(found, inliner.read, inliner._changed)
    return [f"{e.name} {e.a} {e.b}" if e.name != "NOP" else "NOP" for e in found]


def last_after(*code: Instruction) -> str:
    """The last instruction, in short, without repeats."""
    return after(*code)[-1]


OWNER, SPOT = Instruction("FIG_OWNER", 1, 0), Instruction("FIG_SPOT", 1, 0)
OWNER_ELSEWHERE, SPOT_ELSEWHERE = Instruction("FIG_OWNER", 2, 0), Instruction("FIG_SPOT", 2, 0)


def test_the_same_register_keeps_what_it_holds() -> None:
    assert after(OWNER, Instruction("LDI", 5, k=1), OWNER) == ["FIG_OWNER 1 0", "LDI 5 0", "NOP"]


def test_another_register_gets_a_copy() -> None:
    assert last_after(OWNER, OWNER_ELSEWHERE) == "MOV 2 1"


def test_a_number_that_is_as_short_as_a_copy_stays() -> None:
    assert last_after(Instruction("LDI", 1, k=3), Instruction("LDI", 2, k=3)) == "LDI 2 0"


def test_other_operands_are_other_results() -> None:
    assert last_after(OWNER, Instruction("FIG_OWNER", 2, 4)) == "FIG_OWNER 2 4"
    assert last_after(Instruction("MLD", 1, k=3), Instruction("MLD", 2, k=4)) == "MLD 2 0"


def test_a_register_that_changed_is_read_again() -> None:
    assert last_after(OWNER, Instruction("LDI", 0, k=3), OWNER_ELSEWHERE) == "FIG_OWNER 2 0"
    assert last_after(OWNER, Instruction("LDI", 1, k=3), OWNER_ELSEWHERE) == "FIG_OWNER 2 0"
    assert last_after(OWNER, Instruction("FLOAD", 0), OWNER_ELSEWHERE) == "FIG_OWNER 2 0"


def test_a_number_that_counts_is_counted_again() -> None:
    count = Instruction("ADDI", 1, 1, k=1)
    assert after(count, count) == ["ADDI 1 1", "ADDI 1 1"]


def test_facts_of_the_match_are_found_again_after_it_changed() -> None:
    home = Instruction("HOME", 3)
    assert last_after(SPOT, home, SPOT_ELSEWHERE) == "FIG_SPOT 2 0"
    assert last_after(OWNER, home, OWNER_ELSEWHERE) == "MOV 2 1"


def test_an_instruction_that_changes_one_kind_of_fact_leaves_the_others() -> None:
    load, points = Instruction("MLD", 2, k=3), Instruction("POINTS", 2, 0)
    assert last_after(load, Instruction("MST", 0, k=3), load) == "MLD 2 0"
    assert last_after(load, Instruction("MST", 0, k=4), load) == "NOP"
    assert last_after(points, Instruction("AWARD", 4, 5), points) == "POINTS 2 0"
    assert last_after(load, Instruction("AWARD", 4, 5), load) == "NOP"
    active = Instruction("ACTIVE", 2)
    assert last_after(active, Instruction("SETACTIVE", 4), active) == "ACTIVE 2 0"


def test_a_list_is_made_again_after_any_list_grew() -> None:
    """Two registers may hold one list."""
    tiles, length = Instruction("TILES", 1), Instruction("LLEN", 2, 1)
    assert last_after(tiles, tiles) == "NOP"
    assert last_after(tiles, length, Instruction("LDI", 5), length) == "NOP"
    for grows in (Instruction("LAPP", 7, 5, 1), Instruction("ROWS_FIRST", 7, 5)):
        assert last_after(tiles, grows, tiles) == "TILES 1 0"
        assert last_after(tiles, length, grows, length) == "LLEN 2 1"


def test_a_list_is_never_shared() -> None:
    """A member that is added to one of them would be in the other."""
    assert last_after(Instruction("TILES", 1), Instruction("TILES", 2)) == "TILES 2 0"


def test_it_must_have_run_on_every_way() -> None:
    either = [
        Instruction("JT", 4, to=3),
        OWNER,
        Instruction("JMP", to=4),
        Instruction("LDI", 5, k=1),
    ]
    assert last_after(*either, OWNER) == "FIG_OWNER 1 0"
    both = [*either[:3], OWNER]
    assert last_after(*both, OWNER) == "NOP"


def test_a_loop_finds_again_what_its_last_round_changed() -> None:
    code = [
        SPOT,
        SPOT,  # the first of a round
        Instruction("HOME", 3),
        Instruction("JT", 4, to=1),
        Instruction("RET", 1),
    ]
    assert after(*code)[1] == "FIG_SPOT 1 0"
    del code[2]
    code[2].to = 1
    assert after(*code)[1] == "NOP"
