"""Where two boxes of an edition meet, a statement, a rule or a scenario decides what happens."""

from __future__ import annotations

import pytest

from tilewright.rules.reading.library import Library
from tilewright.tools.interactions.matrix import make_matrix
from tilewright.tools.interactions.overlaps import Interaction

LIBRARY = Library()


def boxes_of(edition: str) -> list[str]:
    return [id_ for id_ in LIBRARY.ids() if id_.split("/")[0].startswith(edition)]


def undecided(ids: list[str]) -> dict[tuple[str, str], tuple[Interaction, ...]]:
    """The undecided interactions of each two rulesets; no game is played."""
    matrix = make_matrix(LIBRARY, ids, games=0)
    assert not matrix.has_failed
    assert matrix.interactions
    return dict(matrix.open_interactions())


def test_the_meetings_of_the_third_edition_are_decided() -> None:
    assert not undecided(boxes_of("c3"))


@pytest.mark.slow
def test_the_meetings_of_the_second_edition_are_decided() -> None:
    assert not undecided(boxes_of("c2"))
