"""Boards for a terminal: tiles in place, letters for figures, numbers for open cells.

Two letters stand for a figure: its kind, and whose it is. Colour repeats the meaning
of letters and shapes; it is optional, and so is anything but ASCII. The terminal is not measured: a
board that fits a given rectangle is shown whole, with the largest tiles that let it, and a larger
one moves as little as it can, so that the cells of the focus, or those laid last, are in sight with
their neighbours.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from textwrap import fill

from tilewright.language.locale.words import Words
from tilewright.rules.model.ruleset import Reach
from tilewright.view.board.curves import CENTRE, turn_point
from tilewright.view.board.glyphs import initial
from tilewright.view.board.scene import FigurePicture, Scene, Spot, TokenPicture
from tilewright.view.board.text_tile import (
    BLANK,
    SIZES,
    Ink,
    Page,
    area_letter,
    contrast,
    is_hidden,
    land_letter,
    line_cells,
    line_letters,
    mark_letters,
    painted,
    spot_at,
    tile_page,
    written,
)
from tilewright.view.board.tile_layout import plan

#: columns at the west for the numbers of the rows
MARGIN = 5
#: parts of a board that are farther from each other are drawn apart
_WIDE_GAP = 8
_OPEN, _FOCUS, _FOCUS_GROUND = "#8a7434", "#d08000", "#ffd75f"
_FRAME, _ASCII_FRAME = "┏━┓┃┗┛", "/=\\|\\/"
_CORNERS, _ASCII_CORNERS = "┌┐└┘", "++++"


@dataclass(frozen=True, slots=True)
class Window:
    """The cells that a page shows, each end inclusive, and the size of a tile in characters."""

    west: int
    south: int
    east: int
    north: int
    size: tuple[int, int]

    def at(self, x: int, y: int) -> tuple[int, int] | None:
        """The column and row of the first character of a cell; None outside."""
        if not (self.west <= x <= self.east and self.south <= y <= self.north):
            return None
        wide, high = self.size
        return MARGIN + (x - self.west) * (wide + 1), 1 + (self.north - y) * (high + 1)


def scene_text(
    scene: Scene, width: int = 100, colour: bool = False, *, ascii_only: bool = False
) -> str:
    """A board as lines of text, with coordinates, the score and a legend.

    The largest tiles that fit the width are used. Parts of a board that lie far from each other,
    and a board too wide for the smallest tiles, are drawn one below the other. Of several parts,
    only those with the focus are drawn, if there is one.
    """
    room = max(1, width - MARGIN)
    parts = _parts(scene, None)
    most = max(east - west + 1 for west, _, east, _ in parts)
    size = next((s for s in SIZES if most * (s[0] + 1) <= room), SIZES[-1])
    windows = [Window(*part, size) for part in _parts(scene, max(1, room // (size[0] + 1)))]
    if scene.focus is not None:
        cells = [*scene.focus.cells, *((spot.x, spot.y) for spot in scene.focus.spots)]
        windows = [w for w in windows if any(w.at(x, y) for x, y in cells)] or windows
    lines = [scene.title] if scene.title else []
    lines.extend(_scores(scene, colour))
    for window in windows:
        page = board_page(scene, window, ascii_only)
        if all(ink.letter == " " for ink in page[0]):
            del page[0]
        lines.append(written(page, colour))
    # an entry is never torn: its blanks are hidden from the wrapping
    entries = "   ".join(entry.replace(" ", "\u00a0") for entry in legend(scene, ascii_only))
    indent = " " * MARGIN
    wrapped = fill(entries, max(30, width), initial_indent=indent, subsequent_indent=indent)
    lines.append(wrapped.replace("\u00a0", " ") if entries else "")
    return "\n".join(line for line in lines if line)


def _parts(scene: Scene, most: int | None) -> list[tuple[int, int, int, int]]:
    """West, south, east and north end of each part of a board, with `most` columns at most."""
    cells = scene.filled()
    found: list[tuple[int, int, int, int]] = []
    for west, east in _runs({x for x, _ in cells}, most):
        here = {y for x, y in cells if west <= x <= east}
        found += [(west, south, east, north) for south, north in reversed(_runs(here, None))]
    return found


def _runs(numbers: Set[int], most: int | None) -> list[tuple[int, int]]:
    """The first and last number of each run without a wide gap, of `most` numbers at most."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if (
            found
            and number - found[-1][1] <= _WIDE_GAP
            and (most is None or number - found[-1][0] < most)
        ):
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def board_page(scene: Scene, window: Window, ascii_only: bool = False) -> Page:
    """The cells of a window, with a row above for frames and the numbers of rows and columns."""
    wide, high = window.size
    across, down = window.east - window.west + 1, window.north - window.south + 1
    page: Page = [[BLANK] * (MARGIN + across * (wide + 1)) for _ in range(down * (high + 1) + 2)]
    for tile in (*scene.tiles, *([scene.ghost] if scene.ghost else [])):
        at = window.at(tile.x, tile.y)
        if at is not None:
            kinds, symbols = scene.kinds, scene.symbols
            drawn = tile_page(tile.face, kinds, symbols, tile.turn, window.size, ascii_only)
            _paste(page, drawn, at)
    for cell in scene.highlights:
        at = window.at(cell.x, cell.y)
        if at is not None:
            _paste(page, _open(cell.caption, window.size, ascii_only), at)
    for each in scene.recent:
        _frame(page, window, each.x, each.y, _ASCII_CORNERS if ascii_only else _CORNERS)
    _stand(scene, page, window)
    if scene.focus is not None:
        for x, y in scene.focus.cells:
            _frame(page, window, x, y, _ASCII_FRAME if ascii_only else _FRAME)
        for spot in scene.focus.spots:
            _point(page, window, scene, spot, ascii_only)
    for y in range(window.south, window.north + 1):
        _write(page, f"{y:>4}", 0, 1 + (window.north - y) * (high + 1) + high // 2)
    for x in range(window.west, window.east + 1):
        _write(page, f"{x:^{wide}}", MARGIN + (x - window.west) * (wide + 1), len(page) - 1)
    return page


def _paste(page: Page, part: Page, at: tuple[int, int]) -> None:
    left, top = at
    for row, line in enumerate(part):
        page[top + row][left : left + len(line)] = line


def _write(page: Page, text: str, left: int, row: int) -> None:
    for i, letter in enumerate(text):
        if 0 <= left + i < len(page[row]):
            page[row][left + i] = Ink(letter)


def _open(caption: str, size: tuple[int, int], ascii_only: bool) -> Page:
    wide, high = size
    across, down = ("-", "|") if ascii_only else ("╌", "┆")
    corners = "++++" if ascii_only else "┌┐└┘"
    rows = [corners[0] + across * (wide - 2) + corners[1]]
    rows += [down + " " * (wide - 2) + down for _ in range(high - 2)]
    rows.append(corners[2] + across * (wide - 2) + corners[3])
    middle = f"{caption[: wide - 2]:^{wide - 2}}"
    rows[high // 2] = down + middle + down
    return [[Ink(letter, _OPEN) for letter in row] for row in rows]


def _frame(page: Page, window: Window, x: int, y: int, letters: str) -> None:
    """Draw a frame into the gaps around a cell; four letters draw its corners alone."""
    at = window.at(x, y)
    if at is None:
        return
    (left, top), (wide, high) = at, window.size
    corners, across, down = letters, "", ""
    if len(letters) > 4:
        corners = letters[0] + letters[2] + letters[4] + letters[5]
        across, down = letters[1], letters[3]
    drawn = {(left - 1, top - 1): corners[0], (left + wide, top - 1): corners[1]}
    drawn |= {(left - 1, top + high): corners[2], (left + wide, top + high): corners[3]}
    if across:
        drawn |= {(left + i, row): across for i in range(wide) for row in (top - 1, top + high)}
        drawn |= {
            (column, top + i): down for i in range(high) for column in (left - 1, left + wide)
        }
    tint = _FOCUS if across else _OPEN
    for (column, row), letter in drawn.items():
        if row < len(page) - 1 and column < len(page[row]):
            page[row][column] = Ink(letter, tint, "", True)


# ------------------------------------------------------------------ figures


def _stand(scene: Scene, page: Page, window: Window) -> None:
    """Put the figures' letters: a capital for one that stands, a small letter for one that lies."""
    wide, high = window.size
    taken: set[tuple[int, int]] = set()
    for figure in scene.figures:
        corner = window.at(figure.x, figure.y)
        if corner is None:
            continue
        column, row = _spot_on(Spot(figure.x, figure.y, figure.segment), scene, window)
        letters = _letters(figure)
        near = [(column + d, row) for d in (0, 1, -1, 2, -2, 3, -3)]
        near += [(column + d, row + e) for e in (1, -1) for d in (0, 1, -1)]
        free = [
            [(corner[0] + c + i, corner[1] + r) for i in range(len(letters))]
            for c, r in near
            if c >= 0 and c + len(letters) <= wide and 0 <= r < high
        ]
        free = [cells for cells in free if not taken.intersection(cells)]
        column = min(column, wide - len(letters))
        own = [(corner[0] + column + i, corner[1] + row) for i in range(len(letters))]
        cells = free[0] if free else own
        taken.update(cells)
        ground = figure.colour or figure.kind.colour
        for (left, top), letter in zip(cells, letters, strict=True):
            page[top][left] = Ink(letter, contrast(ground), ground, True)


def _spot_on(spot: Spot, scene: Scene, window: Window) -> tuple[int, int]:
    """The character of a place on a tile; on a way, one of the line's own."""
    wide, high = window.size
    tile = next((t for t in scene.tiles if (t.x, t.y) == (spot.x, spot.y)), None)
    if tile is None or spot.segment is None:
        return spot_at(CENTRE, window.size)
    layout = plan(tile.face, scene.kinds, scene.symbols)
    at = turn_point(dict(layout.spots).get(spot.segment, CENTRE), tile.turn)
    found = spot_at(at, window.size)
    for way in layout.ways:
        if way.part.id == spot.segment:
            line = line_cells(way, layout, tile.turn, window.size)
            inner = [c for c in line if way.is_passing or c != (wide // 2, high // 2)]
            return min(
                inner or [found],
                key=lambda c: (
                    abs((c[0] + 0.5) * 100 / wide - at[0]) + abs((c[1] + 0.5) * 100 / high - at[1]),
                    c,
                ),
            )
    return found


def _point(page: Page, window: Window, scene: Scene, spot: Spot, ascii_only: bool) -> None:
    """Point at a place on a tile: with the letters of the figure that would go there, if any."""
    corner = window.at(spot.x, spot.y)
    if corner is None or scene.focus is None:
        return
    text = scene.focus.mark or ("*" if ascii_only else "◆")
    column, row = _spot_on(spot, scene, window)
    text = f">{text}<" if ascii_only else f"▸{text}◂"
    column = max(0, min(column - 1, window.size[0] - len(text)))
    for i, letter in enumerate(text):
        page[corner[1] + row][corner[0] + column + i] = Ink(letter, "#000000", _FOCUS_GROUND, True)


def _letters(figure: FigurePicture) -> str:
    """The letter of a figure's kind, small when it lies, and the letter of its owner."""
    letters = figure.mark or initial(figure.label or figure.kind.label.get())
    return letters[0].lower() + letters[1:] if figure.posture == "lying" else letters


# ------------------------------------------------------------------ score and legend


def _scores(scene: Scene, colour: bool) -> list[str]:
    if not scene.scores:
        return []
    cards = []
    for line in scene.scores:
        mark = ""
        if colour:
            letters = f" {line.mark or ' '} "
            mark = painted([Ink(c, contrast(line.colour), line.colour) for c in letters]) + " "
        cards.append(f"{mark}{'>' if line.is_active else ''}{line.name} {line.points}")
    return ["   ".join(cards)]


def legend(scene: Scene, ascii_only: bool = False) -> list[str]:
    """The meaning of each character on this board."""
    used = {part.kind for tile in scene.tiles for part in tile.face.segments}
    letters = mark_letters(scene.kinds, scene.symbols, ascii_only)
    entries: list[str] = []
    for name, kind in scene.kinds.items():
        if name not in used:
            continue
        label = kind.label.get() or name
        if kind.reach is Reach.SIDE:
            entries.append(f"{area_letter(kind, scene.kinds, ascii_only)} {label}")
        elif kind.reach is Reach.CENTRE:
            entries.append(f"{line_letters(kind, scene.kinds, ascii_only)[10]} {label}")
        elif kind.reach is Reach.HALVES:
            entries.append(f"{land_letter(ascii_only)} {label}")
        else:
            entries.append(f"{letters['inside', name]} {label}")
        printed = {
            key
            for tile in scene.tiles
            for part in tile.face.segments
            for key, count in part.attributes
            if count
        }
        for declared in kind.attributes:
            if declared.id in printed:
                word = declared.label.get() or declared.id
                entries.append(f"{letters['attribute', declared.id]} {word}")
    marks = {name for tile in scene.tiles for name in tile.face.symbols}
    marks |= {name for tile in scene.tiles for part in tile.face.segments for name in part.symbols}
    for name in sorted(marks):
        symbol = scene.symbols.get(name)
        if is_hidden(symbol):
            continue
        label = symbol.label.get() if symbol is not None else name
        entries.append(f"{letters.get(('symbol', name)) or initial(name)} {label or name}")
    figures = {
        (figure.mark[:1], figure.label or figure.kind.label.get()) for figure in scene.figures
    }
    entries += sorted(f"{mark or initial(label)} {label}" for mark, label in figures)
    if any(figure.posture == "lying" for figure in scene.figures):
        entries.append(Words(scene.language)("match.lying"))
    entries += [_token_entry(token) for token in scene.tokens]
    entries += [" = ".join(f"{s.x},{s.y}/{s.segment}" for s in pair) for pair in scene.joins]
    owners = {(figure.mark[1:], figure.owner) for figure in scene.figures if figure.owner}
    return entries + sorted(f"{mark} {owner}" for mark, owner in owners)


def _token_entry(token: TokenPicture) -> str:
    """The tokens of a kind at a place: `token 0,1: 2`."""
    place = f"{token.x},{token.y}" + (f"/{token.segment}" if token.segment else "")
    return f"{token.kind.label.get() or token.kind.id} {place}: {token.count}"


# ------------------------------------------------------------------ the part that fits a rectangle


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
