"""The data of a board: the laid tiles, their features, and the open cells around them.

`board` changes the data. Here a board begins and is copied.
"""

from __future__ import annotations

from tilewright.play.board.tile_tables import Shapes
from tilewright.play.encoding import ORIGIN

Placement = tuple[int, int]  #: cell of the piece's first cell, layout


class BoardState:
    """The laid tiles (`tile_*`), joins, recasts, the features, the frontier, and cached results.

    A feature is complete when its `open_ends` is 0. It counts the ends that meet no tile yet and,
    for kinds that wait for the cells around, the empty ones of these. A merged feature keeps its
    number: `find` returns the feature that it belongs to now. `len(parent)` is the number of
    features; `filled_around`, `figures`, `borders` and attributes may be longer, with zeros.
    """

    __slots__ = (
        "attributes",
        "borders",
        "cells",
        "completed",
        "counted",
        "counted_piece",
        "covers",
        "demand",
        "figures",
        "filled_around",
        "frontier_index",
        "gone",
        "hot_lists",
        "kind",
        "links",
        "listed",
        "open_ends",
        "parent",
        "reach",
        "recasts",
        "relaid",
        "roots_cache",
        "roots_cache_tiles",
        "segments_cache",
        "segments_cache_tiles",
        "shapes",
        "tile_at",
        "tile_cell",
        "tile_features",
        "tile_piece",
        "tile_shape",
        "tiles",
        "total",
        "waiting_at",
    )

    def __init__(self, shapes: Shapes, like: BoardState | None = None) -> None:
        self.shapes = shapes
        if like is not None:
            self._copy_from(like)
            self._collect_hot_lists()
            return
        self.tile_at: dict[int, int] = {}
        self.tile_cell: list[int] = []
        self.tile_shape: list[int] = []
        self.tile_piece: list[int] = []
        self.tile_features: list[tuple[int, ...]] = []
        self.parent: list[int] = []
        self.kind: list[int] = []
        self.open_ends: list[int] = []
        self.filled_around: list[int] = []
        self.tiles: list[int] = []
        self.figures: list[int] = []
        self.borders: list[int] = []
        self.attributes: list[list[int]] = [[] for _ in shapes.attribute_ids]
        # the frontier: open cells, the demand of each, and its index in these two lists
        self.cells: list[int] = [ORIGIN]
        self.demand: bytearray | list[int] = bytearray(1) if shapes.narrow else [0]
        self.frontier_index: dict[int, int] = {ORIGIN: 0}
        self.waiting_at: dict[int, tuple[int, ...]] = {}
        # the pairs of segments that are joined, wherever they are, in ascending order
        self.links: tuple[tuple[int, int], ...] = ()
        # (first segment, kind) of the features of another kind than printed, in ascending order
        self.recasts: tuple[tuple[int, int], ...] = ()
        # the tiles that were covered after they were laid, and how many tiles lay there then
        self.covers: tuple[tuple[int, int], ...] = ()
        # the mask of the tiles that were taken off, and whether laid tiles were ever changed: then
        # the numbers of features in `tile_features` are primary too (see `relaying`)
        self.gone = 0
        self.relaid = False
        self.completed: list[int] = []
        # number of tiles measured, and how far they reach from the middle: north, east, south, west
        self.reach = (0, 0, 0, 0, 0)
        # the latest result of `count`, valid until the next tile is laid
        self.counted_piece = -1
        self.total = 0
        self.counted = 0
        self.listed: list[Placement] = []
        # the latest results of `roots` and `all_segments`, valid for this number of tiles
        self.roots_cache: list[int] = []
        self.roots_cache_tiles = 0
        self.segments_cache: list[int] = []
        self.segments_cache_tiles = 0
        self._collect_hot_lists()

    def _collect_hot_lists(self) -> None:
        """Collect the lists that laying writes, to save look-ups; none is ever replaced."""
        self.hot_lists = (
            self.tile_at,
            self.tile_cell,
            self.tile_shape,
            self.tile_piece,
            self.tile_features,
            self.shapes.port_segment,
            self.parent,
            self.kind,
            self.open_ends,
            self.tiles,
            self.figures,
            self.borders,
            self.cells,
            self.demand,
            self.frontier_index,
            self.waiting_at,
        )

    def _copy_from(self, like: BoardState) -> None:
        self.tile_at = like.tile_at.copy()
        self.tile_cell = like.tile_cell[:]
        self.tile_shape = like.tile_shape[:]
        self.tile_piece = like.tile_piece[:]
        self.tile_features = like.tile_features[:]
        self.parent = like.parent[:]
        self.kind = like.kind[:]
        self.open_ends = like.open_ends[:]
        self.filled_around = like.filled_around[:]
        self.tiles = like.tiles[:]
        self.figures = like.figures[:]
        self.borders = like.borders[:]
        self.attributes = [numbers[:] for numbers in like.attributes]
        self.cells = like.cells[:]
        self.demand = like.demand[:]
        self.frontier_index = like.frontier_index.copy()
        self.waiting_at = like.waiting_at.copy()
        self.completed = like.completed[:]
        # these are replaced, never changed, so both boards may hold the same one
        self.links = like.links
        self.recasts = like.recasts
        self.covers = like.covers
        self.gone = like.gone
        self.relaid = like.relaid
        self.reach = like.reach
        self.counted_piece = like.counted_piece
        self.total = like.total
        self.counted = like.counted
        self.listed = like.listed
        self.roots_cache = like.roots_cache
        self.roots_cache_tiles = like.roots_cache_tiles
        self.segments_cache = like.segments_cache
        self.segments_cache_tiles = like.segments_cache_tiles
