"""Offered actions: the event that follows one, and the definition that bars one by its name.

`tests/data/offers` has a second offer in each turn, which knows the actions of the first. A test
counts them again from the chosen options.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import partial

import pytest

from support.played import data_program, reloaded
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.language.typing import typed_ast as t
from tilewright.play.library.kept import all_kept
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.tools.explanation.legality import why_not

GAME = "trial/second"

program = partial(data_program, "offers", GAME)


def memory(match: Match, name: str) -> object:
    return match.memory[match.program.memory_number[name]]


def is_offer(match: Match) -> bool:
    return isinstance(match.program.sites[match.decision_site].effect, t.Offer)


# ------------------------------------------------------------------ by hand


def followed(players: int, seed: int) -> Counter[str]:
    """Play by lot and count what was taken; the actions taken in second offers, by name."""
    rng = random.Random(seed)
    match = start_match(program(), players, seed)
    acts, taken, turn, second = Counter[int](), list[str](), 0, Counter[str]()
    while match.to_move >= 0:
        if match.turn != turn:
            turn, taken = match.turn, []
        texts = option_texts(match)
        if is_offer(match):
            assert [*map(str, named(match, "taken"))] == taken
            verbs = {text.partition(" ")[0] for text in texts} - {"pass"}
            if taken:
                assert verbs <= {"deploy"} if "wave" in taken else verbs <= {"deploy", "wave"}
                assert all(" shade " in text for text in texts if text.startswith("deploy"))
            else:
                assert "wave" in verbs
                assert not any(" shade " in text for text in texts)
        number = int(rng.random() * match.count)
        verb = texts[number].partition(" ")[0]
        if is_offer(match) and verb != "pass":
            second[verb] += bool(taken)
            taken.append(verb)
            acts[match.to_move] += 1
        match.choose_number(number)
        assert dict(all_kept(match, program().memory_number["acts"])) == dict(acts)
    return second


def named(match: Match, name: str) -> list[str]:
    held = memory(match, name)
    assert isinstance(held, list)
    return [match.program.game.actions[number] for number in held]


@pytest.mark.parametrize("seed", range(4))
def test_what_was_taken_is_what_was_chosen(seed: int) -> None:
    second = followed(2 + seed % 3, seed)
    assert second["deploy"]
    assert second["wave"]


# ------------------------------------------------------------------ a match is data


def test_a_match_goes_on_from_a_save_at_every_decision() -> None:
    match, rng = start_match(program(), 2, 7), random.Random(7)
    seen = Counter[tuple[int, str]]()
    while match.to_move >= 0:
        number = int(rng.random() * match.count)
        place = (match.decision_site, str(memory(match, "taken")))
        seen[place] += 1
        if seen[place] > 2:
            match.choose_number(number)
            continue
        twin = reloaded(match)
        fork = match.fork()
        for each in (match, twin, fork):
            each.choose_number(number)
        assert match.digest() == twin.digest() == fork.digest()
    assert len(seen) > 5


def test_a_rule_that_bars_an_action_is_named() -> None:
    match, rng = start_match(program(), 2, 3), random.Random(3)
    while match.to_move >= 0:
        if is_offer(match) and named(match, "taken") == ["wave"]:
            reasons = why_not(match, "wave")
            assert [reason.rule for reason in reasons] == ["second.alone"]
            return
        match.choose_number(int(rng.random() * match.count))
    pytest.fail("nobody waved first")


# ------------------------------------------------------------------ both engines


@needs_core
@pytest.mark.parametrize("players", [2, 5])
def test_both_engines_are_equal_after_every_choice(players: int) -> None:
    match, other = begun(program(), players, 11)
    assert match is not None
    play_both(match, other, Named(GAME, players, 11), rng=random.Random(11), options=True)
