"""The output of a command as text, for a screen that is drawn in place."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout

from tilewright.faces.cli.exit_codes import Stop
from tilewright.faces.cli.output import say


class _Terminal(io.StringIO):
    """Collects what is printed, in the colours of a terminal."""

    def isatty(self) -> bool:
        return True


def printed(page: Callable[[], object]) -> str:
    """The output of a function; the message of a refusal."""
    with redirect_stdout(_Terminal()) as output:
        try:
            page()
        except Stop as stop:
            say("\n".join(filter(None, (stop.message, stop.hint))))
    return output.getvalue()
