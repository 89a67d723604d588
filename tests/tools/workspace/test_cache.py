"""The cache: stored results come back, damaged ones are made again, old ones are removed."""

from __future__ import annotations

import hashlib
import os
import random
import zlib
from pathlib import Path

import pytest

from tilewright.tools.workspace import cache as c
from tilewright.tools.workspace.cache import Cache, digest_of, rulesets_digest, user_cache


def test_an_answer_is_made_once(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        return b"an answer"

    for _ in range(2):
        assert Cache(tmp_path).result(make, "a", "question") == b"an answer"
    assert made == [1]


def test_keys_that_only_run_together_are_different_questions(tmp_path: Path) -> None:
    Cache(tmp_path).put(b"one", "ab", "c")
    assert Cache(tmp_path).get("a", "bc") is None
    assert digest_of(["ab", "c"]) != digest_of(["a", "bc"])


def sealed(packed: bytes) -> bytes:
    """Bytes with a right digest before them, as a file of a cache begins."""
    return hashlib.blake2b(packed, digest_size=32).digest() + packed


DAMAGES = [b"", b"short", b"x" * 200, sealed(b"not packed"), sealed(zlib.compress(b"cut")[:-3])]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_answer_is_no_answer_and_goes(tmp_path: Path, damage: bytes) -> None:
    kept = Cache(tmp_path)
    kept.put(b"an answer", "question")
    (path,) = tmp_path.rglob("*.result")
    path.write_bytes(damage)
    assert kept.get("question") is None
    assert not path.exists()
    assert kept.result(lambda: b"made anew", "question") == b"made anew"


def test_an_answer_of_another_version_is_not_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Cache(tmp_path).put(b"old", "question")
    monkeypatch.setattr(c, "program_digest", lambda: "another version")
    assert Cache(tmp_path).get("question") is None


def noise(size: int) -> bytes:
    """Bytes that cannot be packed any smaller."""
    return random.Random(size).randbytes(size)


def test_what_was_not_asked_for_longest_goes_first(tmp_path: Path) -> None:
    kept = Cache(tmp_path, most=1000)
    for number, name in enumerate(("first", "second", "third", "fourth")):
        kept.put(noise(200), name)
        for path in tmp_path.rglob("*.result"):
            found = path.stat()
            if found.st_mtime > 100:
                os.utime(path, (number, number))
    kept.get("first")
    kept.put(noise(200), "fifth")
    assert kept.get("first") is not None
    assert kept.get("second") is None
    assert kept.get("fifth") is not None


def test_an_answer_too_large_for_the_cache_is_not_kept(tmp_path: Path) -> None:
    Cache(tmp_path, most=1000).put(noise(900), "large")
    assert Cache(tmp_path).get("large") is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    assert Cache(in_the_way).result(lambda: b"made", "question") == b"made"


def test_without_a_folder_nothing_is_kept() -> None:
    kept = user_cache(is_wanted=False)
    kept.put(b"an answer", "question")
    assert kept.get("question") is None


def test_the_user_says_where_answers_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path))
    assert user_cache().folder == tmp_path
    monkeypatch.setenv("TILEWRIGHT_CACHE", "")
    assert user_cache().folder is None


def test_forgetting_leaves_nothing(tmp_path: Path) -> None:
    kept = Cache(tmp_path)
    kept.put(b"an answer", "question")
    kept.clear()
    assert not list(tmp_path.rglob("*.result"))


def test_rulesets_are_known_by_what_stands_in_them(tmp_path: Path) -> None:
    (tmp_path / "module.yaml").write_text("id: one")
    before = rulesets_digest([tmp_path])
    (tmp_path / "module.yaml").touch()
    assert rulesets_digest([tmp_path]) == before
    (tmp_path / "module.yaml").write_text("id: two")
    assert rulesets_digest([tmp_path]) != before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_in_place_of_an_answer_is_not_opened(tmp_path: Path) -> None:
    kept = Cache(tmp_path)
    kept.put(b"an answer", "question")
    (path,) = tmp_path.rglob("*.result")
    path.unlink()
    os.mkfifo(path)
    assert kept.get("question") is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_the_digest_of_rulesets_opens_only_what_the_reader_reads(tmp_path: Path) -> None:
    (tmp_path / "module.yaml").write_text("id: one")
    before = rulesets_digest([tmp_path])
    for name in ("notes", "rules"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "notes" / "a.yaml")
    os.mkfifo(tmp_path / "rules" / "a.yaml")
    (tmp_path / "statements.yaml").symlink_to("/dev/zero")
    with (tmp_path / "tiles.yaml").open("wb") as large:
        large.truncate(1 << 40)
    assert rulesets_digest([tmp_path]) == before
    (tmp_path / "rules" / "b.yaml").write_text("rules: []")
    with_rules = rulesets_digest([tmp_path])
    assert with_rules != before
    (tmp_path / "locale").mkdir()
    (tmp_path / "locale" / "uk.po").write_text("")
    assert rulesets_digest([tmp_path]) != with_rules


@pytest.mark.parametrize(
    "name",
    ["tool.py", "source/catalogue/words.yaml", "language/tables.json", "_shipped/schemas/a.json"],
)
def test_every_file_of_the_program_belongs_to_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("old")
    monkeypatch.setattr(c, "PACKAGE", tmp_path)
    before = c.program_digest.__wrapped__()
    assert c.program_digest.__wrapped__() == before
    file.write_text("other")
    assert c.program_digest.__wrapped__() != before


def test_the_schemas_belong_to_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c, "schemas_folder", lambda: tmp_path)
    before = c.program_digest.__wrapped__()
    (tmp_path / "rules.schema.json").write_text("{}")
    assert c.program_digest.__wrapped__() != before


@pytest.mark.parametrize("name", ["__pycache__/tool.pyc", "_shipped/rulesets/a/b/module.yaml"])
def test_bytecode_and_rulesets_are_not_part_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(c, "PACKAGE", tmp_path)
    before = c.program_digest.__wrapped__()
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text("new")
    assert c.program_digest.__wrapped__() == before
