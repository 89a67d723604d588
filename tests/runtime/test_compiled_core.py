"""The core as extension modules, built as an installation builds it: the same in all it does."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.digests import digests
from support.paths import ROOT, TESTS

GAMES = (
    "c2/base",
    "c2/abbot+c2/farmers+c2/inns-and-cathedrals+c2/princess-and-dragon+c2/river+c2/traders-and-builders",
    "c3/abbot+c3/farmers+c3/river-two-lakes+c3.1/dragon-and-fairy+c3.1/traders-and-builders",
)
#: rulesets whose scenarios go through most of the engine
RULESETS = ("c2/base", "c2/farmers", "c2/traders-and-builders", "c3.1/dragon-and-fairy")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the package with a compiled core."""
    if shutil.which(os.environ.get("CC", "cc")) is None:
        pytest.skip("no C compiler here, so the core stays plain Python")
    for needed in ("hatchling", "mypyc", "setuptools"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed, so the core cannot be compiled")
    sys.path.insert(0, str(ROOT))
    try:
        from hatch_build import compile_core
    finally:
        sys.path.remove(str(ROOT))
    folder = tmp_path_factory.mktemp("core")
    made = compile_core(ROOT / "interpreter" / "tilewright", folder)
    assert sorted(name.partition(".")[0] for name in made.values()) == [
        "tilewright/runtime/board",
        "tilewright/runtime/board_state",
        "tilewright/runtime/library",
        "tilewright/runtime/limits",
        "tilewright/runtime/match",
        "tilewright/runtime/match_state",
        "tilewright/runtime/preview",
        "tilewright/runtime/sets",
        "tilewright__mypyc",
    ]
    shipped = folder / "tilewright" / "_shipped"
    for name in ("rulesets", "schemas"):
        shutil.copytree(ROOT / name, shipped / name)
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{TESTS}"}
    command = [sys.executable, *words]
    return subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )


# in one test, so that the core is compiled once however the tests are spread
@pytest.mark.slow
def test_the_compiled_core_plays_the_same_games_and_holds_the_same_scenarios(
    compiled: Path,
) -> None:
    done = run(compiled, str(TESTS / "support" / "digests.py"), *GAMES)
    assert done.returncode == 0, done.stderr
    way, *lines = done.stdout.splitlines()
    assert way == "compiled"
    assert [line.split() for line in lines] == [
        [game, str(seed), *digests(game, seed)] for game in GAMES for seed in (1, 2)
    ]
    done = run(compiled, "-m", "tilewright", "test", *RULESETS)
    assert done.returncode == 0, done.stdout + done.stderr
