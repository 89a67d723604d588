"""The layout of one printed tile: shapes, ways, marks, and a place for every figure.

The tile is rasterised once; the remainder without areas and ways is divided into lands, each given
to the segment whose ports it touches. Marks and figures then find free places in the raster, those
that cannot move first. Printed north up, in units of 100 to a tile; nothing here draws, and nothing
here depends on the meaning of a kind. `svg` draws the figures and tokens of a scene at these
places, and the studio sends the same places to its page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import dist

from tilewright.language.source.identity import kept_by_identities
from tilewright.rules.model.references import NO_LABEL
from tilewright.rules.model.ruleset import NO_COVER, FeatureKind, Reach, SymbolDecl, TileFace
from tilewright.rules.model.ruleset import Segment as Part
from tilewright.view.board.curves import CENTRE, WAY_WIDTH, Point, sample, turn_point
from tilewright.view.board.raster import CELL, Raster
from tilewright.view.board.scene import Scene, TilePicture
from tilewright.view.board.tile_shapes import (
    Area,
    Mark,
    Way,
    areas_of,
    beside,
    distance,
    drawn_reach,
    gates_of,
    give_lands,
    inset,
    joints_of,
    ways_of,
)

FIGURE_ROOM = 9.5
SYMBOL_ROOM, SMALL_SYMBOL_ROOM = 12.5, 9.5
ATTRIBUTE_ROOM = 7.0
#: the room of a mark that is a part of the land, and the least that it is drawn in
LANDMARK_ROOM, LEAST_LANDMARK = 23.0, 13.0
#: the room of a landmark that ways lead to
MIDDLE_LANDMARK = 18.0
#: how far the point of an arrow looks out from behind a badge
ARROW_POINT = 7.0
#: the room of a place inside a tile
PLACE_ROOM = 17.0


class Places:
    """The marks and the places of figures of one tile, once `settle` has found room for them."""

    def __init__(
        self,
        face: TileFace,
        kinds: dict[str, FeatureKind],
        landmarks: frozenset[str],
        by_reach: dict[Reach, list[Part]],
        areas: list[Area],
        ways: list[Way],
        lands: list[Part],
        raster: Raster,
    ) -> None:
        self.face, self.kinds, self.by_reach = face, kinds, by_reach
        # names of symbols are apart from names of attributes: those belong to a kind
        self.landmarks = landmarks | {
            f"{kind.id}.{each.id}"
            for kind in kinds.values()
            for each in kind.attributes
            if each.is_landmark
        }
        self.areas, self.ways, self.lands, self.raster = areas, ways, lands, raster
        self.gates: list[tuple[Point, float]] = []
        self.marks: list[Mark] = []
        self.spots: dict[str, Point] = {}
        self.taken: list[tuple[Point, float]] = []

    def settle(self, ends: list[Mark], gates: Sequence[Point]) -> None:
        """Place everything; `ends` are the marks at the inner ends of ways."""
        self.gates = [(gate, 5.0) for gate in gates]
        for mark in ends:
            self._mark(mark)
        self._settle_insides()
        waiting = self._settle_symbols_at_ends()
        for way in self.ways:
            if way.mouth is not None:
                for name in way.part.symbols:
                    room = SMALL_SYMBOL_ROOM
                    self._mark(Mark("symbol", name, way.mouth, room, way.part.id))
            if len(way.chains) > 2:
                middle = way.chains[0][-1][3]
                for what, name, is_landmark in self._marks_of(way):
                    if is_landmark:
                        self._mark(Mark(what, name, middle, MIDDLE_LANDMARK, way.part.id, True))
        self._settle_figures_on_ways()
        first = len(self.areas) + len(self.ways)
        land_labels = [first + i for i in range(len(self.lands))]
        for name in sorted(waiting, key=lambda name: name not in self.landmarks):
            if name in self.landmarks:
                self._settle_landmark(Mark("symbol", name, CENTRE, 0.0), land_labels)
        for way in self.ways:
            self._settle_beside(way, land_labels)
        for i, area in enumerate(self.areas):
            self._settle_region(area.part, i)
        for name in waiting:
            if name not in self.landmarks:
                self._settle_symbol(name, land_labels)
        for part in self.by_reach[Reach.INSIDE]:
            self._place_inside_figure(part)
        for label, part in zip(land_labels, self.lands, strict=True):
            self._settle_region(part, label)

    def _mark(self, mark: Mark) -> None:
        if mark.is_landmark:  # it has no disc that would show where it is cut
            x, y = (min(max(at, mark.room), 100 - mark.room) for at in mark.at)
            mark = replace(mark, at=(x, y))
        self.marks.append(mark)
        self.taken.append((mark.at, mark.room))

    def _label(self, part: str) -> int | None:
        names = [a.part.id for a in self.areas] + [w.part.id for w in self.ways]
        names += [land.id for land in self.lands]
        return names.index(part) if part in names else None

    def _settle_insides(self) -> None:
        for part in self.by_reach[Reach.INSIDE]:
            if self._is_shown_by_symbol(part):
                continue
            at = CENTRE
            passing = [chain for way in self.ways if way.is_passing for chain in way.chains]
            near = any(distance(at, p) < PLACE_ROOM + 5 for ch in passing for p in sample(ch, 24))
            if near or any(distance(at, spot) < room for spot, room in self.taken):
                label = self._label(part.inside)
                labels = (label,) if label is not None else ()
                found = self.raster.best(labels, [(self.taken, PLACE_ROOM)])
                if found and distance(at, found[0]) < PLACE_ROOM:
                    at = found[0]
            self._mark(Mark("inside", part.kind, at, PLACE_ROOM, part.id))
            self.taken.append(((at[0] - 8.0, at[1] - 22.0), 9.0))  # a spire above its foot

    def _is_shown_by_symbol(self, part: Part) -> bool:
        symbol = self.kinds[part.kind].from_symbol
        return bool(symbol) and symbol in self.face.symbols

    def _settle_symbols_at_ends(self) -> list[str]:
        """Put symbols that a way ends at in the middle; the others wait for room."""
        ended = {word for way in self.ways for word in way.part.ends}
        waiting = []
        for name in self.face.symbols:
            if name in ended:
                is_landmark = name in self.landmarks
                room = MIDDLE_LANDMARK if is_landmark else SYMBOL_ROOM
                self._mark(Mark("symbol", name, CENTRE, room, is_landmark=is_landmark))
            else:
                waiting.append(name)
        return waiting

    def _settle_figures_on_ways(self) -> None:
        for i, way in enumerate(self.ways):
            label = len(self.areas) + i
            points = [p for chain in way.chains for p in sample(chain, 24)]
            seen = [p for p in points if self.raster.at(p) == label] or points
            other = [
                (p, 2.0)
                for j, crossing in enumerate(self.ways)
                if j != i
                for chain in crossing.chains
                for p in sample(chain, 12)
            ]
            other += [(p, 0.0) for area in self.areas for p in area.walls(12)]
            self.spots[way.part.id] = max(
                seen,
                key=lambda p: (
                    round(min(self._free(p, other), inset(p), 17.0), 3),
                    round(-distance(p, CENTRE), 3),
                ),
            )
            self.taken.append((self.spots[way.part.id], FIGURE_ROOM - 1))

    def _free(self, point: Point, other: list[tuple[Point, float]]) -> float:
        return min(
            (distance(point, spot) - room for spot, room in self.taken + other), default=99.0
        )

    def _settle_landmark(self, mark: Mark, labels: Sequence[int]) -> None:
        """Put a landmark where the land is deepest, as large as there is room for."""
        every = tuple(range(len(self.areas) + len(self.ways) + len(self.lands)))
        wanted = [([*self.taken, *self.gates], LANDMARK_ROOM)]
        found = self.raster.best(tuple(labels) or every, wanted) or self.raster.best(every, wanted)
        at = found[0] if found else CENTRE
        room = min(self.raster.depth_at(at) + 4.0, self._free(at, self.gates) + 3.0, LANDMARK_ROOM)
        self._mark(replace(mark, at=at, room=max(room, LEAST_LANDMARK), is_landmark=True))

    def _settle_beside(self, way: Way, land_labels: Sequence[int]) -> None:
        """Put the attributes and symbols of a way on the land beside it, large if they are
        landmarks; those of a way with a mouth are there, and landmarks of a crossing in its middle.
        """
        points = [p for chain in way.chains for p in sample(chain, 12)]
        for what, name, is_landmark in self._marks_of(way):
            if is_landmark and len(way.chains) > 2:
                continue
            room = LEAST_LANDMARK + 2.0 if is_landmark else ATTRIBUTE_ROOM
            at = self.raster.beside(land_labels, self.taken, room, points)
            self._mark(Mark(what, name, at, room, way.part.id, is_landmark))

    def _marks_of(self, way: Way) -> list[tuple[str, str, bool]]:
        """The symbols and attributes of a way, and whether they are landmarks."""
        symbols = way.part.symbols if way.mouth is None else ()
        marks = [("symbol", name, name in self.landmarks) for name in symbols]
        for name, count in way.part.attributes:
            is_landmark = f"{way.part.kind}.{name}" in self.landmarks
            marks += [("attribute", name, is_landmark)] * count
        return marks

    def _settle_region(self, part: Part, label: int) -> None:
        marks = [("attribute", name) for name, count in part.attributes for _ in range(count)]
        for _, name in [each for each in marks if f"{part.kind}.{each[1]}" in self.landmarks]:
            self._settle_landmark(Mark("attribute", name, CENTRE, 0.0, part.id), [label])
            marks.remove(("attribute", name))
        for name in part.symbols:
            if name in self.landmarks:
                self._settle_landmark(Mark("symbol", name, CENTRE, 0.0, part.id), [label])
        rooms = [FIGURE_ROOM]
        marks += [("symbol", name) for name in part.symbols if name not in self.landmarks]
        rooms += [ATTRIBUTE_ROOM if what == "attribute" else SYMBOL_ROOM for what, _ in marks]
        points = self.raster.best((label,), [(self.taken, room) for room in rooms])
        if not points:
            points = [_inside_of(part, i) for i in range(len(rooms))]
        self.spots[part.id] = points[0]
        self.taken.append((points[0], FIGURE_ROOM - 1))
        for (what, name), at, room in zip(marks, points[1:], rooms[1:], strict=True):
            self._mark(Mark(what, name, at, room, part.id))

    def _settle_symbol(self, name: str, land_labels: list[int]) -> None:
        beyond = ARROW_POINT if name in dict(self.face.arrows) else 0.0
        for room in (SYMBOL_ROOM, SMALL_SYMBOL_ROOM):
            at = self.raster.corner(land_labels, self.taken, room + beyond)
            if at is not None:
                break
        else:
            every = tuple(range(len(self.areas))) + tuple(land_labels)
            found = self.raster.best(every, [(self.taken, SYMBOL_ROOM + beyond)])
            at = found[0] if found else CENTRE
        self._mark(Mark("symbol", name, at, room))

    def _place_inside_figure(self, part: Part) -> None:
        symbol = self.kinds[part.kind].from_symbol
        for mark in self.marks:
            if mark.part == part.id or (mark.what == "symbol" and mark.name == symbol):
                self.spots[part.id] = mark.at
                return
        self.spots[part.id] = CENTRE


def _inside_of(part: Part, i: int) -> Point:
    """A point near a segment's ports, pulled inward, for one that has no room at all."""
    points = [beside(port) for port in part.ports] or [CENTRE]
    x = sum(p[0] for p in points) / len(points)
    y = sum(p[1] for p in points) / len(points)
    return (x * 0.8 + 10.0 + CELL * i, y * 0.8 + 10.0)


