"""Sides, ports and cells: the arithmetic of square tiles, and their common notation.

A side is 0 to 3 for north, east, south, west. A port is a third of a side; ports are numbered 0 to
11 clockwise from the west end of the north side, so side s owns ports 3s (first half), 3s + 1
(centre) and 3s + 2 (second half), as one walks clockwise round the tile. Two tiles that touch match
first half to second half. A cell is (x, y) with x growing east and y growing north.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SIDES = ("N", "E", "S", "W")
HALVES = ("NNW", "NNE", "ENE", "ESE", "SSE", "SSW", "WSW", "WNW")
#: all eight ways, clockwise from the north: side s is number 2s
HEADINGS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
#: step from a cell to the one around it, by heading
AROUND_STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
#: step from a cell to its neighbour, by side
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))

SIDE_OF: dict[str, int] = {name: side for side, name in enumerate(SIDES)}
PORT_OF_HALF: dict[str, int] = {
    name: 3 * (i // 2) + (0 if i % 2 == 0 else 2) for i, name in enumerate(HALVES)
}

#: the most segments of one cell
MAX_SEGMENTS = 31

_CELL = re.compile(r"(-?\d{1,9}),(-?\d{1,9})\Z", re.ASCII)


def facing_port(port: int) -> int:
    """The port of the neighbouring tile that touches this port."""
    side, part = divmod(port, 3)
    return 3 * ((side + 2) % 4) + 2 - part


def turned(port: int, quarters: int) -> int:
    """The port after its tile is turned clockwise by `quarters` quarter turns."""
    return (port + 3 * quarters) % 12


def border_places(ports: Iterable[int], *, in_halves: bool) -> list[str]:
    """Where an area with these ports meets the border of its tile, clockwise from the north-west.

    A side is named whole, but by its half when the area has one half of it only. With `in_halves`
    each half is named, as for areas that lie beside the ways.
    """
    halves = {port: half for half, port in PORT_OF_HALF.items()}
    by_side: dict[int, list[str]] = {}
    for port in sorted(ports):
        here = by_side.setdefault(port // 3, [])
        if port in halves:
            here.append(halves[port])
    return [
        place
        for side, here in by_side.items()
        for place in (here if in_halves or len(here) == 1 else [SIDES[side]])
    ]


def read_cell(text: str) -> tuple[int, int] | None:
    """`2,-1` as (2, -1), or None when the text is not a cell."""
    found = _CELL.match(text.strip())
    return (int(found[1]), int(found[2])) if found else None


def cell_name(x: int, y: int) -> str:
    """A cell in the common notation: `2,-1`."""
    return f"{x},{y}"
