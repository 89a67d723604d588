"""Boards for the rows of a comparison: searched as a job, and drawn as soon as each is known."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.faces.studio.protocol import compare as p
from tilewright.language.locale.words import Words
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.witness.find import DECISIONS, find_witnesses
from tilewright.tools.witness.storage import Painter
from tilewright.view.board.page import PageBoards
from tilewright.view.board.scene import Scene
from tilewright.view.comparison.boards import compose_board
from tilewright.view.comparison.witness import none_line
from tilewright.view.page import blocks as b
from tilewright.view.page.drawings import STEP_TILE
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
        self._painter = Painter(library, language)
        self._words = Words(language)
        self._pictures = PageBoards()
        self._boards: list[p.EvidenceBoard] = []
        self._rows: dict[str, int] = {}

    def add(self, witness: Witness) -> None:
        """Draw one more."""
        self._rows |= {row: len(self._boards) for row in witness.rows}
        scenes = self._painter.boards(witness)
        board = compose_board(witness, self._words, scenes, self._sides)
        self._boards.append(_evidence(board, self._pictures))

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


def _evidence(board: b.Board, pictures: PageBoards) -> p.EvidenceBoard:
    def picture(scene: Scene | None, size: int = _TILE) -> str:
        return "" if scene is None else pictures.picture(scene, size)

    sides: list[p.BoardSide] = [
        {"picture": picture(end.scene), "results": list(end.results), "says": end.says}
        for end in board.ends
    ]
    play: list[p.PlayedStep] = [
        {"says": step.says, "picture": picture(step.scene, STEP_TILE)} for step in board.play
    ]
    return {"start": picture(board.start), "play": play, "sides": sides, "source": board.source}
