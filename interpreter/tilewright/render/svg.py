"""Tiles and boards as SVG: flat, self-contained, the same bytes every time.

Colours, glyphs and labels come from the ruleset's declarations; where things stand comes from
`plan`. What is printed turns with the tile, what must be read (marks, figures) stays upright.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot
from xml.sax.saxutils import escape
from zlib import crc32

from tilewright.model.ruleset import FeatureKind, Reach, SymbolDecl, TileFace
from tilewright.render.curves import (
    CENTRE,
    WALL_WIDTH,
    WAY_WIDTH,
    Point,
    curve_text,
    number,
    turn_point,
)
from tilewright.render.glyphs import GLYPHS, glyph, initial
from tilewright.render.plan import Area, Mark, Plan, Way, plan
from tilewright.render.scene import FigurePicture, Scene, TilePicture

PAPER = "#f4efe3"
INK = "#33302a"
_BADGE = "#fbf6e6"
_BLANK = "#d9d2bd"
_MARK_COLOUR = "#2f5fa8"
_FONT = 'font-family="sans-serif"'


def tile_svg(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    size: int = 200,
    *,
    turn: int = 0,
    title: str = "",
) -> str:
    """One tile as a standalone picture, `size` pixels wide and high."""
    body = _defs() + '<g clip-path="url(#tw-tile)">' + tile_group(face, kinds, symbols, turn) + "</g>"
    said = title or "tile"
    return _document(100, 100, size, size, said, _described(face, kinds, symbols), body)


def tile_group(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    turn: int = 0,
) -> str:
    """One tile as a group of 100 by 100 units, to be put into a larger picture."""
    layout = plan(face, kinds)
    flat = _ground(face, kinds, layout) + _flat(face, kinds, layout)
    flat += '<rect x=".6" y=".6" width="98.8" height="98.8" rx="4" fill="none" stroke="#00000033" stroke-width="1.2"/>'
    if turn % 4:
        flat = f'<g transform="rotate({90 * (turn % 4)} 50 50)">{flat}</g>'
    upright = "".join(_mark(mark, layout, kinds, symbols, face, turn) for mark in layout.marks)
    return flat + upright


def scene_svg(scene: Scene, size: int = 96) -> str:
    """A board as a standalone picture; `size` is the width of a tile in pixels."""
    west, south, east, north = scene.cells()
    pitch, margin = 104, 44
    strip = _strip(scene)
    top = 22 + (38 if scene.title else 0) + (50 if strip else 0)
    wide = max((east - west + 1) * pitch + 2 * margin, _strip_width(scene) + 2 * margin)
    left = (wide - (east - west + 1) * pitch) / 2
    high = top + (north - south + 1) * pitch + margin

    def corner(x: int, y: int) -> Point:
        return (left + 2 + (x - west) * pitch, top + 2 + (north - y) * pitch)

    body = [_defs(), f'<rect width="{number(wide)}" height="{number(high)}" rx="14" fill="{PAPER}"/>']
    if scene.title:
        body.append(_text(wide / 2, 38, scene.title, 24, weight="bold"))
    if strip:
        shift = (wide - _strip_width(scene)) / 2
        body.append(f'<g transform="translate({number(shift)} {top - 58})">{strip}</g>')
    body.append(_coordinates(scene, corner(west, south), pitch))
    body.extend(_placed(tile, corner(tile.x, tile.y), scene) for tile in scene.tiles)
    body.extend(_open(cell.caption, corner(cell.x, cell.y)) for cell in scene.highlights)
    body.extend(_figures(scene, corner))
    said = scene.title or "board"
    count = len(scene.tiles)
    told = f"{count} {'tile' if count == 1 else 'tiles'}, {len(scene.figures)} figures"
    if scene.scores:
        told += "; " + ", ".join(f"{line.name} {line.points}" for line in scene.scores)
    return _document(wide, high, wide * size / 100, high * size / 100, said, told, "".join(body))


def _document(
    wide: float, high: float, width: float, height: float, title: str, told: str, body: str
) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {number(wide)} {number(high)}" '
        f'width="{number(round(width))}" height="{number(round(height))}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(told)}</desc>{body}</svg>\n"
    )


def _defs() -> str:
    # the id is the same in every picture, and so is what it names: many may stand in one page
    return '<defs><clipPath id="tw-tile"><rect width="100" height="100" rx="4"/></clipPath></defs>'


def _text(
    x: float, y: float, text: str, size: float, *, weight: str = "normal", colour: str = INK,
    align: str = "middle",
) -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" {_FONT} font-size="{number(size)}" '
        f'font-weight="{weight}" fill="{colour}" text-anchor="{align}">{escape(text)}</text>'
    )


def _described(
    face: TileFace, kinds: Mapping[str, FeatureKind], symbols: Mapping[str, SymbolDecl]
) -> str:
    """A tile in words: what its sides show, and what is printed on it."""
    sides = ("north", "east", "south", "west")
    shown = [
        f"{side} {kinds[edge].label.get() if edge in kinds else edge}"
        for side, edge in zip(sides, face.edges, strict=True)
    ]
    marks = list(face.symbols) + [name for part in face.segments for name in part.symbols]
    shown += [symbols[name].label.get() if name in symbols else name for name in marks]
    return ", ".join(shown)


# ------------------------------------------------------------------ what turns with the tile


def shade(colour: str, amount: float) -> str:
    """A colour made lighter (amount above 0) or darker (below), as #rrggbb."""
    if len(colour) != 7 or not colour.startswith("#"):
        return colour
    goal = 255 if amount > 0 else 0
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(part + (goal - part) * abs(amount)):02x}" for part in parts)


