"""One printed tile as SVG: the ground, areas, ways and marks of a face, 100 by 100 units.

Everything is drawn upright for the turn in which the tile lies, with light from the north-west, and
reaches a little over the tile's edges, so that neighbours join without a seam. Land has no black
outline: that belongs to pieces. Finished features are warm, open ones pale: a drawing has both (see
`tile_state`). Colours and glyphs come from the ruleset's declarations, places from `tile_layout`,
the things on the ground from `scenery`; boards are made in `svg`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, pi, radians, sin
from xml.sax.saxutils import escape
from zlib import crc32

from tilewright.language.source.identity import kept_by_identities
from tilewright.rules.model.ruleset import (
    NO_COVER,
    FeatureKind,
    Reach,
    Segment,
    SymbolDecl,
    TileFace,
)
from tilewright.view.board.curves import (
    WAY_WIDTH,
    Chain,
    Point,
    curve_text,
    line,
    number,
    sample,
    tenths,
    turn_chain,
    turn_point,
)
from tilewright.view.board.glyphs import HIDDEN, glyph, initial, is_glyph
from tilewright.view.board.scenery import (
    BLACK,
    GREY,
    ROOF,
    STONE,
    STONE_EDGE,
    TUFT,
    WATER,
    WHITE,
    Houses,
    circle,
    clearings,
    gate,
    hedge,
    houses,
    meadow,
    only,
    path,
    stroke,
    wall,
)
from tilewright.view.board.tile_layout import ARROW_POINT, Plan, plan
from tilewright.view.board.tile_shapes import Area, Mark, Way, drawn_reach
from tilewright.view.board.tile_state import FAR, OPEN, TileState, level, on_screen, settled

INK = "#33302a"
#: of pieces, and of the signs of owners: no land has it
PIECE_INK = "#1d1a16"
#: how far a drawing reaches over the tile's edges, with what it covers as a view and as a place
OVER = 2
TILE_BOX = f"{-OVER} {-OVER} {100 + 2 * OVER} {100 + 2 * OVER}"
TILE_PLACE = f'x="{-OVER}" y="{-OVER}" width="{100 + 2 * OVER}" height="{100 + 2 * OVER}"'
_BADGE = "#fdf3dc"
_TIMBER = "#b5834a"
_EAST = 3  #: the first port of the east side
_BLANK = "#d9d2bd"
_MARK_COLOUR = "#2c5fa8"
_LANDMARK_COLOUR = "#b5583c"
_WATER, _GLINT, _SAND = "#7fbcd6~d9d9d9", "#c9e6ef~555555", "#d3d48c~none"
_YARD = "#a9c374~ffffff"
#: glyphs that are drawings of land and need no disc
_BARE = frozenset(("beds", "burning-peak"))
#: ways at least as wide have a bank
_BROAD = 12
#: the width of a ribbon inside walls
_RIBBON = 6.6
#: of a tint, and the strips in which open ground has one
_TINT, _STRIPS = ' opacity=".5"', 20
# named families first: some renderers have no sans-serif of their own
_FONT = 'font-family="Noto Sans,DejaVu Sans,Liberation Sans,Arial,sans-serif"'


def tile_group(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    turn: int = 0,
    state: TileState = OPEN,
    *,
    size: float = FAR,
) -> str:
    """One tile as a group of 100 by 100 units, to be put into a larger picture, in which it is
    `size` pixels wide.
    """
    return settled(_on_screen(tile_drawing(face, kinds, symbols, turn)), state, level(size))


_on_screen = lru_cache(256)(on_screen)


def tile_drawing(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    turn: int = 0,
) -> str:
    """One tile in all of its states, as `tile_state` describes."""
    drawn = _drawings(face, kinds, symbols)
    if turn % 4 not in drawn:
        tile = _Tile(face, kinds, symbols)
        drawn.update((turn, tile.drawn(turn)) for turn in range(4))
    return drawn[turn % 4]


@kept_by_identities
def _drawings(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
) -> dict[int, str]:
    return {}


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


# ----------------------------------------------------------------------------- a tile


class _Tile:
    """The drawings of a face, one turn after another."""

    def __init__(
        self,
        face: TileFace,
        kinds: Mapping[str, FeatureKind],
        symbols: Mapping[str, SymbolDecl],
    ) -> None:
        self.face, self.kinds, self.symbols, self.turn = face, kinds, symbols, 0
        self.layout: Plan = plan(face, kinds, symbols)
        self.names = {part.id: str(n) for n, part in enumerate(face.segments)}
        printed = repr([(part.kind, part.ports) for part in face.segments])
        self.seed = crc32(printed.encode())
        # a kind declared later lies lower: what crosses it was there first
        order = list(kinds)
        ways = sorted(self.layout.ways, key=lambda way: -order.index(way.part.kind))
        self.ways = [way for way in ways if way.part.id not in self.layout.tops]
        step = 100 / _STRIPS
        at = self.layout.raster.at
        #: the label in the middle of each square of the strips, in rows from the north
        self.squares = [
            [at(((n + 0.5) * step, (row + 0.5) * step)) for n in range(_STRIPS)]
            for row in range(_STRIPS)
        ]
        self.clear = [] if face.fits_everything else clearings(self.seed, self._free)

    def drawn(self, turn: int) -> str:
        """Everything, the lowest first."""
        self.turn = turn
        squares = self.squares
        for _ in range(turn):
            squares = [list(column) for column in zip(*reversed(squares), strict=True)]
        ground, tuft = _land(self.face, self.kinds)
        text = f'<rect {TILE_PLACE} fill="{ground}~{WHITE}"/>'
        if not self.face.fits_everything:
            text += meadow(self.seed, self.clear, self.turn, f"{tuft}~{TUFT}")
        text += (
            "".join(self._tinted_land(n, squares) for n in range(len(self.layout.names)))
            + self._hedges()
        )
        areas = "".join(self._area(n, area) for n, area in enumerate(self.layout.areas))
        areas += "".join(wall(self._curve((line(a, b),))) for _, a, b in self.layout.joints)
        # a way that crosses an area lies on it, one that ends there goes through its wall
        is_over = self.face.crosses == "over"
        walled = {area.part.kind for area in self.layout.areas}
        above = [way for way in self.ways if is_over and walled.isdisjoint(way.part.ends)]
        below = [way for way in self.ways if way not in above]
        tops = "".join(
            _top(way.part, self.symbols, self.turn)
            for way in self.layout.ways
            if way.part.id in self.layout.tops
        )
        text += self._ways(below) + areas + self._ways(above)
        if not is_over:
            text += "".join(map(self._hidden, self.ways))
        text += "".join(gate(turn_point(at, self.turn)) for at in self.layout.gates)
        marks = "".join(map(self._mark, self.layout.marks))
        ticks = stroke("M0 12V0H12M88 0H100V12M100 88V100H88M12 100H0V88", INK, 1.1)
        return text + tops + marks + ticks.replace("/>", ' opacity=".14"/>')

    def _curve(self, chain: Chain) -> str:
        return curve_text(turn_chain(chain, self.turn))

    def _tinted_land(self, label: int, squares: Sequence[Sequence[int]]) -> str:
        """Open ground in a tint, in strips below everything that lies on it."""
        layout, step = self.layout, 100 / _STRIPS
        if label < len(layout.areas) + len(layout.ways):
            return ""
        rows: dict[tuple[int, int], list[int]] = {}  # from and to, and the rows that have them
        for row, found in enumerate(squares):
            inside = [each == label for each in found]
            ends = [n for n in range(_STRIPS + 1) if [*inside, False][n] != [False, *inside][n]]
            for start, end in zip(ends[::2], ends[1::2], strict=True):
                rows.setdefault((start, end), []).append(row)
        d = "".join(
            f"M{tenths(step * start)} {tenths(step * row)}h{tenths(step * (end - start))}"
            f"v{tenths(step)}h{tenths(step * (start - end))}z"
            for (start, end), stretch in rows.items()
            for row in stretch
        )
        name = self.names[layout.names[label]]
        return only(f"t{name}", path(d, f"{{t{name}}}", _TINT))

    def _free(self, at: Point) -> float:
        """The room on open ground round a point as printed; below 0 where there is none."""
        layout = self.layout
        if layout.raster.at(at) < len(layout.areas) + len(layout.ways):
            return -1.0
        inset = min(at[0], at[1], 100 - at[0], 100 - at[1]) + 2
        marks = (hypot(at[0] - m.at[0], at[1] - m.at[1]) - m.room for m in layout.marks)
        hamlets = (m for m in layout.marks if m.what == "junction")
        beside = (hypot(at[0] - m.at[0], at[1] - m.at[1]) - 30 for m in hamlets)
        return min(layout.raster.depth_at(at), inset, *marks, *beside, 99.0)

    # ------------------------------------------------------------------ areas

    def _area(self, number_: int, area: Area) -> str:
        kind, name = self.kinds[area.part.kind], self.names[area.part.id]
        finished = kind.finished or shade(kind.colour, 0.2)
        outline = _turned(area.shape.outline, self.turn)
        filling = kind.fill or ("houses" if kind.edge in ("", "wall") else "none")
        fill = _ground(name, kind.colour, finished, is_water=filling == "waves")
        text = (
            f'<path d="{outline}" fill="{fill}" stroke="{fill}" stroke-width="{tenths(2 * OVER)}"/>'
        )
        walls = "".join(map(self._curve, area.shape.walls))
        text += self._ribbon(area, name)
        if filling == "waves":
            text += stroke("M20 40h14m20 0h14M34 62h14m18 0h14M24 82h14", _GLINT, 1.6)
        elif filling != "none":
            text += self._filled(number_, area, name, is_wood=filling == "trees")
        text += only(f"t{name}", path(outline, f"{{t{name}}}", _TINT))
        match kind.edge or "wall":
            case "wall":
                text += wall(walls)
            case "hedge":
                text += hedge(walls)
            case "bank":
                text += stroke(walls, f"{kind.outline}~{BLACK}", 2)
        return text

    def _ribbon(self, area: Area, name: str) -> str:
        """A band in the colours of the owners, inside the walls."""
        lines = []
        for chain in area.shape.walls:
            points = [turn_point(p, self.turn) for p in sample(chain, 24)]
            moved = _well_inside(list(_beside(points, -6.2)), _RIBBON / 2 + OVER)
            if moved:
                lines.append("M" + "L".join(f"{tenths(x)} {tenths(y)}" for x, y in moved))
        d, round_ends = "".join(lines), ' stroke-linecap="round"'
        bands = stroke(d, PIECE_INK, _RIBBON, round_ends)
        bands += stroke(d, f"{{o{name}}}", _RIBBON - 1.8, round_ends)
        second = stroke(d, f"{{p{name}}}", _RIBBON - 1.8, ' stroke-dasharray="16 16"')
        dashes = stroke(d, f"{{i{name}}}", 1.2, f' stroke-dasharray="{{d{name}}}"')
        return only(f"k{name}", bands + second) + only(f"!far k{name}", dashes)

    def _filled(self, label: int, area: Area, name: str, *, is_wood: bool) -> str:
        layout, back = self.layout, -self.turn
        walls = [turn_point(p, self.turn) for p in area.walls(14)]
        walls += [turn_point(p, self.turn) for p in layout.gates]
        clear = [(turn_point(mark.at, self.turn), mark.room) for mark in layout.marks]

        def is_inside(at: Point) -> bool:
            return layout.raster.at(turn_point(at, back)) == label

        return houses(self.seed, is_inside, walls, clear, name, is_wood=is_wood)

    def _hedges(self) -> str:
        """Rows of bushes between lands that nothing else keeps apart."""
        return "".join(
            hedge(
                self._curve((line(start, end),)),
                shade(self.kinds[name].outline, -0.05) + f"~{WHITE}",
            )
            for name, start, end in self.layout.hedges
        )

    # ------------------------------------------------------------------ ways

    def _ways(self, ways: Sequence[Way]) -> str:
        text = []
        groups: list[list[Way]] = []
        for way in ways:
            last = groups[-1] if groups else []
            alike = not way.is_passing and last and last[0].part.kind == way.part.kind
            if alike and not last[0].is_passing:
                last.append(way)
            else:
                groups.append([way])
        crosses = self.face.crosses == "over"
        for group in groups:
            kind = self.kinds[group[0].part.kind]
            is_last = group is groups[-1] and len({way.part.kind for way in self.ways}) > 1
            if crosses and is_last and group[0].is_passing:
                text.append(self._abutments())
            text.append(self._casings(group, kind) + self._junctions(kind))
            text += [self._paving(way, kind) for way in group]
            text.append(self._wells(kind))
        return "".join(text)

    def _line(self, way: Way) -> str:
        """The lines of a way, a little over the tile's edges."""
        text = ""
        for chain in way.seen:
            turned = turn_chain(chain, self.turn)
            start, end = turned[0][0], turned[-1][3]
            text += f"M{_outward(start)}L" + curve_text(turned)[1:]
            text += f"L{_outward(end)}" if _is_on_edge(end) else ""
        return text

    def _casings(self, group: Sequence[Way], kind: FeatureKind) -> str:
        width = kind.width or WAY_WIDTH
        d = "".join(map(self._line, group))
        more = ' stroke-linecap="round" stroke-linejoin="round"'
        if width >= _BROAD:
            stops = self._stops(kind, width)
            banks = stroke(d, _SAND, width + 5, more)
            return banks + stroke(d, f"{kind.outline}~{BLACK}", width + 1.6, more) + stops
        wide = f"{{far?{tenths(width + 3.2)}|{tenths(width + 5)}}}"
        return stroke(d, f"{kind.outline}~{BLACK}", wide, more) + self._stops(kind, 5.0)

    def _stops(self, kind: FeatureKind, room: float) -> str:
        """The ends of ways of a kind that end at nothing."""
        found = [m for m in self.layout.marks if m.what == "stop" and m.name == kind.id]
        paper = WATER if kind.fill == "waves" else WHITE
        return "".join(
            f'<path d="{circle(*turn_point(mark.at, self.turn), room + 1)}" '
            f'fill="{kind.colour}~{paper}" stroke="{kind.outline}~{BLACK}" stroke-width="1.6"/>'
            for mark in found
        )

    def _paving(self, way: Way, kind: FeatureKind) -> str:
        name, d, width = self.names[way.part.id], self._line(way), kind.width or WAY_WIDTH
        finished = kind.finished or kind.colour
        more = ' stroke-linecap="round" stroke-linejoin="round"'
        is_water = kind.fill == "waves"
        ground = _ground(name, kind.colour, finished, is_water=is_water)
        text = stroke(d, ground, width, more)
        if is_water:
            for i, start in ((-1, 0), (0, 9), (1, 17)):
                tracks = "".join(
                    "M" + "L".join(f"{tenths(x)} {tenths(y)}" for x, y in _beside(points, 4.6 * i))
                    for chain in way.seen
                    for points in ([turn_point(p, self.turn) for p in sample(chain, 8)],)
                )
                dashes = f' stroke-dasharray="5 20" stroke-dashoffset="{start}"'
                text += only("!far", stroke(tracks, _GLINT, 1.3, dashes))
        elif finished != kind.colour:
            edge = f"{kind.outline}~{BLACK}"
            kerb = stroke(d, edge, width, ' opacity=".6" stroke-dasharray="1.3 2.7"')
            text += only(f"!far {name}", kerb + stroke(d, f"{finished}~{GREY}", width - 2.6))
            middle = stroke(d, edge, 1, ' opacity=".45" stroke-dasharray="3 5"')
            text += only(f"!far !{name}", middle)
        # the lengths of all dashes divide these, so that they join at the tile's edges
        dashes = f' pathLength="{96 if way.is_passing else 48}" stroke-dasharray="{{d{name}}}"'
        signs = stroke(d, PIECE_INK, 6, dashes) + stroke(d, f"{{o{name}}}", 4, dashes)
        second = stroke(d, f"{{p{name}}}", 4, ' stroke-dasharray="5 12"')
        tint = stroke(d, f"{{t{name}}}", width, f"{more}{_TINT}")
        return text + only(f"t{name}", tint) + only(f"k{name}", signs + second)

    def _abutments(self) -> str:
        """The ends of what crosses over water or over another way, at both sides."""
        last = self.ways[-1]
        points = [turn_point(p, self.turn) for p in sample(last.chains[0], 20)]
        d = "M" + "L".join(f"{tenths(x)} {tenths(y)}" for x, y in points[7:14])
        return stroke(d, STONE_EDGE, 19) + stroke(d, STONE, 15.5)

    def _junctions(self, kind: FeatureKind) -> str:
        spots = self._met(kind)
        return "".join(
            f'<path d="{circle(*at, 10.5)}" fill="{kind.colour}~{WHITE}" '
            f'stroke="{kind.outline}~{BLACK}" stroke-width="1.6"/>'
            for at in spots
        )

    def _wells(self, kind: FeatureKind) -> str:
        """A well where ways meet, and a few houses beside it, each of another form."""
        text = ""
        for at in self._met(kind):
            text += path(circle(*at, 4.6), STONE_EDGE) + path(circle(*at, 3), _WATER)
            text += self._hamlet(at)
        return text

    def _met(self, kind: FeatureKind) -> list[Point]:
        marks = (m for m in self.layout.marks if m.what == "junction" and m.name == kind.id)
        return [turn_point(mark.at, self.turn) for mark in marks]

    def _hamlet(self, middle: Point) -> str:
        found, layout = Houses(), self.layout
        first = len(layout.areas) + len(layout.ways)
        clear = [(turn_point(m.at, self.turn), m.room) for m in layout.marks if m.at != middle]
        # never mirrored: nothing looks back at the reader
        for n, (angle, far) in enumerate(((-128, 25), (-40, 23), (38, 24), (140, 22))):
            x = middle[0] + far * cos(radians(angle))
            y = middle[1] + far * sin(radians(angle))
            corners = ((x - 6, y), (x + 6, y), (x, y - 4), (x, y + 5))
            if any(layout.raster.at(turn_point(p, -self.turn)) < first for p in corners):
                continue
            if any(0 < hypot(x - p[0], y - p[1]) < r + 6 and p != middle for p, r in clear):
                continue
            if n == 3:
                found.tree(x, y, 5)
            else:
                found.house(x, y, (15, 12, 13.5)[n], (12, 13, 10.5)[n], is_gable=n == 1)
        return found.drawn(*ROOF)

    def _hidden(self, way: Way) -> str:
        """A way that passes below an area, hinted at on top of it."""
        kind, layout = self.kinds[way.part.kind], self.layout
        if not way.is_passing:
            return ""
        runs: list[list[Point]] = [[]]
        for chain in way.chains:
            for point in sample(chain, 40):
                if 0 <= layout.raster.at(point) < len(layout.areas):
                    runs[-1].append(turn_point(point, self.turn))
                elif runs[-1]:
                    runs.append([])
            runs.append([])
        lines = [
            "L".join(f"{tenths(x)} {tenths(y)}" for x, y in run) for run in runs if len(run) > 1
        ]
        if not lines:
            return ""
        d = "".join(f"M{text}" for text in lines)
        return stroke(d, f"{kind.outline}~{BLACK}", WAY_WIDTH + 2, ' opacity=".35"') + stroke(
            d,
            f"{kind.colour}~{WHITE}",
            WAY_WIDTH - 2,
            ' stroke-dasharray="3.5 4.5" opacity=".75"',
        )

    # ------------------------------------------------------------------ marks

    def _mark(self, mark: Mark) -> str:
        at = turn_point(mark.at, self.turn)
        if mark.is_landmark:
            return _landmark(mark, at, self.kinds, self.symbols, self.face)
        if mark.what == "symbol":
            symbol = self.symbols.get(mark.name)
            printed = dict(self.face.arrows).get(mark.name)
            heading = None if printed is None else printed + 2 * self.turn
            pointer = "" if heading is None else _pointer(symbol, at, mark.room, heading)
            return pointer + _badge(symbol, mark.name, at, mark.room)
        if mark.what == "attribute":
            part = next(part for part in self.face.segments if part.id == mark.part)
            declared = {a.id: a.symbol for a in self.kinds[part.kind].attributes}
            name = declared.get(mark.name, "")
            near, far = (glyph(name, at, size * mark.room, _MARK_COLOUR) for size in (2.4, 3.4))
            return f"{_level('!far', near)}{_level('far', far)}"
        if mark.what == "inside":
            return self._place(mark, at)
        return ""

    def _place(self, mark: Mark, at: Point) -> str:
        kind, name = self.kinds[mark.name], self.names[mark.part]
        x, y = at
        rim = circle(x, y + 13, 31 * mark.room / 17, 0.62)
        bushes = f"{_land(self.face, self.kinds)[1]}~{TUFT}"
        text = path(rim, _YARD) + stroke(rim, bushes, 1.8, _DOTS)
        owned = stroke(rim, PIECE_INK, 4.4) + stroke(rim, f"{{o{name}}}", 2.8)
        text += only(f"t{name}", path(rim, f"{{t{name}}}", _TINT)) + only(f"k{name}", owned)
        return text + glyph(
            kind.glyph, (x, y - 1), 2.9 * mark.room, kind.outline, light=kind.colour
        )


