"""Joins segments wherever they are, parts them again, and reads what hangs together.

Joins are primary facts of a board, like the tiles. The number of a feature is that of its segment
which appeared first, so it does not depend on the order of joins. Joining merges two features, as
laying does. Parting walks over the feature and counts both parts again; segments that touch in
print never part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tilewright.play.board.board import Board
from tilewright.play.encoding import OFFSETS


def feature_at(board: Board, segment: int) -> int:
    """The feature of a segment of a board."""
    return board.find(board.tile_features[segment >> 5][segment & 31])


def linked(board: Board, segment: int) -> list[int]:
    """The segments that are joined with a segment, in ascending order."""
    pairs = board.links
    return [a + b - segment for a, b in pairs if segment in (a, b)] if pairs else []


def join(board: Board, one: int, other: int) -> bool:
    """Join two segments of a kind; False when they are joined already, or one segment."""
    pair = (min(one, other), max(one, other))
    if one == other or pair in board.links:
        return False
    for segment in pair:
        board.open_ends[feature_at(board, segment)] -= _has_loose_end(board, segment)
    root, joined = sorted(feature_at(board, segment) for segment in pair)
    board.links = tuple(sorted((*board.links, pair)))
    if root != joined:
        board.merge(root, joined)
    _complete(board, (root,))
    return True


def part(board: Board, one: int, other: int, spots: Sequence[int]) -> bool:
    """Part two segments that were joined; False when they were not.

    `spots` are the places of the figures.
    """
    pair = (min(one, other), max(one, other))
    if pair not in board.links:
        return False
    board.links = tuple(known for known in board.links if known != pair)
    root = feature_at(board, one)
    for segment in pair:
        board.open_ends[root] += _has_loose_end(board, segment)
    sides = [_reached(board, segment) for segment in pair]
    roots = [root] if sides[0] == sides[1] else _fall_apart(board, root, sides, spots)
    _complete(board, roots)
    return True


def _has_loose_end(board: Board, segment: int) -> bool:
    """Whether a segment has an end inside its tile that no join has taken."""
    loose = board.shapes.segments[board.tile_shape[segment >> 5]][segment & 31].loose
    return loose > len(linked(board, segment))


def _complete(board: Board, changed: Iterable[int]) -> None:
    """List what is complete of the features that were, and of those that changed."""
    board.roots_cache_tiles = -1
    candidates = [*board.completed, *changed]
    board.completed = []
    board.complete(candidates)


def stretch(board: Board, segment: int) -> list[int]:
    """The segments that hang together with a segment as printed, in ascending order."""
    return sorted(_reached(board, segment, over_links=False))


def touching(board: Board, segment: int) -> list[int]:
    """The segments of other tiles that a segment touches."""
    tile, shapes = segment >> 5, board.shapes
    cell, found = board.tile_cell[tile], []
    for side, port in shapes.segments[board.tile_shape[tile]][segment & 31].joins:
        other = board.tile_at.get(cell + OFFSETS[side])
        if other is not None:
            index = shapes.port_segment[board.tile_shape[other]][port]
            if index >= 0:
                found.append(other << 5 | index)
    return found


def _reached(board: Board, segment: int, over_links: bool = True) -> set[int]:
    """The segments that hang together with a segment, as printed or also by joins."""
    reached, waiting = {segment}, [segment]
    while waiting:
        here = waiting.pop()
        near = touching(board, here)
        if over_links:
            near += linked(board, here)
        for other in near:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached


def _fall_apart(
    board: Board, root: int, sides: Sequence[Collection[int]], spots: Sequence[int]
) -> list[int]:
    """Make two features of one whose segments are these, and return both."""
    rows, figures = board.tile_features, board.figures[root]
    # a feature began with the first of the segments that have its number
    begins: dict[int, int] = {}
    for segment in sorted(segment for side in sides for segment in side):
        begins.setdefault(rows[segment >> 5][segment & 31], segment)
    found = []
    for side in sides:
        own = [feature for feature, segment in begins.items() if segment in side]
        if not own:  # it began with a tile that was lifted
            own.append(board.begin(board.kind[root]))
        root = min(own)
        for feature in own:
            board.parent[feature] = root
        for segment in side:
            row, index = rows[segment >> 5], segment & 31
            if row[index] not in own:
                rows[segment >> 5] = (*row[:index], root, *row[index + 1 :])
        _count_again(board, root, side)
        found.append(root)
    for root in found:
        board.figures[root] = 0
    for figure, spot in enumerate(spots):
        if figures >> figure & 1:
            board.figures[feature_at(board, spot - 1)] |= 1 << figure
    _border_again(board)
    return found


def _count_again(board: Board, root: int, segments: Iterable[int]) -> None:
    """Count the totals of a feature from its segments."""
    shapes = board.shapes
    tiles = ends = 0
    for numbers in board.attributes:
        numbers[root] = 0
    for segment in segments:
        tile = segment >> 5
        printed = shapes.segments[board.tile_shape[tile]][segment & 31]
        tiles |= 1 << tile
        ends += max(printed.loose - len(linked(board, segment)), 0)
        ends += sum(
            board.tile_cell[tile] + OFFSETS[side] not in board.tile_at for side, _ in printed.joins
        )
        board.add(root, printed.values)
    board.tiles[root], board.open_ends[root] = tiles, ends


def _border_again(board: Board) -> None:
    """Find again which features border which."""
    for root in board.feature_roots():
        board.borders[root] = 0
    for tile in board.lying():
        row = board.tile_features[tile]
        for index, printed in enumerate(board.shapes.segments[board.tile_shape[tile]]):
            for across in printed.borders:
                board.borders[board.find(row[index])] |= 1 << row[across]
