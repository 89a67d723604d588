"""Pictures of tiles and boards: well-formed, the same every time, everything in its own place."""

from __future__ import annotations

import builtins
import itertools
import math
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.marks import slow_unless
from tilewright.language.source.text import NOWHERE
from tilewright.rules.model.geometry import PORT_OF_HALF, SIDE_OF
from tilewright.rules.model.ruleset import (
    AttributeDecl,
    Combine,
    Completion,
    FeatureKind,
    FigureKind,
    Labels,
    Reach,
    Segment,
    SymbolDecl,
    TileFace,
    TokenDecl,
)
from tilewright.view.board.curves import sample, turn_point
from tilewright.view.board.glyphs import DASHES, GLYPHS, PIECES, SIGNS, glyph, is_glyph
from tilewright.view.board.page import with_properties
from tilewright.view.board.png import PictureError, png_bytes
from tilewright.view.board.scene import (
    FigurePicture,
    Focus,
    Highlight,
    Recent,
    Scene,
    ScoreLine,
    TilePicture,
    TokenPicture,
)
from tilewright.view.board.scenery import ROOF, bastion
from tilewright.view.board.svg import figure_scale, scene_svg, tile_svg
from tilewright.view.board.text import scene_text
from tilewright.view.board.text_tile import tile_text
from tilewright.view.board.tile_layout import (
    ARROW_POINT,
    figure_places,
    place_on,
    plan,
    token_places,
)
from tilewright.view.board.tile_state import Owner, TileState, on_screen
from tilewright.view.board.tile_svg import tile_drawing, tile_group

SVG = "{http://www.w3.org/2000/svg}"


def label(text: str) -> Labels:
    return Labels((("en", text),))


def kind(
    name: str, reach: Reach, colour: str, glyph_name: str = "", symbol: str = ""
) -> FeatureKind:
    arms = AttributeDecl("arms", Combine.SUM, label("coat"), "crest", NOWHERE)
    return FeatureKind(
        name, label(name), reach, Completion.CLOSED, (arms,) if reach is Reach.SIDE else (),
        colour, "#554433", glyph_name, symbol, NOWHERE,
    )  # fmt: skip


KINDS = {
    "path": kind("path", Reach.CENTRE, "#f4efe2"),
    "town": kind("town", Reach.SIDE, "#c08a4e"),
    "land": kind("land", Reach.HALVES, "#a9c76b"),
    "abbey": kind("abbey", Reach.INSIDE, "#e9dcc3", "house-with-cross"),
    "bed": kind("bed", Reach.INSIDE, "#d8659a", "flower", "bloom"),
    "water": kind("water", Reach.CENTRE, "#6fa8d6"),
}
SYMBOLS = {
    "bloom": SymbolDecl("bloom", label("bloom"), "flower", "#d8659a", NOWHERE),
    "peak": SymbolDecl("peak", label("peak"), "burning-peak", "#d4481f", NOWHERE),
    "rune": SymbolDecl("rune", label("rune"), "no-such-glyph", "#123456", NOWHERE),
}


