"""Every three boxes of one edition can be played on their base, under any of their options.

Two boxes may leave an order open that only a third one makes matter, so pairs are not enough. All
boxes with each choice of an option are very many games: every choice meets every two other boxes
in a mix of several. `python -m support.every_three_boxes` links each three under each choice alone,
for in a mix a fourth box might settle what three leave open.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

import pytest

from support.every_three_boxes import BOXES, INSTEAD, choices_of, errors_of

#: how many boxes are linked together beside the one with the option
SEVERAL = 8


def mixes_with_all_pairs(boxes: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Mixes of several boxes: every two boxes are together in one of them."""
    missing = set(map(frozenset, combinations(boxes, 2)))
    while missing:
        mix = list(next(pair for pair in combinations(boxes, 2) if frozenset(pair) in missing))
        while len(mix) < SEVERAL:
            rest = (box for box in boxes if box not in mix)
            mix.append(max(rest, key=lambda new: sum(frozenset((new, o)) in missing for o in mix)))
        missing.difference_update(map(frozenset, combinations(mix, 2)))
        yield tuple(mix)


@pytest.mark.slow
def test_every_three_boxes_can_be_played_together() -> None:
    assert len(BOXES) >= 3
    problems = chain.from_iterable(errors_of(three, {}) for three in combinations(BOXES, 3))
    assert not list(problems)


@pytest.mark.slow
def test_a_box_with_the_role_of_another_is_played_in_its_place_with_every_two_others() -> None:
    assert INSTEAD
    problems = []
    for box, other in INSTEAD.items():
        for two in combinations([each for each in BOXES if each != other], 2):
            problems += errors_of((box, *two), {})
    assert not problems


def test_the_mixes_hold_every_two_boxes() -> None:
    mixes = list(mixes_with_all_pairs(BOXES))
    assert all(len(mix) == SEVERAL for mix in mixes)
    for two in combinations(BOXES, 2):
        assert any(set(two) <= set(mix) for mix in mixes)


@pytest.mark.slow
@pytest.mark.parametrize("box", BOXES)
def test_a_box_and_every_two_others_can_be_played_under_each_option(box: str) -> None:
    others = [other for other in BOXES if other != box]
    problems = []
    for number, options in enumerate(choices_of(box)):
        turned = [*others[number:], *others[:number]]  # each choice in other mixes
        for mix in mixes_with_all_pairs(turned):
            problems += errors_of((box, *mix), options)
    assert not problems


@pytest.mark.slow
def test_many_boxes_can_be_played_under_several_options_at_once() -> None:
    chance = random.Random(1)
    problems = []
    for _ in range(200):
        mix = tuple(chance.sample(BOXES, chance.randint(6, 16)))
        chosen = [each for box in mix for each in choices_of(box) if chance.random() < 0.15]
        problems += errors_of(mix, dict(chain.from_iterable(each.items() for each in chosen)))
    assert not problems
