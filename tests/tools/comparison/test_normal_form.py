"""Equivalent notations have one shape, other rules have others. As few steps as can be move."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import code_without_file
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.types import Type
from tilewright.language.typing.scope import Scope
from tilewright.language.typing.typecheck import ExpressionChecker
from tilewright.language.typing.typecheck_effects import EffectChecker
from tilewright.rules.linking.game import Game
from tilewright.tools.comparison.alignment import OWN, names_between, things_of
from tilewright.tools.comparison.components import in_line
from tilewright.tools.comparison.normal_form import body_shape, levels_of, painted, term_shape
from tilewright.tools.workspace.loading import load_game

LOCALS = {"x": "feature", "y": "feature", "f": "figure", "p": "player", "n": "number"}
SCOPE = Scope(tuple((name, Type(base)) for name, base in LOCALS.items()))
LEVELS = levels_of(list(LOCALS))


def game_of(text: str) -> Game:
    game = load_game(text)[0]
    assert game is not None
    return game


BASE = game_of("c2/base")


def expression(text: str) -> str:
    reporter = Reporter()
    node = parse_expression(code_without_file(text), reporter)
    assert node is not None, reporter.diagnostics
    term = ExpressionChecker(BASE.environment, reporter).expression(node, SCOPE)
    assert not reporter.has_errors, reporter.diagnostics
    return painted(term_shape(term, LEVELS), OWN.paint)


def effects(text: str) -> str:
    reporter = Reporter()
    nodes = parse_effects(code_without_file(text), reporter)
    assert nodes is not None, reporter.diagnostics
    effects = EffectChecker(ExpressionChecker(BASE.environment, reporter), False).body(nodes, SCOPE)
    assert not reporter.has_errors, reporter.diagnostics
    return painted(body_shape(effects, LEVELS), OWN.paint)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x is city and x is complete", "x is complete and x is city"),
        ("x is city or x is road or x is complete", "x is road or (x is complete or x is city)"),
        ("not (x is city and x is road)", "x is not city or x is not road"),
        ("not not (x is city)", "x is city"),
        ("n < 3", "3 > n"),
        ("n >= 3", "not (n < 3)"),
        ("not (n > 3)", "3 >= n"),
        ("n != 3", "not (3 = n)"),
        ("x is not y", "not (y is x)"),
        ("n + x.size - 1", "x.size - 1 + n"),
        ("n - (x.size - 1)", "n + 1 - x.size"),
        ("2 * n * x.size", "x.size * (n * 2)"),
        ("x in {x, y}", "x in {y, x}"),
        ("any z in features: z is city", "any w in features: w is city"),
        ("not (any z in features: z is city)", "all z in features: z is not city"),
        ("if x is complete then 2 else 1", "if x is not complete then 1 else 2"),
        ("if n < 2 then 2 else 1", "if n >= 2 then 1 else 2"),
        (
            "if x is city or x is road then 2 else 1",
            "if not (x is road or x is city) then 1 else 2",
        ),
    ],
)
def test_equivalent_expressions_have_one_shape(one: str, other: str) -> None:
    assert expression(one) == expression(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("n < 3", "n <= 3"),
        ("n - x.size", "x.size - n"),
        ("n - x.size", "n + x.size"),
        ("x is city and x is road", "x is city or x is road"),
        ("any z in features: z is city", "all z in features: z is city"),
        ("n div 2", "2 div n"),
        ("if x is complete then 2 else 1", "if x is complete then 1 else 2"),
        ("any z in features: x is z", "any z in features: y is z"),
        ("x.size * 2", "x.size + 2"),
        ("sum z in features: z.size", "count z in features: z is complete"),
    ],
)
def test_two_things_have_two_shapes(one: str, other: str) -> None:
    assert expression(one) != expression(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("for z in figures { return z }", "for w in figures { return w }"),
        ("if x is city { return f }", "if x is not city { } else { return f }"),
        ("let a = n + 1\nif a > 2 { return f }", "let b = 1 + n\nif 2 < b { return f }"),
    ],
)
def test_equivalent_effects_have_one_shape(one: str, other: str) -> None:
    assert effects(one) == effects(other)


def test_effects_in_another_order_have_another_shape() -> None:
    assert effects("award 1 to p\nreturn f") != effects("return f\naward 1 to p")


# ------------------------------------------------------------------ names


def test_two_editions_call_the_goods_by_other_names() -> None:
    older, newer = game_of("c2/traders-and-builders"), game_of("c3.1/traders-and-builders")
    names = names_between(things_of(older), things_of(newer))
    assert names.other == {("token", "chicken"): "wine", ("attribute", "chicken"): "wine"}
    assert names_between(things_of(newer), things_of(older)).of("token", "wine") == "chicken"


def test_a_mark_with_another_law_is_not_the_same_mark_under_another_name() -> None:
    older, newer = game_of("c2/princess-and-dragon"), game_of("c3.1/dragon-and-fairy")
    assert names_between(things_of(older), things_of(newer)).other == {}


# ------------------------------------------------------------------ steps


@given(st.permutations("abcdefg"), st.sets(st.sampled_from("abcdefg")))
def test_the_steps_in_line_are_as_many_as_can_be_and_in_order(
    theirs: list[str], own: set[str]
) -> None:
    stay = in_line("abcdefg", theirs, own)
    assert [s for s in theirs if s in stay] == sorted(stay)
    longest = 0
    for mask in range(1 << len(theirs)):
        line = [s for i, s in enumerate(theirs) if mask >> i & 1]
        if line == sorted(line):
            longest = max(longest, len(line))
    assert len(stay) == longest


@pytest.mark.parametrize("own", ["a", "b"])
def test_of_two_steps_that_have_changed_places_the_compared_one_has_moved(own: str) -> None:
    assert own not in in_line("ab", ["b", "a"], {own})
