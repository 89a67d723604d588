"""Witnesses on the terminal: the board, the play, and the result on each side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tilewright.faces.cli.output import (
    bold,
    colour_wanted,
    dim,
    heading,
    mention,
    rows,
    say,
    width,
    wrapped,
    writing,
)
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.written_files import write_result
from tilewright.language.locale.words import Words
from tilewright.rules.reading.library import Library
from tilewright.tools.witness.storage import Boards, Painter, kept_witnesses, witness_files
from tilewright.tools.workspace.cache import user_cache
from tilewright.view.board.text import scene_text
from tilewright.view.comparison.witness import Outcomes, ending_lines, none_line, source_line
from tilewright.view.results.comparison import Comparison
from tilewright.view.results.divergence import Witness, Witnesses


def found_witnesses(
    comparison: Comparison, library: Library, words: Words, *, is_fresh: bool = False
) -> list[Witnesses]:
    """Find the witnesses of a comparison with a progress bar; fresh ones do not use the cache."""
    units = {
        "scenarios": words("progress.scenarios"),
        "decisions": words("progress.decisions"),
        "boards": words("progress.boards"),
    }
    with progress(words("progress.searching_boards"), language=words.language) as step:
        return kept_witnesses(
            comparison,
            library,
            user_cache(is_wanted=not is_fresh),
            progress=lambda what, done, total: step(done, total, unit=units[what]),
        )


def saved_witnesses(found: Sequence[Witnesses], folder: Path) -> None:
    """Write witnesses into a folder; raises `Stop` where that fails."""
    with writing(folder):
        files = witness_files(found)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_result(folder / name, text, "scenarios")
    mention(f"wrote {len(files)} files to {folder}")


def print_witnesses(
    found: Sequence[Witnesses], comparison: Comparison, library: Library, language: str
) -> None:
    """Print all witnesses, each with the rows that it shows, and the rows that have none."""
    painter, words = Painter(library), Words(language)
    for number, group, witness in Outcomes(comparison, found).numbered():
        names = [comparison.sides[side].name for side in (group.left, group.right)]
        heading(f"{words.sentence('comparison.board', number=number)}: {_named(witness.rows)}")
        print_witness(witness, painter.boards(witness, language), names, language)
    for group in found:
        if group.without:
            heading(_named(group.without))
            say(wrapped(none_line(group, language), 2, 2))


def print_witness(
    witness: Witness, boards: Boards | None, names: Sequence[str], language: str = "en"
) -> None:
    """Print a witness; `names` are the names of the two sides."""
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


def _named(keys: Sequence[str]) -> str:
    """Rows by their keys: `topic some.topic, step some_step`."""
    return ", ".join(key.replace(":", " ", 1) for key in keys)
