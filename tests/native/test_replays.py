"""A log in lines is played again in the native core as in Python, and refused in the same words."""

from __future__ import annotations

import random
from unittest.mock import patch

import pytest

from support.played import MIXES, played, program_of, reloaded
from support.two_engines import loaded_game, needs_core, seats_of
from tilewright.play.match import Match
from tilewright.play.native.games import NativeGame
from tilewright.play.replay import LogError, fresh, replayed, script_of

pytestmark = needs_core


@pytest.mark.parametrize("game", MIXES)
def test_a_log_is_played_in_the_core_alone_and_comes_to_the_same_match(game: str) -> None:
    native, lot = loaded_game(game), random.Random(game)
    for seed in range(3):
        match = played(game, players=lot.choice(seats_of(program_of(game))), seed=seed)
        lines, start = script_of(match), fresh(match)
        for upto in (None, *(lot.randrange(len(lines)) for _ in range(5))):
            plain = replayed(start, lines, upto)
            with patch.object(Match, "choose_number", side_effect=AssertionError):
                again = replayed(start, lines, upto, native=native)
            assert (again.log, again.digest()) == (plain.log, plain.digest())
            assert (again.spent, again.seed) == (plain.spent, plain.seed)


def outcome(start: Match, log: list[str], native: NativeGame | None = None) -> str:
    """The hash of the match after a log, or why it is refused."""
    try:
        return replayed(start, log, native=native).digest()
    except LogError as fault:
        return str(fault)


def test_a_log_that_the_rules_do_not_lead_along_is_refused_in_the_same_words() -> None:
    match, native = played("c2/base", 40), loaded_game("c2/base")
    lines, start, lot = script_of(match), fresh(match), random.Random(1)
    wrong = ["red: lay 99,99 N", "blue: pass", "", "draw start", "draw city4_shield", "red: pass "]
    refused = 0
    for _ in range(60):
        at = lot.randrange(len(lines))
        for log in (
            [*lines[:at], lot.choice(wrong), *lines[at:]],
            [*lines[:at], *lines[at + 1 :]],
            [*lines[:at], lines[at].replace(" ", "  "), *lines[at + 1 :]],
        ):
            plain = outcome(start, log)
            assert outcome(start, log, native) == plain
            refused += " " in plain
    assert refused > 120


def test_a_long_log_is_stopped_in_the_core_too() -> None:
    match = played("c2/base", 60)
    limits = iter((0.0, 0.0, *range(100)))
    with (
        patch("tilewright.play.replay.time.process_time", lambda: next(limits)),
        pytest.raises(LogError, match=r"stopped after [1-9]"),
    ):
        replayed(fresh(match), script_of(match), seconds=3.0, native=loaded_game("c2/base"))


def test_draws_that_were_steered_are_left_to_python() -> None:
    match = fresh(played("c2/base", 0))
    match.forced_draws = [match.program.piece_number["city4_shield"]]
    match.start(0, [])
    match.run()
    lines = script_of(match)
    again = replayed(fresh(match), lines, native=loaded_game("c2/base"))
    assert (again.digest(), again.steered) == (match.digest(), match.steered)


def test_a_match_file_is_played_in_the_core_where_it_has_the_game() -> None:
    game = MIXES[-1]
    loaded_game(game)
    match = played(game, 50)
    script_of(match)
    with patch("tilewright.tools.persistence.match_file.replayed", wraps=replayed) as replaying:
        again = reloaded(match)
    assert replaying.call_args.kwargs["native"] is loaded_game(game)
    assert again.digest() == match.digest()
