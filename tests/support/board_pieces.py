"""Pieces for tests of the board core, read from `tiles.yaml` by a reader that knows just enough."""

from __future__ import annotations

import functools
from typing import Any

import yaml

from support.paths import ROOT
from support.printed_tiles import printed_tiles
from tilewright.language.source.text import NOWHERE
from tilewright.play.board.build_tile_tables import build_shapes
from tilewright.play.board.tile_tables import Shapes
from tilewright.rules.model.geometry import PORT_OF_HALF, SIDE_OF
from tilewright.rules.model.ruleset import (
    Combine,
    Completion,
    FeatureKind,
    Labels,
    PieceKind,
    Reach,
    Segment,
    TileFace,
)

RULESETS = ROOT / "rulesets"
REACH = {
    "city": (Reach.SIDE, Completion.CLOSED),
    "road": (Reach.CENTRE, Completion.CLOSED),
    "river": (Reach.CENTRE, Completion.CLOSED),
    "field": (Reach.HALVES, Completion.NEVER),
    "monastery": (Reach.INSIDE, Completion.SURROUNDED),
    "shrine": (Reach.INSIDE, Completion.SURROUNDED),
    "abbacy": (Reach.INSIDE, Completion.SURROUNDED),
    "hut": (Reach.INSIDE, Completion.SURROUNDED),
    "carcassonne": (Reach.SIDE, Completion.CLOSED),
}
KINDS = tuple(
    FeatureKind(name, Labels(), reach, completes, (), "", "", "", "", NOWHERE)
    for name, (reach, completes) in REACH.items()
)
NUMBER = {kind.id: number for number, kind in enumerate(KINDS)}
ATTRIBUTES = (
    ("city", "shields", Combine.SUM),
    ("road", "inn", Combine.ANY),
    ("city", "height", Combine.MAX),
)
ALL = frozenset(REACH)


def face_from(data: dict[str, Any]) -> TileFace:
    segments = []
    for name, part in data["segments"].items():
        reach = REACH[part["kind"]][0]
        ports: list[int] = []
        for at in part.get("at", ()):
            if reach is Reach.HALVES:
                ports.append(PORT_OF_HALF[at])
            elif reach is Reach.CENTRE:
                ports.append(3 * SIDE_OF[at] + 1)
            elif at in PORT_OF_HALF:  # the centre of a shared side is of the first half
                ports += [PORT_OF_HALF[at] + i for i in range(2 - PORT_OF_HALF[at] % 3 // 2)]
            else:
                ports += [3 * SIDE_OF[at] + i for i in range(3)]
        numbers = tuple((n, part[n]) for _, n, _ in ATTRIBUTES if n in part)
        segments.append(
            Segment(
                name,
                part["kind"],
                tuple(part.get("at", ())),
                tuple(ports),
                tuple(part.get("borders", ())),
                (),
                numbers,
                tuple(part.get("symbols", ())),
                part.get("inside", ""),
                NOWHERE,
            )
        )
    x, y = data.get("at", (0, 0))
    return TileFace(
        x, y, tuple(data["edges"]), tuple(segments), tuple(data.get("symbols", ())), (), NOWHERE
    )


def piece_from(data: dict[str, Any]) -> PieceKind:
    faces = data.get("faces") or [[data]]
    return PieceKind(
        data["id"],
        data.get("count", 1),
        tuple(tuple(face_from(cell) for cell in face) for face in faces),
        "",
        "",
        (),
        "",
        NOWHERE,
    )


def pieces_of(ruleset: str) -> tuple[PieceKind, ...]:
    text = (RULESETS / ruleset / "tiles.yaml").read_text(encoding="utf-8")
    return tuple(map(piece_from, printed_tiles(yaml.safe_load(text)["tiles"])))


FIELD4 = {"kind": "field", "at": list(PORT_OF_HALF)}
DOUBLE = piece_from(
    {
        "id": "double",
        "faces": [
            [
                {
                    "edges": ["field", "river", "river", "city"],
                    "segments": {
                        "c": {"kind": "city", "at": ["W"], "shields": 1},
                        "w": {"kind": "river", "at": ["E", "S"]},
                        "f": {
                            "kind": "field",
                            "at": ["NNW", "NNE", "ENE", "SSW"],
                            "borders": ["c"],
                        },
                        "g": {"kind": "field", "at": ["ESE", "SSE"]},
                    },
                },
                {
                    "at": [1, 0],
                    "edges": ["river", "field", "field", "river"],
                    "segments": {
                        "w": {"kind": "river", "at": ["N", "W"]},
                        "f": {"kind": "field", "at": ["NNW", "WNW"]},
                        "g": {
                            "kind": "field",
                            "at": ["NNE", "ENE", "ESE", "SSE", "SSW", "WSW"],
                        },
                        "m": {"kind": "monastery", "inside": "g"},
                    },
                    "symbols": ["mark"],
                },
            ],
            [
                {"edges": ["field"] * 4, "segments": {"f": FIELD4}},
                {"at": [1, 0], "edges": ["field"] * 4, "segments": {"f": FIELD4}},
            ],
        ],
    }
)
TWO_FACED = piece_from(
    {
        "id": "two_faced",
        "faces": [
            [
                {
                    "edges": ["road", "field", "field", "field"],
                    "segments": {
                        "r": {"kind": "road", "at": ["N"], "inn": 1},
                        "f": FIELD4,
                    },
                }
            ],
            [
                {
                    "edges": ["city", "city", "road", "city"],
                    "segments": {
                        "c": {"kind": "city", "at": ["N", "E", "W"], "height": 3},
                        "r": {"kind": "road", "at": ["S"], "inn": 1},
                        "f": {"kind": "field", "at": ["SSE"], "borders": ["c"]},
                        "g": {"kind": "field", "at": ["SSW"], "borders": ["c"]},
                    },
                }
            ],
        ],
    }
)


def shapes_of(pieces: tuple[PieceKind, ...], live: frozenset[str] = ALL) -> Shapes:
    return build_shapes(pieces, KINDS, live, ATTRIBUTES, ("mark", "garden"))


@functools.cache
def game(name: str) -> tuple[tuple[PieceKind, ...], Shapes]:
    base = pieces_of("c2/base")
    pieces = {
        "base": base,
        "small": tuple(p for p in base if p.id not in ("city4_shield",)),
        "odd": (*base, DOUBLE, TWO_FACED),
    }[name]
    live = ALL - {"field"} if name == "small" else ALL
    return pieces, shapes_of(pieces, live)