def part(text: str) -> Segment:
    """`t1 town N E; arms 1; ends x; borders y; symbols z; inside w` as a segment."""
    head, *more = [clause.split() for clause in text.split(";")]
    name, kind_name, *at = head
    ports: list[int] = []
    for word in at:
        reach = KINDS[kind_name].reach
        if reach is Reach.HALVES:
            ports.append(PORT_OF_HALF[word])
        elif reach is Reach.SIDE and word in SIDE_OF:
            ports.extend(3 * SIDE_OF[word] + i for i in range(3))
        elif reach is Reach.SIDE:  # the centre of a shared side is of the first half
            ports += [PORT_OF_HALF[word], PORT_OF_HALF[word] + 1][: 2 - PORT_OF_HALF[word] % 3 // 2]
        else:
            ports.append(3 * SIDE_OF[word] + 1)
    clauses = {clause[0]: tuple(clause[1:]) for clause in more}
    return Segment(
        name, kind_name, tuple(at), tuple(ports), clauses.get("borders", ()),
        clauses.get("ends", ()),
        (("arms", int(clauses["arms"][0])),) if "arms" in clauses else (),
        clauses.get("symbols", ()), "".join(clauses.get("inside", ())), NOWHERE,
    )  # fmt: skip


def face(*parts: str, symbols: str = "", crosses: str = "") -> TileFace:
    edges = ("land", "land", "land", "land")
    segments = tuple(part(text) for text in parts)
    return TileFace(0, 0, edges, segments, tuple(symbols.split()), crosses, NOWHERE)


ALL = "NNW NNE ENE ESE SSE SSW WSW WNW"

FACES = {
    "abbey alone": face(f"f1 land {ALL}", "m1 abbey; inside f1"),
    "abbey at a path": face("r1 path S; ends abbey", f"f1 land {ALL}", "m1 abbey; inside f1"),
    "four sides": face("c1 town N E S W; arms 1"),
    "three sides": face("c1 town N E W; arms 2", "f1 land SSE SSW"),
    "three sides and a path": face(
        "c1 town N E W; arms 1", "r1 path S; ends town", "f1 land SSE", "f2 land SSW"
    ),
    "opposite sides joined": face("c1 town E W; arms 1", "f1 land NNW NNE", "f2 land SSE SSW"),
    "opposite sides apart": face("c1 town N", "c2 town S", "f1 land ENE ESE WSW WNW"),
    "corner": face("c1 town N E; arms 1; symbols bloom", "f1 land SSE SSW WSW WNW"),
    "neighbours apart": face("c1 town N", "c2 town E", "f1 land SSE SSW WSW WNW", symbols="peak"),
    "corner that parts lands": face(
        "c1 town N W", "f1 land ENE ESE; borders c1", "f2 land SSE SSW; borders c1"
    ),
    "land without ports": face(
        "c1 town N", "c2 town E S; arms 1", "f1 land WSW WNW", "f2 land; borders c1 c2"
    ),
    "crossing": face(
        "r1 path N; ends x", "r2 path E; ends x", "r3 path S; ends x", "r4 path W; ends x",
        "f1 land NNE ENE", "f2 land ESE SSE", "f3 land SSW WSW", "f4 land WNW NNW",
        symbols="bloom rune",
    ),
    "town and crossing": face(
        "c1 town N", "r1 path E; ends x", "r2 path S; ends x", "r3 path W; ends x",
        "f1 land ENE WNW", "f2 land ESE SSE", "f3 land SSW WSW",
    ),
    "two bends": face(
        "r1 path N W", "r2 path E S", "f1 land NNW WNW", "f2 land NNE ENE SSW WSW",
        "f3 land ESE SSE",
    ),
    "under a town": face(
        "c1 town E W", "r1 path N S", "f1 land NNW NNE", "f2 land SSE SSW", crosses="under"
    ),
    "path over water": face(
        "r1 path N S", "w1 water E W", "f1 land NNE ENE", "f2 land ESE SSE", "f3 land SSW WSW",
        "f4 land WNW NNW", crosses="over",
    ),
    "spring": face("w1 water S; ends spring", f"f1 land {ALL}"),
    "path to a symbol": face("r1 path S; ends peak", f"f1 land {ALL}", symbols="peak"),
    "a side of two towns": face("c1 town NNW W; arms 1", "c2 town NNE E", "f1 land SSE SSW"),
    "two sides of two towns": face(
        "c1 town NNW SSW", "c2 town NNE SSE", "f1 land ENE ESE", "f2 land WSW WNW"
    ),
    "lands parted below a town": face("c1 town N", "f1 land SSW WSW WNW", "f2 land ENE ESE SSE"),
    "lands parted to two corners": face(
        "c1 town W; arms 1", "f1 land NNW NNE", "f2 land ENE ESE", "f3 land SSE SSW"
    ),
    "lands parted between town and path": face(
        "c1 town N", "r1 path E S", "f1 land SSW WSW WNW", "f2 land ENE", "f3 land ESE SSE"
    ),
    "symbol as a segment": face(f"f1 land {ALL}", "g1 bed; inside f1", symbols="bloom"),
}  # fmt: skip
PERSON = FigureKind("person", label("person"), True, 7, "", "", (), (), "person", "", NOWHERE)
BEAST = FigureKind(
    "beast", label("beast"), False, 1, "", "", (), ("facing",), "winged-beast", "#b33", NOWHERE
)

BEAD = TokenDecl("bead", label("bead"), 9, (), "star", "#00ff00", NOWHERE)


@pytest.fixture
def scene() -> Scene:
    tiles = tuple(
        TilePicture(each, i % 4, i % 5, i // 5, name)
        for i, (name, each) in enumerate(FACES.items())
    )
    figures = (
        FigurePicture(PERSON, "#c8202f", 0, 0, "f1", "lying"),
        FigurePicture(PERSON, "#1f5fbf", 0, 0, "f1"),
        FigurePicture(PERSON, "#e8b61a", 2, 0, "c1"),
        FigurePicture(BEAST, "", 1, 1, facing=2),
    )
    scores = (ScoreLine("ann", "#c8202f", 12, True), ScoreLine("bo <b>", "#1f5fbf", 3))
    return Scene(tiles, figures, KINDS, SYMBOLS, (Highlight(-1, 0, "a"),), "A & B", scores)


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("turn", range(4))
def test_every_tile_is_a_well_formed_standalone_picture(name: str, turn: int) -> None:
    root = ElementTree.fromstring(tile_svg(FACES[name], KINDS, SYMBOLS, 120, turn=turn))
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == "-12 -12 124 124"
    assert root.find(f"{SVG}title") is not None
    assert root.find(f"{SVG}desc") is not None


def test_a_tile_alone_has_whole_turrets_at_the_ends_of_its_walls() -> None:
    land, _, rest = tile_svg(FACES["corner"], KINDS, SYMBOLS).rpartition("</g>")
    for x, y in ((0, 0), (100, 100)):
        tower = on_screen(bastion(x, y, is_finished=False, scale=1.0))
        # after all that is cut off at the edges of the tile
        assert tower in rest and tower not in land


@pytest.mark.parametrize("name", FACES)
def test_every_segment_has_a_place_of_its_own(name: str) -> None:
    spots = [place_on(FACES[name], KINDS, SYMBOLS, each.id) for each in FACES[name].segments]
    assert len(set(spots)) == len(spots)
    assert all(0.0 < x < 100.0 and 0.0 < y < 100.0 for x, y in spots)


@pytest.mark.parametrize("name", FACES)
def test_a_place_lies_inside_what_is_drawn_for_its_segment(name: str) -> None:
    layout = plan(FACES[name], KINDS, SYMBOLS)
    spots = dict(layout.spots)
    missed = [
        each.id
        for each in FACES[name].segments
        if KINDS[each.kind].reach is not Reach.INSIDE
        and layout.names[layout.raster.at(spots[each.id])] != each.id
    ]
    assert missed == []


@pytest.mark.parametrize("name", FACES)
def test_every_land_touches_its_own_ports(name: str) -> None:
    layout = plan(FACES[name], KINDS, SYMBOLS)
    wrong = [
        (each.id, port)
        for each in FACES[name].segments
        for port in each.ports
        if KINDS[each.kind].reach is Reach.HALVES
        and layout.names[layout.raster.at(port_point(port))] != each.id
    ]
    assert wrong == []


@pytest.mark.parametrize("name", FACES)
def test_hedges_part_lands_that_nothing_else_keeps_apart(name: str) -> None:
    ends = [
        tuple(round(number) for point in hedge[1:] for number in point)
        for hedge in plan(FACES[name], KINDS, SYMBOLS).hedges
    ]
    match name:
        case "lands parted below a town":
            ((x, y, below_x, below_y),) = ends
            assert abs(x - 50) < 4 and abs(below_x - 50) < 4 and y < 35 and below_y > 95
        case "lands parted to two corners":
            assert len(ends) == 3  # from the town to the middle, and from there to two corners
            assert any(
                max(hedge[0], hedge[2]) > 95 and min(hedge[1], hedge[3]) < 5 for hedge in ends
            )
            assert any(
                max(hedge[0], hedge[2]) > 95 and max(hedge[1], hedge[3]) > 95 for hedge in ends
            )
        case "lands parted between town and path":
            assert len(ends) == 1
        case _:
            assert not ends


def test_areas_that_share_a_side_meet_in_its_middle() -> None:
    layout = plan(FACES["a side of two towns"], KINDS, SYMBOLS)
    found = [layout.names[layout.raster.at((x, 2.0))] for x in (10.0, 40.0, 60.0, 90.0)]
    assert found == ["c1", "c1", "c2", "c2"]
    assert layout.names[layout.raster.at((50.0, 60.0))] == "f1"


def test_a_side_of_two_kinds_is_drawn_and_named_by_halves() -> None:
    half = face("c1 town NNE ENE", "f1 land NNW ESE SSE SSW WSW WNW")
    half = replace(half, edges=("land/town", "town/land", "land", "land"))
    layout = plan(half, KINDS, SYMBOLS)
    assert [layout.names[layout.raster.at((x, 2.0))] for x in (20.0, 80.0)] == ["f1", "c1"]
    assert "north land and town, east town and land" in tile_svg(half, KINDS, SYMBOLS)


def test_a_tile_that_fits_everything_shows_no_land() -> None:
    wild = replace(face("m1 abbey"), edges=("any",) * 4)
    drawing = tile_svg(wild, KINDS, SYMBOLS)
    assert KINDS["land"].colour not in drawing
    assert KINDS["land"].colour in tile_svg(face("m1 abbey"), KINDS, SYMBOLS)
    text = tile_text(wild, KINDS, SYMBOLS)
    assert text == "\n".join(["∷" * 9, "∷" * 9, "∷∷∷∷†∷∷∷∷", "∷" * 9, "∷" * 9])
    assert tile_text(wild, KINDS, SYMBOLS, ascii_only=True).count(":") == 44


def recast(tile: TileFace, became: dict[str, str]) -> TileFace:
    segments = tuple(replace(each, kind=became.get(each.id, each.kind)) for each in tile.segments)
    return replace(tile, segments=segments)


@pytest.mark.parametrize("new", KINDS)
@pytest.mark.parametrize("name", slow_unless(lambda name: name in [*FACES][::6], FACES))
def test_every_segment_can_be_drawn_as_another_kind(name: str, new: str) -> None:
    for each in FACES[name].segments:
        other = recast(FACES[name], {each.id: new})
        ElementTree.fromstring(tile_svg(other, KINDS, SYMBOLS))
        for ascii_only in (False, True):
            text = tile_text(other, KINDS, SYMBOLS, ascii_only=ascii_only)
            assert [len(line) for line in text.split("\n")] == [9] * 5
        x, y = place_on(other, KINDS, SYMBOLS, each.id)
        assert 0.0 < x < 100.0 and 0.0 < y < 100.0


def test_a_path_that_became_a_town_is_a_way_in_the_look_of_a_town() -> None:
    tile = recast(FACES["abbey at a path"], {"r1": "town"})
    layout = plan(tile, KINDS, SYMBOLS)
    assert [way.part.id for way in layout.ways] == ["r1"] and not layout.areas
    drawing = tile_svg(tile, KINDS, SYMBOLS)
    assert KINDS["town"].colour in drawing and KINDS["path"].colour not in drawing
    lines = tile_text(tile, KINDS, SYMBOLS).split("\n")
    assert [line[4] for line in lines] == ["·", "·", "†", "▒", "▒"]
    assert all(set(line[:4] + line[5:]) == {"·"} for line in lines)


def test_an_abbey_that_became_a_town_stays_a_mark_in_the_middle() -> None:
    tile = recast(FACES["abbey alone"], {"m1": "town"})
    (mark,) = plan(tile, KINDS, SYMBOLS).marks
    assert (mark.what, mark.name, mark.at) == ("inside", "town", (50.0, 50.0))
    assert tile_text(tile, KINDS, SYMBOLS).split("\n")[2] == "····●····"


def test_a_path_that_became_land_leaves_the_colour_of_the_ground() -> None:
    kinds = KINDS | {"moor": kind("moor", Reach.HALVES, "#123321")}
    drawing = tile_svg(recast(FACES["abbey at a path"], {"r1": "moor"}), kinds, SYMBOLS)
    assert f'height="104" fill="{KINDS["land"].colour}"' in drawing
    assert kinds["moor"].colour in drawing


def port_point(port: int) -> tuple[float, float]:
    return turn_point((25.0 if port % 3 == 0 else 75.0, 2.0), port // 3)


def test_marks_keep_apart_from_each_other() -> None:
    marks = plan(FACES["crossing"], KINDS, SYMBOLS).marks
    pairs = [(a, b) for i, a in enumerate(marks) for b in marks[i + 1 :]]
    assert all(
        ((a.at[0] - b.at[0]) ** 2 + (a.at[1] - b.at[1]) ** 2) ** 0.5 >= 0.9 * (a.room + b.room)
        for a, b in pairs
    )


def test_a_symbol_that_is_a_segment_is_drawn_once() -> None:
    marks = plan(FACES["symbol as a segment"], KINDS, SYMBOLS).marks
    assert [mark.what for mark in marks] == ["symbol"]


def test_a_path_that_ends_at_a_symbol_finds_it_in_the_middle() -> None:
    (mark,) = plan(FACES["path to a symbol"], KINDS, SYMBOLS).marks
    assert (mark.name, mark.at) == ("peak", (50.0, 50.0))


def test_a_junction_is_drawn_only_where_three_meet() -> None:
    what = {
        name: [mark.what for mark in plan(each, KINDS, SYMBOLS).marks]
        for name, each in FACES.items()
    }
    assert "junction" in what["crossing"]
    assert "junction" in what["town and crossing"]
    assert what["spring"] == ["stop"]
    assert what["two bends"] == []


def test_texts_and_symbols_stay_upright_when_the_tile_turns() -> None:
    upright = glyph(
        "crest", turn_point(plan(FACES["four sides"], KINDS, SYMBOLS).marks[0].at, 1), 16.8, "A"
    )
    place = upright.split('transform="')[1].split('"')[0]
    assert place in tile_svg(FACES["four sides"], KINDS, SYMBOLS, turn=1)


@pytest.mark.parametrize("name", GLYPHS)
def test_every_glyph_is_well_formed_and_fully_coloured(name: str) -> None:
    text = glyph(name, (0, 0), 24, "#112233")
    ElementTree.fromstring(text)
    assert not any(f'"{mark}"' in text for mark in "ABC")


def test_an_unknown_glyph_shows_the_first_letter_of_its_label() -> None:
    assert ">R</text>" in tile_svg(FACES["crossing"], KINDS, SYMBOLS)


def test_a_mark_without_a_glyph_is_in_no_picture() -> None:
    hidden = {**SYMBOLS, "rune": replace(SYMBOLS["rune"], glyph="none")}
    assert ">R</text>" not in tile_svg(FACES["crossing"], KINDS, hidden)
    assert "R" in tile_text(FACES["crossing"], KINDS, SYMBOLS)
    assert "R" not in tile_text(FACES["crossing"], KINDS, hidden)


def test_a_board_shows_tiles_figures_open_cells_and_points(scene: Scene) -> None:
    text = scene_svg(scene)
    root = ElementTree.fromstring(text)
    titles = [each.text for each in root.iter(f"{SVG}title")]
    assert titles[0] == "A & B"
    assert titles.count("person") == 3
    assert titles.count("beast") == 1
    words = [each.text for each in root.iter(f"{SVG}text")]
    assert {"a", "12", "bo <b>", "-1", "0"} <= set(words)
    assert "stroke-dasharray" in text


def test_a_picture_refers_to_nothing_outside(scene: Scene) -> None:
    text = scene_svg(scene).replace("http://www.w3.org/2000/svg", "")
    assert "http" not in text
    assert "href" not in text
    assert "<style" not in text


def test_figures_on_one_place_fan_out(scene: Scene) -> None:
    groups = ElementTree.fromstring(scene_svg(scene)).iter(f"{SVG}g")
    places = {each.get("transform") for each in groups if each.find(f"{SVG}ellipse") is not None}
    assert len(places) >= 4


LANDMARKS = {
    "peak": replace(SYMBOLS["peak"], is_landmark=True),
    "bloom": SYMBOLS["bloom"],
}


def test_a_landmark_is_half_a_tile_wide_and_a_badge_a_quarter() -> None:
    alone = face(f"f1 land {ALL}", symbols="peak bloom")
    found = {mark.name: mark for mark in plan(alone, KINDS, LANDMARKS).marks}
    assert found["peak"].is_landmark and 21 <= found["peak"].room <= 24
    assert not found["bloom"].is_landmark and found["bloom"].room == 12.5
    drawn = tile_svg(alone, KINDS, LANDMARKS)
    assert drawn.count("<circle") == 1 + GLYPHS["flower"].count("<circle")  # one disc: the badge's


@pytest.mark.parametrize("name", ["neighbours apart", "path to a symbol"])
def test_a_landmark_hides_no_figure(name: str) -> None:
    layout = plan(FACES[name], KINDS, LANDMARKS)
    (peak,) = [mark for mark in layout.marks if mark.is_landmark]
    assert all(
        math.dist(peak.at, at) > peak.room for segment, at in layout.spots if segment != "r1"
    )


def test_an_attribute_of_a_path_is_drawn_beside_it() -> None:
    arms = AttributeDecl("arms", Combine.SUM, label("coat"), "house", NOWHERE, True)
    kinds = KINDS | {"path": replace(KINDS["path"], attributes=(arms,))}
    bend = face("r1 path N S; arms 1", "f1 land NNE ENE ESE SSE", "f2 land SSW WSW WNW NNW")
    (mark,) = plan(bend, kinds, SYMBOLS).marks
    assert mark.what == "attribute" and mark.is_landmark
    assert 15 < abs(mark.at[0] - 50) < 35


def room_to_the_edge(at: tuple[float, float]) -> float:
    return min(*at, 100 - at[0], 100 - at[1])


def test_no_landmark_and_no_arrow_is_cut_at_an_edge() -> None:
    arms = AttributeDecl("arms", Combine.SUM, label("coat"), "flame", NOWHERE, True)
    kinds = KINDS | {"town": replace(KINDS["town"], attributes=(arms,))}
    plain = face("c1 town N; arms 1", "f1 land ENE ESE SSE SSW WSW WNW")
    gated = face(
        "c1 town N; arms 1", "r1 path S; ends town", "f1 land ENE ESE SSE", "f2 land SSW WSW WNW"
    )
    for tile in (plain, gated):
        layout = plan(tile, kinds, SYMBOLS)
        (mark,) = layout.marks
        assert mark.room >= 13 and room_to_the_edge(mark.at) >= mark.room
        assert all(math.dist(mark.at, gate) > mark.room for gate in layout.gates)
    pointing = replace(face(f"f1 land {ALL}", symbols="bloom"), arrows=(("bloom", 0),))
    (mark,) = plan(pointing, KINDS, SYMBOLS).marks
    assert room_to_the_edge(mark.at) >= mark.room + ARROW_POINT


def test_paths_reach_what_they_end_at_and_share_a_gate() -> None:
    lands = ("f1 land ENE", "f2 land ESE SSE", "f3 land SSW")
    roads = ("r1 path S; ends {0}", "r2 path E; ends {0}")
    to_peak, to_town = (
        plan(
            face("c1 town N W", *(road.format(what) for road in roads), *lands, symbols=symbols),
            KINDS,
            LANDMARKS,
        )
        for what, symbols in (("peak", "peak"), ("town", ""))
    )
    assert [way.chains[0][-1][3] for way in to_peak.ways] == [(50.0, 50.0), (50.0, 50.0)]
    assert len(to_town.gates) == 1


def test_a_landmark_of_a_crossing_is_in_its_middle() -> None:
    arms = AttributeDecl("arms", Combine.SUM, label("coat"), "spiral", NOWHERE, True)
    kinds = KINDS | {"path": replace(KINDS["path"], attributes=(arms,))}
    lands = ("f1 land NNE ENE", "f2 land ESE SSE", "f3 land SSW WSW", "f4 land WNW NNW")
    one = face("r1 path N E S W; arms 1", *lands)
    layout = plan(one, kinds, SYMBOLS)
    (mark,) = layout.marks
    assert mark.at == (50.0, 50.0) and math.dist(dict(layout.spots)["r1"], mark.at) > mark.room


def test_a_path_that_bends_past_a_building_is_seen() -> None:
    lands = ("f1 land NNW NNE ENE SSW WSW WNW", "f2 land ESE SSE")
    bend = face("r1 path E S", *lands, "m1 abbey; inside f1", symbols="rune")
    layout = plan(bend, KINDS, SYMBOLS)
    abbey, rune = layout.marks
    points = sample(layout.ways[0].chains[0], 24)
    assert all(math.dist(abbey.at, at) > abbey.room + 5 for at in points)
    assert math.dist((abbey.at[0] - 8, abbey.at[1] - 22), rune.at) > rune.room + 9


@pytest.mark.parametrize("turn", range(4))
def test_a_figure_stands_before_its_building_however_the_tile_lies(turn: int) -> None:
    layout = plan(FACES["abbey alone"], KINDS, SYMBOLS)
    (mark,) = layout.marks
    middle = turn_point(mark.at, turn)
    at = place_on(FACES["abbey alone"], KINDS, SYMBOLS, "m1", turn)
    assert (at[0] - middle[0], at[1] - middle[1]) == pytest.approx((15.0, 8.0))


def test_a_second_figure_stands_aside_and_behind() -> None:
    tile = TilePicture(FACES["four sides"], 0, 0, 0)
    figures = tuple(FigurePicture(PERSON, "#c8202f", 0, 0, "c1") for _ in range(3))
    first, second, third = figure_places(Scene((tile,), figures, KINDS, SYMBOLS))
    assert abs(second[0] - first[0]) == 24 and first[1] - second[1] == 12
    assert abs(third[0] - first[0]) == 24 and third[0] != second[0]


def test_a_figure_on_a_tile_keeps_clear_of_buildings_and_figures() -> None:
    tile = TilePicture(FACES["abbey at a path"], 1, 0, 0)
    figures = (FigurePicture(PERSON, "#c8202f", 0, 0, "m1"), FigurePicture(BEAST, "", 0, 0))
    monk, beast = figure_places(Scene((tile,), figures, KINDS, SYMBOLS))
    assert math.dist(monk, beast) > 24 and math.dist(beast, (50.0, 50.0)) > 24


def test_tokens_lie_apart_from_figures_and_show_their_number() -> None:
    tile = TilePicture(FACES["abbey at a path"], 1, 0, 0)
    figures = (FigurePicture(PERSON, "#c8202f", 0, 0, "m1"),)
    tokens = (
        TokenPicture(BEAD, 3, 0, 0),
        TokenPicture(BEAD, 1, 0, 0),
        TokenPicture(BEAD, 2, 0, 0, "r1"),
    )
    scene = Scene((tile,), figures, KINDS, SYMBOLS, tokens=tokens)
    places = [*token_places(scene), *figure_places(scene)]
    assert all(math.dist(a, b) > 16 for a, b in itertools.combinations(places, 2))
    root = ElementTree.fromstring(scene_svg(scene))
    titles = [each.text for each in root.iter(f"{SVG}title")]
    assert [text for text in titles if text and text.startswith("bead")] == [
        "bead 3", "bead 1", "bead 2",
    ]  # fmt: skip
    assert [each.text for each in root.iter(f"{SVG}text")][-2:] == ["3", "2"]
    assert "bead 0,0: 3   bead 0,0: 1   bead 0,0/r1: 2" in scene_text(scene)


def test_the_last_move_has_brackets_in_the_colour_of_the_mover(scene: Scene) -> None:
    marked = scene_svg(replace(scene, recent=(Recent(0, 0, "#123abc"),)))
    assert marked.count('stroke="#123abc"') == 1
    assert "#123abc" not in scene_svg(scene)


def test_a_ghost_is_the_drawing_of_the_tile_lifted_above_the_board(scene: Scene) -> None:
    ghost = TilePicture(FACES["crossing"], 1, -1, 0, "wanted")
    drawn = scene_svg(replace(scene, ghost=ghost))
    assert "<title>wanted -1,0</title>" in drawn
    assert drawn.index("wanted") > drawn.index("path over water")


def test_a_drawing_has_a_lighter_and_a_darker_colour_for_each_of_its_colours() -> None:
    drawn, colours = with_properties(tile_drawing(FACES["corner"], KINDS, SYMBOLS))
    assert not re.search(r'"#[0-9a-f]{6}"|~', drawn)
    assert set(re.findall(r"var\((--tw-[\w-]+)\)", drawn)) == set(colours)
    assert colours["--tw-a9c76b-ffffff"] == ("#a9c76b", "#6d833e", "#ffffff")


def test_land_on_paper_is_white_and_grey_in_black_lines() -> None:
    _, colours = with_properties(tile_drawing(FACES["corner"], KINDS, SYMBOLS))
    lines = colours["--tw-none-111111"]
    assert lines == ("none", "none", "#111111")
    town = next(each for name, each in colours.items() if name.startswith("--tw-c08a4e"))
    assert town[2] == "#ffffff"
    alone = tile_svg(FACES["corner"], KINDS, SYMBOLS)
    assert "~" not in alone and 'stroke="none"' not in alone


def test_an_empty_board_is_a_picture_too() -> None:
    empty = Scene((), (), KINDS, SYMBOLS)
    ElementTree.fromstring(scene_svg(empty))
    assert scene_text(empty).strip()


def test_a_picture_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "import test_board as t, zlib\n"
        "made = [t.tile_svg(f, t.KINDS, t.SYMBOLS) for f in t.FACES.values()]\n"
        "print([zlib.crc32(text.encode()) for text in made])\n"
        "print([t.tile_text(f, t.KINDS, t.SYMBOLS) for f in t.FACES.values()])\n"
    )
    paths = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    outputs = {
        subprocess.run(
            [sys.executable, "-B", "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(outputs) == 1


# ------------------------------------------------------------------ text


def test_a_tile_is_five_lines_of_nine() -> None:
    text = tile_text(FACES["crossing"], KINDS, SYMBOLS)
    assert [len(line) for line in text.split("\n")] == [9] * 5


def test_lines_turn_with_the_tile() -> None:
    bend = face("r1 path N E", "f1 land NNE ENE", "f2 land ESE SSE SSW WSW WNW NNW")
    middles = [tile_text(bend, KINDS, SYMBOLS, turn=turn).split("\n")[2][4] for turn in range(4)]
    assert middles == ["╚", "╔", "╗", "╝"]


def test_two_bends_do_not_look_like_a_crossing() -> None:
    assert "╬" not in tile_text(FACES["two bends"], KINDS, SYMBOLS)


def test_a_path_below_a_town_is_hidden_and_one_above_is_not() -> None:
    assert tile_text(FACES["under a town"], KINDS, SYMBOLS).split("\n")[2] == "▒" * 9
    assert "┼" in tile_text(FACES["path over water"], KINDS, SYMBOLS)


def test_plain_text_can_be_ascii_only(scene: Scene) -> None:
    assert scene_text(scene, 120, ascii_only=True).isascii()


@pytest.mark.parametrize("width", [40, 60, 100])
def test_a_board_keeps_to_the_width(scene: Scene, width: int) -> None:
    assert max(len(line) for line in scene_text(scene, width).split("\n")) <= width


def _columns(text: str) -> list[list[str]]:
    """The columns that are named below each part of a board."""
    found = [line.split() for line in text.split("\n")]
    return [line for line in found if line and all(each.lstrip("-").isdecimal() for each in line)]


def test_a_board_that_is_too_wide_is_drawn_in_parts(scene: Scene) -> None:
    west, _, east, _ = scene.cells()
    parts = _columns(scene_text(scene, 24))
    assert len(parts) > 1
    assert [int(x) for part in parts for x in part] == [*range(west, east + 1)]


def _far_board(*cells: tuple[int, int]) -> Scene:
    tiles = tuple(TilePicture(FACES["crossing"], 1, x, y) for x, y in cells)
    return Scene(tiles, (), KINDS, SYMBOLS, highlights=(Highlight(100, 1, "7"),))


def test_parts_of_a_board_that_lie_far_apart_are_drawn_apart() -> None:
    wide = _far_board(*((x, 0) for x in range(15)), (99, 0), (100, 0), (101, 0))
    text = scene_text(wide, 80)
    assert _columns(text)[-1] == ["99", "100", "101"]
    assert " 7 " in text
    high = scene_text(_far_board((100, 0), (100, 90)), 80)
    assert _columns(high) == [["100"], ["100"]]
    assert high.index("  90 ") < high.index("   0 ") and "  45 " not in high


def test_of_a_board_in_parts_only_those_with_the_focus_are_drawn() -> None:
    wide = _far_board((0, 0), (100, 0))
    assert _columns(scene_text(replace(wide, focus=Focus(((100, 1),))), 80)) == [["100"]]


def test_colour_is_only_there_when_asked_for(scene: Scene) -> None:
    assert "\x1b[" not in scene_text(scene)
    assert "48;2;200;32;47" in scene_text(scene, colour=True)


def test_a_lying_figure_is_a_small_letter(scene: Scene) -> None:
    text = scene_text(scene)
    assert "small letter: lying" in text
    assert "p" in text.split("legend")[0]


# ------------------------------------------------------------------ png


def test_a_board_becomes_a_png(scene: Scene) -> None:
    pytest.importorskip("resvg_py")
    assert png_bytes(scene_svg(scene, 40)).startswith(b"\x89PNG")


def test_a_missing_renderer_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(PictureError, match="extra `png`"):
        png_bytes("<svg/>")


# ------------------------------------------------------------------ figures


def _covered(name: str, size: int) -> set[int]:
    """The pixels that a figure covers when it is this high, without its rim and its shadow."""
    import resvg_py

    piece = PIECES[name]
    wide = 2 * size
    box = 24 / piece.scale
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-box} {-box} {2 * box} {2 * box}" '
    svg += f'width="{wide}" height="{wide}"><path d="{piece.outline}"/></svg>'
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg))
    raw = zlib.decompress(b"".join(part for kind, part in chunks(png) if kind == b"IDAT"))
    rows, above = [], bytes(4 * wide)
    for start in range(0, len(raw), 4 * wide + 1):
        how, line = raw[start], bytearray(raw[start + 1 : start + 1 + 4 * wide])
        for i, value in enumerate(line):
            left, up = line[i - 4] if i > 3 else 0, above[i]
            corner = above[i - 4] if i > 3 else 0
            near = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
            line[i] = (value + (0, left, up, (left + up) // 2, near)[how]) % 256
        rows.append(line)
        above = bytes(line)
    return {i for i, alpha in enumerate(b"".join(rows)[3::4]) if alpha > 127}


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += 12 + size


def test_the_outlines_of_figures_differ_when_they_are_16_pixels_high() -> None:
    pytest.importorskip("resvg_py")
    covered = {name: _covered(name, 16) for name in PIECES}
    near = {
        (one, other): len(covered[one] ^ covered[other]) / len(covered[one] | covered[other])
        for one, other in itertools.combinations(PIECES, 2)
    }
    assert {pair: share for pair, share in near.items() if share < 0.18} == {}


def test_a_figure_is_never_lower_than_16_pixels() -> None:
    heights = [size * 34 / 100 * figure_scale(size) for size in (12, 24, 47, 48, 200)]
    assert [round(high, 2) for high in heights] == [16, 16, 16, 16.32, 68]


def test_a_tile_shows_what_is_finished_and_whose_it_is() -> None:
    tile = FACES["opposite sides joined"]
    is_open = tile_group(tile, KINDS, SYMBOLS)
    done = tile_group(tile, KINDS, SYMBOLS, 0, TileState(frozenset((0,))))
    owned = tile_group(tile, KINDS, SYMBOLS, 0, TileState(owners={0: (Owner("#abcdef", "3 9"),)}))
    assert KINDS["town"].colour in is_open and "#abcdef" not in is_open
    roof = ROOF[0].partition("~")[0]
    assert KINDS["town"].colour not in done and roof in done and roof not in is_open
    assert owned.count('stroke="#abcdef"') == owned.count('stroke-dasharray="3 9"') == 1
    # nothing is left of the other states
    assert not re.search(r"[{}]|data-if", is_open + done + owned)
    assert tile_group(tile, KINDS, SYMBOLS, size=24).count("M") < is_open.count("M")
    near = tile_group(tile, KINDS, SYMBOLS, 0, TileState(frozenset((0,))), size=200)
    assert near.count("M") > done.count("M")


@pytest.mark.parametrize("name", ["corner", "opposite sides joined"])
def test_a_ribbon_ends_round_within_its_tile(name: str) -> None:
    state = TileState(owners={n: (Owner("#abcdef", "1 0"),) for n in range(9)})
    drawn = tile_group(FACES[name], KINDS, SYMBOLS, 0, state)
    bands = re.findall(
        r'd="([^"]*)" fill="none" stroke="#1d1a16" stroke-width="6.6"([^/]*)/', drawn
    )
    assert bands
    for line, more in bands:
        assert 'stroke-linecap="round"' in more
        # half its width and what neighbours cover remain
        assert all(5.2 < float(at) < 94.8 for at in re.findall(r"-?[\d.]+", line))


def test_the_strip_of_players_shows_their_signs() -> None:
    """For readers who see no colours: a figure has the sign of its owner."""
    scores = tuple(ScoreLine(f"p{n}", "#abcdef", n) for n in range(3))
    drawn = scene_svg(Scene((), (), KINDS, SYMBOLS, scores=scores))
    assert [drawn.count(f'd="{sign}"') for sign in SIGNS[:4]] == [1, 1, 1, 0]


def test_a_way_has_the_dashes_of_its_owner() -> None:
    """For readers who see no colours; each owner's join at the edges of a tile."""
    assert len(set(DASHES)) == len(DASHES) >= 6
    for dashes in DASHES:
        lengths = [float(length) for length in dashes.split()]
        assert len(lengths) % 2 == 0 and 48 % sum(lengths) == 0
        assert (lengths[0] == 0 and lengths[1] == lengths[-1]) or lengths[1] == 0
    state = TileState(owners={0: (Owner("#abcdef", DASHES[2]),)})
    drawn = tile_group(FACES["path over water"], KINDS, SYMBOLS, 0, state)
    assert drawn.count(f'stroke-dasharray="{DASHES[2]}"') == 2


def test_flags_of_those_who_scored_fly_from_finished_turrets() -> None:
    tile = FACES["opposite sides joined"]

    def flags(state: TileState) -> int:
        drawn = scene_svg(Scene((TilePicture(tile, 0, 0, 0, "", state),), (), KINDS, SYMBOLS))
        return drawn.count('fill="#abcdef"') + drawn.count('fill="#fedcba"')

    first = {0: ("#abcdef",)}
    assert flags(TileState(frozenset((0,)))) == 0
    assert flags(TileState(flags=first)) == 0
    assert flags(TileState(frozenset((0,)), flags=first)) == 4
    assert flags(TileState(frozenset((0,)), flags={0: ("#abcdef", "#fedcba")})) == 8


def test_what_ends_at_a_town_goes_through_its_wall_below_what_crosses_it() -> None:
    tile = face(
        "c1 town W", "r1 path E; ends town", "w1 water N S", f"f1 land {ALL}", crosses="over"
    )
    drawn = tile_group(tile, KINDS, SYMBOLS)
    path, town, water = (drawn.index(KINDS[kind].colour) for kind in ("path", "town", "water"))
    assert path < town < water


def test_each_of_a_crowd_on_a_tile_is_seen() -> None:
    tile = TilePicture(FACES["corner"], 0, 0, 0)
    crowd = tuple(FigurePicture(PERSON, "#c8202f", 0, 0, "c1") for _ in range(6))
    places = figure_places(Scene((tile,), crowd, KINDS, SYMBOLS))
    assert min(math.dist(a, b) for a, b in itertools.combinations(places, 2)) >= 20
    assert all(10 <= x <= 90 and 10 <= y <= 90 for x, y in places)


def test_equal_figures_of_a_small_tile_are_drawn_once_with_their_number() -> None:
    tile = TilePicture(FACES["corner"], 0, 0, 0)
    crowd = tuple(
        FigurePicture(PERSON, colour, 0, 0, "c1") for colour in ("#c8202f", "#c8202f", "#1f5fbf")
    )
    scene = Scene((tile,), crowd, KINDS, SYMBOLS)
    large, small = scene_svg(scene, 96), scene_svg(scene, 24)
    assert large.count("<title>person</title>") == 3
    assert small.count("<title>person</title>") == 2 and ">2</text>" in small


def test_a_glyph_may_have_another_on_a_plate() -> None:
    drawn = glyph("lookout-with-crest", (0, 0), 24, "#123456")
    ElementTree.fromstring(drawn)
    assert is_glyph("lookout-with-crest") and not is_glyph("lookout-with-nothing")
    assert glyph("lookout-with-nothing", (0, 0), 24, "#123456") == glyph(
        "nothing", (0, 0), 24, "#123456"
    )
    assert drawn != glyph("lookout-with-wheel", (0, 0), 24, "#123456")
