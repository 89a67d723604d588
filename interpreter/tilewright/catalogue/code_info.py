"""What is known about a code of a complaint: what `explain` prints.

A family of codes is one module `codes_NAME.py` in this folder with a tuple `CODES`; `codes` joins
the families. Nothing here decides when a code is reported.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """A code, in a few words and at length, with an example that fails and the same one mended.

    `is_runnable` is False where the failing example cannot show the complaint by itself, because
    it is about the size of a file or about bytes that no text can hold.
    """

    code: str
    title: str
    explanation: str
    failing: str
    mended: str
    is_runnable: bool = True
