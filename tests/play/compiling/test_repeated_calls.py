"""Calls of a definition that an expression repeats are evaluated once."""

from __future__ import annotations

from typing import Any

import pytest

from support.forms import form_of
from tilewright.language.source.text import NOWHERE
from tilewright.play.compiling import form as f
from tilewright.play.compiling.passes.repeated_calls import with_names_of_calls
from tilewright.play.compiling.python.writer import python_text

ASKED = {"ask_near", "ask_is_open"}


def returning(text: str, *names: str) -> f.Function:
    """A function that returns what a text describes."""
    return f.Function("f", names, [f.Return(form_of(text))], span=NOWHERE)


def ran(text: str, **names: Any) -> tuple[Any, list[str]]:
    """The value of an expression after the pass, and the calls that it made.

    `ask_near` gives the numbers below its argument; `ask_is_open` whether its argument is even.
    """
    function = with_names_of_calls(returning(text, *names), ASKED)
    made: list[str] = []

    def near(m: None, n: int) -> list[int]:
        made.append(f"near {n}")
        return list(range(n))

    def is_open(m: None, n: int) -> bool:
        made.append(f"open {n}")
        return n % 2 == 0

    scope: dict[str, Any] = {"ask_near": near, "ask_is_open": is_open}
    exec(python_text(function), scope)
    return scope["f"](None, **names), made


@pytest.mark.parametrize(
    ("text", "value", "calls"),
    [
        ("len(ask_near(m, x)) < 9 and all(n < 9 for n in ask_near(m, x))", True, ["near 3"]),
        ("len(ask_near(m, x)) + len(ask_near(m, x))", 6, ["near 3"]),
        ("len(ask_near(m, x)) if ask_near(m, x) else 0", 3, ["near 3"]),
        # parts before the first call decide alone
        ("x == 0 and ask_near(m, x) and ask_near(m, x) == []", False, []),
        ("x == 3 and len(ask_near(m, x)) == 3 and 2 in ask_near(m, x)", True, ["near 3"]),
        # a call within a repeated call
        (
            "ask_is_open(m, len(ask_near(m, x))) or not ask_is_open(m, len(ask_near(m, x)))",
            True,
            ["near 3", "open 3"],
        ),
        # in each round of a loop
        (
            "[n for n in (1, 2) if ask_is_open(m, n) or ask_near(m, n) or ask_is_open(m, n)]",
            [1, 2],
            ["open 1", "near 1", "open 2"],
        ),
    ],
)
def test_repeated_calls_are_made_once(text: str, value: object, calls: list[str]) -> None:
    assert ran(text, x=3) == (value, calls)


@pytest.mark.parametrize(
    ("text", "value", "calls"),
    [
        # neither of both is evaluated in any case
        ("(x > 5 and ask_is_open(m, x)) or x > 4 or ask_is_open(m, x)", False, ["open 3"]),
        ("0 if x == 3 else len(ask_near(m, x)) + len(ask_near(m, x))", 0, []),
        # different arguments, and the same name for two things
        ("len(ask_near(m, x)) + len(ask_near(m, x + 1))", 7, ["near 3", "near 4"]),
        (
            "sum(len(ask_near(m, x)) for x in (1, 2)) + len(ask_near(m, x))",
            6,
            ["near 1", "near 2", "near 3"],
        ),
    ],
)
def test_other_calls_stay(text: str, value: object, calls: list[str]) -> None:
    assert ran(text, x=3) == (value, calls)


def test_other_functions_are_called_again() -> None:
    function = returning("ask_far(m, x) + ask_far(m, x)", "x")
    assert python_text(with_names_of_calls(function, ASKED)) == python_text(function)
