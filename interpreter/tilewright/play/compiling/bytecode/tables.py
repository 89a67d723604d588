"""The tables of a game's pieces as rows of numbers, for the native core.

Each section is one list of integers. Where things own different numbers of rows, a section `x_at`
holds the first row of each thing in `x`, and one number more: the number of rows. The core checks
everything that it reads. This module only copies the numbers of `Shapes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from tilewright.play.board.tile_tables import Shapes
from tilewright.play.compiling.bytecode.instructions import NotCarried
from tilewright.rules.linking.game import Game

#: symbols are bits of a number of 64 bits, which is never negative
MAX_SYMBOLS = 63
MAX_EDGES = 254
WORD = 64

Sections = dict[str, list[int]]


class HasTables(Protocol):
    """A program, or another thing that has a game and its tables."""

    @property
    def shapes(self) -> Shapes:
        """The tables of the pieces."""

    @property
    def game(self) -> Game:
        """The linked game."""


def tables_of(program: HasTables) -> Sections:
    """The sections of the tables of a program.

    Raises NotCarried when the game has more symbols or edges than the core can hold.
    """
    shapes, game = program.shapes, program.game
    if len(shapes.symbol_ids) > MAX_SYMBOLS:
        raise NotCarried(f"a game with more than {MAX_SYMBOLS} symbols")
    if len(shapes.edge_names) > MAX_EDGES:
        raise NotCarried(f"a game with more than {MAX_EDGES} kinds of edges")
    return {
        "counts": _counts(shapes, game),
        **_kinds(shapes),
        **_shapes(shapes),
        **_segments(shapes),
        **_pieces(shapes),
    }


def _counts(shapes: Shapes, game: Game) -> list[int]:
    """Kinds, shapes, pieces, attributes, edges, most tiles of a board, words of figures."""
    cells = sum(
        piece.count * len(layouts[0])
        for piece, layouts in zip(game.pieces, shapes.footprints, strict=True)
    )
    figures = sum(
        figure.count * (game.players_most if figure.owned else 1) for figure in game.figures
    )
    return [
        len(shapes.kind_ids),
        len(shapes.segments),
        len(shapes.footprints),
        len(shapes.attribute_ids),
        len(shapes.edge_names),
        max(cells, 1),
        -(-figures // WORD),
    ]


def _kinds(shapes: Shapes) -> Sections:
    """By kind of feature: what completes it, and (attribute, whether it adds up) when two join."""
    return {
        "closes": [int(closes) for closes in shapes.closes],
        **_rows("awaited", shapes.awaited),
        **_rows("merges", shapes.merges, 2),
    }


def _shapes(shapes: Shapes) -> Sections:
    """By shape: its edges, the segment at each port, its symbols; and which edges may touch."""
    edges = range(len(shapes.edge_names))
    return {
        "shape_edges": [
            digit - 1 for pattern in shapes.pattern for digit in shapes.digits(pattern)
        ],
        "edge_fits": [int(facing in shapes.fits[own]) for own in edges for facing in edges],
        "shape_enclosed": [int(enclosed) for enclosed in shapes.enclosed],
        "port_segment": [segment for ports in shapes.port_segment for segment in ports],
        "shape_symbols": list(shapes.symbols),
        "segments_at": _starts(map(len, shapes.segments)),
    }


def _segments(shapes: Shapes) -> Sections:
    """By segment, shape after shape: its kind, whether it waits, its loose ends, (side, port) of
    its other ends, (attribute, number, whether it adds up) printed on it, the segments it borders,
    its symbols, sides and corners.
    """
    segments = [segment for row in shapes.segments for segment in row]
    return {
        "segment_kind": [segment.kind for segment in segments],
        "segment_waits": [int(segment.waits) for segment in segments],
        "segment_loose": [segment.loose for segment in segments],
        **_rows("segment_joins", [segment.joins for segment in segments], 2),
        **_rows("segment_values", [segment.values for segment in segments], 3),
        **_rows("segment_borders", [segment.borders for segment in segments]),
        "segment_symbols": [symbols for row in shapes.segment_symbols for symbols in row],
        **_rows("segment_sides", [sides for row in shapes.segment_sides for sides in row]),
        **_rows("segment_corners", [found for row in shapes.segment_corners for found in row]),
    }


def _pieces(shapes: Shapes) -> Sections:
    """By piece: its layouts, each a list of (offset of a cell, shape); its symbols and kinds, and
    the piece beneath its cover. (Piece, symbol, covered piece), and so for shapes and sides."""
    on_pieces = [
        sorted({shape for layout in layouts for _, shape in layout})
        for layouts in shapes.footprints
    ]
    symbols = []
    for row in on_pieces:
        mask = 0
        for shape in row:
            mask |= shapes.symbols[shape]
        symbols.append(mask)
    kinds = [sorted({k for shape in row for k in shapes.segment_kind[shape]}) for row in on_pieces]
    layouts = [layout for layouts in shapes.footprints for layout in layouts]
    return {
        "layouts_at": _starts(map(len, shapes.footprints)),
        **_rows("footprint", layouts, 2),
        "layout_turns": [
            4 * face + turn
            for faces, turns in zip(shapes.layout_face, shapes.layout_turn, strict=True)
            for face, turn in zip(faces, turns, strict=True)
        ],
        "demanded": [shapes.demanded],
        "back": [shapes.back],
        "piece_beneath": list(shapes.beneath),
        "covered": [
            number
            for key, forms in sorted(shapes.covers.pieces.items())
            for form in forms
            for number in (*key, form)
        ],
        "covered_shapes": [
            number
            for key, shape in sorted(shapes.covers.shapes.items())
            for number in (*key, shape)
        ],
        "piece_symbols": symbols,
        **_rows("piece_kinds", kinds),
    }


def _rows(name: str, rows: Iterable[Sequence[int | Sequence[int]]], width: int = 1) -> Sections:
    """The sections `name_at` and `name` for rows of numbers, or of tuples of `width` numbers."""
    flat: list[int] = []
    ends = [0]
    for row in rows:
        for item in row:
            flat += (item,) if isinstance(item, int) else map(int, item)
        ends.append(len(flat) // width)
    return {f"{name}_at": ends, name: flat}


def _starts(lengths: Iterable[int]) -> list[int]:
    """Where each of the things of these lengths begins, and where the last one ends."""
    found = [0]
    for length in lengths:
        found.append(found[-1] + length)
    return found
