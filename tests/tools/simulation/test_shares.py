"""Shares have the published intervals within 0 and 100; no two measures have one label."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.ruleset_cases import library_of
from tilewright.faces.cli.app import run
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.model.ruleset import Amendment, Ruleset
from tilewright.rules.reading.library import Library
from tilewright.tools.simulation.game import Played
from tilewright.tools.simulation.results import Findings, findings, words_of
from tilewright.tools.simulation.run import (
    Chunk,
    Plan,
    PlanPrograms,
    Simulation,
    make_plan,
    simulate,
)
from tilewright.tools.simulation.sentences import difference_text, sentence, value_text
from tilewright.tools.simulation.statistics import (
    mcnemar,
    newcombe,
    newcombe_paired,
    recovered,
    wilson,
)
from tilewright.tools.workspace.loading import load_game

COUNTS = st.integers(0, 400)


# ------------------------------------------------------------------ as published


@pytest.mark.parametrize(
    ("yes", "count", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_an_interval_of_a_share_is_the_published_one(
    yes: int, count: int, low: float, high: float
) -> None:
    # Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3
    found = wilson(yes / count, count)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((10, 10), (0, 20), 0.6791, 1.0),
    ],
)
def test_an_interval_of_a_difference_is_the_published_one(
    one: tuple[int, int], other: tuple[int, int], low: float, high: float
) -> None:
    # Newcombe, Statistics in Medicine 17 (1998), 873-890, table II, method 10
    found = newcombe(other[0] / other[1], other[1], one[0] / one[1], one[1])
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_a_paired_difference_is_the_published_one() -> None:
    # fifty specimens on two media: Armitage and Berry, Statistical Methods in Medical Research
    found = newcombe_paired(both=20, only_first=2, only_second=12, neither=16)
    assert (found.low, found.high) == pytest.approx((0.056156, 0.329207), abs=5e-7)
    assert mcnemar(2, 12) == pytest.approx(0.012939, abs=5e-7)


def test_the_test_of_pairs_is_the_binomial_one() -> None:
    for pairs in range(30):
        for fewer in range(pairs // 2 + 1):
            exact = min(1.0, 2 * sum(math.comb(pairs, k) for k in range(fewer + 1)) / 2**pairs)
            assert mcnemar(fewer, pairs - fewer) == pytest.approx(exact)
            assert mcnemar(pairs - fewer, fewer) == mcnemar(fewer, pairs - fewer)


# ------------------------------------------------------------------ properties


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_no_interval_leaves_its_range_or_its_share(a: int, b: int, c: int, d: int) -> None:
    count = a + b + c + d
    paired = newcombe_paired(a, b, c, d)
    assert -1 <= paired.low <= paired.high <= 1
    if not count:
        return
    first, second = (a + b) / count, (a + c) / count
    for share in (first, second):
        one = wilson(share, count)
        assert 0 <= one.low <= share <= one.high <= 1
        assert one.low < one.high
    for found in (paired, newcombe(first, count, second, count)):
        assert found.low - 1e-9 <= second - first <= found.high + 1e-9


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_a_difference_the_other_way_round_is_the_same_but_for_its_sign(
    a: int, b: int, c: int, d: int
) -> None:
    one, other = newcombe_paired(a, b, c, d), newcombe_paired(a, c, b, d)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 500), st.floats(-1, 1))
def test_a_recovered_difference_stays_in_its_range(
    first: float, second: float, count: int, bond: float
) -> None:
    found = recovered(first, second, count, bond)
    assert -1 <= found.low <= second - first + 1e-9
    assert second - first - 1e-9 <= found.high <= 1


@pytest.mark.parametrize("count", [20, 100, 500])
@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9])
def test_an_interval_holds_the_truth_about_as_often_as_it_says(share: float, count: int) -> None:
    held = sum(
        math.comb(count, k) * share**k * (1 - share) ** (count - k)
        for k in range(count + 1)
        if wilson(k / count, count).low <= share <= wilson(k / count, count).high
    )
    assert held > 0.92


# ------------------------------------------------------------------ in the results


def told_of(
    firsts: list[int], seconds: list[int] | None = None, *, seeds: tuple[str, ...] = ("1", "1")
) -> Findings:
    """The results of games in which only the winners are known."""
    games = ("one",) if seconds is None else ("one", "other")
    none = ("",) * len(games)
    plan = Plan(games, none, none, seeds[: len(games)], 2, ("a", "b"), len(firsts), 10)
    rows = []
    for number, wins in enumerate(
        zip(firsts, *([] if seconds is None else [seconds]), strict=True)
    ):
        rows.append(tuple(Played(number, {"shared": won, "turns": 20}) for won in wins))
    simulation = Simulation(plan, Chunk(0, tuple(rows)).tally(), chunks=1)
    game, _ = load_game("c2/base")
    assert game is not None
    return findings(simulation, words_of([game] * len(games)))


def line_of(found: Findings, measure: str) -> tuple[str, str]:
    line = next(line for line in found.lines if line.measure.id == measure)
    assert line.values[0] is not None
    return value_text(line.values[0], line.measure.is_share, Words())


def test_a_share_is_told_as_a_range() -> None:
    assert line_of(told_of([1] * 8 + [0] * 2), "shared") == ("80 %", "(49-94 %)")
    assert line_of(told_of([0] * 20), "shared") == ("0 %", "(0-16 %, all alike)")
    assert line_of(told_of([1] * 50), "shared") == ("100.0 %", "(92.9-100.0 %, all alike)")


def test_what_never_varies_is_told_in_words() -> None:
    assert line_of(told_of([0] * 20), "turns") == ("20.0", "(all alike)")
    assert line_of(told_of([0]), "turns") == ("20.0", "(one game)")


def test_games_with_the_same_luck_are_compared_in_pairs() -> None:
    firsts, seconds = [1] * 22 + [0] * 28, [1] * 20 + [0] * 2 + [1] * 12 + [0] * 16
    (shared,) = (d for d in told_of(firsts, seconds).differences if d.measure.id == "shared")
    assert difference_text(shared, Words()) == "+20 in 100 (6 to 33)"
    (apart,) = (
        d
        for d in told_of(firsts, seconds, seeds=("1", "2")).differences
        if d.measure.id == "shared"
    )
    assert apart.interval.low < shared.interval.low
    assert apart.interval.high > shared.interval.high


def test_a_difference_of_shares_never_passes_a_hundred() -> None:
    found = told_of([0] * 20, [1] * 20)
    (shared,) = (d for d in found.differences if d.measure.id == "shared")
    assert shared.is_found
    assert "95% between 77.2 and 100.0 " in sentence(shared, found.names, Words())


def test_a_difference_that_is_the_same_in_all_games_is_told_in_words(tmp_path: Path) -> None:
    library, _ = library_of(CONSTANT, tmp_path)
    plan = make_plan(library, ("trial/table", "trial/table+trial/first"), count=20)
    assert isinstance(plan, Plan)
    bench = PlanPrograms(plan, library)
    found = findings(simulate(bench), words_of([program.game for program in bench.programs]))
    (points,) = (d for d in found.differences if d.measure.id == "seat.0.points")
    assert points.is_found
    expected = "red gets 7.00 more points than without it, the same in all games (a large effect)"
    assert sentence(points, found.names, Words()).endswith(expected)
    assert difference_text(points, Words()) == "+7.00 (all alike)"


@examples(30)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_no_text_of_a_share_leaves_its_range(pairs: list[tuple[bool, bool]]) -> None:
    found = told_of([int(a) for a, _ in pairs], [int(b) for _, b in pairs])
    text, interval = line_of(found, "shared")
    low, high = map(float, re.findall(r"[\d.]+", interval)[:2])
    assert 0 <= low <= float(text.removesuffix(" %")) <= high <= 100
    assert "±" not in interval


def test_a_bot_on_several_seats_has_a_share_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "c2/base", "--games", "10", "--jobs", "1", "--players", "3"]
    assert run([*words, "--bots", "greedy,random,random", "--format", "json"]) == 0
    measures = json.loads(capsys.readouterr().out)["measures"]
    shares = [m for m in measures if m["id"].endswith(".wins") or m["id"] == "shared"]
    assert len(shares) == 6
    for measure in shares:
        (value,) = measure["values"]
        assert 0 <= value["low"] <= value["mean"] <= value["high"] <= 1
        assert value["low"] < value["high"]


# ------------------------------------------------------------------ names


def reasons(ruleset: Ruleset) -> Iterator[tuple[str, str, dict[str, str]]]:
    """The items and measures of a ruleset: label, id, and options."""
    yield from ((kind.label.get(), kind.id, {}) for kind in ruleset.features)
    yield from ((measure.label.get(), measure.id, {}) for measure in ruleset.measures)
    patched = [patch.rule for patch in ruleset.patches if patch.rule is not None]
    for rule in (*ruleset.rules, *patched):
        if not isinstance(rule, Amendment) and re.search(r"\baward\b", rule.do.text):
            yield rule.head.label.get(), rule.head.id, dict(rule.head.option)


def test_no_two_measures_or_reasons_of_a_shipped_ruleset_have_one_label() -> None:
    library, alike, labels = Library(), set(), 0
    for id_ in library.ids():
        ruleset = library.load(id_, Reporter())
        assert ruleset is not None
        known = [reason for reason in reasons(ruleset) if reason[0]]
        labels += len(known)
        for (label, one, here), (other_label, other, there) in combinations(known, 2):
            never_together = any(here[k] != there[k] for k in here.keys() & there.keys())
            if label == other_label and not never_together:
                alike.add((id_, label, one, other))
    assert alike == set()
    assert labels > 40


CONSTANT = """# rules/trial.yaml
rules:
  - id: trial.gift
    label: gift
    on: step draw_tile
    after: [table.draw]
    when: turn < 2
    do: "for p in players { award 7 to p }"
