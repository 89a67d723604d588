"""Previews a placement: the segments it adds and the features it would extend, join or complete.

The board does not change. A print is a segment that is not laid yet: its cell, its shape, and its
index among the segments of that shape.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.play.board.lay_plans import plan_of
from tilewright.play.board.tile_tables import Shapes
from tilewright.play.encoding import OFFSETS
from tilewright.play.match import Match
from tilewright.rules.model.geometry import facing_port

Print = tuple[int, int, int]
Node = tuple[int, int]  #: a cell, and the index of a segment of the shape there


def prints(m: Match, piece: int, at: tuple[int, int], kind: int | None = None) -> list[Print]:
    """The segments that a piece would add, only those of `kind` when it is given.

    Empty when the piece does not have the layout of this placement.
    """
    shapes = m.board.shapes
    return [
        (here, shape, index)
        for here, shape in _cells(shapes, piece, at)
        for index, own in enumerate(shapes.segment_kind[shape])
        if kind is None or own == kind
    ]


def joined(m: Match, piece: int, at: tuple[int, int], kind: int | None = None) -> list[int]:
    """The features on the board that a piece would extend, only those of `kind` when it is given.

    Empty when the piece does not fit.
    """
    roots = [root for _, root in _touched(m, piece, at, kind) or ()]
    return roots if len(roots) < 2 else list(dict.fromkeys(roots))


def joins(m: Match, piece: int, at: tuple[int, int], wanted: Print) -> list[int]:
    """The features on the board that a segment of a piece would join: those it meets, and those
    that the other segments of the piece connect with them."""
    if wanted not in prints(m, piece, at):
        return []
    links: dict[Node | int, list[Node | int]] = {}
    pairs: list[tuple[Node | int, Node | int]] = [*(_touched(m, piece, at) or ())]
    pairs += _seams(m.board.shapes, _cells(m.board.shapes, piece, at))
    for one, other in pairs:
        links.setdefault(one, []).append(other)
        links.setdefault(other, []).append(one)
    found: list[Node | int] = [(wanted[0], wanted[2])]
    for node in found:
        found += [near for near in dict.fromkeys(links.get(node, ())) if near not in found]
    return sorted(root for root in found if isinstance(root, int))


def completed_by(m: Match, piece: int, at: tuple[int, int]) -> list[int]:
    """The features on the board that a piece would complete; empty when it does not fit.

    The piece is laid on a copy of the board, because it may join features and fill awaited cells.
    """
    cell, layout = at
    before = m.board
    if layout >= len(before.shapes.footprints[piece]) or not before.accepts(piece, layout, cell):
        return []
    after = before.copy()
    after.lay(piece, layout, cell)
    if not after.completed:
        return []
    return [root for root in before.feature_roots() if after.find(root) in after.completed]


def _cells(shapes: Shapes, piece: int, at: tuple[int, int]) -> list[tuple[int, int]]:
    """The cells that a piece would fill, each with its shape there."""
    cell, layout = at
    layouts = shapes.footprints[piece]
    return (
        [(cell + step, shape) for step, shape in layouts[layout]] if layout < len(layouts) else []
    )


def _touched(
    m: Match, piece: int, at: tuple[int, int], kind: int | None = None
) -> list[tuple[Node, int]] | None:
    """Each pair of a segment of the piece and a feature it would meet; empty when it does not fit.

    Only segments of `kind` when it is given.
    """
    board = m.board
    shapes = board.shapes
    found: list[tuple[Node, int]] = []
    for here, shape in _cells(shapes, piece, at):
        place = board.frontier_index.get(here)
        if place is None:
            continue
        demand = board.demand[place]
        plan = shapes.plans[shape].get(demand)
        if plan is None:
            if not shapes.meets(shape, demand):
                return None
            plan = plan_of(shapes, shape, demand)
        own = shapes.segment_kind[shape]
        for index, _, offset, port, others, _ in plan[2]:
            if kind is not None and own[index] != kind:
                continue
            for beside, its_port in ((offset, port), *others):
                other = board.tile_at[here + beside]
                segment = shapes.port_segment[board.tile_shape[other]][its_port]
                found.append(((here, index), board.find(board.tile_features[other][segment])))
    return found


def _seams(shapes: Shapes, cells: list[tuple[int, int]]) -> Iterator[tuple[Node, Node]]:
    """The pairs of segments that meet inside a piece of several cells."""
    shape_at = dict(cells)
    for here, shape in cells:
        for port, index in enumerate(shapes.port_segment[shape]):
            there = here + OFFSETS[port // 3]
            if index >= 0 and there in shape_at:
                beside = shapes.port_segment[shape_at[there]][facing_port(port)]
                if beside >= 0:
                    yield (here, index), (there, beside)
