"""The web page of a comparison: fetches what its pictures are drawn from, and has it laid out."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.linking.game import Game
from tilewright.model.comparison import Comparison, TilePair
from tilewright.model.ruleset import PieceKind
from tilewright.reading.library import Library
from tilewright.render.page import as_html
from tilewright.render.page_drawn import Look
from tilewright.render.view import spoken_kinds, spoken_symbols
from tilewright.tools.compare_tiles import quarters_between
from tilewright.tools.load import load_game


def page_of(comparison: Comparison, library: Library, *, language: str = "en") -> str:
    """A comparison of games that are named as their sides are, as HTML; it can be made.

    The games are linked once more, for their tiles and colours; rulesets are not read again.
    """
    games: dict[str, Game] = {}
    for side in comparison.sides:
        if side.name not in games:
            game, reporter = load_game(side.name, library=library)
            assert game is not None, reporter.diagnostics
            games[side.name] = game
    looks = [_look(games[side.name], language) for side in comparison.sides]
    return as_html(comparison, looks, _turns(comparison, looks), language=language)


def _look(game: Game, language: str) -> Look:
    pieces = {piece.id: piece for piece in game.pieces}
    return Look(spoken_kinds(game, language), spoken_symbols(game, language), pieces)


def _turns(comparison: Comparison, looks: Sequence[Look]) -> dict[tuple[int, TilePair], int]:
    """How the right tile of every pair is turned to lie as the left one does."""
    found = {}
    for row in comparison.tiles:
        for pair in row.tiles:
            left = _piece(looks[row.left], pair.left)
            right = _piece(looks[row.right], pair.right)
            if left is not None and right is not None:
                found[row.right, pair] = quarters_between(left, right)
    return found


def _piece(look: Look, id_: str) -> PieceKind | None:
    return look.pieces.get(id_)
