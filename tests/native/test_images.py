"""Images that no compiler writes are refused with a reason, or do no harm: never a panic, and no
work without end.
"""

from __future__ import annotations

import random
from array import array
from functools import cache

import pytest

from support.played import program_of
from support.two_engines import needs_core
from tilewright.play.compiling.bytecode.image import Sections, image_of, signed
from tilewright.play.compiling.native import with_forms
from tilewright.play.fact_rows import row_bytes
from tilewright.play.native.engine import native_core

pytestmark = needs_core

GAME = "c2/farmers+c2/princess-and-dragon"


@pytest.fixture(scope="module")
def sections() -> Sections:
    """The image of a game."""
    core = native_core()
    assert core is not None
    program = with_forms(program_of(GAME))
    return image_of(program, core.instructions()).sections


def read(sections: Sections) -> object:
    """Load an image into the core."""
    core = native_core()
    assert core is not None
    return core.Game({name: row_bytes(array("q", row)) for name, row in sections.items()})


@cache
def word(name: str, a: int = 0, b: int = 0, c: int = 0, k: int = 0) -> int:
    """An instruction as a number."""
    core = native_core()
    assert core is not None
    number = [each for each, _ in core.instructions()].index(name)
    return signed(number | a << 8 | b << 16 | c << 24 | (k & 0xFFFFFFFF) << 32)


def code_of(sections: Sections, *words: int, types: tuple[int, ...] = (0, 0, 1, 2)) -> Sections:
    """The image with one more function, of these instructions and registers."""
    begin = len(sections["code"])
    found = {name: list(row) for name, row in sections.items()}
    found["code"] += words
    found["functions"] += [begin, begin + len(words), len(types), 0]
    found["register_types"] += types
    found["register_types_at"].append(len(found["register_types"]))
    found["returns_at"].append(len(found["returns"]))
    return found


END = ("RET", 0)


def test_the_image_of_a_compiler_is_read(sections: Sections) -> None:
    assert read(sections)
    assert read(code_of(sections, word("LDI", 0, k=5), word(*END)))


@pytest.mark.parametrize(
    ("name", "operands"),
    [
        ("LDI", (4,)),  # a register that is not there
        ("LDI", (2,)),  # a register of a list
        ("ADD", (0, 1, 2)),
        ("ADD", (0, 200, 1)),
        ("LLEN", (0, 1)),
        ("LAPP", (2, 0, 2)),  # elements of other parts
        ("LAPP", (3, 3, 2)),
        ("MOVL", (2, 3, 1)),
        ("MOVN", (0, 1, 2)),
        ("MOVN", (0, 0, 255)),
        ("B_TILES", (3, 0)),
        ("JMP", (0, 0, 0, 0)),  # into another function
        ("JMP", (0, 0, 0, -1)),
        ("JT", (0, 0, 0, 1 << 30)),
        ("FOREACH", (0, 2, 1, 1 << 24)),
        ("NEXT", (0, 2, 1, 2 << 24)),
        ("NEXTTO", (0, 2, 0, 0)),
        ("CALL", (0, 0, 0, 10_000)),
        ("CALL", (0, 0, 0, -5)),
        ("LDC", (0, 0, 0, 100_000)),
        ("LCONST", (2, 0, 0, 100_000)),
        ("LOOKUP", (0, 1, 0, -1)),
        ("LGET", (0, 2, 1, 0)),
        ("LGET", (0, 2, 1, 3)),
        ("PICKL", (2, 2, 0, 9)),
        ("STOWL", (2, 0, 3, 1)),
        ("ASK", (0, 1, 2, 3 << 24)),
        ("OFFERADD", (0, 9)),
        ("CHOSEN", (0, 0, 9)),
        ("FSAVEL", (2, 0, 2)),
        ("FLOADL", (3, 0, 1)),
        ("MLDN", (0, 0, 100)),
        ("PLACES", (2, 0)),
        ("LAY", (2, 0, 3)),
    ],
)
def test_an_unsound_instruction_is_refused_by_name(
    name: str, operands: tuple[int, ...], sections: Sections
) -> None:
    wrong = code_of(sections, word(name, *operands), word(*END))
    with pytest.raises(ValueError, match=rf"\({name}\) of function \d+: \w+"):
        read(wrong)


