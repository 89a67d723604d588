"""Parts of the screen of a match, drawn for a given room."""

from __future__ import annotations

from tilewright.faces.cli.play.screen_parts import log_lines


def test_a_long_event_is_told_from_the_next_by_its_indent() -> None:
    log = [("blue: deploy meeple 1,1/m1  place: meeple, monk, monastery", False), ("turn 3", True)]
    lines = ["".join(text for _, text in line) for line in log_lines(log, 31, 10)]
    assert lines == [
        "blue: deploy meeple 1,1/m1",
        "  place: meeple, monk,",
        "  monastery",
        "turn 3",
    ]
