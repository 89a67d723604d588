"""The language as a table: what a text is worth on one small board, and what is wrong with another.

The board, with the origin in the middle (a road runs from the origin to a monastery in the east;
the city north of the origin is closed, the one in the north-east has a shield and is open):

    row  2        through, with a shield
    row  1  city  garden
    row  0  start monastery
    row -1  monastery
"""

from __future__ import annotations

import ast
import builtins
import functools
import re
from functools import cache
from typing import Any

import pytest

from support.oracle import Oracle
from support.oracle_values import Thing, seen
from support.probe_game import (
    RULES,
    checked,
    checked_expression,
    game,
    label,
    linked,
    position,
    program,
    program_with,
)
from support.work import at_most_calls
from tilewright.language.builtins import (
    ANYTHING,
    ATTRIBUTES,
    FUNCTIONS,
    GLOBALS,
    RELATIONS,
    VERBS,
)
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import code_without_file
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import Type, parse_type
from tilewright.language.typing.scope import Scope, attribute_reads
from tilewright.language.typing.typecheck import ExpressionChecker
from tilewright.play.board.board import cell_of
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.match_state import TURN
from tilewright.play.new_match import start_match
from tilewright.play.program import Program

LAID = (
    ("city1", 0, 1, "S"),
    ("monastery_road", 1, 0, "E"),
    ("monastery_field", 0, -1, "N"),
    ("city1_garden", 1, 1, "N"),
    ("city2_through_shield", 1, 2, "E"),
)
#: two ghosts, the walker, then red's seven meeples and two scouts, then blue's
RED_MEEPLE, RED_SCOUT, BLUE_MEEPLE, BLUE_SCOUT = 3, 10, 12, 19


@cache
def _board() -> Match:
    match = start_match(program(), 2, 0)
    shapes = match.program.shapes
    for piece, x, y, north in LAID:
        number = match.program.piece_number[piece]
        layout = shapes.layout_of(number, 0, north)
        assert layout is not None
        match.take(number, match.program.stack_number["land"])
        match.lay(number, (cell_of(x, y), layout[0]))

    def stand(figure: int, tile: int, segment: str) -> None:
        names = shapes.segment_names[match.board.tile_shape[tile]]
        match.move_to_segment(figure, tile * 32 + names.index(segment))

    stand(RED_MEEPLE, 0, "c1")
    stand(RED_SCOUT, 4, "f1")
    stand(BLUE_MEEPLE, 2, "r1")
    stand(BLUE_SCOUT, 5, "c1")
    match.move_to_tile(0, 2)
    match.hand(1, 1)
    match.attach(2, RED_MEEPLE)
    match.face(RED_MEEPLE, 1)
    match.give(0, 0)
    match.give(1, 0)
    match.give(0, 1)
    match.move_beside(BLUE_SCOUT + 1, match.program.stack_number["urn"])
    match.points = [7, 4]
    match.turn = 6
    return match


def the_board(with_program: Program | None = None) -> Match:
    """The board above, at the decision `ready` of red's next turn."""
    match = _board().fork()
    match.program = with_program or program()
    match.frames = []
    match._no_decision()
    match.phase = TURN
    match.turn = 5
    match.run()
    assert label(match) == "ready"
    return match


def shown(value: Any) -> Any:
    """A value of the oracle's without its sorts."""
    if isinstance(value, list):
        return [shown(v) for v in value]
    return value.key if isinstance(value, Thing) else value


def value_of(text: str) -> Any:
    """The value of a compiled expression on the board; the oracle must agree."""
    reporter = Reporter()
    node = parse_expression(code_without_file(text), reporter)
    assert node is not None, reporter.diagnostics
    scope = Scope((("t0", Type("tile")),))
    term = ExpressionChecker(game().environment, reporter).expression(node, scope)
    assert not reporter.has_errors, reporter.diagnostics
    match = the_board()
    found = match.program.evaluator(term, ("t0",))(match, 0)
    value = seen(game(), match, found, term.type.base, term.type.many)
    assert Oracle(game(), match).ask(node, {"t0": Thing("tile", 0)}) == value
    return shown(value)


