"""Rows that were drawn at random and checked by hand still say what was checked."""

from __future__ import annotations

import pytest
import yaml

from support.marks import slow_unless
from support.pages import compared
from support.paths import ROOT

ROWS = yaml.safe_load((ROOT / "tests/data/checked_rows.yaml").read_text(encoding="utf-8"))


def test_forty_rows_have_been_checked() -> None:
    assert len(ROWS) >= 40
    assert all(row["why"] for row in ROWS)


@pytest.mark.parametrize(
    "checked",
    slow_unless(lambda row: row["why"].startswith("found false"), ROWS),
    ids=[f"{row['games'][-1]} {row['topic']}" for row in ROWS],
)
def test_a_checked_row_says_what_was_checked(checked: dict[str, object]) -> None:
    games = checked["games"]
    assert isinstance(games, list)
    (row,) = [r for r in compared(*games).topic_rows() if r.topic == checked["topic"]]
    sides = [
        None
        if cell is None
        else [s.id if s.lapse is None else {s.id: s.lapse.extent} for s in cell.statements]
        for cell in row.cells
    ]
    assert (row.verdict.state.value, sides) == (checked["state"], checked["sides"])