# ------------------------------------------------------------------ the layout


#: where a figure stands before a building: to the right of its middle and below, upright
BEFORE = (15.0, 8.0)


@dataclass(frozen=True, slots=True)
class Plan:
    """One tile, laid out."""

    areas: tuple[Area, ...]
    ways: tuple[Way, ...]
    marks: tuple[Mark, ...]
    spots: tuple[tuple[str, Point], ...]  # segment, where a figure on it stands
    joints: tuple[tuple[str, Point, Point], ...]  # kind, where two areas touch between lands
    hedges: tuple[tuple[str, Point, Point], ...]  # kind, where two lands meet on open ground
    names: tuple[str, ...]  # the segments that the raster's labels stand for
    tops: frozenset[str]  # the segments that lie above everything, as covers do
    gates: tuple[Point, ...]  # where ways come to the wall at which they end
    raster: Raster

    @property
    def buildings(self) -> frozenset[str]:
        """The segments that are drawn as a building: a figure there stands before it."""
        return frozenset(mark.part for mark in self.marks if mark.what == "inside")


@kept_by_identities
def plan(
    face: TileFace, kinds: Mapping[str, FeatureKind], symbols: Mapping[str, SymbolDecl]
) -> Plan:
    """The layout of a face; computed once for every face, its kinds and its landmarks, whatever
    their labels are.
    """
    used = tuple(_unlabelled(kinds[name]) for name in sorted({part.kind for part in face.segments}))
    names = {*face.symbols, *(name for part in face.segments for name in part.symbols)}
    landmarks = frozenset(n for n in names if n in symbols and symbols[n].is_landmark)
    covers = {n for n in names if n in symbols and symbols[n].covers != NO_COVER}
    tops = frozenset(part.id for part in face.segments if not covers.isdisjoint(part.symbols))
    return _plan(face, used, landmarks, tops)


