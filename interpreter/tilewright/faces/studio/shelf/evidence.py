"""Boards for the rows of a comparison: searched as a job, and drawn as soon as each is known."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.faces.studio.protocol import compare as p
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.witness.find import DECISIONS, find_witnesses
from tilewright.tools.witness.storage import Boards, Painter
from tilewright.view.board.page import PageBoards
from tilewright.view.comparison.html_boards import says_by_side
from tilewright.view.comparison.witness import ending_lines, none_line, source_line
from tilewright.view.results.comparison import Comparison
from tilewright.view.results.divergence import Witness

#: seconds that a search may take
_SECONDS = 60.0
#: the size of a tile
_TILE = 96
Progress = Callable[[str, int, int], None]


def _silent(what: str, done: int, total: int) -> None:
    """No progress report."""


class BoardsSoFar:
    """The boards that a search has found, drawn as soon as each is known."""

    def __init__(self, comparison: Comparison, library: Library, language: str) -> None:
        self._sides = comparison.sides[0], comparison.sides[1]
        self._painter = Painter(library)
        self._language = language
        self._pictures = PageBoards()
        self._boards: list[p.EvidenceBoard] = []
        self._rows: dict[str, int] = {}

    def add(self, witness: Witness) -> None:
        """Draw one more."""
        self._rows |= {row: len(self._boards) for row in witness.rows}
        self._boards.append(
            _evidence(
                witness,
                says_by_side(witness, self._sides),
                self._painter.boards(witness, self._language),
                self._pictures,
                self._language,
            )
        )

    def listed(self, none: str = "") -> p.BoardList:
        """All of them; `none` is the extent of the search for other rows."""
        colours = {name: list(pair) for name, pair in self._pictures.colours.items()}
        return {
            "boards": list(self._boards),
            "rows": dict(self._rows),
            "colours": colours,
            "none": none,
        }


def boards(
    library: Library,
    games: tuple[str, str],
    language: str = "en",
    progress: Progress = _silent,
    decisions: int = DECISIONS,
    seconds: float | None = _SECONDS,
    found: Callable[[BoardsSoFar], None] = lambda boards: None,
) -> p.BoardList:
    """Boards for the rows of a comparison of two games: run it as a job.

    Scenarios are tried first; then games are played, up to so many `decisions`. `found` is called
    with all boards so far after each new one.
    """
    comparison = compare_texts(games, library)
    shown = BoardsSoFar(comparison, library, language)

    def show(witness: Witness) -> None:
        shown.add(witness)
        found(shown)

    result = find_witnesses(
        games,
        comparison,
        library,
        decisions=decisions,
        seconds=seconds,
        progress=progress,
        heard=show,
    )
    return shown.listed(none_line(result, language) if result.without else "")


def _evidence(
    witness: Witness, says: tuple[str, str], boards: Boards, pictures: PageBoards, language: str
) -> p.EvidenceBoard:
    sides: list[p.BoardSide] = [
        {
            "picture": pictures.picture(scene, _TILE) if scene is not None else "",
            "results": list(ending_lines(witness, side, language, boards.spoken)),
            "says": says[side],
        }
        for side, scene in enumerate(boards.sides)
    ]
    return {
        "start": pictures.picture(boards.before, _TILE) if boards.before is not None else "",
        "play": list(witness.lines),
        "sides": sides,
        "source": source_line(witness, language),
    }
