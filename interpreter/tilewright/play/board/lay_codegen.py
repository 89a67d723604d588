"""Generates straight-line functions that lay a tile, one for each frequent pattern of joining.

Many placements follow the same pattern, for example: two neighbours are empty, one segment grows a
feature, one begins a feature. For a pattern that was laid often, a function is built from fixed
templates as a syntax tree. Offsets, ports and kinds are arguments from the plan, and a few dozen
functions serve nearly every placement of every game. They do the same as `Board` does with a plan,
in about four fifths of the time. A pattern holds only numbers: no text of an author is compiled.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from tilewright.play.code import compiled

#: (board, numbers of the plan, piece, cell, place in the frontier or -1) -> the new tile's bit
LayCell = Callable[[Any, tuple[Any, ...], int, int, int], int]


#: a pattern that was laid more often than this gets a function; generating one takes a
#: millisecond, and each use saves about one microsecond
OFTEN = 500


class Pattern(NamedTuple):
    """The common part of all plans that one function carries out."""

    empty: int  # neighbours that are empty
    segments: int
    growths: tuple[tuple[int, int, bool], ...]  # segment, joins beyond the first, brings numbers
    fresh: tuple[int, ...]  # the segments that begin features
    borders: tuple[tuple[int, int], ...]  # segment, a segment that it borders
    brings: bool  # whether one of the fresh ones brings numbers
    waits: tuple[int, ...]  # the segments that wait for the cells around
    closing: tuple[int, ...]  # the segments whose features this lay may complete


#: a segment that meets tiles: its index, change of open ends, offset and port of the first join,
#: the other joins, the numbers it brings as (attribute, number, whether they add up)
Growth = tuple[int, int, int, int, tuple[tuple[int, int], ...], tuple[tuple[int, int, bool], ...]]

#: needed by few shapes only: numbers of fresh segments as (attribute, segment, number), the
#: segments that wait for the cells around, and the ends beside the tile that meet no segment, as
#: (offset, port)
More = tuple[tuple[tuple[int, int, int], ...], tuple[int, ...], tuple[tuple[int, int], ...]]

#: the effect of laying a shape in a cell of one demand: (offset, demand) of its empty neighbours,
#: a blank row for its segments, those that meet tiles, those that meet none and begin features as
#: (segment, kind, open ends), (segment, segment it borders), whether features may be joined, what
#: few shapes do, the segments that this lay may complete, and how often its pattern was laid.
#: Plain tuples, because unpacking a named one is three times as slow.
Plan = tuple[
    tuple[tuple[int, int], ...],
    tuple[int, ...],
    tuple[Growth, ...],
    tuple[tuple[int, int, int], ...],
    tuple[tuple[int, int], ...],
    bool,
    More | None,
    tuple[int, ...],
    list[int],
]


FUNCTION = """
def lay_cell(board, plan, piece, here, place):
    tile_at, tile_cell, tile_shape, tile_piece, tile_features, port_segment, parent, kind, \
    open_ends, tiles, figures, borders, cells, demand, position, waiting = board.hot_lists
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

#: the older feature stays: the same one on every computer
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

BEGIN = """
parent.append(ROOT)
kind.append(KIND)
open_ends.append(ENDS)
tiles.append(bit)
"""

BRING = """
for attribute, index, amount in NUMBERS:
    board.attributes[attribute][row[index]] = amount
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
tile_features.append(row)
"""

COMPLETE = """
filled = board.fill(here) if here in waiting else ()
completed = []
"""

DONE = """
board.completed = completed
if filled:
    board.complete(filled)
return bit
"""


class _Named(ast.NodeTransformer):
    """Replaces the placeholders of a template by names or numbers."""

    def __init__(self, holes: dict[str, str | int]) -> None:
        self.holes = holes

    def visit_Name(self, node: ast.Name) -> ast.expr:
        held = self.holes.get(node.id, node.id)
        if isinstance(held, int):
            return ast.copy_location(ast.Constant(held), node)
        node.id = held
        return node


