"""The table of meetings that were looked at: its statements and scenarios are there."""

from __future__ import annotations

from collections.abc import Iterator

from support.paths import ROOT
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.library import Library

TABLE = ROOT / "docs/explanation/meetings.md"
LIBRARY = Library()
#: the boxes of the second edition beside the base game and the first ones
LATER_BOXES = {id_.removeprefix("c2/") for id_ in LIBRARY.ids() if id_.startswith("c2/")} - {
    "abbot",
    "base",
    "bridges-castles-bazaars",
    "farmers",
    "inns-and-cathedrals",
    "princess-and-dragon",
    "river",
    "traders-and-builders",
}


def rows() -> Iterator[tuple[str, str, list[str]]]:
    """The box, the statement and the scenarios of each row."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] not in ("box", "---"):
            yield cells[0], cells[1], cells[4].split(", ")


def parts_of(box: str) -> Ruleset:
    ruleset = LIBRARY.load_parts(f"c2/{box}", ("statements", "scenarios"))
    assert ruleset, box
    return ruleset


def test_every_row_names_a_statement_and_scenarios_that_are_there() -> None:
    for box, statement, scenarios in rows():
        assert statement in {s.id for s in parts_of(box).statements}
        for name in scenarios:
            home, _, scenario = name.partition("/")
            assert scenario in {s.id for s in parts_of(home).scenarios}, name


def test_every_later_box_has_rows() -> None:
    assert {box for box, *_ in rows()} == LATER_BOXES
