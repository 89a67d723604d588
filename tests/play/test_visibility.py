"""One module decides what a player may see; a secret choice is named to its player only."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tilewright.faces.cli.play.session import Session
from tilewright.faces.studio.client import Client, RefusedError, Studio
from tilewright.faces.studio.table import insight
from tilewright.faces.studio.table.match_tree import MatchTree, Sitting
from tilewright.faces.studio.table.matches import state_of
from tilewright.play.bots.base import greedy_bot
from tilewright.play.bots.mcts import mcts_bot
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.play.observation import public_view
from tilewright.play.program import Program
from tilewright.play.replay import Script
from tilewright.play.visibility import exchangeable, imagined
from tilewright.rules.reading.library import Library
from tilewright.tools.explanation.score_log import Ledger
from tilewright.tools.workspace.loading import load_program

FILES = {
    "module.yaml": "id: house/bids\nkind: house\ntitle: Secret bids\nrequires: {base: c2/base}\n",
    "components.yaml": """
items:
  chip_0: {label: no chip, count: 6, stack: chips, numbers: {chips: 0}}
  chip_1: {label: one chip, count: 6, stack: chips, numbers: {chips: 1}}
  chip_2: {label: two chips, count: 6, stack: chips, numbers: {chips: 2}}
stacks:
  chips: {label: chips, holds: items}
  purse: {label: purse, holds: items, hidden: true, owned: true}
  fist: {label: fist, holds: items, hidden: true, owned: true}
""",
    "rules/bids.yaml": """
steps:
  bids: {phase: turn, before: [draw_tile], label: bids}
rules:
  - id: bids.dealt
    on: step prepare_table
    do: |
      for p in players {
        for n in 0..2 { draw chip from chips into purse of p where chip.chips = n }
      }
  - id: bids.made
    on: step bids
    do: |
      for p in players {
        choose chip in purse of p by p as "hold out" {
          take chip from purse of p
          put chip into fist of p
        }
      }
      for p in players { award sum chip in fist of p: chip.chips to p }
      for p in players {
        for chip in fist of p {
          take chip from fist of p
          put chip into purse of p
        }
      }
""",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("bids") / "house" / "bids"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    library = Library()
    library.add(folder)
    found, reporter = load_program("house/bids", library=library)
    assert found is not None, reporter.diagnostics
    return found


def held_out(match: Match, player: int) -> list[int]:
    first = match.program.owned_stacks["fist"]
    return match.stacks[first + player]


def test_others_see_no_options_and_no_chosen_item(program: Program) -> None:
    match = start_match(program, 3, 1)
    assert public_view(match, 0)["options"] == option_texts(match)
    for viewer in (None, 1, 2):
        assert public_view(match, viewer)["options"] == []
    match.choose_number(2)
    for viewer in (None, 1, 2):
        assert public_view(match, viewer)["stacks"]["red fist"] == {"count": 1}
    assert "pieces" in public_view(match, 0)["stacks"]["red fist"]


def test_a_bot_imagines_what_others_hold_out(program: Program) -> None:
    match = start_match(program, 2, 1)
    match.choose_number(2)
    hidden, rng = exchangeable(match), random.Random(1)
    worlds = [imagined(match, rng, hidden) for _ in range(60)]
    assert len({tuple(held_out(world, 0)) for world in worlds}) == 3
    assert {tuple(world.values()) for world in worlds} == {tuple(match.values())}


@pytest.mark.parametrize("bot", [greedy_bot(), mcts_bot()])
def test_bots_choose_in_secret(program: Program, bot: object) -> None:
    match = start_match(program, 2, 1)
    match.choose_number(2)
    assert 0 <= bot(match) < match.count  # type: ignore[operator]


def test_a_session_does_not_name_what_was_chosen(program: Program) -> None:
    match = start_match(program, 2, 1)
    session = Session(match, [None, None], ledger=Ledger(), script=Script())
    told: list[str] = []
    session.notice = lambda text, _: told.append(text)
    session.choose(2)
    assert told == ["red: something face down"]
    session.choose(1)
    assert told[1] == "blue: something face down"
    # the points, once all have chosen
    assert any("2" in text and "red" in text for text in told[2:])


def test_a_hand_that_is_drawn_before_the_first_choice_is_not_named() -> None:
    found, reporter = load_program("house/hand-of-three")
    assert found is not None, reporter.diagnostics
    sessions: list[Session] = []
    ledger = Ledger()
    start_match(
        found, 2, 1, listeners=(ledger,),
        prepared=lambda match: sessions.append(
            Session(match, [None, None], ledger=ledger, script=Script())
        ),
    )  # fmt: skip
    told: list[str] = []
    sessions[0].notice = lambda text, _: told.append(text)
    sessions[0].report_beginning()
    assert told == ["turn 1, red", *["drawn: something face down"] * 3]


def test_the_studio_does_not_name_what_was_chosen(program: Program) -> None:
    tree = MatchTree("m", start_match(program, 2, 1), [Sitting("person")] * 2, "en")
    assert state_of(tree, "en", None)["covered"]
    assert not state_of(tree, "en", 0)["covered"]
    node = tree.choose(2)
    assert node.label == node.notation == "something face down"
    after = tree.choose(1)
    assert not any("chip" in event["text"] for event in after.heard)
    laid = tree.choose(0)
    assert laid.label != "something face down"


def test_a_tile_that_is_drawn_into_a_hand_is_not_named() -> None:
    found, reporter = load_program("house/hand-of-three")
    assert found is not None, reporter.diagnostics
    tree = MatchTree("m", start_match(found, 2, 1), [Sitting("person")] * 2, "en")
    texts = []
    for _ in range(8):
        texts += [event["text"] for event in tree.choose(0).heard]
    assert "drawn: something face down" in texts
    assert not any(text.startswith("drawn: ") and "face down" not in text for text in texts)


CARDS = """
items:
  one: {label: one, count: 8, stack: bag, numbers: {worth: 1}}
  nine: {label: nine, count: 8, stack: bag, numbers: {worth: 9}}
