"""Every three boxes of one edition can be played on their base, under any of their options.

Two boxes may leave an order open that only a third one makes matter, so pairs are not enough. All
boxes with each choice of an option are very many games: every choice meets every two other boxes
in a mix of several. `python -m support.every_three_boxes` links each three alone, by default and
under each choice, for in a mix a fourth box might settle what three leave open.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, combinations

import pytest

from support.every_three_boxes import BOXES, INSTEAD, choices_of, errors_of

#: how many boxes are linked together beside the one with the option
SEVERAL = 12


def mixes_with_all(number: int, boxes: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """Mixes of so many boxes: every two, or every three, are together in one of them."""
    missing = set(map(frozenset, combinations(boxes, number)))

    def gain(mix: Sequence[str], new: str) -> int:
        return sum({new, *rest} in missing for rest in combinations(mix, number - 1))

    for first in combinations(boxes, number):
        if frozenset(first) not in missing:
            continue
        mix = list(first)
        while len(mix) < size:
            mix.append(max((box for box in boxes if box not in mix), key=partial(gain, mix)))
        missing.difference_update(map(frozenset, combinations(mix, number)))
        yield tuple(mix)


@pytest.mark.slow
def test_every_three_boxes_can_be_played_together_with_a_fourth() -> None:
    """Four at once are a third of the games; the script links each three alone."""
    mixes = list(mixes_with_all(3, BOXES, 4))
    met = {three for mix in mixes for three in combinations(sorted(mix), 3)}
    assert met == set(combinations(sorted(BOXES), 3))
    problems = chain.from_iterable(errors_of(mix, {}) for mix in mixes)
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
    mixes = list(mixes_with_all(2, BOXES, SEVERAL))
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
        for mix in mixes_with_all(2, turned, SEVERAL):
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
