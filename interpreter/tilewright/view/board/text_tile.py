"""One tile for a terminal: blocks for areas, lines for ways, letters for marks.

The layout of pictures is used here too, sampled on a few characters. Lines turn with the tile.
Kinds of feature differ in their characters, so a page can be read without colour. Colours are
#rrggbb as in rulesets, written as 24-bit terminal codes; the caller decides whether to use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.rules.model.ruleset import FeatureKind, Reach, SymbolDecl, TileFace
from tilewright.view.board.curves import Point, turn_point
from tilewright.view.board.glyphs import CHARACTERS, HIDDEN, distinct_letters, initial
from tilewright.view.board.tile_layout import Plan, plan
from tilewright.view.board.tile_shapes import Way


@dataclass(frozen=True, slots=True)
class Ink:
    """One character and its colours, as #rrggbb or empty."""

    letter: str
    colour: str = ""
    ground: str = ""
    is_bold: bool = False


Page = list[list[Ink]]
BLANK = Ink(" ")


def written(page: Page, colour: bool) -> str:
    """A page as lines of text."""
    if colour:
        return "\n".join(painted(line) for line in page)
    return "\n".join("".join(ink.letter for ink in line).rstrip() for line in page)


def painted(line: list[Ink]) -> str:
    """Characters with terminal colour codes, each run of one colour opened and closed once."""
    text: list[str] = []
    open_codes = ""
    for ink in line:
        codes = ";".join(
            code
            for code in (_code(38, ink.colour), _code(48, ink.ground), "1" if ink.is_bold else "")
            if code
        )
        if codes != open_codes:
            if open_codes:
                text.append("\x1b[0m")
            if codes:
                text.append(f"\x1b[{codes}m")
            open_codes = codes
        text.append(ink.letter)
    if open_codes:
        text.append("\x1b[0m")
    return "".join(text).rstrip()


def _code(layer: int, colour: str) -> str:
    if len(colour) != 7 or not colour.startswith("#"):
        return ""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"{layer};2;{red};{green};{blue}"