def place_on(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    segment: str,
    turn: int = 0,
) -> Point:
    """The place of a figure on a segment of a tile that lies turned, in units of 100 to a tile, to
    the right and down; the tile's middle for a segment that is not on it.
    """
    layout = plan(face, kinds, symbols)
    spot = next((at for name, at in layout.spots if name == segment), CENTRE)
    x, y = turn_point(spot, turn)
    if segment in layout.buildings:
        return (x + BEFORE[0], y + BEFORE[1])
    return (x, y)


def segment_at(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    at: Point,
    turn: int = 0,
) -> str | None:
    """The segment that is drawn at a point of a tile that lies turned; None where none is."""
    layout = plan(face, kinds, symbols)
    label = layout.raster.at(turn_point(at, -turn))
    return layout.names[label] if 0 <= label < len(layout.names) else None


@lru_cache(maxsize=256)
def _unlabelled(kind: FeatureKind) -> FeatureKind:
    attributes = tuple(replace(attribute, label=NO_LABEL) for attribute in kind.attributes)
    return replace(kind, label=NO_LABEL, attributes=attributes)


@lru_cache(maxsize=1024)
def _plan(
    face: TileFace,
    used: tuple[FeatureKind, ...],
    landmarks: frozenset[str],
    tops: frozenset[str],
) -> Plan:
    kinds = {kind.id: kind for kind in used}
    by_reach: dict[Reach, list[Part]] = {reach: [] for reach in Reach}
    for part in face.segments:
        by_reach[drawn_reach(part, kinds[part.kind])].append(part)
    areas = areas_of(by_reach[Reach.SIDE], by_reach[Reach.HALVES])
    raster = Raster()
    for i, area in enumerate(areas):
        raster.fill(area.shape.polygon, i)
    ways, ends = ways_of(by_reach[Reach.CENTRE], by_reach[Reach.INSIDE], areas, raster, face, tops)
    gates = gates_of(ways, areas, raster)
    is_over = face.crosses == "over"
    ways.sort(key=lambda way: way.part.id in tops)
    for i, way in enumerate(ways):
        lies_over = is_over or way.part.id in tops
        for chain in way.chains:
            wide = kinds[way.part.kind].width or WAY_WIDTH
            raster.trace(sample(chain, 30), wide / 2 + 1.5, len(areas) + i, over=lies_over)
    lands = by_reach[Reach.HALVES]
    joints = [joint for part in lands for joint in joints_of(part, areas, raster)]
    hedges = give_lands(lands, len(areas) + len(ways), raster)
    raster.measure()
    places = Places(face, kinds, landmarks, by_reach, areas, ways, lands, raster)
    places.settle(ends, gates)
    parts = tuple(a.part.id for a in areas) + tuple(w.part.id for w in ways)
    return Plan(
        tuple(areas),
        tuple(ways),
        tuple(places.marks),
        tuple(places.spots.items()),
        tuple(joints),
        tuple(hedges),
        parts + tuple(part.id for part in lands),
        tops,
        tuple(gates),
        raster,
    )


