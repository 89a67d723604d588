"""The verb `test`: plays scenarios and measures their coverage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import PROBLEMS, USAGE, Stop
from tilewright.faces.cli.output import (
    bold,
    code_for,
    dim,
    heading,
    print_diagnostics,
    result_to,
    say,
)
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.settings import LOOKS

if TYPE_CHECKING:
    from tilewright.language.locale.words import Words
    from tilewright.language.source.diagnostics import Diagnostic
    from tilewright.rules.reading.library import Library
    from tilewright.tools.scenarios.coverage import Reached
    from tilewright.tools.scenarios.runner import Run


def test(
    paths: a.Rulesets = None,
    with_: a.With = None,
    with_coverage: Annotated[
        bool,
        a.flag("--coverage", "list rules, conditions and choices that no scenario reaches"),
        LOOKS,
    ] = False,
    name: a.Only = "",
    jobs: a.Jobs = None,
    form: a.FindingsForm = "",
    out: a.OutFile = None,
    language: a.Language = "",
) -> None:
    """Play the scenarios of rulesets, and report failed expectations.

    \b
    Examples:
      tilewright test
      tilewright test c2/base --coverage
      tilewright test ./my-rules --only tie
      tilewright test --out scenarios.xml
    """
    from tilewright.language.locale.words import Words
    from tilewright.language.source.diagnostics import Reporter, did_you_mean
    from tilewright.tools.scenarios.batch import run_cases
    from tilewright.tools.scenarios.collect import collect
    from tilewright.tools.scenarios.runner import Programs
    from tilewright.tools.workspace.processes import usable_cores
    from tilewright.tools.workspace.program_cache import user_programs

    form = a.written_form(form, out, a.FINDINGS_FORMS)
    library, ids = a.rulesets_from(paths, with_)
    programs = Programs(library, probes=True, cache=user_programs())
    collected = collect(ids, library)
    unread = collected.diagnostics
    known = [case.scenario.id for case in collected.cases]
    todo = [case for case in collected.cases if name in case.scenario.id]
    if name and not todo and not unread:
        where = ids[0] if len(ids) == 1 else f"{len(ids)} rulesets"
        message = f"no scenario of {where} has an id that contains `{name}`"
        raise Stop(USAGE, message + did_you_mean(name, known))
    words = Words(language)
    with progress(words("progress.scenarios"), len(todo), language=words.language) as step:
        runs, reached = run_cases(todo, programs, jobs=jobs or usable_cores(), on_progress=step)
    # errors of a game are listed once, before the scenarios that cannot be played
    apart = Reporter()
    apart.extend((*unread, *(each for run in runs for each in run.problems_of_game)))
    problems = dict.fromkeys((*apart.diagnostics, *(each for run in runs for each in run.problems)))
    gaps = 0
    with result_to(out, form):
        if form == "junit":
            from tilewright.language.source.report_ci import as_junit
            from tilewright.tools.scenarios.junit import suites_of_runs

            say(as_junit("tilewright test", suites_of_runs(runs, collected.errors)))
        elif form != "text":
            print_diagnostics(problems, form, language=language)
        else:
            _print_runs(ids, runs, apart.diagnostics, words)
            if with_coverage:
                gaps = _coverage(ids, library, reached, words)
    raise typer.Exit(code_for(problems) or (PROBLEMS if gaps else 0))


def _print_runs(
    ids: Sequence[str], runs: Sequence[Run], apart: Sequence[Diagnostic], words: Words
) -> None:
    """Print errors of games, failed scenarios, and the number that passed for each ruleset."""
    from tilewright.faces.cli.output import colour_wanted, read_source
    from tilewright.language.source.report import as_text

    if apart:
        say(as_text(apart, read_source, colour_wanted(), words.language))
    shown = set(apart)
    for run in runs:
        own = [each for each in run.problems if each not in shown]
        if own:
            say(bold(f"{run.name}  {run.game}"))
            say(as_text(own, read_source, colour_wanted(), words.language))
    for id_ in ids:
        mine = [run for run in runs if run.ruleset == id_]
        good = sum(run.passed for run in mine)
        if mine:
            say(words.plural("test.passed", len(mine), ruleset=id_, passed=words.number(good)))


def _coverage(ids: Sequence[str], library: Library, reached: Reached, words: Words) -> int:
    """Print the coverage of the scenarios; the number of gaps."""
    from tilewright.language.source.diagnostics import Reporter
    from tilewright.tools.scenarios.coverage import measure

    quiet = Reporter.discarding()  # errors of reading were printed above
    loaded = [library.load(id_, quiet) for id_ in ids]
    gaps = 0
    heading(words("test.coverage"))
    for each in measure([r for r in loaded if r is not None], reached):
        pairs = (("rules", each.rules), ("sides", each.sides), ("choices", each.choices))
        counts = "   ".join(
            f"{words(f'test.what.{name}')} {seen}/{total}" for name, (seen, total) in pairs
        )
        say(f"  {each.ruleset:<30} {counts}")
        for gap in each.gaps:
            say(f"    {gap.text}  {dim(str(gap.span))}")
        gaps += len(each.gaps)
    return gaps
