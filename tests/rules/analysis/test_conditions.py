"""The domain of conditions: the relation of two facts is checked against numbers."""

from __future__ import annotations

from itertools import product

import pytest

from tilewright.rules.analysis.conditions import FAR, Fact, decided, exclude, implies

NUMBERS = range(-1, 5)
RANGES = [(-FAR, n) for n in range(4)] + [(n, FAR) for n in range(4)] + [(n, n) for n in range(4)]
FACTS = [Fact(True, "x", None, span) for span in RANGES]
FACTS += [Fact(False, "x", None, (n, n)) for n in range(4)]


def holds(fact: Fact, number: int) -> bool:
    assert fact.span is not None
    return (fact.span[0] <= number <= fact.span[1]) == fact.holds


@pytest.mark.parametrize(("one", "other"), [*product(FACTS, FACTS)])
def test_facts_about_a_number_mean_what_numbers_do(one: Fact, other: Fact) -> None:
    ours = [holds(other, number) for number in NUMBERS if holds(one, number)]
    assert exclude(one, other, {}) == (not any(ours))
    assert implies(one, other, {}) == all(ours)
    found = decided(other, [one], {})
    assert found is (None if len(set(ours)) == 2 else ours[0])


def test_a_thing_is_of_one_kind() -> None:
    wood, iron = (Fact(True, "kind of x", ("kind", name)) for name in ("wood", "iron"))
    no_wood, no_iron = (Fact(False, "kind of x", fact.kind) for fact in (wood, iron))
    assert exclude(wood, iron, {}) and exclude(wood, no_wood, {})
    assert implies(wood, no_iron, {}) and not implies(no_wood, iron, {})
    assert not exclude(no_wood, no_iron, {})
    assert decided(iron, [wood], {}) is False and decided(iron, [no_wood], {}) is None
