"""One printed tile as SVG: the ground, areas, ways and marks of a face, 100 by 100 units.

The print turns with the tile, text and symbols stay upright. Colours and glyphs come from the
ruleset's declarations, places from `tile_layout`; documents, boards and figures are made in `svg`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, hypot, pi, sin
from xml.sax.saxutils import escape
from zlib import crc32

from tilewright.rules.model.ruleset import (
    NO_COVER,
    FeatureKind,
    Reach,
    Segment,
    SymbolDecl,
    TileFace,
)
from tilewright.view.board.curves import (
    WALL_WIDTH,
    WAY_WIDTH,
    Point,
    curve_text,
    line,
    number,
    sample,
    turn_point,
)
from tilewright.view.board.glyphs import GLYPHS, HIDDEN, glyph, initial
from tilewright.view.board.tile_layout import Plan, plan
from tilewright.view.board.tile_shapes import Area, Mark, Way, drawn_reach

INK = "#33302a"
_BADGE = "#fbf6e6"
_TIMBER = "#b5834a"
_EAST = 3  #: the first port of the east side
_BLANK = "#d9d2bd"
_MARK_COLOUR = "#2f5fa8"
_LANDMARK_COLOUR = "#b5583c"
# named families first: some renderers have no sans-serif of their own
_FONT = 'font-family="Noto Sans,DejaVu Sans,Liberation Sans,Arial,sans-serif"'


def tile_group(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    turn: int = 0,
) -> str:
    """One tile as a group of 100 by 100 units, to be put into a larger picture."""
    flat = flat_group(face, kinds, symbols)
    if turn % 4:
        flat = f'<g transform="rotate({90 * (turn % 4)} 50 50)">{flat}</g>'
    return flat + upright_group(face, kinds, symbols, turn)


def flat_group(
    face: TileFace, kinds: Mapping[str, FeatureKind], symbols: Mapping[str, SymbolDecl]
) -> str:
    """The parts that turn with a tile: the ground, areas and ways, north up."""
    return (
        f'<rect width="100" height="100" fill="{_land(face, kinds)[0]}"/>'
        + _flat(face, kinds, symbols, plan(face, kinds, symbols))
        + '<rect x=".6" y=".6" width="98.8" height="98.8" rx="4" fill="none" stroke="#00000033" '
        'stroke-width="1.2"/>'
    )


def upright_group(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    turn: int = 0,
) -> str:
    """The parts that stay upright on a turned tile: tufts, roofs and marks."""
    layout = plan(face, kinds, symbols)
    upright = _tufts(face, kinds, layout, turn) + _roofs(face, kinds, layout, turn)
    return upright + "".join(_mark(mark, kinds, symbols, face, turn) for mark in layout.marks)


def text_at(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    weight: str = "normal",
    colour: str = INK,
    align: str = "middle",
) -> str:
    """A line of text at a point; `size` in units of the picture."""
    return (
        f'<text x="{number(x)}" y="{number(y)}" {_FONT} font-size="{number(size)}" '
        f'font-weight="{weight}" fill="{colour}" text-anchor="{align}">{escape(text)}</text>'
    )


# ----------------------------------------------------------------------------- turning parts


def shade(colour: str, amount: float) -> str:
    """A colour made lighter (amount above 0) or darker (below), as #rrggbb."""
    if len(colour) != 7 or not colour.startswith("#"):
        return colour
    goal = 255 if amount > 0 else 0
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(part + (goal - part) * abs(amount)):02x}" for part in parts)


def _land(face: TileFace, kinds: Mapping[str, FeatureKind]) -> tuple[str, str]:
    """Colour and outline of the open ground: the tile's own, else the first that is declared.

    A tile that fits everything has no ground of any kind, and is blank.
    """
    found = [(part, kinds[part.kind]) for part in face.segments]
    lands = [kind for part, kind in found if drawn_reach(part, kind) is Reach.HALVES]
    if not face.fits_everything:
        lands += [kind for kind in kinds.values() if kind.reach is Reach.HALVES]
    return (lands[0].colour, lands[0].outline) if lands else (_BLANK, shade(_BLANK, -0.2))


