"""Tiles and boards as standalone SVG: flat, self-contained, the same bytes every time.

A board is tiles in place, the turrets that join their walls, coordinates in the margin, open cells,
figures and a score strip on light felt of its own, so that it reads on dark pages too. One tile's
drawing is made in `tile_svg`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol
from xml.sax.saxutils import escape

from tilewright.rules.model.ruleset import (
    FeatureKind,
    FigureKind,
    ItemDecl,
    SymbolDecl,
    TileFace,
    TokenDecl,
    edge_halves,
)
from tilewright.view.board.curves import CENTRE, CORNERS, Point, number, turn_point
from tilewright.view.board.glyphs import PIECES, SIGNS, glyph, initial, sign_ink
from tilewright.view.board.scene import FigurePicture, Recent, Scene, Spot, TilePicture
from tilewright.view.board.scenery import FAR_BASTION, FAR_FLAG, PEAK, bastion, flag, only
from tilewright.view.board.tile_layout import (
    TOKEN_ROOM,
    Plan,
    figure_places,
    plan,
    spot_place,
    token_places,
)
from tilewright.view.board.tile_state import FAR, level, on_screen, settled
from tilewright.view.board.tile_svg import INK, TILE_PLACE, text_at, tile_drawing, tile_group

PAPER = "#e8e1d0"
#: the numbers beside a board
COORDINATE = "#8a8069"
#: the rim of a tile; id and content are equal in every picture, since one page may have many
CLIP = f'<defs><clipPath id="tw-tile"><rect {TILE_PLACE}/></clipPath></defs>'


class Hand(Protocol):
    """Draws what is on a board over and over, so that a page may have it once."""

    def tile_on(self, scene: Scene, tile: TilePicture, size: float) -> str:
        """The face of a tile, 100 by 100 units, which is `size` pixels wide."""
        ...

    def land(self, drawing: str) -> str:
        """A drawing in the colours of the land."""
        ...

    def shape(self, drawing: str, at: Point) -> str:
        """A drawing round (0, 0), moved to a point."""
        ...


#: the colour of a figure that nobody owns, and its size beside that of an owned one
NOBODY, NOBODYS = "#d8d2c4", 42 / 34
#: letters of a label that fit on a token
_SHORT = 2
#: the height of a figure that somebody owns, and its least height in pixels
FIGURE, LEAST_FIGURE = 34.0, 16.0
#: lower figures, in pixels, have thicker lines and no sign
SMALL_FIGURE = 22.0
#: how much larger the number of equal figures is than that of equal tokens
_READ = 1.7
#: degrees by which a lying figure is turned
LYING = 90.0
#: from tile to tile
PITCH = 100
#: round a tile alone
TURRET_ROOM = 12


def tile_svg(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    size: int = 200,
    *,
    turn: int = 0,
    title: str = "",
    land: Callable[[str], str] = on_screen,
) -> str:
    """One tile as a standalone picture, `size` pixels wide and high, with room for its turrets;
    `land` gives a drawing its colours.
    """
    drawn = settled(tile_drawing(face, kinds, symbols, turn), on=level(size))
    alone = land(turrets(face, kinds, symbols, turn, size=size))
    body = f'{CLIP}<g clip-path="url(#tw-tile)">{land(drawn)}</g>{alone}'
    name, wide = title or "tile", 100 + 2 * TURRET_ROOM
    described = _described(face, kinds, symbols)
    return _document(wide, wide, size, size, name, described, body, -TURRET_ROOM)


def scene_svg(scene: Scene, size: int = 96) -> str:
    """A board as a standalone picture; `size` is the width of a tile in pixels."""
    wide, high, drawn = board_group(scene, size=size)
    return scene_document(scene, size, wide, high, drawn)


def scene_document(scene: Scene, size: int, wide: float, high: float, drawn: str) -> str:
    """A drawn board of this width and height as a standalone picture, in words too."""
    name = scene.title or "board"
    count = len(scene.tiles)
    description = f"{count} {'tile' if count == 1 else 'tiles'}, {len(scene.figures)} figures"
    if scene.scores:
        description += "; " + ", ".join(f"{line.name} {line.points}" for line in scene.scores)
    return _document(
        wide, high, wide * size / 100, high * size / 100, name, description, CLIP + drawn
    )


def board_group(
    scene: Scene, hand: Hand | None = None, *, size: int = 96
) -> tuple[float, float, str]:
    """A board to be put into a picture with the clip `CLIP`: width, height, and the drawing.

    Without a hand everything is drawn on the spot. `size` is the width of a tile in pixels.
    """
    west, south, east, north = scene.cells()
    pitch, margin = PITCH, 44
    strip = _strip(scene)
    stores = _STORE * max((-(-len(line.store) // _IN_A_ROW) for line in scene.scores), default=0)
    top = 22 * figure_scale(size) + (38 if scene.title else 0) + (50 if strip else 0) + stores
    wide = max((east - west + 1) * pitch + 2 * margin, _strip_width(scene) + 2 * margin)
    left = (wide - (east - west + 1) * pitch) / 2
    high = top + (north - south + 1) * pitch + margin

    def corner(x: int, y: int) -> Point:
        return (left + (x - west) * pitch, top + (north - y) * pitch)

    body = [f'<rect width="{number(wide)}" height="{number(high)}" rx="14" fill="{PAPER}"/>']
    if scene.title:
        body.append(text_at(wide / 2, 38, scene.title, 24, weight="bold"))
    if strip:
        shift = (wide - _strip_width(scene)) / 2
        place = f"translate({number(shift)} {top - 58 - stores})"
        body.append(f'<g class="scores" transform="{place}">{strip}</g>')
    body.append(_coordinates(scene, corner(west, south), pitch))
    body.append(_rim(scene, corner))
    body.extend(_placed(tile, corner(tile.x, tile.y), scene, hand, size) for tile in scene.tiles)
    found = bastions(scene, corner)
    scale, flag_scale = (FAR_BASTION, FAR_FLAG) if size < FAR else (1.0, 1.0)
    turrets = "".join(bastion(*at, is_finished=done, scale=scale) for at, done, _ in found)
    body.append(on_screen(turrets) if hand is None else hand.land(turrets))
    body.extend(
        flag(x, y + PEAK * scale, colour, flag_scale, is_second=n > 0)
        for (x, y), _, colours in found
        for n, colour in enumerate(colours)
    )
    body.extend(_brackets(each, corner(each.x, each.y)) for each in scene.recent)
    body.extend(_open(cell.caption, corner(cell.x, cell.y)) for cell in scene.highlights)
    body.extend(_joins(scene, corner))
    body.extend(_tokens(scene, corner))
    body.extend(_figures(scene, corner, hand, size))
    body.extend(_ring(spot, scene, corner) for spot in scene.spots)
    if scene.ghost is not None:
        body.append(_ghost(scene.ghost, corner(scene.ghost.x, scene.ghost.y), scene, hand, size))
    return wide, high, "".join(body)


def _document(
    wide: float,
    high: float,
    width: float,
    height: float,
    title: str,
    description: str,
    body: str,
    start: int = 0,
) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="{start} {start} {number(wide)} {number(high)}" '
        f'width="{number(round(width))}" height="{number(round(height))}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{body}</svg>\n"
    )


def _described(
    face: TileFace, kinds: Mapping[str, FeatureKind], symbols: Mapping[str, SymbolDecl]
) -> str:
    """A tile in words: what its sides show, and what is printed on it."""
    sides = ("north", "east", "south", "west")
    shown = [
        f"{side} {' and '.join(_label(half, kinds) for half in dict.fromkeys(edge_halves(edge)))}"
        for side, edge in zip(sides, face.edges, strict=True)
    ]
    marks = list(face.symbols) + [name for part in face.segments for name in part.symbols]
    shown += [symbols[name].label.get() if name in symbols else name for name in marks]
    return ", ".join(shown)


def _label(edge: str, kinds: Mapping[str, FeatureKind]) -> str:
    return kinds[edge].label.get() if edge in kinds else edge


# ------------------------------------------------------------------ the board


def _rim(scene: Scene, corner: Corner) -> str:
    """The shadow of the land that lies."""
    squares = []
    for tile in scene.tiles:
        x, y = corner(tile.x, tile.y)
        squares.append(f"M{number(x - 3)} {number(y - 3)}h106v109h-106z")
    return f'<path d="{"".join(squares)}" fill="#5e4a2647"/>' if squares else ""


def bastions_of(layout: Plan, kinds: Mapping[str, FeatureKind]) -> list[tuple[int, str]]:
    """The corners of a face, north up, at which a wall of a segment ends."""
    walled = (a for a in layout.areas if kinds[a.part.kind].edge in ("", "wall"))
    return [(corner, area.part.id) for area in walled for corner in area.corners]


def turrets(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    turn: int,
    *,
    size: float,
) -> str:
    """The turrets of a tile alone, farthest first; they reach over its edges by `TURRET_ROOM`."""
    ends = bastions_of(plan(face, kinds, symbols), kinds)
    corners = {turn_point(CORNERS[corner], turn) for corner, _ in ends}
    scale = FAR_BASTION if size < FAR else 1.0
    return "".join(
        bastion(*at, is_finished=False, scale=scale)
        for at in sorted(corners, key=lambda at: (at[1], at[0]))
    )


def bastions(scene: Scene, corner: Corner) -> list[tuple[Point, bool, list[str]]]:
    """Where turrets join walls of a board, the farthest first, whether all features there are
    finished, and the colours of the flags: of those who scored most of them, two at most.
    """
    found: dict[Point, bool] = {}
    flags: dict[Point, Counter[str]] = {}
    for tile in scene.tiles:
        layout = plan(tile.face, scene.kinds, scene.symbols)
        for at, name in bastions_of(layout, scene.kinds):
            (left, top), (x, y) = corner(tile.x, tile.y), turn_point(CORNERS[at], tile.turn)
            number_ = next(n for n, part in enumerate(tile.face.segments) if part.id == name)
            spot = (round(left + x, 1), round(top + y, 1))
            found[spot] = found.get(spot, True) and number_ in tile.state.finished
            flags.setdefault(spot, Counter()).update(tile.state.flags.get(number_, ()))
    return [
        (at, found[at], _most(flags[at]) if found[at] else [])
        for at in sorted(found, key=lambda at: (at[1], at[0]))
    ]


def _most(counted: Counter[str]) -> list[str]:
    """The first two of those that are counted most often."""
    most = max(counted.values(), default=0)
    return [colour for colour, count in counted.items() if count == most][:2]


def _placed(tile: TilePicture, corner: Point, scene: Scene, hand: Hand | None, size: int) -> str:
    x, y = corner
    if hand is not None:
        body = hand.tile_on(scene, tile, size)
    else:
        body = tile_group(tile.face, scene.kinds, scene.symbols, tile.turn, tile.state, size=size)
        body = f'<g clip-path="url(#tw-tile)">{body}</g>'
    label = f"<title>{escape(f'{tile.piece} {tile.x},{tile.y}'.strip())}</title>"
    return f'<g transform="translate({number(x)} {number(y)})">{label}{body}</g>'


def _open(caption: str, corner: Point) -> str:
    x, y = corner
    label = text_at(x + 50, y + 57, caption, 20 if len(caption) < 6 else 13, colour="#7a6a3c")
    return (
        f'<rect x="{number(x + 4)}" y="{number(y + 4)}" width="92" height="92" rx="8" '
        'fill="#ffffff66" stroke="#a8905a" stroke-width="2.4" stroke-dasharray="8 6"/>' + label
    )


def _brackets(recent: Recent, corner: Point) -> str:
    """Brackets round the corners of a tile that was laid a moment ago, over a pale rim."""
    x, y = corner
    d = "".join(
        f"M{number(x + at[0])} {number(y + at[1] + 20 * down)}v{-20 * down}h{20 * right}"
        for at, right, down in (
            ((1.0, 1.0), 1, 1), ((99.0, 1.0), -1, 1), ((1.0, 99.0), 1, -1), ((99.0, 99.0), -1, -1),
        )
    )  # fmt: skip
    line = f'<path d="{d}" fill="none" stroke-linejoin="round" stroke-linecap="round" '
    return f'{line}stroke="#fffdf4" stroke-width="7"/>{line}stroke="{recent.colour}" ' + (
        'stroke-width="3.6"/>'
    )


def _ghost(tile: TilePicture, corner: Point, scene: Scene, hand: Hand | None, size: int) -> str:
    """A tile that would be laid: lifted by 4 units, with a shadow, an ink rim and a pale one."""
    x, y = corner
    rim = f'x="{number(x)}" y="{number(y - 4)}" width="100" height="100" rx="4" fill="none"'
    return (
        f'<rect x="{number(x + 1)}" y="{number(y + 3)}" width="100" height="100" rx="6" '
        f'fill="#0000003d"/>{_placed(tile, (x, y - 4), scene, hand, size)}'
        f'<rect {rim} stroke="#fffdf4" stroke-width="6.5"/>'
        f'<rect {rim} stroke="#1d1a16" stroke-width="3"/>'
    )


def _ring(spot: Spot, scene: Scene, corner: Callable[[int, int], Point]) -> str:
    """A dotted ring round a place that may be chosen."""
    left, top = corner(spot.x, spot.y)
    tile = next((t for t in scene.tiles if (t.x, t.y) == (spot.x, spot.y)), None)
    at = CENTRE if tile is None else spot_place(spot.segment, tile, scene)
    return (
        f'<circle cx="{number(left + at[0])}" cy="{number(top + at[1])}" r="15" '
        'fill="#fffdf466" stroke="#8a5200" stroke-width="3" stroke-dasharray="5 4"/>'
    )


def _coordinates(scene: Scene, corner: Point, pitch: int) -> str:
    west, south, east, north = scene.cells()
    left, bottom = corner
    text = [
        text_at(left + 50 + (x - west) * pitch, bottom + 124, str(x), 15, colour=COORDINATE)
        for x in range(west, east + 1)
    ]
    text += [
        text_at(left - 20, bottom + 55 - (y - south) * pitch, str(y), 15, colour=COORDINATE)
        for y in range(south, north + 1)
    ]
    return "".join(text)


_CARD = 148
#: the height of a row of a player's tokens and items, and how many are in it
_STORE, _IN_A_ROW = 30, 4


def _strip_width(scene: Scene) -> float:
    return _CARD * len(scene.scores) + (30 if scene.scores else 0)


def _strip(scene: Scene) -> str:
    """The score strip: each player's colour and sign, name and points."""
    cards = []
    for i, line in enumerate(scene.scores):
        x = 15 + i * _CARD
        edge = INK if line.is_active else "#cfc5a8"
        mark = ' class="active"' if line.is_active else ""
        cards.append(
            f'<rect{mark} x="{x}" y="0" width="{_CARD - 8}" height="38" rx="19" fill="#fffdf6" '
            f'stroke="{edge}" stroke-width="{2.4 if line.is_active else 1.2}"/>'
            f'<circle cx="{x + 20}" cy="19" r="10" fill="{line.colour}" stroke="{INK}"/>'
            f'<path transform="translate({x + 20} 19) scale(1.6)" d="{SIGNS[i % len(SIGNS)]}" '
            f'fill="{sign_ink(line.colour)}"/>'
            + text_at(x + 37, 24.5, line.name, 14, align="start")
            + text_at(x + _CARD - 20, 25.5, str(line.points), 17, weight="bold", align="end")
        )
        cards += [
            _counted(
                kind, count, (x + 15 + 31 * (n % _IN_A_ROW), 38 + _STORE * (n // _IN_A_ROW + 0.5))
            )
            for n, (kind, count) in enumerate(line.store)
        ]
    return "".join(cards)


# ------------------------------------------------------------------ figures

Corner = Callable[[int, int], Point]


def figure_scale(size: float) -> float:
    """How much larger figures are drawn where tiles have so many pixels."""
    return max(1.0, LEAST_FIGURE * 100 / (size * FIGURE))


def _figures(scene: Scene, corner: Corner, hand: Hand | None, size: int) -> list[str]:
    """Every figure at its place. Where figures are larger beside their tiles than usual, those of
    a segment are as much farther apart, and equal ones are drawn once, with their number.
    """
    scale = figure_scale(size)
    first: dict[object, Point] = {}
    crowds: dict[object, list[tuple[FigurePicture, Point]]] = {}
    for n, (figure, at) in enumerate(zip(scene.figures, figure_places(scene), strict=True)):
        stand = (figure.x, figure.y, n if figure.segment is None else figure.segment)
        x, y = first.setdefault(stand, at)
        left, top = corner(figure.x, figure.y)
        place = (left + x + scale * (at[0] - x), top + y + scale * (at[1] - y))
        alike = n if scale == 1 else (stand, figure.kind.id, figure.colour, figure.posture)
        crowds.setdefault(alike, []).append((figure, place))
    drawn = [
        (
            place[1],
            _figure(figure, place, hand, size) + _number(1 + len(more), place, _READ * scale),
        )
        for (figure, place), *more in crowds.values()
    ]
    # from the far edge of the board to the near one, so that nearer figures overlap farther ones
    drawn.sort(key=lambda pair: pair[0])
    return [text for _, text in drawn]


def _number(count: int, at: Point, scale: float = 1.0) -> str:
    """How many there are of what is drawn once at a point."""
    if count < 2:
        return ""
    x, y = at[0] + 8 * scale, at[1] + 7 * scale
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(6.4 * scale)}" fill="{INK}" '
        f'stroke="#fffdf4" stroke-width="{number(1.2 * scale)}"/>'
    ) + text_at(x, y + 3.6 * scale, str(count), 10 * scale, colour="#fffdf4", weight="bold")


