"""The Python of an operation evaluates each of its arguments once."""

from __future__ import annotations

import pytest

from support.probe_game import program_with
from support.typed_programs import PRELUDE
from tilewright.play.compiling.python.writer import python_text, repeated


def written(text: str) -> str:
    """The Python of the rule under test with this text."""
    return python_text(program_with(PRELUDE + text).forms["r_probe__rule"])


@pytest.mark.parametrize(
    ("start", "test"),
    [
        ("s0", "{}.kind = city"),
        ("s0", "{}.sides is empty"),
        ("s0", "{}.corners is empty"),
        ("r0", "{}.sides is empty"),
    ],
)
def test_nested_code_does_not_double_at_each_level(start: str, test: str) -> None:
    text, lengths = start, []
    for _ in range(8):
        text = f"(if {test.format(text)} then {start} else {start})"
        lengths.append(len(written(f"let q = {text}")))
    assert lengths[-1] - lengths[-2] == lengths[-2] - lengths[-3]


def test_a_definition_in_an_argument_is_called_once() -> None:
    text = "set many.heading = (if may_lay(start.piece, origin) then s0 else s0).corners"
    assert written(text).count("may_lay(") == 1


def test_operands_that_a_form_has_several_times() -> None:
    assert repeated("f(m, A, B)") == ()
    assert repeated("A if B else A") == (0,)
    assert repeated("[*range(A, A + B)]") == (0,)
