"""A board in a row is evidence of that row: its difference comes from a rule of the row.

The boards of both pairs of editions are made in `pytest -m slow`; the default run makes those of
two house rules.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from tilewright.rules.model.ruleset import Scenario
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.comparison.tile_matching import marks_of
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.witness.attribution import WantedRow, wanted_rows
from tilewright.tools.witness.find import find_witnesses
from tilewright.tools.witness.lockstep import choices_in
from tilewright.tools.witness.parting import Evidences
from tilewright.tools.witness.storage import scenario_of
from tilewright.tools.witness.story import Sides, play
from tilewright.tools.witness.story import Table as Meeting
from tilewright.view.comparison.witness import ending_lines
from tilewright.view.results.comparison import Comparison, TopicRow
from tilewright.view.results.divergence import Kind, Witness, Witnesses, keyed_rows

DRAGONS = ("c2/princess-and-dragon", "c3.1/dragon-and-fairy")
BUILDERS = ("c2/traders-and-builders", "c3.1/traders-and-builders")
APART = ("c2/base", "c2/base+house/no-joining-of-rivals")
WINDOW = ("c2/princess-and-dragon", "c2/princess-and-dragon+house/fairy-point-window")
#: how many rows have a board, and how many boards of topics come from a proof, at least
LEAST = {DRAGONS: (30, 10), BUILDERS: (30, 10), APART: (2, 0), WINDOW: (6, 1)}
PAIRS = pytest.mark.parametrize(
    "pair",
    [
        pytest.param(DRAGONS, id="dragons", marks=pytest.mark.slow),
        pytest.param(BUILDERS, id="builders", marks=pytest.mark.slow),
        pytest.param(APART, id="apart"),
        pytest.param(WINDOW, id="window"),
    ],
)
LIBRARY = Library()


@cache
def comparison(pair: tuple[str, str]) -> Comparison:
    return compare_texts(list(pair), LIBRARY)


@cache
def witnesses(pair: tuple[str, str]) -> Witnesses:
    return find_witnesses(pair, comparison(pair), LIBRARY)


@cache
def sides(pair: tuple[str, str]) -> Sides:
    found = comparison(pair)
    tiles = [(t.left, t.right) for row in found.tiles for t in row.tiles if t.left and t.right]
    tokens = [
        (one.id, two.id)
        for part in found.components
        for one, two in [part.cells]
        if part.what == "token" and one is not None and two is not None
    ]
    return Sides(pair, LIBRARY, tiles, tokens)


def meeting(pair: tuple[str, str], witness: Witness, first: Scenario) -> Meeting:
    """The two games that a witness is played under."""
    plain = sides(pair).plain()
    table = sides(pair).under(first, witness.games[0], 0)
    found = plain if plain is not None and plain.texts == witness.games else table
    assert found is not None and found.texts == witness.games
    return found


@cache
def rows(pair: tuple[str, str]) -> dict[str, WantedRow]:
    plain = sides(pair).plain()
    assert plain is not None
    return {row.key: row for row in wanted_rows(comparison(pair), 0, 1, plain.uses)}


def evidence(pair: tuple[str, str], witness: Witness) -> tuple[Meeting, Evidences]:
    """The evidence of a witness, found by replaying it, led by the side that has its scenario."""
    table = meeting(pair, witness, scenario_of(witness.sides[0]))
    own = int(witness.source.startswith(pair[1]))
    for lead, may_split in product((own, 1 - own), (False, True)):
        story = scenario_of(witness.sides[lead])
        both = play(table.pairing, lead, story, table.judge(lead), may_split=may_split)
        for parting, text in reversed(both.partings if both is not None else ()):
            is_end = len(choices_in(parting.lines)) == len(choices_in(story.lines))
            if is_end and parting.kind is witness.kind and text is not None:
                return table, text
    pytest.fail(f"{witness.source} cannot be played again")


@cache
def causes(pair: tuple[str, str]) -> tuple[tuple[str, Witness, int, str, Meeting], ...]:
    """For each row with a board: the witness, a side, and a mark of the row that causes the
    difference on that side; "" where there is none."""
    found: list[tuple[str, Witness, int, str, Meeting]] = []
    for witness in witnesses(pair).witnesses:
        table, text = evidence(pair, witness)
        for key in witness.rows:
            marks = rows(pair)[key].marks
            here = [
                (key, witness, side, mark, table)
                for side, each in enumerate(text)
                for mark in sorted(
                    marks[side] & (each.named | each.acted | {m for m, _ in each.near})
                )
            ]
            found += here or [(key, witness, 0, "", table)]
    return tuple(found)


def words_of(witness: Witness) -> str:
    """A witness as one text: its setup, its choices and its endings."""
    found = [*witness.board, *(f"{name} {place}" for name, place in witness.figures)]
    ends = [line for side in (0, 1) for line in ending_lines(witness, side)]
    return " ".join((*found, *witness.lines, *ends))


# ------------------------------------------------------------------ every row


@PAIRS
def test_the_difference_on_a_board_is_caused_by_a_rule_of_its_row(pair: tuple[str, str]) -> None:
    found = list(causes(pair))
    assert len({key for key, *_ in found}) >= LEAST[pair][0]
    assert not [(key, witness.source) for key, witness, _, mark, _ in found if not mark]


@PAIRS
def test_a_rule_of_many_topics_speaks_for_one_where_a_scenario_proves_it(
    pair: tuple[str, str],
) -> None:
    by_key, seen = dict(keyed_rows(comparison(pair))), 0
    for witness in witnesses(pair).witnesses:
        ruleset, _, id_ = witness.source.partition(": ")
        proves = {s for x, _ in scenarios_of(ruleset, LIBRARY) if x.id == id_ for s in x.statements}
        for key in witness.rows if proves else ():
            row = rows(pair)[key]
            marks = [(s, mark) for k, _, s, mark, _ in causes(pair) if k == key]
            proven = row.proven(frozenset(proves))
            if isinstance(by_key[key], TopicRow):
                assert any(s in proven or mark in row.own[s] for s, mark in marks), key
                seen += bool(proven)
    assert seen >= LEAST[pair][1]


@PAIRS
def test_figures_and_marks_that_a_rule_of_the_row_names_are_on_the_board(
    pair: tuple[str, str],
) -> None:
    """One of the figures that a rule names is on the board, or comes there or goes; one of the
    marks that it names is printed on a tile that is there or is drawn."""
    for key, witness, side, mark, table in causes(pair):
        used = table.uses[side].get(mark.removeprefix("rule "), frozenset())
        text = words_of(witness)
        figures = {m.partition(" ")[2] for m in used if m.startswith("figure ")}
        assert not figures or any(name in text for name in figures), (key, mark, witness.source)
        symbols = {m.partition(" ")[2] for m in used if m.startswith("symbol ")}
        pieces = {p.id: p for p in table.pairing.game(0).pieces}
        theirs = {p.id: p for p in table.pairing.game(1).pieces}
        story = scenario_of(witness.sides[side])
        names = [line.split()[0] for line in story.board]
        names += [line.text for line in story.lines if line.verb == "draw"]
        printed = {
            name
            for id_ in names
            for piece in [(pieces, theirs)[side][id_]]
            for (name, _), _ in marks_of(piece)
        }
        assert not symbols or symbols & printed, (key, mark, witness.source)


@PAIRS
def test_a_side_has_figures_only_as_it_knows_them(pair: tuple[str, str]) -> None:
    """A figure that is a companion on one side alone is beside another one there, and on a part of
    a tile on the other side; a figure that no rule hands to a player is in front of nobody."""
    carries = [
        {figure.id: figure.carries for figure in program.game.figures}
        for program in (sides(pair).plain() or pytest.fail()).pairing.programs
    ]
    for witness in witnesses(pair).witnesses:
        for side, ending in enumerate(witness.sides):
            for name, place in scenario_of(ending).figures:
                kind = next((word for word in name.split() if word in carries[side]), "")
                mine, other = (carries[i].get(kind, ()) for i in (side, 1 - side))
                if "companion" in other and "companion" not in mine:
                    assert not place.startswith("beside "), (witness.source, name, place)
                if "companion" in mine and "companion" not in other:
                    assert place.startswith("beside "), (witness.source, name, place)
                if "facing" not in mine:
                    assert "facing" not in place


# ------------------------------------------------------------------ rows that showed something near


def board_of(pair: tuple[str, str], key: str) -> Witness | None:
    return witnesses(pair).of(key)


@pytest.mark.slow
def test_the_row_about_a_tile_shows_the_tile() -> None:
    found = board_of(DRAGONS, "topic:fairy.assignment.dragon-tile")
    assert found is not None
    drawn = next(n for n, line in enumerate(found.lines) if line.startswith("draw dragon"))
    assert any(line.startswith("fairy ") for line in found.lines[drawn:])
    found = board_of(DRAGONS, "topic:dragon.arrival.meeple-ban")
    assert found is not None
    assert any("volcano" in line for line in (*found.board, *found.lines))


@pytest.mark.slow
def test_the_call_of_the_fairy_is_shown_on_the_side_that_has_its_rule() -> None:
    found = board_of(DRAGONS, "amendment:fairy.trigger.feature")
    assert found is not None
    assert any("fairy" in option for option in found.sides[1].offered)


@pytest.mark.slow
def test_the_princess_and_a_knight_with_the_fairy_are_shown_on_the_side_that_states_it() -> None:
    found = board_of(DRAGONS, "topic:princess.fairy")
    assert found is not None
    row = dict(keyed_rows(comparison(DRAGONS)))["topic:princess.fairy"]
    assert isinstance(row, TopicRow) and row.cells[0] is not None and row.cells[1] is None
    assert any("fairy" in name for name, _ in found.figures)
    theirs = [any("send home" in option for option in side.offered) for side in found.sides]
    assert theirs == [True, False]


@pytest.mark.slow
def test_a_step_is_shown_by_a_decision_in_it() -> None:
    for step in ("dragon_returns", "fairy_comes"):
        found = board_of(DRAGONS, f"step:turn/{step}")
        assert found is not None
        assert step in {side.step for side in found.sides}


@pytest.mark.slow
def test_preparation_is_shown_by_what_goes_into_the_box_alone() -> None:
    for key in ("step:setup/prepare_table", "topic:setup.tiles.remove-random"):
        found = board_of(DRAGONS, key)
        assert found is not None and found.kind is Kind.STACKS
        assert [side.stacks for side in found.sides] == [(("box", 0),), (("box", 5),)]
    preparation = board_of(DRAGONS, "step:setup/prepare_table")
    assert preparation is not None and "97" not in preparation.says


@pytest.mark.slow
def test_a_row_has_no_board_of_another_one() -> None:
    of = witnesses(DRAGONS).by_row
    assert of.get("topic:fairy.protection.others") != of["topic:dragon.movement.timing"]
    of = witnesses(BUILDERS).by_row
    assert of.get("topic:builder.limbo") != of["topic:builder.placement"]
    assert of["topic:pig.placement"] != of["topic:builder.placement"]
    pigs = board_of(BUILDERS, "topic:pig.placement")
    assert pigs is not None and any("pig" in option for option in pigs.sides[1].offered)


@pytest.mark.slow
def test_a_figure_that_goes_home_is_seen_to_go() -> None:
    found = board_of(BUILDERS, "topic:builder.removal")
    if found is not None:
        assert any(place == "home" for _, place in found.sides[1].places)


@pytest.mark.slow
def test_several_builders_in_one_place_are_several() -> None:
    found = board_of(BUILDERS, "topic:builder.placement.several")
    if found is not None:
        assert words_of(found).count("builder") > 1
