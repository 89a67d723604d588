"""A choice among hidden items that stay hidden is named to its player only."""

from __future__ import annotations

import random

import pytest

from tilewright.cli.play.session import Session
from tilewright.reading.library import Library
from tilewright.runtime.match import Match
from tilewright.runtime.new_match import start_match
from tilewright.runtime.notation import option_texts
from tilewright.runtime.program import Program
from tilewright.studio.table.match_tree import MatchTree, Sitting
from tilewright.studio.table.matches import state_of
from tilewright.tools.bots.base import greedy_bot
from tilewright.tools.bots.mcts import mcts_bot
from tilewright.tools.bots.observation import public_view
from tilewright.tools.bots.worlds import exchangeable, imagined
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
    session = Session(match, [None, None], ledger=Ledger())
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
        prepared=lambda match: sessions.append(Session(match, [None, None], ledger=ledger)),
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
