"""Runs many scenarios, game by game, in several processes where that pays.

The scenarios of one game follow one another, whatever ruleset they are from. Then its program is
released, so the memory needed does not grow with the number of games. Results keep the order of
the scenarios, however many processes there are.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Sequence
from contextlib import closing

from tilewright.language.source.diagnostics import Diagnostic
from tilewright.tools.scenarios.collect import Case
from tilewright.tools.scenarios.coverage import Reached
from tilewright.tools.scenarios.runner import Programs, Run, run_scenario
from tilewright.tools.workspace.processes import held, in_order, worker_pool

#: with fewer games in a process its beginning takes longer than it saves
MIN_GAMES_OF_A_PROCESS = 10


#: the cases of one game, by their numbers
_Group = dict[int, Case]
#: the problems of the cases of one group, by their numbers, and what they reached
_Outcome = tuple[dict[int, tuple[Diagnostic, ...]], Reached]


def run_cases(
    cases: Sequence[Case],
    programs: Programs,
    *,
    jobs: int = 1,
    on_progress: Callable[[int], None] = lambda done: None,
) -> tuple[list[Run], Reached]:
    """Run scenarios in at most `jobs` processes: one run for each case, and what all reached.

    `programs` keeps none of the games afterwards. `on_progress` gets the number of finished runs.
    """
    groups = _groups(cases)
    problems: dict[int, tuple[Diagnostic, ...]] = {}
    reached = Reached()
    usable = min(jobs, len(groups) // MIN_GAMES_OF_A_PROCESS)
    with closing(_outcomes(groups, programs, usable)) as coming:
        for found, by_group in coming:
            problems |= found
            reached.merge(by_group)
            on_progress(len(problems))
    runs = [
        Run(case.scenario, case.ruleset, case.game, case.scenario.options, problems[number])
        for number, case in enumerate(cases)
    ]
    return runs, reached


def _groups(cases: Sequence[Case]) -> list[_Group]:
    """The cases by game and options, in the order of their first case."""
    found: dict[object, _Group] = {}
    for number, case in enumerate(cases):
        game = (case.game, tuple(sorted(case.scenario.options)))
        found.setdefault(game, {})[number] = case
    return [*found.values()]


def _run(group: _Group, programs: Programs) -> _Outcome:
    problems = {
        number: run_scenario(case.scenario, case.ruleset, case.game, programs).problems
        for number, case in group.items()
    }
    return problems, programs.release()


def _outcomes(
    groups: Sequence[_Group], programs: Programs, jobs: int
) -> Generator[_Outcome, None, None]:
    # only a forked process has the rulesets that were read
    if jobs <= 1 or "fork" not in multiprocessing.get_all_start_methods():
        yield from (_run(group, programs) for group in groups)
        return
    with worker_pool(jobs, groups, programs) as pool:
        yield from in_order(pool, _run_there, range(len(groups)), 2)


def _run_there(number: int) -> _Outcome:
    groups, programs = held()
    return _run(groups[number], programs)
