"""`python -m tilewright` and `tilewright` are the command line; here every run begins."""

from __future__ import annotations

import gc
import sys

#: allocations between two garbage collections. The objects of a start are kept until the end, so
#: the usual threshold would cost a tenth of a short run and free nothing.
GC_THRESHOLD = 50_000


def main() -> None:
    """The entry point."""
    gc.set_threshold(GC_THRESHOLD)
    try:
        from tilewright.cli.app import main as run
    except KeyboardInterrupt:
        from tilewright.cli.exit_codes import INTERRUPTED

        sys.exit(INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
