"""`python -m tilewright` and `tilewright` are the command line; here every run begins."""

from __future__ import annotations

import gc
import sys

#: new things between two looks for garbage. What a run makes at its start stays to its end, so the
#: usual number has a tenth of a short run spent on looking for what is not there.
BETWEEN_LOOKS = 50_000


def main() -> None:
    """The entry point."""
    gc.set_threshold(BETWEEN_LOOKS)
    try:
        from tilewright.cli.app import main as run
    except KeyboardInterrupt:
        from tilewright.cli.exit_codes import INTERRUPTED

        sys.exit(INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
