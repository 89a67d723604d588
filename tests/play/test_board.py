"""The board core against a recount that shares nothing with it.

Boards are grown at random; after every lay the running totals must equal what a flood fill over the
tiles finds, and the placements what trying every turn in every cell finds. The reader here is a
throw-away that knows just enough of a tile file.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.board_pieces import (
    ALL,
    ATTRIBUTES,
    FIELD4,
    NUMBER,
    RULESETS,
    game,
    piece_from,
    pieces_of,
    shapes_of,
)
from support.examples import examples
from tilewright.play.board.board import Board, cell_of, xy_of
from tilewright.play.board.board_state import BoardState
from tilewright.play.board.rebuild import derived, laid_pieces, rebuilt
from tilewright.play.encoding import ORIGIN
from tilewright.rules.model.geometry import SIDES, STEPS, facing_port, turned
from tilewright.rules.model.ruleset import Combine, PieceKind, Segment, TileFace

# ------------------------------------------------------------------ the recount


@dataclass
class Recount:
    """Features found by walking over turned printed tiles, as sets of (cell, segment)."""

    board: dict[tuple[int, int], tuple[TileFace, int]]
    live: frozenset[str]

    def segment_at(self, cell: tuple[int, int], port: int) -> Segment | None:
        face, turn = self.board[cell]
        for segment in face.segments:
            if segment.kind in self.live and (port - 3 * turn) % 12 in segment.ports:
                return segment
        return None

    def walk(
        self, cell: tuple[int, int], segment: Segment
    ) -> tuple[set[tuple[tuple[int, int], str]], set[tuple[tuple[int, int], int]]]:
        """All parts of the feature, and its open (cell, port)."""
        parts = {(cell, segment.id)}
        ends: set[tuple[tuple[int, int], int]] = set()
        todo = [(cell, segment)]
        while todo:
            (x, y), here = todo.pop()
            for printed in here.ports:
                port = turned(printed, self.board[x, y][1])
                step = STEPS[port // 3]
                beside = (x + step[0], y + step[1])
                if beside not in self.board:
                    ends.add(((x, y), port))
                    continue
                other = self.segment_at(beside, facing_port(port))
                assert other is not None
                assert other.kind == here.kind
                if (beside, other.id) not in parts:
                    parts.add((beside, other.id))
                    todo.append((beside, other))
        return parts, ends


def recount_of(board: Board, live: frozenset[str]) -> Recount:
    shapes = board.shapes
    return Recount(
        {
            xy_of(cell): (shapes.face_of[shape], shapes.turn_of[shape])
            for cell, shape in zip(board.tile_cell, board.tile_shape, strict=True)
        },
        live,
    )


def check(board: Board, live: frozenset[str]) -> None:
    recount = recount_of(board, live)
    shapes = board.shapes
    feature_of: dict[tuple[tuple[int, int], str], int] = {}
    for tile, features in enumerate(board.tile_features):
        for feature, name in zip(
            features, shapes.segment_names[board.tile_shape[tile]], strict=True
        ):
            feature_of[xy_of(board.tile_cell[tile]), name] = board.find(feature)
    seen: set[int] = set()
    for (cell, name), feature in feature_of.items():
        if feature in seen:
            continue
        seen.add(feature)
        segment = next(s for s in recount.board[cell][0].segments if s.id == name)
        parts, ends = recount.walk(cell, segment)
        assert parts == {part for part, f in feature_of.items() if f == feature}
        cells = {place for place, _ in parts}
        assert board.kind[feature] == NUMBER[segment.kind]
        assert board.tiles[feature] == sum(1 << board.tile_at[cell_of(*c)] for c in cells)
        missing = 0
        if segment.kind == "monastery":
            (x, y) = cell
            ring = [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
            missing = sum(place not in recount.board for place in ring)
            assert board.filled_around[feature] == 8 - missing
            assert board.open_ends[feature] == missing
        elif segment.kind == "city":
            sides = {(place, port // 3) for place, port in ends}
            assert board.open_ends[feature] == len(sides)
        elif segment.kind in ("road", "river"):
            assert board.open_ends[feature] == len(ends)
        else:
            assert (board.open_ends[feature] == 0) == (not ends)
        complete = not ends and not missing and segment.kind != "field"
        assert board.is_complete(feature) == complete
        printed = [
            (dict(s.attributes), s, place)
            for place, part in parts
            for s in recount.board[place][0].segments
            if s.id == part
        ]
        for index, (kind, attribute, combine) in enumerate(ATTRIBUTES):
            numbers = [values.get(attribute, 0) for values, _, _ in printed]
            want = sum(numbers) if combine is Combine.SUM else max(numbers)
            assert board.attributes[index][feature] == (want if kind == segment.kind else 0)
        across = {
            feature_of[place, other]
            for _, s, place in printed
            for other in s.borders
            if (place, other) in feature_of
        }
        assert board.bordered(feature) == sorted(across)
    assert sorted(seen) == board.feature_roots()


def brute_force(board: Board, piece: PieceKind) -> set[frozenset[object]]:
    """Every way to lay a piece, as the set of (cell, turned look) it would cover."""
    recount = recount_of(board, ALL)
    filled = set(recount.board)
    near = {(x + i, y + j) for x, y in filled for i in (-2, -1, 0, 1, 2) for j in (-2, -1, 0, 1, 2)}
    ways: set[frozenset[object]] = set()
    for up, face in enumerate(piece.faces):
        for turn in range(4):
            for ax, ay in near if filled else {(0, 0)}:
                cover = []
                for cell in face:
                    dx, dy = cell.x, cell.y
                    for _ in range(turn):
                        dx, dy = dy, -dx
                    cover.append(((ax + dx, ay + dy), cell))
                if any(place in filled for place, _ in cover):
                    continue
                touches = not filled
                fits = True
                for (x, y), cell in cover:
                    for side, (dx, dy) in enumerate(STEPS):
                        beside = (x + dx, y + dy)
                        if beside in filled:
                            touches = True
                            other, other_turn = recount.board[beside]
                            facing = other.edges[(side + 2 - other_turn) % 4]
                            fits &= cell.edges[(side - turn) % 4] == facing
                if fits and touches:
                    ways.add(frozenset((place, up, look(cell, turn)) for place, cell in cover))
    return ways


def look(cell: TileFace, turn: int) -> object:
    ports = {s.id: (s.kind, frozenset(turned(p, turn) for p in s.ports)) for s in cell.segments}
    return (
        tuple(cell.edges[(side - turn) % 4] for side in range(4)),
        frozenset(
            (ports[s.id], s.attributes, s.symbols, frozenset(ports[b] for b in s.borders))
            for s in cell.segments
        ),
        cell.symbols,
    )


def covers(board: Board, piece: int, cell: int, layout: int) -> frozenset[object]:
    shapes = board.shapes
    x, y = xy_of(cell)
    up = shapes.layout_face[piece][layout]
    return frozenset(
        ((x + dx, y + dy), up, look(shapes.face_of[shape], shapes.turn_of[shape]))
        for (dx, dy), shape in shapes.layouts[piece][layout]
    )


def check_options(board: Board, pieces: tuple[PieceKind, ...], piece: int) -> None:
    options = board.placements(piece)
    ways = [covers(board, piece, *option) for option in options]
    if board.tile_cell:
        assert len(set(ways)) == len(ways)
        assert set(ways) == brute_force(board, pieces[piece])
    assert board.copy().count(piece) == len(options)
    assert [board.locate(piece, k) for k in range(len(options))] == options
    assert all(board.accepts(piece, layout, cell) for cell, layout in options)
    assert board.fits(piece) == bool(options)


def grow(name: str, seed: int, steps: int, watch: bool) -> Board:
    pieces, shapes = game(name)
    rng = random.Random(seed)
    board = Board(shapes)
    live = ALL - {"field"} if name == "small" else ALL
    bag = [number for number, piece in enumerate(pieces) for _ in range(piece.count)]
    rng.shuffle(bag)
    if name == "odd":
        bag[0:0] = [len(pieces) - 2, len(pieces) - 1] * 2
    for piece in bag[:steps]:
        if watch:
            check_options(board, pieces, piece)
        if not board.fits(piece):
            continue
        cell, layout = board.locate(piece, rng.randrange(board.count(piece)))
        before = {f for f in board.feature_roots() if board.is_complete(f)}
        laid = board.lay(piece, layout, cell)
        assert laid.bit_count() == len(board.shapes.footprints[piece][layout])
        assert laid.bit_length() == len(board.tile_cell)
        after = {f for f in board.feature_roots() if board.is_complete(f)}
        assert len(board.completed) == len(set(board.completed))
        assert set(board.completed) == after - {board.find(f) for f in before}
        if watch:
            check(board, live)
    return board


# ------------------------------------------------------------------ tests


@examples(12)
@given(st.sampled_from(["base", "small", "odd"]), st.integers(0, 10**9), st.integers(5, 30))
def test_running_totals_equal_a_recount_and_options_a_search(
    name: str, seed: int, steps: int
) -> None:
    grow(name, seed, steps, watch=True)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ["base", "small", "odd"])
def test_half_a_game_agrees_with_a_recount_and_a_search_at_every_lay(name: str, seed: int) -> None:
    assert len(grow(name, seed, 36, watch=True).tile_cell) >= 36


@examples(10)
@given(st.sampled_from(["base", "odd"]), st.integers(0, 10**9))
def test_a_full_board_ends_as_a_recount_finds_it(name: str, seed: int) -> None:
    board = grow(name, seed, 90, watch=False)
    check(board, ALL)


@examples(20)
@given(st.sampled_from(["base", "odd"]), st.integers(0, 10**9), st.integers(1, 80))
def test_a_rebuilt_board_equals_the_running_one(name: str, seed: int, steps: int) -> None:
    board = grow(name, seed, steps, watch=False)
    figures = [(n, n % len(board.tile_features), 0) for n in range(3)]
    figures = [(n, t, s) for n, t, s in figures if board.tile_features[t]]
    for figure, tile, segment in figures:
        board.figures[board.find(board.tile_features[tile][segment])] |= 1 << figure
    again = rebuilt(board.shapes, laid_pieces(board), figures)
    assert derived(again) == derived(board)
    assert again.completed == board.completed
    assert again.parent == board.parent


@pytest.mark.parametrize("name", ["base", "small", "odd"])
def test_functions_that_lay_do_what_the_plans_say(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, shapes = game(name)
    for written in shapes.written:
        written.clear()
    monkeypatch.setattr("tilewright.play.board.board.OFTEN", 10**9)
    planned = [grow(name, seed, 80, watch=False) for seed in range(6)]
    assert not any(shapes.written)
    monkeypatch.setattr("tilewright.play.board.board.OFTEN", -1)
    for seed in range(6):  # the first lay of a plan has its function written
        grow(name, seed, 80, watch=False)
    for seed, board in enumerate(planned):
        again = grow(name, seed, 80, watch=False)
        assert all(getattr(again, slot) == getattr(board, slot) for slot in BoardState.__slots__)


def test_a_copy_goes_its_own_way() -> None:
    board = grow("base", 5, 40, watch=False)
    before = derived(board)
    twin = board.copy()
    assert derived(twin) == before
    assert all(
        getattr(twin, slot) == getattr(board, slot)
        for slot in BoardState.__slots__
        if slot != "shapes"
    )
    rng = random.Random(1)
    for piece in range(len(game("base")[0])):
        if twin.fits(piece):
            cell, layout = twin.locate(piece, rng.randrange(twin.count(piece)))
            twin.lay(piece, layout, cell)
    twin.figures[0] |= 4
    assert derived(board) == before
    assert derived(twin) != before


def test_figures_are_carried_into_the_merged_feature() -> None:
    pieces, shapes = game("base")
    number = {piece.id: i for i, piece in enumerate(pieces)}
    board = Board(shapes)
    through, cap = number["city2_through"], number["city1"]
    board.lay(cap, 1, ORIGIN)
    board.lay(cap, 3, cell_of(2, 0))
    for tile in (0, 1):
        board.figures[board.tile_features[tile][0]] |= 1 << tile
    board.lay(through, 0, cell_of(1, 0))
    assert board.completed == [board.find(board.tile_features[1][0])]
    assert board.tiles[board.completed[0]] == 0b111
    assert board.figures[board.completed[0]] == 0b11


def test_a_tile_that_closes_a_ring_counts_its_ends_once() -> None:
    pieces, shapes = game("base")
    curve = [piece.id for piece in pieces].index("road_curve")
    board = Board(shapes)
    turns = {(0, 0): {1, 0}, (1, 0): {3, 0}, (1, 1): {3, 2}, (0, 1): {1, 2}}
    for (x, y), sides in turns.items():
        for layout, shape in enumerate(cells[0][1] for cells in shapes.layouts[curve]):
            segment = next(s for s in shapes.segments[shape] if s.kind == NUMBER["road"])
            if {side for side, _ in segment.joins} == sides:
                board.lay(curve, layout, cell_of(x, y))
    assert len(board.tile_cell) == 4
    assert len(board.completed) == 1
    assert board.tiles[board.completed[0]] == 0b1111


def test_an_empty_board_offers_the_origin_in_every_layout() -> None:
    _, shapes = game("odd")
    for piece, layouts in enumerate(shapes.layouts):
        want = [(ORIGIN, layout) for layout in range(len(layouts))]
        assert Board(shapes).placements(piece) == want


def test_a_first_tile_elsewhere_leaves_no_open_cell_at_the_origin() -> None:
    _, shapes = game("base")
    board = Board(shapes)
    board.lay(0, 0, cell_of(5, 5))
    assert len(board.cells) == 4
    assert ORIGIN not in board.frontier_index


def test_laying_what_does_not_fit_is_refused() -> None:
    pieces, shapes = game("base")
    number = {piece.id: i for i, piece in enumerate(pieces)}
    board = Board(shapes)
    board.lay(number["city4_shield"], 0, ORIGIN)
    with pytest.raises(ValueError, match="does not fit"):
        board.lay(number["monastery_field"], 0, cell_of(1, 0))
    board = Board(shapes)
    board.lay(number["city4_shield"], 0, ORIGIN)
    with pytest.raises(ValueError, match="not empty"):
        board.lay(number["city4_shield"], 0, ORIGIN)


def test_the_base_pieces_have_a_hundred_and_seven_shapes() -> None:
    assert len(game("base")[1].face_of) == 107
    assert game("base")[1].narrow
    assert not game("odd")[1].narrow


@pytest.mark.parametrize("north", SIDES)
@pytest.mark.parametrize("face", [0, 1])
def test_a_spelling_is_read_back(face: int, north: str) -> None:
    _, shapes = game("odd")
    for piece, name in enumerate(shapes.piece_ids):
        found = shapes.layout_of(piece, face, north)
        if found is None:
            assert face == 1
            assert name not in ("double", "two_faced")
            continue
        layout, dx, dy = found
        own_face, own_north = shapes.spelled(piece, layout)
        assert own_face == face
        if own_north == north:
            assert (dx, dy) == (0, 0)
        assert shapes.layout_of(piece, own_face, own_north) == (layout, 0, 0)


def test_a_double_piece_alike_on_both_ends_is_one_layout_seen_from_two_cells() -> None:
    _, shapes = game("odd")
    double = shapes.piece_ids.index("double")
    assert [shapes.spelled(double, n) for n in range(len(shapes.layouts[double]))] == [
        (0, "N"),
        (0, "E"),
        (0, "S"),
        (0, "W"),
        (1, "N"),
        (1, "E"),
    ]
    assert shapes.layout_of(double, 1, "S") == (4, -1, 0)
    assert shapes.layout_of(double, 1, "W") == (5, 0, 1)


def test_marks_and_lines() -> None:
    _, shapes = game("odd")
    double = shapes.piece_ids.index("double")
    board = Board(shapes)
    assert board.lay(double, 0, ORIGIN) == 0b11
    assert [shapes.symbols[shape] for shape in board.tile_shape] == [0, 1]
    assert board.neighbours(ORIGIN) == [cell_of(1, 0)]
    assert board.line(cell_of(-1, 0), 1) == [ORIGIN, cell_of(1, 0)]
    assert board.line(cell_of(-1, 0), 3) == []
    # one river through both cells, its two ends open
    water = board.find(board.tile_features[0][1])
    assert water == board.find(board.tile_features[1][0])
    assert (board.open_ends[water], board.tiles[water]) == (2, 0b11)


def test_edges_of_one_name_must_show_the_same_kinds() -> None:
    bare = piece_from({"id": "bare", "edges": ["city"] * 4, "segments": {"f": FIELD4}})
    with pytest.raises(ValueError, match="`city` show different kinds"):
        shapes_of((*game("base")[0], bare))


@pytest.mark.parametrize(
    "path", sorted(p.parent.relative_to(RULESETS) for p in RULESETS.glob("*/*/tiles.yaml"))
)
def test_every_shipped_tile_can_be_turned(path: Path) -> None:
    assert shapes_of(pieces_of(str(path))).face_of


def test_numbers_of_a_first_tile_go_to_their_own_segments() -> None:
    _, shapes = game("odd")
    piece = shapes.piece_ids.index("two_faced")
    layout = shapes.layout_face[piece].index(1)
    board = Board(shapes)
    board.lay(piece, layout, ORIGIN)
    check(board, ALL)
    assert [numbers[:4] for numbers in board.attributes] == [[0] * 4, [0, 1, 0, 0], [3, 0, 0, 0]]
