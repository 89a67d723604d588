"""Counts of placement sequences, against a count that knows nothing of tables and demands."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.played import program_of
from support.ruleset_cases import library_of
from tilewright.play.program import Program
from tilewright.rules.model.geometry import STEPS, turned
from tilewright.rules.model.ruleset import TileFace
from tilewright.tools.simulation.perft import _after_setup, _ByBoard, kinds_of_tiles, perft
from tilewright.tools.workspace.loading import load_program

#: counted by `perft` and agreed with by the plain count below, which is slow
BASE = [81, 9850, 1373917]

Look = tuple[object, ...]
Laid = dict[tuple[int, int], tuple[str, ...]]


def look(face: TileFace, turn: int) -> Look:
    """Edges, segments and links of a tile turned so, without names."""
    place = {
        s.id: (s.kind, tuple(sorted(turned(port, turn) for port in s.ports))) for s in face.segments
    }
    segments = [
        (*place[s.id], tuple(sorted(place[border] for border in s.borders))) for s in face.segments
    ]
    return tuple(face.edges[(side - turn) % 4] for side in range(4)), tuple(sorted(segments))


def plain_count(program: Program, depth: int) -> int:
    """Every sequence, one by one: for pieces of one cell."""
    kinds: dict[frozenset[Look], int] = {}
    start: Laid = {}
    first = _after_setup(program).match.board.tile_piece
    for number, piece in enumerate(program.game.pieces):
        ((face,),) = piece.faces
        looks = frozenset(look(face, turn) for turn in range(4))
        kinds[looks] = kinds.get(looks, 0) + piece.count - first.count(number)
        if number in first:
            start[0, 0] = face.edges
    return sequences(start, kinds, depth)


def sequences(laid: Laid, kinds: dict[frozenset[Look], int], depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    beside = {(x + dx, y + dy) for x, y in laid for dx, dy in STEPS} - set(laid)
    for looks, copies in kinds.items():
        for edges, _ in looks if copies else ():
            for x, y in beside:
                around = [laid.get((x + dx, y + dy)) for dx, dy in STEPS]
                if all(
                    tile is None or tile[(side + 2) % 4] == edges[side]  # type: ignore[index]
                    for side, tile in enumerate(around)
                ):
                    after = {**laid, (x, y): edges}
                    left = {**kinds, looks: copies - 1}
                    total += sequences(after, left, depth - 1)  # type: ignore[arg-type]
    return total


def made(text: str, folder: Path, depth: int = 3) -> list[int]:
    library, _ = library_of(text, folder)
    program, reporter = load_program("trial/first", {}, library)
    assert program is not None, reporter.diagnostics
    return perft(program, depth)


def test_the_base_game_has_nineteen_tiles_that_differ() -> None:
    assert len(kinds_of_tiles(program_of("c2/base"))) == 19


def test_the_base_game_is_counted() -> None:
    heard: list[tuple[int, int]] = []
    assert perft(program_of("c2/base"), 3, lambda *text: heard.append(text)) == BASE
    assert heard == list(enumerate(BASE, 1))


def test_the_plain_count_agrees_on_the_base_game() -> None:
    program = program_of("c2/base")
    assert [plain_count(program, depth) for depth in (1, 2)] == BASE[:2]


@pytest.mark.parametrize("game", ["c3/base", "c2/farmers", "c2/princess-and-dragon"])
def test_both_ways_to_count_agree(game: str) -> None:
    program = program_of(game)
    by_board = _ByBoard(_after_setup(program))
    assert perft(program, 2) == [by_board.count(1), by_board.count(2)]


def test_what_does_not_take_part_counts_all_the_same() -> None:
    assert perft(program_of("c2/farmers"), 2) == perft(program_of("c2/base"), 2)


def test_a_small_game_is_counted_to_its_last_tile(tmp_path: Path) -> None:
    library, _ = library_of("# rules/trial.yaml\nrules: []\n", tmp_path)
    program, _ = load_program("trial/table", {}, library)
    assert program is not None
    found = perft(program, 5)
    assert found[:4] == [plain_count(program, depth) for depth in range(1, 5)]
    assert found[4] == 0


TWIN = """# tiles.yaml
tiles:
  - id: starred_cap
    count: 2
    edges: [meadow, meadow, meadow, town]
    symbols: [star]
    segments:
      gate: {kind: town, at: [W], flags: 1}
      grass: {kind: meadow, at: [SSW, SSE, ESE, ENE, NNE, NNW], borders: [gate]}
"""


def test_tiles_that_differ_by_names_and_marks_count_once(tmp_path: Path) -> None:
    library, _ = library_of(TWIN, tmp_path)
    alike, _ = load_program("trial/first", {}, library)
    table, _ = load_program("trial/table", {}, library)
    assert alike is not None and table is not None
    assert len(kinds_of_tiles(alike)) == len(kinds_of_tiles(table)) == 2
    assert perft(alike, 1) == perft(table, 1)
    assert perft(alike, 4) == [plain_count(alike, depth) for depth in range(1, 5)]


BARRED = """# rules/trial.yaml
rules:
  - id: trial.no_path
    amend: may_lay(p, spot)
    value: p != path
"""


def test_a_rule_that_bars_placements_is_heard(tmp_path: Path) -> None:
    # a cap fits with its town to the town, and with three sides to each of three meadows
    assert made(BARRED, tmp_path, 1) == [1 + 3 * 3]


DOUBLE = """# tiles.yaml
tiles:
  - id: long
    count: 1
    faces:
      - - at: [0, 0]
          edges: [meadow, meadow, meadow, meadow]
          segments: {m1: {kind: meadow, at: [NNW, NNE, SSE, SSW, WSW, WNW, ENE, ESE]}}
        - at: [1, 0]
          edges: [meadow, meadow, meadow, meadow]
          segments: {m1: {kind: meadow, at: [NNW, NNE, SSE, SSW, WSW, WNW, ENE, ESE]}}
"""


def test_a_piece_of_two_cells_is_counted_wherever_it_reaches(tmp_path: Path) -> None:
    # ten caps and three paths; beside each of three meadows it lies straight, or to either hand
    assert made(DOUBLE, tmp_path, 1) == [10 + 3 + 3 * 3]
