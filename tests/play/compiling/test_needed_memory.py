"""A loop is skipped while a set in memory is empty that its condition needs."""

from __future__ import annotations

import pytest

from support.make_once import compiled_anew
from tilewright.language.source.text import NOWHERE as AT
from tilewright.language.types import TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.facts.needed_memory import needed, needed_by
from tilewright.rules.linking.game import Game
from tilewright.tools.workspace.loading import load_game

TILES = Type("tile", many=True)


def memory(id_: str) -> t.Memory:
    return t.Memory(id_, TILES, AT)


def any_of(source: t.Expression, body: t.Expression | None = None) -> t.Quantifier:
    return t.Quantifier("any", "x", source, body or t.Literal(True, TRUTH, AT), TRUTH, AT)


def is_in(whole: t.Expression) -> t.Membership:
    return t.Membership(t.Local("x", Type("tile"), AT), whole, TRUTH, AT)


def is_empty(whole: t.Expression) -> t.IsEmpty:
    return t.IsEmpty(whole, TRUTH, AT)


A, B = memory("a"), memory("b")


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        (any_of(A), "a"),
        (is_in(A), "a"),
        (t.Not(is_empty(A), TRUTH, AT), "a"),
        (is_empty(A), ""),
        (t.Not(any_of(A), TRUTH, AT), ""),
        (t.And((is_in(A), any_of(B)), TRUTH, AT), "ab"),
        (t.Or((is_in(A), any_of(B)), TRUTH, AT), ""),
        (t.Or((is_in(A), t.And((is_in(B), any_of(A)), TRUTH, AT)), TRUTH, AT), "a"),
        (any_of(A, is_in(B)), "ab"),
        (t.Quantifier("all", "x", A, is_in(B), TRUTH, AT), ""),
        (t.DefinitionCall("is_known", (), TRUTH, AT), "a"),
        (t.Memory("flag", TRUTH, AT), ""),
    ],
)
def test_what_a_condition_needs(condition: t.Expression, ids: str) -> None:
    assert needed(condition, lambda definition: frozenset("a")) == frozenset(ids)


def game_of(*ids: str) -> Game:
    game, reporter = load_game("+".join(ids), None, None)
    assert game is not None, reporter.diagnostics
    return game


def test_what_a_definition_needs_is_what_all_its_amendments_need() -> None:
    game = game_of("c2/gold-mines")
    definition = game.definitions["may_take_gold"]
    assert needed_by(definition, lambda id_: frozenset()) == {"claiming"}
    assert needed_by(game.definitions["has_gold_for"], lambda id_: frozenset("a")) == frozenset()


@pytest.mark.parametrize("probes", [False, True])
def test_a_loop_is_skipped_except_where_its_conditions_are_recorded(probes: bool) -> None:
    program = compiled_anew(game_of("c2/gold-mines"), probes=probes)
    slot = program.memory_number["claiming"]
    turn = (
        each for s in f.statements_of((program.forms or {})["phase_turn"]) for each in f.walk(s)
    )
    tests = [f.key(each.test) for each in turn if isinstance(each, f.Either)]
    assert (f.key(f.prim(op.MEMORY, f.Const(slot))) in tests) is not probes
