"""Short functions are written into their callers, and do the same there."""

from __future__ import annotations

from tilewright.play.compiling.bytecode.instructions import Instruction
from tilewright.play.compiling.bytecode.passes.inlining import Routine, inlined

ROLES = {
    "LDI": "I--k", "MOV": "Ii--", "ADD": "Iii-", "ADDI": "Ii-k", "LAPP": "*ab", "LNEW": "L---",
    "JF": "i--j", "JT": "i--j", "JMP": "---j", "CALL": "*ab", "RET": "*a", "RETI": "*",
    "TURN": "I---", "MST": "i--k", "FBLOCK": "I---", "JEQI": "in-j",
}  # fmt: skip


def call(callee: str, a: int, b: int = 0) -> Instruction:
    """A call of a function."""
    return Instruction("CALL", a, b, callee=callee)


def routine(
    code: list[Instruction], words: int, parameters: int = 0, returns: tuple[int, ...] = (0,)
) -> Routine:
    """A function whose registers are integers."""
    return Routine(code, [0] * words, parameters, returns)


def main_after(routines: dict[str, Routine], main: list[Instruction], words: int) -> Routine:
    """The function `main` after inlining, and that nothing else is left."""
    found = inlined(ROLES, {**routines, "main": routine(main, words)}, ["main"])
    assert list(found) == ["main"]
    return found["main"]


def listing(made: Routine) -> list[str]:
    """The instructions of a function in short."""
    return [f"{e.name} {e.a} {e.b} {e.c} {e.to if e.to >= 0 else e.k}" for e in made.code]


def test_a_parameter_that_is_only_read_stays_where_the_caller_put_it() -> None:
    plus = routine([Instruction("ADDI", 1, 0, k=5), Instruction("RET", 1)], 2, 1)
    made = main_after(
        {"plus": plus},
        [Instruction("TURN", 2), call("plus", 0, 2), Instruction("RET", 0)],
        3,
    )
    assert listing(made) == ["TURN 2 0 0 0", "ADDI 3 2 0 5", "MOV 0 3 0 0", "RET 0 0 0 0"]
    assert made.words == [0] * 4


def test_a_parameter_that_changes_is_copied() -> None:
    twice = routine(
        [Instruction("ADDI", 0, 0, k=1), Instruction("ADD", 1, 0, 0), Instruction("RET", 1)], 2, 1
    )
    made = main_after(
        {"twice": twice},
        [
            Instruction("TURN", 1),
            call("twice", 0, 1),
            Instruction("ADD", 0, 0, 1),
            Instruction("RET", 0),
        ],
        2,
    )
    # register 1 of the caller keeps the turn
    assert listing(made) == [
        "TURN 1 0 0 0", "ADDI 2 1 0 1", "ADD 3 2 2 0", "ADD 0 3 1 0", "RET 0 0 0 0"
    ]  # fmt: skip


def test_a_constant_result_that_is_tested_becomes_a_jump() -> None:
    asks = routine(
        [
            Instruction("TURN", 0),
            Instruction("JF", 0, to=3),
            Instruction("RETI", k=1),
            Instruction("RETI", k=0),
        ],
        1,
    )
    made = main_after(
        {"asks": asks},
        [
            call("asks", 0),
            Instruction("JF", 0, to=3),
            Instruction("RETI", k=7),
            Instruction("RETI", k=8),
        ],
        1,
    )
    assert listing(made) == ["TURN 1 0 0 0", "JF 1 0 0 3", "RETI 0 0 0 7", "RETI 0 0 0 8"]


def test_a_function_that_calls_itself_by_way_of_another_stays_a_function() -> None:
    one = routine([call("two", 0), Instruction("RET", 0)], 1)
    two = routine([call("one", 0), Instruction("RET", 0)], 1)
    found = inlined(ROLES, {"one": one, "two": two}, ["one"])
    assert any(each.callee for routine in found.values() for each in routine.code)


def test_a_function_with_blocks_stays_a_function() -> None:
    blocks = routine([Instruction("FBLOCK", 0), Instruction("RETI")], 1)
    found = inlined(
        ROLES,
        {"blocks": blocks, "main": routine([call("blocks", 0), Instruction("RET", 0)], 1)},
        ["main"],
    )
    assert set(found) == {"blocks", "main"}


def test_a_caller_without_free_registers_calls() -> None:
    plus = routine([Instruction("ADDI", 1, 0, k=5), Instruction("RET", 1)], 2, 1)
    main = [Instruction("TURN", 255), call("plus", 0, 255), Instruction("RET", 0)]
    found = inlined(ROLES, {"plus": plus, "main": routine(main, 256)}, ["main"])
    assert set(found) == {"plus", "main"}


def test_calls_after_each_other_share_registers() -> None:
    next_ = routine([Instruction("ADDI", 1, 0, k=1), Instruction("RET", 1)], 2, 1)
    made = main_after(
        {"next": next_},
        [Instruction("TURN", 0), call("next", 1, 0), call("next", 2, 1), Instruction("RET", 2)],
        3,
    )
    assert len(made.words) == 4