@lru_cache(4096)
def _lines(text: str, holes: tuple[tuple[str, str | int], ...]) -> list[ast.stmt]:
    """The parsed statements of a template; cached, because parsing takes milliseconds."""
    named = _Named(dict(holes))
    return [named.visit(statement) for statement in ast.parse(text).body]


class _Writer:
    """Collects the statements of a lay function, and the names of the numbers of a plan."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.body: list[ast.stmt] = []
        self.numbers: list[str] = []
        self.roots = [f"root_{index}" for index in range(pattern.segments)]
        self.grown: set[int] = set()
        # segments whose features may have been joined to others since
        self.joined: set[int] = set()

    def add(self, text: str, **holes: str | int) -> None:
        """Add the statements of a template."""
        self.body.extend(_lines(text, tuple(holes.items())))

    def wanted(self, what: str) -> str:
        """The next number of the plan: in the order of `Shapes.write`."""
        self.numbers.append(f"{what}_{len(self.numbers)}")
        return self.numbers[-1]

    def top(self, index: int) -> str:
        """The name that holds the feature of a segment after all joins."""
        if index not in self.joined:
            return self.roots[index]
        self.add(TOP, ROOT=self.roots[index])
        return "top"

    def grow_features(self) -> None:
        """Segments that touch features join them, and these to one another."""
        roots, wanted = self.roots, self.wanted
        for index, others, brings in self.pattern.growths:
            self.add(MEET, ROOT=roots[index], OFFSET=wanted("offset"), PORT=wanted("port"))
            for _ in range(others):
                self.add(MEET, ROOT="joined", OFFSET=wanted("offset"), PORT=wanted("port"))
                self.add(JOIN, ROOT=roots[index])
                self.joined |= self.grown
            self.add(GROW, ROOT=roots[index], CHANGE=wanted("change"))
            if brings:
                self.add("board.add(ROOT, VALUES)", ROOT=roots[index], VALUES=wanted("values"))
            self.grown.add(index)

    def begin_features(self) -> None:
        """The other segments begin features."""
        roots, fresh = self.roots, self.pattern.fresh
        for row, index in enumerate(fresh):
            self.add(
                "ROOT = len(parent)" if row == 0 else "ROOT = LAST + 1",
                ROOT=roots[index],
                LAST=roots[fresh[row - 1]],
            )
            self.add(BEGIN, ROOT=roots[index], KIND=self.wanted("kind"), ENDS=self.wanted("ends"))
        if fresh:
            self.add("while LAST >= len(figures): board.make_room()", LAST=roots[fresh[-1]])

    def complete_features(self) -> None:
        """Collect the features that the piece completes."""
        self.add(COMPLETE)
        seen = False
        for index in self.pattern.closing:
            code = "if not open_ends[ROOT]: completed.append(ROOT)"
            if seen and index in self.grown:  # two segments of one feature complete it only once
                code = "if not open_ends[ROOT] and ROOT not in completed: completed.append(ROOT)"
            self.add(code, ROOT=self.top(index))
            seen = seen or index in self.grown


@lru_cache(4096)
def lay_function(pattern: Pattern) -> LayCell:
    """The function for all plans of a pattern."""
    writer = _Writer(pattern)
    add, roots = writer.add, writer.roots
    shape = writer.wanted("shape")
    for _ in range(pattern.empty):
        add(OPEN, OFFSET=writer.wanted("offset"), WANTED=writer.wanted("demand"))
    add(LEAVE)
    writer.grow_features()
    writer.begin_features()
    for index, across in pattern.borders:
        add("borders[ROOT] |= 1 << ACROSS", ROOT=writer.top(index), ACROSS=roots[across])
    add(f"row = ({''.join(f'{root}, ' for root in roots)})")
    add(END, SHAPE=shape)
    if pattern.brings:
        add(BRING, NUMBERS=writer.wanted("numbers"))
    for index in pattern.waits:
        add("board.wait(ROOT, here)", ROOT=roots[index])
    writer.complete_features()
    add(DONE)
    (function,) = ast.parse(FUNCTION).body
    assert isinstance(function, ast.FunctionDef)
    function.body += [*_lines(f"{', '.join(writer.numbers)}, = plan", ()), *writer.body]
    found: LayCell = compiled(function, "<laying>", {})
    return found
