"""Scenarios run game by game, in any number of processes, with the same results in their order."""

from __future__ import annotations

import pytest

from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios import batch
from tilewright.tools.scenarios.batch import run_cases
from tilewright.tools.scenarios.collect import Case, collect
from tilewright.tools.scenarios.coverage import Reached
from tilewright.tools.scenarios.runner import Programs, Run, run_scenario

IDS = ("c2/base", "house/fairy-five", "house/ten-turns")


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


@pytest.fixture(scope="module")
def cases(library: Library) -> tuple[Case, ...]:
    return collect(IDS, library).cases


@pytest.fixture(scope="module")
def by_hand(cases: tuple[Case, ...], library: Library) -> tuple[list[Run], Reached]:
    """One scenario after the other, with all programs kept to the end."""
    programs = Programs(library, probes=True)
    runs = [run_scenario(c.scenario, c.ruleset, c.game, programs) for c in cases]
    return runs, programs.release()


@pytest.mark.parametrize("jobs", [1, 2])
def test_runs_and_coverage_do_not_depend_on_the_processes(
    cases: tuple[Case, ...],
    by_hand: tuple[list[Run], Reached],
    library: Library,
    monkeypatch: pytest.MonkeyPatch,
    jobs: int,
) -> None:
    monkeypatch.setattr(batch, "MIN_GAMES_OF_A_PROCESS", 1)
    done: list[int] = []
    programs = Programs(library, probes=True)
    found = run_cases(cases, programs, jobs=jobs, on_progress=done.append)
    assert found == by_hand
    assert done == sorted(done)
    assert done[-1] == len(cases)


def test_one_program_is_kept_at_a_time(
    cases: tuple[Case, ...], library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = Programs(library)
    most = 0

    def counted(*words: object, **more: object) -> Run:
        nonlocal most
        found = run_scenario(*words, **more)  # type: ignore[arg-type]
        most = max(most, len(programs._made))
        return found

    monkeypatch.setattr(batch, "run_scenario", counted)
    run_cases(cases, programs)
    assert most == 1
    assert not programs._made