def _ground(face: TileFace, kinds: Mapping[str, FeatureKind], layout: Plan) -> str:
    lands = [kinds[part.kind] for part in face.segments if kinds[part.kind].reach is Reach.HALVES]
    lands += [kind for kind in kinds.values() if kind.reach is Reach.HALVES]
    colour = lands[0].colour if lands else _BLANK
    outline = lands[0].outline if lands else shade(_BLANK, -0.2)
    tufts = []
    first = len(layout.areas) + len(layout.ways)
    for x, y in _scatter(face, 46):
        if layout.raster.at((x, y)) < first or layout.raster.depth_at((x, y)) < 3.6:
            continue
        if any(hypot(x - m.at[0], y - m.at[1]) < m.room + 2 for m in layout.marks):
            continue
        tufts.append(f"M{number(x - 1.8)} {number(y - 2)}L{number(x - 0.6)} {number(y)}")
        tufts.append(f"M{number(x + 1.8)} {number(y - 2.2)}L{number(x + 0.6)} {number(y)}")
    return (
        f'<rect width="100" height="100" fill="{colour}"/>'
        f'<path d="{"".join(tufts)}" fill="none" stroke="{outline}" stroke-width="1" '
        'stroke-linecap="round" opacity=".75"/>'
    )


def _scatter(face: TileFace, count: int) -> list[Point]:
    """Points spread over the tile, the same for the same face."""
    seed = crc32(repr([(part.kind, part.ports) for part in face.segments]).encode())
    return [
        (
            100 * ((seed % 997) / 997 + i * 0.7548776662) % 100,
            100 * ((seed % 769) / 769 + i * 0.5698402910) % 100,
        )
        for i in range(1, count + 1)
    ]


def _flat(face: TileFace, kinds: Mapping[str, FeatureKind], layout: Plan) -> str:
    order = list(kinds)
    # a kind declared later lies lower: what crosses it was there first
    ways = sorted(layout.ways, key=lambda way: -order.index(way.part.kind))
    areas = "".join(_area(area, kinds[area.part.kind], face, layout) for area in layout.areas)
    joints = _joints(kinds, layout)
    if "bridge" in face.tags:
        return areas + joints + _ways(ways, kinds)
    hidden = "".join(_hidden(way, kinds[way.part.kind], layout) for way in ways)
    return _ways(ways, kinds) + areas + joints + hidden


def _ways(ways: list[Way], kinds: Mapping[str, FeatureKind]) -> str:
    text = []
    groups: list[list[Way]] = []
    for way in ways:
        alike = not way.is_passing and groups and groups[-1][0].part.kind == way.part.kind
        if alike and not groups[-1][0].is_passing:
            groups[-1].append(way)
        else:
            groups.append([way])
    for group in groups:
        kind = kinds[group[0].part.kind]
        d = "".join(curve_text(chain) for way in group for chain in way.chains)
        for width, colour in ((WAY_WIDTH + 3, kind.outline), (WAY_WIDTH, kind.colour)):
            text.append(
                f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{number(width)}" '
                'stroke-linecap="round" stroke-linejoin="round"/>'
            )
    return "".join(text)


