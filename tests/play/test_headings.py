"""Headings: arrows that turn with their tile, and cells some steps away, over gaps and corners.

The tiles of `trial/gliders` of `tests/data/headings` have arrows. Their headings, and the cells
that lie there, are counted here from the texts of the placements alone.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.played import data_program, reloaded
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.play.board.board import cell_of, xy_of
from tilewright.play.library.functions import cell_at
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.view.board.text_tile import tile_text
from tilewright.view.board.tile_svg import tile_group

GLIDERS = "trial/gliders"
#: printed arrows by tile, as steps to the east and to the north
PRINTED = {
    "plain_nw": {"gust": (-1, 1)},
    "plain_e": {"gust": (1, 0), "vane": (0, -1)},
    "through_road": {"gust": (1, 1)},
    "still": {},
}
STEPS = {"short_flight": 1, "far_flight": 2, "long_flight": 3}
#: clockwise from the north
AROUND = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]

program_of = partial(data_program, "headings", GLIDERS)


def turned(step: tuple[int, int], north: str) -> tuple[int, int]:
    """A printed step after the tile is turned so that its north points to a side."""
    x, y = step
    for _ in range("NESW".index(north)):
        x, y = y, -x
    return x, y


class Flights:
    """The memory of a match with gliders, counted from placements and draws."""

    def __init__(self) -> None:
        self.tiles = {(0, 0)}
        self.rolled = 0
        self.checked = 0

    def __call__(self, match: Match, event: str, about: tuple[Any, ...]) -> None:
        if event == "draw":
            self.rolled = STEPS.get(match.program.game.stacked[about[1]].id, self.rolled)

    def ray(self, begin: tuple[int, int], step: tuple[int, int], far: int) -> list[tuple[int, int]]:
        ends = ((begin[0] + n * step[0], begin[1] + n * step[1]) for n in range(1, far + 1))
        return [end for end in ends if end in self.tiles]

    def compare(self, match: Match, piece: str, at: tuple[int, int], north: str) -> None:
        names = (memory.declaration.id for memory in match.program.game.memory)
        kept = dict(zip(names, match.memory, strict=True))
        arrows = PRINTED[piece]
        self.checked += 1
        assert kept["round_about"] == [n for n, s in enumerate(AROUND) if self.ray(at, s, 1)]
        if "gust" not in arrows:
            assert kept["flown"] is None
            return
        way = turned(arrows["gust"], north)
        assert AROUND[kept["flown"]] == way
        landed = self.ray(at, way, self.rolled)
        end = (at[0] + way[0] * self.rolled, at[1] + way[1] * self.rolled)
        goal = None if kept["goal"] is None else xy_of(kept["goal"])
        assert goal == (end if end in landed else None)
        behind = self.ray(at, (-way[0], -way[1]), 500)
        assert kept["seen"] == len(self.ray(at, way, 3)) + 10 * len(behind)


def north_of(match: Match, text: str) -> tuple[tuple[int, int], str]:
    _, cell, north = text.split()[:3]
    x, y = map(int, cell.split(","))
    return (x, y), north


@examples(10)
@given(st.integers(0, 10**9), st.integers(2, 4))
def test_arrows_and_cells_are_those_counted_by_hand(seed: int, players: int) -> None:
    flights, rng = Flights(), random.Random(seed)
    match = start_match(program_of(), players, seed, listeners=(flights,))
    laid: tuple[str, tuple[int, int], str] | None = None
    while match.to_move >= 0:
        k = int(rng.random() * match.count)
        text = option_texts(match)[k]
        if match.step == "lay_tile":
            if laid is not None and laid[0] in PRINTED:
                flights.compare(match, *laid)
            at, north = north_of(match, text)
            laid = (match.program.game.pieces[match.piece].id, at, north)
            flights.tiles.add(at)
        elif match.step == "flight":
            assert laid is not None
            way = AROUND.index(turned(PRINTED[laid[0]]["gust"], laid[2]))
            names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
            assert option_texts(match)[:-1] == [
                f"lean {names[(way + 7) % 8]}",
                f"lean {names[(way + 1) % 8]}",
            ]
        match.choose_number(k)
    assert flights.checked > 5


@needs_core
@examples(10)
@given(st.integers(0, 10**9), st.integers(2, 4))
def test_both_engines_play_the_same(seed: int, players: int) -> None:
    match, other = begun(program_of(), players, seed)
    assert match is not None
    play_both(match, other, Named(GLIDERS, players, seed), rng=random.Random(seed), options=True)


def test_a_tile_with_an_arrow_lies_in_four_ways() -> None:
    shapes = program_of().shapes
    number = program_of().piece_number
    ways = {name: len(shapes.layouts[number[name]]) for name in PRINTED}
    assert ways == {"plain_nw": 4, "plain_e": 4, "through_road": 4, "still": 4}


def test_a_ray_ends_at_the_edge_of_the_table() -> None:
    match = start_match(program_of(), 2, 1)
    middle = cell_of(0, 0)
    assert cell_at(match, middle, 0) == middle
    assert cell_at(match, middle, 8 * 1023) is None
    assert cell_at(match, middle, 2 + 8 * 1024) is None
    assert cell_at(match, middle, 2 + 8 * 10**12) is None
    assert cell_at(match, middle, 2 - 8) is None
    assert cell_at(match, cell_of(-511, 0), 2 + 8 * 511) == middle


def test_a_save_holds_a_heading() -> None:
    match, rng = start_match(program_of(), 2, "ways"), random.Random(3)
    while match.step != "flight":
        match.choose_number(int(rng.random() * match.count))
    twin = reloaded(match)
    assert (twin.digest(), option_texts(twin)) == (match.digest(), option_texts(match))


def test_pictures_show_where_an_arrow_points() -> None:
    game = program_of().game
    kinds = {kind.id: kind for kind in game.features}
    symbols = {symbol.id: symbol for symbol in game.symbols}
    face = next(piece for piece in game.pieces if piece.id == "plain_nw").faces[0][0]
    pictures = [tile_group(face, kinds, symbols, turn=turn) for turn in range(4)]
    assert len(set(pictures)) == 4
    for turn, arrow in enumerate("↖↗↘↙"):
        assert tile_text(face, kinds, symbols, turn=turn).count(arrow) == 1
