"""Conditions that any order decides run cheapest first, as both engines have them."""

from __future__ import annotations

from pathlib import Path

from support.ruleset_cases import library_of
from tilewright.play.compiling import form as f
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.compiling.passes.inlining import cost_of, costs_of_definitions
from tilewright.rules.linking.game import Game
from tilewright.tools.workspace.loading import load_game

TEXT = """\
# rules/trial.yaml
definitions:
  may_rest: {parameters: {f: figure}, type: truth, combine: all, says: whether it may rest}
  is_near: {parameters: {u: tile, f: figure}, type: truth, combine: any, says: whether it is near}
rules:
  - {id: rest.a_long, amend: may_rest(f), value: "any t in tiles: is_near(t, f)"}
  - id: rest.b_guarded
    amend: may_rest(f)
    when: f has tall
    value: "any u in laid: is_near(u, f)"
  - {id: rest.c_short, amend: may_rest(f), value: f.owner is active}
  - id: near.around
    amend: is_near(u, f)
    value: f.tile is something and u.cell in around(f.tile.cell)
"""


def game(folder: Path) -> Game:
    """The game of the text."""
    library, ids = library_of(TEXT, folder)
    found, reporter = load_game("trial/table+" + ids[0], None, library)
    assert found is not None, reporter.diagnostics
    return found


def test_a_definition_evaluates_its_cheapest_amendment_first(tmp_path: Path) -> None:
    of_game = game(tmp_path)
    program = compile_game(of_game)
    assert program.forms is not None
    (returned,) = [
        each for each in program.forms["ask_may_rest"].body if isinstance(each, f.Return)
    ]
    called = [each.function for each in f.walk(returned) if isinstance(each, f.Call)]
    assert called == ["r_rest__c_short", "r_rest__b_guarded", "r_rest__a_long"]
    with_probes = compile_game(of_game, probes=True).definitions["may_rest"]
    names = with_probes.__code__.co_names
    written = [name for name in names if name.startswith("r_rest")]
    assert written == ["r_rest__a_long", "r_rest__b_guarded", "r_rest__c_short"]


def test_a_cost_counts_what_a_condition_calls_and_the_board_it_walks(tmp_path: Path) -> None:
    of_game = game(tmp_path)
    of_definition = costs_of_definitions(of_game)
    long, guarded, short = (
        cost_of(each, of_definition) for each in of_game.definitions["may_rest"].amendments
    )
    assert long > 10 * guarded > 10 * short
    assert of_definition("may_rest") == long + guarded + short > of_definition("is_near")
