"""Reads tiles.yaml: the tiles as printed, north up, and pieces of several cells or two sides.

The ports of a segment depend on its kind, which may be declared elsewhere; the geometry is checked
in `analysis/tiles.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import islice

from tilewright.model.geometry import HALVES, HEADINGS, MAX_SEGMENTS, SIDES
from tilewright.model.ruleset import PieceKind, Segment, TileFace
from tilewright.reading.files.like_tiles import completed
from tilewright.reading.files.map_reader import MapReader, open_file
from tilewright.reading.files.node_kinds import kind_of
from tilewright.reading.files.patterns import EDGE, NAME
from tilewright.reading.files.translations import Translator
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Span
from tilewright.source.yaml.tree import YList, YNode, YText, as_int

PLACES = SIDES + HALVES
MAX_COPIES = 1_000
#: the most ends of a segment that only `join` closes
MAX_LOOSE = 8
#: whether the ways of a cell pass over or under those that they cross
CROSSINGS = ("over", "under")
#: keys of a cell; a piece of one cell has them itself
CELL_KEYS = ("edges", "segments", "symbols", "crosses", "arrows")


def read_tiles(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> tuple[PieceKind, ...]:
    """The pieces of a file whose shape is sound, in its order, ports not yet known."""
    entry = open_file(node, "tiles.yaml", reporter, translator)
    if entry is None:
        return ()
    maps = (entry.enter(each, "a tile") for each in entry.items("tiles", required=True))
    found: dict[int, PieceKind] = {}
    for number, inner in completed([each for each in maps if each is not None]):
        piece = _piece(inner)
        inner.close()
        if not inner.bad:
            found[number] = piece
    entry.close()
    return tuple(found[number] for number in sorted(found))


def _piece(entry: MapReader) -> PieceKind:
    name = entry.text("id", NAME, required=True)
    if name:
        entry.what = f"tile `{name}`"
    entry.text("like", NAME)  # its name is resolved already
    return PieceKind(
        id=name,
        count=entry.number("count", least=1, most=MAX_COPIES, required=True) or 0,
        faces=read_faces(entry),
        stack=entry.text("stack", NAME),
        letter=entry.text("letter"),
        when=entry.texts("when", NAME),
        note=entry.text("note"),
        span=entry.span("id"),
        with_=entry.companions(),
        enclosed=_enclosed(entry),
        entry=entry.node,
    )


def _enclosed(entry: MapReader) -> bool:
    enclosed = entry.truth("enclosed", False) is True
    if enclosed and entry.has("faces"):
        message = f"{entry.what} has `faces`: only a piece of one cell can be `enclosed`"
        entry.error("TW211", message, entry.key_span("enclosed"))
    return enclosed


def read_faces(entry: MapReader) -> tuple[tuple[TileFace, ...], ...]:
    """The print of a piece: its one cell, or the cells of each of its sides."""
    if not entry.has("faces"):
        entry.ask("faces")
        return ((_cell(entry, 0, 0),),)
    entry.ask(*CELL_KEYS)
    for key in CELL_KEYS:
        if entry.has(key):
            entry.error(
                "TW211",
                f"{entry.what} has `faces`, so `{key}` belongs in its cells",
                entry.key_span(key),
            )
    faces = []
    for side in entry.items("faces", required=True, least=1, most=2):
        if not isinstance(side, YList) or not side.items:
            entry.error(
                "TW203",
                f"a side of a piece must be a list of cells, found {kind_of(side)}",
                side.span,
            )
            continue
        faces.append(tuple(_cell_at(entry, cell) for cell in side.items))
    return tuple(faces)


def _cell_at(entry: MapReader, node: YNode) -> TileFace:
    inner = entry.enter(node, f"a cell of {entry.what}")
    if inner is None:
        return TileFace(0, 0, ("", "", "", ""), (), (), "", node.span)
    x, y = _place(inner)
    face = _cell(inner, x, y)
    inner.close()
    return face


def _place(entry: MapReader) -> tuple[int, int]:
    found = []
    for node in entry.items("at", required=True, least=2, most=2):
        number = as_int(node) if isinstance(node, YText) else None
        if number is None:
            entry.error(
                "TW203", f"`at` must be two whole numbers, found {kind_of(node)}", node.span
            )
            continue
        found.append(number)
    return (found[0], found[1]) if len(found) == 2 else (0, 0)


def _cell(entry: MapReader, x: int, y: int) -> TileFace:
    # a tile with `like` has its edges from there, unless that could not be resolved
    edges = entry.words("edges", EDGE, required=not entry.has("like"), least=4, most=4)
    four = (*edges, "", "", "", "")
    segments = entry.map_of("segments")
    if len(segments) > MAX_SEGMENTS:
        message = f"a cell has at most {MAX_SEGMENTS} segments, found {len(segments)}"
        entry.error("TW116", message, segments[MAX_SEGMENTS][0].span)
    named = islice(entry.named("segments", "segment", NAME), MAX_SEGMENTS)
    where: Span = entry.span("edges")
    symbols = entry.words("symbols", NAME)
    return TileFace(
        x=x,
        y=y,
        edges=(four[0], four[1], four[2], four[3]),
        segments=tuple(_segment(*pair) for pair in named),
        symbols=symbols,
        crosses=entry.choice("crosses", CROSSINGS),
        span=where,
        arrows=_arrows(entry, symbols),
        entry=entry.node,
    )


def _arrows(entry: MapReader, symbols: Collection[str]) -> tuple[tuple[str, int], ...]:
    """The symbols of a cell that point somewhere, with their headings."""
    found = []
    for name, node in entry.map_of("arrows", NAME):
        heading = node.value if isinstance(node, YText) else ""
        if heading not in HEADINGS:
            message = f"`{name.value}` cannot point to {kind_of(node)}"
            hint = f"it points to one of {', '.join(HEADINGS)}"
            entry.error("TW204", message, node.span, hint=hint)
        elif name.value not in symbols:
            message = f"`{name.value}` has an arrow and is none of the `symbols` here"
            entry.error("TW747", message, name.span)
        else:
            found.append((name.value, HEADINGS.index(heading)))
    return tuple(sorted(found))


def _segment(name: YText, entry: MapReader) -> Segment:
    at = entry.choices("at", PLACES)
    for number, node in enumerate(entry.items("at")):
        if at[number] in at[:number]:
            entry.error("TW504", f"`{at[number]}` is taken twice", node.span)
    segment = Segment(
        id=name.value,
        kind=entry.text("kind", NAME, required=True),
        at=at,
        ports=(),
        borders=entry.words("borders", NAME),
        ends=entry.words("ends", NAME),
        attributes=(),
        symbols=entry.words("symbols", NAME),
        inside=entry.text("inside", NAME),
        span=name.span,
        loose=entry.number("loose", least=1, most=MAX_LOOSE) or 0,
        entry=entry.node,
    )
    # attributes come last: they are all keys that were not requested above
    return replace(segment, attributes=_attributes(entry))


def _attributes(entry: MapReader) -> tuple[tuple[str, int], ...]:
    """Every other key of a segment with a whole number is an attribute of its kind."""
    counts = []
    for key, node in entry.rest():
        number = as_int(node) if isinstance(node, YText) else None
        if number is None or not NAME.fits(key.value):
            entry.unknown_key(key)
        elif number < 0:
            entry.error("TW207", f"`{key.value}` must be 0 or more, found `{number}`", node.span)
        else:
            counts.append((key.value, number))
    entry.ask(*(key.value for key, _ in entry.rest()))
    return tuple(counts)
