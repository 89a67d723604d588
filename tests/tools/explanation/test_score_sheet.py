"""The score sheet of a match adds up to its score, and names the turns that changed most."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from support.golden_pages import BOXES
from support.played import MIXES, played, program_of
from tilewright.play.bots.base import ahead_now
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.replay import fresh
from tilewright.tools.explanation.score_log import Ledger
from tilewright.tools.explanation.score_sheet import (
    MAX_TURNS,
    PlayedMatch,
    played_match,
    score_sheet,
    turning_points,
    turns_of,
)

SEVEN = "+".join(f"c2/{box}" for box in BOXES)
GAMES = (*MIXES, "c2/king-and-robber+c2/robbers", "c2/bazaars+c2/castles", SEVEN)
#: an id of a rule, or a number with a sign
ID_OR_SIGN = re.compile(r"\w[./_]\w|[-−+]\d")


def told(match: Match, language: str = "en") -> PlayedMatch:
    return played_match(fresh(match), match.log, language)


def total(match: Match, rows: list[tuple[int, ...]]) -> list[int]:
    return [sum(row[player] for row in rows) for player in match.players]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("seed", "choices"), [(1, 10_000), (2, 60)])
def test_sources_and_their_lines_add_up_to_the_score(game: str, seed: int, choices: int) -> None:
    ledger = Ledger("en")
    players = min(2 + seed, program_of(game).game.players[-1])
    match = played(game, choices, players=players, seed=seed, listeners=(ledger,))
    sheet = score_sheet(match, ledger.awards, "en")
    assert total(match, [source.points for source in sheet]) == match.points
    for source in sheet:
        assert not source.lines or total(match, [x.points for x in source.lines]) == [
            *source.points
        ]


@pytest.mark.parametrize("language", ["en", "uk", "pl"])
def test_a_sheet_has_the_kinds_of_the_game_and_its_rulesets_in_words(language: str) -> None:
    ledger = Ledger(language)
    match = played(SEVEN, players=4, seed=2, listeners=(ledger,))
    game, sheet = match.program.game, score_sheet(match, ledger.awards, language)
    kinds = {kind.label.get(language).capitalize() for kind in game.features}
    titles = {each.module.title.get(language) for each in game.rulesets}
    assert {source.label for source in sheet} <= kinds | titles
    assert sum(source.label in titles for source in sheet) >= 2
    assert [x.label for s in sheet for x in (s, *s.lines) if ID_OR_SIGN.search(x.label)] == []


def test_points_before_the_first_award_are_a_source() -> None:
    match = played("c2/base", 30)
    match.points[1] += 5
    sheet = score_sheet(match, told(match).awards, "en")
    assert sheet[0].label == "Points before"
    assert sheet[0].points == (0, 5)


def test_turning_points_are_the_greatest_changes_in_the_order_of_play() -> None:
    found = told(played("c2/farmers", seed=4))
    points = turning_points(found.turns, "en")
    numbers = [point.turn.number for point in points]
    assert len(points) == MAX_TURNS
    assert numbers == sorted(set(numbers))
    leads = [ahead_now(turn.before.points)[0] for turn in found.turns]
    changes = [abs(new - old) for old, new in pairwise(leads)]
    # the turn that changed the lead most is one of them
    assert found.turns[changes.index(max(changes))].number in numbers
    assert all(point.reasons and "after it: " in point.lead for point in points)


def test_a_log_is_cut_into_turns_with_their_awards() -> None:
    match = played("c2/princess-and-dragon", seed=2)
    found = told(match)
    assert [turn.number for turn in found.turns] == [*range(1, match.turn + 1)]
    assert sum(award.points for turn in found.turns for award in turn.awards) == sum(match.points)
    assert found.turns[-1].after.points == match.points


def test_a_match_of_one_turn_has_no_turning_point_without_points() -> None:
    assert turning_points((), "en") == []


def test_a_match_before_its_first_choice_has_no_turns() -> None:
    match = start_match(program_of("c2/base"), 2, "new")
    assert turns_of((), match, ()) == ()
    assert score_sheet(match, (), "en") == ()
