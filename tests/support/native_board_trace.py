"""Records random boards of the Python engine, for `core/engine/examples/check_board.rs`.

    PYTHONPATH=tests python -m support.native_board_trace FILE [GAME ...] [--boards N]

Each line is a question with its answer after `=`; the example gives the same questions to the
native board and compares. Pieces are laid by their edges alone, in an order by lot; no rule runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from tilewright.play.board import covering
from tilewright.play.board.board import Board
from tilewright.play.compiling.bytecode.tables import WORD, tables_of
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.encoding import ORIGIN, STRIDE
from tilewright.play.library import functions as library
from tilewright.play.library import preview
from tilewright.play.library.sets import bits, mask_of
from tilewright.play.program import Program
from tilewright.tools.workspace.loading import load_game

GAMES = (
    "c2/base",
    "c2/farmers",
    "c2/farmers+c2/princess-and-dragon",
    "c2/abbot+c2/farmers+c2/inns-and-cathedrals+c2/princess-and-dragon+c2/river"
    "+c2/traders-and-builders",
    "c3/base",
    "c3/farmers+c3.1/dragon-and-fairy",
    "c3/abbot+c3/farmers+c3/river-two-lakes+c3.1/dragon-and-fairy+c3.1/traders-and-builders",
    "c3/river-two-lakes",
    "c2/river",
    "c2/inns-and-cathedrals",
    "c2/traders-and-builders",
    "c2/farmers+c2/hills-and-sheep",
    "c2/abbey-and-mayor+c2/bridges+c2/farmers",
)


def trace(program: Program, seed: int, boards: int) -> Iterator[str]:
    """The lines for one game: its tables, then the questions about some boards."""
    rnd = Random(seed)
    sections = tables_of(program)
    for name, numbers in sections.items():
        yield f"section {name} {_line(numbers)}"
    yield "tables"
    shapes = program.shapes
    for number in range(boards):
        # every third board grows far to one side
        side = seed % 4 if number % 3 == 2 else None
        yield "reset"
        board = Board(shapes)
        bag = [i for i, piece in enumerate(program.game.pieces) for _ in range(piece.count)]
        rnd.shuffle(bag)
        yield from _counted(board, range(len(shapes.footprints)))
        for piece in bag:
            found = board.placements(piece)
            if not found:
                continue
            if side is not None:
                cell, layout = max(found, key=lambda place: far(place[0], side))
            else:
                cell, layout = rnd.choice(found[-6:] if rnd.random() < 0.5 else found)
            if rnd.random() < 0.02:
                yield "copy"
            yield f"lay {piece} {layout} {cell} = {len(board.tile_cell)}" + (
                f" {len(shapes.footprints[piece][layout])} {_after(board, piece, layout, cell)}"
            )
            if rnd.random() < 0.3 and sections["counts"][6]:
                feature = rnd.choice(board.feature_roots() or [0])
                figure = rnd.randrange(WORD * sections["counts"][6])
                if feature < len(board.parent):
                    board.figures[feature] |= 1 << figure
                    yield f"figure {feature} {figure} ="
            if shapes.covers.shapes and rnd.random() < 0.5:
                yield from _covered(board, rnd)
            yield from _asked(board, rnd)


def _covered(board: Board, rnd: Random) -> Iterator[str]:
    """A cover over a tile by lot, and one that fits."""
    tiles = range(len(board.tile_cell))
    symbols = sorted({symbol for _, symbol, _ in board.shapes.covers.shapes})
    tried = (rnd.choice(tiles), rnd.choice(symbols), rnd.randrange(2))
    fitting = [
        (tile, symbol, side)
        for tile in tiles
        for symbol in symbols
        for side in covering.sides_for(board, tile, symbol)
    ]
    for tile, symbol, side in (tried, rnd.choice(fitting or [tried])):
        sides = covering.sides_for(board, tile, symbol)
        yield f"cover_sides {tile} {symbol} = {_line(sides)}"
        is_laid = covering.cover(board, tile, symbol, side)
        yield f"cover {tile} {symbol} {side} = {_line((is_laid, *board.completed))}"


def far(cell: int, side: int) -> int:
    """How far a cell is to the north, east, south or west."""
    x, y = cell % STRIDE, cell // STRIDE
    return (y, x, -y, -x)[side]


def _after(board: Board, piece: int, layout: int, cell: int) -> str:
    board.lay(piece, layout, cell)
    return _line(board.completed)


def _line(numbers: Iterable[Any]) -> str:
    return " ".join(map(str, map(int, numbers)))


def _counted(board: Board, pieces: Iterable[int]) -> Iterator[str]:
    for piece in pieces:
        total = board.count(piece)
        yield f"count {piece} = {total}"
        for k in {0, total // 2, total - 1} if total else ():
            yield f"locate {piece} {k} = {_line(board.locate(piece, k))}"


def _asked(board: Board, rnd: Random) -> Iterator[str]:
    pieces = range(len(board.shapes.footprints))
    yield from _counted(board, pieces)
    yield f"completed = {_line(board.completed)}"
    yield from _features(board)
    for piece in rnd.sample(pieces, min(3, len(pieces))):
        found = board.placements(piece)
        yield f"placements {piece} = {_line(chain.from_iterable(found))}"
        for cell, layout in rnd.sample(found, min(2, len(found))):
            yield from _previewed(board, piece, cell, layout, rnd)
        # a placement by lot, which seldom fits
        cell = rnd.choice(board.cells + board.tile_cell) + rnd.choice((0, 0, 1, 1024))
        layout = rnd.randrange(len(board.shapes.footprints[piece]) + 1)
        if layout < len(board.shapes.footprints[piece]):
            yield f"accepts {piece} {layout} {cell} = {int(board.accepts(piece, layout, cell))}"
        yield from _previewed(board, piece, cell, layout, rnd)
    yield from _tiles_and_cells(board, rnd)


def _features(board: Board) -> Iterator[str]:
    yield f"roots = {_line(board.feature_roots())}"
    for root in board.feature_roots():
        facts = [
            board.kind[root],
            board.open_ends[root],
            board.filled_around[root],
            board.tiles[root].bit_count(),
            board.is_complete(root),
            *(numbers[root] for numbers in board.attributes),
        ]
        yield f"feature {root} = {_line(facts)}"
        yield f"bordered {root} = {_line(board.bordered(root))}"
        yield f"tiles {root} = {_line(bits(board.tiles[root]))}"
        yield f"figures {root} = {_line(bits(board.figures[root]))}"


def _previewed(board: Board, piece: int, cell: int, layout: int, rnd: Random) -> Iterator[str]:
    match: Any = SimpleNamespace(board=board)
    at = (cell, layout)
    kinds = [None, rnd.randrange(len(board.shapes.kind_ids))]
    place = f"{piece} {cell} {layout}"
    yield f"cells {place} = {_line(library.cells(match, piece, at))}"
    yield f"completed_by {place} = {_line(preview.completed_by(match, piece, at))}"
    for kind in kinds:
        named = -1 if kind is None else kind
        added = preview.prints(match, piece, at, kind)
        yield f"prints {place} {named} = {_line(chain.from_iterable(added))}"
        yield f"joined {place} {named} = {_line(preview.joined(match, piece, at, kind))}"
    for wanted in preview.prints(match, piece, at):
        found = preview.joins(match, piece, at, wanted)
        yield f"joins {place} {_line(wanted)} = {_line(found)}"


def _tiles_and_cells(board: Board, rnd: Random) -> Iterator[str]:
    match: Any = SimpleNamespace(board=board)
    tiles = rnd.sample(range(len(board.tile_cell)), (len(board.tile_cell) + 1) // 2)
    for some in (tiles, range(len(board.tile_cell))):
        mask = mask_of(some)
        named = _line(bits(mask))
        segments = library.segments(match, mask)
        yield f"segments {named} = {_line(segments)}"
        yield f"open_segments {named} = {_line(library.open_segments(match, mask))}"
        rows = library.with_features(match, segments)
        yield f"with_features {named} = {_line(chain.from_iterable(rows))}"
    for segment in rnd.sample(segments, min(4, len(segments))):
        shape, index = board.tile_shape[segment >> 5], segment & 31
        facts = [
            library.feature_of(match, segment),
            library.is_complete_at(match, segment),
            library.segment_kind(match, segment),
            library.segment_symbols(match, segment),
            *(library.segment_number(match, segment, a) for a in range(len(board.attributes))),
            *board.shapes.segment_sides[shape][index],
            *board.shapes.segment_corners[shape][index],
        ]
        yield f"segment {segment} = {_line(facts)}"
    for tile in tiles[:3]:
        yield f"features_of_tile {tile} = {_line(library.features_of_tile(match, tile))}"
    yield f"furthest = {_line(library.furthest(match, side) for side in range(4))}"
    for cell in [*rnd.sample(board.tile_cell + board.cells, 3), ORIGIN, 0]:
        yield f"neighbours {cell} = {_line(board.neighbours(cell))}"
        yield f"around {cell} = {_line(library.around(match, cell))}"
        yield f"free {cell} = {int(library.has_free_side(match, cell))}"
        yield f"tile_at {cell} = {board.tile_at.get(cell, -1)}"
        for side in range(4):
            yield f"line {cell} {side} = {_line(board.line(cell, side))}"


def main() -> None:
    """Write the lines of all games to a file."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument("--boards", type=int, default=3)
    options.add_argument("games", nargs="*", default=GAMES)
    chosen = options.parse_args()
    with chosen.file.open("w", encoding="utf-8") as out:
        for number, text in enumerate(chosen.games or GAMES):
            game, reporter = load_game(text)
            if game is None:
                raise SystemExit("\n".join(map(str, reporter.diagnostics)))
            out.write(f"game {text}\n")
            for line in trace(compile_game(game), number, chosen.boards):
                out.write(line + "\n")


if __name__ == "__main__":
    main()
