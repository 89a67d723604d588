"""The verb `check`: static checks of rulesets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.faces.cli.access import LOOKS, WRITES
from tilewright.faces.cli.arguments import (
    FINDINGS_FORMS,
    FindingsForm,
    Language,
    OutFile,
    Rulesets,
    With,
    choice,
    game_from,
    named_in,
    rulesets_from,
    written_form,
)
from tilewright.faces.cli.baselines import keep_findings, known_findings, new_findings
from tilewright.faces.cli.exit_codes import UNREADABLE
from tilewright.faces.cli.output import (
    code_for,
    mention,
    print_diagnostics,
    result_to,
    say,
)
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.written_files import refuse_other_kind


def check(
    paths: Rulesets = None,
    with_: With = None,
    form: FindingsForm = "",
    out: OutFile = None,
    language: Language = "",
    is_full: Annotated[
        bool,
        typer.Option("--full", help="list every missing statement, rule or scenario"),
        LOOKS,
    ] = False,
    is_published: Annotated[
        bool,
        typer.Option(
            "--publish", help="warn also about house rules that have no statements and sources"
        ),
        LOOKS,
    ] = False,
    is_strict: Annotated[
        bool, typer.Option("--strict", help="same as `--fail-on note`"), LOOKS
    ] = False,
    fail_on: Annotated[
        str,
        choice("--fail-on", ("error", "warning", "note"), "exit with 1 from this severity on"),
        LOOKS,
    ] = "warning",
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="report only findings that are not in this file",
            show_default=False,
        ),
        LOOKS,
    ] = None,
    new_baseline: Annotated[
        Path | None,
        typer.Option(
            "--write-baseline",
            metavar="FILE",
            help="write all findings to this file, and exit with 0",
            show_default=False,
        ),
        WRITES,
    ] = None,
    is_fresh: Annotated[
        bool, typer.Option("--no-cache", help="neither read nor write the cache")
    ] = False,
) -> None:
    """Check rulesets for errors without playing them.

    Checks syntax, names, types, tile geometry, counts, conflicts between rules, and that
    statements, rules and scenarios refer to one another. `explain` describes the code of a
    diagnostic. A house rule without statements is private: only `--publish` asks for them. Text
    output lists errors first and folds repeated gaps; `--full` expands them.

    \b
    Examples:
      tilewright check
      tilewright check ./my-rules
      tilewright check ./my-rules:tiles
      tilewright check ./my-rules+./your-rules   check two rulesets together
      tilewright check c2/base --out findings.sarif
      tilewright check --write-baseline known.json
      tilewright check --baseline known.json --fail-on error
      tilewright check ./my-rules --publish   before others use them
      tilewright check ./my-rules --lang uk
    """
    from tilewright.language.locale.words import Words
    from tilewright.language.source.diagnostics import Severity
    from tilewright.language.source.report import GAPS, UNFINISHED
    from tilewright.tools.checking.check import check as checked
    from tilewright.tools.checking.suppressions import private, published
    from tilewright.tools.workspace.cache import user_cache
    from tilewright.tools.workspace.processes import usable_cores

    form = written_form(form, out, FINDINGS_FORMS)
    threshold = Severity("note" if is_strict else fail_on)
    if new_baseline is not None:
        refuse_other_kind(new_baseline, "baseline")
        baseline = None  # known findings are written too
    known = known_findings(baseline) if baseline is not None else ()
    library, ids = rulesets_from(paths, with_, parts=True, is_fresh=is_fresh, reports_unread=False)
    games = [game_from(text, with_)[1] for text in paths or () if len(named_in(text).names) > 1]
    words = Words(language)
    rulesets = words("progress.rulesets")
    with progress(
        words("progress.checking"), len(ids), unit=rulesets, language=words.language
    ) as show:
        cache, jobs = user_cache(is_wanted=not is_fresh), usable_cores()
        found = checked(library, ids, games, cache=cache, jobs=jobs, done=show)
    found = tuple(published(found, library, ids) if is_published else private(found))
    if new_baseline is not None and code_for(found) != UNREADABLE:
        keep_findings(new_baseline, found)
        raise typer.Exit
    if baseline is not None:
        found = new_findings(found, known, baseline.parent, library, ids)
    with result_to(out, form):
        if form == "junit":
            from tilewright.language.source.report_ci import as_junit
            from tilewright.tools.scenarios.junit import suites_of_files

            say(as_junit("tilewright check", suites_of_files(library, ids, found, threshold)))
        else:
            print_diagnostics(found, form, is_short=not is_full, language=language)
    if form == "text":
        explained = [each for each in found if is_full or each.code != UNFINISHED]
        if explained or len(ids) > 1:
            what = ids[0] if len(ids) == 1 else words.plural("check.rulesets", len(ids))
            mention(words("check.checked", what=what))
        if explained:
            first = next((each for each in explained if each.code not in GAPS), explained[0])
            mention(words("check.explain", code=first.code))
    raise typer.Exit(code_for(found, threshold))
