"""`python -m tilewright` and `tilewright` are the command line; here every run begins.

Ctrl-C ends a run with its exit code from the first line on, also while modules are imported.
"""

from __future__ import annotations

import sys

#: the exit code of an interrupted run; `faces/cli/exit_codes.py` has the others, but takes time
_INTERRUPTED = 130

try:
    import contextlib
    import gc
    import os
    import signal
except KeyboardInterrupt:
    sys.exit(_INTERRUPTED)

#: allocations between two garbage collections. The objects of a start are kept until the end, so
#: the usual threshold would cost a tenth of a short run and free nothing.
GC_THRESHOLD = 50_000


def main() -> None:
    """The entry point."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:  # a program in the background ignores Ctrl-C
        signal.signal(signal.SIGINT, _leave)
    gc.set_threshold(GC_THRESHOLD)
    _trust_no_folder()
    try:
        try:
            from tilewright.faces.cli.app import main as run
        finally:
            signal.signal(signal.SIGINT, usual)
        run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def _trust_no_folder() -> None:
    """Import nothing from the current folder, here and in processes that this one starts."""
    os.environ["PYTHONSAFEPATH"] = "1"
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with contextlib.suppress(OSError):  # the current folder has been removed
        here = os.getcwd()
        if here != package:
            sys.path[:] = [path for path in sys.path if path and path != here]


def _leave(number: int, _: object) -> None:
    """End at once: while modules are imported there is nothing to tidy up."""
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
