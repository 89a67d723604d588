"""The recount itself, compared with examples computed on paper."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from support.recount import Box, Cell, Part, Table, Tile, read_box, read_tile
from support.recount_scores import (
    Figure,
    Systems,
    gains_at_end,
    gains_of_turn,
    holders,
    worth_at_end,
    worth_completed,
    worth_surrounded,
)

Laid = tuple[str, Cell, str]  # piece, cell, side of the printed north
EVERYTHING = Systems(farmers="c2", inns="c2", abbot="c2", traders="c2")

THREE_ROADS: list[Laid] = [
    ("crossroads3", (0, 0), "N"),
    ("inn", (1, 0), "E"),
    ("crossroads3", (2, 0), "N"),
]
CITY_OF_FOUR: list[Laid] = [
    ("cathedral", (0, 0), "N"),
    ("city1", (0, 1), "S"),
    ("city1", (1, 0), "W"),
    ("city1", (-1, 0), "E"),
]
TWO_CITIES: list[Laid] = [
    ("cities_opposite", (0, 0), "N"),
    ("city1", (0, 1), "S"),
    ("city1", (0, -1), "N"),
]


def with_numbers(face: list[Tile], part: str, **numbers: int) -> list[list[Tile]]:
    """A piece like another, with more printed on one of its segments."""
    (tile,) = face
    parts = [
        replace(p, numbers=(*p.numbers, *numbers.items())) if p.id == part else p
        for p in tile.parts
    ]
    return [[replace(tile, parts=tuple(parts))]]


def box() -> Box:
    """The base game's tiles, a few it does not have, and a piece of two cells and two sides."""
    base = read_box(("c2/base",))
    open_land = {"edges": ["field"] * 4, "segments": {"m1": {"kind": "monastery"}}}
    west = {"at": ["0", "0"], "edges": ["field", "road", "field", "field"]}
    east = {"at": ["1", "0"], "edges": ["field", "road", "field", "road"]}
    west["segments"] = {"r1": {"kind": "road", "at": ["E"]}}  # type: ignore[assignment]
    east["segments"] = {"r1": {"kind": "road", "at": ["E", "W"]}}  # type: ignore[assignment]
    other = {"at": ["1", "0"], **open_land}
    plain = {"at": ["0", "0"], **open_land}
    return {
        **base,
        "inn": with_numbers(base["road_straight"][0], "r1", inns=1),
        "park": [[replace(base["monastery_field"][0][0], symbols=("garden_symbol",))]],
        "cathedral": with_numbers(base["city3_shield"][0], "c1", cathedrals=1, wine=1, wheat=2),
        "long": [
            [read_tile(west, west), read_tile(east, west)],
            [read_tile(plain, plain), read_tile(other, plain)],
        ],
    }


def table_of(laid: list[Laid], systems: Systems = EVERYTHING) -> Table:
    table = Table(box(), systems.marks)
    for piece, cell, north in laid:
        table.lay(piece, cell, north)
    return table


def standing(*figures: tuple[str, int, Part]) -> dict[int, Figure]:
    return {
        number: Figure(kind, owner, cell, segment)
        for number, (kind, owner, (cell, segment)) in enumerate(figures)
    }


# ------------------------------------------------------------------ features


def test_three_tiles_of_road_are_a_road() -> None:
    table = table_of(THREE_ROADS)
    road = table.feature_of(((1, 0), "r1"))
    assert road.parts == {((0, 0), "r1"), ((1, 0), "r1"), ((2, 0), "r3")}
    assert road.is_complete
    assert table.feature_of(((0, 0), "r2")).open_ends == 1


def test_a_field_borders_both_cities_of_its_tile() -> None:
    table = table_of(TWO_CITIES)
    field = table.feature_of(((0, 0), "f1"))
    assert {x.first for x in table.bordered(field)} == {((0, 0), "c1"), ((0, -1), "c1")}


def test_a_piece_of_two_cells_lies_on_both_and_turns_about_its_first() -> None:
    table = Table(box())
    assert table.lay("long", (0, 0), "N") == [(0, 0), (1, 0)]
    # turned half round it reaches west of its first cell
    assert ((3, 0), "S", 0) in table.placements("long")
    road = table.feature_of(((0, 0), "r1"))
    assert road.cells == {(0, 0), (1, 0)}
    assert road.open_ends == 1


def test_the_other_side_of_a_piece_shows_something_else() -> None:
    table = Table(box())
    assert table.lay("long", (0, 0), "E", face=1) == [(0, 0), (0, -1)]
    assert worth_surrounded(table.feature_of(((0, 0), "m1"))) == 2


