"""Perft: the exact number of placement sequences to a depth, a fingerprint of a set of tiles.

From the position after setup, any tile with a copy left may come next, in any cell and any distinct
orientation. Tiles with equal edges, segments and links count once, whatever their names and other
prints; so do orientations. Rules may forbid placements (`may_lay`); figures are never placed,
nothing is drawn, and no other rule runs. The last tile is counted without a placement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tilewright.play.board.board import Board
from tilewright.play.encoding import OFFSETS
from tilewright.play.match import Match
from tilewright.play.new_match import begin
from tilewright.play.program import Program
from tilewright.rules.model.ruleset import TileFace

#: hears how many tiles were counted to, and the count
Progress = Callable[[int, int], None]


def perft(program: Program, depth: int, progress: Progress | None = None) -> list[int]:
    """The number of placement sequences of 1, 2 ... depth tiles."""
    table = _after_setup(program)
    counter = _ByEdges(table) if _is_plain(table) else _ByBoard(table)
    counts = []
    for tiles in range(1, depth + 1):
        counts.append(counter.count(tiles))
        if progress is not None:
            progress(tiles, counts[-1])
    return counts


@dataclass(frozen=True, slots=True)
class Kind:
    """A class of equal tiles. `layouts` are the distinct orientations of the first one."""

    pieces: tuple[int, ...]
    layouts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    match: Match
    kinds: tuple[Kind, ...]
    stock: tuple[int, ...]  # copies left, by kind


# -------------------------------------------------------------------- equal tiles


def kinds_of_tiles(program: Program) -> tuple[Kind, ...]:
    """The pieces of a game, grouped where only names and marks differ."""
    marks = {kind.id for kind in program.game.features if kind.from_symbol}
    found: dict[frozenset[object], list[tuple[int, tuple[int, ...]]]] = {}
    for piece in range(len(program.game.pieces)):
        looks: dict[object, int] = {}
        for layout, look in enumerate(_looks(program, piece, marks)):
            looks.setdefault(look, layout)
        found.setdefault(frozenset(looks), []).append((piece, tuple(looks.values())))
    return tuple(Kind(tuple(piece for piece, _ in alike), alike[0][1]) for alike in found.values())


def _looks(program: Program, piece: int, marks: set[str]) -> Iterator[object]:
    shapes = program.shapes
    for layout in shapes.layouts[piece]:
        yield tuple(
            sorted(
                (x, y, _look(shapes.face_of[shape], shapes.turn_of[shape], marks))
                for (x, y), shape in layout
            )
        )


def _look(face: TileFace, turn: int, marks: set[str]) -> tuple[object, ...]:
    """Edges, segments and links of a tile turned so; no names, no marks."""
    segments = [s for s in face.segments if s.kind not in marks]
    place = {
        s.id: (s.kind, tuple(sorted((port + 3 * turn) % 12 for port in s.ports))) for s in segments
    }
    return (
        tuple(face.edges[(side - turn) % 4] for side in range(4)),
        tuple(
            sorted(
                (*place[s.id], tuple(sorted(place[b] for b in s.borders if b in place)))
                for s in segments
            )
        ),
    )


# ------------------------------------------------------------------ where it begins


class _Begun(Exception):  # noqa: N818 - a signal: nothing is wrong
    """Setup is over."""


def _after_setup(program: Program) -> _Table:
    """The table before the first turn; pieces that setup drew at random are back in their stack."""
    match = Match(program, program.game.players_least, 0)
    stopped = match.fork()
    drawn: list[object] = []

    def listen(here: Match, event: str, facts: tuple[object, ...]) -> None:
        if event == "draw":
            drawn.append(facts[1])
        elif event in ("turn", "final"):
            nonlocal stopped
            stopped = here.fork()
            raise _Begun

    match.listeners = (listen,)
    try:
        begin(match)
        while match.to_move >= 0:  # setup may have decisions; the first option will do
            match.choose_number(0)
    except _Begun:
        match = stopped
    on_board = [0] * len(program.game.pieces)
    tile = 0
    while tile < len(match.board.tile_piece):
        piece = match.board.tile_piece[tile]
        on_board[piece] += 1
        tile += len(program.shapes.footprints[piece][0])
    holding = [
        s for s, d in zip(match.stacks, program.game.stacks, strict=True) if d.holds == "tiles"
    ]
    left = []
    for piece, kind_of in enumerate(program.game.pieces):
        there = sum(stack.count(piece) for stack in holding)
        elsewhere = kind_of.count - there - on_board[piece]
        left.append(there + min(drawn.count(piece), elsewhere))
    kinds = kinds_of_tiles(program)
    return _Table(match, kinds, tuple(sum(left[p] for p in kind.pieces) for kind in kinds))


def _is_plain(table: _Table) -> bool:
    """Whether edges alone decide, and every piece covers one cell."""
    program = table.match.program
    single = all(len(f) == 1 for layouts in program.shapes.footprints for f in layouts)
    return single and program.may_lay is None


# ------------------------------------------------------------------ counting by what cells demand


class _ByEdges:
    """The fast way: a position is only the open cells and what each of them demands."""

    def __init__(self, table: _Table) -> None:
        shapes = table.match.program.shapes
        self.stock = list(table.stock)
        self.filled = set(table.match.board.tile_at)
        board = table.match.board
        self.open = dict(zip(board.cells, board.demand, strict=True))
        #: by kind: demand -> what each layout that fits demands of the four cells beside it
        self.fits: list[dict[int, list[tuple[int, ...]]]] = []
        for kind in table.kinds:
            piece = kind.pieces[0]
            wanted = set(kind.layouts)
            fits: dict[int, list[tuple[int, ...]]] = {}
            for demand, layouts in shapes.fitting[piece].items():
                rows = [
                    shapes.demands[shapes.footprints[piece][layout][0][1]]
                    for layout in layouts
                    if layout in wanted
                ]
                if rows:
                    fits[demand] = rows
            self.fits.append(fits)
        self.weights: dict[tuple[bool, ...], dict[int, int]] = {}

    def count(self, tiles: int) -> int:
        """The number of sequences of `tiles` placements from here."""
        weight = self.weight()
        if tiles == 1:
            return sum(weight.get(demand, 0) for demand in self.open.values())
        if tiles == 2:
            return self.count_two()
        total = 0
        for kind, fits in enumerate(self.fits):
            if not self.stock[kind]:
                continue
            self.stock[kind] -= 1
            for cell, demand in list(self.open.items()):
                for beside in fits.get(demand, ()):
                    kept = self.lay(cell, beside)
                    total += self.count(tiles - 1)
                    self.take_back(cell, kept)
            self.stock[kind] += 1
        return total

    def count_two(self) -> int:
        """Two tiles: the second is counted by what the first has changed in four cells."""
        open_cells, filled = self.open, self.filled
        total = 0
        for kind, fits in enumerate(self.fits):
            if not self.stock[kind]:
                continue
            self.stock[kind] -= 1
            weight = self.weight().get
            self.stock[kind] += 1
            whole = sum(weight(demand, 0) for demand in open_cells.values())
            for cell, demand in open_cells.items():
                if demand not in fits:
                    continue
                kept = whole - weight(demand, 0)
                around = [
                    (side, open_cells.get(cell + step, 0))
                    for side, step in enumerate(OFFSETS)
                    if cell + step not in filled
                ]
                kept -= sum(weight(before, 0) for _, before in around if before)
                for beside in fits[demand]:
                    total += kept
                    for side, before in around:
                        total += weight(before + beside[side], 0)
        return total

    def weight(self) -> dict[int, int]:
        """By demand: in how many ways some tile that is left fits."""
        key = tuple(copies > 0 for copies in self.stock)
        found = self.weights.get(key)
        if found is None:
            found = self.weights[key] = {}
            for there, fits in zip(key, self.fits, strict=True):
                for demand, rows in fits.items() if there else ():
                    found[demand] = found.get(demand, 0) + len(rows)
        return found

    def lay(self, cell: int, beside: Sequence[int]) -> tuple[int, list[tuple[int, int]]]:
        demand = self.open.pop(cell)
        self.filled.add(cell)
        changed = []
        for step, wanted in zip(OFFSETS, beside, strict=True):
            if cell + step not in self.filled:
                changed.append((cell + step, wanted))
                self.open[cell + step] = self.open.get(cell + step, 0) + wanted
        return demand, changed

    def take_back(self, cell: int, kept: tuple[int, list[tuple[int, int]]]) -> None:
        demand, changed = kept
        self.filled.discard(cell)
        for beside, wanted in changed:
            self.open[beside] -= wanted
            if not self.open[beside]:
                del self.open[beside]
        self.open[cell] = demand


# ------------------------------------------------------------------ counting on real boards


class _ByBoard:
    """The way for pieces of several cells and for rules that bar placements."""

    def __init__(self, table: _Table) -> None:
        self.table = table
        self.stock = list(table.stock)
        self.match = table.match

    def count(self, tiles: int, board: Board | None = None) -> int:
        """The number of sequences of `tiles` placements from a board."""
        board = board or self.table.match.board
        total = 0
        for number, kind in enumerate(self.table.kinds):
            if not self.stock[number]:
                continue
            self.stock[number] -= 1
            for cell, layout in self.placements(board, kind):
                if tiles == 1:
                    total += 1
                    continue
                after = board.copy()
                after.lay(kind.pieces[0], layout, cell)
                total += self.count(tiles - 1, after)
            self.stock[number] += 1
        return total

    def placements(self, board: Board, kind: Kind) -> list[tuple[int, int]]:
        piece, wanted = kind.pieces[0], set(kind.layouts)
        found = [at for at in board.placements(piece) if at[1] in wanted]
        may_lay = self.match.program.may_lay
        if may_lay is not None:
            self.match.board = board
            found = [at for at in found if may_lay(self.match, piece, at)]
        return found
