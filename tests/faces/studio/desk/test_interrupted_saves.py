"""Saving while the program is killed or the disk is full: each file is the old or the new one."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from support.hungry import write_hungry
from support.studio_client import PEOPLE
from support.studio_process import Channel, started
from tilewright.faces.studio.doors.disk import DiskStore

if sys.platform == "win32":
    pytest.skip("limits and signals are those of Unix", allow_module_level=True)

PATH = "0/hungry-dragon/rules/dragon.yaml"


def text_of(number: int) -> str:
    """A text of some size that shows by its end whether it is whole."""
    return f"# {number}\n" + "# filled\n" * 8000 + f"# {number}\n"


def number_of(text: str) -> int:
    """The number of a text; it is whole."""
    number = int(text.splitlines()[0].removeprefix("# "))
    assert text == text_of(number)
    return number


def unfinished(folder: Path) -> list[str]:
    """The hidden files of a folder and of those in it."""
    return [path.name for path in folder.rglob(".*") if path.is_file()]


@pytest.mark.slow
def test_a_killed_program_leaves_whole_files(tmp_path: Path) -> None:
    write_hungry(tmp_path / "rules")
    file = tmp_path / "rules/hungry-dragon/rules/dragon.yaml"
    lot, last = random.Random(1), 0
    for _ in range(8):
        with started(tmp_path, "--folder", "rules") as (process, port, token):
            channel = Channel(port, token)
            stamp = channel.call("file.read", path=PATH)["stamp"]
            match = channel.call("match.new", game="c2/base", seats=PEOPLE, seed="a")
            channel.call("match.state", match=match["match"])  # the match is kept now, not later
            choices = 0
            if not last:  # a killed program has saved something
                stamp = channel.call("file.write", path=PATH, text=text_of(1), stamp=stamp)["stamp"]
                last = 1
            killer = threading.Timer(lot.uniform(0.02, 0.5), process.kill)
            killer.start()
            with suppress(ConnectionClosed, OSError):
                while True:
                    wanted = {"path": PATH, "text": text_of(last + 1), "stamp": stamp}
                    stamp = channel.call("file.write", **wanted)["stamp"]
                    last += 1
                    match = channel.call("match.choose", match=match["match"], n=0)
                    choices += 1
            killer.join()
        assert number_of(file.read_text()) in (last, last + 1)
        last = number_of(file.read_text())
        kept = json.loads(DiskStore(tmp_path / "kept").kept("matches")[match["match"]])
        assert choices - 1 <= len(kept["studio"]["nodes"]) <= choices + 1


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """A disk of 400 KiB."""
    place.mkdir()
    options = ["-t", "tmpfs", "-o", "size=400k", "tmpfs", str(place)]
    if subprocess.run(["mount", *options], capture_output=True, check=False).returncode:
        pytest.skip("a disk cannot be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def refused(channel: Channel, **params: Any) -> str:
    """The refusal of a save."""
    with pytest.raises(AssertionError) as refusal:
        channel.call("file.write", **params)
    return str(refusal.value)


@pytest.mark.slow
def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    with (
        small_disk(tmp_path / "disk") as disk,
        started(disk, "--folder", str(disk)) as (_, port, token),
    ):
        write_hungry(disk)
        file = disk / "hungry-dragon/rules/dragon.yaml"
        channel = Channel(port, token)
        channel.call("file.rename", path="0/hungry-dragon", to="0/mine")
        channel.call("file.rename", path="0/mine", to="0/hungry-dragon")
        stamp = channel.call("file.read", path=PATH)["stamp"]
        first = {"path": PATH, "text": text_of(1), "stamp": stamp}
        stamp = channel.call("file.write", **first)["stamp"]
        match = channel.call("match.new", game="c2/base", seats=PEOPLE, seed="a")
        with (disk / "filler").open("wb", buffering=0) as filler, suppress(OSError):
            while True:
                filler.write(b"x" * 1024)
        second = {"path": PATH, "text": text_of(2), "stamp": stamp}
        assert "cannot be written: no space left on device" in refused(channel, **second)
        assert number_of(file.read_text()) == 1
        for _ in range(20):  # a match goes on, and is kept for this run
            match = channel.call("match.choose", match=match["match"], n=0)
        assert channel.call("match.state", match=match["match"])["at"] == 20
        assert unfinished(disk) == []
        (disk / "filler").unlink()
        channel.call("file.write", **second)
        assert number_of(file.read_text()) == 2
        channel.call("match.choose", match=match["match"], n=0)
        time.sleep(0.5)
        kept = json.loads(DiskStore(disk / "kept").kept("matches")[match["match"]])
        assert len(kept["studio"]["nodes"]) == 21


@pytest.mark.slow
def test_a_file_that_becomes_too_large_stays_as_it_was(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    write_hungry(tmp_path / "rules")
    file = tmp_path / "rules/hungry-dragon/rules/dragon.yaml"
    before = file.read_text()
    with started(tmp_path, "--folder", "rules", before=limit) as (process, port, token):
        channel = Channel(port, token)
        stamp = channel.call("file.read", path=PATH)["stamp"]
        wanted = {"path": PATH, "text": text_of(1), "stamp": stamp}
        assert "cannot be written: file too large" in refused(channel, **wanted)
        channel.call("file.draft", path=PATH, text=text_of(1), stamp="")
        assert channel.call("file.read", path=PATH)["draft"] == text_of(1)
        assert process.poll() is None
    assert file.read_text() == before
    assert unfinished(tmp_path / "rules") == []
