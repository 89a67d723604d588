"""Processes of a pool: their signals, and their end."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from tilewright.tools.workspace.processes import settle_in, worker_pool

#: prints whether a new process of the command line leaves signals to its parent
CHILD = """
import os, signal
from tilewright.cli.interrupts import handle_signals
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


def test_a_pool_that_is_interrupted_while_it_begins_raises_the_interrupt_alone() -> None:
    with pytest.raises(KeyboardInterrupt), worker_pool(1, settle_in) as pool:
        pool._executor_manager_thread = threading.Thread()  # it is not started
        raise KeyboardInterrupt
