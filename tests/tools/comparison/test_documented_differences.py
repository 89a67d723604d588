"""Every documented difference is one row of a comparison, with the statements it compares."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.model.ruleset import Statement
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.view.results.comparison import Comparison, TopicRow

LIBRARY = Library()


def books() -> dict[str, tuple[Statement, ...]]:
    found = {}
    for id_ in LIBRARY.ids():
        ruleset = LIBRARY.load_rules(id_, Reporter())
        if ruleset is not None and not ruleset.took_over:
            found[id_] = ruleset.statements
    return found


BOOKS = books()
HOMES = {statement.id: id_ for id_, statements in BOOKS.items() for statement in statements}
STATEMENTS = {statement.id: statement for statements in BOOKS.values() for statement in statements}
DOCUMENTED = [
    statement for statements in BOOKS.values() for statement in statements if statement.compares
]


@cache
def compared(first: str, second: str) -> Comparison:
    return compare_texts([first, second], LIBRARY)


def games_for(documented: Statement) -> list[tuple[str, str]]:
    """Pairs of rulesets with a documented difference: its own ruleset, and those it compares."""
    homes = {HOMES[id_] for id_ in documented.compares} | {HOMES[documented.id]}
    pairs = [pair for pair in combinations(sorted(homes), 2) if HOMES[documented.id] in pair]
    # of two texts of one ruleset the difference shows beside any other one
    return pairs or [(HOMES[documented.id], "c2/base"), ("c2/base", HOMES[documented.id])]


def rows_of(documented: Statement, found: Comparison) -> list[TopicRow]:
    return [r for r in found.topic_rows() if documented.id in {d.id for d in r.differences}]


CASES = [(documented, *pair) for documented in DOCUMENTED for pair in games_for(documented)]


@pytest.mark.parametrize(
    ("documented", "first", "second"), CASES, ids=[f"{t.id} {a} {b}" for t, a, b in CASES]
)
def test_a_documented_difference_is_one_row_with_its_statements_and_sources(
    documented: Statement, first: str, second: str
) -> None:
    found = compared(first, second)
    (row,) = rows_of(documented, found)
    assert not row.verdict.is_same
    statement = [{s.id: s for s in cell.statements} if cell else {} for cell in row.cells]
    for number, home in enumerate((first, second)):
        beneath = found.sides[number].own
        for id_ in documented.compares:
            if HOMES[id_] == home or HOMES[id_] in beneath:
                assert statement[number][id_].sources
    (difference,) = (d for d in row.differences if d.id == documented.id)
    assert difference.sources
    assert set(difference.compares) == set(documented.compares)


@pytest.mark.parametrize(("first", "second"), sorted({(a, b) for _, a, b in CASES}))
def test_the_telling_of_a_difference_stands_in_no_cell_of_the_row(first: str, second: str) -> None:
    for row in compared(first, second).topic_rows():
        statement = {s.id for cell in row.cells if cell for s in cell.statements}
        assert not statement & {difference.id for difference in row.differences}


def test_the_editions_have_differences_to_tell() -> None:
    assert len(DOCUMENTED) > 50


def test_a_topic_that_has_been_called_elsewhere_has_no_row_of_its_own() -> None:
    found = compared("c2/princess-and-dragon", "c3.1/dragon-and-fairy")
    for row in found.topic_rows():
        for cell in row.cells:
            called = {s.id for s in cell.statements if s.topic != row.topic} if cell else set()
            told_of = {id_ for documented in row.differences for id_ in documented.compares}
            assert called <= told_of | {id_ for id_ in called if STATEMENTS[id_].agrees}


def test_contradictions_within_one_side_are_no_difference_of_a_game_with_itself() -> None:
    found = compared("c2/princess-and-dragon", "c2/princess-and-dragon")
    assert [row.topic for row in found.topic_rows() if row.differences] == []
