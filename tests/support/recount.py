"""Tilings counted by hand: what lies on the table, by flood fill over the tiles as printed.

Nothing of the package is imported. Tiles are read from the rulesets' own files with PyYAML; every
question walks over the whole table again; no number is kept from one tile to the next. A part of a
tile is named (cell, id). The points of features are counted in `recount_scores`, and a match is
followed in `recount_match`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import yaml

from support.paths import DATA, ROOT
from support.printed_tiles import printed_tiles

#: every value stays the text that its author wrote; the one in C is ten times as fast
LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
RULESETS = (
    ROOT / "rulesets",
    DATA / "covers",
    DATA / "edges",
    DATA / "links",
    DATA / "recasts",
    DATA / "relays",
)

Cell = tuple[int, int]
Part = tuple[Cell, str]  # a printed segment on the table: its cell and its id

SIDES = "NESW"
#: by the ending of a covered piece's id: the sides at both ends of the cover, as printed
COVERED = {"ns": "NS", "ew": "EW"}
HALVES = ("NNW", "NNE", "ENE", "ESE", "SSE", "SSW", "WSW", "WNW")
STEP = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
#: where a place on an edge touches the tile beyond that edge
FACING = dict(
    zip(
        (*SIDES, *HALVES),
        ("S", "W", "N", "E", "SSW", "SSE", "WNW", "WSW", "NNE", "NNW", "ESE", "ENE"),
        strict=True,
    )
)
AROUND = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))

#: complete when every side they reach is closed, and when all eight cells around are filled
CLOSED = frozenset({"road", "city", "moor", "keep"})
SURROUNDED = frozenset({"monastery", "garden"})
#: an edge that fits every other one and shows nothing
ANY = "any"
#: keys of a segment that are not numbers
WORDS = frozenset({"kind", "at", "borders", "ends", "symbols", "inside", "loose"})


@dataclass(frozen=True)
class Printed:
    """One segment as printed, or, on the table, as turned."""

    id: str
    kind: str
    at: tuple[str, ...]
    borders: tuple[str, ...]
    numbers: tuple[tuple[str, int], ...]
    loose: int = 0


@dataclass(frozen=True)
class Tile:
    """One cell of a piece: what its sides show, north first, and its segments."""

    edges: tuple[str, ...]
    parts: tuple[Printed, ...]
    symbols: tuple[str, ...]
    offset: Cell = (0, 0)  # from the first cell of its face
    is_enclosed: bool = False  # it needs a tile on every side


Box = dict[str, list[list[Tile]]]  # the faces of every piece by its id


@dataclass(frozen=True)
class Feature:
    """Parts that hang together."""

    kind: str
    parts: frozenset[Part]
    open_ends: int
    filled_around: int
    is_complete: bool
    numbers: tuple[tuple[str, int], ...]

    @property
    def first(self) -> Part:
        return min(self.parts)

    @property
    def cells(self) -> frozenset[Cell]:
        return frozenset(cell for cell, _ in self.parts)

    def number(self, name: str) -> int:
        return dict(self.numbers).get(name, 0)


# ------------------------------------------------------------------ the box


@cache
def document(ruleset: str, name: str) -> Any:
    """A file of a ruleset; every value is text, as its author wrote it."""
    path = next((p for p in (root / ruleset / name for root in RULESETS) if p.exists()), None)
    if path is None:
        return {}
    return yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)


def with_what_they_take_over(rulesets: Iterable[str]) -> list[str]:
    """Rulesets, and before each the one whose later edition it is."""
    found: list[str] = []
    for ruleset in rulesets:
        earlier = document(ruleset, "module.yaml").get("takes_over")
        names = [*with_what_they_take_over([earlier] if earlier else []), ruleset]
        found += [name for name in names if name not in found]
    return found


@cache
def read_box(rulesets: tuple[str, ...]) -> Box:
    """Every piece that the files of these rulesets print, as the options are declared."""
    box: Box = {}
    names = with_what_they_take_over(rulesets)
    declared = {
        name: option["default"]
        for ruleset in names
        for name, option in document(ruleset, "module.yaml").get("options", {}).items()
    }
    for ruleset in names:
        for piece in printed_tiles(document(ruleset, "tiles.yaml").get("tiles", ())):
            if any(
                declared.get(name, text) != text for name, text in piece.get("when", {}).items()
            ):
                continue
            faces = piece.get("faces") or [[piece]]
            box[piece["id"]] = [[read_tile(cell, face[0]) for cell in face] for face in faces]
    for ruleset in names:
        for symbol, mark in document(ruleset, "components.yaml").get("symbols", {}).items():
            if "covers" in mark:
                box |= {
                    f"{piece}_{symbol}_{way}": [[covered_tile(faces[0][0], symbol, way, mark)]]
                    for piece, faces in box.items()
                    for way in COVERED
                    if is_coverable(faces, way, mark)
                }
    return box


def is_coverable(faces: list[list[Tile]], way: str, mark: dict[str, Any]) -> bool:
    """Whether a piece has one cell whose edges at both ends of a cover are what it lies over."""
    edges = [faces[0][0].edges[SIDES.index(side)] for side in COVERED[way]]
    return len(faces) == len(faces[0]) == 1 and set(edges) == {mark["covers"]["over"]}


def covered_tile(tile: Tile, symbol: str, way: str, mark: dict[str, Any]) -> Tile:
    """A tile under a cover."""
    kind, sides = mark["covers"]["edges"], COVERED[way]
    edges = tuple(
        kind if side in sides else edge for side, edge in zip(SIDES, tile.edges, strict=True)
    )
    deck = Printed(symbol, kind, tuple(sides), (), ())
    return replace(tile, edges=edges, parts=(*tile.parts, deck))


def read_tile(cell: dict[str, Any], first: dict[str, Any]) -> Tile:
    x, y = place_of(cell)
    first_x, first_y = place_of(first)
    parts = tuple(
        Printed(
            name,
            segment["kind"],
            tuple(segment.get("at", ())),
            tuple(segment.get("borders", ())),
            tuple((key, int(number)) for key, number in segment.items() if key not in WORDS),
            int(segment.get("loose", "0")),
        )
        for name, segment in cell.get("segments", {}).items()
    )
    symbols = tuple(cell.get("symbols", ()))
    is_enclosed = cell.get("enclosed") == "true"
    return Tile(tuple(cell["edges"]), parts, symbols, (x - first_x, y - first_y), is_enclosed)


def place_of(cell: dict[str, Any]) -> Cell:
    x, y = cell.get("at", ("0", "0"))
    return int(x), int(y)


# ------------------------------------------------------------------ turning


def turned_place(place: str, quarters: int) -> str:
    """Where a place on an edge comes to lie after so many quarter turns to the right."""
    if place in SIDES:
        return SIDES[(SIDES.index(place) + quarters) % 4]
    return HALVES[(HALVES.index(place) + 2 * quarters) % 8]


def turned_step(step: Cell, quarters: int) -> Cell:
    x, y = step
    for _ in range(quarters):
        x, y = y, -x
    return x, y


@cache
def turned_tile(tile: Tile, quarters: int) -> Tile:
    return Tile(
        tuple(tile.edges[(side - quarters) % 4] for side in range(4)),
        tuple(
            Printed(
                part.id,
                part.kind,
                tuple(turned_place(place, quarters) for place in part.at),
                part.borders,
                part.numbers,
                part.loose,
            )
            for part in tile.parts
        ),
        tile.symbols,
        turned_step(tile.offset, quarters),
        tile.is_enclosed,
    )


# ------------------------------------------------------------------ the table


class Table:
    """Tiles as they lie. `marks` are the symbols that stand for a segment: symbol to kind."""

    def __init__(self, box: Box, marks: dict[str, str] | None = None) -> None:
        self.box = box
        self.marks = marks or {}
        self.tiles: dict[Cell, Tile] = {}
        self.links: set[frozenset[Part]] = set()  # parts that hang together without touching
        self.relinked: set[Part] = set()  # those joined, parted or recast since it was emptied
        self.recasts: dict[Part, str] = {}  # what features became, by one of their parts
        self._features: list[Feature] | None = None
        #: kinds that share a side with another part of the kind on some tile
        self.shared = {
            one.kind
            for faces in box.values()
            for tile in (tile for face in faces for tile in face)
            for one in tile.parts
            for other in tile.parts
            if one.kind in CLOSED
            and one is not other
            and other.kind == one.kind
            and any({*halves_of(side)} <= {*one.at, *other.at} for side in SIDES)
        }

    def cells_of(self, piece: str, cell: Cell, north: str, face: int = 0) -> dict[Cell, Tile]:
        """The turned tiles of a piece by cell; `north` is the side of its printed north."""
        turned = [turned_tile(tile, SIDES.index(north)) for tile in self.box[piece][face]]
        return {(cell[0] + t.offset[0], cell[1] + t.offset[1]): t for t in turned}

    def lay(
        self, piece: str, cell: Cell, north: str, face: int = 0, *, anywhere: bool = False
    ) -> list[Cell]:
        """Put a piece on the table; the cells it covers. Raises where it does not fit."""
        covered = self.cells_of(piece, cell, north, face)
        assert self.fits(covered, anywhere=anywhere), f"{piece} does not fit at {cell} {north}"
        self.tiles.update(covered)
        self._features = None
        return list(covered)

    def change(self, changed: dict[Cell, Tile | None]) -> None:
        """Take tiles off the table, or let others lie in their cells. Raises where one cannot."""
        for cell, tile in changed.items():
            self.tiles.pop(cell, None)
            if tile is not None:
                self.tiles[cell] = tile
        for cell in changed.keys() & self.tiles.keys():
            for side in SIDES:
                if beside(cell, side) in self.tiles:
                    own, other = self.edges_between(cell, side)
                    assert ANY in (own, other) or seen_from_beyond(other) == own, (cell, side)
        self._features = None

    def link(self, one: Part, other: Part, joins: bool) -> None:
        """Join two parts, wherever they are, or undo that."""
        pair = frozenset((one, other))
        assert (pair in self.links) != joins
        self.links ^= {pair}
        self.relinked |= pair
        self._features = None

    def recast(self, part: Part, kind: str) -> None:
        """Let the feature of a part be of another kind, or again of the printed one."""
        feature = self.feature_of(part)
        assert feature.open_ends == 0
        self.recasts = {p: k for p, k in self.recasts.items() if p not in feature.parts}
        if kind != next(p.kind for p in self.parts_on(part[0]) if p.id == part[1]):
            self.recasts[part] = kind
        self.relinked |= feature.parts
        self._features = None

    def cover(self, cell: Cell, symbol: str, side: str) -> None:
        """Lay a cover over a tile that lies already, and that lets it."""
        kind = next(
            mark["covers"]
            for root in RULESETS
            for path in root.glob("*/*/components.yaml")
            for name, mark in (document(path.parent.relative_to(root).as_posix(), path.name))
            .get("symbols", {})
            .items()
            if name == symbol and "covers" in mark
        )
        way = "ns" if side in COVERED["ns"] else "ew"
        assert is_coverable([[self.tiles[cell]]], way, {"covers": kind})
        self.tiles[cell] = covered_tile(self.tiles[cell], symbol, way, {"covers": kind})
        for end in COVERED[way]:
            assert beside(cell, end) not in self.tiles or ANY in self.edges_between(cell, end)
        self.relinked.add((cell, symbol))
        self._features = None

    def fits(self, covered: dict[Cell, Tile], *, anywhere: bool = False) -> bool:
        """Whether the cells are free, some tile is beside them or need not be, and edges fit."""
        touches = anywhere or not self.tiles
        for cell, tile in covered.items():
            if cell in self.tiles:
                return False
            for number, side in enumerate(SIDES):
                other = self.tiles.get(beside(cell, side))
                touches = touches or other is not None
                if other is None and tile.is_enclosed:
                    return False
                if other is not None:
                    beyond = seen_from_beyond(other.edges[(number + 2) % 4])
                    edges = {beyond, tile.edges[number]}
                    if len(edges) > 1 and ANY not in edges:
                        return False
        return touches

    def open_cells(self) -> set[Cell]:
        """The empty cells beside tiles."""
        near = {beside(cell, side) for cell in self.tiles for side in SIDES}
        return near - set(self.tiles) or {(0, 0)}

    def placements(self, piece: str) -> set[tuple[Cell, str, int]]:
        """Every way in which a piece fits: cell, side of the printed north, face."""
        found = set()
        faces = range(len(self.box[piece]))
        for north in SIDES:
            for face in faces:
                for offset in self.cells_of(piece, (0, 0), north, face):
                    for x, y in self.open_cells():
                        cell = (x - offset[0], y - offset[1])
                        if self.fits(self.cells_of(piece, cell, north, face)):
                            found.add((cell, north, face))
        return found

    # -------------------------------------------------------------- features

    def parts_on(self, cell: Cell) -> list[Printed]:
        """The segments of the tile on a cell, those its symbols stand for included."""
        tile = self.tiles[cell]
        marked = [
            Printed(self.marks[s], self.marks[s], (), (), ())
            for s in tile.symbols
            if s in self.marks
        ]
        return [*tile.parts, *marked]

    def features(self) -> list[Feature]:
        """Everything on the table, each feature once."""
        if self._features is None:
            found = []
            seen: set[Part] = set()
            printed = {(cell, p.id): p for cell in self.tiles for p in self.parts_on(cell)}
            at = {(cell, place): (cell, p.id) for (cell, _), p in printed.items() for place in p.at}
            for part in printed:
                if part not in seen:
                    feature = self._flooded(part, printed, at)
                    seen |= feature.parts
                    found.append(feature)
            self._features = found
        return self._features

    def _flooded(
        self, start: Part, printed: dict[Part, Printed], at: dict[tuple[Cell, str], Part]
    ) -> Feature:
        kind = printed[start].kind
        reached = {start}
        waiting = [start]
        open_sides = set()
        loose_ends = 0
        while waiting:
            cell, name = waiting.pop()
            far = {p for pair in self.links if (cell, name) in pair for p in pair - {(cell, name)}}
            loose_ends += max(printed[cell, name].loose - len(far), 0)
            for other in far - reached:
                reached.add(other)
                waiting.append(other)
            for place in printed[cell, name].at:
                neighbour = beside(cell, place[0])
                if neighbour not in self.tiles:
                    open_sides |= {(cell, p) for p in self._ends_of(kind, place)}
                    continue
                if ANY in self.edges_between(cell, place[0]):
                    continue
                beyond = touched_by(place) if kind in self.shared else (FACING[place],)
                met = [at[neighbour, p] for p in beyond if (neighbour, p) in at]
                assert met, f"{cell} {place} meets nothing"
                for other in met:
                    assert printed[other].kind == kind, f"{kind} meets {other}"
                    if other not in reached:
                        reached.add(other)
                        waiting.append(other)
        around = [
            (x + step_x, y + step_y) in self.tiles
            for (x, y), _ in (reached if kind in SURROUNDED else ())
            for step_x, step_y in AROUND
        ]
        ends = len(open_sides) + around.count(False) + loose_ends
        numbers: dict[str, int] = {}
        for part in reached:
            for name, number in printed[part].numbers:
                numbers[name] = numbers.get(name, 0) + number
        for part in reached & self.recasts.keys():
            kind, numbers = self.recasts[part], {}
        return Feature(
            kind,
            frozenset(reached),
            ends,
            around.count(True),
            kind in CLOSED | SURROUNDED and ends == 0,
            tuple(sorted(numbers.items())),
        )

    def _ends_of(self, kind: str, place: str) -> tuple[str, ...]:
        """The ends at a place: halves of sides where two parts of this kind may share a side."""
        if kind not in self.shared:
            return (place[0],)
        return halves_of(place) if place in SIDES else (place,)

    def feature_of(self, part: Part) -> Feature:
        """The feature that a part belongs to."""
        return next(feature for feature in self.features() if part in feature.parts)

    def bordered(self, feature: Feature) -> list[Feature]:
        """The features that parts of this one are printed as bordering, each once."""
        named = {
            (cell, other)
            for cell, name in feature.parts
            for part in self.parts_on(cell)
            if part.id == name
            for other in part.borders
        }
        return [other for other in self.features() if other.parts & named]

    def edges_between(self, cell: Cell, side: str) -> tuple[str, str]:
        """The edges of two tiles that face each other."""
        number = SIDES.index(side)
        other = self.tiles[beside(cell, side)]
        return self.tiles[cell].edges[number], other.edges[(number + 2) % 4]

    def ends_at(self, feature: Feature, fresh: set[Cell]) -> bool:
        """Whether a feature reaches one of these cells from outside, and ends there."""
        return any(
            beside(cell, place[0]) in fresh and ANY in self.edges_between(cell, place[0])
            for cell, name in feature.parts
            for part in self.parts_on(cell)
            if part.id == name
            for place in part.at
        )

    def completed_by(self, laid: Iterable[Cell]) -> list[Feature]:
        """The features that these cells, the latest to be filled, and links have completed."""
        near = {(x + step_x, y + step_y) for x, y in laid for step_x, step_y in AROUND}
        fresh = set(laid)
        return [
            feature
            for feature in self.features()
            if feature.is_complete
            and (
                feature.cells & fresh
                or feature.parts & self.relinked
                or (feature.kind in SURROUNDED and feature.cells & near)
                or self.ends_at(feature, fresh)
            )
        ]


def halves_of(side: str) -> tuple[str, ...]:
    number = SIDES.index(side)
    return HALVES[2 * number : 2 * number + 2]


def seen_from_beyond(edge: str) -> str:
    """An edge as the tile beyond must show it: its halves come the other way round."""
    return "/".join(reversed(edge.split("/")))


def touched_by(place: str) -> tuple[str, ...]:
    """The places beyond an edge that a place touches: a whole side touches halves as well."""
    facing = FACING[place]
    if place in SIDES:
        return (facing, *halves_of(facing))
    return (facing, facing[0])


def beside(cell: Cell, side: str) -> Cell:
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]