def _ground(name: str, colour: str, finished: str, *, is_water: bool) -> str:
    """The colour of a segment, open and finished."""
    papers = (WATER, WATER) if is_water else (WHITE, GREY)
    return f"{{{name}?{colour}~{papers[0]}|{finished}~{papers[1]}}}"


def _top(part: Segment, symbols: Mapping[str, SymbolDecl], turn: int) -> str:
    """A cover from side to side: its boards, planks across it, and a rail on both sides."""
    found = (symbols[name].colour for name in part.symbols if symbols[name].covers != NO_COVER)
    colour = next(found, "") or _TIMBER
    d = "M50-2V102" if (part.ports[0] < _EAST) == (turn % 2 == 0) else "M-2 50H102"
    lines = (
        (WAY_WIDTH + 7, f"{shade(colour, -0.55)}~{BLACK}", ""),
        (WAY_WIDTH + 4, f"{shade(colour, -0.2)}~{WHITE}", ""),
        (WAY_WIDTH, f"{colour}~{WHITE}", ""),
        (WAY_WIDTH, f"{shade(colour, -0.28)}~{BLACK}", ' stroke-dasharray="1.1 5.4"'),
    )
    return "".join(
        f'<path d="{d}" fill="none" stroke="{tint}" stroke-width="{number(width)}"{dashes}/>'
        for width, tint, dashes in lines
    )


