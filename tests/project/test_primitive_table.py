"""The instructions of primitives in the native core are those of the table."""

from __future__ import annotations

from support.paths import ROOT
from tilewright.tools.reports.primitives import instructions, main


def test_the_table_of_instructions_in_the_core_is_up_to_date() -> None:
    assert main([str(ROOT / "core"), "--check"]) == 0


def test_roles_follow_from_the_types_of_a_primitive() -> None:
    roles = instructions()
    assert roles["CELL_NEIGHBOUR"] == "Iii-"  # a number of a cell and a direction
    assert roles["NUMBER1"] == "Ii-k"  # numbers of one thing; the constant distinguishes them
    assert roles["SEGS_TILES"] == "Ss--"  # a set of a set
    assert roles["FIG_AT"] == "Ii-k"  # with a constant of its own
    assert roles["GIVE"] == "ii--"  # a change has no result
    assert "LAY" not in roles  # a placement is written by hand
