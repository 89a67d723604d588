"""Random members of sets: one or several, of every type, from the stream of the type.

`trial/lottery` of `tests/data/lots` draws from sets after each tile.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from support.played import data_program, program_of, reloaded
from support.ruleset_cases import library_of, ruleset
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.bots.base import greedy_bot
from tilewright.play.bots.mcts import mcts_bot
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import MemberText, prescribed_draw, value_text
from tilewright.play.replay import LogError, fresh, replayed, script_of
from tilewright.play.visibility import for_trials, imagined
from tilewright.tools.scenarios.capture import position_of
from tilewright.tools.scenarios.runner import played_out
from tilewright.tools.workspace.loading import load_program

LOTTERY = partial(data_program, "lots", "trial/lottery")
WIND = "house/gust-of-wind"


def heard(match: Match) -> list[str]:
    """The texts of the members that are drawn from now on, for a match that goes on."""
    found: list[str] = []

    def listen(match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "draw member":
            found.append(value_text(match, *facts))

    match.listeners = (*match.listeners, listen)
    return found


def test_every_type_has_a_stream_of_its_own() -> None:
    program = LOTTERY()
    names = [type_.base for type_ in program.drawn_types]
    assert names == sorted({
        "player", "number", "tile", "figure", "heading", "cell", "placement", "print", "segment",
        "feature", "piece",
    })  # fmt: skip
    assert len(program.stream_names) == len(program.in_order) + len(names)
    assert program_of("c2/base").drawn_types == ()


def test_several_members_are_different_and_no_more_than_there_are() -> None:
    match = start_match(LOTTERY(), 2, "several")
    match.choose_number(0)
    memory = match.program.memory_number
    assert sorted(match.memory[memory["pair"]]) == [0, 1]
    walls = match.memory[memory["walls"]]
    assert len(walls) == len(set(walls)) < 9
    assert len(set(match.memory[memory["ways"]])) == 3


def test_each_member_is_as_likely_as_another() -> None:
    drawn = [0, 0, 0]
    match = start_match(LOTTERY(), 3, "even")
    stream = match.program.drawn_types.index(match.program.drawn_types[-1])
    for _ in range(3_000):
        (one,) = match.draw_members(len(match.stacks) + stream, [0, 1, 2], 1)
        drawn[one] += 1
    assert all(900 < many < 1_100 for many in drawn)


def test_draws_of_members_leave_those_of_pieces_as_they_were() -> None:
    mine, other = (
        start_match(program_of(WIND), 2, "wind"),
        start_match(program_of("c2/base"), 2, "wind"),
    )
    assert mine.streams[: len(other.streams)] == other.streams
    drawn: list[list[int]] = [[], []]
    for number, match in enumerate((mine, other)):
        rng = random.Random(1)
        match.listeners = (
            lambda _, event, facts, number=number: (
                drawn[number].append(facts[1]) if event == "draw" else None
            ),
        )
        while match.to_move >= 0 and match.turn < 30:
            lays = match.step == "lay_tile"
            match.choose_number(0 if lays else match.count - 1)
            rng.random()
    assert drawn[0] == drawn[1]


@needs_core
@pytest.mark.parametrize("players", [2, 5])
def test_both_engines_draw_the_same_members(players: int) -> None:
    for seed in range(3):
        match, other = begun(LOTTERY(), players, seed)
        assert match is not None
        play_both(match, other, Named("trial/lottery", players, seed), rng=random.Random(seed))
        assert match.is_over


@needs_core
@pytest.mark.parametrize("game", [WIND, "trial/lottery"])
def test_bots_play_it(game: str) -> None:
    match = start_match(LOTTERY() if game == "trial/lottery" else program_of(WIND), 2, "bots")
    while match.turn < 12:
        match.choose_number(greedy_bot()(match))
    assert 0 <= mcts_bot(20)(match) < match.count


def test_a_match_is_saved_as_the_members_that_were_drawn() -> None:
    match = start_match(LOTTERY(), 3, "saved")
    for _ in range(30):
        match.choose_number(match.count - 1)
    assert reloaded(match).digest() == match.digest()
    lines = script_of(match)
    assert any(
        line.startswith("draw player") is False and line.startswith("draw ") for line in lines
    )
    assert replayed(fresh(match), lines).digest() == match.digest()


def test_a_log_with_another_member_is_refused() -> None:
    match = start_match(program_of(WIND), 2, "other")
    drawn = heard(match)
    match.listeners = ()
    rng = random.Random(3)
    while not any("/" in line for line in script_of(match) if line.startswith("draw ")):
        match.choose_number(int(rng.random() * match.count))
    lines = script_of(match)
    at = next(n for n, line in enumerate(lines) if line.startswith("draw ") and "/" in line)
    lines[at] = "draw red meeple 9,9/c1"
    with pytest.raises(LogError, match=f"entry {at + 1} of the log"):
        replayed(fresh(match), lines)
    assert drawn == []


def test_a_prescribed_member_is_drawn_and_marked() -> None:
    match = start_match(LOTTERY(), 3, "steered")
    match.forced_draws = [MemberText("blue"), MemberText("6")]
    drawn = heard(match)
    match.choose_number(0)
    assert drawn[:2] == ["blue", "6"]
    lines = script_of(match)
    assert replayed(fresh(match), lines).digest() == match.digest()
    assert match.points[1] >= 6


def test_a_prescribed_piece_waits_for_a_draw_of_pieces() -> None:
    match = start_match(program_of(WIND), 2, "waits")
    piece = prescribed_draw(match.program, "monastery_road")
    assert isinstance(piece, int)
    match.forced_draws = [piece]
    (drawn,) = match.draw_members(len(match.stacks), [4, 5], 1)
    assert drawn in (4, 5) and match.forced_draws == [piece]


def test_a_prescribed_member_that_is_not_there_is_named() -> None:
    match = start_match(LOTTERY(), 3, "absent")
    match.forced_draws = [MemberText("gren")]
    with pytest.raises(RuleError) as caught:
        match.choose_number(0)
    assert caught.value.message == (
        "`gren` is not among the 3 members to draw; did you mean `green`?"
    )


def test_possible_worlds_have_other_members_to_come() -> None:
    match = start_match(LOTTERY(), 3, "worlds")
    for world in (for_trials(match), imagined(match, random.Random(1), [])):
        assert all(a != b for a, b in zip(world.streams, match.streams, strict=True))


def test_a_scenario_of_a_match_names_the_members() -> None:
    match = start_match(program_of(WIND), 2, 4)
    rng = random.Random(3)
    while match.to_move >= 0 and match.turn < 25:
        match.choose_number(int(rng.random() * match.count))
    position = position_of(match)
    reporter = Reporter()
    assert played_out(position, match.program, reporter) is not None, reporter.diagnostics


def test_draws_of_members_are_events_and_can_be_fixed() -> None:
    layout = tw.Layout(
        board=["city1 0,0 N", "city1 0,1 S"],
        figures={"red meeple": "0,0/c1", "blue meeple": "0,1/c1"},
    )
    fixed = ["monastery_field", "blue meeple 0,1/c1", "red meeple 0,0/c1"]
    match = tw.match(WIND, players=2, layout=layout, draws=fixed)
    seen: list[str] = []
    match.listen(lambda event: seen.append(event.text) if isinstance(event, tw.Drawn) else None)
    match.choose(0)
    assert seen[:2] == ["blue meeple 0,1/c1 is drawn", "red meeple 0,0/c1 is drawn"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("draw p from players\naward 1 to p", ""),
        ("draw n from 1..6\nfor p in players { award n to p }", ""),
        ("draw p from those q in players: q is not active\naward 1 to p", "p"),
        ("draw p from players where p is not active\naward 1 to p", "p"),
        ("draw p from pile times 2\nput p into pile", "`times` draws several members"),
        ("draw p from players times 2\nfor q in p { award 1 to q }", ""),
        ("draw p from 5\nfor q in players { award p to q }", "the stack after `from` must be"),
    ],
)
def test_the_type_of_what_is_drawn_is_known(text: str, message: str, tmp_path: Path) -> None:
    body = "".join(f"      {line}\n" for line in text.splitlines())
    rule = f"rules:\n  - id: trial.draws\n    on: step tally\n    do: |\n{body}"
    library, (id_,) = library_of(ruleset("draws", rule), tmp_path)
    _, reporter = load_program(id_, library=library)
    errors = [d.message for d in reporter.diagnostics if d.severity.name == "ERROR"]
    assert bool(errors) == bool(message), errors
    assert any(message in each for each in errors) or not message
