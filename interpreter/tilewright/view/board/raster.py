"""A coarse raster of one tile: which segment covers which little square, and how deep inside.

It answers where there is room: the best points for things of a given size in a region. Labels are
plain numbers given by the caller; this file knows squares only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import combinations, pairwise
from math import hypot, inf

from tilewright.view.board.curves import CENTRE, CORNERS, Point

SIZE = 40
CELL = 100.0 / SIZE
FREE = -1

Taken = list[tuple[Point, float]]

_DIAGONAL = 1.414
_AROUND = (
    (-1, 0, 1.0), (0, -1, 1.0), (0, 1, 1.0), (1, 0, 1.0),
    (-1, -1, _DIAGONAL), (-1, 1, _DIAGONAL), (1, -1, _DIAGONAL), (1, 1, _DIAGONAL),
)  # fmt: skip


class Raster:
    """Labels of SIZE by SIZE squares, in rows from the north."""

    __slots__ = ("_stretch", "_stretches", "depth", "labels")

    def __init__(self) -> None:
        self.labels = [FREE] * (SIZE * SIZE)
        self.depth = [0.0] * (SIZE * SIZE)
        self._stretch: list[int] = []
        self._stretches: list[list[int]] = []

    def at(self, point: Point) -> int:
        """The label at a point."""
        return self.labels[_index(point)]

    def depth_at(self, point: Point) -> float:
        """How far the nearest other label, or the edge of the tile, is from a point."""
        return self.depth[_index(point)]

    def fill(self, polygon: tuple[Point, ...], label: int) -> None:
        """Label the squares whose centre lies in a polygon."""
        edges = list(zip(polygon, polygon[1:] + polygon[:1], strict=True))
        for row in range(SIZE):
            y = (row + 0.5) * CELL
            cuts = sorted(
                ax + (y - ay) * (bx - ax) / (by - ay)
                for (ax, ay), (bx, by) in edges
                if (ay <= y) != (by <= y)
            )
            for left, right in zip(cuts[::2], cuts[1::2], strict=False):
                for column in range(SIZE):
                    if left <= (column + 0.5) * CELL <= right:
                        self.labels[row * SIZE + column] = label

    def trace(self, points: tuple[Point, ...], radius: float, label: int, *, over: bool) -> None:
        """Label the squares near a line; without `over`, only those that are still free."""
        reach = int(radius / CELL) + 1
        for (ax, ay), (bx, by) in pairwise(points):
            steps = max(1, int(hypot(bx - ax, by - ay) / CELL))
            for i in range(steps + 1):
                x, y = ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps
                column, row = int(x / CELL), int(y / CELL)
                for r in range(max(0, row - reach), min(SIZE, row + reach + 1)):
                    for c in range(max(0, column - reach), min(SIZE, column + reach + 1)):
                        if hypot((c + 0.5) * CELL - x, (r + 0.5) * CELL - y) > radius:
                            continue
                        if over or self.labels[r * SIZE + c] == FREE:
                            self.labels[r * SIZE + c] = label

    # ---------------------------------------------------------------- free ground

    def stretches(self) -> list[list[int]]:
        """The connected stretches of free squares, from the north-west."""
        self._stretch = [-1] * (SIZE * SIZE)
        self._stretches = []
        for start, label in enumerate(self.labels):
            if label != FREE or self._stretch[start] >= 0:
                continue
            number = len(self._stretches)
            self._stretch[start] = number
            found, waiting = [start], [start]
            while waiting:
                for near in _beside(waiting.pop()):
                    if self.labels[near] == FREE and self._stretch[near] < 0:
                        self._stretch[near] = number
                        found.append(near)
                        waiting.append(near)
            self._stretches.append(found)
        return self._stretches

    def stretch_at(self, point: Point) -> int | None:
        """The free stretch at a point."""
        found = self._stretch[_index(point)]
        return found if found >= 0 else None

    def name_stretches(self, label: dict[int, int]) -> None:
        """Give the free stretches their labels."""
        for number, squares in enumerate(self._stretches):
            for square in squares:
                self.labels[square] = label.get(number, FREE)

    def share(self, number: int, seeds: Mapping[int, Sequence[Point]]) -> list[tuple[Point, Point]]:
        """Share a free stretch among labels, each square to the nearest seed on free ground.

        The result is the lines between them, from end to end. Called after `name_stretches`.
        """
        squares = set(self._stretches[number])
        owner: dict[int, int] = {}
        waiting = [
            (0.0, label, _index(point)) for label, points in seeds.items() for point in points
        ]
        heapify(waiting)
        while waiting:
            far, label, square = heappop(waiting)
            if square not in squares or square in owner:
                continue
            owner[square] = label
            row, column = divmod(square, SIZE)
            for dr, dc, cost in _AROUND:
                r, c = row + dr, column + dc
                if 0 <= r < SIZE and 0 <= c < SIZE and r * SIZE + c not in owner:
                    heappush(waiting, (far + cost, label, r * SIZE + c))
        borders: dict[tuple[int, int], list[Point]] = {}
        for square, label in owner.items():
            self.labels[square] = label
            for near in _beside(square):
                other = owner.get(near, label)
                if other > label:
                    (ax, ay), (bx, by) = _point(square), _point(near)
                    borders.setdefault((label, other), []).append(((ax + bx) / 2, (ay + by) / 2))
        return [
            max(combinations(sorted(points), 2), key=lambda pair: round(_far(*pair), 3))
            for _, points in sorted(borders.items())
            if len(points) > 1
        ]

    # ---------------------------------------------------------------- room

    def measure(self) -> None:
        """Compute how deep every square lies inside its own label."""
        labels, far = self.labels, 999.0
        depth = [far] * (SIZE * SIZE)
        for i, label in enumerate(labels):
            row, column = divmod(i, SIZE)
            is_rim = row in (0, SIZE - 1) or column in (0, SIZE - 1)
            if is_rim or any(labels[near] != label for near in _beside(i)):
                depth[i] = CELL / 2
        for way in _ways():
            for i, before in way:
                least = depth[i]
                for near, cost in before:
                    least = min(least, depth[near] + cost)
                depth[i] = least
        self.depth = depth

    def _choices(self, labels: tuple[int, ...]) -> list[tuple[Point, float]]:
        """Every second square with one of the labels, and its depth."""
        return [
            (_point(i), self.depth[i])
            for i, label in enumerate(self.labels)
            if label in labels and (i // SIZE) % 2 == 0 and i % 2 == 0
        ] or [(_point(i), self.depth[i]) for i, label in enumerate(self.labels) if label in labels]

    def best(self, labels: tuple[int, ...], wanted: list[tuple[Taken, float]]) -> list[Point]:
        """A point with room for each thing wanted (what is taken, its radius), or none at all.

        The first two are placed together, so that neither takes the other's only room.
        """
        choices = self._choices(labels)
        if not choices:
            return []
        slack = [[_slack(p, depth, taken, r) for p, depth in choices] for taken, r in wanted]
        if len(wanted) == 1:
            return [choices[_top(slack[0], choices)][0]]
        apart = wanted[0][1] + wanted[1][1]
        keep = sorted(range(len(choices)), key=lambda i: -slack[0][i])[:70]
        other = sorted(range(len(choices)), key=lambda i: -slack[1][i])[:110]
        best: tuple[float, ...] = (-inf,)
        first = second = -1
        for i in keep:
            for j in other:
                room = _least(slack[0][i], slack[1][j], choices[i], choices[j], apart)
                if round(room, 2) < best[0]:
                    continue
                one, two = choices[i][0], choices[j][0]
                # among equals: level with each other and near the middle of the tile
                level = -round(abs(one[1] - two[1]), 2)
                found = (round(room, 2), level, -round(_far(one, CENTRE) + _far(two, CENTRE), 2))
                if (*found, i, j) > (*best, first, second):
                    best, first, second = found, i, j
        points = [choices[first][0], choices[second][0]]
        used: Taken = [(points[0], wanted[0][1]), (points[1], wanted[1][1])]
        for taken, radius in wanted[2:]:
            rooms = [_slack(p, depth, taken + used, radius) for p, depth in choices]
            points.append(choices[_top(rooms, choices)][0])
            used.append((points[-1], radius))
        return points

    def beside(
        self, labels: Sequence[int], taken: Taken, radius: float, line: Sequence[Point]
    ) -> Point:
        """A point with room in one of the regions, as near to a line as that allows; the middle
        if there are none of these regions.
        """
        found = [
            (
                -round(min(_slack(p, depth, taken, radius), 1.0), 1),
                round(min((_far(p, other) for other in line), default=0.0), 2),
                p,
            )
            for p, depth in self._choices(tuple(labels))
        ]
        return min(found)[2] if found else CENTRE

    def corner(self, labels: list[int], taken: Taken, radius: float) -> Point | None:
        """A point with room in one of the regions, nearest to a corner, in the largest first."""
        sizes = {label: self.labels.count(label) for label in labels}
        found = [
            (-(sizes[label] // 200), round(min(_far(p, corner) for corner in CORNERS), 2), p)
            for label in labels
            for p, depth in self._choices((label,))
            if _slack(p, depth, taken, radius) >= 1.4
        ]
        return min(found)[2] if found else None


def _index(point: Point) -> int:
    column = min(SIZE - 1, max(0, int(point[0] / CELL)))
    row = min(SIZE - 1, max(0, int(point[1] / CELL)))
    return row * SIZE + column


def _point(index: int) -> Point:
    row, column = divmod(index, SIZE)
    return ((column + 0.5) * CELL, (row + 0.5) * CELL)


@cache
def _ways() -> tuple[list[tuple[int, list[tuple[int, float]]]], ...]:
    """All squares, there and back: each with those before it beside it, and how far they are."""
    ahead = ((-1, 0, 1.0), (0, -1, 1.0), (-1, -1, _DIAGONAL), (-1, 1, _DIAGONAL))
    there = range(SIZE * SIZE)
    return tuple(
        [
            (
                i,
                [
                    (r * SIZE + c, cost * CELL)
                    for dr, dc, cost in ahead
                    for r, c in ((i // SIZE + sign * dr, i % SIZE + sign * dc),)
                    if 0 <= r < SIZE and 0 <= c < SIZE
                ],
            )
            for i in order
        ]
        for order, sign in ((there, 1), (there[::-1], -1))
    )


@cache
def _beside(index: int) -> list[int]:
    row, column = divmod(index, SIZE)
    near = []
    if row > 0:
        near.append(index - SIZE)
    if column > 0:
        near.append(index - 1)
    if column < SIZE - 1:
        near.append(index + 1)
    if row < SIZE - 1:
        near.append(index + SIZE)
    return near


def _far(p: Point, q: Point) -> float:
    return hypot(p[0] - q[0], p[1] - q[1])


def _slack(point: Point, depth: float, taken: Taken, radius: float) -> float:
    """How much room is left round something of this radius at a point; negative when too little."""
    room = depth
    for spot, other in taken:
        room = min(room, _far(point, spot) - other)
    return room - radius


def _least(
    first: float,
    second: float,
    one: tuple[Point, float],
    two: tuple[Point, float],
    apart: float,
) -> float:
    """The room left for the worse off of two things placed together; enough is enough."""
    return min(first, second, _far(one[0], two[0]) - apart, 6.5)


def _top(slack: list[float], choices: list[tuple[Point, float]]) -> int:
    return max(
        range(len(choices)),
        key=lambda i: (round(min(slack[i], 9.0), 2), -round(_far(choices[i][0], CENTRE), 2), -i),
    )
