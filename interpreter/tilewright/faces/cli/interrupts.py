"""Signals that end a run: Ctrl-C, `kill` and a closed terminal.

Each becomes an exception in the main thread, so that files are whole, workers end and the terminal
is as before. Python ignores an exception that is raised while it runs a destructor or the callback
of a weak reference; the signal is then repeated a moment later, and so never lost.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from _thread import interrupt_main
from contextlib import suppress
from typing import TYPE_CHECKING

from tilewright.faces.cli.exit_codes import BY_SIGNAL

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

#: seconds after which a signal is repeated
_SOON = 0.02


def handle_signals() -> None:
    """Make the signals exceptions, from now on."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP, and `nohup` ignores it
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end)
    sys.unraisablehook = _repeat
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=_block, after_in_parent=_unblock, after_in_child=_leave_to_parent
        )


class _Blocked(threading.local):
    """The signals that a thread had blocked before it began to copy the process."""

    before: set[int] | None = None


_blocked = _Blocked()


def _block() -> None:
    """Let no signal reach a new process before it has its own handlers."""
    _blocked.before = {int(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, ())}
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))


def _unblock() -> None:
    before, _blocked.before = _blocked.before, None
    if before is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_to_parent() -> None:
    """Let the parent answer signals: Ctrl-C reaches all processes, and it ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _unblock()


def _end(number: int, _: object) -> None:
    """End as after an error."""
    raise SystemExit(BY_SIGNAL + number)


def _repeat(ignored: UnraisableHookArgs) -> None:
    """Repeat the signal whose exception was ignored; others are reported as usual."""
    error = ignored.exc_value
    if isinstance(error, KeyboardInterrupt):
        number = int(signal.SIGINT)
    elif isinstance(error, SystemExit) and isinstance(error.code, int) and error.code > BY_SIGNAL:
        number = error.code - BY_SIGNAL
    else:
        sys.__unraisablehook__(ignored)
        return
    again = threading.Timer(_SOON, _send, [number])
    again.daemon = True
    with suppress(RuntimeError):  # the interpreter is already ending
        again.start()


def _send(number: int) -> None:
    """Send a signal to the main thread, also while it waits for something."""
    thread = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and thread is not None:
        signal.pthread_kill(thread, number)
    else:
        interrupt_main(signal.Signals(number))