#: `t0` is the first tile
VALUES: tuple[tuple[str, Any], ...] = (
    # numbers
    ("2 + 3 * 4 - 1", 13), ("(2 + 3) * 4", 20), ("-7 div 2", -4), ("-7 mod 2", 1),
    ("7 div 2", 3), ("-7 div -2", 3), ("7 div -2", -4), ("7 mod -2", -1), ("0 div 0", 0),
    ("7 div 0", 0), ("7 mod 0", 7), ("-7 div 0", 0), ("-7 mod 0", -7),
    ("--3", 3), ("+3 - +1", 2), ("max(2, 9)", 9), ("min(2, 9)", 2),
    ("probe.bonus", 3), ("city.tile_points * 2", 4), ("turn", 6), ("if 1 < 2 then 10 else 20", 10),
    # truths
    ("true and not false", True), ("1 = 1 or 1 > 2", True), ("not 1 <= 0", True),
    ("3 != 3", False), ("2 >= 3", False), ("all p in players: p.points > 3", True),
    ("any p in players: p.points > 7", False), ("all t in {}: false", True),
    # players
    ("active", 0), ("players", [0, 1]), ("next(active)", 1), ("players_from(next(active))", [1, 0]),
    ("active.points", 7), ("count(active.supply)", 7), ("active.ready", [4, 11]),
    ("active.figures", [3, 10]), ("cycle(players, 5)", [0, 1, 0, 1, 0]),
    ("most p in players: p.points", [0]), ("least p in players: p.points", [1]),
    ("active.owned", list(range(3, 12))),
    ("most p in players: -p.points", [1]), ("least p in players: -p.points", [0]),
    ("most p in players: 0", [0, 1]), ("least p in players: 0", [0, 1]),
    ("most p in {}: 1", []), ("least p in {}: 1", []), ("sum p in players: p.points", 11),
    # tiles and cells
    ("count(tiles)", 6), ("origin", ((0, 0), 0)), ("first(tiles)", 0),
    ("t0.cell", (0, 0)), ("t0.piece", "city1_road_straight"),
    ("count(t0.segments)", 4), ("count(t0.features)", 3), ("t0.figures", [2, 3]),
    ("t0.cell.tile", 0), ("t0.cell.figures", [2, 3]),
    ("t0.cell.tile is t0", True),
    ("neighbours(t0.cell)", [(0, 1), (1, 0), (0, -1)]),
    ("around(t0.cell)", [(0, 1), (1, 1), (1, 0), (0, -1)]),
    ("line(t0.cell, north)", [(0, 1)]), ("line(t0.cell, west)", []),
    ("neighbour(t0.cell, east)", (1, 0)), ("neighbour(t0.cell, west)", None),
    ("beyond(t0.cell, east)", (1, 0)), ("beyond(t0.cell, west)", (-1, 0)),
    ("beyond(beyond(t0.cell, west), west).tile is nothing", True),
    ("beyond(beyond(t0.cell, west), east) is t0.cell", True),
    ("has_free_side(t0.cell)", True),
    ("cell_away(t0.cell, east.heading, 40)", (40, 0)),
    ("cell_away(t0.cell, west.heading.left, 3)", (-3, -3)),
    ("cell_away(t0.cell, north.heading, 0)", (0, 0)),
    ("cell_away(t0.cell, north.heading, -2)", (0, 0)),
    ("cell_away(t0.cell, north.heading, 510)", (0, 510)),
    ("cell_away(t0.cell, north.heading, 511)", (0, 0)),
    ("sum x in features: count(x.open_cells)", 12),
    ("sum s in segments(tiles): count(s.touching)", 16),
    ("all s in segments(tiles): all o in s.touching: s in o.touching and o.feature is s.feature",
     True),
    ("all s in segments(tiles): all d in s.left_halves: d in s.sides", True),
    ("sum s in segments(tiles) of field: count(s.left_halves) - count(s.right_halves)", 0),
    ("sum s in segments(tiles) of road: count(s.left_halves)", 0),
    ("collect s in t0.segments: count(s.left_halves)", [1, 0, 2]),
    ("land.top", None), ("in_stack(land, 1)", None),
    ("origin.cell", (0, 0)), ("t0.north", 0), ("collect t in tiles: t.north", [0, 2, 1]),
    ("placement(city1, cell_away(origin.cell, south.heading, 9), east)", ((0, -9), 1)),
    ("placement(city1, origin.cell, east).cell", (0, 0)),
    ("north_of(city1, placement(city1, t0.cell, west))", 3),
    ("north_of(road_straight, placement(road_straight, t0.cell, south))", 0),
    ("north_of(crossroads4, placement(city1, t0.cell, west))", 0),
    ("all d in directions: placement(crossroads4, t0.cell, d)"
     " is placement(crossroads4, t0.cell, north)", True),
    ("count d in directions: north_of(crossroads4, placement(crossroads4, t0.cell, d)) is d", 1),
    ("can_lie(city1, origin)", False),
    ("can_lie(city1, placement(city1, cell_away(t0.cell, east.heading, 30), south))", True),
    ("count d in directions:"
     " can_lie(crossroads4, placement(crossroads4, beyond(t0.cell, west), d))",
     4),
    ("those t in tiles: t has garden_symbol", [4]), ("count t in tiles: has_free_side(t.cell)", 6),
    ("collect t in tiles: t.piece is city1", [False, True]),
    # directions
    ("directions", [0, 1, 2, 3]), ("north.left", 3), ("north.right", 1), ("east.opposite", 3),
    # headings
    ("headings", [0, 1, 2, 3, 4, 5, 6, 7]), ("north.heading.left", 7), ("west.heading.right", 7),
    ("east.heading.opposite", 6), ("north.heading.straight", True),
    ("those h in headings: h.straight", [0, 2, 4, 6]),
    ("cell_at(t0.cell, north.heading.right, 1)", (1, 1)),
    ("cell_at(t0.cell, west.heading, 1)", None),
    ("cell_at(t0.cell, west.heading, 0)", (0, 0)), ("cell_at(t0.cell, north.heading, -1)", None),
    ("within(t0.cell, east.heading, 1)", [(1, 0)]), ("within(t0.cell, west.heading, 9)", []),
    ("within(t0.cell, south.heading, 99)", [(0, -1)]),
    # segments and features
    ("segments({})", []), ("count(segments(tiles))", 17),
    ("collect s in segments(tiles) of monastery: s.cell", [(1, 0), (0, -1)]),
    ("collect s in segments(tiles) of city: s.tile", [0, 1, 4, 5]),
    ("collect s in segments(tiles): s.kind", ["city", "road", "field", "monastery", "bower"]),
    ("count(features)", 9), ("count(features of field)", 3),
    ("collect x in features: x.kind", ["city", "road", "field", "monastery", "bower"]),
    ("those x in features: x is complete", [(0, 0)]), ("completed_features", []),
    ("collect x in features of city: x.size", [2]), ("sum x in features of city: x.shields", 1),
    ("collect s in segments(tiles) of city: s.shields", [0, 1]),
    ("collect x in features of city: x.open_ends", [0, 1]),
    ("collect x in features of monastery: x.surrounding", [4, 2]),
    ("collect x in features of monastery: x.open_ends", [4, 6]),
    ("count x in features: x.occupied", 4), ("collect x in features of city: count(x.tiles)", [2]),
    ("collect x in features of city: x.complete", [True, False]),
    ("sum x in features of field: count(x.borders)", 4),
    ("collect x in features of road: count(x.figures)", [1]),
    ("sum s in segments(tiles): count(s.figures)", 4),
    ("any s in segments(tiles): s.feature is complete", True),
    ("any s in segments(tiles): has_role(walker, s)", False),
    ("collect s in t0.segments of city: count(s.sides)", [1]),
    ("those d in directions: any s in t0.segments of road: d in s.sides", [1, 3]),
    ("sum s in segments(tiles) of monastery: count(s.sides)", 0),
    ("collect s in t0.segments of city: count(s.corners)", [0]),
    ("collect h in headings: any s in t0.segments of field: h in s.corners", [False, True]),
    ("sum s in segments(tiles): count(s.joined)", 0),
    ("collect s in t0.segments of road: count(s.stretch)", [2]),
    ("count s in segments(tiles): any f in active.figures: has_role(f, s)", 17),
    # figures
    ("figures", [0, 2, 3, 10, 12, 19]), ("figures of active", [3, 10]), ("figures of ghost", [0]),
    ("all_figures of ghost", [0, 1]), ("count(all_figures)", 21), ("walker in all_figures", True),
    ("those f in all_figures of ghost: f.holder is something", [1]),
    ("figures of follower", [3, 10, 12, 19]), ("figures of knight", [3]),
    ("figures of ranger", [10]),
    ("figures of guard", [19]), ("walker.owner", None), ("walker.kind", "walker"),
    ("walker.placed", True), ("walker.tile", 0), ("walker.cell", (0, 0)), ("walker.segment", None),
    ("walker.feature", None), ("walker.facing", None), ("walker.holder", None),
    ("walker.companion", 3), ("walker.stack", None),
    ("walker has quick", True), ("walker has pale", False),
    ("those f in figures: f.owner is active", [3, 10]),
    ("those f in figures: f is highwayman", [12]),
    ("count(those f in figures: f.facing = east)", 1), ("most f in figures: worth(f)", [10]),
    ("those f in figures: f.feature is complete", "TW406"),
    ("those f in figures: f.feature is something and f.feature is complete", [3]),
    ("walker.owner = walker.owner", False), ("walker.owner != walker.owner", True),
    ("those f in next(active).owned: f.stack is urn", [20]),
    ("those f in next(active).owned: f.holder is something", []),
    ("any f in next(active).supply: f.stack is something", False),
    ("walker.owner is nothing", True), ("nothing = walker.owner", True),
    ("walker.tile has garden_symbol", False), ("walker.companion is meeple", True),
    # pieces and stacks
    ("count(land)", 66), ("land is empty", False), ("spare is empty", True),
    ("city1 is playable", True), ("city4_shield.playable", True),
    # no symbol of the probe game is a cover
    ("count(covered(city1, garden_symbol))", 0), ("count(covers(t0, garden_symbol))", 0),
    ("t0 in t0.whole", True), ("turns(t0)", [0]), ("swaps(t0)", []),
    ("in_place(city4_shield, t0)", []), ("t0.hidden", False), ("reveals(t0)", []),
    ("count(beside_cover(city1, t0, garden_symbol, north))", 0),
    ("city1_garden has garden_symbol", True),
    ("count(placements(city4_shield))", 1), ("count(placements(monastery_field)) > 4", True),
    ("count p in land: p is city1", 3), ("count(those p in land: p is city1)", 3),
    ("collect p in land: p has garden_symbol", [False, True]), ("start.piece.playable", True),
    ("city1_road_straight.kinds", ["city", "field", "road"]), ("city4_shield.kinds", ["city"]),
    # the features and cells that a piece would add
    ("count q in prints(city1_road_straight, origin): q is road", 1),
    ("collect q in prints(city1, origin): q.cell", [(0, 0)]),
    ("count(prints(city1_road_straight, origin) of field)", 2),
    ("sum q in prints(city1_road_straight, origin): count(q.sides)", 8),
    ("those d in directions: any q in prints(city1, origin) of city: d in q.sides", [0]),
    ("count q in prints(city1, origin): q is city", 1),
    ("count(joined(city1, origin))", 0),
    ("cells(city1, origin)", [(0, 0)]), ("ahead(t0.cell, north)", 0), ("furthest(west)", 0),
    ("t0.cell.distance", 0), ("beyond(beyond(t0.cell, north), west).distance", 2),
    ("count(basket)", 2), ("basket of next(active) is basket of active", False),
    ("basket of active is empty", True), ("previous(active)", 1),
    ("any a in placements(city4_shield): not (joined(city4_shield, a) of city is empty)", True),
    (
        "any a in placements(city4_shield): any q in prints(city4_shield, a):"
        " not (joins(city4_shield, a, q) of city is empty)",
        True,
    ),
    ("completed_by(city1, origin)", []),
    ("count a in placements(city1): not (completed_by(city1, a) of city is empty)", 1),
    ("count a in placements(city1): not (completed_by(city1, a) of bower is empty)", 3),
    ("any a in placements(monastery_road): completed_by(monastery_road, a) is empty", True),
    ("any a in placements(city4_shield): not (completed_by(city4_shield, a) is empty)", False),
    ("any a in placements(city1): not (completed_by(city4_shield, a) is empty)", False),
    ("sum q in prints(city1, origin): count(joins(city1, origin, q))", 0),
    ("sum a in placements(city4_shield): count(prints(city4_shield, a))", 1),
    ("collect a in placements(city4_shield): first(prints(city4_shield, a)) is something", [True]),
    ("any a in placements(city1): prints(city4_shield, a) is empty", True),
    ("any a in placements(city1): prints(city1, a) is empty", False),
    # tokens
    ("tokens", ["bead", "chip", "nail"]), ("tokens of shiny", ["bead", "nail"]),
    ("holds(active, bead)", 1), ("holds(next(active), chip)", 0),
    ("sum k in tokens: holds(active, k)", 2), ("bead has quick", True), ("chip has shiny", False),
    ("most k in tokens: holds(next(active), k)", ["bead"]), ("bead is nail", False),
    ("those k in tokens: k has shiny and k is not bead", ["nail"]), ("one_token", None),
    # sets
    ("{1, 2, 1}", [1, 2]), ("{walker, walker}", [2]), ("2 in {1, 2}", True),
    ("walker not in figures", False), ("first({})", None), ("count({})", 0), ("{} is empty", True),
    ("cycle({}, 3)", []), ("(if true then {} else figures) of active", []),
    ("count(cycle(tiles, 9))", 6),
    ("first 1 of active.figures", [3]), ("first 9 of active.figures", [3, 10]),
    ("first (-1) of active.figures", []),
    ("first 1 of players_from(next(active))", [1]), ("first 0 of players", []),
    ("first 1 of figures of active", [3]), ("count(first 2 of (those t in tiles: true))", 2),
    ("first true of players", "TW405"), ("first 1 of active", "TW411"),
    ("1..3", [1, 2, 3]), ("3..1", []), ("sum n in 1..4: n", 10), ("3 in (1..3)", True),
    ("-1..turn - 5", [-1, 0, 1]), ("1..true", "TW405"),
    # definitions and memory
    ("worth(walker)", 4), ("liked(walker.cell)", "TW406"), ("rank(active)", 7), ("one_number", 0),
    ("many.figure", []), ("one_cell", None), ("refuge(active)", "urn"),
    ("refuge(next(active))", "spare"), ("favourite(active)", None), ("helpers(active)", [0, 3, 10]),
    ("helpers(next(active))", [12, 19]), ("sum x in features of road: tally(x)", 1),
    ("nearby(t0.cell)", [(0, 1), (1, 0), (0, -1), (1, 1)]), ("cosy(t0.cell)", False),
    ("winners()", [0]), ("may_lay(city1, origin)", True),
    # memory that is kept for things
    ("active.coins", 0), ("walker.seen_in", None), ("t0.dug", False), ("active.dug", "TW408"),
    ("walker.seen_in.size", "TW406"), ("sum x in features: x.toll", 0), ("tiles.dug", "TW408"),
    ("any x in features: x.sealed", False), ("count t in tiles: t.tag is walker", 0),
)  # fmt: skip