def _joins(scene: Scene, corner: Corner) -> Iterator[str]:
    """A dashed line between the segments of each join."""
    tiles = {(tile.x, tile.y): tile for tile in scene.tiles}
    for pair in scene.joins:
        ends = []
        for spot in pair:
            left, top = corner(spot.x, spot.y)
            x, y = spot_place(spot.segment, tiles[spot.x, spot.y], scene)
            ends.append(f"{number(left + x)} {number(top + y)}")
        for colour, width in (("#fffdf4", 6), (INK, 3)):
            yield (
                f'<path d="M{ends[0]}L{ends[1]}" fill="none" stroke="{colour}" '
                f'stroke-width="{width}" stroke-linecap="round" stroke-dasharray="7 6"/>'
            )


def _tokens(scene: Scene, corner: Corner) -> Iterator[str]:
    """Every kind of token at its place, once, with their number where there are several."""
    for token, at in zip(scene.tokens, token_places(scene), strict=True):
        left, top = corner(token.x, token.y)
        yield _counted(token.kind, token.count, (left + at[0], top + at[1]))


def _counted(kind: TokenDecl | ItemDecl, count: int, at: Point) -> str:
    """Tokens or items of a kind, drawn once, with their number where there are several."""
    text = f"<g><title>{escape(f'{kind.label.get()} {count}'.strip())}</title>"
    return text + on_screen(token_drawing(kind, at)) + _number(count, at) + "</g>"


