"""Rulesets that do not know each other may use one name; a ruleset that knows both names each."""

from __future__ import annotations

import random

import pytest

from support.same_names import BOTH, same_names
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.play.program import Program
from tilewright.tools.workspace.loading import load_program


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The game of two strangers and a ruleset that knows them."""
    library = same_names(tmp_path_factory.mktemp("both"))
    program, reporter = load_program(BOTH, library=library)
    assert program is not None, reporter.diagnostics
    return program


@needs_core
def test_both_engines_play_them_alike(both: Program) -> None:
    for seed in range(2):
        match, other = begun(both, 3, seed)
        assert match is not None
        named = Named("both", 3, seed)
        assert play_both(match, other, named, rng=random.Random(seed), options=True) > 100
