"""Functions are translated until nothing new is learnt, and the largest games need few rounds."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import pytest

from support.played import program_of
from support.two_engines import needs_core
from tilewright.play.compiling.bytecode.image import translated
from tilewright.play.compiling.bytecode.translation.writer import Writer
from tilewright.play.compiling.form import Stmt
from tilewright.play.compiling.native import with_forms

pytestmark = needs_core

BOXES = "abbey-and-mayor big-top bridges castles count gold-mines princess-and-dragon tower"
LARGE = "+".join(("c2/base", *(f"c2/{box}" for box in BOXES.split())))
#: how often a statement is translated on average, at most
MOST = 3


@pytest.mark.parametrize("game", ["c2/base+c2/farmers", LARGE])
def test_a_statement_is_translated_a_few_times_however_large_the_game(game: str) -> None:
    program = with_forms(program_of(game))
    times: Counter[int] = Counter()
    plain = Writer.statement

    def statement(self: Writer, node: Stmt) -> None:
        times[id(node)] += 1
        plain(self, node)

    with patch.object(Writer, "statement", statement):
        knowledge = translated(program)
    assert len(times) > 50
    assert times.total() < MOST * len(times)
    assert all(facts.code for facts in knowledge.functions.values() if not facts.is_stale)


def test_arguments_in_a_row_are_not_copied_before_a_call() -> None:
    """Also in a function that is translated before the one that it calls."""
    program = with_forms(program_of("c2/base+c2/princess-and-dragon"))
    code = translated(program).functions["r_final__feature"].code
    called = next(each for each in code if each.callee == "r_fairy__final")
    assert called.b == 0, "the feature is the first register of the function"
