"""A match whose process is killed after any choice goes on from its save."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.paths import ROOT

#: boxes that keep, between them, memory, tokens, hidden stacks, walks and frames within frames
GAMES = (
    "c2/gold-mines",
    "c2/king-and-robber",
    "c2/princess-and-dragon",
    "c2/shrines",
    "c2/traders-and-builders",
    "c3.1/dragon-and-fairy+c3/farmers",
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_decision_is_resumed_after_a_kill(game: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "support.killed_matches", game, "1"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith(" decisions in 1 game\n"), run.stdout
