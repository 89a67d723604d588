"""A loop skips the first instructions of its body if they find the same in every round."""

from __future__ import annotations

from tilewright.play.compiling.bytecode.instructions import Instruction
from tilewright.play.compiling.bytecode.passes.inlining import Inliner
from tilewright.play.compiling.bytecode.passes.repeats import skip_known

ROLES = {
    "LDI": "I--k", "MOV": "Ii--", "ADD": "Iii-", "ADDI": "Ii-k", "JT": "i--j", "JMP": "---j",
    "JNONE": "*a", "JEQ": "ii-j", "RETI": "*", "FOREACH": "*abc", "NEXT": "*abc", "HOME": "i---",
    "FIG_COMPANION": "Ii--", "FIG_KIND": "Ii--", "SEG_FEATURE": "Ii--", "CALL": "*ab",
    "TILE_CELL": "Ii--", "CELL_AROUND": "Si--", "JNIN": "is-j", "LAPP": "*ab",
}  # fmt: skip
#: the counter, the list and the element of the loop; a register from outside; others
CURSOR, LIST, EACH, OUTER, ONE, TWO = 0, 1, 2, 3, 4, 5


def first_of_rounds(*body: Instruction) -> int:
    """The place in a body where the later rounds begin."""
    end = len(body) + 1
    code = [
        Instruction("FOREACH", CURSOR, LIST, EACH, 1, to=end + 1),
        *body,
        Instruction("NEXT", CURSOR, LIST, EACH, 1, to=1),
        Instruction("RETI"),
    ]
    inliner = Inliner(ROLES, {})
    skip_known(code, inliner.read, inliner._changed)
    return code[end].to - 1


def test_facts_about_things_outside_are_found_once() -> None:
    known = [Instruction("FIG_COMPANION", ONE, OUTER), Instruction("FIG_KIND", TWO, ONE)]
    assert first_of_rounds(*known, Instruction("SEG_FEATURE", 6, EACH)) == 2


def test_facts_about_the_element_are_found_in_every_round() -> None:
    assert first_of_rounds(Instruction("SEG_FEATURE", ONE, EACH), Instruction("MOV", 6, ONE)) == 0


def test_what_a_loop_changes_is_found_in_every_round() -> None:
    changes = Instruction("ADDI", OUTER, OUTER, k=1)
    assert first_of_rounds(Instruction("FIG_COMPANION", ONE, OUTER), changes) == 0
    overwritten = Instruction("LDI", ONE, k=1)
    assert first_of_rounds(Instruction("FIG_COMPANION", ONE, OUTER), overwritten) == 0
    home = Instruction("HOME", EACH)
    assert first_of_rounds(Instruction("FIG_COMPANION", ONE, OUTER), home) == 0
    assert first_of_rounds(Instruction("FIG_KIND", ONE, OUTER), home) == 1


def test_a_number_that_counts_rounds_goes_on() -> None:
    counted = Instruction("ADDI", ONE, ONE, k=1)
    assert first_of_rounds(counted, Instruction("SEG_FEATURE", TWO, EACH)) == 0


def test_both_branches_of_a_condition_are_skipped_together() -> None:
    body = [
        Instruction("FIG_COMPANION", ONE, OUTER),
        Instruction("JNONE", ONE, to=5),
        Instruction("MOV", TWO, ONE),
        Instruction("JMP", to=6),
        Instruction("LDI", TWO, k=7),
        Instruction("SEG_FEATURE", 20, EACH),
        Instruction("JEQ", 20, TWO, to=9),
    ]
    assert first_of_rounds(*body) == 5


def test_a_condition_that_leaves_the_loop_is_tested_in_every_round() -> None:
    body = [
        Instruction("FIG_COMPANION", ONE, OUTER),
        Instruction("JNONE", ONE, to=4),
        Instruction("SEG_FEATURE", 20, EACH),
    ]
    assert first_of_rounds(*body) == 1


def test_a_part_that_a_jump_leads_into_is_not_skipped() -> None:
    body = [
        Instruction("FIG_KIND", ONE, OUTER),
        Instruction("FIG_KIND", TWO, OUTER),
        Instruction("SEG_FEATURE", 20, EACH),
        Instruction("JT", 20, to=2),
    ]
    assert first_of_rounds(*body) == 1


def test_a_list_that_depends_on_a_cell_alone_is_made_once() -> None:
    around = [Instruction("TILE_CELL", ONE, OUTER), Instruction("CELL_AROUND", TWO, ONE)]
    body = [Instruction("TILE_CELL", 6, EACH), Instruction("JNIN", 6, TWO, to=5)]
    assert first_of_rounds(*around, *body, Instruction("LAPP", 7, EACH, 1)) == 2
