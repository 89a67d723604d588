"""A house rule in one file, from `new` to a saved match and a diff with a revision."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tilewright.faces.cli.app import run
from tilewright.rules.reading.schemas import id_of

WALK = """\
id: house/long-walk
kind: house
title: A long walk
requires: {base: c2/base}

rules:
  - id: walk.tiles
    amend: final_points(x)
    when: x is road
    item: walk
    value: x.size

scenarios:
  - id: a-road-pays-twice
    says: the tiles of a road that still leads on count twice at the end
    covers: [walk.tiles]
    players: [red, blue]
    board: ["road_straight 0,0 N", "road_straight 0,1 N", "road_straight 0,2 N"]
    figures: {red meeple: "0,0/r1"}
    stacks: {land: [road_straight]}
    play:
      - draw road_straight
      - lay 0,3 N
      - expect: {over: true, gained: {red: "8 = tiles 4 + walk 4"}}
"""


@pytest.fixture
def walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The rule in the current folder."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "long-walk.yaml"
    file.write_text(WALK, "utf-8")
    return file


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit code of a run, and all it prints."""
    capsys.readouterr()
    code = run(words)
    out, err = capsys.readouterr()
    return code, out + err


def test_it_is_named_like_a_folder(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "check", "long-walk.yaml")[0] == 0
    assert told(capsys, "test", "./long-walk.yaml")[0] == 0
    assert told(capsys, "fmt", "--check", "long-walk.yaml")[0] == 0
    walk.write_text(WALK.replace("x.size", "x.sise"), "utf-8")
    code, text = told(capsys, "check")  # it lies in the current folder
    assert code == 1
    assert "long-walk.yaml:11:12" in text
    code, text = told(capsys, "check", "--fix", "long-walk.yaml")
    assert (code, walk.read_text("utf-8")) == (0, WALK)


def test_another_file_of_yaml_is_not_taken_for_one(
    walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walk.write_text("rules: []\n", "utf-8")
    code, text = told(capsys, "check", "long-walk.yaml")
    assert code == 3
    assert "a ruleset in one file begins with `id:` and `kind:`" in text


def test_a_folder_and_a_file_of_one_id_are_not_confused(
    walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (walk.parent / "long-walk").mkdir()
    (walk.parent / "long-walk" / "module.yaml").write_text(WALK.partition("rules:")[0], "utf-8")
    code, text = told(capsys, "check", ".")
    assert code == 2
    assert "both contain the ruleset `house/long-walk`" in text


def test_a_file_that_needs_one_beside_it_is_told_how_to_add_it(
    walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    longer = walk.with_name("longer.yaml")
    longer.write_text(
        "id: house/longer\nkind: house\ntitle: longer\n"
        "requires: {base: c2/base, house/long-walk: house/long-walk}\n"
    )
    code, output = told(capsys, "check", str(longer))
    assert code == 1 and "did you mean" not in output
    assert "`--with .` adds it" in output
    assert "unknown ruleset" not in told(capsys, "check", str(longer), "--with", ".")[1]


def test_a_choice_and_options_that_are_not_there_are_reported_in_words(
    walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin, _ = WALK.split("      - lay 0,3 N")
    walk.write_text(begin + "      - pass\n")
    assert "`pass` is not offered to red at step `lay_tile`; offered are" in told(
        capsys, "test", str(walk)
    )[1].replace("\n", " ")
    walk.write_text(begin + "      - expect: {options: ['lay 0,3 N', 'lay 9,9 N']}\n")
    output = told(capsys, "test", str(walk))[1]
    assert "expected just the options `lay 0,3 N`, `lay 9,9 N`, found no `lay 9,9 N` and" in output


def test_a_match_of_it_is_saved_carried_and_resumed(
    walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (
        "play",
        "c2/base+./long-walk.yaml",
        "--players",
        "random,random",
        "--seed",
        "1",
        "--quiet",
    )
    code, text = told(capsys, *words, "--save", "game.json")
    assert code == 0, text
    saved = json.loads(Path("game.json").read_text("utf-8"))
    assert saved["rulesets"]["house/long-walk"]["files"] == {"ruleset.yaml": WALK}
    walk.unlink()
    code, text = told(capsys, "replay", "game.json")
    assert code == 0, text


def test_the_lock_holds_it(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "resolve", "c2/base+./long-walk.yaml", "--lock")[0] == 0
    held = json.loads(Path("tilewright.lock").read_text("utf-8"))
    assert held["rulesets"]["house/long-walk"]["folder"] == "long-walk.yaml"
    game = "c2/base+house/long-walk"
    assert told(capsys, "show", "turn", game, "--locked")[0] == 0
    walk.write_text(WALK.replace("leads on count", "leads on counts"), "utf-8")
    assert told(capsys, "show", "turn", game, "--locked")[0] == 0
    walk.write_text(WALK.replace("x.size", "1"), "utf-8")
    assert told(capsys, "show", "turn", game, "--locked")[0] == 1


@pytest.mark.parametrize("place", ["long-walk.yaml", "rulesets/house/long-walk.yaml"])
def test_it_is_compared_with_a_revision_also_where_it_was_a_folder(
    place: str, walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        subprocess.run(["git", *who, *words], check=True, capture_output=True)

    file = walk.parent / place
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(walk, file)
    assert told(capsys, "fmt", "--split", place)[0] == 0
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "a folder")
    assert told(capsys, "fmt", "--join", place.removesuffix(".yaml"))[0] == 0
    assert file.read_text("utf-8") == WALK
    code, text = told(capsys, "diff", place, "--against", "HEAD")
    assert code == 0, text
    git("add", ".")
    git("commit", "-qm", "one file")
    file.write_text(WALK.replace("x.size", "2 * x.size"), "utf-8")
    code, text = told(capsys, "diff", place, "--against", "HEAD")
    assert "walk.tiles" in text
    assert code == 0
    assert told(capsys, "fmt", "--split", place)[0] == 0
    code, text = told(capsys, "diff", place.removesuffix(".yaml"), "--against", "HEAD")
    assert "walk.tiles" in text
    assert code == 0


@pytest.mark.parametrize(
    ("line", "inside"),
    [
        (id_of("ruleset"), id_of("rules")),
        ("schemas/ruleset.schema.json", "../../schemas/rules.schema.json"),
        ("../tilewright-ruleset-1.json", "../../../tilewright-rules-1.json"),
    ],
)
def test_its_schema_line_is_split_and_joined_with_it(
    line: str, inside: str, walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "# yaml-language-server: $schema="
    walk.write_text(f"{head}{line}\n{WALK}", "utf-8")
    assert told(capsys, "fmt", "--split", str(walk))[0] == 0
    rules = walk.with_suffix("") / "rules" / "long-walk.yaml"
    assert rules.read_text("utf-8").startswith(f"{head}{inside}\n")
    assert told(capsys, "fmt", "--join", str(walk.with_suffix("")))[0] == 0
    assert walk.read_text("utf-8").splitlines()[0] == head + line


def test_new_writes_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("new", "house-rule", "long-walk", "--on", "dragon.steps", "--one-file")
    code, text = told(capsys, *words)
    assert code == 0, text
    assert "tilewright check long-walk.yaml" in text
    file = tmp_path / "long-walk.yaml"
    written = file.read_text("utf-8")
    assert [*tmp_path.iterdir()] == [file]
    assert told(capsys, "test", "long-walk.yaml")[0] == 1  # it still expects the old result
    assert told(capsys, "fmt", "--check", "long-walk.yaml")[0] == 0
    assert told(capsys, *words)[0] == 2
    assert file.read_text("utf-8") == written
