"""The part of a board that fits a rectangle of a terminal: where a page scrolls to.

A board that fits is shown whole, with the largest tiles that let it. A larger one moves as little
as it can, so that the cells of the focus, or those laid last, are in sight with their neighbours.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.view.board.ink import Ink, Page
from tilewright.view.board.scene import Scene
from tilewright.view.board.text import MARGIN, Window, board_page
from tilewright.view.board.text_tile import SIZES

#: tiles that are seen at least on a board that scrolls, if any size allows it
_ENOUGH = (6, 4)


def window_on(
    scene: Scene, columns: int, rows: int, before: Window | None = None, *, is_held: bool = False
) -> Window:
    """The cells to show in a rectangle, near those shown before; `is_held` ignores the focus."""
    west, south, east, north = scene.cells()
    need = (east - west + 1, north - south + 1)
    rooms = [(size, _room(size, columns, rows)) for size in SIZES]
    size, room = next(
        (each for wanted in (need, _ENOUGH) for each in rooms if _holds(each[1], wanted)),
        rooms[-1],
    )
    cells = [(cell.x, cell.y) for cell in scene.recent]
    if scene.focus is not None:
        near = [*scene.focus.cells, *((spot.x, spot.y) for spot in scene.focus.spots)]
        cells = near or cells
    if is_held or not cells:
        cells = []
    old = (None, None) if before is None else (before.west, -before.north)
    first = _start(west, east, room[0], old[0], [x for x, _ in cells])
    # rows are counted from the north
    top = _start(-north, -south, room[1], old[1], [-y for _, y in cells])
    return Window(
        first, -min(top + room[1] - 1, -south), min(first + room[0] - 1, east), -top, size
    )


def window_page(scene: Scene, window: Window, ascii_only: bool = False) -> Page:
    """The cells of a window, with arrows where the board goes on."""
    page = board_page(scene, window, ascii_only)
    west, south, east, north = scene.cells()
    arrows = "<>^v" if ascii_only else "←→↑↓"
    foot = len(page) - 1
    for letter, is_there, row, column in (
        (arrows[0], window.west > west, foot, MARGIN - 1),
        (arrows[1], window.east < east, foot, len(page[foot]) - 1),
        (arrows[2], window.north < north, 0, MARGIN - 2),
        (arrows[3], window.south > south, foot, MARGIN - 3),
    ):
        if is_there:
            page[row][column] = Ink(letter, is_bold=True)
    return page


def moved(window: Window, east: int, south: int) -> Window:
    """The window, moved by a number of cells."""
    return replace(
        window,
        west=window.west + east,
        east=window.east + east,
        north=window.north - south,
        south=window.south - south,
    )


def _room(size: tuple[int, int], columns: int, rows: int) -> tuple[int, int]:
    """How many tiles of a size fit across and down."""
    wide, high = size
    return max(1, (columns - MARGIN) // (wide + 1)), max(1, (rows - 2) // (high + 1))


def _holds(room: tuple[int, int], wanted: tuple[int, int]) -> bool:
    return room[0] >= wanted[0] and room[1] >= wanted[1]


def _start(first: int, last: int, room: int, before: int | None, focus: list[int]) -> int:
    """The first cell to show of a row of cells."""
    if last - first < room:
        return first
    start = before if before is not None else (first + last - room) // 2
    if focus:
        beside = 1 if room >= max(focus) - min(focus) + 3 else 0
        start = min(start, min(focus) - beside)
        start = max(start, max(focus) + beside - room + 1)
        if max(focus) - min(focus) >= room:
            start = min(focus)
    return max(first, min(start, last - room + 1))