# ------------------------------------------------------------------ figures and tokens of a scene


#: where a figure that is on no part of its tile may stand, the best place first
_PLACES = (
    CENTRE,
    *((x, y) for y in (74.0, 62.0, 50.0, 36.0, 24.0) for x in (50.0, 73.0, 27.0, 82.0, 18.0)),
)
#: the room that a figure takes, and how far the next mark is from one that stands clear
_FIGURE_ROOM, _CLEAR = 12.0, 14.0
#: half the width of a token on a tile
TOKEN_ROOM = 11.0
#: a figure beside another stands so far aside and behind
_ASIDE, _BEHIND = 24.0, 12.0
#: figures whose feet are nearer hide one another
_APART = 20.0


def spot_place(segment: str | None, tile: TilePicture, scene: Scene) -> Point:
    """Where a figure on a segment of a tile stands; the middle where it is on none."""
    if segment is None:
        return CENTRE
    return place_on(tile.face, scene.kinds, scene.symbols, segment, tile.turn)


def figure_places(scene: Scene) -> list[Point]:
    """Where each figure of a scene stands on its tile, as that lies, in units of 100 to a tile.

    The first on a segment has the place that the segment keeps, each further one is aside of it
    and behind, in a crowd before it too. A figure on the tile as a whole takes the freest place,
    counting buildings, marks and figures.
    """
    tiles = {(tile.x, tile.y): tile for tile in scene.tiles}
    held: set[tuple[int, int, str]] = set()
    standing: dict[tuple[int, int], list[Point]] = {}
    taken: dict[tuple[int, int], list[tuple[Point, float]]] = {}
    found: dict[int, Point] = {}
    # figures on a segment have a fixed place; figures on the tile take a free one
    for index in sorted(
        range(len(scene.figures)), key=lambda n: (scene.figures[n].segment is None, n)
    ):
        figure = scene.figures[index]
        cell = (figure.x, figure.y)
        tile = tiles.get(cell)
        if cell not in taken:
            taken[cell] = [] if tile is None else _marks(tile, scene)
        if tile is None or figure.segment is None:
            at = _free(taken[cell])
        else:
            place, others = spot_place(figure.segment, tile, scene), standing.setdefault(cell, [])
            at = _beside(place, others) if (*cell, figure.segment) in held else place
            held.add((*cell, figure.segment))
            others.append(at)
        found[index] = at
        taken[cell].append((at, _FIGURE_ROOM))
    return [found[index] for index in range(len(scene.figures))]


