"""A native match is entered, forked and resumed anywhere, and goes on as that in Python does."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from unittest.mock import patch

import pytest

from support.marks import slow_unless, with_some_house_rules
from support.played import MIXES, go_on, played, program_of, reloaded
from support.two_engines import (
    Named,
    begun,
    chosen,
    compare,
    loaded,
    loaded_game,
    needs_core,
    play_both,
    seats_of,
)
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.board.rebuild import derived
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.fact_rows import row_bytes
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.native.engine import native_core
from tilewright.play.native.games import NativeGame
from tilewright.play.native.positions import left, match_row, show
from tilewright.play.notation import option_texts
from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, played_out

pytestmark = needs_core

LIBRARY = Library()
IDS = LIBRARY.ids()
#: played by default: a ruleset with figures, prescribed draws and memory
QUICK = frozenset(("house/dragon-eats-one",))


def row_of(match: Match, native: NativeGame) -> array[int]:
    return match_row(match, native.site_parts)


class Beside:
    """Makes every choice of a scenario on both engines, from its position, and compares them.

    A choice is left to Python where a later draw is prescribed.
    """

    def __init__(self) -> None:
        self.name = ""
        self.counts: Counter[str] = Counter()
        self.plain = Match.choose_number

    def choose(self, match: Match, k: int) -> None:
        """Make a choice in the place of `Match.choose_number`."""
        self.counts["choices"] += 1
        if match.forced_draws:
            self.plain(match, k)
            return
        self.counts["compared"] += 1
        other = loaded(match.program).entered(match)
        where = f"{self.name}, choice {len(match.log)}"
        compare(match, other, where, options=True)
        went_on = other.choose(k)
        try:
            self.plain(match, k)
        except RuleError:
            assert not went_on, where
            raise
        assert went_on, where
        compare(match, other, where)


def scenarios_on_both(ruleset: str) -> Counter[str]:
    """Play the scenarios of a ruleset, then go on by lot; the numbers of choices and scenarios."""
    programs, beside = Programs(LIBRARY), Beside()
    for scenario, game in scenarios_of(ruleset, LIBRARY):
        linked, _ = programs.linked(game, scenario.options)
        if scenario.fails or linked is None:
            continue
        program = compile_game(linked, measures=True)
        beside.name = f"{ruleset}, scenario {scenario.id}"
        beside.counts["scenarios"] += 1
        before = beside.counts["compared"]
        with patch.object(Match, "choose_number", lambda match, k: beside.choose(match, k)):
            match = played_out(scenario, program, Reporter())
        beside.counts["with compared choices"] += beside.counts["compared"] > before
        assert match is not None, beside.name
        match.listeners, match.forced_draws = (), None
        other = loaded(program).entered(match)
        name = Named(beside.name, len(match.points), scenario.id)
        play_both(match, other, name, rng=random.Random(scenario.id), choices=25, options=True)
    return beside.counts


@pytest.mark.parametrize(
    "ruleset", slow_unless(lambda id_: id_ in QUICK, with_some_house_rules(IDS))
)
def test_scenarios_are_the_same(ruleset: str) -> None:
    counts = scenarios_on_both(ruleset)
    # elsewhere most draws are prescribed, and the core is compared after the scenario only
    if ruleset in QUICK:
        assert counts["compared"] > counts["choices"] // 4


@pytest.mark.parametrize("game", slow_unless(lambda game: game == MIXES[-1], (*MIXES, *IDS[::4])))
def test_a_match_goes_on_alike_wherever_it_is_entered(game: str) -> None:
    program, lot = program_of(game), random.Random(game)
    native = loaded_game(game)
    for seed in range(3):
        players = lot.choice(seats_of(program))
        match = played(game, 0, players=players, seed=seed)
        while match.to_move >= 0:
            go_on(match, lot.randrange(40), seed)
            where = f"{Named(game, players, seed)}, entered after {len(match.log)} entries"
            compare(match, native.entered(match), where, options=True)
            twin = match.fork()
            play_both(twin, native.entered(match), Named(where, players, seed), rng=lot, choices=10)


@pytest.mark.parametrize("game", slow_unless(lambda game: game == MIXES[-1], (*MIXES, *IDS[::4])))
def test_a_match_goes_on_alike_wherever_it_is_left(game: str) -> None:
    program, lot = program_of(game), random.Random(game)
    native = loaded_game(game)
    for seed in range(3):
        players = lot.choice(seats_of(program))
        match = played(game, 0, players=players, seed=seed)
        start = match.fork()
        while match.to_move >= 0:
            go_on(match, lot.randrange(40), seed)
            core = native.entered(match)
            where = f"{Named(game, players, seed)}, {len(match.log)} entries"
            assert core.leave() == row_bytes(row_of(match, native)), where  # one row for both ways
            back = left(core, start)
            assert row_of(back, native) == row_of(match, native), where
            assert (back.digest(), derived(back.board)) == (match.digest(), derived(match.board))
            texts = option_texts(match)
            assert option_texts(back) == option_texts(show(core, start.fork())) == texts, where
            twin = match.fork()
            go_on(twin, 10, seed)
            go_on(back, 10, seed)
            assert row_of(back, native) == row_of(twin, native), where


@pytest.mark.parametrize("game", slow_unless(lambda game: game == MIXES[-1], MIXES))
def test_a_save_is_resumed_alike_on_both(game: str) -> None:
    program, lot = program_of(game), random.Random(game)
    match = played(game, 30, players=seats_of(program)[-1], seed=3)
    for _ in range(4):
        go_on(match, 1 + lot.randrange(20), 3)
        if match.to_move < 0:
            break
        back = reloaded(match)
        other = loaded_game(game).entered(back)
        match.spent = back.spent  # a save does not have the steps of its rules
        compare(match, other, f"{game}, saved", options=True)
        play_both(back, other, Named(game, len(back.points), 3), rng=lot, choices=15, options=True)


@pytest.mark.parametrize("game", slow_unless(lambda game: game == MIXES[-1], MIXES))
def test_a_fork_goes_its_own_way_and_changes_nothing(game: str) -> None:
    program, lot = program_of(game), random.Random(game)
    match, other = begun(program, 2, "fork")
    assert match is not None
    for number in range(12):
        name = Named(f"{game}, fork {number}", 2, "fork")
        undo, native_undo = match.fork(), other.fork()
        play_both(undo.fork(), native_undo.fork(), name, rng=lot, choices=30, options=True)
        for _ in range(5):
            if match.to_move >= 0:
                assert chosen(match, other, lot.randrange(match.count), str(name))
        compare(undo, native_undo, f"{name}: the older one")
        if number % 3 == 0:  # undo: the older ones go on
            match, other = undo, native_undo
        compare(match, other, str(name), options=True)


def test_a_match_with_prescribed_draws_is_left_to_python() -> None:
    match = played("c2/base", 3)
    match.forced_draws = [0]
    with pytest.raises(ValueError, match="prescribed draws"):
        loaded_game("c2/base").entered(match)


def test_a_row_of_another_match_is_refused() -> None:
    match, native = played("c2/base", 9, players=3), loaded_game("c2/base")
    core = native_core()
    assert core is not None
    row = [*row_of(match, native)]
    assert core.Match.enter(native.core, 3, row_bytes(array("q", row))).facts()
    lot = random.Random(1)
    for players, wrong in ((2, row), (3, row[:-1]), (3, [*row, 0]), (3, [10**9, *row]), (3, [])):
        with pytest.raises(ValueError, match="not one of a match of this game"):
            core.Match.enter(native.core, players, row_bytes(array("q", wrong)))
    for _ in range(3_000):
        wrong = row[:]
        for _ in range(lot.randrange(1, 4)):
            wrong[lot.randrange(len(row))] = lot.choice((-1, 0, 5, 10**6, 1 << 62, -(1 << 63)))
        try:
            entered = core.Match.enter(native.core, 3, row_bytes(array("q", wrong)))
        except ValueError:
            continue
        while entered.to_move >= 0 and entered.choose(lot.randrange(entered.count)):
            pass
