"""Functions that are used again are those that would be compiled for the game at hand."""

from __future__ import annotations

import marshal
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from support.make_once import compiled_anew
from support.marks import slow_unless
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.compiling import compile_game
from tilewright.play.compiling.reuse import Memo
from tilewright.play.compiling.stored_program import stored
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.mutation.operators import mutants_of
from tilewright.tools.workspace.loading import load_game

#: a ruleset, a game with it, and which of its mutants are compiled
RULESETS = (
    ("c2/base", "c2/base+c2/farmers", 40),
    ("c2/tower", "c2/tower+c2/princess-and-dragon", 60),
    ("c2/abbey-and-mayor", "c2/abbey-and-mayor", 60),
    ("c3.1/traders-and-builders", "c3.1/traders-and-builders", 16),
    ("house/fairy-five", "house/fairy-five", 3),
)


def games_of(ruleset: str, text: str, each: int) -> list[Game]:
    """A game as it is, and with every n-th change of one of its rulesets."""
    library = Library()
    own = library.load(ruleset, Reporter())
    game, _ = load_game(text, {}, library)
    assert own is not None and game is not None
    mutants = mutants_of(replace(own, scenarios=()), game)[::each]
    found = (load_game(text, {}, library.instead(mutant.ruleset))[0] for mutant in mutants)
    return [game, *(each for each in found if each is not None)]


def contents(program: Program) -> tuple[Any, ...]:
    """The code of a program with its files, and all else that is computed for it."""
    content = marshal.loads(stored(program))
    content.pop("shapes")  # of the tiles alone
    return content, [code.co_filename for code in content["code"].values()]


@pytest.mark.parametrize(
    ("ruleset", "text", "each"), slow_unless(lambda case: case == RULESETS[0], RULESETS)
)
def test_a_changed_game_has_the_code_that_it_has_without_earlier_ones(
    ruleset: str, text: str, each: int
) -> None:
    memo = Memo()
    games = games_of(ruleset, text, each)
    assert len(games) > 2
    # there and back: the functions that are kept come from games before and after
    for game in chain(games, reversed(games[::3])):
        assert contents(compiled_anew(game, memo=memo)) == contents(compiled_anew(game))


def test_only_functions_that_depend_on_a_change_are_emitted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memo = Memo()
    first, *others = games_of("c2/tower", "c2/tower", 40)
    program = compiled_anew(first, memo=memo)
    emitted: list[str] = []
    for module, name in (
        (compile_game, "_compile_definition"), (compile_game, "_compile_body"),
        (compile_game, "_compile_action"), (compile_game, "_compile_phase"),
    ):  # fmt: skip
        plain = getattr(module, name)

        def noted(*given: Any, plain: Any = plain, **more: Any) -> None:
            emitted.append(plain.__name__)
            plain(*given, **more)

        monkeypatch.setattr(module, name, noted)
    compiled_anew(first, memo=memo)
    assert emitted == []
    for game in others:
        compiled_anew(game, memo=memo)
    assert len(emitted) < len(others) * len(program.scope) / 20