@pytest.mark.parametrize(("text", "value"), VALUES, ids=[text for text, _ in VALUES])
def test_a_text_is_worth_this(text: str, value: Any) -> None:
    if isinstance(value, str) and value.startswith("TW4"):
        reporter = Reporter()
        checked_expression(text, reporter)
        assert [d.code for d in reporter.diagnostics] == [value]
        return
    assert value_of(text) == value


# ------------------------------------------------------------------ verbs and effects

EFFECTS: tuple[tuple[str, str | None, Any], ...] = (
    ("award 5 to active", "active.points", 12),
    ("award 5 to next(active) on walker_x", None, "TW301"),
    ("for x in features of road { award 2 to next(active) on x }", "next(active).points", 6),
    ("move walker to first_tile", None, "TW301"),
    ("for t in tiles { move walker to t }", "walker.cell", (1, 2)),
    ("for t in tiles { move walker to t.cell }", "walker.companion", None),
    ("for s in segments(tiles) of road { move walker to s }", "walker.segment", (2, 0)),
    ("for f in figures { if f is meeple { return f } }", "walker.companion", None),
    ("for f in figures of ranger { return f }", "walker.placed", False),
    ("for f in figures { if f is meeple { return f } }", "one_figure", 12),
    ("for f in figures { return f quietly }", "one_figure", None),
    ("hand walker to active", "walker.holder", 0),
    ("award 5 to active quietly\nexchange active with next(active)", "next(active).points", 12),
    ("hand walker to active\nexchange active with next(active)", "walker.holder", 1),
    ("exchange active with active", "active.points", 7),
    ("draw p from land\nstack p on spare", "count(spare)", 1),
    ("repeat 3 { draw p from land\nset one_piece = p\nstack p on basket of active }",
     "(basket of active).top is one_piece", True),
    ("repeat 3 { draw p from land\nset one_piece = p\nput p into basket of active }",
     "in_stack(basket of active, 3) is one_piece", True),
    ("hand walker to active", "walker.cell", None),
    ("for f in figures of guard { attach walker to f }", "walker.tile", 5),
    ("for f in figures of guard { attach walker to f }", "walker.companion", 19),
    ("face walker to south", "walker.facing", 2),
    ("move walker to urn", "walker.stack", "urn"),
    ("move walker to urn", "walker.companion", None),
    ("move walker to urn", "walker.placed", False),
    ("move walker to urn\nreturn walker", "walker.stack", None),
    ("move walker to urn\nhand walker to active", "walker.holder", 0),
    ("hand walker to active\nmove walker to spare", "walker.holder", None),
    ("face walker to south\nmove walker to urn", "walker.facing", None),
    ("for f in figures { move f to spare }", "figures", []),
    ("for f in figures { if f is meeple { move f to spare } }", "one_figure", 12),
    ("set active.coins = 3\nadd 2 to active.coins\nadd -1 to active.coins", "active.coins", 4),
    ("set active.coins = 3", "next(active).coins", 0),
    ("add 2 to one_number\nadd 2 to one_number", "one_number", 4),
    ("let n = 2\nadd 3 to n\naward n to active", "active.points", 12),
    ("set active.coins = 3\nset active = next(active)\nadd 1 to active.coins",
     "collect p in players: p.coins", [3, 1]),
    ("for x in features of road { set walker.seen_in = x }", "walker.seen_in is road", True),
    ("for t in tiles { set t.tag = walker\nset t.dug = true }",
     "count t in tiles: t.dug and t.tag is walker", 6),
    ("for t in tiles { set t.tag = walker\nset t.tag = nothing }",
     "any t in tiles: t.tag is something", False),
    ("for s in segments(tiles) { add 1 to s.feature.toll }",
     "all x in features: x.toll = (count s in segments(tiles): s.feature is x)", True),
    ("for x in features { set x.founder = active }",
     "all x in features: x.founder is active", True),
    ("give bead to active", "holds(active, bead)", 2),
    ("repeat 9 { give bead to active }", "holds(active, bead)", 2),
    ("repeat 9 { give bead to active }", "holds(next(active), bead)", 1),
    ("for k in tokens of shiny { give k to next(active) }", "holds(next(active), nail)", 1),
    ("give bead to active\nspend bead by active", "holds(active, bead)", 1),
    ("spend bead by active", "holds(active, bead)", 0),
    ("repeat 9 { spend bead by next(active) give bead to active }", "holds(active, bead)", 3),
    ("spend bead", "one_number", "TW410"),
    ("give walker to active", "one_number", "TW405"),
    ("give bead", "one_number", "TW410"),
    ("move walker to bead", "one_number", "TW405"),
    ("take city1 from land", "count(land)", 65),
    ("take city1 from land\nput city1 into spare", "count(spare)", 1),
    ("draw held.piece from land\nset one_piece = held.piece\nput one_piece into spare",
     "count(spare)", 1),
    ("move all of land into spare", "count(spare)", 66),
    ("move all of land into land", "count(land)", 66),
    ("draw one_piece from land", "count(land)", 65),
    ("draw one_piece from land where one_piece has garden_symbol",
     "one_piece has garden_symbol", True),
    ("draw held.piece from land where held.piece has garden_symbol",
     "held.piece has garden_symbol", True),
    ("set held.piece = city1\ndraw held.piece from land\n"
     "  where held.piece has garden_symbol and river in held.piece.kinds", "count(land)", "TW301"),
    ("set held.piece = city1\ndraw held.piece from land where monastery in held.piece.kinds",
     "held.piece is city1", False),
    ("set held.piece = city1\ndraw held.piece from land where held.piece has garden_symbol",
     "held.piece has garden_symbol", True),
    ("take city1 from land\nchoose a in placements(city1) by active {\n"
     "lay city1 at a into many.tile }", "many.tile", [6]),
    ("take city1 from land\nchoose a in placements(city1) by active { lay city1 at a }",
     "count(tiles)", 7),
    ("for s in segments(tiles) of city { for o in segments(tiles) of city { join s to o } }",
     "count(features of city)", 1),
    ("for s in segments(tiles) of city { for o in segments(tiles) of city { join s to o } }\n"
     "for s in segments(tiles) of city { for o in s.joined { part s from o } }",
     "count(features of city)", 2),
    ("for t in tiles { for d in covers(t, garden_symbol) { cover t by garden_symbol at d } }",
     "count(tiles)", 6),
    ("for t in tiles { lift t }", "tiles", []),
    ("for t in tiles { lift t }", "count(figures)", 0),
    ("for t in tiles { if t.piece is city1 { lift t } }", "count(features of city)", 2),
    ("for t in tiles { let p = t.piece\nlift t\nput p into spare }", "count(spare)", 6),
    ("for t in tiles { lift t\nset one_number = t.cell.distance }", "one_number", 3),
    ("for t in tiles { set many.tile = tiles\nlift t }", "many.tile", []),
    ("lift walker", "one_number", "TW405"),
    ("for t in tiles { for d in turns(t) { rotate t to d } }", "count(tiles)", 6),
    ("for t in tiles { for d in turns(t) { rotate t to d\nstop } }",
     "count t in tiles: count(t.whole) = 1", 6),
    ("for t in tiles { for u in swaps(t) { swap t with u\nstop } stop }",
     "count t in tiles: t.cell.distance = 0", 1),
    ("for t in tiles { swap t }", "one_number", "TW410"),
    ("take city4_shield from land\nfor t in tiles {"
     " for d in in_place(city4_shield, t) { replace t with city4_shield to d } }",
     "count t in tiles: t.piece is city4_shield", 1),
    ("take city1 from land\nfor t in tiles { if t.piece is city1_garden {"
     " for d in first 1 of in_place(city1, t) { replace t with city1 to d } } }",
     "count t in tiles: t.piece is city1", 2),
    ("hide walker", "one_number", "TW405"),
    ("reveal walker to north", "one_number", "TW405"),
    ("conceal walker at origin.cell", "one_number", "TW405"),
    ("for x in features { if x.open_ends = 0 { recast x as x.kind } }",
     "count(features of city)", 2),
    ("set one_number = 4", "one_number", 4),
    ("set active = next(active)", "active", 1),
    ("set many.cell = {}", "many.cell", []),
    ("let a = 3\nset a = a + 1\nset one_number = a", "one_number", 4),
    ("add north to many.direction\nadd east to many.direction", "many.direction", [0, 1]),
    ("add north to many.direction\ndrop north from many.direction", "many.direction", []),
    ("repeat 3 { set one_number = one_number + 2 }", "one_number", 6),
    ("repeat 9 { set one_number = one_number + 1\nstop if one_number = 4 }", "one_number", 4),
    ("for p in players { for t in tiles { stop }\nset one_number = one_number + 1 }",
     "one_number", 2),
    ("stop\naward 1 to active", "active.points", "TW419"),
    ("stop if turn > 2\naward 1 to active", "active.points", 7),
    ("if walker is placed { award 1 to active } else if true { end game }", "active.points", 8),
    ("for p in land { stop if p has garden_symbol\nset one_number = one_number + 1 }",
     "one_number", 1),
    ("let s = land\nfor p in s { set one_number = one_number + 1 }", "one_number", 66),
    ("pay(3, active)\npay(30, active)", "active.points", 10),
    ("pay(3, active)", "twice", 3),
    ("pay (3, active)", "one_number", "TW401"), ("award(3)", "one_number", "TW303"),
    ("give 2 of bead to active", "holds(active, bead)", 2),
    ("give 9 of bead to active", "holds(active, bead)", 2),
    ("give (1 - 2) of bead to active", "holds(active, bead)", 1),
    ("give 2 of bead to active\nspend 1 of bead by active", "holds(active, bead)", 1),
    ("give bead of bead to active", "one_number", "TW405"),
    ("draw from land into spare", "count(spare)", 1),
    ("draw from land into spare times 5", "count(spare)", 5),
    ("draw from land into spare times 99", "count(land)", 0),
    ("draw p from land into spare times 2 where p has garden_symbol",
     "count p in spare: p has garden_symbol", 2),
    ("draw p from land into spare times 99 where p has garden_symbol",
     "any p in land: p has garden_symbol", False),
    ("draw p from land into spare times 99 where p has garden_symbol and count(spare) < 2",
     "count(spare)", 2),
    ("draw active from land into spare", "count(spare)", "TW413"),
    ("draw from land into walker", "count(spare)", "TW405"),
    ("for f in all_figures with owner p { give chip to p }", "sum p in players: holds(p, chip)",
     19),
    ("for f in all_figures with owner p { stop if p is not active\naward 1 to p }",
     "active.points", 16),
    ("for f in figures with kind k { stop }", "one_number", "TW409"),
    ("may \"have one\" by active { award 1 to active }", "active.points", 8),
    ("may \"have one\" by active { may \"have two\" by active { award 2 to active } }",
     "active.points", 9),
    ("may \"have one\" by walker { award 1 to active }", "active.points", "TW405"),
    ("choose n in 2..5 by active as \"bid\" { award n to active }", "active.points", 9),
    ("return walker quietly", "walker is placed", False),
    ("do pay(3, active)", "one_number", "TW420"), ("remove walker", "one_number", "TW420"),
    ("shuffle land into spare", "one_number", "TW420"),
    ("announce ping(3, active)", "one_number", 3),
    ("announce ping(4, active)", "active.points", 8),
    ("announce blink(walker)", "many.figure", [2]),
    ("ask(active, active.figures)", "one_number", 2),
    ("offer actions by active", "active.points", 8),
    ("may choose p in many.player by active { award 9 to p } else { award 2 to active }",
     "active.points", 9),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected", "value"), EFFECTS, ids=[text for text, _, _ in EFFECTS]
)
def test_an_effect_brings_this_about(text: str, expected: str | None, value: Any) -> None:
    if isinstance(value, str) and value.startswith("TW"):
        reporter = Reporter()
        checked(text, reporter)
        assert [d.code for d in reporter.diagnostics] == [value]
        return
    match = the_board(program_with(text))
    while label(match) != "done":
        match.choose_number(0)
    assert expected is not None
    reporter = Reporter()
    node = parse_expression(code_without_file(expected), reporter)
    assert node is not None
    term = ExpressionChecker(game().environment, reporter).expression(node, Scope())
    assert not reporter.has_errors
    found = match.program.evaluator(term)(match)
    assert shown(seen(game(), match, found, term.type.base, term.type.many)) == value


