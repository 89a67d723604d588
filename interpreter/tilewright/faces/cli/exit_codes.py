"""The exit codes, and the exception that ends a run with a message.

0 success, 1 problems found, 2 usage error, 3 unreadable input, 4 internal error, 5 search ended
early without a result, 130 interrupted, 129 and 143 ended by a signal. A verb raises `Stop`; `app`
prints the message and exits with the code.
"""

from __future__ import annotations

SUCCESS, PROBLEMS, USAGE, UNREADABLE, INTERNAL_ERROR, CUT_SHORT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130
#: added to the number of a signal that ends a run: 143 after `kill`, 129 after a closed terminal
BY_SIGNAL = 128


class Stop(Exception):  # noqa: N818 - not always an error
    """Ends a run with an exit code, and a message and hint on standard error."""

    def __init__(self, code: int, message: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
