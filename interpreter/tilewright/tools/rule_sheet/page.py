"""The sheet of a game as a web page that prints well, with pictures of its tiles."""

from __future__ import annotations

from functools import partial

from tilewright.language.locale.words import Words
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import PieceKind
from tilewright.rules.reading.library import Library
from tilewright.tools.rule_sheet.compose import sheet_of
from tilewright.view.board.view import spoken_kinds, spoken_symbols
from tilewright.view.page.blocks import Drawing
from tilewright.view.page.drawings import Look, Sheet
from tilewright.view.page.html import part_text, report_html
from tilewright.view.page.palette import style_sheet


def sheet_page(game: Game, library: Library, words: Words) -> str:
    """The sheet of a game as HTML."""
    pieces = {piece.id: piece for piece in game.pieces}
    look = Look(spoken_kinds(game, words.language), spoken_symbols(game, words.language), pieces)
    drawn = Sheet()
    blocks = sheet_of(game, library, words, partial(_picture, drawn, look))
    drawings, colours = drawn.drawings()
    style = style_sheet(colours) + part_text("sheet.css")
    return report_html([Drawing(drawings), *blocks], ("",), words, style=style)


def _picture(drawn: Sheet, look: Look, piece: PieceKind) -> str:
    return drawn.piece(piece, look, piece.id.replace("_", " "))
