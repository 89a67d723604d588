"""Results never replace a file of another kind without `--force`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.faces.cli.app import run

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(20)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (".bashrc", b"alias ls=ls\n", ["check", "c2/base", "--format", "text"]),
        ("script.py", b"print(1)\n", ["show", "tile", "city1", "--format", "text"]),
        ("cat.json", PICTURE, ["check", "c2/base"]),
        ("page.html", b"name: x\n", ["compare", "c2/base", "c2/abbot"]),
        ("data.svg", b"<html></html>", ["show", "tile", "city1"]),
        ("notes.txt", b'{"a": 1}', ["check", "c2/base"]),
        ("notes.txt", b"\xff\x00\xfe", ["check", "c2/base"]),
    ],
)
def test_a_file_of_another_kind_stays_without_force(
    tmp_path: Path,
    name: str,
    content: bytes,
    words: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / name
    out.write_bytes(content)
    assert run([*words, "--out", str(out)]) == 2
    assert out.read_bytes() == content
    said = capsys.readouterr().err
    assert f"`{out}` exists" in said
    assert "`--force`" in said


def test_force_replaces_it_and_lasts_for_one_run(tmp_path: Path) -> None:
    out = tmp_path / "found.sarif"
    out.write_bytes(PICTURE)
    assert run(["check", "c2/base", "--out", str(out), "--force"]) == 0
    assert out.read_bytes().startswith(b"{")
    out.write_bytes(PICTURE)
    assert run(["check", "c2/base", "--out", str(out)]) == 2


@pytest.mark.parametrize("name", ["a.json", "a.sarif", "a.xml", "a.txt", "a.html"])
def test_a_result_replaces_an_earlier_one(tmp_path: Path, name: str) -> None:
    verb = ["compare", "c2/base", "c2/abbot"] if name == "a.html" else ["check", "c2/base"]
    words = [*verb, "--out", str(tmp_path / name)]
    assert [run(words), run(words)] == [0, 0]


def test_a_long_text_is_replaced_wherever_a_letter_is_cut(tmp_path: Path) -> None:
    out = tmp_path / "a.txt"
    for start in ("", "a"):
        out.write_text(start + "ж" * 40_000, encoding="utf-8")
        assert run(["check", "c2/base", "--out", str(out)]) == 0


def test_an_empty_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.json").touch()
    assert run(["check", "c2/base", "--out", str(tmp_path / "a.json")]) == 0


def test_a_match_is_not_saved_over_other_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = tmp_path / "package.json"
    package.write_text('{"name": "x"}')
    words = ["play", "c2/base", "--players", "random,random", "--save", str(package)]
    assert run(words) == 2
    assert "holds JSON, not a saved match" in capsys.readouterr().err
    assert package.read_text() == '{"name": "x"}'
    assert run([*words, "--force"]) == 0
    assert run(words) == 0  # over its own


def test_known_findings_are_not_written_over_other_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = tmp_path / "package.json"
    package.write_text('{"name": "x"}')
    assert run(["check", "c2/base", "--write-baseline", str(package)]) == 2
    assert "holds JSON, not known findings" in capsys.readouterr().err
    known = tmp_path / "known.json"
    words = ["check", "c2/base", "--write-baseline", str(known)]
    assert [run(words), run(words)] == [0, 0]


def test_a_missing_baseline_of_the_folder_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TILEWRIGHT_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "tilewright.toml").write_text('[check]\nbaseline = "known.json"\n')
    assert run(["check", "c2/base"]) == 3
    assert run(["check", "c2/base", "--write-baseline", "known.json"]) == 0
    assert run(["check", "c2/base"]) == 0
