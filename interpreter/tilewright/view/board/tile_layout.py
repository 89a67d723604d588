"""The layout of one printed tile: shapes, ways, marks, and a place for every figure.

The tile is rasterised once; the remainder without areas and ways is divided into lands, each given
to the segment whose ports it touches. Marks and figures then find free places in the raster.
Printed north up; nothing here draws, and nothing here depends on the meaning of a kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from tilewright.language.source.identity import kept_by_identities
from tilewright.rules.model.references import NO_LABEL
from tilewright.rules.model.ruleset import NO_COVER, FeatureKind, Reach, SymbolDecl, TileFace
from tilewright.rules.model.ruleset import Segment as Part
from tilewright.view.board.curves import CENTRE, WAY_WIDTH, Point, sample, turn_point
from tilewright.view.board.raster import Raster
from tilewright.view.board.tile_places import Places
from tilewright.view.board.tile_shapes import (
    Area,
    Mark,
    Way,
    areas_of,
    drawn_reach,
    give_lands,
    joints_of,
    ways_of,
)

#: where a figure stands before a building: to the right of its middle and below, upright
BEFORE = (15.0, 8.0)


@dataclass(frozen=True, slots=True)
class Plan:
    """One tile, laid out."""

    areas: tuple[Area, ...]
    ways: tuple[Way, ...]
    marks: tuple[Mark, ...]
    spots: tuple[tuple[str, Point], ...]  # segment, where a figure on it stands
    joints: tuple[tuple[str, Point, Point], ...]  # kind, where two areas touch between lands
    hedges: tuple[tuple[str, Point, Point], ...]  # kind, where two lands meet on open ground
    names: tuple[str, ...]  # the segments that the raster's labels stand for
    tops: frozenset[str]  # the segments that lie above everything, as covers do
    raster: Raster

    @property
    def buildings(self) -> frozenset[str]:
        """The segments that are drawn as a building: a figure there stands before it."""
        return frozenset(mark.part for mark in self.marks if mark.what == "inside")


@kept_by_identities
def plan(
    face: TileFace, kinds: Mapping[str, FeatureKind], symbols: Mapping[str, SymbolDecl]
) -> Plan:
    """The layout of a face; computed once for every face, its kinds and its landmarks, whatever
    their labels are.
    """
    used = tuple(_unlabelled(kinds[name]) for name in sorted({part.kind for part in face.segments}))
    names = {*face.symbols, *(name for part in face.segments for name in part.symbols)}
    landmarks = frozenset(n for n in names if n in symbols and symbols[n].is_landmark)
    covers = {n for n in names if n in symbols and symbols[n].covers != NO_COVER}
    tops = frozenset(part.id for part in face.segments if not covers.isdisjoint(part.symbols))
    return _plan(face, used, landmarks, tops)


def place_on(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    segment: str,
    turn: int = 0,
) -> Point:
    """The place of a figure on a segment of a tile that lies turned, in units of 100 to a tile, to
    the right and down; the tile's middle for a segment that is not on it.
    """
    layout = plan(face, kinds, symbols)
    spot = next((at for name, at in layout.spots if name == segment), CENTRE)
    x, y = turn_point(spot, turn)
    if segment in layout.buildings:
        return (x + BEFORE[0], y + BEFORE[1])
    return (x, y)


def segment_at(
    face: TileFace,
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    at: Point,
    turn: int = 0,
) -> str | None:
    """The segment that is drawn at a point of a tile that lies turned; None where none is."""
    layout = plan(face, kinds, symbols)
    label = layout.raster.at(turn_point(at, -turn))
    return layout.names[label] if 0 <= label < len(layout.names) else None


@lru_cache(maxsize=256)
def _unlabelled(kind: FeatureKind) -> FeatureKind:
    attributes = tuple(replace(attribute, label=NO_LABEL) for attribute in kind.attributes)
    return replace(kind, label=NO_LABEL, attributes=attributes)


@lru_cache(maxsize=1024)
def _plan(
    face: TileFace,
    used: tuple[FeatureKind, ...],
    landmarks: frozenset[str],
    tops: frozenset[str],
) -> Plan:
    kinds = {kind.id: kind for kind in used}
    by_reach: dict[Reach, list[Part]] = {reach: [] for reach in Reach}
    for part in face.segments:
        by_reach[drawn_reach(part, kinds[part.kind])].append(part)
    areas = areas_of(by_reach[Reach.SIDE], by_reach[Reach.HALVES])
    raster = Raster()
    for i, area in enumerate(areas):
        raster.fill(area.shape.polygon, i)
    ways, ends = ways_of(by_reach[Reach.CENTRE], by_reach[Reach.INSIDE], areas, raster, face, tops)
    is_over = face.crosses == "over"
    ways.sort(key=lambda way: way.part.id in tops)
    for i, way in enumerate(ways):
        lies_over = is_over or way.part.id in tops
        for chain in way.chains:
            raster.trace(sample(chain, 30), WAY_WIDTH / 2 + 1.5, len(areas) + i, over=lies_over)
    lands = by_reach[Reach.HALVES]
    joints = [joint for part in lands for joint in joints_of(part, areas, raster)]
    hedges = give_lands(lands, len(areas) + len(ways), raster)
    raster.measure()
    places = Places(face, kinds, landmarks, by_reach, areas, ways, lands, raster)
    places.settle(ends)
    parts = tuple(a.part.id for a in areas) + tuple(w.part.id for w in ways)
    return Plan(
        tuple(areas),
        tuple(ways),
        tuple(places.marks),
        tuple(places.spots.items()),
        tuple(joints),
        tuple(hedges),
        parts + tuple(part.id for part in lands),
        tops,
        raster,
    )