def test_a_remembered_feature_is_the_one_it_has_become_part_of() -> None:
    text = """
      let kept = features of field
      set many.feature = kept
      take monastery_field from land
      choose a in placements(monastery_field) by active {
        lay monastery_field at a
        set one_number = count(kept) * 100 + count(many.feature)
        set twice = count(features of field)
        set one_truth = all x in kept: x in many.feature and x in features
      }
    """
    before = the_board(program_with(text))
    before.choose_number(0)
    counts = set()
    for k in range(before.count):
        match = before.fork()
        match.choose_number(k)
        memory = {x.declaration.id: i for i, x in enumerate(game().memory)}
        fields = match.memory[memory["twice"]]
        assert match.memory[memory["one_number"]] == 101 * fields
        assert match.memory[memory["one_truth"]] is True
        counts.add(fields)
    assert counts == {2, 3}


def test_definitions_that_ask_each_other_twice_do_not_grow_without_end() -> None:
    declared = "".join(
        f"  d{i}: {{parameters: {{who: player}}, type: truth, combine: all, says: x}}\n"
        for i in range(25)
    )
    amendments = "".join(
        f"  - {{id: d{i}.r, amend: d{i}(who), value: not d{i - 1}(who) or d{i - 1}(who)}}\n"
        for i in range(1, 25)
    )
    reporter = Reporter()
    rules = RULES.replace("definitions:\n", "definitions:\n" + declared, 1) + amendments
    found = linked(rules, reporter)
    assert found is not None, reporter.diagnostics
    with at_most_calls(5_000_000):
        compile_game(found)


