"""The layout of one printed tile: shapes, ways, marks, and a place for every figure.

The tile is rasterised once; the remainder without areas and ways is divided into lands, each given
to the segment whose ports it touches. Marks and figures then find free places in the raster.
Printed north up; nothing here draws, and nothing here depends on the meaning of a kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot

from tilewright.model.ruleset import FeatureKind, Reach, SymbolDecl, TileFace
from tilewright.model.ruleset import Segment as Part
from tilewright.render.board.curves import (
    CENTRE,
    WAY_WIDTH,
    Chain,
    Point,
    Shape,
    sample,
    shape,
    turn_point,
    way_between,
    way_to,
)
from tilewright.render.board.raster import CELL, Raster

FIGURE_ROOM = 9.5
SYMBOL_ROOM, SMALL_SYMBOL_ROOM = 12.5, 9.5
ATTRIBUTE_ROOM = 7.0
#: the room of a mark that is a part of the land, and the least that it is drawn in
LANDMARK_ROOM, LEAST_LANDMARK = 23.0, 13.0
#: where a figure stands before a building: to the right of its middle and below, upright
BEFORE = (15.0, 8.0)


@dataclass(frozen=True, slots=True)
class Area:
    """The shape of a segment that takes whole sides."""

    part: Part
    shape: Shape

    def walls(self, steps: int) -> list[Point]:
        """Points along the walls."""
        return [p for wall in self.shape.walls for p in sample(wall, steps)]


@dataclass(frozen=True, slots=True)
class Way:
    """The lines of a segment that runs from side centres into or through the tile."""

    part: Part
    chains: tuple[Chain, ...]
    is_passing: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """Something drawn upright at a point.

    `what` is one of symbol, attribute, inside, junction, stop; `name` is the symbol, the attribute
    or the kind, and `part` the segment it belongs to, if any. A landmark is drawn in the whole of
    its room, others as a badge in it.
    """

    what: str
    name: str
    at: Point
    room: float
    part: str = ""
    is_landmark: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """One tile, laid out."""

    areas: tuple[Area, ...]
    ways: tuple[Way, ...]
    marks: tuple[Mark, ...]
    spots: tuple[tuple[str, Point], ...]  # segment, where a figure on it stands
    joints: tuple[tuple[str, Point, Point], ...]  # kind, where two areas touch between lands
    names: tuple[str, ...]  # the segments that the raster's labels stand for
    raster: Raster

    @property
    def buildings(self) -> frozenset[str]:
        """The segments that are drawn as a building: a figure there stands before it."""
        return frozenset(mark.part for mark in self.marks if mark.what == "inside")


def plan(
    face: TileFace, kinds: Mapping[str, FeatureKind], symbols: Mapping[str, SymbolDecl]
) -> Plan:
    """The layout of a face; computed once for every face, its kinds and its landmarks."""
    used = tuple(kinds[name] for name in sorted({part.kind for part in face.segments}))
    names = {*face.symbols, *(name for part in face.segments for name in part.symbols)}
    return _plan(face, used, frozenset(n for n in names if n in symbols and symbols[n].is_landmark))


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
    x, y = turn_point(dict(layout.spots).get(segment, CENTRE), turn)
    if segment in layout.buildings:
        return (x + BEFORE[0], y + BEFORE[1])
    return (x, y)


@lru_cache(maxsize=1024)
def _plan(face: TileFace, used: tuple[FeatureKind, ...], landmarks: frozenset[str]) -> Plan:
    kinds = {kind.id: kind for kind in used}
    by_reach: dict[Reach, list[Part]] = {reach: [] for reach in Reach}
    for part in face.segments:
        by_reach[kinds[part.kind].reach].append(part)
    areas = _areas(by_reach[Reach.SIDE], by_reach[Reach.HALVES])
    raster = Raster()
    for i, area in enumerate(areas):
        raster.fill(area.shape.polygon, i)
    ways, ends = _ways(by_reach[Reach.CENTRE], by_reach[Reach.INSIDE], areas, raster, face)
    is_over = face.crosses == "over"
    for i, way in enumerate(ways):
        for chain in way.chains:
            raster.trace(sample(chain, 30), WAY_WIDTH / 2 + 1.5, len(areas) + i, over=is_over)
    lands = by_reach[Reach.HALVES]
    joints = [joint for part in lands for joint in _joints(part, areas, raster)]
    _give_lands(lands, len(areas) + len(ways), raster)
    raster.measure()
    places = _Places(face, kinds, landmarks, by_reach, areas, ways, lands, raster)
    places.settle(ends)
    parts = tuple(a.part.id for a in areas) + tuple(w.part.id for w in ways)
    return Plan(
        tuple(areas),
        tuple(ways),
        tuple(places.marks),
        tuple(places.spots.items()),
        tuple(joints),
        parts + tuple(part.id for part in lands),
        raster,
    )


# ------------------------------------------------------------------ shapes and ways


def _sides(part: Part) -> tuple[int, ...]:
    return tuple(sorted({port // 3 for port in part.ports}))


def _areas(parts: list[Part], halves: list[Part]) -> list[Area]:
    owner = {port: part for part in halves for port in part.ports}
    areas = []
    for part in parts:
        splits = set()
        for corner in range(4):
            left, right = owner.get((3 * corner - 1) % 12), owner.get(3 * corner)
            if left is None or right is None or left is right:
                continue
            if len(parts) == 1 or (part.id in left.borders and part.id in right.borders):
                splits.add(corner)
        areas.append(Area(part, shape(frozenset(_sides(part)), frozenset(splits))))
    return areas


def _ways(
    parts: list[Part], insides: list[Part], areas: list[Area], raster: Raster, face: TileFace
) -> tuple[list[Way], list[Mark]]:
    """The ways, and what their inner ends need drawn."""
    ways: list[Way] = []
    marks: list[Mark] = []
    meeting: dict[str, list[Part]] = {}
    ended = {word for part in parts for word in part.ends}
    for part in parts:
        sides = _sides(part)
        if len(sides) == 2:
            wavy = len(parts) == 1 and not insides and not areas and not ended
            ways.append(Way(part, (way_between(sides[0], sides[1], wavy=wavy),), True))
            continue
        walls = [area for area in areas if area.part.kind in part.ends]
        if walls and len(sides) == 1:
            start = turn_point((50.0, 0.0), sides[0])
            near = min(walls, key=lambda area: _distance(_middle(area.shape.polygon), start))
            end = _middle(near.shape.polygon)
            ways.append(Way(part, (way_to(sides[0], end),), False))
            continue
        end = CENTRE
        if raster.at(CENTRE) >= 0 and sides and not any(p.kind in part.ends for p in insides):
            end = turn_point((50.0, 13.0), sides[0])
        ways.append(Way(part, tuple(way_to(side, end) for side in sides), len(sides) > 1))
        covered = any(p.kind in part.ends or p.inside for p in insides) or any(
            word in face.symbols for word in part.ends
        )
        if covered:
            continue
        if end == CENTRE:
            meeting.setdefault(part.kind, []).append(part)
        elif len(sides) == 1:
            marks.append(Mark("stop", part.kind, end, 5.0, part.id))
    for kind, met in meeting.items():
        if sum(len(_sides(part)) for part in met) >= 3:
            if len(met) > 1:
                marks.append(Mark("junction", kind, CENTRE, 10.0))
        else:
            marks.append(Mark("stop", kind, CENTRE, 6.0))
    return ways, marks


def _give_lands(parts: list[Part], first: int, raster: Raster) -> None:
    """Give every stretch of open ground to the segment whose ports it touches, and what is left
    over to the segments without ports, the largest stretch first."""
    stretches = raster.stretches()
    label: dict[int, int] = {}
    for i, part in enumerate(parts):
        for port in part.ports:
            found = raster.stretch_at(_beside(port))
            if found is not None:
                label[found] = first + i
    portless = [first + i for i, part in enumerate(parts) if not part.ports]
    left = [s for s in range(len(stretches)) if s not in label]
    for stretch in sorted(left, key=lambda s: (-len(stretches[s]), s)):
        if portless:
            label[stretch] = portless.pop(0)
        elif parts:
            label[stretch] = first
    raster.name_stretches(label)


def _joints(part: Part, areas: list[Area], raster: Raster) -> list[tuple[str, Point, Point]]:
    """Where the areas round a land without ports touch, to keep it apart from other lands."""
    between = [i for i, area in enumerate(areas) if area.part.id in part.borders]
    if part.ports or len(between) < 2:
        return []
    one, two = areas[between[0]], areas[between[1]]
    pairs = [
        (_distance(p, q), p, q)
        for p in one.walls(16)
        for q in two.walls(16)
        if _inset(p) > 14 and _inset(q) > 14
    ]
    if not pairs:
        return []
    _, p, q = min(pairs)
    raster.trace((p, q), 4.5, between[0], over=False)
    return [(one.part.kind, p, q)]


def _beside(port: int) -> Point:
    side, third = divmod(port, 3)
    return turn_point((25.0 if third == 0 else 75.0, 2.0), side)


def _distance(p: Point, q: Point) -> float:
    return hypot(p[0] - q[0], p[1] - q[1])


def _middle(points: tuple[Point, ...]) -> Point:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)


# ------------------------------------------------------------------ places


class _Places:
    """Finds room on one tile, the things that cannot move first."""

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
        self.marks: list[Mark] = []
        self.spots: dict[str, Point] = {}
        self.taken: list[tuple[Point, float]] = []

    def settle(self, ends: list[Mark]) -> None:
        for mark in ends:
            self._mark(mark)
        self._settle_insides()
        waiting = self._settle_symbols_at_ends()
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
            here = self.raster.at(CENTRE)
            crossing = any(
                way.is_passing and len(self.areas) + i == here for i, way in enumerate(self.ways)
            )
            if crossing or any(_distance(at, spot) < room for spot, room in self.taken):
                label = self._label(part.inside)
                found = self.raster.best(
                    (label,) if label is not None else (), [(self.taken, 14.0)]
                )
                at = found[0] if found else CENTRE
            self._mark(Mark("inside", part.kind, at, 14.0, part.id))

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
                room = LANDMARK_ROOM - 5.0 if is_landmark else SYMBOL_ROOM
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
                    round(min(self._free(p, other), _inset(p), 17.0), 3),
                    round(-_distance(p, CENTRE), 3),
                ),
            )
            self.taken.append((self.spots[way.part.id], FIGURE_ROOM - 1))

    def _free(self, point: Point, other: list[tuple[Point, float]]) -> float:
        return min(
            (_distance(point, spot) - room for spot, room in self.taken + other), default=99.0
        )

    def _settle_landmark(self, mark: Mark, labels: Sequence[int]) -> None:
        """Put a landmark where the land is deepest, as large as there is room for."""
        every = tuple(range(len(self.areas) + len(self.ways) + len(self.lands)))
        found = self.raster.best(
            tuple(labels) or every, [(self.taken, LANDMARK_ROOM)]
        ) or self.raster.best(every, [(self.taken, LANDMARK_ROOM)])
        at = found[0] if found else CENTRE
        room = min(self.raster.depth_at(at) + 4.0, self._free(at, []) + 3.0, LANDMARK_ROOM)
        self._mark(replace(mark, at=at, room=max(room, LEAST_LANDMARK), is_landmark=True))

    def _settle_beside(self, way: Way, land_labels: Sequence[int]) -> None:
        """Put the attributes of a way on the land beside it, large if they are landmarks."""
        names = [name for name, count in way.part.attributes for _ in range(count)]
        points = [p for chain in way.chains for p in sample(chain, 12)]
        for name in names:
            is_landmark = f"{way.part.kind}.{name}" in self.landmarks
            room = LEAST_LANDMARK + 2.0 if is_landmark else ATTRIBUTE_ROOM
            at = self.raster.beside(land_labels, self.taken, room, points)
            self._mark(Mark("attribute", name, at, room, way.part.id, is_landmark))

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
        room = SYMBOL_ROOM
        at = self.raster.corner(land_labels, self.taken, room)
        if at is None:
            room = SMALL_SYMBOL_ROOM
            at = self.raster.corner(land_labels, self.taken, room)
        if at is None:
            every = tuple(range(len(self.areas))) + tuple(land_labels)
            found = self.raster.best(every, [(self.taken, SYMBOL_ROOM)])
            at = found[0] if found else CENTRE
        self._mark(Mark("symbol", name, at, room))

    def _place_inside_figure(self, part: Part) -> None:
        symbol = self.kinds[part.kind].from_symbol
        for mark in self.marks:
            if mark.part == part.id or (mark.what == "symbol" and mark.name == symbol):
                self.spots[part.id] = mark.at
                return
        self.spots[part.id] = CENTRE


def _inset(point: Point) -> float:
    """How far a point lies from the edge of the tile."""
    return min(point[0], point[1], 100.0 - point[0], 100.0 - point[1])


def _inside_of(part: Part, i: int) -> Point:
    """A point near a segment's ports, pulled inward, for one that has no room at all."""
    points = [_beside(port) for port in part.ports] or [CENTRE]
    x = sum(p[0] for p in points) / len(points)
    y = sum(p[1] for p in points) / len(points)
    return (x * 0.8 + 10.0 + CELL * i, y * 0.8 + 10.0)
