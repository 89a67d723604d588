"""TW5: tiles and pieces: what can be printed, and whether the box holds what its list says.

In the examples a `town` takes whole sides and counts `flags`, a `track` runs through the centres of
sides, a `meadow` takes halves of sides, a `hut` lies inside the tile, and `star` is a symbol.
"""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo

_ALL = "NNW, NNE, ENE, ESE, SSE, SSW, WSW, WNW"
_OPEN = "edges: [meadow, meadow, meadow, meadow]"
_PLAIN = f"m1: {{kind: meadow, at: [{_ALL}]}}"


def _tile(edges: str, *segments: str, more: str = "") -> str:
    lines = "".join(f"      {segment}\n" for segment in segments)
    return (
        f"# tiles.yaml\ntiles:\n  - id: trial\n    count: 1\n    edges: [{edges}]\n"
        f"    segments:\n{lines}{more}"
    )


def _meadow(*segments: str, more: str = "") -> str:
    return _tile("meadow, meadow, meadow, meadow", *segments, more=more)


def _double(at: str, edges: str, *segments: str) -> str:
    inner = ", ".join(segments)
    return (
        "# tiles.yaml\ntiles:\n  - id: trial\n    count: 1\n    faces:\n"
        f"      - - {{at: [0, 0], {_OPEN}, segments: {{{_PLAIN}}}}}\n"
        f"        - {{at: [{at}], edges: [{edges}], segments: {{{inner}}}}}\n"
    )