def _hidden(way: Way, kind: FeatureKind, layout: Plan) -> str:
    """A way that passes below an area, hinted at on top of it."""
    below = [c for c in way.chains if 0 <= layout.raster.at(_half(c)) < len(layout.areas)]
    if not way.is_passing or not below:
        return ""
    d = "".join(curve_text(chain) for chain in below)
    return (
        f'<path d="{d}" fill="none" stroke="{kind.outline}" stroke-width="{number(WAY_WIDTH + 2)}" '
        f'opacity=".35"/><path d="{d}" fill="none" stroke="{kind.colour}" stroke-width="'
        f'{number(WAY_WIDTH - 2)}" stroke-dasharray="3.5 4.5" opacity=".75"/>'
    )


def _half(chain: tuple[tuple[Point, Point, Point, Point], ...]) -> Point:
    a, b, c, d = chain[len(chain) // 2]
    return ((a[0] + 3 * b[0] + 3 * c[0] + d[0]) / 8, (a[1] + 3 * b[1] + 3 * c[1] + d[1]) / 8)


def _area(area: Area, kind: FeatureKind, face: TileFace, layout: Plan) -> str:
    label = next(i for i, other in enumerate(layout.areas) if other is area)
    text = [f'<path d="{area.shape.outline}" fill="{kind.colour}"/>']
    text.append(_roofs(label, kind, face, layout))
    for wall in area.shape.walls:
        d = curve_text(wall)
        text.append(
            f'<path d="{d}" fill="none" stroke="{kind.outline}" stroke-width="{WALL_WIDTH}" '
            f'stroke-linecap="round"/><path d="{d}" fill="none" '
            f'stroke="{shade(kind.colour, 0.45)}" stroke-width="1.7" stroke-dasharray="3.4 2"/>'
        )
    return "".join(text)


def _roofs(label: int, kind: FeatureKind, face: TileFace, layout: Plan) -> str:
    """Small roofs inside an area, where nothing else wants to be seen."""
    spots = [at for _, at in layout.spots]
    dark, light = shade(kind.colour, -0.16), shade(kind.colour, 0.22)
    walls, roofs = [], []
    placed: list[Point] = []
    for x, y in _scatter(face, 150):
        at = (x, y)
        if layout.raster.at(at) != label or layout.raster.depth_at(at) < 4.6:
            continue
        if any(hypot(x - m.at[0], y - m.at[1]) < m.room + 4.5 for m in layout.marks):
            continue
        if any(hypot(x - p[0], y - p[1]) < 8.5 for p in placed):
            continue
        if any(hypot(x - p[0], y - p[1]) < 6.5 for p in spots):
            continue
        placed.append(at)
        walls.append(f"M{number(x - 2.5)} {number(y - 0.4)}h5v3.2h-5z")
        roofs.append(f"M{number(x - 3.4)} {number(y - 0.2)}l3.4-3.4l3.4 3.4z")
    return f'<path d="{"".join(walls)}" fill="{light}"/><path d="{"".join(roofs)}" fill="{dark}"/>'


def _joints(kinds: Mapping[str, FeatureKind], layout: Plan) -> str:
    text = []
    for area, start, end in layout.joints:
        kind = kinds[area.kind]
        d = curve_text(((start, start, end, end),))
        text.append(
            f'<path d="{d}" stroke="{kind.outline}" stroke-width="9" stroke-linecap="round"/>'
            f'<path d="{d}" stroke="{shade(kind.colour, 0.3)}" stroke-width="5" '
            'stroke-linecap="round"/>'
        )
    return "".join(text)


# ------------------------------------------------------------------ what stays upright


def _mark(
    mark: Mark,
    layout: Plan,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    face: TileFace,
    turn: int,
) -> str:
    at = turn_point(mark.at, turn)
    if mark.what == "symbol":
        return _badge(symbols.get(mark.name), mark.name, at, mark.room)
    if mark.what == "attribute":
        part = next(part for part in face.segments if part.id == mark.part)
        declared = {a.id: a.symbol for a in kinds[part.kind].attributes}
        return glyph(declared.get(mark.name, ""), at, 2 * mark.room + 1, _MARK_COLOUR)
    kind = kinds[mark.name]
    if mark.what == "inside":
        halo = f'<ellipse cx="{number(at[0])}" cy="{number(at[1] + 9)}" rx="17" ry="5" fill="#0000001f"/>'
        return halo + glyph(
            kind.glyph, at, 2 * mark.room + 4, kind.outline, light=kind.colour
        )
    if mark.what == "stop":
        return (
            f'<circle cx="{number(at[0])}" cy="{number(at[1])}" r="{number(mark.room + 1)}" '
            f'fill="{kind.colour}" stroke="{kind.outline}" stroke-width="1.6"/>'
        )
    x, y = at
    green = f'<circle cx="{number(x)}" cy="{number(y)}" r="10.5" fill="{kind.colour}" '
    green += f'stroke="{kind.outline}" stroke-width="1.6"/>'
    roof = "#b5583c"
    return (
        green
        + glyph("house", (x - 4.6, y - 2.6), 10, roof)
        + glyph("house", (x + 4.8, y - 1.8), 10, shade(roof, -0.15))
        + glyph("house", (x - 0.2, y + 4.2), 10, shade(roof, 0.12))
    )


def _badge(symbol: SymbolDecl | None, name: str, at: Point, room: float) -> str:
    x, y = number(at[0]), number(at[1])
    colour = (symbol.colour if symbol else "") or INK
    disc = f'<circle cx="{x}" cy="{y}" r="{number(room - 0.6)}" fill="{_BADGE}" '
    disc += f'stroke="{colour}" stroke-width="1.5"/>'
    if symbol is not None and symbol.glyph in GLYPHS:
        return disc + glyph(symbol.glyph, at, room * 1.5, colour)
    label = symbol.label.get() if symbol is not None else ""
    return disc + _text(at[0], at[1] + room * 0.4, initial(label or name), room * 1.1, colour=colour)


# ------------------------------------------------------------------ the board


def _placed(tile: TilePicture, corner: Point, scene: Scene) -> str:
    x, y = corner
    body = tile_group(tile.face, scene.kinds, scene.symbols, tile.turn)
    label = f"<title>{escape(f'{tile.piece} {tile.x},{tile.y}'.strip())}</title>"
    return (
        f'<g transform="translate({number(x)} {number(y)})">{label}'
        f'<g clip-path="url(#tw-tile)">{body}</g></g>'
    )


def _open(caption: str, corner: Point) -> str:
    x, y = corner
    said = _text(x + 50, y + 57, caption, 20 if len(caption) < 6 else 13, colour="#7a6a3c")
    return (
        f'<rect x="{number(x + 4)}" y="{number(y + 4)}" width="92" height="92" rx="8" '
        'fill="#ffffff66" stroke="#a8905a" stroke-width="2.4" stroke-dasharray="8 6"/>' + said
    )


def _coordinates(scene: Scene, corner: Point, pitch: int) -> str:
    west, south, east, north = scene.cells()
    left, bottom = corner
    text = [
        _text(left + 50 + (x - west) * pitch, bottom + 124, str(x), 15, colour="#8a8069")
        for x in range(west, east + 1)
    ]
    text += [
        _text(left - 20, bottom + 55 - (y - south) * pitch, str(y), 15, colour="#8a8069")
        for y in range(south, north + 1)
    ]
    return "".join(text)


_CARD = 128


def _strip_width(scene: Scene) -> float:
    return _CARD * len(scene.scores) + (30 if scene.scores else 0)


def _strip(scene: Scene) -> str:
    """The score strip: each player's colour, name and points."""
    cards = []
    for i, line in enumerate(scene.scores):
        x = 15 + i * _CARD
        edge = INK if line.is_active else "#cfc5a8"
        cards.append(
            f'<rect x="{x}" y="0" width="{_CARD - 8}" height="38" rx="19" fill="#fffdf6" '
            f'stroke="{edge}" stroke-width="{2.4 if line.is_active else 1.2}"/>'
            f'<circle cx="{x + 20}" cy="19" r="10" fill="{line.colour}" stroke="{INK}"/>'
            + _text(x + 37, 24.5, line.name, 14, align="start")
            + _text(x + _CARD - 20, 25.5, str(line.points), 17, weight="bold", align="end")
        )
    return "".join(cards)


@dataclass(frozen=True, slots=True)
class _Place:
    x: int
    y: int
    segment: str | None


def _figures(scene: Scene, corner: object) -> list[str]:
    raise NotImplementedError