def contrast(ground: str) -> str:
    """Black or white, whichever can be read on a colour."""
    if len(ground) != 7:
        return ""
    red, green, blue = (int(ground[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 299 * red + 587 * green + 114 * blue > 140_000 else "#ffffff"


# ------------------------------------------------------------------ tiles


#: widths and heights a tile may take, the best first; both are odd, so that there is a middle
SIZES = ((9, 5), (7, 3), (5, 3))

# lines by the sides they touch: 1 north, 2 east, 4 south, 8 west; one set for each kind of way
_LINES = (" ║═╚║║╔╠═╝═╩╗╣╦╬", " │─└││┌├─┘─┴┐┤┬┼", " ┃━┗┃┃┏┣━┛━┻┓┫┳╋")
_ASCII_LINES = (" |-+||++-+-++++++", " !~+!!++~+~++++++", " :=+::++=+=++++++")
# one character for each kind of area
_AREAS, _ASCII_AREAS = "▒▓░", "#%@"
_LAND, _ASCII_LAND = "·", "."
#: the ground of a tile that fits everything
_BLANK, _ASCII_BLANK = "∷", ":"
#: by heading, clockwise from the north
_POINTERS, _ASCII_POINTERS = "↑↗→↘↓↙←↖", "^/>\\v/<\\"


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
    return written(tile_page(face, kinds, symbols, turn, size, ascii_only), colour)


def tile_page(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    turn: int,
    size: tuple[int, int],
    ascii_only: bool,
) -> Page:
    """The characters of one tile."""
    layout = plan(face, kinds, symbols)
    wide, high = size
    first_land = next((kind for kind in kinds.values() if kind.reach is Reach.HALVES), None)
    by_id = {part.id: part for part in face.segments}
    page: Page = []
    for row in range(high):
        line: list[Ink] = []
        for column in range(wide):
            at = turn_point((100 * (column + 0.5) / wide, 100 * (row + 0.5) / high), -turn)
            label = layout.raster.at(at)
            part = by_id.get(layout.names[label]) if 0 <= label < len(layout.names) else None
            kind = kinds[part.kind] if part is not None else None
            if kind is not None and label < len(layout.areas):
                letter = area_letter(kind, kinds, ascii_only)
                line.append(Ink(letter, kind.outline, kind.colour))
            elif face.fits_everything:
                line.append(Ink(_ASCII_BLANK if ascii_only else _BLANK))
            else:
                land = kind if kind is not None and kind.reach is Reach.HALVES else first_land
                letter = land_letter(ascii_only)
                tints = (land.outline, land.colour) if land else ("", "")
                line.append(Ink(letter, *tints))
        page.append(line)
    _lay_ways(face, kinds, layout, turn, page, ascii_only)
    letters = mark_letters(kinds, symbols, ascii_only)
    for mark in layout.marks:
        if mark.what == "symbol" and is_hidden(symbols.get(mark.name)):
            continue
        column, row = spot_at(turn_point(mark.at, turn), size)
        ink = page[row][column]
        letter = letters.get((mark.what, mark.name), "")
        tint = ""
        if mark.what == "symbol":
            letter = letter or initial(mark.name)
            tint = symbols[mark.name].colour if mark.name in symbols else ""
        elif mark.what == "inside":
            letter = letter or _spot_letter(ascii_only)
            tint = kinds[mark.name].outline
        elif mark.what != "attribute":
            letter = _spot_letter(ascii_only)
        page[row][column] = Ink(letter, tint or ink.colour, ink.ground, True)
        heading = dict(face.turned_arrows(turn)).get(mark.name) if mark.what == "symbol" else None
        if heading is not None and column + 1 < len(page[row]):
            beside = page[row][column + 1]
            pointers = _ASCII_POINTERS if ascii_only else _POINTERS
            pointer = pointers[heading]
            page[row][column + 1] = Ink(pointer, tint or beside.colour, beside.ground, True)
    return page


def area_letter(kind: FeatureKind, kinds: Mapping[str, FeatureKind], ascii_only: bool) -> str:
    """The character of an area of this kind."""
    letters = _ASCII_AREAS if ascii_only else _AREAS
    return letters[_place(kind, kinds) % len(letters)]


def line_letters(kind: FeatureKind, kinds: Mapping[str, FeatureKind], ascii_only: bool) -> str:
    """The characters of a way of this kind, by the sides that they touch."""
    sets = _ASCII_LINES if ascii_only else _LINES
    return sets[_place(kind, kinds) % len(sets)]


def _way_letter(
    kind: FeatureKind, kinds: Mapping[str, FeatureKind], bits: int, ascii_only: bool
) -> str:
    """The character of a way; a way that was recast as an area or a land is made of these."""
    if kind.reach is Reach.SIDE:
        return area_letter(kind, kinds, ascii_only)
    if kind.reach is Reach.HALVES:
        return land_letter(ascii_only)
    return line_letters(kind, kinds, ascii_only)[bits]


def _spot_letter(ascii_only: bool) -> str:
    return "o" if ascii_only else "●"


def land_letter(ascii_only: bool) -> str:
    """The character of land."""
    return _ASCII_LAND if ascii_only else _LAND


def _place(kind: FeatureKind, kinds: Mapping[str, FeatureKind]) -> int:
    """The number of a kind among those with the same reach."""
    return [each.id for each in kinds.values() if each.reach is kind.reach].index(kind.id)


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
    topped: set[tuple[int, int]] = set()
    for way in layout.ways:
        kind = kinds[way.part.kind]
        if way.part.id in layout.tops:
            topped |= line_cells(way, layout, turn, (wide, high)).keys()
        for cell, bits in line_cells(way, layout, turn, (wide, high)).items():
            touched[cell] = (touched.get(cell, (0, kind))[0] | bits, kind)
    for (column, row), (bits, kind) in touched.items():
        at = turn_point((100 * (column + 0.5) / wide, 100 * (row + 0.5) / high), -turn)
        is_below = 0 <= layout.raster.at(at) < len(layout.areas)
        if is_below and face.crosses != "over" and (column, row) not in topped:
            continue
        letter = _way_letter(kind, kinds, bits, ascii_only)
        page[row][column] = Ink(letter, kind.outline, page[row][column].ground, True)


def line_cells(
    way: Way, layout: Plan, turn: int, size: tuple[int, int]
) -> dict[tuple[int, int], int]:
    """The characters a way runs through, each with the sides its line touches."""
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


def spot_at(at: Point, size: tuple[int, int]) -> tuple[int, int]:
    """The column and row of a point of the picture of a tile."""
    wide, high = size
    return (
        min(wide - 1, max(0, int(at[0] * wide / 100))),
        min(high - 1, max(0, int(at[1] * high / 100))),
    )


def mark_letters(
    kinds: Mapping[str, FeatureKind], symbols: Mapping[str, SymbolDecl], ascii_only: bool
) -> dict[tuple[str, str], str]:
    """The characters of all marks, by what they are and their id.

    A glyph has a character of its own; marks without one get letters that differ.
    """
    named = [
        (("inside", kind.id), kind.glyph, kind.label.get() or kind.id)
        for kind in kinds.values()
        if kind.reach is Reach.INSIDE
    ]
    for kind in kinds.values():
        named += [(("attribute", a.id), a.symbol, a.label.get() or a.id) for a in kind.attributes]
    named += [
        (("symbol", id_), symbol.glyph, symbol.label.get() or id_)
        for id_, symbol in symbols.items()
        if symbol.glyph != HIDDEN
    ]
    known = {} if ascii_only else CHARACTERS
    found = {key: known[glyph] for key, glyph, _ in named if glyph in known}
    lettered = {key: label for key, _, label in named if key not in found}
    letters = distinct_letters(list(lettered.values()))
    return {**found, **dict(zip(lettered, letters, strict=True))}


def is_hidden(symbol: SymbolDecl | None) -> bool:
    """Whether a symbol is not drawn."""
    return symbol is not None and symbol.glyph == HIDDEN