def token_places(scene: Scene) -> list[Point]:
    """Where each kind of token lies on its tile, in units of 100 to a tile: on its segment, or at
    the freest place, counting buildings, marks, figures and earlier tokens.
    """
    tiles = {(tile.x, tile.y): tile for tile in scene.tiles}
    taken: dict[tuple[int, int], list[tuple[Point, float]]] = {}
    for tile in scene.tiles:
        taken[tile.x, tile.y] = _marks(tile, scene)
    for figure, at in zip(scene.figures, figure_places(scene), strict=True):
        taken.setdefault((figure.x, figure.y), []).append((at, _FIGURE_ROOM))
    found: list[Point] = []
    lying: dict[tuple[int, int, str], list[Point]] = {}
    for token in scene.tokens:
        cell = (token.x, token.y)
        others = taken.setdefault(cell, [])
        if token.segment is not None and cell in tiles:
            at = spot_place(token.segment, tiles[cell], scene)
            before = lying.setdefault((*cell, token.segment), [at])
            place = _beside(at, before)
            before.append(place)
        else:
            place = _free(others)
        others.append((place, TOKEN_ROOM))
        found.append(place)
    return found


def _marks(tile: TilePicture, scene: Scene) -> list[tuple[Point, float]]:
    """The places and radii of the marks of a tile, as it lies."""
    marks = plan(tile.face, scene.kinds, scene.symbols).marks
    return [(turn_point(mark.at, tile.turn), mark.room) for mark in marks]


def _beside(at: Point, taken: Sequence[Point]) -> Point:
    """The place of one more figure on a segment whose first one is at a point, with others on the
    tile: aside of it and behind, in a crowd before it too.
    """
    steps = [(toward, row) for row in (1, 2, -1, -2) for toward in (1, -1)]
    sign = 1 if at[0] < 50 else -1
    found = []
    for toward, row in steps:
        x = at[0] + sign * toward * _ASIDE * abs(row)
        found.append((_within(x), _within(at[1] - _BEHIND * row)))
    room = {each: min((dist(each, other) for other in taken), default=_APART) for each in found}
    return next((each for each in found if room[each] >= _APART), max(found, key=room.__getitem__))


def _within(x: float) -> float:
    return min(max(x, 10.0), 90.0)


def _free(taken: Sequence[tuple[Point, float]]) -> Point:
    """The freest place of a tile, those in its lower half first."""
    room = {at: min((dist(at, p) - r for p, r in taken), default=_CLEAR) for at in _PLACES}
    return next((at for at in _PLACES if room[at] >= _CLEAR), max(_PLACES, key=lambda at: room[at]))