def token_drawing(kind: TokenDecl | ItemDecl, at: Point) -> str:
    """A token or an item at a point: its glyph on a pale square; without one, what it is called."""
    (x, y), colour = at, kind.colour or INK
    text = ""
    for shift, look in ((1.6, 'fill="#00000038"'), (0.0, f'fill="#fffdf4" stroke="{colour}"')):
        corner_x, corner_y = x - TOKEN_ROOM + shift, y - TOKEN_ROOM + shift
        text += f'<rect x="{number(corner_x)}" y="{number(corner_y)}" rx="4" '
        text += f'width="{number(2 * TOKEN_ROOM)}" height="{number(2 * TOKEN_ROOM)}" {look}/>'
    if kind.glyph or isinstance(kind, TokenDecl):
        return text + glyph(kind.glyph, at, 1.35 * TOKEN_ROOM, colour)
    label = kind.label.get() or kind.id
    short = label if len(label) <= _SHORT else initial(label)
    return text + text_at(x, y + 3.9, short, 11, colour=colour, weight="bold")


def _figure(figure: FigurePicture, at: Point, hand: Hand | None, size: int) -> str:
    x, y = at
    colour = figure.colour or figure.kind.colour or NOBODY
    wide = figure_size(figure.kind) * figure_scale(size)
    label = figure.label or figure.kind.label.get()
    text = f"<g><title>{escape(label)}</title>"
    if figure.facing is not None:
        text += _facing(figure.facing, at, colour, wide)
    sign = "" if figure.seat is None else SIGNS[figure.seat % len(SIGNS)]
    drawing = silhouette(
        figure.kind.glyph, wide, colour, is_lying=figure.posture == "lying", sign=sign
    )
    drawing = settled(drawing, on="far" if wide * size < SMALL_FIGURE * 100 else "")
    drawing = on_screen(drawing)
    if hand is not None:
        return text + hand.shape(drawing, at) + "</g>"
    return text + f'<g transform="translate({number(x)} {number(y)})">{drawing}</g></g>'


