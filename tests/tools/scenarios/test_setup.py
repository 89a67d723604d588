"""The situation of a scenario is possible on the table, or the error is where it is written."""

from __future__ import annotations

import pytest

from support.played import program_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import read_yaml
from tilewright.rules.model.ruleset import Scenario
from tilewright.rules.reading.files.scenarios import read_scenarios
from tilewright.tools.scenarios.runner import played_out

#: a tile that does not fit where a scenario lays it, and the message
CANNOT_LIE = {
    "city1 1,0 N": (
        "the west edge shows a field; its neighbour, the tile with a city and a road, shows a road"
    ),
    "city1 0,0 N": "a tile with a city and a road lies there already",
}


@pytest.mark.parametrize("line", CANNOT_LIE)
def test_a_tile_that_cannot_lie_there_names_the_side_and_the_neighbour(line: str) -> None:
    board = f'["city1_road_straight 0,0 N", "{line}"]'
    message, place = _wrong_at(board=board)
    assert message == f"`{line}` cannot be laid: {CANNOT_LIE[line]}"
    assert place == line


#: a part of a situation that is not possible: its message, and the text at its place
CANNOT_BE = {
    'joined: ["0,0/x1 0,0/r1"]': ("the tile at 0,0 has no segment `x1`", "0,0/x1 0,0/r1"),
    'figures: {red meeple: "0,0/x1"}': (
        "the tile at 0,0 has no segment `x1`: it has `c1` and `r1`",
        "0,0/x1",
    ),
    'figures: {red meeple: "5,5"}': ("no tile lies at 5,5", "5,5"),
    "points: {red: 1, green: 2}": ("`green` is not a player here", "green"),
    "tokens: {red coin: 2}": ("`red coin` names no player's tokens", "red coin"),
    'memory: {nothing: "1"}': ("unknown memory `nothing`", "nothing"),
    "active: green": ("`green` is not a player here", "active"),
    "stacks: {piles: [city1]}": ("unknown stack `piles`", "piles"),
    "stacks: {land: [city1, citadel]}": ("unknown piece `citadel`", "citadel"),
    "stacks: {land: [crossroads4], discarded: [crossroads4]}": (
        "no copy of `crossroads4` is left: the game has 1",
        "crossroads4",
    ),
}


@pytest.mark.parametrize("part", CANNOT_BE)
def test_an_impossible_part_of_a_situation_is_reported_where_it_is_written(part: str) -> None:
    key, _, value = part.partition(": ")
    message, place = _wrong_at(**{key: value})
    said, where = CANNOT_BE[part]
    assert said in message
    assert place == where


def test_pieces_of_a_stack_are_taken_out_of_the_others() -> None:
    program = program_of("c2/base")
    land, discarded = (program.stack_number[name] for name in ("land", "discarded"))
    reporter = Reporter()
    match = played_out(_scenario("discarded: [crossroads4, city1]"), program, reporter)
    assert match is not None, reporter.diagnostics
    pieces = [program.piece_number[name] for name in ("crossroads4", "city1")]
    assert match.stacks[discarded] == pieces
    assert [match.stacks[land].count(piece) for piece in pieces] == [0, 3]


#: an expectation about something that is not there, and what was found instead
NOT_THERE = {
    "supply: {red meples: 7}": "unknown figure",
    "gained: {green: nothing}": "unknown player",
    "winners: [red, blue]": "a game that goes on",
}


@pytest.mark.parametrize("part", NOT_THERE)
def test_what_is_not_there_meets_no_expectation(part: str) -> None:
    reporter = Reporter()
    scenario = _read(_situation(play=f"[expect: {{{part}}}]"), reporter)
    played_out(scenario, program_of("c2/base"), reporter)
    (found,) = reporter.diagnostics
    assert found.message.endswith(f"found {NOT_THERE[part]}")


def test_a_draw_is_written_without_a_colon() -> None:
    reporter = Reporter()
    _read(_situation(play="[draw: road_curve]"), reporter)
    assert reporter.diagnostics[0].hint == "write it without a colon: `- draw road_curve`"


def _situation(**parts: str) -> str:
    usual = {
        "players": "[red, blue]",
        "board": '["city1_road_straight 0,0 N"]',
        "play": "[draw road_curve]",
    }
    written = "".join(f"    {key}: {value}\n" for key, value in (usual | parts).items())
    return f"scenarios:\n  - id: a\n    says: it is possible\n{written}"


def _read(text: str, reporter: Reporter) -> Scenario:
    node = read_yaml(text, "a.yaml", reporter)
    assert node is not None
    (scenario,) = read_scenarios(node, reporter)
    return scenario


def _scenario(stacks: str) -> Scenario:
    return _read(_situation(stacks=f"{{{stacks}}}"), Reporter())


def _wrong_at(**parts: str) -> tuple[str, str]:
    """The message about an impossible situation, and the text at its place."""
    text, reporter = _situation(**parts), Reporter()
    scenario = _read(text, reporter)
    assert played_out(scenario, program_of("c2/base"), reporter) is None
    (found,) = reporter.diagnostics
    assert found.code == "TW801"
    row = text.split("\n")[found.span.line - 1]
    return found.message, row[found.span.column - 1 : found.span.end_column - 1].strip('"')
