"""A witness on the terminal: the board, what is done, and what comes of it on each side."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.cli.say import bold, colour_wanted, dim, rows, say, width, wrapped
from tilewright.model.witness import Witness
from tilewright.render.text import scene_text
from tilewright.render.witnessed import ending_lines, source_line
from tilewright.tools.witness_boards import Boards


def print_witness(
    witness: Witness, boards: Boards | None, names: Sequence[str], language: str = "en"
) -> None:
    """Print a witness; `names` are what the two sides are called."""
    if witness.says:
        say(wrapped(witness.says, 2, 2))
    say(dim(wrapped(source_line(witness, language), 2, 2)))
    if boards is not None and boards.before is not None:
        say()
        say(scene_text(boards.before, width=width(), colour=colour_wanted()))
    say()
    placed = [(name, place) for name, place in witness.figures if "/" not in place]
    if placed:
        say(rows(placed))
    for line in witness.lines:
        say(f"  {line}")
    for side, name in enumerate(names):
        say()
        say(f"  {bold(name)}")
        for text in ending_lines(witness, side, language):
            say(wrapped(text, 4, 6))
