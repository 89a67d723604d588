"""How a tile comes on the table: a straight-line function for every pattern of joining.

Many shapes in many cells are laid alike: two neighbours still empty, one segment that grows a
feature, one that begins one. What is done then is put together here from a few templates of ours,
once for each such pattern, as a syntax tree. What differs (offsets, ports, kinds) comes as numbers
with the plan, so that a hundred functions serve every game; a loop that asks at each turn what there
is to do takes half as long again. Nothing here knows of shapes, and nothing that an author wrote
comes near.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from tilewright.runtime.emit import function_from, lines, load, number, store

#: (board, numbers of the plan, piece, cell, place in the frontier or -1) -> the new tile's bit
LayCell = Callable[[Any, tuple[Any, ...], int, int, int], int]


class Pattern(NamedTuple):
    """What is alike in the plans that one function carries out."""

    empty: int  # neighbours that are empty
    segments: int
    growths: tuple[tuple[int, int, bool], ...]  # segment, joins beyond the first, brings numbers
    fresh: tuple[int, ...]  # the segments that begin features
    numbered: bool  # whether one of these brings numbers
    borders: tuple[tuple[int, int], ...]  # segment, a segment that it borders
    waits: tuple[int, ...]  # the segments that wait for the cells around
    closing: tuple[int, ...]  # the segments whose features this lay may complete


BEGIN = """
tile_at, tile_cell, tile_shape, tile_piece, tile_features, port_segment, parent, kind, \
open_ends, tiles, figures, borders, cells, demand, position, waiting = board.hot
tile = len(tile_shape)
bit = 1 << tile
"""

#: the first cell that becomes open takes the place of this one
OPEN = """
beside = here + OFFSET
if beside in position:
    demand[position[beside]] += WANTED
elif place >= 0:
    cells[place] = beside
    demand[place] = WANTED
    position[beside] = place
    place = -1
else:
    position[beside] = len(cells)
    cells.append(beside)
    demand.append(WANTED)
"""

LEAVE = """
if place >= 0:
    last = cells.pop()
    moved = demand.pop()
    if last != here:
        cells[place] = last
        demand[place] = moved
        position[last] = place
"""

MEET = """
other = tile_at[here + OFFSET]
ROOT = tile_features[other][port_segment[tile_shape[other]][PORT]]
while ROOT != parent[ROOT]:
    ROOT = parent[ROOT]
"""

#: the older feature stays: the same one on every machine
JOIN = """
if joined != ROOT:
    if joined < ROOT:
        ROOT, joined = joined, ROOT
    board.merge(ROOT, joined)
"""

GROW = """
open_ends[ROOT] += CHANGE
tiles[ROOT] |= bit
"""

BEGIN_ONE = """
parent.append(ROOT)
kind.append(KIND)
open_ends.append(ENDS)
tiles.append(bit)
"""

NUMBERED = """
for attribute, row, amount in NUMBERS:
    board.attributes[attribute][begun + row] = amount
"""

TOP = """
top = ROOT
while top != parent[top]:
    top = parent[top]
"""

END = """
tile_at[here] = tile
tile_cell.append(here)
tile_shape.append(SHAPE)
tile_piece.append(piece)
tile_features.append(ROW)
told = board.fill(here) if here in waiting else ()
completed = []
"""

DONE = """
board.completed = completed
if told:
    board.complete(told)
return bit
"""


@cache
def lay_function(pattern: Pattern) -> LayCell:
    """The function for a pattern; with it goes a tuple of numbers as `Numbers` lists them."""
    return _Writer(pattern).function()


class _Writer:
    """Puts the function together, and names the numbers in the order in which it needs them."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.wanted: list[str] = []
        self.body: list[ast.stmt] = []

    def number(self, what: str) -> ast.expr:
        self.wanted.append(f"{what}{len(self.wanted)}")
        return load(self.wanted[-1])

    def add(self, text: str, **holes: ast.expr) -> None:
        self.body += lines(text, **holes)

    def function(self) -> LayCell:
        pattern = self.pattern
        shape = self.number("shape")
        for _ in range(pattern.empty):
            self.add(OPEN, OFFSET=self.number("offset"), WANTED=self.number("wanted"))
        self.add(LEAVE)
        root_of = {index: f"root{index}" for index in range(pattern.segments)}
        loose: set[int] = set()  # segments whose features may have been joined to another since
        for index, others, brings in pattern.growths:
            loose |= self.grow(load(root_of[index]), others, brings, root_of)
        if pattern.fresh:
            self.begin([root_of[index] for index in pattern.fresh])
        self.border(root_of)
        for index in pattern.waits:
            self.add("board.wait(ROOT, here)", ROOT=load(root_of[index]))
        row = ast.Tuple([load(root_of[index]) for index in range(pattern.segments)], ast.Load())
        self.add(END, SHAPE=shape, ROW=row)
        self.close(root_of)
        self.add(DONE)
        numbers = ast.Tuple([store(name) for name in self.wanted], ast.Store())
        begin = [*lines(BEGIN), ast.Assign([numbers], load("plan"))]
        parameters = ("board", "plan", "piece", "here", "place")
        return function_from("lay_cell", parameters, [*begin, *self.body])
