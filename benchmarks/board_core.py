"""How fast the board of the Python engine is: microseconds for a lay, for counting, for a fork.

Random games of the base pieces, edges only, no rules: what is left of a turn when nothing but the
board works. `--copies` of the set show how it grows. Run it twice; one row moves a few per cent.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "interpreter"), str(ROOT / "tests")]

from support.board_pieces import ALL, KINDS, pieces_of  # noqa: E402
from tilewright.play.board.board import Board  # noqa: E402
from tilewright.play.board.build_tile_tables import build_shapes  # noqa: E402
from tilewright.play.board.tile_tables import Shapes  # noqa: E402
from tilewright.rules.model.ruleset import Combine  # noqa: E402

Game = list[tuple[int, int, int]]


def script(shapes: Shapes, bag: list[int], seed: int) -> Game:
    """One random game as (piece, which option, how many there were)."""
    rng = random.Random(seed)
    bag = bag[:]
    rng.shuffle(bag)
    board, moves = Board(shapes), []
    for piece in bag:
        if many := board.count(piece):
            pick = rng.randrange(many)
            moves.append((piece, pick, many))
            cell, layout = board.locate(piece, pick)
            board.lay(piece, layout, cell)
    return moves


def whole(shapes: Shapes, games: list[Game]) -> None:
    for game in games:
        board = Board(shapes)
        for piece, pick, _ in game:
            board.count(piece)
            cell, layout = board.locate(piece, pick)
            board.lay(piece, layout, cell)


def best(run: Callable[[], object], rounds: int) -> float:
    """Microseconds of the median round."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return statistics.median(times) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--copies", type=int, nargs="*", default=[1, 7])
    chosen = parser.parse_args()
    pieces = pieces_of("c2/base")
    bag = [number for number, piece in enumerate(pieces) for _ in range(piece.count)]
    attributes = (("city", "shields", Combine.SUM),)
    start = perf_counter()
    shapes = build_shapes(pieces, KINDS, ALL, attributes, ())
    print(f"build tables          {(perf_counter() - start) * 1e3:8.2f} ms")
    for label, live in (("all kinds", ALL), ("without halves", ALL - {"field"})):
        shapes = build_shapes(pieces, KINDS, live, attributes, ())
        for copies in chosen.copies:
            games = [script(shapes, bag * copies, seed) for seed in range(max(210 // copies, 10))]
            turns = sum(map(len, games))
            laid: list[Game] = []
            for game in games:
                board, moves = Board(shapes), []
                for piece, pick, _ in game:
                    cell, layout = board.locate(piece, pick)
                    moves.append((piece, layout, cell))
                    board.lay(piece, layout, cell)
                laid.append(moves)

            def lay_all(laid: list[Game] = laid, shapes: Shapes = shapes) -> None:
                for moves in laid:
                    board = Board(shapes)
                    for piece, layout, cell in moves:
                        board.lay(piece, layout, cell)

            every = best(lambda g=games, s=shapes: whole(s, g), chosen.rounds) / turns
            lay = best(lay_all, chosen.rounds) / turns
            print(
                f"{label:15} {copies * 72:4} tiles: {every:6.2f} us a turn"
                f" = lay {lay:5.2f} + count and locate {every - lay:5.2f}"
            )
        board = Board(shapes)
        for piece, pick, _ in script(shapes, bag, 3)[:40]:
            cell, layout = board.locate(piece, pick)
            board.lay(piece, layout, cell)
        fork = best(lambda b=board: [b.copy() for _ in range(1000)] and None, chosen.rounds)
        print(f"{label:15} fork at 40 tiles, kept: {fork / 1000:6.2f} us")

        def transient(board: Board = board) -> None:
            for _ in range(1000):
                board.copy()

        print(
            f"{label:15} fork at 40 tiles, dropped: {best(transient, chosen.rounds) / 1000:6.2f} us"
        )


if __name__ == "__main__":
    main()
