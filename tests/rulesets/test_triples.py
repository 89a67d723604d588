"""Every three boxes of one edition can be played on their base, under any of their options.

Two boxes may leave an order open that only a third one makes matter, so pairs are not enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, combinations

import pytest

from tilewright.analysis.link import link_game
from tilewright.model.ruleset import Ruleset
from tilewright.reading.library import Library
from tilewright.source.diagnostics import Reporter

LIBRARY = Library()
BASE = "c2/base"
BOXES = sorted(id_ for id_ in LIBRARY.ids() if id_.startswith("c2/") and id_ != BASE)


def read(id_: str) -> Ruleset | None:
    return LIBRARY.load_rules(id_, Reporter())


def errors_of(boxes: tuple[str, ...], options: Mapping[str, str]) -> list[str]:
    """The errors of the game of some boxes; empty if it can be played."""
    reporter = Reporter()
    game = link_game("+".join((BASE, *boxes)), options, read, reporter)
    if game is not None and not reporter.has_errors:
        return []
    return [f"{'+'.join(boxes)} {dict(options)}: {found}" for found in reporter.diagnostics]


def choices_of(box: str) -> list[dict[str, str]]:
    """Each choice of each option of a box that is not its default."""
    ruleset = read(box)
    assert ruleset is not None
    return [
        {option.id: choice}
        for option in ruleset.module.options
        for choice in option.choices
        if choice != option.default
    ]


@pytest.mark.slow
def test_every_three_boxes_can_be_played_together() -> None:
    assert len(BOXES) >= 3
    problems = chain.from_iterable(errors_of(three, {}) for three in combinations(BOXES, 3))
    assert not list(problems)


@pytest.mark.slow
@pytest.mark.parametrize("box", BOXES)
def test_a_box_and_two_others_can_be_played_under_each_option(box: str) -> None:
    others = [other for other in BOXES if other != box]
    problems = [
        error
        for options in choices_of(box)
        for two in combinations(others, 2)
        for error in errors_of((box, *two), options)
    ]
    assert not problems
