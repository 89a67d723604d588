"""Texts kept on the disk: in one folder, by plain names, whole or not at all."""

from __future__ import annotations

import os
from errno import ENOSPC
from os import strerror
from pathlib import Path
from typing import Any

import pytest

from support.studio_client import TOKEN, Page
from tilewright.faces.studio.client import Client, NoStore
from tilewright.faces.studio.doors import disk
from tilewright.faces.studio.doors.disk import DiskStore, studio_folder


def test_texts_are_kept_and_dropped(tmp_path: Path) -> None:
    store = DiskStore(tmp_path)
    store.keep("matches", "one", "1")
    store.keep("matches", "two", "2")
    store.keep("drafts", "one", "3")
    assert DiskStore(tmp_path).kept("matches") == {"two": "2", "one": "1"}
    store.drop("matches", "one")
    assert DiskStore(tmp_path).kept("matches") == {"two": "2"}


@pytest.mark.parametrize(
    "name", ["", "../x", "a/b", "A", "a.b", "x" * 99, "\x00", "ä", "con", "com1"]
)
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name"):
        DiskStore(tmp_path).keep("matches", name, "")


def test_the_oldest_go_when_there_are_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "MAX_FILES", 3)
    store = DiskStore(tmp_path)
    for number in range(5):
        store.keep("matches", f"m{number}", str(number))
        os.utime(tmp_path / "matches" / f"m{number}.json", (number, number))
    assert list(store.kept("matches")) == ["m4", "m3", "m2"]
    assert len(list((tmp_path / "matches").iterdir())) == 3


def test_what_cannot_be_written_is_kept_for_this_run(tmp_path: Path) -> None:
    (tmp_path / "matches").write_text("a file where the folder should be")
    store = DiskStore(tmp_path)
    store.keep("matches", "one", "1")
    assert store.kept("matches") == {"one": "1"}
    assert DiskStore(tmp_path).kept("matches") == {}


def test_what_could_not_be_written_is_written_later(tmp_path: Path) -> None:
    (tmp_path / "matches").write_text("a file where the folder should be")
    store = DiskStore(tmp_path)
    store.keep("matches", "one", "1")
    store.keep("drafts", "two", "2")
    assert store.problem
    (tmp_path / "matches").unlink()
    store.keep("drafts", "two", "3")
    assert store.problem == ""
    assert DiskStore(tmp_path).kept("matches") == {"one": "1"}
    assert DiskStore(tmp_path).kept("drafts") == {"two": "3"}


def test_a_page_hears_once_that_nothing_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, strerror(ENOSPC))

    store = DiskStore(tmp_path)
    page = Page(store=store)
    state = page.new()

    def told() -> list[Any]:
        return [each for each in page.told if each[0] == "store"]

    assert told() == []
    with monkeypatch.context() as filled:
        filled.setattr(disk, "write_whole", full)
        state = page.choose(page.choose(state))
        assert page.call("hello", token=TOKEN)["problem"] == "no space left on device"
    assert told() == [("store", {"problem": "no space left on device"})]
    page.choose(state)
    assert told()[1:] == [("store", {"problem": ""})]
    assert page.call("hello", token=TOKEN)["problem"] == ""


def test_all_pages_hear_that_nothing_can_be_kept() -> None:
    class Full(NoStore):
        problem = "no space left on device"

    page, heard = Page(store=Full()), []
    page.studio.clients.append(
        Client(page.studio, lambda method, params: heard.append((method, params)))
    )
    page.studio.problem = ""
    page.new()
    told = ("store", {"problem": Full.problem})
    assert told in heard and told in page.told


def test_links_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (tmp_path / "matches").mkdir()
    (tmp_path / "matches" / "link.json").symlink_to(tmp_path / "secret")
    assert DiskStore(tmp_path).kept("matches") == {}


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TILEWRIGHT_STUDIO", str(tmp_path))
    assert studio_folder() == tmp_path
    monkeypatch.delenv("TILEWRIGHT_STUDIO")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    if os.name == "posix" and os.uname().sysname == "Linux":
        assert studio_folder() == tmp_path / "tilewright/studio"


def test_a_file_whose_name_is_none_is_not_read(tmp_path: Path) -> None:
    store = DiskStore(tmp_path)
    store.keep("matches", "one", "1")
    (tmp_path / "matches" / "Not a name.json").write_text("2")
    assert store.kept("matches") == {"one": "1"}
