"""Games in words: names of folders may have the signs that join and part rulesets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.tools.workspace.game_text import address_error, cut_game, cut_name

ODD = ["my+rules", "a#b", "a%20b", "a=b", "c:rules", "rules?v=1", "o'brien", "x y", "правила", "🏰"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ODD:
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("form", ["{}", "./{}", "{}/"])
def test_the_folder_that_exists_is_meant(folder: Path, name: str, form: str) -> None:
    word = form.format(name)
    assert cut_game(word) == ((word,), "")
    assert cut_name(word) == (word, "")
    assert cut_game(f"c2/base+{word}+a/b?x=1") == (("c2/base", word, "a/b"), "x=1")
    assert cut_game(f"{word}:tiles+a/b") == ((f"{word}:tiles", "a/b"), "")
    assert cut_name(f"{word}:minus=portal:rules") == (word, "minus=portal:rules")


def test_signs_join_and_part_where_no_folder_has_them(folder: Path) -> None:
    assert cut_game("c2/base+c2/river:tiles?a=1&b=2") == (("c2/base", "c2/river:tiles"), "a=1&b=2")
    assert cut_game("a++b") == (("a", "", "b"), "")
    assert cut_game("my+other") == (("my", "other"), "")
    assert cut_name("c2/river:tiles") == ("c2/river", "tiles")


def test_of_two_folders_the_longer_name_is_meant(folder: Path) -> None:
    (folder / "my").mkdir()
    assert cut_game("./my+rules") == (("./my+rules",), "")
    assert cut_game("./my+./my+rules") == (("./my", "./my+rules"), "")


@pytest.mark.parametrize("disk", ["C:/rules", "c:\\rules"])
def test_the_colon_of_a_disk_begins_no_part(disk: str) -> None:
    assert cut_name(disk) == (disk, "")
    assert cut_name(f"{disk}:tiles") == (disk, "tiles")


@pytest.mark.parametrize(
    "text", ["https://example.org/my-rules", "git+ssh://example.org/x", "git@example.org:me/rules"]
)
def test_an_address_is_called_one(text: str) -> None:
    message, hint = address_error(text)
    assert message.startswith(f"`{text}` is an address")
    assert "git clone" in hint


@pytest.mark.parametrize("text", ["c2/base", "./a@b:tiles/x", "C:/rules", "c2/base:tiles"])
def test_other_names_are_no_addresses(text: str) -> None:
    assert address_error(text) == ("", "")
