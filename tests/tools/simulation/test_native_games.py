"""Simulations in the native core: equal to those in Python, to the byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT
from support.ruleset_cases import library_of
from tilewright.play.compiling.bytecode.instructions import NotCarried
from tilewright.play.native.engine import native_core
from tilewright.rules.reading.library import Library
from tilewright.tools.simulation import game, run
from tilewright.tools.simulation.records import begin_records
from tilewright.tools.simulation.results import words_of
from tilewright.tools.simulation.run import Plan, PlanPrograms, make_plan, simulate

pytestmark = pytest.mark.skipif(native_core() is None, reason="needs the native core")

LARGEST = (
    "c2/abbot+c2/farmers+c2/inns-and-cathedrals+c2/princess-and-dragon+c2/river"
    "+c2/traders-and-builders"
)
LARGEST_C3 = (
    "c3/abbot+c3/farmers+c3/river-two-lakes+c3.1/dragon-and-fairy+c3.1/traders-and-builders"
)
QUICK = (("c2/base",), ("c2/base", "c3.1/dragon-and-fairy+c3/abbot"))
SLOW = (
    ("c2/farmers", "c2/farmers+c2/inns-and-cathedrals", "c2/farmers"),
    (LARGEST,),
    (LARGEST_C3,),
    ("c3/base", "c3.1/traders-and-builders"),
    ("house/no-joining-of-rivals", "house/mercy-for-the-last"),
    ("house/two-teams",),
)
#: a measure of each kind, points that are changed after they were counted, and a rule that stops
#: some games
TRIAL = """# rules/trial.yaml
measures:
  trial.paid: {label: paid for, says: how often something is paid for, on: paid(x), value: 1}
  trial.large: {label: large, says: large sizes, on: paid(x), when: x.size > 2, value: x.size}
  trial.turns: {label: turns, says: how many turns there are, on: turn, value: 1}
  trial.points: {label: all points, says: points at the end, value: "sum p in players: p.points"}
"""
STOPPING = """rules:
  - id: trial.stops
    on: paid(x)
    when: "any p in players: p.points > 3"
    do: take cap from pile
"""


def planned(library: Library, *games: str, **more: Any) -> Plan:
    found = make_plan(library, games, **more)
    assert isinstance(found, Plan), found
    return found


def benches(plan: Plan, library: Library) -> tuple[PlanPrograms, PlanPrograms]:
    """A bench in the core, and one in Python."""
    both = PlanPrograms(plan, library, keep=True), PlanPrograms(plan, library, keep=True)
    for bench in both:
        assert bench.prepare() == ()
    assert None not in both[0].native
    both[1].native = [None for _ in both[1].native]
    return both


@pytest.mark.parametrize(
    "games", [*QUICK, *(pytest.param(each, marks=pytest.mark.slow) for each in SLOW)], ids="/".join
)
def test_games_in_the_core_are_counted_as_in_python(games: tuple[str, ...]) -> None:
    library = Library([ROOT / "rulesets"])
    counts = (4,) if games == ("house/two-teams",) else (2, 5)
    for players in counts:
        plan = planned(library, *games, players=players, count=10, chunk=4, seeds=("north",))
        here, there = benches(plan, library)
        assert here.play(1) == there.play(1)
        assert here.tally(1).text() == there.tally(1).text() == there.play(1).tally().text()


@pytest.mark.parametrize(
    "game",
    [
        "c2/base",
        pytest.param("c2/farmers+c2/princess-and-dragon", marks=pytest.mark.slow),
        pytest.param("c3/base+c3.1/traders-and-builders", marks=pytest.mark.slow),
        pytest.param("house/two-teams", marks=pytest.mark.slow),
    ],
)
def test_games_of_greedy_bots_in_the_core_are_counted_as_in_python(game: str) -> None:
    library = Library([ROOT / "rulesets"])
    players = 4 if game == "house/two-teams" else 2
    plan = planned(
        library, game, players=players, bots=("greedy",), count=10, chunk=3, seeds=("north",)
    )
    here, there = benches(plan, library)
    assert here.play(1) == there.play(1)
    assert here.tally(1).text() == there.tally(1).text()


def test_measures_and_faults_are_those_of_python(tmp_path: Path) -> None:
    library = library_of(TRIAL + STOPPING, tmp_path)[0]
    plan = planned(library, "trial/table", "trial/table+trial/first", count=60, chunk=60)
    here, there = benches(plan, library)
    found = here.tally(0)
    assert found.text() == there.tally(0).text()
    assert 0 < found.count < 60
    assert [fault is None for fault in found.faults] == [True, False]
    # a cause is a fault of this one run and equal to no other
    rows = [[(one.number, one.measures, one.scorings, one.fault) for one in row]
            for bench in (here, there) for row in bench.play(0).rows]  # fmt: skip
    assert rows[:60] == rows[60:]


def test_records_are_the_same_files(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    library = library_of(TRIAL, tmp_path / "library")[0]
    plan = planned(library, "trial/table", "trial/table+trial/first", count=20, chunk=10)
    files: list[dict[str, bytes]] = []
    for bench in benches(plan, library):
        words = words_of([program.game for program in bench.programs])
        folder = tmp_path / str(len(files))
        simulate(bench, store=begin_records(folder, plan, words))
        files.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert files[0] == files[1]
    assert len(files[0]) == 1 + 3 * plan.chunks


def test_a_game_that_the_core_cannot_carry_is_played_in_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(program: object) -> None:
        raise NotCarried("a form")

    monkeypatch.setattr(game, "counted", refuse)
    library = Library([ROOT / "rulesets"])
    bench = PlanPrograms(planned(library, "c2/base", count=10, chunk=2), library)
    bench.prepare()
    assert bench.native == [None]
    assert bench.tally(0).count == 2


def test_short_plans_other_bots_and_counted_rules_are_played_in_python() -> None:
    library = Library([ROOT / "rulesets"])
    for more in (
        {"count": run.MIN_NATIVE - 1},
        {"bots": ("mcts:10",)},
        {"bots": ("greedy", "random")},
        {"counts_rules": True},
    ):
        bench = PlanPrograms(planned(library, "c2/base", **{"count": 50, **more}), library)
        bench.prepare()
        assert bench.native == [None]
