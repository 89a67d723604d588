"""Makes features another kind than what is printed of them.

Recasts are primary facts of a board, like the tiles: the first segment of a feature, and the kind
that the feature is of. Only features without open ends that nothing was joined to can be recast, so
neither a tile nor a join ever meets a kind that differs from its own. The numbers printed for
the kind before count no more.
"""

from __future__ import annotations

from tilewright.play.board.board import Board
from tilewright.play.board.joining import feature_at, linked


def is_recast(board: Board, feature: int) -> bool:
    """Whether a feature is of another kind than what is printed of it."""
    return bool(board.recasts) and any(
        feature_at(board, segment) == feature for segment, _ in board.recasts
    )


def recast_fault(board: Board, feature: int, kind: int) -> str:
    """Why a feature cannot become another kind; "" when it can."""
    names, awaited, now = board.shapes.kind_ids, board.shapes.awaited, board.kind[feature]
    if awaited[now] or awaited[kind]:
        return f"a `{names[now]}` cannot become a `{names[kind]}`"
    if board.open_ends[feature]:
        return f"a `{names[now]}` with open ends cannot become a `{names[kind]}`"
    if any(linked(board, segment) for segment in segments_of(board, feature)):
        return f"a `{names[now]}` with joined segments cannot become a `{names[kind]}`"
    return ""


def recast(board: Board, feature: int, kind: int) -> bool:
    """Make a feature another kind; False when it is of this kind already."""
    if board.kind[feature] == kind:
        return False
    first = segments_of(board, feature)[0]
    others = [known for known in board.recasts if known[0] != first]
    printed = board.shapes.segment_kind[board.tile_shape[first >> 5]][first & 31]
    board.recasts = tuple(sorted([*others, (first, kind)] if kind != printed else others))
    board.kind[feature] = kind
    for numbers in board.attributes:
        numbers[feature] = 0
    if kind == printed:
        for segment in segments_of(board, feature):
            shape = board.tile_shape[segment >> 5]
            board.add(feature, board.shapes.segments[shape][segment & 31].values)
    was_completed, board.completed = [*board.completed, feature], []
    board.complete(was_completed)
    return True


def segments_of(board: Board, feature: int) -> list[int]:
    """The segments of a feature, in ascending order."""
    rows, find, tiles = board.tile_features, board.find, board.tiles[feature]
    return [
        tile << 5 | index
        for tile, row in enumerate(rows)
        if tiles >> tile & 1
        for index, own in enumerate(row)
        if find(own) == feature
    ]