"""
ALIKE = """# rules/trial.yaml
measures:
  trial.paid: {label: turns, says: how often something is paid for, on: paid(x), value: 1}
  trial.turns: {label: turns, says: how many turns there are, on: turn, value: 1}
"""


def test_measures_of_one_label_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    library, _ = library_of(ALIKE, tmp_path)
    plan = make_plan(library, ("trial/table+trial/first",), count=10)
    assert isinstance(plan, Plan)
    bench = PlanPrograms(plan, library)
    found = findings(simulate(bench), words_of([program.game for program in bench.programs]))
    labels = [line.measure.label for line in found.lines]
    assert len(labels) == len(set(labels))
    assert "turns (`trial.paid`) in a game" in labels
    assert "turns in a game" in labels
    assert all(each.measure.clause.startswith("simulation.clause.") for each in found.lines)


@pytest.mark.slow
def test_false_alarms_about_shares_are_rare() -> None:
    rng, alarms = random.Random(7), 0
    for _ in range(300):
        firsts, seconds = ([int(rng.random() < 0.3) for _ in range(60)] for _ in range(2))
        found = told_of(firsts, seconds, seeds=("1", "2"))
        alarms += any(d.is_found for d in found.differences if d.measure.id == "shared")
    assert alarms <= 0.05 * 300
