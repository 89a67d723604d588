"""The keys of tiles.yaml: the tiles as printed, north up, and pieces of several cells or two sides.

The ports of a segment depend on its kind, which may be declared elsewhere; the geometry is checked
in `rules/analysis/tiles.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText, as_int
from tilewright.rules.model.geometry import HALVES, HEADINGS, MAX_SEGMENTS, SIDES
from tilewright.rules.model.ruleset import PieceKind, Segment, TileFace
from tilewright.rules.reading.files import shapes as s
from tilewright.rules.reading.files.like_tiles import completed
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.node_kinds import kind_of
from tilewright.rules.reading.files.patterns import EDGE, KNOWN, NAME
from tilewright.rules.reading.files.translations import Translator

PLACES = SIDES + HALVES
MAX_COPIES = 1_000
#: the most ends of a segment that only `join` closes
MAX_LOOSE = 8


# ------------------------------------------------------------------ checks and conversions


def _tiles(at: MapReader, key: str, node: YNode) -> tuple[PieceKind, ...]:
    """The pieces of a file whose shape is sound, in its order, ports not yet known."""
    maps = [at.enter(each, "a tile") for each in TILES.nodes(at, key, node)]
    found: dict[int, PieceKind] = {}
    for number, inner in completed([each for each in maps if each is not None]):
        piece = TILE.made(inner)
        if not inner.bad:
            found[number] = piece
    return tuple(found[number] for number in sorted(found))


def _piece(at: MapReader, values: dict[str, Any]) -> PieceKind:
    if values["enclosed"] and at.has("faces"):
        message = f"{at.what} has `faces`: only a piece of one cell can be `enclosed`"
        at.error("TW211", message, at.key_span("enclosed"))
    cell = {key: values.pop(key) for key in CELL}
    values["faces"] = faces_of(at, {**cell, "faces": values["faces"]})
    del values["like"]  # its name is resolved already
    return PieceKind(**values, span=at.span("id"), entry=at.node)


def faces_of(at: MapReader, values: dict[str, Any]) -> tuple[tuple[TileFace, ...], ...]:
    """The print of a piece: its one cell, or the cells of each of its sides."""
    if not at.has("faces"):
        # a tile with `like` has its edges from there, unless that could not be resolved
        if not at.has("edges") and not at.has("like"):
            at.missing("edges")
        return ((_cell(at, {key: values[key] for key in CELL}),),)
    for key in CELL:
        if at.has(key):
            message = f"{at.what} has `faces`, so `{key}` belongs in its cells"
            at.error("TW211", message, at.key_span(key))
    faces: tuple[tuple[TileFace, ...], ...] = values["faces"]
    return faces


def _faces(at: MapReader, key: str, node: YNode) -> tuple[tuple[TileFace, ...], ...]:
    faces = []
    for side in FACES.nodes(at, key, node):
        if not isinstance(side, YList) or not side.items:
            message = f"a side of a piece must be a list of cells, found {kind_of(side)}"
            at.error("TW203", message, side.span)
            continue
        cells = [at.enter(each, f"a cell of {at.what}") for each in side.items]
        faces.append(tuple([_CELL_AT.made(each) for each in cells if each is not None]))
    return tuple(faces)


def _cell(at: MapReader, values: dict[str, Any]) -> TileFace:
    x, y = values.pop("at", (0, 0))
    north, east, south, west = (*values.pop("edges"), "", "", "", "")[:4]
    headings = dict(values.pop("arrows"))
    for name in [name for name in headings if name not in values["symbols"]]:
        message = f"`{name}` has an arrow and is none of the `symbols` here"
        at.error("TW747", message, _arrow_span(at, name))
    arrows = sorted((n, HEADINGS.index(to)) for n, to in headings.items() if n in values["symbols"])
    return TileFace(
        **values,
        x=x,
        y=y,
        edges=(north, east, south, west),
        span=at.span("edges"),
        arrows=tuple(arrows),
        entry=at.node,
    )


def _arrow(at: MapReader, name: YText, node: YNode) -> tuple[str, str] | None:
    """A symbol of a cell that points somewhere, with its heading."""
    heading = node.value if isinstance(node, YText) else ""
    if heading in HEADINGS:
        return name.value, heading
    message = f"`{name.value}` cannot point to {kind_of(node)}"
    at.error("TW204", message, node.span, hint=f"it points to one of {', '.join(HEADINGS)}")
    return None


def _arrow_span(at: MapReader, name: str) -> Any:
    arrows = at.nodes["arrows"]
    key = arrows.key(name) if isinstance(arrows, YMap) else None
    return at.span("arrows") if key is None else key.span


def _position(at: MapReader, key: str, node: YNode) -> tuple[int, int]:
    found = []
    for each in _POSITION.nodes(at, key, node):
        number = as_int(each) if isinstance(each, YText) else None
        if number is None:
            message = f"`{key}` must be two whole numbers, found {kind_of(each)}"
            at.error("TW203", message, each.span)
            continue
        found.append(number)
    return (found[0], found[1]) if len(found) == 2 else (0, 0)


def _segments(at: MapReader, key: str, node: YNode) -> tuple[Segment, ...]:
    if isinstance(node, YMap) and len(node.entries) > MAX_SEGMENTS:
        message = f"a cell has at most {MAX_SEGMENTS} segments, found {len(node.entries)}"
        at.error("TW116", message, node.entries[MAX_SEGMENTS][0].span)
        node = YMap(node.entries[:MAX_SEGMENTS], node.span)
    found: tuple[Segment, ...] = SEGMENTS.read(at, key, node)
    return found


def _segment(at: MapReader, values: dict[str, Any]) -> Segment:
    # of a kind that it does not know, every key with a whole number is an attribute
    counts = []
    for key, node in at.node.entries:
        if key.value in _SEGMENT:
            continue
        number = as_int(node) if isinstance(node, YText) else None
        if number is None or not NAME.fits(key.value):
            at.unknown_key(key, _SEGMENT)
        elif number < 0:
            at.error("TW207", f"`{key.value}` must be 0 or more, found `{number}`", node.span)
        else:
            counts.append((key.value, number))
    return Segment(
        **values, id=at.name, ports=(), attributes=tuple(counts), span=at.where, entry=at.node
    )


def _at(at: MapReader, key: str, node: YNode) -> tuple[str, ...]:
    found: tuple[str, ...] = _AT.read(at, key, node)
    for number, each in enumerate(node.items if isinstance(node, YList) else ()):
        if found[number] in found[:number]:
            at.error("TW504", f"`{found[number]}` is taken twice", each.span)
    return found


# ------------------------------------------------------------------ the keys

_AT = s.ListOf(
    "The sides (N, E, S, W) or halves of sides (clockwise from NNW) that it takes; nothing for "
    "kinds that lie inside.",
    s.Word("A side or a half of a side.", PLACES),
    is_unique=True,
    like=["E", "W"],
    reader=_at,
)
_SEGMENT = {
    "kind": s.Text(
        "Its kind, as declared in components.yaml.", KNOWN, required=True, names="feature"
    ),
    "at": _AT,
    "ends": s.texts(
        "The things that end it inside the tile, for drawing.", "A thing.", NAME, like=["kiosk"]
    ),
    "borders": s.texts(
        "The segments of this tile that it touches.", "A segment of this tile.", NAME
    ),
    "symbols": s.texts(
        "Marks printed on this segment.", "A symbol from components.yaml.", KNOWN, names="symbol"
    ),
    "inside": s.Text("The segment of this tile that encloses it.", NAME),
    "loose": s.Number(
        "How many ends it has inside the tile that are open until `join` takes them.",
        1,
        MAX_LOOSE,
        default=0,
    ),
}
SEGMENTS = s.MapOf(
    "The parts printed on it, by a name of their own.",
    NAME,
    s.Map(
        "A part of the tile. Any further key with a number is an attribute of its kind.",
        _SEGMENT,
        _segment,
        "segment",
        other=s.Number("An attribute of the kind, such as a number of marks.", 0),
        names="attribute",
    ),
    MAX_SEGMENTS,
    reader=_segments,
)
EDGES = s.texts(
    "The kinds at the four edges: north, east, south, west; `a/b` for an edge whose halves show "
    "two kinds, clockwise; `any` fits every edge and joins none.",
    "A kind of feature, or two for the halves of the edge.",
    EDGE,
    names="<edge>",
    each_like=("track", "track/town"),
    least=4,
    most=4,
)
#: the keys of a cell; a piece of one cell has them itself
CELL = {
    "edges": EDGES,
    "segments": SEGMENTS,
    "symbols": s.texts(
        "Marks printed on it.",
        "A symbol from components.yaml.",
        KNOWN,
        names="symbol",
        like=["well"],
    ),
    "crosses": s.Word(
        "Whether the ways on it pass over or under what they cross; without it no segment may "
        "cross another.",
        ("over", "under"),
    ),
    "arrows": s.MapOf(
        "Symbols of this cell that point somewhere, with the way that they point as printed; a "
        "rule reads it as `t.NAME`.",
        NAME,
        s.Word("A side or a corner.", HEADINGS),
        each=_arrow,
        names="symbol",
        like={"well": "NW"},
    ),
}
_POSITION = s.ListOf(
    "Its position: cells to the east, cells to the north.",
    s.Number("A number of cells."),
    2,
    2,
    required=True,
    default=(0, 0),
    like=[1, 0],
    reader=_position,
)
_CELL_AT = s.Map(
    "One cell of the piece.",
    {"at": _POSITION, **CELL, "edges": replace(EDGES, required=True)},
    _cell,
)
FACES = s.ListOf(
    "For pieces of several cells or two sides: the cells of each side that may be face up.",
    s.ListOf("One side: its cells.", _CELL_AT, 1),
    1,
    2,
    reader=_faces,
)
#: with `faces` a piece has neither these keys nor `enclosed`
_WHOLE = {"properties": {"faces": False}}
_IN_CELLS = {"like": False, **dict.fromkeys(CELL, False), "enclosed": {"const": False}}
TILE = s.Map(
    "A tile with `edges` or `like` another one, or with `faces` a piece of several cells or two "
    "sides.",
    {
        "id": s.Text("Its id.", NAME, required=True, names="=tile", like="town1_corner"),
        "like": s.Text(
            "Another tile of this file, before or after this one: this tile takes over its "
            "`edges`, `segments`, `symbols`, `crosses`, `arrows` and `faces`, and nothing else. A "
            "key that is given here takes the place of the whole key, but each of the `segments` "
            "takes the place of the one of its name or is added. A piece with `faces` is taken "
            "over as it is. Unlike `like` of a figure, this is about the print alone.",
            NAME,
            names="<own tile>",
            like="town1",
        ),
        "letter": s.Text("The letter of the tile in publications.", like="D"),
        "count": s.Number("The number of copies.", 1, MAX_COPIES, required=True, default=0, like=4),
        "stack": s.Text(
            "The stack in which it starts, if not the usual one.", KNOWN, names="stack"
        ),
        "enclosed": s.Truth("Whether it is laid only where tiles lie on all four sides."),
        "with": s.WITH,
        "when": s.MapOf(
            "Option values under which it is in the game.",
            NAME,
            s.Scalar("The value of this option."),
            names="option",
        ),
        **CELL,
        "faces": FACES,
        "note": s.Text("A note for readers."),
    },
    _piece,
    "tile",
    has_name=True,
    rules={
        "anyOf": [
            {"required": ["edges"], **_WHOLE},
            {"required": ["like"], **_WHOLE},
            {"required": ["faces"], "properties": _IN_CELLS},
        ]
    },
)
TILES = s.ListOf("The tiles, in any order.", TILE, required=True, reader=_tiles)
FILE = s.Map(
    "The tiles and larger pieces.",
    {"ignore": s.IGNORE, "tiles": TILES},
    what="tiles.yaml",
    title="tiles.yaml: the tiles as printed, north up",
)


def read_tiles(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> tuple[PieceKind, ...]:
    """The pieces of a file whose shape is sound, in its order, ports not yet known."""
    return tuple((s.read_file(FILE, node, reporter, translator) or {}).get("tiles", ()))
