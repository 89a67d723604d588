"""Processes that begin as copies of this one and end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")


def forking_context() -> multiprocessing.context.BaseContext:
    """A context whose processes begin as a copy of this one, where the system supports that."""
    ways = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("fork" if "fork" in ways else None)


def start_uninterrupted(process: BaseProcess) -> None:
    """Start a process that no Ctrl-C reaches, even before it is prepared."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        process.start()
        return
    from multiprocessing import resource_tracker  # Python in a page has none

    resource_tracker.ensure_running()  # which would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def settle_in() -> None:
    """Prepare a new process: the parent handles interrupts, ends it, and is not outlived by it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


#: in a process of a pool: the object that it works on
_HELD: list[Any] = []


def together(*given: Any) -> tuple[Any, ...]:
    """All that is given."""
    return given


def begin(make: Callable[..., object], *given: Any) -> None:
    """Prepare a new process that works on what `make` makes of what is given."""
    settle_in()
    _HELD[:] = [make(*given)]


def held() -> Any:
    """The object that this process of a pool works on."""
    return _HELD[0]


@contextmanager
def worker_pool(
    jobs: int, *given: Any, make: Callable[..., object] = together
) -> Iterator[ProcessPoolExecutor]:
    """A pool whose processes each work on what `make(*given)` makes; see `held`.

    If the block ends early, by Ctrl-C or an error, its processes end at once and leave their
    work.
    """
    others = set(multiprocessing.active_children())
    pool = None
    try:
        with signals_held():
            pool = ProcessPoolExecutor(
                jobs, mp_context=forking_context(), initializer=begin, initargs=(make, *given)
            )
            pool.submit(os.getpid)  # the processes and the thread of the pool begin here
        yield pool
    except BaseException:
        # no work is cancelled before: Python 3.11 stumbles over cancelled work of a broken pool
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        if pool is not None:
            with suppress(RuntimeError):  # its thread never began
                pool.shutdown()
        raise
    pool.shutdown()


@contextmanager
def signals_held() -> Iterator[None]:
    """Signals that end a run take effect at the end of the block: a pool cannot be half made."""
    arrived: list[int] = []
    usual: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and callable(signal.getsignal(number)):
                usual[number] = signal.getsignal(number)
    try:
        for number in usual:
            signal.signal(number, lambda number, _: arrived.append(number))
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        for number in arrived:
            signal.raise_signal(number)


def in_order(
    pool: ProcessPoolExecutor,
    function: Callable[[Argument], Result],
    items: Sequence[Argument],
    size: int = 1,
) -> Iterator[Result]:
    """The results of a function in the order of its arguments; a process takes `size` at a time."""
    chunks = [items[at : at + size] for at in range(0, len(items), size)]
    waiting = deque(pool.submit(_results, function, chunk) for chunk in chunks)
    while waiting:
        yield from waiting.popleft().result()


def _results(function: Callable[[Argument], Result], arguments: Sequence[Argument]) -> list[Result]:
    return [function(each) for each in arguments]


def usable_cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
