"""JUnit reports of `check` and `test`.

A file is a case of `check`, a scenario under a game is one of `test`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity, at_least
from tilewright.language.source.report_ci import Case
from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios.runner import Run

Suites = tuple[tuple[str, tuple[Case, ...]], ...]


def suites_of_files(
    library: Library, ids: Iterable[str], found: Sequence[Diagnostic], at: Severity
) -> Suites:
    """A suite for each ruleset and one for other files; findings at least as severe
    as `at` are failures.
    """
    by_file: dict[str, list[Diagnostic]] = {}
    for each in found:
        by_file.setdefault(each.span.file, []).append(each)
    suites = []
    for id_ in ids:
        ruleset = library.load(id_, Reporter.discarding())
        files = ruleset.files if ruleset is not None else ()
        suites.append((id_, tuple(_case(file, by_file.pop(file, []), at) for file in files)))
    elsewhere = tuple(_case(file, rows, at) for file, rows in by_file.items())
    return (*suites, ("elsewhere", elsewhere)) if elsewhere else tuple(suites)


def _case(file: str, found: Sequence[Diagnostic], at: Severity) -> Case:
    failing = at_least(found, at)
    rest = tuple(d for d in found if d not in failing)
    line = failing[0].span.line if failing else 0
    return Case(file or "arguments", file, line, failing, rest)


def suites_of_runs(
    runs: Iterable[Run], errors: Iterable[tuple[str, Sequence[Diagnostic]]] = ()
) -> Suites:
    """A suite for each ruleset, with its scenarios under each game that they are played in.

    `errors` are by ruleset what kept scenarios from being run; each file is a case of its own.
    """
    suites: dict[str, list[Case]] = {}
    for ruleset, found in errors:
        by_file: dict[str, list[Diagnostic]] = {}
        for each in found:
            by_file.setdefault(each.span.file, []).append(each)
        for file, rows in by_file.items():
            case = Case(file or ruleset, file, rows[0].span.line, tuple(rows), is_error=True)
            suites.setdefault(ruleset, []).append(case)
    for run in runs:
        name = run.scenario.id
        if run.game != run.ruleset:
            name += f" ({run.game})"
        span = run.scenario.span
        suites.setdefault(run.ruleset, []).append(Case(name, span.file, span.line, run.problems))
    return tuple((name, tuple(cases)) for name, cases in suites.items())