def test_a_function_that_does_not_end_is_refused(sections: Sections) -> None:
    with pytest.raises(ValueError, match=r"function \d+ does not end"):
        read(code_of(sections, word("NOP")))


def test_an_unknown_instruction_is_refused(sections: Sections) -> None:
    with pytest.raises(ValueError, match="no instruction 255"):
        read(code_of(sections, 255, word(*END)))


def test_a_missing_section_is_named(sections: Sections) -> None:
    for name in sections:
        with pytest.raises(ValueError, match=rf"`?{name}|different|too short|outside|not"):
            read({other: row for other, row in sections.items() if other != name})


def test_truncated_sections_are_refused_or_do_no_harm(sections: Sections) -> None:
    refused = 0
    for name, row in sections.items():
        for many in {0, 1, len(row) // 2, max(0, len(row) - 1)} - {len(row)}:
            try:
                read({**sections, name: row[:many]})
            except ValueError as error:
                assert str(error)
                refused += 1
    assert refused > 2 * len(sections)


def test_bytes_that_are_no_numbers_are_refused(sections: Sections) -> None:
    core = native_core()
    assert core is not None
    image = {name: row_bytes(array("q", row)) for name, row in sections.items()}
    with pytest.raises(ValueError, match="64-bit numbers"):
        core.Game({**image, "code": image["code"][:-3]})


LOOPS = {
    "a jump": [("JMP", 0, 0, 0, 0)],
    "a long way to a jump": [*[("LDI", 0, 0, 0, 1)] * 20_000, ("JMP", 0, 0, 0, 0)],
    "features": [("B_ROOTS", 2, 0, 0, 0), ("JMP", 0, 0, 0, 0)],
    "a search in long lists": [
        ("LDI", 0, 0, 0, 1),
        ("LDI", 1, 0, 0, 1 << 20),
        ("RANGE", 2, 0, 1, 0),
        ("LDI", 0, 0, 0, -1),
        ("JNIN", 0, 2, 0, 4),
        ("JMP", 0, 0, 0, 4),
    ],
    "lists": [
        ("LDI", 0, 0, 0, 1),
        ("LDI", 1, 0, 0, 1 << 20),
        ("RANGE", 2, 0, 1, 0),
        ("JMP", 0, 0, 0, 2),
    ],
}


@pytest.mark.parametrize("instructions", LOOPS.values(), ids=LOOPS)
def test_a_loop_that_nobody_counts_fails_the_match(
    instructions: list[tuple[str, int, int, int, int]], sections: Sections
) -> None:
    """The setup, whose work no instruction meters, would go on for minutes or for ever."""
    begin = len(sections["code"])
    words = [
        word(name, a, b, c, begin + k if name.startswith("J") else k)
        for name, a, b, c, k in instructions
    ]
    forged = code_of(sections, *words)
    forged["units"] = [len(sections["functions"]) // 4, *sections["units"][1:]]
    core = native_core()
    assert core is not None
    match = core.Match(read(forged), 2)
    assert not match.start(1)
    assert match.failed


def test_damaged_images_are_refused_or_play_without_a_panic(sections: Sections) -> None:
    """A panic of the core is a PanicException, which is not an Exception and ends the test."""
    core = native_core()
    assert core is not None
    lot, names, refused = random.Random(1), sorted(sections), 0
    for _ in range(400):
        name = lot.choice(names)
        row = list(sections[name]) or [0]
        row[lot.randrange(len(row))] = lot.choice(
            (-1, 0, 1, 255, 10**6, 1 << 40, lot.getrandbits(62))
        )
        try:
            match = core.Match(read({**sections, name: row}), 2)
        except ValueError as error:
            assert str(error)
            refused += 1
            continue
        match.start(1)
        for _ in range(60):
            if match.to_move < 0 or not match.choose(lot.randrange(match.count)):
                break
    assert refused > 100
