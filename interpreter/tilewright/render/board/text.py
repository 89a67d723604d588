"""Tiles and boards for a terminal: blocks for areas, lines for ways, letters for figures.

The layout of pictures is used here too, sampled on a few characters. Lines turn with the tile;
colour is optional, and so is plain ASCII. The terminal is not measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import fill

from tilewright.model.ruleset import FeatureKind, Reach, SymbolDecl, TileFace
from tilewright.render.board.curves import CENTRE, Point, turn_point
from tilewright.render.board.glyphs import CHARACTERS, HIDDEN, initial
from tilewright.render.board.ink import BLANK, Ink, Page, contrast, painted, written
from tilewright.render.board.scene import FigurePicture, Scene, TilePicture
from tilewright.render.board.tile_layout import Plan, Way, plan
from tilewright.render.locale import Words

#: widths and heights a tile may take, the best first; both are odd, so that there is a middle
SIZES = ((9, 5), (7, 3), (5, 3))

# lines by the sides they touch: 1 north, 2 east, 4 south, 8 west
_LINES = " ║═╚║║╔╠═╝═╩╗╣╦╬"
_ASCII_LINES = " |-+||++-+-++++++"
_Place = Callable[[int, int], tuple[int, int] | None]

_AREA, _ASCII_AREA = "▒", "#"
_LAND, _ASCII_LAND = "·", "."


def tile_text(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    *,
    turn: int = 0,
    size: tuple[int, int] = SIZES[0],
    colour: bool = False,
    ascii_only: bool = False,
) -> str:
    """One tile as lines of text."""
    return written(_tile(face, kinds, symbols, turn, size, ascii_only), colour)


def scene_text(
    scene: Scene, width: int = 100, colour: bool = False, *, ascii_only: bool = False
) -> str:
    """A board as lines of text, with coordinates, the score and a legend.

    The largest tiles that fit the width are used; a board too wide for the smallest is cut at the
    east, with a note.
    """
    west, south, east, north = scene.cells()
    count = east - west + 1
    room = max(1, width - 5)
    size = next((s for s in SIZES if count * (s[0] + 1) <= room), SIZES[-1])
    shown = min(count, max(1, room // (size[0] + 1)))
    wide, high = size
    page: Page = [
        [BLANK] * (5 + shown * (wide + 1)) for _ in range((north - south + 1) * (high + 1))
    ]

    def place(x: int, y: int) -> tuple[int, int] | None:
        return (5 + (x - west) * (wide + 1), (north - y) * (high + 1)) if x < west + shown else None

    for tile in scene.tiles:
        at = place(tile.x, tile.y)
        if at is not None:
            drawn = _tile(tile.face, scene.kinds, scene.symbols, tile.turn, size, ascii_only)
            _paste(page, drawn, at)
    for cell in scene.highlights:
        at = place(cell.x, cell.y)
        if at is not None:
            _paste(page, _open(cell.caption, size, ascii_only), at)
    _stand(scene, page, place, size)
    for y in range(south, north + 1):
        _write(page, f"{y:>4}", 0, (north - y) * (high + 1) + high // 2)
    foot: list[Ink] = [BLANK] * len(page[0])
    page.append(foot)
    for x in range(west, west + shown):
        _write(page, f"{x:^{wide}}", 5 + (x - west) * (wide + 1), len(page) - 1)
    lines = [scene.title] if scene.title else []
    lines.extend(_scores(scene, colour))
    lines.append(written(page, colour))
    if shown < count:
        lines.append(f"     {Words(scene.language, 'match')('goes on', east)}")
    legend = _legend(scene, width, ascii_only)
    return "\n".join(line for line in [*lines, legend] if line)


# ------------------------------------------------------------------ one tile


def _tile(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    turn: int,
    size: tuple[int, int],
    ascii_only: bool,
) -> Page:
    layout = plan(face, kinds)
    wide, high = size
    by_id = {part.id: part for part in face.segments}
    page: Page = []
    for row in range(high):
        line: list[Ink] = []
        for column in range(wide):
            at = turn_point((100 * (column + 0.5) / wide, 100 * (row + 0.5) / high), -turn)
            label = layout.raster.at(at)
            part = by_id.get(layout.names[label]) if 0 <= label < len(layout.names) else None
            kind = kinds[part.kind] if part is not None else None
            if kind is not None and kind.reach is Reach.SIDE:
                letter = _ASCII_AREA if ascii_only else _AREA
                line.append(Ink(letter, kind.outline, kind.colour))
            else:
                land = kind if kind is not None and kind.reach is Reach.HALVES else _land(kinds)
                letter = _ASCII_LAND if ascii_only else _LAND
                tints = (land.outline, land.colour) if land else ("", "")
                line.append(Ink(letter, *tints))
        page.append(line)
    _lay_ways(face, kinds, layout, turn, page, ascii_only)
    for mark in layout.marks:
        if mark.what == "symbol" and _is_hidden(symbols.get(mark.name)):
            continue
        column, row = _spot(turn_point(mark.at, turn), size)
        ink = page[row][column]
        if mark.what == "symbol":
            letter, tint = _symbol(symbols.get(mark.name), mark.name, ascii_only)
        elif mark.what == "attribute":
            declared = next(a for a in kinds[by_id[mark.part].kind].attributes if a.id == mark.name)
            word = declared.label.get() or mark.name
            letter, tint = _character(declared.symbol, word, ascii_only)
        elif mark.what == "inside":
            kind = kinds[mark.name]
            letter, tint = _character(kind.glyph, kind.label.get(), ascii_only)
            tint = kind.outline
        else:
            letter, tint = ("o", "") if ascii_only else ("●", "")
        page[row][column] = Ink(letter, tint or ink.colour, ink.ground, True)
    return page


def _land(kinds: Mapping[str, FeatureKind]) -> FeatureKind | None:
    return next((kind for kind in kinds.values() if kind.reach is Reach.HALVES), None)


def _lay_ways(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    layout: Plan,
    turn: int,
    page: Page,
    ascii_only: bool,
) -> None:
    """Draw the ways as lines, except where an area lies over them."""
    high, wide = len(page), len(page[0])
    touched: dict[tuple[int, int], tuple[int, FeatureKind]] = {}
    for way in layout.ways:
        kind = kinds[way.part.kind]
        for cell, bits in _line(way, layout, turn, (wide, high)).items():
            touched[cell] = (touched.get(cell, (0, kind))[0] | bits, kind)
    for (column, row), (bits, kind) in touched.items():
        at = turn_point((100 * (column + 0.5) / wide, 100 * (row + 0.5) / high), -turn)
        is_below = 0 <= layout.raster.at(at) < len(layout.areas)
        if is_below and face.crosses != "over":
            continue
        letter = (_ASCII_LINES if ascii_only else _LINES)[bits]
        page[row][column] = Ink(letter, kind.outline, page[row][column].ground, True)


def _line(way: Way, layout: Plan, turn: int, size: tuple[int, int]) -> dict[tuple[int, int], int]:
    """The cells a way runs through, each with the sides its line touches."""
    wide, high = size
    middle, level = wide // 2, high // 2
    sides = sorted({(port // 3 + turn) % 4 for port in way.part.ports})
    bends = [w for w in layout.ways if w.is_passing and _is_bend(w)]
    cells: dict[tuple[int, int], int] = {}
    if len(bends) > 1 and _is_bend(way):
        # two bends would meet in the middle: each keeps to its own corner, by a stair
        up = 0 if 0 in sides else 2
        across = 1 if 1 in sides else 3
        dy, dx = (-1 if up == 0 else 1), (1 if across == 1 else -1)
        for row in range(high):
            if (row - level) * dy > 1:
                cells[(middle, row)] = 5
        cells[(middle, level + dy)] = 1 << up | 1 << across
        cells[(middle + dx, level + dy)] = 1 << (across + 2) % 4 | 1 << (up + 2) % 4
        cells[(middle + dx, level)] = 1 << up | 1 << across
        for column in range(wide):
            if (column - middle) * dx > 1:
                cells[(column, level)] = 10
        return cells
    for side in sides:
        dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
        column, row = middle, level
        cells[(column, row)] = cells.get((column, row), 0) | 1 << side
        column, row = column + dx, row + dy
        while 0 <= column < wide and 0 <= row < high:
            cells[(column, row)] = 5 if side in (0, 2) else 10
            column, row = column + dx, row + dy
    return cells


def _is_bend(way: Way) -> bool:
    sides = sorted({port // 3 for port in way.part.ports})
    return len(sides) == 2 and sides[1] - sides[0] != 2


def _spot(at: Point, size: tuple[int, int]) -> tuple[int, int]:
    wide, high = size
    return (
        min(wide - 1, max(0, int(at[0] * wide / 100))),
        min(high - 1, max(0, int(at[1] * high / 100))),
    )


def _character(name: str, label: str, ascii_only: bool) -> tuple[str, str]:
    letter = initial(label)
    return (letter if ascii_only else CHARACTERS.get(name, letter), "")


def _is_hidden(symbol: SymbolDecl | None) -> bool:
    return symbol is not None and symbol.glyph == HIDDEN


def _symbol(symbol: SymbolDecl | None, name: str, ascii_only: bool) -> tuple[str, str]:
    if symbol is None:
        return (initial(name), "")
    letter, _ = _character(symbol.glyph, symbol.label.get() or name, ascii_only)
    return (letter, symbol.colour)


# ------------------------------------------------------------------ the board


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
    return [[Ink(letter, "#8a7434") for letter in row] for row in rows]


def _stand(scene: Scene, page: Page, place: _Place, size: tuple[int, int]) -> None:
    """Put the figures' letters: a capital for one that stands, a small letter for one that lies."""
    tiles = {(tile.x, tile.y): tile for tile in scene.tiles}
    taken: set[tuple[int, int]] = set()
    for figure in scene.figures:
        corner = place(figure.x, figure.y)
        if corner is None:
            continue
        tile = tiles.get((figure.x, figure.y))
        column, row = _spot(CENTRE, size)
        if tile is not None and figure.segment is not None:
            column, row = _spot_on(tile, figure.segment, scene, size)
        near = [(column + d, row) for d in (0, 1, -1, 2, -2, 3, -3)]
        near += [(column + d, row + e) for e in (1, -1) for d in (0, 1, -1)]
        free = [
            (corner[0] + c, corner[1] + r)
            for c, r in near
            if 0 <= c < size[0] and 0 <= r < size[1] and (corner[0] + c, corner[1] + r) not in taken
        ]
        left, top = free[0] if free else (corner[0] + column, corner[1] + row)
        taken.add((left, top))
        page[top][left] = _figure(figure)


