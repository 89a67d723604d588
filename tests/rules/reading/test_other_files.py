"""Entries of a ruleset's folder: each is read, ignored by a stated rule, or reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.folder import read_ruleset

MODULE = "id: house/trial\nkind: house\ntitle: Trial\nrequires: {base: c2/base}\n"
RULE = "rules:\n  - id: trial.tip\n    on: completed(x)\n    do: award 1 to active\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "module.yaml").write_text(MODULE)
    (tmp_path / "rules" / "tip.yaml").write_text(RULE)
    return tmp_path


def found(folder: Path) -> list[tuple[str, str]]:
    """The code and message of each diagnostic; the rule of the folder must have been read."""
    reporter = Reporter()
    ruleset = read_ruleset(folder, reporter)
    assert ruleset is not None
    assert [rule.head.id for rule in ruleset.rules] == ["trial.tip"]
    return [(each.code, each.message) for each in reporter.diagnostics]


@pytest.mark.parametrize(
    "name",
    [
        ".hidden.yaml",
        "._tip.yaml",
        "tip.yaml~",
        "#tip.yaml#",
        ".tip.yaml.swp",
        "README.md",
    ],
)
def test_files_of_editors_and_other_kinds_are_ignored(folder: Path, name: str) -> None:
    for place in (folder, folder / "rules"):
        (place / name).write_bytes(b"\xff\x00: [")
    assert found(folder) == []


def test_a_lock_of_an_editor_stops_no_verb(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "rules" / ".#tip.yaml").symlink_to("me@there.1234:5678")
    (folder / "rules" / "._tip.yaml").write_bytes(b"\x00\x05\x16\x07")
    assert found(folder) == []
    for words in (["check", "--fail-on", "error"], ["fmt", "--check"], ["show", "ruleset"]):
        assert run([*words, str(folder)]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tip.yml", "rename it to `tip.yaml`"),
        ("tip.YAML", "rename it to `tip.yaml`"),
        ("tip.Yml", "rename it to `tip.yaml`"),
        ("more.yaml.txt", "only files `*.yaml` are read here"),
        ("more.yaml.bak", "only files `*.yaml` are read here"),
        ("more.json", "only files `*.yaml` are read here"),
    ],
)
def test_data_with_another_suffix_is_reported(folder: Path, name: str, message: str) -> None:
    (folder / "rules" / name).write_text(RULE)
    ((code, said),) = found(folder)
    assert code == "TW220"
    assert f"`{name}` is not part of a ruleset: " in said
    assert message in said


@pytest.mark.parametrize("name", ["Tiles.yaml", "tiles.yml", "tiles.yaml.txt", "extra.yaml"])
def test_data_beside_the_module_is_reported(folder: Path, name: str) -> None:
    (folder / name).write_text("tiles: {}\n")
    ((code, said),) = found(folder)
    assert code == "TW220"
    assert said.startswith(f"`{name}` is not part of a ruleset: the file is not read")


@pytest.mark.parametrize("name", ["Rules", "extras", "rule"])
def test_a_folder_with_data_is_reported(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    (folder / name / "more.yaml").write_text(RULE)
    ((code, said),) = found(folder)
    assert code == "TW220"
    assert said.startswith(f"`{name}` is not part of a ruleset: the folder is not read")


def test_a_folder_without_data_is_ignored(folder: Path) -> None:
    (folder / "pictures").mkdir()
    (folder / "pictures" / "board.png").touch()
    assert found(folder) == []


def test_a_folder_among_the_rules_is_reported(folder: Path) -> None:
    (folder / "rules" / "more").mkdir()
    assert [code for code, _ in found(folder)] == ["TW220"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Tip.yaml", "`Tip.yaml` and `tip.yaml` are one file on systems that ignore case"),
        ("con.yaml", "`con.yaml` is the name of a device on Windows, and no file there"),
        ("LPT1.yaml", "`LPT1.yaml` is the name of a device on Windows, and no file there"),
        ("a:b.yaml", "`a:b.yaml` has a character that file names cannot have on Windows"),
    ],
)
def test_a_name_that_other_systems_refuse_is_reported(
    folder: Path, name: str, message: str
) -> None:
    (folder / "rules" / name).write_text("rules: []\n")
    assert found(folder) == [("TW231", message)]


def test_letters_with_marks_written_in_two_ways_are_one_name(folder: Path) -> None:
    for name in ("caf\u00e9.yaml", "cafe\u0301.yaml"):
        (folder / "rules" / name).write_text("rules: []\n")
    ((code, said),) = found(folder)
    assert code == "TW231"
    assert "are one file on systems that ignore case" in said


def test_a_module_with_another_suffix_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "module.yaml").rename(folder / "Module.yml")
    assert run(["check", str(folder)]) == 3
    assert "rename `Module.yml` to `module.yaml`" in capsys.readouterr().err
