"""A program in a terminal of its own: its keys are typed, its screen is read."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

import pyte

from support.paths import ROOT

_SILENCE, _AT_MOST, _PATIENCE = 0.25, 2.0, 60.0
KEYS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "^C": "\x03"}
#: variables of the environment that describe a terminal
_SAYING = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "COLORTERM", "CI", "TMUX")


def _own_terminal() -> None:
    """Make standard input the terminal whose keys send signals, as for a program in a window.

    A window does not ignore hangups, though the tests may have been started so (`nohup`).
    """
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Terminal:
    """The program with some words in a terminal; a context that ends it.

    `program` is another program that gets the words, such as a shell.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        program: Sequence[str] = (sys.executable, "-m", "tilewright"),
        columns: int = 100,
        rows: int = 30,
        folder: Path | None = None,
        **environment: str,
    ) -> None:
        self.screen = pyte.HistoryScreen(columns, rows, history=1000)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self._ours, theirs = pty.openpty()
        self._size(columns, rows)
        self.before = termios.tcgetattr(self._ours)
        kept = {name: value for name, value in os.environ.items() if name not in _SAYING}
        self.program = subprocess.Popen(
            [*program, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            start_new_session=True,
            preexec_fn=_own_terminal,
            env=kept
            | {"PYTHONPATH": str(ROOT / "interpreter"), "TERM": "xterm-256color"}
            | {"PYTHONIOENCODING": "utf-8", "TILEWRIGHT_LANG": "en"}
            | environment,
        )
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.program.poll() is None:
            os.killpg(self.program.pid, signal.SIGKILL)
            self.program.wait()
        os.close(self._ours)

    def _size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size, and notify the program."""
        self.screen.resize(rows, columns)
        self._size(columns, rows)
        self.program.send_signal(signal.SIGWINCH)

    def type(self, *keys: str) -> None:
        """Type texts, or keys by their names."""
        for key in keys:
            os.write(self._ours, KEYS.get(key, key).encode())

    def changed_by(self, key: str) -> str:
        """Type a key, and return the screen as soon as it is another one."""
        before = self._page()
        self.type(key)
        return self.wait(lambda page: page != before)

    def read(self) -> str:
        """The screen as soon as the program is silent for a while."""
        end = time.monotonic() + _AT_MOST
        while time.monotonic() < end and self._feed():
            pass
        return self._page()

    def _feed(self) -> bool:
        """Draw the next output; whether there is some before long."""
        if not select.select([self._ours], [], [], _SILENCE)[0]:
            return False
        try:
            found = os.read(self._ours, 65536)
        except OSError:  # the program has closed its end
            return False
        self.raw += found
        self._stream.feed(found)
        return bool(found)

    def _page(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait(self, wanted: str | Callable[[str], bool]) -> str:
        """The screen as soon as it has a text, or is as wanted; fails after a minute.

        A program hides the cursor while it draws; a page without a cursor is whole after a silence.
        """
        end = time.monotonic() + _PATIENCE
        while True:
            is_silent = not self._feed()
            page = self._page()
            if is_silent or not self.screen.cursor.hidden:
                if wanted in page if isinstance(wanted, str) else wanted(page):
                    return page
                assert time.monotonic() < end, f"the screen does not show {wanted!r}:\n{page}"
            assert not is_silent or self.program.poll() is None, f"the program has ended:\n{page}"

    def end(self) -> int:
        """The exit code, as soon as the program ends; fails after a minute."""
        end = time.monotonic() + _PATIENCE
        while self.program.poll() is None:
            self.read()
            assert time.monotonic() < end, "the program does not end"
        self.read()
        return self.program.wait()

    def modes(self) -> list[object]:
        """The modes of the terminal."""
        return termios.tcgetattr(self._ours)
