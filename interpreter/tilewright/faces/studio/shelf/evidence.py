"""Boards for the rows of a comparison: searched as a job, and drawn as soon as each is known."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from tilewright.faces.studio.protocol import compare as p
from tilewright.language.locale.words import Words
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.witness.find import DECISIONS, Progress, silent
from tilewright.tools.witness.kept import kept_witnesses
from tilewright.tools.witness.storage import Painter
from tilewright.tools.workspace.cache import user_cache
from tilewright.tools.workspace.library_state import library_state
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


class BoardsSoFar:
    """The boards that a search has found, drawn as soon as each is known."""

    def __init__(self, comparison: Comparison, library: Library, language: str) -> None:
        self._sides = comparison.sides[0], comparison.sides[1]
        self.painter = Painter(library, language)
        self._words = Words(language)
        self._pictures = PageBoards()
        self._drawn: dict[Witness, p.EvidenceBoard] = {}

    def add(self, witness: Witness) -> None:
        """Draw one more. A row that had one before has this one from now on."""
        scenes = self.painter.boards(witness)
        board = compose_board(witness, self._words, scenes, self._sides)
        self._drawn[witness] = _evidence(board, self._pictures)

    def listed(self, found: Sequence[Witness] | None = None, none: str = "") -> p.BoardList:
        """The boards of some witnesses, else of all; `none` is the extent of the search for other
        rows.
        """
        shown = tuple(self._drawn) if found is None else found
        colours = {name: list(pair) for name, pair in self._pictures.colours.items()}
        return {
            "boards": [self._drawn[witness] for witness in shown],
            "rows": {row: number for number, each in enumerate(shown) for row in each.rows},
            "colours": colours,
            "none": none,
        }


def boards(
    library: Library,
    games: tuple[str, str],
    language: str = "en",
    progress: Progress = silent,
    decisions: int = DECISIONS,
    seconds: float | None = _SECONDS,
    found: Callable[[BoardsSoFar], None] = lambda boards: None,
) -> p.BoardList:
    """Boards for the rows of a comparison of two games: run it as a job.

    Scenarios are tried first; then games are played, up to so many `decisions`. `found` is called
    with all boards so far after each new one. The drawn boards are kept for `kept_boards`.
    """
    cache, state = user_cache(), library_state(library)
    comparison = compare_texts(games, library)
    shown = BoardsSoFar(comparison, library, language)

    def show(witness: Witness) -> None:
        shown.add(witness)
        found(shown)

    result = kept_witnesses(
        comparison,
        shown.painter.programs,
        cache,
        decisions=decisions,
        seconds=seconds,
        progress=progress,
        heard=show,
        state=state,
    )
    none = none_line(result, language) if result.without else ""
    listed = shown.listed(result.witnesses, none)
    if state and not result.sought.stopped:
        cache.put(json.dumps(listed).encode(), *_key(state, games, language, decisions))
    return listed


def kept_boards(
    library: Library, games: tuple[str, str], language: str, decisions: int = DECISIONS
) -> p.BoardList | None:
    """The boards that `boards` has drawn earlier, of a search as long or longer, while no ruleset
    has changed; else None.
    """
    cache, state = user_cache(), library_state(library)
    for most in dict.fromkeys((DECISIONS, decisions)) if state else ():
        raw = cache.get(*_key(state, games, language, most)) if most >= decisions else None
        if raw is not None:
            listed: p.BoardList = json.loads(raw)
            return listed
    return None


def _key(
    state: tuple[str, ...], games: tuple[str, str], language: str, decisions: int
) -> tuple[str, ...]:
    return ("evidence", *state, *games, language, str(decisions))


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
