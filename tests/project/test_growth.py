"""The functions of `benchmarks/growth.py` work with tiny sizes; nothing is timed here."""

from __future__ import annotations

import importlib.util
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

from tilewright.rules.reading.library import Library

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "growth.py"


@pytest.fixture(scope="module")
def growth() -> ModuleType:
    spec = importlib.util.spec_from_file_location("growth", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["growth"] = module  # its data classes look for their own module
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPT.parent)
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("exponent", [-1.0, 0.0, 0.5, 1.0, 2.0])
def test_the_exponent_is_the_slope_of_the_logarithms(growth: ModuleType, exponent: float) -> None:
    points = [(x, 3 * x**exponent) for x in (1, 2, 10, 70)]
    assert growth.slope(points) == pytest.approx(exponent)


def test_one_size_has_no_exponent(growth: ModuleType) -> None:
    assert growth.slope([(5, 1.0), (5, 2.0)]) == 0


def test_the_house_rules_can_be_read_and_their_scenarios_pass(growth: ModuleType) -> None:
    with growth.house_rules(3, 2) as folder:
        ids = [id_ for id_ in Library([folder]).ids() if id_.startswith("growth/")]
        assert ids == ["growth/r0000", "growth/r0001", "growth/r0002"]
        growth.run_scenarios(folder, 2)


def test_each_mix_has_one_ruleset_more(growth: ModuleType) -> None:
    found = growth.mixes(3)
    assert [text.count("+") for text in found] == [0, 1, 2]


def test_rows_are_printed_and_drawn(growth: ModuleType) -> None:
    found = list(growth.players((2, 3), 1))
    assert [point.size for point in found[0].points] == [2, 3]
    assert "players" in growth.table(found)
    assert json.loads(growth.as_json(found))[0]["exponent"] == found[0].exponent
    drawing = ET.fromstring(growth.svg([*found, *found]))
    assert len(drawing.findall("{http://www.w3.org/2000/svg}g")) == 2