def _tufts(face: TileFace, kinds: Mapping[str, FeatureKind], layout: Plan, turn: int) -> str:
    """Small tufts on the open ground, upright however the tile lies."""
    if face.fits_everything:
        return ""
    text = []
    first = len(layout.areas) + len(layout.ways)
    for at in _scatter(face, 46):
        if layout.raster.at(at) < first or layout.raster.depth_at(at) < 3.6:
            continue
        if any(hypot(at[0] - m.at[0], at[1] - m.at[1]) < m.room + 2 for m in layout.marks):
            continue
        x, y = turn_point(at, turn)
        text.append(f"M{number(x - 1.8)} {number(y - 2)}l1.2 2m2.4 0l1.2-2")
    if not text:
        return ""
    return (
        f'<path d="{"".join(text)}" fill="none" stroke="{_land(face, kinds)[1]}" '
        'stroke-width="1" stroke-linecap="round" opacity=".75"/>'
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


def _flat(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    layout: Plan,
) -> str:
    order = list(kinds)
    # a kind declared later lies lower: what crosses it was there first
    ways = sorted(layout.ways, key=lambda way: -order.index(way.part.kind))
    tops = "".join(_top(way.part, symbols) for way in ways if way.part.id in layout.tops)
    ways = [way for way in ways if way.part.id not in layout.tops]
    areas = "".join(_area(area, kinds[area.part.kind]) for area in layout.areas)
    joints, hedges = _joints(kinds, layout), _hedges(kinds, layout)
    if face.crosses == "over":
        return hedges + areas + joints + _ways(ways, kinds) + tops
    hidden = "".join(_hidden(way, kinds[way.part.kind], layout) for way in ways)
    return hedges + _ways(ways, kinds) + areas + joints + hidden + tops


def _top(part: Segment, symbols: Mapping[str, SymbolDecl]) -> str:
    """A cover from side to side: its boards, planks across it, and a rail on both sides."""
    found = (symbols[name].colour for name in part.symbols if symbols[name].covers != NO_COVER)
    colour = next(found, "") or _TIMBER
    d = "M50 0V100" if part.ports[0] < _EAST else "M0 50H100"
    lines = (
        (WAY_WIDTH + 7, shade(colour, -0.55), ""),
        (WAY_WIDTH + 4, shade(colour, -0.2), ""),
        (WAY_WIDTH, colour, ""),
        (WAY_WIDTH, shade(colour, -0.28), ' stroke-dasharray="1.1 5.4"'),
    )
    return "".join(
        f'<path d="{d}" fill="none" stroke="{tint}" stroke-width="{number(width)}"{dashes}/>'
        for width, tint, dashes in lines
    )


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
        d = "".join(curve_text(chain) for way in group for chain in way.seen)
        for width, colour in ((WAY_WIDTH + 3, kind.outline), (WAY_WIDTH, kind.colour)):
            text.append(
                f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{number(width)}" '
                'stroke-linecap="round" stroke-linejoin="round"/>'
            )
    return "".join(text)


def _hidden(way: Way, kind: FeatureKind, layout: Plan) -> str:
    """A way that passes below an area, hinted at on top of it."""
    if not way.is_passing:
        return ""
    runs: list[list[Point]] = [[]]
    for chain in way.chains:
        for point in sample(chain, 40):
            if 0 <= layout.raster.at(point) < len(layout.areas):
                runs[-1].append(point)
            elif runs[-1]:
                runs.append([])
        runs.append([])
    lines = ["L".join(f"{number(x)} {number(y)}" for x, y in run) for run in runs if len(run) > 1]
    if not lines:
        return ""
    d = "".join(f"M{text}" for text in lines)
    return (
        f'<path d="{d}" fill="none" stroke="{kind.outline}" stroke-width="{number(WAY_WIDTH + 2)}" '
        f'opacity=".35"/><path d="{d}" fill="none" stroke="{kind.colour}" stroke-width="'
        f'{number(WAY_WIDTH - 2)}" stroke-dasharray="3.5 4.5" opacity=".75"/>'
    )


def _area(area: Area, kind: FeatureKind) -> str:
    text = [f'<path d="{area.shape.outline}" fill="{kind.colour}"/>']
    for wall in area.shape.walls:
        d = curve_text(wall)
        text.append(
            f'<path d="{d}" fill="none" stroke="{kind.outline}" stroke-width="{WALL_WIDTH}" '
            f'stroke-linecap="round"/><path d="{d}" fill="none" '
            f'stroke="{shade(kind.colour, 0.45)}" stroke-width="1.7" stroke-dasharray="3.4 2"/>'
        )
    return "".join(text)


def _roofs(face: TileFace, kinds: Mapping[str, FeatureKind], layout: Plan, turn: int) -> str:
    """Small roofs inside the areas, upright, where nothing else wants to be seen."""
    clear = [(at, 6.5) for _, at in layout.spots]
    clear += [(mark.at, mark.room + 4.5) for mark in layout.marks]
    ways = [p for way in layout.ways for chain in way.chains for p in sample(chain, 12)]
    clear += [(p, 9.5) for p in ways]
    walls: list[list[str]] = [[] for _ in layout.areas]
    roofs: list[list[str]] = [[] for _ in layout.areas]
    for at in _scatter(face, 150):
        label = layout.raster.at(at)
        if not 0 <= label < len(layout.areas) or layout.raster.depth_at(at) < 5.0:
            continue
        if any(hypot(at[0] - p[0], at[1] - p[1]) < room for p, room in clear):
            continue
        clear.append((at, 8.8))
        x, y = turn_point(at, turn)
        walls[label].append(f"M{number(x - 2.7)} {number(y - 0.4)}h5.4v3.6h-5.4z")
        roofs[label].append(f"M{number(x - 3.8)} {number(y)}l3.8-3.8l3.8 3.8z")
    text = []
    for area, low, high in zip(layout.areas, walls, roofs, strict=True):
        colour = kinds[area.part.kind].colour
        text.append(
            f'<path d="{"".join(low)}" fill="{shade(colour, 0.3)}"/>'
            f'<path d="{"".join(high)}" fill="{shade(colour, -0.24)}"/>'
            if low
            else ""
        )
    return "".join(text)


def _joints(kinds: Mapping[str, FeatureKind], layout: Plan) -> str:
    text = []
    for name, start, end in layout.joints:
        kind = kinds[name]
        d = curve_text((line(start, end),))
        text.append(
            f'<path d="{d}" stroke="{kind.outline}" stroke-width="9" stroke-linecap="round"/>'
            f'<path d="{d}" stroke="{shade(kind.colour, 0.3)}" stroke-width="5" '
            'stroke-linecap="round"/>'
        )
    return "".join(text)


def _hedges(kinds: Mapping[str, FeatureKind], layout: Plan) -> str:
    """Rows of bushes between lands that nothing else keeps apart."""
    text = []
    for name, start, end in layout.hedges:
        d = curve_text((line(start, end),))
        for width, tint in ((7.0, -0.35), (4.6, -0.05)):
            colour = shade(kinds[name].outline, tint)
            text.append(
                f'<path d="{d}" stroke="{colour}" stroke-width="{number(width)}" '
                'stroke-linecap="round" stroke-dasharray=".1 6"/>'
            )
    return "".join(text)


# ----------------------------------------------------------------------- upright parts


def _mark(
    mark: Mark,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    face: TileFace,
    turn: int,
) -> str:
    at = turn_point(mark.at, turn)
    if mark.is_landmark:
        return _landmark(mark, at, kinds, symbols, face)
    if mark.what == "symbol":
        symbol = symbols.get(mark.name)
        printed = dict(face.arrows).get(mark.name)
        pointer = "" if printed is None else _pointer(symbol, at, mark.room, printed + 2 * turn)
        return pointer + _badge(symbol, mark.name, at, mark.room)
    if mark.what == "attribute":
        part = next(part for part in face.segments if part.id == mark.part)
        declared = {a.id: a.symbol for a in kinds[part.kind].attributes}
        return glyph(declared.get(mark.name, ""), at, 2 * mark.room + 1, _MARK_COLOUR)
    kind = kinds[mark.name]
    if mark.what == "inside":
        halo = f'<ellipse cx="{number(at[0])}" cy="{number(at[1] + 9)}" rx="17" ry="5" '
        halo += 'fill="#0000001f"/>'
        return halo + glyph(kind.glyph, at, 2 * mark.room + 4, kind.outline, light=kind.colour)
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


def _landmark(
    mark: Mark,
    at: Point,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    face: TileFace,
) -> str:
    """A mark as a part of the land: large, without a disc, on darkened ground."""
    if mark.what == "symbol":
        symbol = symbols.get(mark.name)
        name, colour = (symbol.glyph, symbol.colour or INK) if symbol else ("", INK)
    else:
        part = next(part for part in face.segments if part.id == mark.part)
        kind = kinds[part.kind]
        name = next((a.symbol for a in kind.attributes if a.id == mark.name), "")
        colour = _LANDMARK_COLOUR
    if name == HIDDEN:
        return ""
    x, y, room = at[0], at[1], mark.room
    ground = f'<ellipse cx="{number(x)}" cy="{number(y + 0.3 * room)}" rx="{number(1.08 * room)}" '
    ground += f'ry="{number(0.72 * room)}" fill="#00000026"/>'
    return ground + glyph(name, at, 2 * room, colour)


def _pointer(symbol: SymbolDecl | None, at: Point, room: float, heading: int) -> str:
    """The point of an arrow that looks out from behind a badge."""
    if symbol is not None and symbol.glyph == HIDDEN:
        return ""
    angle = heading * pi / 4

    def away(far: float, aside: float) -> str:
        x = at[0] + far * sin(angle) + aside * cos(angle)
        y = at[1] - far * cos(angle) + aside * sin(angle)
        return f"{number(x)} {number(y)}"

    tip, left, right = away(room + 7, 0), away(0, -room), away(0, room)
    colour = (symbol.colour if symbol else "") or INK
    return f'<path d="M{tip}L{left}L{right}Z" fill="{colour}"/>'


def _badge(symbol: SymbolDecl | None, name: str, at: Point, room: float) -> str:
    if symbol is not None and symbol.glyph == HIDDEN:
        return ""
    x, y = number(at[0]), number(at[1])
    colour = (symbol.colour if symbol else "") or INK
    disc = f'<circle cx="{x}" cy="{y}" r="{number(room - 0.6)}" fill="{_BADGE}" '
    disc += f'stroke="{colour}" stroke-width="1.5"/>'
    if symbol is not None and symbol.glyph in GLYPHS:
        return disc + glyph(symbol.glyph, at, room * 1.5, colour)
    label = symbol.label.get() if symbol is not None else ""
    letter = initial(label or name)
    return disc + text_at(at[0], at[1] + room * 0.4, letter, room * 1.1, colour=colour)
