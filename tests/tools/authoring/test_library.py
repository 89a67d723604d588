"""A new library: checked as it is, built, installed into a fresh environment, and played there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from support.paths import ROOT
from tilewright.faces.cli.app import run

ID = "luckyrules/first-rules"


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a new library, in which the program runs."""
    monkeypatch.chdir(tmp_path)
    assert run(["new", "library", "lucky-rules"]) == 0
    monkeypatch.chdir(tmp_path / "lucky-rules")
    monkeypatch.delenv("TILEWRIGHT_CONFIG", raising=False)  # its own file counts
    return tmp_path / "lucky-rules"


def test_a_new_library_is_checked_and_tested_as_it_is(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(["fmt", "--check"]) == 0
    assert run(["test"]) == 0
    assert run(["check"]) == 0
    assert run(["rulesets", "--format", "json"]) == 0
    assert f'"id": "{ID}"' in capsys.readouterr().out
    assert "$" not in "".join(
        path.read_text() for path in library.rglob("*") if path.suffix in (".toml", ".md")
    )


def test_a_library_that_is_there_or_has_no_name_is_refused(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(library.parent)
    assert run(["new", "library", "lucky-rules"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert run(["new", "library", "Lucky Rules"]) == 2
    assert sorted(path.name for path in library.parent.iterdir()) == ["lucky-rules"]


def test_a_house_rule_in_a_library_has_the_id_that_its_place_promises(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = "src/lucky_rules/rulesets/luckyrules"
    new = ["new", "house-rule", "dear", "--on", "city.tile_points", "--out", out]
    assert run(new) == 0
    assert "\nid: luckyrules/dear\n" in (library / out / "dear" / "module.yaml").read_text()


@pytest.mark.slow
def test_a_library_is_built_installed_and_played(library: Path, tmp_path: Path) -> None:
    built = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "."]
    subprocess.run([*built, "-w", str(tmp_path)], check=True, capture_output=True, cwd=library)
    (wheel,) = tmp_path.glob("lucky_rules-*.whl")
    venv.create(tmp_path / "fresh", with_pip=False)
    python = tmp_path / "fresh" / ("Scripts" if os.name == "nt" else "bin") / "python"
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target"]
    subprocess.run([*install, site.strip(), str(wheel)], check=True, capture_output=True)
    # the program and its dependencies, as this environment has them
    others = os.pathsep.join([str(ROOT / "interpreter"), *filter(None, sys.path)])

    def tilewright(*words: str) -> str:
        done = subprocess.run(
            [python, "-m", "tilewright", *words],
            capture_output=True, text=True, cwd=tmp_path, check=True,
            env={**os.environ, "PYTHONPATH": others},
        )  # fmt: skip
        return done.stdout

    listed = {each["id"]: each for each in json.loads(tilewright("rulesets", "--format", "json"))}
    assert (listed[ID]["package"], listed[ID]["package_version"]) == ("lucky-rules", "0.1.0")
    assert site.strip() in listed[ID]["folder"]
    assert "(lucky-rules 0.1.0)" in tilewright("rulesets")
    assert "1 of 1 scenario passed" in tilewright("test", ID)
    played = tilewright("play", ID, "--players", "random,random", "--seed", "1", "--plain")
    assert "win" in played
