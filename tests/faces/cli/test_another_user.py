"""Runs of a user who owns nothing: not the home folder, not the cache, not the current folder."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from support.paths import ROOT

if sys.platform == "win32" or os.geteuid() != 0:
    pytest.skip("only root can run programs as another user", allow_module_level=True)

#: the user `nobody`, and one that no list of users has
NOBODY, UNKNOWN = 65534, 54321
#: where Python finds the program and its libraries
PATHS = (str(ROOT / "interpreter"), *(path for path in sys.path if path.endswith("-packages")))
RULES = "id: house/mine\nkind:   house\ntitle: Mine\nrequires: {base: c2/base}\n"


class Desk:
    """A folder that everybody reads and only root writes, with a home and a cache of root."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.cache = folder / "cache"
        self.ruleset = folder / "house" / "mine"
        for path in (self.home, self.cache / "programs", self.ruleset):
            path.mkdir(parents=True)
            path.chmod(0o755)
        (self.ruleset / "module.yaml").write_text(RULES, encoding="utf-8")
        self.folder = folder

    def environment(self, **more: str) -> dict[str, str]:
        left_out = ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TILEWRIGHT_CACHE")
        kept = {k: v for k, v in os.environ.items() if k not in left_out}
        return kept | {"PYTHONPATH": os.pathsep.join(PATHS), "NO_COLOR": "1"} | more

    def run(self, user: int, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*program(), *words], cwd=self.folder, env=self.environment(**more), user=user,
            group=user, extra_groups=[], input="1\n1\n", capture_output=True, text=True,
            timeout=300, check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stderr and "internal error" not in done.stderr, done.stderr
        return done


@cache
def program() -> tuple[str, ...]:
    """The program under a Python that another user may run: this one, or that of the system."""
    for python in filter(None, (sys.executable, shutil.which("python3", path="/usr/bin"))):
        command = (python, "-c", "import sys, typer, tilewright; print(sys.version_info[:2])")
        environment = {"PYTHONPATH": os.pathsep.join(PATHS)}
        with suppress(PermissionError):
            done = subprocess.run(
                command, user=NOBODY, group=NOBODY, extra_groups=[], env=environment, cwd="/",
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.stdout.strip() == str(sys.version_info[:2]):
                return python, "-m", "tilewright"
    pytest.skip("another user cannot run the program")


@pytest.fixture
def desk() -> Iterator[Desk]:
    program()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield Desk(folder)


VERBS = (
    ("check", "c2/farmers"),
    ("check", "house/mine"),
    ("test", "c2/abbot"),
    ("play", "c2/base"),
    ("config",),
    ("simulate", "c2/base", "--games", "2"),
)


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_a_home_and_a_cache_of_somebody_else_are_no_error(
    desk: Desk, words: tuple[str, ...]
) -> None:
    before = sorted(path.stat().st_mtime_ns for path in desk.folder.rglob("*"))
    for more in (
        {"HOME": str(desk.home)},
        {"HOME": str(desk.home), "TILEWRIGHT_CACHE": str(desk.cache)},
    ):
        done = desk.run(NOBODY, *words, **more)
        assert done.returncode == 0, done.stderr
    assert sorted(path.stat().st_mtime_ns for path in desk.folder.rglob("*")) == before


def test_a_home_that_cannot_be_entered_is_no_error(desk: Desk) -> None:
    desk.home.chmod(0o700)
    assert desk.run(NOBODY, "check", "c2/farmers", HOME=str(desk.home)).returncode == 0


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_an_unknown_user_needs_no_home(desk: Desk, words: tuple[str, ...]) -> None:
    done = desk.run(UNKNOWN, *words)
    assert done.returncode == 0, done.stderr


def test_the_studio_of_an_unknown_user_says_what_to_set(desk: Desk) -> None:
    done = desk.run(UNKNOWN, "studio", "--no-browser")
    assert done.returncode == 3
    assert "the home folder of this user is unknown" in done.stderr
    assert "TILEWRIGHT_STUDIO" in done.stderr


@pytest.mark.parametrize("user", [NOBODY, UNKNOWN])
def test_the_studio_starts_where_nothing_can_be_written(desk: Desk, user: int) -> None:
    with subprocess.Popen(
        [*program(), "studio", "--no-browser"], cwd=desk.folder, user=user, group=user,
        extra_groups=[], env=desk.environment(HOME=str(desk.home), PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        line = process.stdout.readline() or process.stderr.read()
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert "the studio is at http://127.0.0.1:" in line
    assert "Traceback" not in error


@pytest.mark.parametrize(
    "words",
    [
        ("check", "house/mine", "--format", "json", "--out", "out.json"),
        ("fmt", "house/mine"),
        ("play", "c2/base", "--save", "game.json"),
        ("new", "expansion", "other"),
        ("test", "c2/abbot", "--format", "junit", "--out", "out.xml"),
    ],
    ids=" ".join,
)
def test_a_folder_that_cannot_be_written_is_named(desk: Desk, words: tuple[str, ...]) -> None:
    done = desk.run(NOBODY, *words, HOME=str(desk.home))
    assert done.returncode == 3, (done.returncode, done.stdout, done.stderr)
    assert "permission denied" in done.stderr or "cannot be written" in done.stderr
    assert sorted(path.name for path in desk.folder.iterdir()) == ["cache", "home", "house"]
