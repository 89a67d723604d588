"""Gains and payments: an event for every gain, and numbers that rules change one after another.

Two rulesets of `tests/data/gains` follow gains in the base game. The ledger and the payments of the
first one are counted again by hand, from the tiles and figures alone.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.played import data_program, reloaded
from support.recount import Part
from support.recount_match import Recount, features_of
from support.recount_scores import Figures, Gains
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.library.kept import all_kept
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.tools.explanation.score_log import Ledger, why
from tilewright.tools.simulation.game import NativeGames, play_game

LEDGER, MESSENGER = "trial/ledger", "trial/messenger"

program_of = partial(data_program, "gains")


def kept(match: Match, name: str) -> dict[int, int]:
    return dict(all_kept(match, match.program.memory_number[name]))


def played_out(match: Match, seed: int, choices: int = 20_000) -> Match:
    rng = random.Random(seed)
    while match.to_move >= 0 and choices:
        match.choose_number(int(rng.random() * match.count))
        choices -= 1
    return match


# ------------------------------------------------------------------ by hand


class PaidByHand(Recount):
    """The recount with the payments, the tolls and the ledger of `trial/ledger`, by hand."""

    def __init__(self, players: int) -> None:
        super().__init__(("c2/base",), players)
        self.players = players
        self.got, self.lost = Counter[int](), Counter[int]()
        self.brought = Counter[Part]()

    def due_of_turn(self, figures: Figures) -> Gains:
        due = self._paid(super().due_of_turn(figures))
        nobody_gained = not any(due.features.values())
        if self.laid and nobody_gained and self.points[self.mover] > 0:
            due.others[self.mover] -= 1
            self.lost[self.mover] -= 1
        return due

    def due_at_end(self) -> Gains:
        return self._paid(super().due_at_end())

    def _paid(self, due: Gains) -> Gains:
        for (part, who), worth in list(due.features.items()):
            kind = self.table.feature_of(part).kind
            number = worth if kind == "monastery" else worth + 2
            number = number // 2 if kind == "road" else number
            number = min(number, 6)
            if kind == "monastery" and who != self.mover:
                number = 0
            due.features[part, who] = number
            self.got[who] += number
            self.brought[part] += number
            if number >= 3:
                due.others[(who + 1) % self.players] += 1
        return due

    def compare_ledger(self, match: Match) -> None:
        assert kept(match, "got") == dict(+self.got)
        assert kept(match, "lost") == {who: n for who, n in self.lost.items() if n}
        brought = kept(match, "brought")
        for root, parts in features_of(match).items():
            assert brought.get(root, 0) == sum(self.brought[part] for part in parts)


def followed(players: int, seed: int) -> PaidByHand:
    recount = PaidByHand(players)
    match = start_match(program_of(LEDGER), players, seed, listeners=(recount,))
    played_out(match, seed)
    assert recount.is_over
    recount.compare_ledger(match)
    return recount


@examples(40)
@given(st.integers(2, 5), st.integers(0, 10_000))
def test_gains_and_payments_are_those_counted_by_hand(players: int, seed: int) -> None:
    followed(players, seed)


def test_every_kind_of_gain_and_payment_is_met() -> None:
    recounts = [followed(3, seed) for seed in range(4)]
    assert any(+recount.got for recount in recounts)
    assert any(recount.lost for recount in recounts)


# ------------------------------------------------------------------ reasons


def test_reasons_add_up_and_name_every_change() -> None:
    match = start_match(program_of(LEDGER), 3, 3)
    played_out(match, 3)
    named: set[str] = set()
    for explained in why(match):
        award = explained.award
        assert award.points == sum(item.points for item in award.items), award
        named |= {item.name for item in award.items if item.points}
    assert {"tiles", "bonus", "half", "limit", "ledger.toll", "ledger.tax"} <= named


def test_a_refused_payment_has_a_reason_and_no_event() -> None:
    for seed in range(40):
        ledger = Ledger()
        match = start_match(program_of(LEDGER), 3, seed, listeners=(ledger,))
        played_out(match, seed)
        for award in ledger.awards:
            if award.points == 0 and len(award.items) > 1:
                assert award.text().startswith("0 = tiles ")
                assert award.items[-1].name == "refused"
                return
    pytest.fail("nothing was refused")


# ------------------------------------------------------------------ a match is data


@pytest.mark.parametrize("game", [LEDGER, MESSENGER])
def test_a_match_goes_on_from_a_save_at_every_decision(game: str) -> None:
    program = program_of(game)
    match, rng = start_match(program, 2, 7), random.Random(7)
    labels = set[str]()
    while match.to_move >= 0:
        number, label = int(rng.random() * match.count), program.sites[match.decision_site].label
        if label in labels and len(match.log) % 7:
            match.choose_number(number)
            continue
        labels.add(label)
        twin = reloaded(match)
        fork = match.fork()
        for each in (match, twin, fork):
            each.choose_number(number)
        assert match.digest() == twin.digest() == fork.digest()
    assert game == LEDGER or "with the messenger" in labels


def test_a_gain_may_end_the_game_at_once() -> None:
    match = played_out(start_match(program_of(MESSENGER), 2, 5), 5)
    assert max(match.points) >= 30
    assert sum(kept(match, "messenger").values()) <= sum(match.points)


# ------------------------------------------------------------------ both engines


@needs_core
@pytest.mark.parametrize("game", [LEDGER, MESSENGER])
@pytest.mark.parametrize("players", [2, 5])
def test_both_engines_are_equal_after_every_choice(game: str, players: int) -> None:
    program = program_of(game)
    match, other = begun(program, players, 11)
    assert match is not None
    play_both(match, other, Named(game, players, 11), rng=random.Random(11), options=True)


@needs_core
@pytest.mark.parametrize("game", [LEDGER, MESSENGER])
def test_both_engines_count_the_same_items(game: str) -> None:
    program = compile_game(program_of(game).game, measures=True)
    games = NativeGames(program, 3, "random")
    here = next(games.played(games.columns(game, range(1), keeps=True)))
    there = play_game(games.program, 3, ["random"] * 3, game, 0, keep_scorings=True)
    assert here is not None
    assert (here.measures, here.scorings) == (there.measures, there.scorings)
