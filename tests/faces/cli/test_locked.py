"""`resolve --lock` and `--locked`: a game that has changed is refused, with what that means."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tilewright.faces.cli.app import run

RULE = """rules:
  - id: long_road.bonus
    amend: points(x)
    when: x is road and x.size >= 5
    item: bonus
    value: 1
"""
MODULE = """id: house/long-road
kind: house
title: Long roads
version: {}
requires: {{base: c2/base}}
"""
GAME = "c2/base+house/long-road"

Says = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset in the current folder, and a lock of its game."""
    own = tmp_path / "long-road"
    (own / "rules").mkdir(parents=True)
    (own / "module.yaml").write_text(MODULE.format(1))
    (own / "rules" / "own.yaml").write_text(RULE)
    monkeypatch.chdir(tmp_path)
    assert run(["resolve", "c2/base+./long-road", "--lock"]) == 0
    return own


@pytest.fixture
def says(capsys: pytest.CaptureFixture[str]) -> Says:
    """A run: its exit code, and its messages on standard error."""

    def found(*words: str) -> str:
        capsys.readouterr()
        code = run(words)
        return f"{code} {capsys.readouterr().err}"

    return found


@pytest.mark.parametrize(
    "words",
    [
        ("check", "./long-road", "--fail-on", "error"), ("check", "--fail-on", "error"),
        ("check", GAME, "--fail-on", "error"), ("show", "turn", GAME), ("rulesets",),
        ("trace", "--in", GAME),
        ("play", GAME, "--players", "random,random", "--plain", "--quiet"),
        ("simulate", GAME, "--games", "2"), ("compare", GAME, GAME, "--brief"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_game_that_is_as_it_was_is_used(folder: Path, says: Says, words: tuple[str, ...]) -> None:
    assert says(*words, "--locked").startswith("0 ")


def test_no_scenario_plays_what_the_lock_does_not_hold(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenarios = folder / "scenarios"
    scenarios.mkdir()
    own = (
        "scenarios:\n  - id: alone\n    says: a tile is drawn\n    players: [red, blue]\n"
        "    play: [draw monastery_field, expect: {tiles: 1}]\n"
    )
    (scenarios / "own.yaml").write_text(own)
    assert run(["resolve", "c2/base+./long-road", "--lock"]) == 0
    assert run(["test", "./long-road", "--locked"]) == 0
    (scenarios / "own.yaml").write_text(own + "    game: [c2/abbot]\n")
    assert run(["resolve", "c2/base+./long-road", "--lock"]) == 0
    capsys.readouterr()
    assert run(["test", "./long-road", "--locked"]) == 1
    assert "the lock does not hold `c2/abbot`" in "".join(capsys.readouterr())


def test_another_rule_is_named_with_what_it_means(folder: Path, says: Says) -> None:
    (folder / "rules" / "own.yaml").write_text(RULE.replace("value: 1", "value: 2"))
    (folder / "module.yaml").write_text(MODULE.format(2))
    found = says("play", GAME, "--locked")
    assert found.startswith("1 ") and "house/long-road version 2 instead of 1, other files" in found
    assert f"`{GAME}` has another hash" in found
    assert "breaking: rule long_road.bonus has changed" in found
    assert says("show", "turn", "c2/base+./long-road").startswith("0 ")


def test_other_words_alone_are_refused_and_play_as_before(folder: Path, says: Says) -> None:
    (folder / "rules" / "own.yaml").write_text(f"# {'longer'}\n{RULE}")
    found = says("check", "./long-road", "--locked")
    assert found.startswith("1 ") and "has the same hash: matches are played as before" in found


def test_a_ruleset_that_is_gone_or_elsewhere_is_refused(folder: Path, says: Says) -> None:
    moved = shutil.copytree(folder, folder.parent / "more" / "long-road")
    found = says("play", "c2/base+./more/long-road", "--locked")
    assert found.startswith("2 ") or "comes from more/long-road instead of long-road" in found
    shutil.rmtree(folder)
    assert "house/long-road is not found any more" in says("show", "turn", "c2/base", "--locked")
    assert moved.is_dir()


def test_another_game_and_another_ruleset_are_refused(folder: Path, says: Says) -> None:
    found = says("show", "turn", "c2/base", "--locked")
    assert found.startswith("1 ") and f"it holds `{GAME}`" in found
    found = says("show", "turn", "c2/base+c2/river", "--locked")
    assert found.startswith("2 ") and "`--locked` knows only" in found
    assert run(["resolve", "c2/base", "--lock"]) == 0
    assert says("show", "turn", "c2/base", "--locked").startswith("0 ")
    assert set(json.loads(Path("tilewright.lock").read_text())["games"]) == {"c2/base", GAME}


def test_line_ends_and_scenarios_are_not_locked(folder: Path, says: Says) -> None:
    file = folder / "rules" / "own.yaml"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "own.yaml").write_text("scenarios: []\n")
    assert says("show", "turn", GAME, "--locked").startswith("0 ")


def test_a_match_under_locked_rules_goes_on(folder: Path, says: Says) -> None:
    words = ("--players", "random,random", "--plain", "--quiet", "--save", "a.json")
    assert says("play", GAME, "--locked", *words).startswith("0 ")
    assert says("replay", "a.json", "--locked").startswith("0 ")


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"tilewright": "lock 2"}', '{"tilewright": "lock 1", "games": []}',
     '{"tilewright": "lock 1", "rulesets": {}, "games": '
     '{"a/b": {"hash": "", "rulesets": ["a/b"], "things": {}}}}',
     "[" * 100_000, '{"tilewright": "lock 1", "rulesets": {"a/b": {"package": 1}}, "games": {}}'],
)  # fmt: skip
def test_a_damaged_lock_is_a_message(folder: Path, says: Says, text: str) -> None:
    Path("tilewright.lock").write_text(text)
    for words in (("show", "turn", GAME, "--locked"), ("resolve", GAME, "--lock")):
        found = says(*words, "--with", "./long-road")
        assert found.startswith("3 ") and "tilewright.lock" in found, found
        assert "`tilewright resolve GAME --lock` writes it again" in found, found
    assert Path("tilewright.lock").read_text() == text


def test_without_a_lock_the_switch_says_how_to_write_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: Says
) -> None:
    monkeypatch.chdir(tmp_path)
    found = says("play", "c2/base", "--locked")
    assert found.startswith("3 ") and "`tilewright resolve GAME --lock` writes it" in found
