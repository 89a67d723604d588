"""TW630 to TW659: what is no error and yet most likely a slip, or unfinished.

For the game that the examples build on see `codes_names`.
"""

from __future__ import annotations

from tilewright.source.code_info import CodeInfo


def _says(text: str) -> str:
    return (
        "# statements.yaml\nstatements:\n  - id: trial-bonus\n    topic: scoring.bonus\n"
        f"    says: {text}\n    authority: official\n    carried_by: tiles\n"
    )


CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW630",
        "something left to do",
        "The word TODO marks what an author wants to come back to; `tilewright new` leaves such "
        "marks where only the author knows what to write. Do it, and take the mark out.",
        _says('"TODO: how much a town pays"'),
        _says("A town pays one more."),
    ),
)
