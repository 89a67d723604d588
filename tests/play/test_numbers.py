"""Numbers to choose: a player chooses one of a range, whose ends are known in play alone.

In `trial/auction` of `tests/data/numbers` players bid for a turn and name numbers below zero. Their
options and points are counted again by hand.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.played import data_program, reloaded
from support.ruleset_cases import library_of
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.faces.api.options import Options
from tilewright.faces.studio.table.offers import offers_of
from tilewright.play.bots.base import greedy_bot
from tilewright.play.bots.mcts import mcts_bot
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import find_option, option_texts
from tilewright.tools.workspace.loading import load_program

AUCTION = "trial/auction"

program_of = partial(data_program, "numbers", AUCTION)


def bidding() -> Match:
    """A match in which the first player may bid."""
    match = start_match(program_of(), 3, "bids")
    while match.points[match.to_move] < 3 or match.step != "auction" or not match.optional:
        match.choose_number(match.count - 1)
    return match


class Auctioneer:
    """Counts by hand what players may bid, and what they pay and get."""

    def __init__(self, players: int) -> None:
        self.best = 0
        self.bidder: int | None = None
        self.asked: list[int] = []

    def expected(self, match: Match) -> list[str]:
        if match.optional:
            ends = range(self.best + 1, min(match.points[match.to_move], 60) + 1)
            return [*(f"bid {n}" for n in ends), "pass"]
        return [f"name {n}" for n in range(-(match.turn % 4), 3)]


@examples(20)
@given(st.integers(0, 10**9), st.integers(2, 5))
def test_the_options_are_those_counted_by_hand(seed: int, players: int) -> None:
    match, rng, seen = start_match(program_of(), players, seed), random.Random(seed), 0
    by_hand = Auctioneer(players)
    turn = 0
    while match.to_move >= 0:
        if match.step != "auction":
            match.choose_number(int(rng.random() * match.count))
            continue
        if match.turn != turn:
            turn, by_hand.best, by_hand.bidder = match.turn, 0, None
        texts = option_texts(match)
        assert texts == by_hand.expected(match)
        assert isinstance(match.options_now, range)
        seen += 1
        k = int(rng.random() * match.count)
        who, before = match.to_move, match.points[:]
        if match.optional:
            if texts[k] != "pass":
                by_hand.best, by_hand.bidder = int(texts[k].split()[1]), who
            paid = by_hand.best if by_hand.bidder is not None else 0
            match.choose_number(k)
            if not match.optional and by_hand.bidder is not None:
                before[by_hand.bidder] -= paid
            assert match.points == before
        else:
            before[who] += int(texts[k].split()[1])
            match.choose_number(k)
            assert match.points[who] == before[who]
    assert seen > 50


@needs_core
@examples(10)
@given(st.integers(0, 10**9), st.integers(2, 5))
def test_both_engines_play_the_same(seed: int, players: int) -> None:
    match, other = begun(program_of(), players, seed)
    assert match is not None
    named = Named(AUCTION, players, seed)
    play_both(match, other, named, rng=random.Random(seed), options=True)


def test_a_match_goes_on_from_a_file_with_the_same_numbers() -> None:
    match = bidding()
    twin = reloaded(match)
    assert (twin.options_now, twin.digest()) == (match.options_now, match.digest())


def test_a_fork_and_the_interfaces_offer_the_same() -> None:
    match = bidding()
    fork = match.fork()
    fork.choose_number(0)
    assert match.options_now == range(1, match.points[match.to_move] + 1)
    assert find_option(match, "bid 2") == 1
    offers = offers_of(match, "en")
    assert [offer.get("number") for offer in offers[:-1]] == list(match.options_now)
    assert {offer["kind"] for offer in offers[:-1]} == {"number"}
    options = Options(match)
    assert [option.text for option in options] == option_texts(match)
    assert options[1].number == 2


def test_bots_choose_a_number() -> None:
    match = bidding()
    assert 0 <= greedy_bot()(match) < match.count
    assert 0 <= mcts_bot(20)(match) < match.count


LONG = """\
# rules/trial.yaml
steps:
  count: {phase: turn, after: [put_figure], before: [tally], label: count}
rules:
  - id: trial.rule
    on: step count
    do: choose n in 1..turn * 600 by active { award n to active }
"""


def test_too_many_numbers_are_a_fault_that_names_the_rule(tmp_path: Any) -> None:
    library, _ = library_of(LONG, tmp_path)
    program, reporter = load_program("trial/first", library=library)
    assert program is not None, reporter.diagnostics
    match = start_match(program, 2, 1)
    with pytest.raises(RuleError, match="would choose from 1200 numbers") as caught:
        while match.to_move >= 0:
            match.choose_number(0)
    assert "trial.rule" in str(caught.value)
