"""The tables for the native core hold the numbers of `Shapes`, in sections of known lengths."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest

from tilewright.play.compiling.bytecode.instructions import NotCarried
from tilewright.play.compiling.bytecode.tables import MAX_SYMBOLS, WORD, Sections, tables_of
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.program import Program
from tilewright.tools.workspace.loading import load_game

GAMES = ("c2/farmers", "c3/river-two-lakes")


def program_of(text: str) -> Program:
    """The compiled game of a text without errors."""
    game, _ = load_game(text)
    assert game is not None
    return compile_game(game)


@pytest.fixture(scope="module", params=GAMES)
def program(request: pytest.FixtureRequest) -> Program:
    """One of the games."""
    return program_of(request.param)


@pytest.fixture(scope="module")
def sections(program: Program) -> Sections:
    """Its tables."""
    return tables_of(program)


def test_offsets_ascend_from_0_to_the_number_of_rows(sections: Sections) -> None:
    width = {"merges": 2, "segment_joins": 2, "segment_values": 3, "footprint": 2}
    starts = [name for name in sections if name.endswith("_at")]
    assert len(starts) == 11
    for name in starts:
        ends, rows = sections[name], name.removesuffix("_at")
        assert ends[0] == 0
        assert ends == sorted(ends)
        if rows in sections:
            assert ends[-1] * width.get(rows, 1) == len(sections[rows])


def test_every_shape_and_every_layout_can_be_read_back(
    program: Program, sections: Sections
) -> None:
    shapes = program.shapes
    starts = sections["segments_at"]
    for shape, row in enumerate(shapes.segments):
        mine = range(starts[shape], starts[shape + 1])
        assert [sections["segment_kind"][i] for i in mine] == [segment.kind for segment in row]
    ends = sections["footprint_at"]
    flat = sections["footprint"]
    layouts = [
        tuple(zip(flat[2 * a : 2 * b : 2], flat[2 * a + 1 : 2 * b : 2], strict=True))
        for a, b in pairwise(ends)
    ]
    assert layouts == [layout for layouts in shapes.footprints for layout in layouts]


def test_counts_hold_the_figures_of_the_most_players_and_all_cells(
    program: Program, sections: Sections
) -> None:
    game = program.game
    *_, tiles, words = sections["counts"]
    assert tiles == sum(piece.count * len(piece.faces[0]) for piece in game.pieces)
    assert words * WORD >= sum(figure.count for figure in game.figures) * game.players_most > 0


def test_a_game_with_more_symbols_than_bits_has_no_tables(program: Program) -> None:
    many = SimpleNamespace(symbol_ids=("x",) * (MAX_SYMBOLS + 1))
    with pytest.raises(NotCarried, match="63 symbols"):
        tables_of(SimpleNamespace(shapes=many, game=program.game))
