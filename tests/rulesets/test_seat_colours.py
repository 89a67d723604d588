"""The colours of players differ, also for people who do not see red, green or blue."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import pytest

from support.pages import library
from tilewright.rules.model.ruleset import Seat
from tilewright.view.board.page import oklab

Matrix = tuple[tuple[float, float, float], ...]

#: the sight of people without one kind of cones, in linear RGB: G. M. Machado, M. M. Oliveira and
#: L. A. F. Fernandes, "A physiologically-based model for simulation of color vision deficiency"
#: (2009)
SIGHTS: dict[str, Matrix] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
#: the distance in OKLab at which people still distinguish two colours of small figures
LEAST = 0.13


def _seats() -> Iterator[tuple[str, tuple[Seat, ...]]]:
    """The rulesets that have players, each with these."""
    for id in library().ids():
        module = library().load_module(id)
        assert module
        if module.seats:
            yield id, module.seats


def _seen(colour: str, sight: Matrix) -> tuple[float, float, float]:
    """A colour as it is seen, in OKLab."""
    linear = [_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5)]
    mixed = [sum(a * b for a, b in zip(row, linear, strict=True)) for row in sight]
    return oklab("#" + "".join(f"{round(255 * _curved(min(1, max(0, x)))):02x}" for x in mixed))


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _curved(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


@pytest.mark.parametrize("sight", SIGHTS)
def test_no_two_players_have_colours_that_look_equal(sight: str) -> None:
    equal = [
        f"{id}: {one.id} and {other.id}"
        for id, seats in _seats()
        for one, other in itertools.combinations(seats, 2)
        if math.dist(_seen(one.colour, SIGHTS[sight]), _seen(other.colour, SIGHTS[sight])) < LEAST
    ]
    assert not equal
