"""A match in the terminal: stacks, the numbers of options, the command that continues it."""

from __future__ import annotations

from pathlib import Path

from support.played import program_of
from tilewright.faces.cli.play.commands import stacks_text
from tilewright.faces.cli.play.session import Session, option_numbers, option_of, shown_number
from tilewright.language.types import NUMBER
from tilewright.play.new_match import start_match
from tilewright.play.replay import Script
from tilewright.tools.explanation.score_log import Ledger


def stacks_of(game: str, **held: list[str]) -> str:
    """The stacks of a match in which some hold these pieces; empty ones are left out."""
    match = start_match(program_of(game), 2, 1)
    numbers = {each.id: number for number, each in enumerate(match.program.game.stacked)}
    for number, stack in enumerate(match.program.game.stacks):
        if stack.id in held:
            match.stacks[number] = [numbers[piece] for piece in held[stack.id]]
    return stacks_text(
        Session(match, [None, None], ledger=Ledger(), script=Script()), with_empty=False
    )


def test_a_few_pieces_that_lie_open_are_named() -> None:
    tiles = ["road_curve", "city1", "road_curve"]
    text = stacks_of("c2/bazaars", bazaar_tiles=tiles, tile_on_sale=["city1"])
    assert "tiles of the bazaar: 3 (2 × road_curve, city1)" in text
    assert "tile on sale: 1 (city1)" in text
    assert "(" not in text.partition("land tiles:")[2].partition(";")[0]


def test_open_pieces_that_come_in_order_are_named_in_it() -> None:
    tiles = ["road_curve", "city1", "road_curve"]
    text = stacks_of("house/three-tiles-to-come", tiles_to_come=tiles)
    assert "tiles to come: 3 (road_curve, city1, road_curve)" in text


def test_many_pieces_are_counted() -> None:
    assert "discarded tiles: 7;" in stacks_of("c2/base", discarded=["road_curve"] * 7) + ";"


def test_hidden_pieces_are_counted() -> None:
    text = stacks_of("house/hand-of-three", **{"red tiles_in_hand": ["city1"]})
    assert text.endswith("tiles in hand (red): 1") and "city1" not in text


def test_numbers_to_choose_are_typed_themselves_and_a_pass_has_none() -> None:
    match = start_match(program_of("c2/bazaars"), 2, 1)
    site = next(s for s in match.program.sites if not s.actions and s.type == NUMBER)
    match.ask_number(0, 3, 20, match.program.sites.index(site), True)
    assert option_numbers(match) == range(3, 21)
    numbers = option_numbers(match)
    assert [shown_number(numbers, n) for n in (0, 17, 18)] == ["3", "20", "-"]
    assert [option_of(numbers, text) for text in ("3", "20")] == [0, 17]
    assert [option_of(numbers, text) for text in ("21", "2", "-3")] == [None] * 3


def test_other_options_are_numbered_from_1() -> None:
    match = start_match(program_of("c2/base"), 2, 1)
    assert option_numbers(match) == range(1, match.count + 1)
    assert [option_of(option_numbers(match), text) for text in ("0", "1", "-1")] == [None, 0, None]


def test_a_command_that_continues_a_match_names_its_file() -> None:
    match = start_match(program_of("c2/base"), 2, 1)
    session = Session(match, [None, None], ledger=Ledger(), script=Script(), save=Path("a.json"))
    assert session.how_to_continue() == "`tilewright play a.json` continues the match"