def test_end_game_goes_straight_to_the_final_steps() -> None:
    match = the_board(program_with("for p in players { end game }"))
    match.choose_number(0)
    assert label(match) == "over"
    assert match.points == [7, 4]


@pytest.mark.parametrize("text", [
    "draw one_piece from spare", "take city1 from spare", "lay city1 at origin",
    "put city1 into spare", "attach walker to ghost_in_hand",
    "draw one_piece from land where false",
    "for t in tiles { move walker to beyond(t.cell, west) }",
])  # fmt: skip
def test_what_can_not_be_done_is_the_rules_fault(text: str) -> None:
    text = text.replace("attach walker to ghost_in_hand", "hand walker to active\n"
                        "for f in active.supply { attach walker to f }")  # fmt: skip
    match = the_board(program_with(text))
    with pytest.raises(RuleError):
        match.choose_number(0)


@pytest.mark.parametrize(("text", "words"), [
    ("put city1 into spare", "`city1` cannot be put into `spare`: nobody has drawn or taken it, or "
     "it has been laid or put away since; it is on the board at 0,1 and in `land`"),
    ("choose a in placements(city1) by active { lay city1 at a }", "`city1` cannot be laid: "),
    ("draw one_piece from land put one_piece into spare put one_piece into urn",
     " cannot be put into `urn`: "),
    ("take city1 from land choose a in placements(city1) by active { lay city1 at a\n"
     "put city1 into land }", "`city1` cannot be put into `land`: "),
    ("for p in land { put p into spare }", " cannot be put into `spare`: "),
])  # fmt: skip
def test_a_piece_that_lies_elsewhere_cannot_be_put_or_laid(text: str, words: str) -> None:
    match = the_board(program_with(text))
    with pytest.raises(RuleError, match=re.escape(words)):
        while label(match) != "done":
            match.choose_number(0)


