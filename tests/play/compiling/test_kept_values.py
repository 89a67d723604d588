"""Tests that are false for the start value of a memory, which native loops skip."""

from __future__ import annotations

import pytest

from support.forms import form_of
from tilewright.play.compiling.bytecode.translation.loops import fails_at_start

#: memory 0 begins with 0, memory 1 with no feature, memory 2 with false, memory 3 is not of things
STARTS = (0, None, False, None)


def slot(test: str) -> int | None:
    return fails_at_start(form_of(test), "x", STARTS)


@pytest.mark.parametrize(
    ("test", "number"),
    [
        ("kept(m, x, 0, 0) > 0", 0),
        ("kept(m, x, 0, 0) != 0", 0),
        ("1 <= kept(m, x, 0, 0)", 0),
        ("kept(m, x, 0, 0)", 0),
        ("not kept(m, x, 0, 1) is None", 1),
        ("not current_root(m, kept(m, x, 0, 1)) is None", 1),
        ("kept(m, x, 0, 2)", 2),
    ],
)
def test_a_test_that_is_false_at_the_start_names_its_memory(test: str, number: int) -> None:
    assert slot(test) == number


@pytest.mark.parametrize(
    "test",
    [
        "kept(m, x, 0, 0) >= 0",
        "kept(m, x, 0, 0) < 3",
        "not kept(m, x, 0, 2)",
        "kept(m, x, 0, 1) is None",
        "current_root(m, kept(m, x, 0, 1)) is None",
    ],
)
def test_a_test_that_is_true_at_the_start_names_none(test: str) -> None:
    assert slot(test) is None


@pytest.mark.parametrize(
    "test",
    [
        "kept(m, y, 0, 0) > 0",  # of another thing
        "kept(m, x, 1, 0) > 0",  # of features, whose values join
        "kept(m, x, 0, 0) > limit",
        "kept(m, x, 0, 0) > kept(m, x, 0, 2)",
        "kept(m, x, 0, 1) > 0",  # a fault in Python stays one
        "kept(m, x, 0, 0) + 1 > 2",
        "kept(m, x, 0, 0) > 0 or other",
        "True",
    ],
)
def test_a_test_that_reads_something_else_names_none(test: str) -> None:
    assert slot(test) is None
