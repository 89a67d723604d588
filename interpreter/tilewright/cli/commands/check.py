"""`check`: everything that is wrong with rulesets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.arguments import (
    FINDINGS_FORMS,
    FindingsForm,
    Rulesets,
    With,
    game_from,
    one_of,
    rulesets_from,
)
from tilewright.cli.baselines import keep_findings, known_findings, new_findings
from tilewright.cli.exit_codes import UNREADABLE
from tilewright.cli.output import (
    code_for,
    mention,
    print_diagnostics,
    say,
)

if TYPE_CHECKING:
    pass


def check(
    paths: Rulesets = None,
    with_: With = None,
    form: FindingsForm = "text",
    is_full: Annotated[
        bool,
        typer.Option("--full", help="tell each gap of book, law and proof, be they ever so many"),
    ] = False,
    is_strict: Annotated[bool, typer.Option("--strict", help="same as `--fail-on note`")] = False,
    fail_on: Annotated[
        str,
        typer.Option(metavar="SEVERITY", help="error, warning or note: what makes the check fail"),
    ] = "warning",
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="tell new findings only, not those in this file",
            show_default=False,
        ),
    ] = None,
    new_baseline: Annotated[
        Path | None,
        typer.Option(
            "--write-baseline",
            metavar="FILE",
            help="keep all findings as known ones",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Say everything that is wrong with rulesets, without playing them.

    Shape, names, types, geometry, counts, conflicts, and whether book, law and proof belong
    together. Every complaint has a code that [bold]explain[/bold] tells more of. As text, what is
    wrong stands before what is missing, and many gaps of one sort take one line.

    \b
    Examples:
      tilewright check
      tilewright check ./my-rules
      tilewright check ./my-rules:tiles
      tilewright check ./my-rules+./your-rules                do they go together?
      tilewright check c2/base --format sarif > findings.sarif
      tilewright check --write-baseline known.json
      tilewright check --baseline known.json --fail-on error
    """
    from tilewright.source.diagnostics import Severity
    from tilewright.source.report import GAPS
    from tilewright.source.report_ci import as_junit
    from tilewright.tools.checking.check import check as checked
    from tilewright.tools.scenarios.junit import suites_of_files

    one_of("the format", form, FINDINGS_FORMS)
    at = Severity(one_of("the severity", "note" if is_strict else fail_on, tuple(Severity)))
    known = known_findings(baseline) if baseline is not None else ()
    library, ids = rulesets_from(paths, with_, parts=True)
    games = [game_from(text, with_)[1] for text in paths or () if "+" in text]
    found = checked(library, ids, games)
    if new_baseline is not None and code_for(found) != UNREADABLE:
        keep_findings(new_baseline, found)
        raise typer.Exit
    if baseline is not None:
        found = new_findings(found, known, library, ids)
    if form == "junit":
        say(as_junit("tilewright check", suites_of_files(library, ids, found, at)))
    else:
        print_diagnostics(found, form, is_short=not is_full)
    if form == "text":
        said = ids[0] if len(ids) == 1 else f"{len(ids)} rulesets"
        mention(f"checked {said}")
        if found:
            first = next((each for each in found if each.code not in GAPS), found[0])
            mention(f"`tilewright explain {first.code}` tells more of a code")
    raise typer.Exit(code_for(found, at))
