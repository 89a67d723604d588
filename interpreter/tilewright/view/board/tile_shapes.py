"""The shapes of one printed tile: areas along its sides, ways to its centre, and the lands between.

Printed north up. `tile_places` finds the points of marks and figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from tilewright.rules.model.ruleset import FeatureKind, Reach, TileFace
from tilewright.rules.model.ruleset import Segment as Part
from tilewright.view.board.curves import (
    CENTRE,
    CORNERS,
    Chain,
    Point,
    Shape,
    sample,
    shape,
    shared_shape,
    turn_point,
    way_between,
    way_to,
)
from tilewright.view.board.raster import Raster

#: how far from its side a way with a loose end has its mouth
MOUTH = 31.0
#: the width of a gate
GATE = 14.0


@dataclass(frozen=True, slots=True)
class Area:
    """The shape of a segment that takes whole sides."""

    part: Part
    shape: Shape

    def walls(self, steps: int) -> list[Point]:
        """Points along the walls."""
        return [p for wall in self.shape.walls for p in sample(wall, steps)]

    @property
    def corners(self) -> list[int]:
        """The corners of the tile at which a wall ends, once for each wall."""
        ends = [end for wall in self.shape.walls for end in (wall[0][0], wall[-1][3])]
        return [CORNERS.index(end) for end in ends if end in CORNERS]


@dataclass(frozen=True, slots=True)
class Way:
    """The lines of a segment that runs from side centres into or through the tile.

    A way with a loose end is seen as far as its mouth, and goes on below.
    """

    part: Part
    chains: tuple[Chain, ...]
    is_passing: bool
    mouth: Point | None = None

    @property
    def seen(self) -> tuple[Chain, ...]:
        """The lines that are drawn."""
        if self.mouth is None:
            return self.chains
        return tuple(way_to(side, self.mouth) for side in _sides(self.part))


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


def drawn_reach(part: Part, kind: FeatureKind) -> Reach:
    """The reach a segment is drawn with: that of its kind, if the printed ports allow it.

    They may not after a recast, which changes the kind and leaves the print: a segment at centres
    of sides stays a way, and one without ports lies inside the tile.
    """
    if not part.ports:
        return kind.reach if kind.reach is Reach.HALVES else Reach.INSIDE
    if kind.reach is not Reach.INSIDE and all(port % 3 == 1 for port in part.ports):
        return Reach.CENTRE
    return kind.reach


def _sides(part: Part) -> tuple[int, ...]:
    return tuple(sorted({port // 3 for port in part.ports}))


def areas_of(parts: list[Part], halves: list[Part]) -> list[Area]:
    """The areas of the segments that take whole sides; `halves` lie between them."""
    owner = {port: part for part in halves for port in part.ports}
    areas = []
    for part in parts:
        owned = frozenset(2 * (p // 3) + p % 3 // 2 for p in part.ports if p % 3 != 1)
        if len(owned) < 2 * len(_sides(part)):  # it has a half of some side
            areas.append(Area(part, shared_shape(owned)))
            continue
        splits = set()
        for corner in range(4):
            left, right = owner.get((3 * corner - 1) % 12), owner.get(3 * corner)
            if left is None or right is None or left is right:
                continue
            if len(parts) == 1 or (part.id in left.borders and part.id in right.borders):
                splits.add(corner)
        sides = frozenset(_sides(part))
        is_tight = any(
            len(_sides(other)) > 1
            and any((side + 1) % 4 in sides or (side - 1) % 4 in sides for side in _sides(other))
            for other in parts
            if other is not part
        )
        areas.append(Area(part, shape(sides, frozenset(splits), is_tight=is_tight)))
    return areas


def ways_of(
    parts: list[Part],
    insides: list[Part],
    areas: list[Area],
    raster: Raster,
    face: TileFace,
    tops: frozenset[str],
) -> tuple[list[Way], list[Mark]]:
    """The ways, those of `tops` straight, and what their inner ends need drawn."""
    ways: list[Way] = []
    marks: list[Mark] = []
    meeting: dict[str, list[Part]] = {}
    ended = {word for part in parts for word in part.ends}
    things = {part.kind for part in insides} | set(face.symbols)
    for part in parts:
        sides = _sides(part)
        if len(sides) == 2:
            wavy = len(parts) == 1 and not insides and not areas and not ended and not tops
            ways.append(Way(part, (way_between(sides[0], sides[1], wavy=wavy),), True))
            continue
        walls = [area for area in areas if area.part.kind in part.ends]
        if walls and len(sides) == 1:
            start = turn_point((50.0, 0.0), sides[0])
            near = min(walls, key=lambda area: distance(middle(area.shape.polygon), start))
            end = middle(near.shape.polygon)
            ways.append(Way(part, (way_to(sides[0], end),), False))
            continue
        end = CENTRE
        if raster.at(CENTRE) >= 0 and sides and things.isdisjoint(part.ends):
            end = turn_point((50.0, 13.0), sides[0])
        chains = tuple(way_to(side, end) for side in sides)
        if part.loose and len(sides) == 1:
            ways.append(Way(part, chains, False, turn_point((50.0, MOUTH), sides[0])))
            continue
        ways.append(Way(part, chains, len(sides) > 1))
        if any(p.inside for p in insides) or not things.isdisjoint(part.ends):
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


def gates_of(ways: list[Way], areas: list[Area], raster: Raster) -> list[Point]:
    """Where ways that end at an area of the tile come to its wall: ways close by share a gate."""
    kinds = {area.part.kind for area in areas}
    found: list[Point] = []
    for way in ways:
        if not way.is_passing and not kinds.isdisjoint(way.part.ends):
            for chain in way.chains:
                inside = (p for p in sample(chain, 40) if 0 <= raster.at(p) < len(areas))
                at = next(inside, None)
                if at is not None and all(distance(at, other) > GATE for other in found):
                    found.append(at)
    return found


def give_lands(parts: list[Part], first: int, raster: Raster) -> list[tuple[str, Point, Point]]:
    """Give every stretch of open ground to the segment whose ports it touches, and what is left
    over to the segments without ports, the largest stretch first.

    The result is the hedges on stretches that several segments share: kind and ends of each.
    """
    stretches = raster.stretches()
    label: dict[int, int] = {}
    touched: dict[int, dict[int, list[Point]]] = {}
    for i, part in enumerate(parts):
        for port in part.ports:
            found = raster.stretch_at(beside(port))
            if found is not None:
                label[found] = first + i
                touched.setdefault(found, {}).setdefault(first + i, []).append(beside(port))
    portless = [first + i for i, part in enumerate(parts) if not part.ports]
    left = [s for s in range(len(stretches)) if s not in label]
    for stretch in sorted(left, key=lambda s: (-len(stretches[s]), s)):
        if portless:
            label[stretch] = portless.pop(0)
        elif parts:
            label[stretch] = first
    raster.name_stretches(label)
    return [
        (parts[next(iter(seeds)) - first].kind, start, end)
        for number, seeds in sorted(touched.items())
        if len(seeds) > 1
        for start, end in raster.share(number, seeds)
    ]


def joints_of(part: Part, areas: list[Area], raster: Raster) -> list[tuple[str, Point, Point]]:
    """Where the areas round a land without ports touch, to keep it apart from other lands."""
    between = [i for i, area in enumerate(areas) if area.part.id in part.borders]
    if part.ports or len(between) < 2:
        return []
    one, two = areas[between[0]], areas[between[1]]
    pairs = [
        (distance(p, q), p, q)
        for p in one.walls(16)
        for q in two.walls(16)
        if inset(p) > 14 and inset(q) > 14
    ]
    if not pairs:
        return []
    _, p, q = min(pairs)
    raster.trace((p, q), 4.5, between[0], over=False)
    return [(one.part.kind, p, q)]


def beside(port: int) -> Point:
    """A point of the land at a port, just inside the tile."""
    side, third = divmod(port, 3)
    return turn_point((25.0 if third == 0 else 75.0, 2.0), side)


def distance(p: Point, q: Point) -> float:
    """The distance of two points."""
    return hypot(p[0] - q[0], p[1] - q[1])


def middle(points: tuple[Point, ...]) -> Point:
    """The middle of the rectangle round some points."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)


def inset(point: Point) -> float:
    """How far a point lies from the edge of the tile."""
    return min(point[0], point[1], 100.0 - point[0], 100.0 - point[1])