_CAP = "town, meadow, meadow, meadow"
_REST = "m1: {kind: meadow, at: [ENE, ESE, SSE, SSW, WSW, WNW], borders: [t1]}"
_SPLIT = "town, track, meadow, track"
_UPPER = "m1: {kind: meadow, at: [ENE, WNW]}"
_LOWER = "m2: {kind: meadow, at: [ESE, SSE, SSW, WSW]}"
_TOWN = "t1: {kind: town, at: [N]}"
_LINE = "r1: {kind: track, at: [E, W]}"
_BOX = "# module.yaml\nid: trial/first\nkind: base\ntitle: a trial\n"

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW501",
        "an unknown feature kind",
        "A segment is of a kind that neither this ruleset nor those it plays with declare under "
        "`features` in pieces.yaml.",
        _meadow(f"m1: {{kind: medow, at: [{_ALL}]}}"),
        _meadow(_PLAIN),
    ),
    CodeInfo(
        "TW502",
        "a place that does not suit the kind",
        "A kind of reach `side` or `centre` lies at sides: N, E, S, W. A kind of reach `halves` "
        "lies at halves of sides, named clockwise from the north-west corner: NNW, NNE, ENE, ESE, "
        "SSE, SSW, WSW, WNW.",
        _tile(_CAP, "t1: {kind: town, at: [NNW]}", _REST),
        _tile(_CAP, _TOWN, _REST),
    ),
    CodeInfo(
        "TW503",
        "a place for a kind that has none",
        "A kind of reach `inside` never meets the edge of its tile, so its segments have no `at`. "
        "They may say in which segment they stand, with `inside`.",
        _meadow(_PLAIN, "h1: {kind: hut, at: [N]}"),
        _meadow(_PLAIN, "h1: {kind: hut, inside: m1}"),
    ),
    CodeInfo(
        "TW504",
        "one place in two segments",
        "Each half and each centre of an edge belongs to one segment. A segment of reach `side` "
        "takes both halves and the centre of its sides.",
        _tile(_CAP, _TOWN, "m1: {kind: meadow, at: [NNE, ENE, ESE, SSE, SSW, WSW, WNW]}"),
        _tile(_CAP, _TOWN, _REST),
    ),
    CodeInfo(
        "TW505",
        "a half that belongs to no segment",
        "The edge of a tile has no gaps: each half is part of a segment of reach side or halves.",
        _tile(_CAP, _TOWN, "m1: {kind: meadow, at: [ENE, ESE, SSE, SSW, WSW]}"),
        _tile(_CAP, _TOWN, _REST),
    ),
    CodeInfo(
        "TW506",
        "an edge called by another name than its segments",
        "The name of an edge is the kind at its centre or, where nothing lies there, the kind of "
        "its halves. Edges are given north, east, south, west; perhaps they are turned.",
        _tile("meadow, town, meadow, meadow", _TOWN, _REST),
        _tile(_CAP, _TOWN, _REST),
    ),
    CodeInfo(
        "TW508",
        "a border with a segment that is not there",
        "`borders` lists segments of the same tile by the names they have there.",
        _tile(_CAP, _TOWN, _REST.replace("[t1]", "[t2]")),
        _tile(_CAP, _TOWN, _REST),
    ),
    CodeInfo(
        "TW509",
        "a segment that borders itself",
        "`borders` lists the other segments that a segment touches.",
        _tile(_CAP, _TOWN, _REST.replace("[t1]", "[m1]")),
        _tile(_CAP, _TOWN, _REST),
    ),
    CodeInfo(
        "TW510",
        "a border with a segment out of reach",
        "Between the two segments lies a third one, from edge to edge, so they cannot touch.",
        _tile(_SPLIT, _TOWN, _LINE, _UPPER, _LOWER.replace("]}", "], borders: [t1]}")),
        _tile(_SPLIT, _TOWN, _LINE, _UPPER.replace("]}", "], borders: [t1]}"), _LOWER),
    ),
    CodeInfo(
        "TW511",
        "inside a segment that is not there",
        "`inside` names another segment of the same tile, the one in which this one stands.",
        _meadow(_PLAIN, "h1: {kind: hut, inside: m2}"),
        _meadow(_PLAIN, "h1: {kind: hut, inside: m1}"),
    ),
    CodeInfo(
        "TW512",
        "segments that cross",
        "Going round the edge, the places of the two segments alternate, so one would have to run "
        "through the other. Usually a half is in the wrong segment. Where one really passes over "
        "the other, the tile has the tag `bridge` or `tunnel`.",
        _tile(
            _SPLIT,
            _TOWN,
            _LINE,
            "m1: {kind: meadow, at: [ENE, SSE, SSW, WSW]}",
            "m2: {kind: meadow, at: [ESE, WNW]}",
        ),
        _tile(_SPLIT, _TOWN, _LINE, _UPPER, _LOWER),
    ),
    CodeInfo(
        "TW513",
        "a segment that leads nowhere",
        "A segment of reach `centre` that meets the edge once must say what stops it inside the "
        "tile. Without that it is more likely that its other end was forgotten.",
        _tile("meadow, meadow, track, meadow", "r1: {kind: track, at: [S]}", _PLAIN),
        _tile("meadow, meadow, track, meadow", "r1: {kind: track, at: [S], ends: [stop]}", _PLAIN),
    ),
    CodeInfo(
        "TW514",
        "a segment that is nowhere",
        "A segment that does not meet the edge of its tile must border another one, or be of a "
        "kind that lies inside.",
        _meadow(_PLAIN, "t1: {kind: town}"),
        _meadow(_PLAIN, "t1: {kind: town, borders: [m1]}"),
    ),
    CodeInfo(
        "TW515",
        "cells of a piece that do not match",
        "Where two cells of one piece touch, the same kinds must meet, as if they had been laid "
        "one beside the other.",
        _double(
            "1, 0",
            "meadow, meadow, meadow, town",
            "m1: {kind: meadow, at: [NNW, NNE, ENE, ESE, SSE, SSW]}",
            "t1: {kind: town, at: [W]}",
        ),
        _double("1, 0", "meadow, meadow, meadow, meadow", _PLAIN),
    ),
    CodeInfo(
        "TW516",
        "a piece in two parts",
        "The cells of a piece hang together by whole sides; two that meet at a corner do not.",
        _double("1, 1", "meadow, meadow, meadow, meadow", _PLAIN),
        _double("1, 0", "meadow, meadow, meadow, meadow", _PLAIN),
    ),
    CodeInfo(
        "TW517",
        "two cells in one place",
        "Each cell of a piece has a place of its own; `at` counts cells east and north.",
        _double("0, 0", "meadow, meadow, meadow, meadow", _PLAIN),
        _double("0, 1", "meadow, meadow, meadow, meadow", _PLAIN),
    ),
    CodeInfo(
        "TW518",
        "an unknown symbol",
        "A tile or a segment shows a symbol that nobody declares under `symbols` in pieces.yaml.",
        _meadow(_PLAIN, more="    symbols: [stra]\n"),
        _meadow(_PLAIN, more="    symbols: [star]\n"),
    ),
    CodeInfo(
        "TW519",
        "an unknown attribute",
        "A key of a segment with a number is an attribute of its kind, and the kind must declare "
        "it under `attributes` in pieces.yaml.",
        _tile(_CAP, "t1: {kind: town, at: [N], falgs: 1}", _REST),
        _tile(_CAP, "t1: {kind: town, at: [N], flags: 1}", _REST),
    ),
    CodeInfo(
        "TW520",
        "two tiles with one id",
        "Two entries have the same id. Equal tiles are one entry with their `count`.",
        _meadow(_PLAIN) + _meadow(_PLAIN).split("tiles:\n", 1)[1],
        _meadow(_PLAIN) + _meadow(_PLAIN).split("tiles:\n", 1)[1].replace("trial", "second"),
    ),
    CodeInfo(
        "TW521",
        "a component list that does not agree with the data",
        "module.yaml says how many there are in the box, and the files hold another number. Either "
        "a count is wrong or an entry is missing.",
        _BOX + "components: [{of: tiles, count: 1}]\n",
        _BOX + "components: [{of: tiles, count: 0}]\n",
    ),
    CodeInfo(
        "TW522",
        "a component that the data do not know",
        "A line of the component list names a thing that is nowhere in this ruleset.",
        _BOX + "components: [{of: symbol, name: stra, count: 0}]\n",
        _BOX + "components: [{of: tiles, count: 0}]\n",
    ),
    CodeInfo(
        "TW523",
        "more segments than one cell can hold",
        "At most 31 segments are possible on one cell of a piece.",
        "segments: {m1: {kind: hut}, m2: {kind: hut}, ...}",
        "segments: {m1: {kind: hut}}",
        False,
    ),
)
