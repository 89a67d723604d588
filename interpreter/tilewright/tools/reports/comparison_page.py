"""The web page of a comparison: fetches what its pictures are drawn from, and has it laid out.

The boards of witnesses are played to their ends once more, since a page wants to draw them.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import PieceKind
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.tile_matching import quarters_between
from tilewright.tools.witness.storage import Painter
from tilewright.tools.workspace.loading import load_game
from tilewright.view.board.view import spoken_kinds, spoken_symbols
from tilewright.view.comparison.html import as_html
from tilewright.view.page.drawings import Look
from tilewright.view.results.comparison import Comparison, TilePair
from tilewright.view.results.divergence import Witnesses


def page_of(
    comparison: Comparison,
    library: Library,
    *,
    witnesses: Sequence[Witnesses] = (),
    language: str = "en",
) -> str:
    """A comparison of games that are named as their sides are, as HTML.

    The games are linked once more, for their tiles and colours; rulesets are not read again.
    """
    games: dict[str, Game] = {}
    for side in comparison.sides:
        if side.name not in games:
            game, reporter = load_game(side.name, library=library)
            assert game is not None, reporter.diagnostics
            games[side.name] = game
    looks = [_look(games[side.name], language) for side in comparison.sides]
    return as_html(
        comparison,
        looks,
        _turns(comparison, looks),
        witnesses=witnesses,
        draw=Painter(library, language).boards,
        language=language,
    )


def _look(game: Game, language: str) -> Look:
    pieces = {piece.id: piece for piece in game.pieces}
    return Look(spoken_kinds(game, language), spoken_symbols(game, language), pieces)


def _turns(comparison: Comparison, looks: Sequence[Look]) -> dict[tuple[int, TilePair], int]:
    """How the right tile of every pair is turned to lie as the left one does."""
    found = {}
    for row in comparison.tiles:
        for pair in row.tiles:
            left: PieceKind | None = looks[row.left].pieces.get(pair.left)
            right: PieceKind | None = looks[row.right].pieces.get(pair.right)
            if left is not None and right is not None:
                found[row.right, pair] = quarters_between(left, right)
    return found
