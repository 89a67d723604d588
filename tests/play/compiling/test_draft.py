"""Games that differ in rules alone share the tables of their pieces."""

from __future__ import annotations

from support.make_once import compiled_anew
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_game


def game_of(text: str, options: dict[str, str] | None = None) -> Game:
    game, reporter = load_game(text, options or {}, Library())
    assert game is not None, reporter.diagnostics
    return game


def test_games_with_the_same_pieces_share_their_tables() -> None:
    one = compiled_anew(game_of("c2/princess-and-dragon"))
    other = compiled_anew(game_of("house/fairy-five"))
    assert one.game.hash != other.game.hash
    assert one.shapes is other.shapes


def test_games_with_other_symbols_in_their_rules_have_other_tables() -> None:
    one = compiled_anew(game_of("c2/base"))
    other = compiled_anew(game_of("c2/base+c2/abbot"))
    assert one.shapes is not other.shapes
