"""Signals that end a run: Ctrl-C, `kill` and a closed terminal.

Each becomes an exception in the main thread, so that files are whole, workers end and the terminal
is as before. Python ignores an exception that is raised while it runs a destructor or the callback
of a weak reference; the signal is then repeated a moment later, and so never lost. A signal that
arrives just before the main thread begins to wait, or on another thread, does not end the wait: it
is repeated too.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from select import select
from typing import TYPE_CHECKING

from tilewright.faces.cli.exit_codes import BY_SIGNAL

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType

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


@contextmanager
def signals_repeated() -> Iterator[None]:
    """Wait for input in the block, and let a signal end the wait whenever it arrives."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not hasattr(signal, "pthread_kill"):  # Windows
        yield
        return
    ending = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    found = {int(number): signal.getsignal(number) for number in ending}
    usual = {number: handler for number, handler in found.items() if callable(handler)}
    unhandled = set(usual)

    def handle(number: int, frame: FrameType | None) -> None:
        unhandled.discard(number)
        usual[number](number, frame)

    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    thread = threading.Thread(target=_repeat_until, args=(unhandled, reader), daemon=True)
    thread.start()
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        for number in usual:
            signal.signal(number, handle)
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(before)
        os.close(writer)
        thread.join()
        os.close(reader)


def _repeat_until(unhandled: set[int], reader: int) -> None:
    """Repeat the signals whose numbers come through a pipe until they are handled or it ends."""
    arrived: set[int] = set()
    while True:
        if not select([reader], [], [], _SOON if arrived else None)[0]:
            arrived &= unhandled
            for number in arrived:
                _send(number)
        elif numbers := os.read(reader, 64):
            arrived.update(numbers)
        else:
            return


def _send(number: int) -> None:
    """Send a signal to the main thread, also while it waits for something."""
    thread = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and thread is not None:
        signal.pthread_kill(thread, number)
    else:
        interrupt_main(signal.Signals(number))
