"""Every documented difference is one row of a comparison, with the statements it compares."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from tilewright.model.ruleset import Statement
from tilewright.reading.library import Library
from tilewright.results.comparison import Comparison, TopicRow
from tilewright.source.diagnostics import Reporter
from tilewright.tools.comparison.compare import compare_texts

LIBRARY = Library()


def books() -> dict[str, tuple[Statement, ...]]:
    found = {}
    for id_ in LIBRARY.ids():
        ruleset = LIBRARY.load_rules(id_, Reporter())
        if ruleset is not None and not ruleset.took_over:
            found[id_] = ruleset.statements
    return found


BOOKS = books()
HOMES = {said.id: id_ for id_, statements in BOOKS.items() for said in statements}
SAID = {said.id: said for statements in BOOKS.values() for said in statements}
TOLD = [said for statements in BOOKS.values() for said in statements if said.compares]


@cache
def compared(first: str, second: str) -> Comparison:
    return compare_texts([first, second], LIBRARY)


def games_for(told: Statement) -> list[tuple[str, str]]:
    """Pairs of rulesets with a documented difference: its own ruleset, and those it compares."""
    homes = {HOMES[id_] for id_ in told.compares} | {HOMES[told.id]}
    pairs = [pair for pair in combinations(sorted(homes), 2) if HOMES[told.id] in pair]
    # of two texts of one ruleset the difference shows beside any other one
    return pairs or [(HOMES[told.id], "c2/base"), ("c2/base", HOMES[told.id])]


def rows_of(told: Statement, found: Comparison) -> list[TopicRow]:
    return [r for r in found.topic_rows() if told.id in {d.id for d in r.differences}]


CASES = [(told, *pair) for told in TOLD for pair in games_for(told)]


@pytest.mark.parametrize(
    ("told", "first", "second"), CASES, ids=[f"{t.id} {a} {b}" for t, a, b in CASES]
)
def test_a_documented_difference_is_one_row_with_its_statements_and_sources(
    told: Statement, first: str, second: str
) -> None:
    found = compared(first, second)
    (row,) = rows_of(told, found)
    assert not row.verdict.is_same
    said = [{s.id: s for s in cell.statements} if cell else {} for cell in row.cells]
    for number, home in enumerate((first, second)):
        beneath = found.sides[number].own
        for id_ in told.compares:
            if HOMES[id_] == home or HOMES[id_] in beneath:
                assert said[number][id_].sources
    (difference,) = (d for d in row.differences if d.id == told.id)
    assert difference.sources
    assert set(difference.compares) == set(told.compares)


@pytest.mark.parametrize(("first", "second"), sorted({(a, b) for _, a, b in CASES}))
def test_the_telling_of_a_difference_stands_in_no_cell_of_the_row(first: str, second: str) -> None:
    for row in compared(first, second).topic_rows():
        said = {s.id for cell in row.cells if cell for s in cell.statements}
        assert not said & {difference.id for difference in row.differences}


def test_the_editions_have_differences_to_tell() -> None:
    assert len(TOLD) > 50


def test_a_topic_that_has_been_called_elsewhere_has_no_row_of_its_own() -> None:
    found = compared("c2/princess-and-dragon", "c3.1/dragon-and-fairy")
    for row in found.topic_rows():
        for cell in row.cells:
            called = {s.id for s in cell.statements if s.topic != row.topic} if cell else set()
            told_of = {id_ for told in row.differences for id_ in told.compares}
            assert called <= told_of | {id_ for id_ in called if SAID[id_].agrees}


def test_contradictions_within_one_side_are_no_difference_of_a_game_with_itself() -> None:
    found = compared("c2/princess-and-dragon", "c2/princess-and-dragon")
    assert [row.topic for row in found.topic_rows() if row.differences] == []