def test_a_loose_piece_is_loose_in_a_fork_and_in_a_save() -> None:
    text = "draw one_piece from land choose d in directions by active { put one_piece into spare }"
    match = the_board(program_with(text))
    match.choose_number(0)
    for other in (match.fork(),):
        assert other.loose == match.loose
        other.choose_number(0)
        assert label(other) == "done" and other.loose == match.loose[:-1]


# ------------------------------------------------------------------ diagnostics

WRONG = (
    ("award 1 + not to active", "TW401"), ("award + and to active", "TW401"),
    ("award 1 active", "TW401"), ("let if = 3", "TW413"), ("let to = 3", "TW413"),
    ("award 1 to active;", "TW401"), ("award 1 to 'red'", "TW401"),
    ("award 1000000000000000000 to active", "TW402"), ("award " + "(" * 41, "TW403"),
    ("award " + "1 + " * 120 + "1 to active", "TW403"),
    ("award 1 to actve", "TW301"), ("award wroth(walker) to active", "TW302"),
    ("award worth to active", "TW301"), ("pya(1, active)", "TW303"),
    ("announce pong(1, active)", "TW304"), ("award active to active", "TW405"),
    ("award 1 to walker.owner", "TW406"), ("award max(1) to active", "TW407"),
    ("pay(1)", "TW407"), ("award walker.size to active", "TW408"),
    ("award figures.points to active", "TW408"), ("stop if walker = active", "TW409"),
    ("stop if figures = figures", "TW409"), ("stop if walker is active", "TW409"),
    ("stop if active is nothing", "TW409"), ("stop if active has quick", "TW409"),
    ("for r in many.trait { stop if walker has r }", "TW409"),
    ("stop if walker < 3", "TW409"), ("award 1 into active", "TW410"), ("move walker", "TW410"),
    ("award 1 to active to active", "TW410"), ("for x in walker { stop }", "TW411"),
    ("stop if 3 is empty", "TW411"), ("award count(3) to active", "TW411"),
    ("set t0.dug = true", "TW301"), ("for t in tiles { set t.dug = 3 }", "TW405"),
    ("for f in figures { set f.companion.seen_in = nothing }", "TW406"),
    ("for f in figures { set f.dug = true }", "TW408"),
    ("add true to active.coins", "TW405"), ("drop 1 from active.coins", "TW411"),
    ("for t in tiles { add true to t.dug }", "TW411"), ("set tiles.dug = true", "TW408"),
    ("add walker to one_figure", "TW411"), ("set probe.bonus = 4", "TW412"),
    ("set turn = 4", "TW412"), ("lay city1 at origin into {}", "TW412"),
    ("let land = 1", "TW413"), ("let a = 1\nlet a = 2", "TW413"),
    ("stop if walker in {walker, active}", "TW418"), ("stop if {figures} is empty", "TW418"),
    ("stop if (collect t in tiles: t.figures) is empty", "TW418"),
    ("stop if {walker.owner} is empty", "TW418"), ("end game\nend game", "TW419"),
    ("kill walker", "TW420"), ("pay 1 to active", "TW420"),
    ("lay city1 at origin into one_cell", "TW405"), ("draw one_cell from land", "TW405"),
    ("stop if figures of land is empty", "TW405"), ("stop if tiles of city is empty", "TW411"),
    ("stop if walker is one_role", "TW406"), ("stop if one_cell in many.cell", "TW406"),
)  # fmt: skip
#: what was shown to be there is there no longer
FORGOTTEN = (
    "if one_piece = nothing { put one_piece into land }",
    "if first(figures) is something { return first(figures)\nreturn first(figures) }",
    "if walker.companion is something { return walker.companion\nreturn walker.companion }",
    "if one_player is something { return walker\naward 1 to one_player }",
    "if one_player is something { announce blink(walker)\naward 1 to one_player }",
    "if one_player is something { award 1 to one_player\naward 1 to one_player }",
    "if walker.cell is something { award 1 to active\nadd walker.cell to many.cell }",
    "if first(active.supply) is something { award 1 to active\nreturn first(active.supply) }",
    "if one_player is something { set one_player = nothing\naward 1 to one_player }",
    "if one_player is nothing { stop } else { set one_player = nothing }\naward 1 to one_player",
    "if one_player is something { for f in figures { award 1 to one_player\n"
    "set one_player = nothing } }",
    "if first(many.player) is something { drop active from many.player\n"
    "award 1 to first(many.player) }",
    "let c = north\nfor t in tiles { if neighbour(t.cell, c) is something { set c = east\n"
    "move walker to neighbour(t.cell, c) } }",
    "if favourite(active) is something { set one_truth = false\nreturn favourite(active) }",
    "if first(those p in land: p has garden_symbol) is something { draw one_piece from land\n"
    "put first(those p in land: p has garden_symbol) into spare }",
    "if walker.cell is something { return walker quietly\nadd walker.cell to many.cell }",
    "if walker.cell is something { face walker to north\nadd walker.cell to many.cell }",
    "let t0 = first(tiles)\nstop if t0 is nothing\nif neighbour(t0.cell, east) is something {\n"
    "lay city1 at origin\nadd neighbour(t0.cell, east) to many.cell }",
    "if one_figure is something and one_figure.owner is something { return walker\n"
    "award 1 to one_figure.owner }",
    "if one_figure is something and one_figure.owner is something { set one_figure = walker\n"
    "award 1 to one_figure.owner }",
    "for t in tiles { if t.tag is something { set t.tag = nothing\nreturn t.tag } }",
    "for t in tiles { for u in tiles { if t.tag is something {\n"
    "set u.tag = nothing\nreturn t.tag } } }",
    "for t in tiles { if t.tag is something { announce blink(walker)\nreturn t.tag } }",
    "if one_trait is something and first(tokens of one_trait) is something {\n"
    "set one_trait = shiny\ngive first(tokens of one_trait) to active }",
)
#: facts that still hold
KNOWN = (
    "if walker.companion = walker.companion { return walker.companion }",
    "if one_player is something { award 1 to one_player quietly\naward 1 to one_player }",
    "if one_player is nothing { stop }\naward 1 to one_player",
    "if one_player is something { let a = 1 } else { stop }\naward 1 to one_player",
    "stop if one_player is nothing\naward 1 to one_player",
    "if not (one_player is nothing) and turn > 1 { award 1 to one_player }",
    "if one_player is nothing or one_player.points > 3 { stop }",
    "set one_player = active\naward 1 to one_player",
    "for t in tiles { set t.tag = walker\nreturn t.tag }",
    "for t in tiles { if t.tag is something { set t.dug = true\nreturn t.tag } }",
    "let a = first(players)\nstop if a is nothing\nreturn walker\naward 1 to a",
    "stop if not (walker is placed)\nadd walker.cell to many.cell\nadd walker.cell to many.cell",
    "stop if one_player is nothing\nchoose d in directions by active { award 1 to one_player }",
    "award (if one_player is something then one_player.points else 0) to active",
    # facts that an effect cannot change still hold
    "for f in figures { if f.owner is something { award 1 to f.owner\naward 2 to f.owner } }",
    "for f in figures { if f.owner is something { return f\naward 2 to f.owner } }",
    "for f in figures { if f.owner is something { for g in figures { return g quietly }\n"
    "pay(1, f.owner)\nset one_player = f.owner } }",
    "if walker.cell is something { award 1 to active quietly\nadd walker.cell to many.cell }",
    "if walker.cell is something { give bead to active\nput city1 into spare\n"
    "draw one_piece from land\nset one_number = 3\nadd walker.cell to many.cell }",
    "let t0 = first(tiles)\nstop if t0 is nothing\n"
    "if neighbour(t0.cell, east) is something { return walker quietly\n"
    "add neighbour(t0.cell, east) to many.cell }",
    "if first(active.supply) is something { award 1 to active quietly\n"
    "return first(active.supply) }",
    "if one_figure is something and one_figure.owner is something { return walker quietly\n"
    "award 1 to one_figure.owner }",
)


