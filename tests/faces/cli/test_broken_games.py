"""`test` and `check` show what is wrong with a game once, at its place, before what follows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.paths import TRIALS
from support.ruleset_cases import files_of
from tilewright.faces.cli.app import run

GAME = """\
# module.yaml
id: trial/first
kind: house
title: a trial
requires: {base: trial/table}
# notes.yaml
note: mine
# rules/trial.yaml
rules:
  - id: trial.tip
    on: payed(x)
    do: award 1 to active
# scenarios/trial.yaml
scenarios:
  - id: one
    says: a tile is drawn
    players: [red, blue]
    play: [draw cap, expect: {tiles: 1}]
  - id: two
    says: a tile is drawn
    game: [trial/table, trial/first]
    players: [red, blue]
    play: [draw cap, expect: {tiles: 1}]
"""


def written(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in files_of(text).items():
        path = folder / "first" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    monkeypatch.chdir(folder)


def codes(verb: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    assert run([verb, "./first", "--with", str(TRIALS), "--format", "json"]) == 1
    return [each["code"] for each in json.loads(capsys.readouterr().out)]


def test_a_broken_rule_is_shown_once_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(GAME, tmp_path, monkeypatch)
    assert run(["test", "./first", "--with", str(TRIALS)]) == 1
    shown = capsys.readouterr().out
    assert shown.count("error[") == 1
    assert "error[TW304]: unknown event `payed`" in shown
    assert "first/rules/trial.yaml:4:9" in shown
    assert "trial/first: 0 of 2 scenarios passed" in shown
    assert codes("test", capsys) == ["TW304"]


def test_errors_come_before_warnings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(GAME, tmp_path, monkeypatch)
    found = codes("check", capsys)
    assert found[0] == "TW304" and "TW220" in found


def test_a_broken_file_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(GAME.replace("on: payed(x)", "one: paid(x)"), tmp_path, monkeypatch)
    for verb in ("test", "check"):
        found = codes(verb, capsys)
        assert found.count("TW202") == 1


@pytest.mark.parametrize("verb", ["test", "check"])
def test_a_misspelt_requirement_is_the_only_error(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = GAME.replace("requires:", "require:").replace("payed", "paid")
    written(text, tmp_path, monkeypatch)
    found = codes(verb, capsys)
    assert [code for code in found if code not in ("TW220", "TW604")] == ["TW202"]
