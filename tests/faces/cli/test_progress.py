"""Progress of long work: on a terminal alone, with rate and remaining time, and gone at the end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.marks import slow_unless
from support.paths import ROOT
from tilewright.faces.cli.progress import pace
from tilewright.language.locale.words import Words

WORK = ("simulate", "c2/base", "--games", "4000000", "--jobs", "2")
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")


@pytest.mark.parametrize(
    ("done", "total", "speed", "elapsed", "text"),
    [
        (30, 120, 15.0, 2.0, "30/120 games  15/s  0:06 left"),
        (3, 120, 1.5, 2.0, "3/120 games  1.5/s  1:18 left"),
        (3, 5000, 0.1, 30.0, "3/5000 games  10 s each  13:52:50 left"),
        (0, 120, None, 2.0, "0/120 games"),
        (7, None, 2.0, 3.0, "7 games  2.0/s  0:03"),
        (0, None, None, 61.0, "1:01"),
    ],
)
def test_progress_has_a_count_a_rate_and_the_time_left(
    done: int, total: int | None, speed: float | None, elapsed: float, text: str
) -> None:
    assert pace(done, total, "games", speed, elapsed, Words()) == text


@pytest.mark.parametrize(("language", "text"), [("uk", "ще 0:20"), ("pl", "pozostało 0:20")])
def test_the_words_of_progress_are_those_of_the_language(language: str, text: str) -> None:
    assert pace(30, 40, "x", 0.5, 60.0, Words(language)).endswith(text)
    assert " s each" not in pace(30, 40, "x", 0.1, 60.0, Words(language))


@on_posix
@pytest.mark.parametrize("columns", slow_unless(lambda columns: columns == 60, [60, 100]))
def test_the_workers_of_a_pool_move_the_line_and_ctrl_c_removes_it(columns: int) -> None:
    from support.terminal import Terminal

    with Terminal(WORK, columns=columns, rows=50) as terminal:
        page = terminal.wait(lambda page: bool(re.search(r"[1-9]\d*/4000000 games", page)))
        assert re.search(r"/4000000 games  [\d.]+/s  [\d:]+ left", page)
        assert len([line for line in page.splitlines() if line]) == 1
        os.killpg(terminal.program.pid, signal.SIGINT)
        assert terminal.end() == 130
        page = terminal.read()
        assert "left" not in page and "━" not in page
        assert not terminal.screen.cursor.hidden


@on_posix
@pytest.mark.slow
def test_an_interrupt_ends_the_workers_without_waiting_for_their_work() -> None:
    from support.terminal import Terminal

    with Terminal(("mutate", "c2/base", "--jobs", "2")) as terminal:
        terminal.wait(lambda page: bool(re.search(r"\d+/\d+ mutants", page)))
        terminal.read()  # the workers have begun
        os.killpg(terminal.program.pid, signal.SIGINT)
        assert terminal.end() == 130
        assert not terminal.read().strip()
        assert b"Traceback" not in terminal.raw


@on_posix
def test_a_run_that_is_told_to_end_removes_the_line_and_ends_its_workers() -> None:
    from support.terminal import Terminal

    with Terminal(WORK) as terminal:
        terminal.wait("4000000 games")
        terminal.program.send_signal(signal.SIGTERM)
        assert terminal.end() == 143
        assert not terminal.read().strip()
        with pytest.raises(ProcessLookupError):
            os.killpg(terminal.program.pid, 0)


@on_posix
@pytest.mark.slow
def test_progress_without_colour_is_a_line_too() -> None:
    from support.terminal import Terminal

    with Terminal(WORK, NO_COLOR="1") as terminal:
        terminal.wait(lambda page: "4000000 games" in page)
        assert b"8;5;" not in terminal.raw and b"\x1b[3" not in terminal.raw


@on_posix
@pytest.mark.slow
def test_a_dumb_terminal_gets_no_progress() -> None:
    from support.terminal import Terminal

    with Terminal((*WORK[:3], "20000", "--jobs", "2"), TERM="dumb") as terminal:
        assert terminal.end() == 0
        assert b"\x1b" not in terminal.raw and b"/20000" not in terminal.raw


def test_a_pipe_gets_no_progress(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", *WORK[:3], "20000", "--jobs", "2"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "FORCE_COLOR": "1"},
        capture_output=True,
        check=True,
    )
    assert not done.stderr