@pytest.mark.parametrize(("text", "code"), WRONG, ids=[text[:40] for text, _ in WRONG])
def test_a_wrong_text_is_complained_of(text: str, code: str) -> None:
    reporter = Reporter()
    checked(text, reporter)
    assert {d.code for d in reporter.diagnostics} == {code}, reporter.diagnostics


@pytest.mark.parametrize("text", FORGOTTEN)
def test_what_may_have_gone_must_be_tested_again(text: str) -> None:
    reporter = Reporter()
    checked(text, reporter)
    assert {d.code for d in reporter.diagnostics} == {"TW406"}, reporter.diagnostics


@pytest.mark.parametrize("text", KNOWN)
def test_what_was_tested_may_be_used(text: str) -> None:
    reporter = Reporter()
    checked(text, reporter)
    assert not reporter.diagnostics, reporter.diagnostics


ADVICE = (
    ("give 3 coin to active", "write `give 3 of coin to active`"),
    ("give 2 points to active", "points are given with `award 2 to active`"),
    ("for p in players { award 1 to p", "a `}` is missing at the end"),
    ("draw 2 p from land", "one piece is drawn at a time: `repeat 2 { draw p from STACK }`"),
    ("choose p in players by active \"who\" { stop }", 'write a label after `as`: `as "who"`'),
    ("award 1 to active points",
     "`points` is taken for the verb of another effect: a word is missing before it"),
    ("set active.points = 3",
     "points are given: `award 1 to p`, and `award -1 to p` takes one away"),
    ("award city.worth_a_lot to active", "there is `city.shield_points`, `city.tile_points`"),
    ("stop if origin.colour = 3", "a placement has `cell`"),
    ("stop if walker.colour = 3", "a figure has `cell`, `companion`, `facing`, `feature`, "
     "`holder`, `kind`, `owner`, `placed`, `seen_in`, `segment`, `stack`, `tile`"),
    ("set active.coin = 3", ""),
    ("drop 1 from active.coins", "write `add -1 to active.coins`"),
    ("award walker.coins to active", "a figure has `cell`, `companion`, `facing`, `feature`, "
     "`holder`, `kind`, `owner`, `placed`, `seen_in`, `segment`, `stack`, `tile`"),
    ("set walker.facing = north", "attributes cannot be set; verbs change them"),
    ("move all # the rest\n  of land into spare",
     "write `move all of` without a comment between its words"),
    ("move # the rest\n  all of land into spare",
     "write `move all of` without a comment between its words"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "advice"), ADVICE, ids=[text for text, _ in ADVICE])
def test_a_wrong_text_is_told_what_to_write(text: str, advice: str) -> None:
    reporter = Reporter()
    checked(text, reporter)
    assert [d.hint for d in reporter.diagnostics] == [advice]


def test_the_checker_tells_which_effect_undid_a_test_and_what_to_write() -> None:
    reporter = Reporter()
    checked(
        "if walker.cell is something {\n  return walker\n  move walker to walker.cell }", reporter
    )
    (found,) = reporter.diagnostics
    assert found.message.startswith("`walker.cell` may be nothing again: an effect after the test")
    assert [(note.span.line, note.message) for note in found.notes] == [
        (2, "a consequence of this may change `walker.cell`")
    ]
    assert found.hint == (
        "keep it before that: `let found = walker.cell`, then test and use `found`"
    )
    reporter = Reporter()
    checked("if one_player is something {\n  set one_player = nothing\n"
            "  award 1 to one_player }", reporter)  # fmt: skip
    (found,) = reporter.diagnostics
    assert [note.message for note in found.notes] == ["this may change `one_player`"]
    assert "`let who = one_player`" in found.hint


