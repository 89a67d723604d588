"""Ids of folders are taken from the cache while their files are the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from support.hostile import write
from tilewright.tools.workspace import folder_state
from tilewright.tools.workspace.cache import Cache
from tilewright.tools.workspace.folder_state import StoredIds


@pytest.fixture(autouse=True)
def _files_settle_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a test are new, and yet their times are trusted."""
    monkeypatch.setattr(folder_state, "SETTLING", 0)


def folder_in(root: Path) -> Path:
    """A folder of a ruleset, with the id `own/one`."""
    folder = root / "one"
    write({"module.yaml": "id: own/one\ntitle: one\n"}, folder)
    return folder


def remember(root: Path, cache: Cache) -> None:
    ids = StoredIds(root, cache)
    assert ids.get(root / "one") == ""
    ids.put(root / "one", "own/one")
    ids.save()


def test_an_id_comes_back(tmp_path: Path) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    folder = folder_in(root)
    remember(root, cache)
    assert StoredIds(root, cache).get(folder) == "own/one"


def link(folder: Path) -> None:
    """Put a link in the place of a file."""
    away = folder.parent / "away.yaml"
    (folder / "module.yaml").rename(away)
    (folder / "module.yaml").symlink_to(away)


def same_times(folder: Path) -> None:
    """Write another text of the same length, and set the time of the old one."""
    file = folder / "module.yaml"
    found = file.stat()
    file.write_text("id: own/two\ntitle: two\n")
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))


CHANGES: dict[str, Callable[[Path], object]] = {
    "another text": lambda folder: (folder / "module.yaml").write_text("id: own/other\n"),
    "the same length and time": same_times,
    "no file": lambda folder: (folder / "module.yaml").unlink(),
    "a link": link,
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_id_is_read_again_after_a_change(tmp_path: Path, change: str) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    folder = folder_in(root)
    remember(root, cache)
    CHANGES[change](folder)
    assert StoredIds(root, cache).get(folder) == ""


def test_a_file_that_changes_while_it_is_read_is_not_remembered(tmp_path: Path) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    folder = folder_in(root)
    ids = StoredIds(root, cache)
    ids.get(folder)
    (folder / "module.yaml").write_text("id: own/other\n")
    ids.put(folder, "own/one")
    ids.save()
    assert StoredIds(root, cache).get(folder) == ""


def test_a_new_file_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_state, "SETTLING", 10**12)
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    folder = folder_in(root)
    remember(root, cache)
    assert StoredIds(root, cache).get(folder) == ""


@pytest.mark.parametrize("damage", [b"no JSON", b"[1]", b'{"one": 3}', b'{"one": ["a"]}'])
def test_a_damaged_entry_is_ignored(tmp_path: Path, damage: bytes) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    folder = folder_in(root)
    cache.put(damage, "own-ids-1", os.path.realpath(root))
    assert StoredIds(root, cache).get(folder) == ""
