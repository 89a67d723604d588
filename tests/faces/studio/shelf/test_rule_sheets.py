"""The first page of a book: the rules of a game in the order of a turn."""

from __future__ import annotations

import pytest

from tilewright.faces.studio.client import Client, RefusedError
from tilewright.faces.studio.shelf.rule_sheets import book_sheet

GAME = "c2/base+c2/princess-and-dragon"


def test_a_sheet_has_the_steps_of_the_turn_with_their_rules(client: Client) -> None:
    sheet = book_sheet(client, {"game": GAME})
    parts = {part["id"]: part for part in sheet["parts"]}
    assert parts["dragon_moves"]["inner"] and not parts["turn"]["inner"]
    sentences = [s["text"] for p in parts["dragon_moves"]["paragraphs"] for s in p["sentences"]]
    assert any("after six tiles" in text for text in sentences)
    assert {"name": "Road", "text": "1 × tiles"} in parts["amounts-score_features"]["rows"]


def test_a_game_that_cannot_be_linked_has_no_sheet(client: Client) -> None:
    with pytest.raises(RefusedError, match="house/fairy-point-window"):
        book_sheet(client, {"game": "house/fairy-five+house/fairy-point-window"})
