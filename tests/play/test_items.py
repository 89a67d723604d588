"""Items in stacks: chips with numbers, a die, and cards, counted by hand and on both engines.

The rules of `trial/fair` of `tests/data/items` are carried out again here, from the draws and
choices of a match alone.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.played import data_program, reloaded
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.faces.api.options import Options
from tilewright.faces.studio.table.offers import offers_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.bots.base import greedy_bot
from tilewright.play.bots.mcts import mcts_bot
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.play.observation import public_view
from tilewright.tools.interactions.trial import quick_fault
from tilewright.tools.scenarios.capture import facts, position_of
from tilewright.tools.scenarios.runner import played_out

FAIR = "trial/fair"
WORTH = {"chip_one": 1, "chip_three": 3}
WEIGHT = {"chip_three": 2}
GIFT = {"free_card": 2, "toll_card": -1}
PIPS = {"side_one": 1, "side_two": 2, "side_three": 3}
BOX = {
    "bag": {"chip_one": 4, "chip_three": 3, "blank": 2},
    "dice": {"side_one": 2, "side_two": 2, "side_three": 2},
    "deck": {"free_card": 2, "toll_card": 2},
}

program_of = partial(data_program, "items", FAIR)


def contents(match: Match, stack: str) -> Counter[str]:
    names = match.program.game.stacked
    return Counter(names[n].id for n in match.stacks[match.program.stack_number[stack]])


class Fair:
    """The rules of the fair, carried out by hand."""

    def __init__(self, players: int) -> None:
        self.stacks = {name: Counter(held) for name, held in BOX.items()} | {"used": Counter()}
        self.purses: list[Counter[str]] = [Counter() for _ in range(players)]
        self.cards: list[Counter[str]] = [Counter() for _ in range(players)]
        self.blanked = False

    def __call__(self, match: Match, event: str, about: tuple[Any, ...]) -> None:
        if event == "choice":
            self.blanked = False
        if event != "draw":
            return
        number = about[1]
        name = match.program.game.stacked[number].id
        who = match.active
        if name in PIPS:
            return
        if name in WORTH:
            self.move(name, "bag", self.purses[who])
        elif name == "blank":
            for held, many in self.purses[who].items():
                self.stacks["bag"][held] += many
            self.purses[who].clear()
        elif name in GIFT:
            if not +self.stacks["deck"]:
                self.stacks["deck"], self.stacks["used"] = self.stacks["used"], Counter()
            self.move(name, "deck", self.cards[who])

    def move(self, name: str, stack: str, to: Counter[str]) -> None:
        self.stacks[stack][name] -= 1
        to[name] += 1

    def options(self, match: Match) -> list[str]:
        who = match.active
        if match.program.sites[match.decision_site].label == "sell":
            return [f"sell {n}" for n in sorted(+self.purses[who])]
        several = self.cards[who].total() > 1
        held = sorted(n for n in +self.cards[who] if GIFT[n] > 0 or several)
        return [f"play {n}" for n in held]

    def choose(self, match: Match, text: str) -> int:
        """The points that a choice brings."""
        verb, _, name = text.partition(" ")
        who = match.active
        if verb == "sell":
            self.purses[who][name] -= 1
            self.stacks["bag"][name] += 1
            return WORTH[name] + WEIGHT.get(name, 0)
        if verb == "play":
            self.cards[who][name] -= 1
            self.stacks["used"][name] += 1
            return GIFT[name]
        return 0

    def compare(self, match: Match) -> None:
        for name, held in self.stacks.items():
            assert contents(match, name) == +held, name
        seats = [seat.id for seat in match.program.game.seats]
        for player in match.players:
            assert contents(match, f"{seats[player]} purse") == +self.purses[player]
            assert contents(match, f"{seats[player]} cards") == +self.cards[player]
        assert not quick_fault(match, True)


@examples(15)
@given(st.integers(0, 10**9), st.integers(2, 5))
def test_a_fair_by_hand_agrees(seed: int, players: int) -> None:
    by_hand, rng, seen = Fair(players), random.Random(seed), 0
    match = start_match(program_of(), players, seed, listeners=(by_hand,))
    while match.to_move >= 0:
        by_hand.compare(match)
        k = int(rng.random() * match.count)
        if match.step != "fair":
            match.choose_number(k)
            continue
        seen += 1
        texts = option_texts(match)
        assert sorted(set(texts[:-1])) == by_hand.options(match)
        assert len(set(texts)) == len(texts)
        who, before = match.active, match.points[match.active]
        gained = by_hand.choose(match, texts[k])
        following = match.fork()
        following.choose_number(k)
        if following.phase == match.phase and following.turn == match.turn:
            assert following.points[who] - before == gained
        match.choose_number(k)
    by_hand.compare(match)
    assert seen > 20


def test_the_prizes_of_the_end_are_the_chips_in_the_purses() -> None:
    by_hand = Fair(3)
    match = start_match(program_of(), 3, "prizes", listeners=(by_hand,))
    gained: list[int] = [0, 0, 0]

    def note(match: Match, event: str, about: tuple[Any, ...]) -> None:
        if event == "award" and match.phase == 2 and about[2] is None:
            gained[about[1]] += about[0]

    match.listeners = (*match.listeners, note)
    rng = random.Random(1)
    while match.to_move >= 0:
        if match.step == "fair":
            by_hand.choose(match, option_texts(match)[k := int(rng.random() * match.count)])
        else:
            k = int(rng.random() * match.count)
        match.choose_number(k)
    assert gained == [
        sum((WORTH[n] + (n == "chip_three")) * many for n, many in purse.items())
        for purse in by_hand.purses
    ]
    assert any(gained)


@needs_core
@examples(10)
@given(st.integers(0, 10**9), st.integers(2, 5))
def test_both_engines_play_the_same(seed: int, players: int) -> None:
    match, other = begun(program_of(), players, seed)
    assert match is not None
    play_both(match, other, Named(FAIR, players, seed), rng=random.Random(seed), options=True)


def test_a_die_falls_as_often_on_each_side() -> None:
    rolled: Counter[str] = Counter()

    def note(match: Match, event: str, about: tuple[Any, ...]) -> None:
        if event == "draw" and match.program.game.stacked[about[1]].id in PIPS:
            rolled[match.program.game.stacked[about[1]].id] += 1

    for seed in range(12):
        match = start_match(program_of(), 2, seed, listeners=(note,))
        rng = random.Random(seed)
        while match.to_move >= 0:
            match.choose_number(int(rng.random() * match.count))
    assert set(rolled) == set(PIPS)
    assert all(abs(3 * many - rolled.total()) < rolled.total() / 4 for many in rolled.values())


def at_the_fair(verb: str) -> Match:
    match, rng = start_match(program_of(), 2, "at the fair"), random.Random(5)
    while match.step != "fair" or match.program.sites[match.decision_site].label != verb:
        match.choose_number(int(rng.random() * match.count))
    return match


@pytest.mark.parametrize("verb", ["sell", "play"])
def test_a_save_and_a_fork_hold_the_same(verb: str) -> None:
    match = at_the_fair(verb)
    twin = reloaded(match)
    assert (twin.digest(), option_texts(twin)) == (match.digest(), option_texts(match))
    fork = match.fork()
    fork.choose_number(0)
    assert twin.digest() == match.digest() != fork.digest()
    match.choose_number(0)
    twin.choose_number(0)
    assert fork.digest() == match.digest() == twin.digest()


def test_a_captured_position_keeps_the_same() -> None:
    match, reporter = at_the_fair("play"), Reporter()
    match.choose_number(match.count - 1)
    ended = played_out(position_of(match), program_of(), reporter)
    assert reporter.diagnostics == ()
    assert ended is not None and facts(ended) == facts(match)


def test_interfaces_name_items() -> None:
    match = at_the_fair("sell")
    option = Options(match)[0]
    assert (option.verb, option.item) == ("sell", option.text.removeprefix("sell "))
    offer = offers_of(match, "en")[0]
    assert offer["label"].lower().startswith("chip with")
    state = public_view(match)
    assert state["stacks"]["bag"]["count"] == contents(match, "bag").total()
    assert "pieces" not in state["stacks"]["deck"]
    assert 0 <= greedy_bot()(match) < match.count
    assert 0 <= mcts_bot(20)(match) < match.count
