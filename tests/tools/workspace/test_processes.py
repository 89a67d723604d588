"""Processes of a pool: their signals, and their end."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
import threading

import pytest

from tilewright.tools.workspace import processes
from tilewright.tools.workspace.processes import (
    signals_held,
    start_uninterrupted,
    worker_pool,
)

#: prints whether a new process of the command line leaves signals to its parent
CHILD = """
import os, signal
from tilewright.faces.cli.interrupts import handle_signals
handle_signals()
if os.fork() == 0:
    print(signal.getsignal(signal.SIGINT).name, signal.getsignal(signal.SIGTERM).name, flush=True)
    os._exit(0)
os.wait()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes begin as copies on POSIX only")
def test_a_new_process_leaves_signals_to_its_parent_from_the_beginning() -> None:
    done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["SIG_IGN", "SIG_DFL"]


#: sends a signal to a new process before it has handlers of its own, and prints how it ended
EARLY = """
import os, signal, sys, time
os.register_at_fork(after_in_child=lambda: time.sleep(0.2))
from tilewright.faces.cli.interrupts import handle_signals
handle_signals()
child = os.fork()
if child == 0:
    os._exit(7)
os.kill(child, getattr(signal, sys.argv[1]))
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes begin as copies on POSIX only")
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 7), ("SIGTERM", -15)])
def test_a_signal_in_the_first_moment_of_a_new_process_raises_nothing(name: str, code: int) -> None:
    words = [sys.executable, "-c", EARLY, name]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == (str(code), "")


def test_an_interrupt_that_is_held_comes_at_the_end() -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), signals_held():
        signal.raise_signal(signal.SIGINT)
        reached = True
    assert reached
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_pool_that_is_interrupted_while_its_processes_begin_leaves_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Pool(processes.ProcessPoolExecutor):
        def submit(self, *words: object, **named: object) -> object:  # type: ignore[override]
            signal.raise_signal(signal.SIGINT)
            return super().submit(*words, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(processes, "ProcessPoolExecutor", Pool)
    with pytest.raises(KeyboardInterrupt), worker_pool(2):
        raise AssertionError("the block began")
    assert not multiprocessing.active_children()


def test_a_pool_that_is_interrupted_while_it_begins_raises_the_interrupt_alone() -> None:
    with pytest.raises(KeyboardInterrupt), worker_pool(1) as pool:
        pool._executor_manager_thread = threading.Thread()  # it is not started
        raise KeyboardInterrupt


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_does_not_reach_a_process_that_is_not_prepared_yet() -> None:
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=signal.raise_signal, args=(signal.SIGINT,), daemon=True)
    start_uninterrupted(process)
    process.join()
    assert process.exitcode == 0
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