def test_a_garden_is_like_a_monastery_where_it_stands_for_a_segment() -> None:
    cells = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    laid: list[Laid] = [
        ("park" if cell == (0, 0) else "monastery_field", cell, "N") for cell in cells
    ]
    table = table_of(laid)
    for name in ("m1", "garden"):
        middle = table.feature_of(((0, 0), name))
        assert middle.is_complete
        assert worth_completed(middle, EVERYTHING) == worth_surrounded(middle) == 9
    assert {x.kind for x in table.completed_by([(1, 1)])} == {"monastery", "garden"}
    assert "garden" not in {x.kind for x in table_of(laid, Systems()).features()}


# ------------------------------------------------------------------ points


def test_an_inn_doubles_a_road_and_an_unfinished_one_is_worth_nothing() -> None:
    road = table_of(THREE_ROADS).feature_of(((1, 0), "r1"))
    assert worth_completed(road, EVERYTHING) == 6
    assert worth_completed(road, Systems()) == 3
    unfinished = table_of(THREE_ROADS[:2])
    assert worth_at_end(unfinished, unfinished.feature_of(((1, 0), "r1")), EVERYTHING) == 0
    assert worth_at_end(unfinished, unfinished.feature_of(((1, 0), "r1")), Systems()) == 2


def test_a_cathedral_makes_it_three_a_tile_and_an_unfinished_city_worthless() -> None:
    city = table_of(CITY_OF_FOUR).feature_of(((0, 0), "c1"))
    assert worth_completed(city, EVERYTHING) == 15
    assert worth_completed(city, Systems()) == 10
    unfinished = table_of(CITY_OF_FOUR[:3])
    assert worth_at_end(unfinished, unfinished.feature_of(((0, 0), "c1")), EVERYTHING) == 0
    assert worth_at_end(unfinished, unfinished.feature_of(((0, 0), "c1")), Systems()) == 4


def test_a_large_figure_counts_as_two_and_small_helpers_as_none() -> None:
    city = table_of(CITY_OF_FOUR).feature_of(((0, 0), "c1"))
    here = ((0, 0), "c1")
    alone = standing(("large_meeple", 0, here), ("meeple", 1, here), ("builder", 1, here))
    assert holders(city, alone) == {0}
    tied = standing(("large_meeple", 0, here), ("meeple", 1, here), ("meeple", 1, here))
    assert holders(city, tied) == {0, 1}
    assert holders(city, standing(("builder", 0, here))) == set()


def test_second_edition_a_pig_adds_one_for_each_city_to_who_scores_the_field() -> None:
    here = ((0, 0), "f1")
    figures = standing(
        *(("meeple", player, here) for player in range(3)),
        *(("pig", player, here) for player in range(2)),
    )
    goods = {player: Counter[str]() for player in range(3)}
    gains = gains_at_end(table_of(TWO_CITIES), figures, EVERYTHING, goods)
    assert [gains.of(player) for player in range(3)] == [8, 8, 6]


def test_third_edition_a_city_with_a_shield_lets_every_pig_count_its_field_at_once() -> None:
    systems = Systems(farmers="c3", traders="c3.1")
    table = table_of(CITY_OF_FOUR, systems)
    figures = standing(
        ("meeple", 0, ((0, 0), "f1")), ("meeple", 1, ((0, 0), "f1")), ("meeple", 2, ((0, 0), "c1"))
    )
    figures[3] = Figure("pig", 1, (0, 0), beside=1)
    gains = gains_of_turn(table, [(0, 0)], figures, systems)
    assert [gains.of(player) for player in range(3)] == [0, 3, 10]
    end = gains_at_end(table, figures, systems, {})
    assert [end.of(player) for player in range(2)] == [3, 3]


def test_goods_come_with_a_city_that_nobody_holds() -> None:
    gains = gains_of_turn(table_of(CITY_OF_FOUR), [(0, 0)], {}, EVERYTHING)
    assert +gains.goods == Counter(wine=1, wheat=2)
    assert not +gains.features


def test_most_goods_of_a_kind_are_worth_ten_and_so_is_a_tie() -> None:
    goods = {0: Counter(wine=6, wheat=2), 1: Counter(wine=3, wheat=2)}
    gains = gains_at_end(table_of(TWO_CITIES), {}, EVERYTHING, goods)
    assert [gains.of(player) for player in range(2)] == [20, 10]


def test_the_fairy_pays_three_whoever_gets_the_city() -> None:
    here = ((0, 0), "c1")
    figures = standing(("meeple", 0, here), ("meeple", 1, here), ("meeple", 1, here))
    figures[3] = Figure("fairy", None, (0, 0), beside=0)
    table = table_of(CITY_OF_FOUR)
    gains = gains_of_turn(table, [(0, 0)], figures, Systems(fairy="c2"))
    assert [gains.of(player) for player in range(2)] == [3, 10]
    for edition in ("c2", "c3.1"):
        end = gains_at_end(table, figures, Systems(fairy=edition), {})
        assert end.others == Counter({0: 3})
