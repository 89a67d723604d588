"""The public view of a match reveals nothing of future draws."""

from __future__ import annotations

import json
from pathlib import Path

from tilewright.faces.cli.app import run
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.observation import public_view
from tilewright.tools.workspace.loading import load_program

GAME = "c3.1/dragon-and-fairy+c3/farmers"


def played(seed: int) -> Match:
    program, reporter = load_program(GAME)
    assert program is not None, reporter.diagnostics
    match = start_match(program, 3, seed)
    for k in range(30):
        match.choose_number(k % match.count)
    return match


def test_a_view_is_plain_data_and_shows_the_board() -> None:
    match = played(1)
    view = json.loads(json.dumps(public_view(match)))
    assert len(view["board"]) == len(match.board.tile_cell)
    assert [p["seat"] for p in view["players"]] == ["red", "blue", "green"]
    assert view["decides"] in ("red", "blue", "green")
    assert view["options"]


def test_what_is_face_down_is_only_counted() -> None:
    view = public_view(played(1))
    assert set(view["stacks"]["land"]) == {"count"}
    assert view["stacks"]["box"] == {"count": 5}
    assert "pieces" in view["stacks"]["discarded"]


def test_another_order_of_the_stack_looks_the_same() -> None:
    match = played(1)
    other = match.fork()
    other.streams = [state ^ 12345 for state in other.streams]
    other.stacks = [pieces[::-1] for pieces in other.stacks]
    assert public_view(other) == public_view(match)


def test_the_command_line_gives_it_as_json(tmp_path: Path) -> None:
    out = tmp_path / "view.json"
    assert run(["show", "board", "c2/base", "--turns", "3", "-f", "json", "--out", str(out)]) == 0
    assert json.loads(out.read_text())["game"] == "c2/base"