_DOTS = ' stroke-dasharray=".1 3.6" stroke-linecap="round"'


def _level(when: str, drawing: str) -> str:
    """A glyph on tiles of one level; its own group is left out, since these groups do not nest."""
    start, body = drawing.split(">", 1)
    return f"{start}>{only(when, body.removesuffix('</g>'))}</g>"


def _beside(points: Sequence[Point], far: float) -> Iterable[Point]:
    """A line beside a line: to its left where `far` is above 0."""
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        long = hypot(bx - ax, by - ay) or 1.0
        yield x + far * (by - ay) / long, y - far * (bx - ax) / long


def _well_inside(points: Sequence[Point], room: float) -> list[Point]:
    """The part of a line that is at least so far from the tile's edges, to its exact ends."""

    def depth(at: Point) -> float:
        return min(*at, 100 - at[0], 100 - at[1]) - room

    found: list[Point] = []
    for one, other in pairwise(points):
        (a, b) = (depth(one), depth(other))
        if a >= 0 and not found:
            found.append(one)
        if (a >= 0) != (b >= 0):
            share = a / (a - b)
            found.append(
                (one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1]))
            )
        if b >= 0:
            found.append(other)
    return found


def _is_on_edge(at: Point) -> bool:
    return min(at) < 0.1 or max(at) > 99.9


