"""Tiles near other things are found by the cells around these, not by tests of all tiles."""

from __future__ import annotations

from typing import Any

import pytest

from support.probe_game import label, position, program_with
from tilewright.language.source.text import Span
from tilewright.play.compiling import compiler
from tilewright.play.compiling.form import Function, place
from tilewright.play.compiling.python.writer import python_text

BEFORE = """let a = first(tiles)
stop if a is nothing
let s = first(a.segments)
stop if s is nothing
let x = s.feature
"""
#: sets of tiles that are found by cells
BY_CELLS = (
    "those t in tiles: any m in x.tiles: t.cell in around(m.cell)",
    "those t in tiles: any m in x.tiles: t.cell in neighbours(m.cell)",
    "those t in tiles: t.cell in around(a.cell)",
    "those t in tiles: t.cell in line(a.cell, north) and count(t.segments) > 1",
    "those t in tiles: any m in x.tiles: t.cell in within(m.cell, north.heading, 3)",
)
#: others: their first test needs each tile, or finds no cells
ONE_BY_ONE = (
    "those t in tiles: any m in x.tiles: m.cell in around(t.cell)",
    "those t in tiles: count(t.segments) > 1 and t.cell in around(a.cell)",
    "those t in tiles: all m in x.tiles: t.cell in around(m.cell)",
    "those t in tiles: any m in t.features: t.cell in around(a.cell)",
    "those t in x.tiles: t.cell in around(a.cell)",
)


def found(text: str, seed: int, *, as_written: bool) -> Any:
    """A set of tiles on a board, with the code as it is written or not."""
    program = program_with(f"{BEFORE}set many.tile = {text}", probes=as_written)
    match = position(seed, program)
    while label(match) != "ready":
        match.choose_number(0)
    match.choose_number(0)
    return match.memory[program.memory_number["many.tile"]]


@pytest.mark.parametrize("text", BY_CELLS + ONE_BY_ONE)
def test_the_tiles_are_those_that_are_written(text: str) -> None:
    sets = [found(text, seed, as_written=False) for seed in range(4)]
    assert sets == [found(text, seed, as_written=True) for seed in range(4)]
    assert any(sets)


@pytest.mark.parametrize("text", BY_CELLS + ONE_BY_ONE)
def test_no_loop_tests_all_tiles_where_cells_name_them(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code: list[str] = []
    define = compiler.Compiler.define

    def noted(self: compiler.Compiler, function: Function, span: Span) -> Any:
        code.append(python_text(place(function, span)))
        return define(self, function, span)

    monkeypatch.setattr(compiler.Compiler, "define", noted)
    program_with(f"{BEFORE}set many.tile = {text}")
    [rule] = [each for each in code if "v_x = " in each and "v_s = " in each]
    assert ("bits((1 << len(m.board.tile_cell)) - 1)" in rule) == (
        text in ONE_BY_ONE and "in tiles" in text
    )
