"""Corners of segments, and corners where four fields meet, counted from the print of the tiles.

The rules of `trial/milestones` of `tests/data/corners` keep the corners that the laid tile holds,
and count the corners at which all four tiles show field. Both are counted here from the
file of tiles and the texts of the placements alone.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.paths import DATA, ROOT
from support.played import reloaded
from support.printed_tiles import printed_tiles
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.play.program import Program
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_program

MILESTONES = "trial/milestones"
#: the two halves of sides beside each corner as printed, clockwise from the northeast
HALVES = [("NNE", "ENE"), ("ESE", "SSE"), ("SSW", "WSW"), ("WNW", "NNW")]
SIDES = ["NE", "ES", "SW", "WN"]
#: by corner: the steps to the three other tiles there, with the corner of each that meets it
MEETING = [
    [((0, 1), 1), ((1, 1), 2), ((1, 0), 3)],
    [((1, 0), 2), ((1, -1), 3), ((0, -1), 0)],
    [((0, -1), 3), ((-1, -1), 0), ((-1, 0), 1)],
    [((-1, 0), 0), ((-1, 1), 1), ((0, 1), 2)],
]
Cell = tuple[int, int]


@cache
def program_of() -> Program:
    library = Library()
    library.add(DATA / "corners")
    program, reporter = load_program(MILESTONES, library=library)
    assert program is not None, reporter.diagnostics
    return program


@cache
def printed() -> dict[str, list[tuple[str, set[int]]]]:
    """By tile: the kind of each segment and the corners that it holds before the tile is turned."""
    text = (ROOT / "rulesets" / "c2" / "base" / "tiles.yaml").read_text("utf-8")
    found = {}
    for tile in printed_tiles(yaml.safe_load(text)["tiles"]):
        rows = []
        for segment in tile["segments"].values():
            at = segment.get("at", ())
            ends = HALVES if segment["kind"] == "field" else SIDES
            taken = segment["kind"] in ("field", "city")
            held = {k for k, pair in enumerate(ends) if taken and all(end in at for end in pair)}
            rows.append((segment["kind"], held))
        found[tile["id"]] = rows
    return found


class Surveyor:
    """The board as it was laid, and what the last tile of it should have brought."""

    def __init__(self) -> None:
        self.corners: dict[Cell, tuple[set[int], set[int]]] = {}

    def lay(self, piece: str, cell: Cell, north: str) -> None:
        turn = "NESW".index(north)
        rows = printed()[piece]
        held = {(k + turn) % 4 for _, corners in rows for k in corners}
        fields = {(k + turn) % 4 for kind, corners in rows if kind == "field" for k in corners}
        self.corners[cell] = held, fields

    def meetings(self, cell: Cell) -> int:
        (x, y), (_, fields) = cell, self.corners[cell]
        return sum(
            all(
                corner in self.corners.get((x + dx, y + dy), (set(), set()))[1]
                for (dx, dy), corner in MEETING[k]
            )
            for k in fields
        )


def kept(match: Match) -> dict[str, Any]:
    names = [memory.declaration.id for memory in match.program.game.memory]
    return dict(zip(names, match.memory, strict=True))


def meetings_in(seed: int, players: int) -> int:
    """Play a random match, count every corner by hand, and return how often four fields met."""
    match, rng = start_match(program_of(), players, seed), random.Random(seed)
    surveyor, met = Surveyor(), 0
    surveyor.lay("city1_road_straight", (0, 0), "N")
    while match.to_move >= 0:
        k = int(rng.random() * match.count)
        text, is_laid = option_texts(match)[k], match.step == "lay_tile"
        piece = match.program.game.pieces[match.piece].id if is_laid else ""
        match.choose_number(k)
        if is_laid:
            _, at, north = text.split()
            x, y = map(int, at.split(","))
            surveyor.lay(piece, (x, y), north)
            found, met = kept(match), met + surveyor.meetings((x, y))
            assert sorted(found["held"]) == sorted(2 * k + 1 for k in surveyor.corners[x, y][0])
            assert found["meetings"] == met
    return met


def test_corners_are_those_counted_by_hand() -> None:
    met: list[int] = []

    @examples(10)
    @given(st.integers(0, 10**9), st.integers(2, 4))
    def count(seed: int, players: int) -> None:
        met.append(meetings_in(seed, players))

    count()
    assert any(met)


@needs_core
@examples(10)
@given(st.integers(0, 10**9), st.integers(2, 4))
def test_both_engines_play_the_same(seed: int, players: int) -> None:
    match, other = begun(program_of(), players, seed)
    assert match is not None
    play_both(match, other, Named(MILESTONES, players, seed), rng=random.Random(seed), options=True)


def test_a_save_is_the_same_match() -> None:
    match, rng = start_match(program_of(), 2, "corners"), random.Random(5)
    for _ in range(40):
        match.choose_number(int(rng.random() * match.count))
    twin = reloaded(match)
    assert twin.digest() == match.digest()