def _spot_on(
    tile: TilePicture, segment: str, scene: Scene, size: tuple[int, int]
) -> tuple[int, int]:
    """The character for a figure on a segment; on a way, one of the line's own."""
    layout = plan(tile.face, scene.kinds)
    at = turn_point(dict(layout.spots).get(segment, CENTRE), tile.turn)
    spot = _spot(at, size)
    for way in layout.ways:
        if way.part.id == segment:
            line = _line(way, layout, tile.turn, size)
            inner = [c for c in line if way.is_passing or c != (size[0] // 2, size[1] // 2)]
            return min(
                inner or [spot],
                key=lambda c: (
                    abs((c[0] + 0.5) * 100 / size[0] - at[0])
                    + abs((c[1] + 0.5) * 100 / size[1] - at[1]),
                    c,
                ),
            )
    return spot


def _figure(figure: FigurePicture) -> Ink:
    letter = initial(figure.label or figure.kind.label.get())
    if figure.posture == "lying":
        letter = letter.lower()
    ground = figure.colour or figure.kind.colour
    return Ink(letter, contrast(ground), ground, True)


def _scores(scene: Scene, colour: bool) -> list[str]:
    if not scene.scores:
        return []
    cards = []
    for line in scene.scores:
        mark = painted([Ink(" ", "", line.colour)] * 2) + " " if colour else ""
        cards.append(f"{mark}{'>' if line.is_active else ''}{line.name} {line.points}")
    return ["   ".join(cards)]


def _legend(scene: Scene, width: int, ascii_only: bool) -> str:
    """The meaning of the characters on this board."""
    used = {part.kind for tile in scene.tiles for part in tile.face.segments}
    entries: list[str] = []
    for name, kind in scene.kinds.items():
        if name not in used:
            continue
        label = kind.label.get() or name
        if kind.reach is Reach.SIDE:
            entries.append(f"{_ASCII_AREA if ascii_only else _AREA} {label}")
        elif kind.reach is Reach.CENTRE:
            entries.append(f"{'-' if ascii_only else '═'} {label}")
        elif kind.reach is Reach.HALVES:
            entries.append(f"{_ASCII_LAND if ascii_only else _LAND} {label}")
        else:
            entries.append(f"{_character(kind.glyph, label, ascii_only)[0]} {label}")
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
                entries.append(f"{_character(declared.symbol, word, ascii_only)[0]} {word}")
    marks = {name for tile in scene.tiles for name in tile.face.symbols}
    marks |= {name for tile in scene.tiles for part in tile.face.segments for name in part.symbols}
    for name in sorted(marks):
        symbol = scene.symbols.get(name)
        if _is_hidden(symbol):
            continue
        label = symbol.label.get() if symbol is not None else name
        entries.append(f"{_symbol(symbol, name, ascii_only)[0]} {label or name}")
    labels = {figure.label or figure.kind.label.get() for figure in scene.figures}
    entries += sorted(f"{initial(label)} {label}" for label in labels)
    if any(figure.posture == "lying" for figure in scene.figures):
        entries.append(Words(scene.language, "match")("lying"))
    # an entry is never torn: its blanks are hidden from the wrapping
    text = "   ".join(entry.replace(" ", "\u00a0") for entry in entries)
    indent = " " * 5
    wrapped = fill(text, max(30, width), initial_indent=indent, subsequent_indent=indent)
    return wrapped.replace("\u00a0", " ") if entries else ""
