"""Every scenario of the shipped rulesets, and what they reach together.

Those of some rulesets are one test each by default; the slow test runs all.

A scenario that fails is shown as the command line shows it: at its own lines.
"""

from __future__ import annotations

from functools import lru_cache

import pytest

from support.marks import is_sampled
from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.report import as_text
from tilewright.rules.model.ruleset import Ruleset, Scenario
from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.coverage import measure
from tilewright.tools.scenarios.runner import Programs, run_all, run_scenario
from tilewright.tools.traceability.statement_coverage import grounded

LIBRARY = Library()
#: the sample and every sixteenth of the other rulesets
QUICK = {*filter(is_sampled, LIBRARY.ids()), *LIBRARY.ids()[::16]}
CASES = [
    pytest.param(scenario, ruleset, game, id=f"{ruleset}/{scenario.id}")
    for ruleset in LIBRARY.ids()
    if ruleset in QUICK
    for scenario, game in scenarios_of(ruleset, LIBRARY)
]


@lru_cache(1)
def programs(ruleset: str) -> Programs:
    """The games of the scenarios of one ruleset; `make_once` keeps some of other rulesets.

    With probes, so that a scenario must reach what it covers.
    """
    return Programs(LIBRARY, probes=True)


def rendered(problems: tuple[Diagnostic, ...]) -> str:
    def read(file: str) -> str | None:
        try:
            with open(file, encoding="utf-8") as opened:
                return opened.read()
        except OSError:
            return None

    return as_text(problems, read)


def shipped() -> list[Ruleset]:
    reporter = Reporter()
    found = [LIBRARY.load(id_, reporter) for id_ in LIBRARY.ids()]
    assert not reporter.diagnostics, rendered(reporter.diagnostics)
    return [ruleset for ruleset in found if ruleset is not None]


@pytest.mark.parametrize(("scenario", "ruleset", "game"), CASES)
def test_what_a_scenario_says_is_true(scenario: Scenario, ruleset: str, game: str) -> None:
    run = run_scenario(scenario, ruleset, game, programs(ruleset))
    assert run.passed, f"{scenario.says}\n\n{rendered(run.problems)}"


@pytest.mark.slow
def test_all_scenarios_are_true_and_reach_every_rule_condition_and_choice() -> None:
    runs, reached = run_all(LIBRARY.ids(), LIBRARY, probes=True)
    failed = [rendered(run.problems) for run in runs if not run.passed]
    assert not failed, "\n\n".join(failed)
    lines = []
    for found in measure(shipped(), reached):
        if not found.is_full:
            counts = (("rules", found.rules), ("sides", found.sides), ("choices", found.choices))
            shown = ", ".join(f"{word} {seen}/{all_}" for word, (seen, all_) in counts)
            lines.append(f"{found.ruleset}: {shown}")
            lines += [f"  {gap.text}, {gap.span}" for gap in found.gaps]
    assert not lines, "\n" + "\n".join(lines)


def test_every_statement_that_a_rule_carries_out_is_proved() -> None:
    proved = {
        statement
        for id_ in LIBRARY.ids()
        for scenario, _ in scenarios_of(id_, LIBRARY)
        for statement in scenario.statements
    }
    unproved = [
        f"{ruleset.id}: `{statement}` by {item.what}, {item.span}"
        for ruleset in shipped()
        for item in grounded(ruleset)
        for statement in item.statements
        if statement not in proved
    ]
    assert not unproved, "\n" + "\n".join(unproved)


def test_the_id_of_a_scenario_is_its_own() -> None:
    for id_ in LIBRARY.ids():
        ids = [scenario.id for scenario, _ in scenarios_of(id_, LIBRARY)]
        assert len(ids) == len(set(ids)), id_
