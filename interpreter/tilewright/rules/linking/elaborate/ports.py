"""Fills in the ports of segments, and adds segments for symbols that declare one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.source.identity import kept_by_identity, kept_by_identity_with
from tilewright.rules.model.geometry import PORT_OF_HALF, SIDE_OF
from tilewright.rules.model.ruleset import FeatureKind, PieceKind, Reach, Segment, TileFace

Kinds = Mapping[str, FeatureKind]


def by_id(kinds: Iterable[FeatureKind]) -> dict[str, FeatureKind]:
    """The kinds by their ids."""
    return {kind.id: kind for kind in kinds}


def ports_of(segment: Segment, reach: Reach) -> tuple[int, ...]:
    """The ports of a segment; names that do not fit its reach give none."""
    ports: list[int] = []
    for name in segment.at:
        if reach is Reach.HALVES and name in PORT_OF_HALF:
            ports.append(PORT_OF_HALF[name])
        elif reach is Reach.SIDE and name in PORT_OF_HALF:
            # where two share a side, its centre is of the first
            half = PORT_OF_HALF[name]
            ports.extend((half, half + 1) if half % 3 == 0 else (half,))
        elif reach is Reach.SIDE and name in SIDE_OF:
            ports.extend(range(3 * SIDE_OF[name], 3 * SIDE_OF[name] + 3))
        elif reach is Reach.CENTRE and name in SIDE_OF:
            ports.append(3 * SIDE_OF[name] + 1)
    return tuple(sorted(ports))


def with_ports(piece: PieceKind, kinds: Kinds, reporter: Reporter) -> PieceKind:
    """The piece with the ports of its segments filled in; unknown kinds are reported."""
    used = kinds_on(piece)
    if not kinds.keys() >= used:
        for segment in segments_of(piece):
            if segment.kind not in kinds:
                message = f"unknown feature kind `{segment.kind}` of segment `{segment.id}` on tile"
                message += f" `{piece.id}`{did_you_mean(segment.kind, kinds)}"
                reporter.error("TW501", message, segment.span)
    return _filled(piece, tuple((id_, kinds[id_].reach) for id_ in kinds if id_ in used))


def segments_of(piece: PieceKind) -> list[Segment]:
    """All segments that are printed on a piece."""
    return [segment for face in piece.faces for cell in face for segment in cell.segments]


@kept_by_identity
def kinds_on(piece: PieceKind) -> frozenset[str]:
    """The kinds of the segments that are printed on a piece."""
    return frozenset(segment.kind for segment in segments_of(piece))


@kept_by_identity
def symbols_on(piece: PieceKind) -> frozenset[str]:
    """The symbols that are printed on the cells of a piece."""
    return frozenset(symbol for face in piece.faces for cell in face for symbol in cell.symbols)


@kept_by_identity_with
def _filled(piece: PieceKind, reaches: tuple[tuple[str, Reach], ...]) -> PieceKind:
    """The piece with ports for segments of known kinds; cached, because many games use it."""
    known = dict(reaches)

    def filled(segment: Segment) -> Segment:
        reach = known.get(segment.kind)
        return segment if reach is None else replace(segment, ports=ports_of(segment, reach))

    return replace(
        piece,
        faces=tuple(
            tuple(replace(cell, segments=tuple(map(filled, cell.segments))) for cell in face)
            for face in piece.faces
        ),
    )


def with_marked_segments(piece: PieceKind, marked: Mapping[str, FeatureKind]) -> PieceKind:
    """The piece with a segment for each symbol that stands for one in this game."""

    def cell_with(cell: TileFace) -> TileFace:
        more = tuple(
            Segment(marked[symbol].id, marked[symbol].id, (), (), (), (), (), (), "", cell.span)
            for symbol in cell.symbols
            if symbol in marked
        )
        return replace(cell, segments=(*cell.segments, *more)) if more else cell

    if symbols_on(piece).isdisjoint(marked):
        return piece
    return replace(piece, faces=tuple(tuple(map(cell_with, face)) for face in piece.faces))
