"""Processes that begin as copies of this one and end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def forking_context() -> multiprocessing.context.BaseContext:
    """A context whose processes begin as a copy of this one, where the system supports that."""
    ways = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("fork" if "fork" in ways else None)


def settle_in() -> None:
    """Prepare a new process: the parent handles interrupts, and no child outlives it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def usable_cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
