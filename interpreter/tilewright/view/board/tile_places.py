"""A place for every mark and figure of one printed tile, those that cannot move first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.rules.model.ruleset import FeatureKind, Reach, TileFace
from tilewright.rules.model.ruleset import Segment as Part
from tilewright.view.board.curves import CENTRE, Point, sample
from tilewright.view.board.raster import CELL, Raster
from tilewright.view.board.tile_shapes import Area, Mark, Way, beside, distance, inset

FIGURE_ROOM = 9.5
SYMBOL_ROOM, SMALL_SYMBOL_ROOM = 12.5, 9.5
ATTRIBUTE_ROOM = 7.0
#: the room of a mark that is a part of the land, and the least that it is drawn in
LANDMARK_ROOM, LEAST_LANDMARK = 23.0, 13.0


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
        self.marks: list[Mark] = []
        self.spots: dict[str, Point] = {}
        self.taken: list[tuple[Point, float]] = []

    def settle(self, ends: list[Mark]) -> None:
        """Place everything; `ends` are the marks at the inner ends of ways."""
        for mark in ends:
            self._mark(mark)
        self._settle_insides()
        waiting = self._settle_symbols_at_ends()
        for way in self.ways:
            if way.mouth is not None:
                for name in way.part.symbols:
                    room = SMALL_SYMBOL_ROOM
                    self._mark(Mark("symbol", name, way.mouth, room, way.part.id))
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
            if crossing or any(distance(at, spot) < room for spot, room in self.taken):
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
        found = self.raster.best(
            tuple(labels) or every, [(self.taken, LANDMARK_ROOM)]
        ) or self.raster.best(every, [(self.taken, LANDMARK_ROOM)])
        at = found[0] if found else CENTRE
        room = min(self.raster.depth_at(at) + 4.0, self._free(at, []) + 3.0, LANDMARK_ROOM)
        self._mark(replace(mark, at=at, room=max(room, LEAST_LANDMARK), is_landmark=True))

    def _settle_beside(self, way: Way, land_labels: Sequence[int]) -> None:
        """Put the attributes and symbols of a way on the land beside it, large if they are
        landmarks; those of a way with a mouth are there.
        """
        symbols = way.part.symbols if way.mouth is None else ()
        marks = [("symbol", name, name in self.landmarks) for name in symbols]
        for name, count in way.part.attributes:
            is_landmark = f"{way.part.kind}.{name}" in self.landmarks
            marks += [("attribute", name, is_landmark)] * count
        points = [p for chain in way.chains for p in sample(chain, 12)]
        for what, name, is_landmark in marks:
            room = LEAST_LANDMARK + 2.0 if is_landmark else ATTRIBUTE_ROOM
            at = self.raster.beside(land_labels, self.taken, room, points)
            self._mark(Mark(what, name, at, room, way.part.id, is_landmark))

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


def _inside_of(part: Part, i: int) -> Point:
    """A point near a segment's ports, pulled inward, for one that has no room at all."""
    points = [beside(port) for port in part.ports] or [CENTRE]
    x = sum(p[0] for p in points) / len(points)
    y = sum(p[1] for p in points) / len(points)
    return (x * 0.8 + 10.0 + CELL * i, y * 0.8 + 10.0)
