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
from functools import cache
from typing import Any, NamedTuple

from tilewright.runtime.code import compiled

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

#: needed by few shapes only: numbers of fresh segments as (attribute, segment, number), and the
#: segments that wait for the cells around
More = tuple[tuple[tuple[int, int, int], ...], tuple[int, ...]]

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


@cache
def _lines(text: str, holes: tuple[tuple[str, str | int], ...]) -> list[ast.stmt]:
    """The parsed statements of a template; cached, because parsing takes milliseconds."""
    named = _Named(dict(holes))
    return [named.visit(statement) for statement in ast.parse(text).body]


@cache
def lay_function(pattern: Pattern) -> LayCell:
    """The function for all plans of a pattern."""
    body: list[ast.stmt] = []
    numbers: list[str] = []

    def add(text: str, **holes: str | int) -> None:
        body.extend(_lines(text, tuple(holes.items())))

    def wanted(what: str) -> str:
        """The next number of the plan: in the order of `Shapes.write`."""
        numbers.append(f"{what}_{len(numbers)}")
        return numbers[-1]

    roots = [f"root_{index}" for index in range(pattern.segments)]
    shape = wanted("shape")
    for _ in range(pattern.empty):
        add(OPEN, OFFSET=wanted("offset"), WANTED=wanted("demand"))
    add(LEAVE)

    grown: set[int] = set()
    joined: set[int] = set()  # segments whose features may have been joined to others since
    for index, others, brings in pattern.growths:
        add(MEET, ROOT=roots[index], OFFSET=wanted("offset"), PORT=wanted("port"))
        for _ in range(others):
            add(MEET, ROOT="joined", OFFSET=wanted("offset"), PORT=wanted("port"))
            add(JOIN, ROOT=roots[index])
            joined |= grown
        add(GROW, ROOT=roots[index], CHANGE=wanted("change"))
        if brings:
            add("board.add(ROOT, VALUES)", ROOT=roots[index], VALUES=wanted("values"))
        grown.add(index)

    for row, index in enumerate(pattern.fresh):
        add(
            "ROOT = len(parent)" if row == 0 else "ROOT = LAST + 1",
            ROOT=roots[index],
            LAST=roots[pattern.fresh[row - 1]],
        )
        add(BEGIN, ROOT=roots[index], KIND=wanted("kind"), ENDS=wanted("ends"))
    if pattern.fresh:
        add("while LAST >= len(figures): board.make_room()", LAST=roots[pattern.fresh[-1]])

    def top(index: int) -> str:
        if index not in joined:
            return roots[index]
        add(TOP, ROOT=roots[index])
        return "top"

    for index, across in pattern.borders:
        add("borders[ROOT] |= 1 << ACROSS", ROOT=top(index), ACROSS=roots[across])
    add(f"row = ({''.join(f'{root}, ' for root in roots)})")
    add(END, SHAPE=shape)
    if pattern.brings:
        add(BRING, NUMBERS=wanted("numbers"))
    for index in pattern.waits:
        add("board.wait(ROOT, here)", ROOT=roots[index])
    add(COMPLETE)
    seen = False
    for index in pattern.closing:
        code = "if not open_ends[ROOT]: completed.append(ROOT)"
        if seen and index in grown:  # two segments of one feature complete it only once
            code = "if not open_ends[ROOT] and ROOT not in completed: completed.append(ROOT)"
        add(code, ROOT=top(index))
        seen = seen or index in grown
    add(DONE)
    (function,) = ast.parse(FUNCTION).body
    assert isinstance(function, ast.FunctionDef)
    function.body += [*_lines(f"{', '.join(numbers)}, = plan", ()), *body]
    found: LayCell = compiled(function, "<laying>", {})
    return found