def figure_size(kind: FigureKind) -> float:
    """The height of a figure on a tile of 100."""
    return FIGURE if kind.owned else FIGURE * NOBODYS


def silhouette(name: str, size: float, colour: str, *, is_lying: bool, sign: str) -> str:
    """A figure round (0, 0), with its shadow, a pale rim, and the sign of its owner. Lines are
    thicker when it is drawn small (`far`, see `tile_state`).
    """
    turn = LYING if is_lying else 0.0
    scale = size / 24
    shadow = f'<ellipse cx="{number(2 * scale)}" cy="{number(9.6 * scale)}" '
    shadow += f'rx="{number(9.4 * scale)}" ry="{number(2.2 * scale)}" fill="#00000038"/>'
    piece = PIECES.get(name)
    if piece is None:
        # a pale rim first: a dark figure on a dark roof must still have an edge
        rim = glyph(name, (0, 0), size * 1.2, "#fffdf4", dark="#fffdf4", light="#fffdf4", turn=turn)
        return shadow + rim + glyph(name, (0, 0), size, colour, dark="#1d1a16", turn=turn)
    scale *= piece.scale
    ink = "#fffdf4"
    if sign:
        ink = "{ink}" if colour == "currentColor" else sign_ink(colour)
    inside = piece.inside
    for mark, tint in (("A", colour), ("B", "#1d1a16"), ("C", ink)):
        inside = inside.replace(f'"{mark}"', f'"{tint}"')
    lines = "".join(
        f'<path d="{piece.outline}" fill="{tint}" stroke="{tint}" stroke-width="{width}" '
        'stroke-linejoin="round"/>'
        for tint, width in (("#fffdf4", "{far?5.6|7}"), ("#1d1a16", "{far?2.6|3.4}"))
    )
    x, y = piece.sign
    place = f"rotate({number(turn)}) " if turn else ""
    signed = ""
    if sign:
        signed = only(
            "!far",
            f'<path transform="translate({number(x)} {number(y)})" d="{sign}" fill="{ink}"/>',
        )
    return (
        f'{shadow}<g transform="{place}scale({number(scale)})">{lines}'
        f'<path d="{piece.outline}" fill="{colour}"/>{inside}{signed}</g>'
    )


def _facing(side: int, at: Point, colour: str, size: float) -> str:
    """An arrowhead beside a figure, on the side it looks to."""
    x, y = at
    place = f'transform="translate({number(x)} {number(y)}) rotate({90 * side})"'
    return f"<g {place}>{facing_mark(size, colour)}</g>"


def facing_mark(size: float, colour: str) -> str:
    """The arrowhead of a figure round (0, 0) that looks to the north."""
    reach = size * 0.62
    return (
        f'<path d="M-6 {number(-reach)}L0 {number(-reach - 9)}L6 {number(-reach)}Z" '
        f'fill="{colour}" stroke="#1d1a16" stroke-width="1.2" stroke-linejoin="round"/>'
    )
