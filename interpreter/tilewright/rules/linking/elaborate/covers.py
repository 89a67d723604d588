"""Adds the covered forms of pieces: each piece as it is when a cover lies over it.

A symbol with `covers` lies from side to side over a tile whose edges there have one name. These
have another name from then on, that of a feature kind, and a segment of this kind joins them. This
form is a piece of its own without copies, so everything that holds for pieces holds for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tilewright.language.source.diagnostics import Note, Reporter, did_you_mean
from tilewright.language.source.identity import kept_by_identity_with
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.elaborate.ports import ports_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.geometry import SIDES

#: endings of ids: a cover lies from north to south of the print, or across it
WAYS = ("ns", "ew")


def covered_pieces(
    pieces: Sequence[m.PieceKind], declared: Gathered, reporter: Reporter
) -> tuple[m.PieceKind, ...]:
    """The covered forms of these pieces, in their order; reports covers that cannot be, and
    segments named like a cover that can lie over them.
    """
    covers = [symbol for symbol in declared.symbols.values() if symbol.covers != m.NO_COVER]
    sound = [symbol for symbol in covers if _is_sound(symbol, declared.features, reporter)]
    sound.sort(key=lambda symbol: symbol.id)
    found: list[m.PieceKind] = []
    for piece in pieces:
        for symbol in sound:
            forms = _forms(piece, symbol.id, *symbol.covers)
            if forms:
                _check_names(piece, symbol, reporter)
            for form in forms:
                found.append(form)
                if form.id in declared.pieces:
                    message = f"`{form.id}` would also name a piece under the cover `{symbol.id}`"
                    reporter.error("TW733", message, declared.pieces[form.id].span)
    return tuple(found)


def forms_named(id_: str) -> Iterator[tuple[str, str]]:
    """The piece and the symbol of each covered form that an id may name."""
    for way in WAYS:
        words = id_.removesuffix(f"_{way}").split("_") if id_.endswith(f"_{way}") else []
        for at in range(1, len(words)):
            yield "_".join(words[:at]), "_".join(words[at:])


def _is_sound(symbol: m.SymbolDecl, kinds: Mapping[str, m.FeatureKind], reporter: Reporter) -> bool:
    kind = kinds.get(symbol.covers[1])
    if kind is None:
        message = f"the edges under `{symbol.id}` become `{symbol.covers[1]}`, which is not a"
        message += " kind of feature" + did_you_mean(symbol.covers[1], kinds)
    elif kind.reach is not m.Reach.CENTRE:
        message = f"the edges under `{symbol.id}` become `{kind.id}`, which takes more of a side"
        message += " than its centre: what lies beside it would be cut off"
    else:
        return True
    reporter.error("TW733", message, m.place_in(symbol, "covers", "edges", symbol.covers[1]))
    return False


def _check_names(piece: m.PieceKind, symbol: m.SymbolDecl, reporter: Reporter) -> None:
    for segment in piece.faces[0][0].segments:
        if segment.id == symbol.id:
            message = f"segment `{segment.id}` of tile `{piece.id}` has the name of a cover, which"
            message += " adds a segment of this name to the tile"
            note = Note(symbol.span, f"the cover `{symbol.id}` is here")
            reporter.error("TW748", message, segment.span, notes=(note,))


@kept_by_identity_with
def _forms(piece: m.PieceKind, symbol: str, over: str, edge: str) -> tuple[m.PieceKind, ...]:
    return tuple(_made(piece, symbol, over, edge))


def _made(piece: m.PieceKind, symbol: str, over: str, edge: str) -> Iterator[m.PieceKind]:
    if len(piece.faces) > 1 or len(piece.faces[0]) > 1:
        return
    cell = piece.faces[0][0]
    for side, name in enumerate(WAYS):
        if cell.edges[side] != over or cell.edges[side + 2] != over:
            continue
        edges = list(cell.edges)
        edges[side] = edges[side + 2] = edge
        above = m.Segment(
            symbol, edge, (SIDES[side], SIDES[side + 2]), (), (), (), (), (symbol,), "", cell.span
        )
        above = replace(above, ports=ports_of(above, m.Reach.CENTRE))
        north, east, south, west = edges
        top = replace(cell, edges=(north, east, south, west), segments=(*cell.segments, above))
        yield replace(
            piece,
            id=f"{piece.id}_{symbol}_{name}",
            count=0,
            letter="",
            faces=((top,),),
            cover=m.Cover(piece.id, symbol, side),
        )