stacks:
  bag: {label: bag, holds: items, hidden: true}
  market: {label: market, holds: items}
  pile: {label: pile, holds: items, hidden: true, in_order: true}
  own: {label: own, holds: items, hidden: true, owned: true}
"""
CARD_RULES = """
steps:
  trade: {phase: turn, label: trade, after: [deploy_figure], before: [score_features]}
rules:
  - id: cards.begin
    on: step prepare_table
    do: |
      for p in players {
        draw card from bag
        put card into own of p
      }
"""


def card_game(folder: Path, rules: str) -> Program:
    """The base game with cards of two kinds and a rule of each turn for them."""
    for name, text in {
        "module.yaml": "id: house/cards\nkind: house\ntitle: Cards\nrequires: {base: c2/base}\n",
        "components.yaml": CARDS,
        "rules/cards.yaml": CARD_RULES + rules,
    }.items():
        path = folder / "house" / "cards" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    library = Library()
    library.add(folder / "house" / "cards")
    found, reporter = load_program("house/cards", library=library)
    assert found is not None, reporter.diagnostics
    return found


def test_a_card_that_is_exchanged_for_one_of_its_kind_is_not_named(tmp_path: Path) -> None:
    program = card_game(
        tmp_path,
        """
  - id: cards.exchanged
    on: step trade
    do: |
      choose card in own of active by active as "give back" {
        take card from own of active
        put card into bag
        draw other from bag
        put other into own of active
      }
""",
    )
    for seed in range(4):
        tree = MatchTree("m", start_match(program, 2, seed), [Sitting("person")] * 2, "en")
        while tree.match.step != "trade":
            tree.choose(0)
        made = tree.choose(0)
        drawn = [event["text"] for event in made.heard if event["kind"] == "drawn"]
        assert drawn[0] == "drawn: something face down", seed


def test_two_equal_cards_are_named_no_more_than_two_others(tmp_path: Path) -> None:
    program = card_game(
        tmp_path,
        """
  - id: cards.drawn
    on: step trade
    do: |
      choose n in 1..1 by active as "draw" {
        draw open from bag
        put open into market
        draw card from bag
        put card into own of active
      }
""",
    )
    for seed in range(4):
        tree = MatchTree("m", start_match(program, 2, seed), [Sitting("person")] * 2, "en")
        while tree.match.step != "trade":
            tree.choose(0)
        drawn = [event["text"] for event in tree.choose(0).heard if event["kind"] == "drawn"]
        assert drawn[:2] == ["drawn: something face down"] * 2, seed


def test_a_bot_sees_what_lies_open_and_not_the_order_of_a_pile(tmp_path: Path) -> None:
    program = card_game(
        tmp_path,
        """
  - id: cards.piled
    on: step prepare_table
    after: [cards.begin]
    do: |
      repeat 4 { draw card from bag put card into pile }
      repeat 2 { draw card from bag put card into market }
""",
    )
    match = start_match(program, 3, 1)
    numbers = program.stack_number
    unknown = {stack for places in exchangeable(match) for stack, _ in places}
    assert numbers["pile"] in unknown and numbers["bag"] in unknown
    assert numbers["market"] not in unknown
    match.stacks[program.owned_stacks["own"] + 1] = []
    match.stacks[program.owned_stacks["own"] + 2] = []
    # the order of the pile is unknown also where nobody holds a card, and where nobody decides
    match.stacks[program.owned_stacks["own"]] = []
    for player in (0, -1):
        match.to_move = player
        assert numbers["pile"] in {stack for places in exchangeable(match) for stack, _ in places}


def test_advice_is_for_the_player_who_sees_the_options(program: Program) -> None:
    client = Client(Studio())
    tree = MatchTree("m", start_match(program, 2, 1), [Sitting("person")] * 2, "en")
    client.studio.trees["m"] = tree
    assert insight.hint(client, {"match": "m", "seat": "red"}, tree.here)["hints"]
    assert insight.worth(client, {"match": "m", "seat": "red"}, tree.here)["worth"]
    for seat in ({"seat": "blue"}, {}):
        for ask in (insight.hint, insight.worth, insight.refusal):
            with pytest.raises(RefusedError, match="only the player who decides"):
                asked = {"match": "m", "text": "hold out chip_1", **seat}
                ask(client, asked, tree.here)  # type: ignore[operator]
    assert not state_of(tree, "en", 1)["decision"]["has_worth"]  # type: ignore[index]