def _outward(at: Point) -> str:
    """A point on an edge of the tile, moved out of it."""
    x, y = at
    out = OVER + 0.5
    x += -out if x < 0.1 else out if x > 99.9 else 0
    y += -out if y < 0.1 else out if y > 99.9 else 0
    return f"{tenths(x)} {tenths(y)}"


def _turned(outline: str, turn: int) -> str:
    """A closed outline of absolute moves, lines and curves, turned."""
    return re.sub(
        r"(-?[\d.]+) (-?[\d.]+)",
        lambda pair: " ".join(map(tenths, turn_point((float(pair[1]), float(pair[2])), turn))),
        outline,
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

    tip, left, right = away(room + ARROW_POINT, 0), away(0, -room), away(0, room)
    colour = (symbol.colour if symbol else "") or INK
    return f'<path d="M{tip}L{left}L{right}Z" fill="{colour}"/>'


def _badge(symbol: SymbolDecl | None, name: str, at: Point, room: float) -> str:
    if symbol is not None and symbol.glyph == HIDDEN:
        return ""
    colour = (symbol.colour if symbol else "") or INK
    if symbol is not None and symbol.glyph in _BARE:
        return glyph(symbol.glyph, at, room * 2.3, colour)
    x, y = number(at[0]), number(at[1])
    disc = f'<circle cx="{x}" cy="{y}" r="{number(room - 0.6)}" fill="{_BADGE}" '
    disc += f'stroke="{colour}" stroke-width="1.5"/>'
    if symbol is not None and is_glyph(symbol.glyph):
        return disc + glyph(symbol.glyph, at, room * 1.5, colour)
    label = symbol.label.get() if symbol is not None else ""
    letter = initial(label or name)
    return disc + text_at(at[0], at[1] + room * 0.4, letter, room * 1.1, colour=colour)