#: effects and the parts of the game that each changes
CHANGES = (
    ("award 1 to active", "points"), ("award 1 to active quietly", "points"),
    ("give bead to active", "tokens"), ("spend bead by active", "tokens"),
    ("take city1 from land", "stacks"), ("move all of land into spare", "stacks"),
    ("face walker to south", "figures"),
    ("for f in figures { return f quietly }", "figures"),
    ("choose a in placements(city1) by active { take city1 from land lay city1 at a }", "board"),
)  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("text", "changed"), CHANGES, ids=[text for text, _ in CHANGES])
def test_an_attribute_changes_only_with_what_it_is_said_to_read(
    text: str, changed: str, seed: int
) -> None:
    changes = {what for verb in VERBS if verb.spoken in text for what in verb.changes}
    assert changed in changes
    fixed = [
        (f"those f in all_figures: f.{a.name} is something", a)
        for a in ATTRIBUTES
        if a.owner == "figure" and a.type.optional
    ]
    fixed += [
        (f"collect p in players: count(p.{a.name})", a)
        for a in ATTRIBUTES
        if a.owner == "player" and a.type.many
    ]
    fixed += [("sum p in players: p.points", next(a for a in ATTRIBUTES if a.name == "points"))]
    match = position(seed, program_with(text))

    def values() -> list[Any]:
        found = []
        for question, attribute in fixed:
            if changes.isdisjoint(attribute_reads(attribute.owner, attribute.name)):
                node = parse_expression(code_without_file(question), Reporter())
                assert node is not None
                term = ExpressionChecker(game().environment, Reporter()).expression(node, Scope())
                found.append((question, match.program.evaluator(term)(match)))
        return found

    before = values()
    while label(match) != "done":
        match.choose_number(0)
    assert len(before) >= 3 and values() == before


# ------------------------------------------------------------------ the table of primitives


def nodes_in(node: Any) -> list[n.Node]:
    """A node or a tuple of them, and all that is inside."""
    if isinstance(node, tuple):
        return [inner for part in node for inner in nodes_in(part)]
    if not isinstance(node, n.Node):
        return []
    return [node, *(x for name in node.__match_args__ for x in nodes_in(getattr(node, name)))]


PRIMITIVES = (*ATTRIBUTES, *GLOBALS, *FUNCTIONS, *RELATIONS, *VERBS)


def called(text: str) -> list[str]:
    """The functions and methods that an expression calls, by their paths."""
    calls = [node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [path for path in map(ast.unparse, calls) if re.fullmatch(r"[a-z_.]+", path)]


def test_every_primitive_has_python_text_that_calls_what_there_is() -> None:
    match = position(1)
    known = {**vars(builtins), **match.program.scope, "m": match}
    for row in PRIMITIVES:
        texts = [row.python, *(form.python for _, form in row.forms)]
        assert any(texts), row
        for path in (path for text in texts for path in called(text)):
            first, *rest = path.split(".")
            assert callable(functools.reduce(getattr, rest, known[first])), path


def test_a_verb_with_several_types_of_targets_has_a_form_for_each() -> None:
    for verb in VERBS:
        types = verb.parts[0][1] if verb.parts else ()
        assert verb.python or {word for word, _ in verb.forms} == set(types)


def test_every_primitive_stands_in_the_tables_above() -> None:
    expected = " ".join([*(text for text, _ in VALUES), *(text for text, _, _ in EFFECTS)])
    words = set(re.findall(r"[a-z_]+", expected))
    wanted = {a.name for a in ATTRIBUTES} | {g.name for g in GLOBALS}
    wanted |= {f.name for f in FUNCTIONS}
    wanted |= {word for v in VERBS for word in v.spoken.split()}
    assert wanted - words == set()


def test_every_type_in_the_table_of_primitives_is_a_type() -> None:
    for function in FUNCTIONS:
        for _, text in (*function.parameters, ("", function.result)):
            assert parse_type(text.replace("T", "number")) is not None, function.name
    for verb in VERBS:
        for _, types, _ in verb.parts:
            assert all(parse_type(t.removeprefix("target: ")) for t in types), verb.name
    changed = {part for verb in VERBS for part in verb.changes} | {ANYTHING}
    for attribute in ATTRIBUTES:
        assert changed >= attribute_reads(attribute.owner, attribute.name)
    for implied in (a for a in ATTRIBUTES if a.implies):
        assert all(Type(implied.owner) for _ in implied.implies)


# ------------------------------------------------------------------ pausing

NESTED = """
let total = 0
let seen = {walker}
for p in players_from(next(active)) {
  repeat 2 {
    choose d in directions by p as "way" {
      set total = total + 1
      add p to many.player
      if d is east { stop }
      ask(p, p.figures)
      announce ping(total * 2, p)
    }
    may choose t in tiles by p as "where" {
      move walker to t
      for f in t.figures { add f to seen }
      for s in t.segments {
        may choose x in {s.feature} by p { add x to many.feature } else { stop }
      }
    } else { offer actions by p }
  }
  set one_number = one_number + total + count(seen)
}
"""
#: the same with a decision whenever a figure leaves its tile
ASKED = (
    RULES
    + """
  - id: left.asked
    on: left(f)
    after: [left.note]
    do: may choose d in directions by active as "left" { award 1 to active } else { face f to west }
"""
)


def play(match: Match, seed: int, saving: bool) -> list[Any]:
    """Play on to the decision `done`, leaving the process between choices where wanted."""
    choices = iter(range(seed, seed + 500))
    found = []
    while label(match) not in ("done", "over"):
        k = next(choices) * 7 % match.count
        found.append((match.to_move, match.count, k))
        match.choose_number(k)
        if saving:
            match = match.fork()
    now = Oracle(game(), match)
    return [found, now.points, now.place, now.facing, now.attached_to, now.memory, now.stacks]


@pytest.mark.parametrize("seed", range(4))
def test_a_rule_may_be_saved_at_every_choice_in_loops_procedures_and_reactions(seed: int) -> None:
    prepared = program_with(NESTED)
    straight = play(position(seed, prepared), seed, saving=False)
    assert len(straight[0]) > 8
    assert play(position(seed, prepared), seed, saving=True) == straight


@pytest.mark.parametrize("choice", (0, 4))
def test_what_follows_from_leaving_waits_for_an_answer(choice: int) -> None:
    text = "for f in figures of knight { return f } set one_number = 1"
    asking = _with_rule(text)
    match = the_board(asking)
    match.choose_number(0)
    assert label(match) == "left"
    assert match.attached_to[2] == RED_MEEPLE  # still attached while the question is open
    match = match.fork()
    match.choose_number(choice)
    assert label(match) == "done"
    assert match.attached_to[2] is None
    assert match.points[0] == 7 + 1 + (choice == 0)
    assert match.facing[RED_MEEPLE] == (None if choice == 0 else 3)


def _with_rule(text: str) -> Program:
    reporter = Reporter()
    inserted = ASKED.replace(
        'do: "if turn < 0 { offer actions by active }"',
        f'do: "if turn < 0 {{ offer actions by active }} {" ".join(text.split())}"',
    )
    assert inserted != ASKED
    found = linked(inserted, reporter)
    assert found is not None, reporter.diagnostics
    return compile_game(found)
