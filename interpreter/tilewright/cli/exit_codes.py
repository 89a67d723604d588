"""How a run of the program ends: its exit codes, and the one way to stop with a sentence.

0 success, 1 problems found, 2 usage error, 3 unreadable input, 4 internal error, 5 a search that
was cut short before it found anything. A verb raises
`Stop`; `app` says the sentence and ends with the code.
"""

from __future__ import annotations

SUCCESS, PROBLEMS, USAGE, UNREADABLE, INTERNAL_ERROR, CUT_SHORT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130


class Stop(Exception):  # noqa: N818 - a run may end well, too
    """The end of a run, with a sentence for people on standard error."""

    def __init__(self, code: int, message: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
